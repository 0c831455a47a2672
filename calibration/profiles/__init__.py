"""What a household's dice look like: ``samples`` cuts named dice out of photos, ``learning`` fits a profile.

The files of profiles are kept by `webapp.store.profiles`; what a profile is and how it is read with stands in
`vision.profile` and `vision.cells`.
"""

from calibration.profiles.learning import Learned, learn
from calibration.profiles.samples import Sample, loose_sample, window_sample
from vision.recognition.dice import is_current

__all__ = ["Learned", "Sample", "is_current", "learn", "loose_sample", "window_sample"]
