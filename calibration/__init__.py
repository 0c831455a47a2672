"""Making the reader fit a table: how good it is on labelled photos, and what it learns from."""

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
