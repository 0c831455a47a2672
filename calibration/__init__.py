"""Making the reader fit a table: how good it is, what it learned from, and what a household teaches it.

``accuracy/``
    how good the reader is on labelled photos: labels, comparison, shares, reliability, goals, records, the
    report;
``profiles/``
    what a household's own dice look like: ``samples`` cuts named dice out of photos, ``learning`` makes a
    profile of them, and says whether it reads any better;
``training/``
    how the networks learned: ``synthetic/`` draws scenes, ``*_set`` write them down, ``nets`` and the
    modules named like the networks train them, ``held_back*`` measure on what nothing was learned from.

``python -m calibration`` writes the committed records and compares with them. ``sagrada calibrate`` and the
page keep profiles (`webapp.storage.profiles`); what a profile is, and how it is read with, stands in
`vision.profile`.
"""

from calibration.accuracy.comparison import evaluate_photos
from calibration.accuracy.labels import labelled_folders, load_labels
from calibration.accuracy.records import write_record
from calibration.accuracy.report import Report
from calibration.errors import CalibrationError

__all__ = [
    "CalibrationError",
    "Report",
    "evaluate_photos",
    "labelled_folders",
    "load_labels",
    "write_record",
]
