"""Profiles of dice: ``samples`` cuts named dice out of photos, ``learning`` fits a profile.

`webapp.storage.profiles` keeps their files; `vision.profile` says what a profile is.
"""

from calibration.profiles.learning import Learned, learn
from calibration.profiles.samples import Sample, loose_sample, window_sample
from vision.recognition.dice import is_current

__all__ = ["Learned", "Sample", "is_current", "learn", "loose_sample", "window_sample"]
