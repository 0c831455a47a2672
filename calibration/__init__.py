"""Making the reader fit a table: how good it is on labelled photos, and what it learns from."""

from calibration.errors import CalibrationError, LabelsError
from calibration.evaluate import PhotoResult, evaluate_photos
from calibration.labels import PhotoLabel, load_labels
from calibration.records import Evaluation, evaluation_of
from calibration.summary import Summary, summarize

__all__ = [
    "CalibrationError",
    "Evaluation",
    "LabelsError",
    "PhotoLabel",
    "PhotoResult",
    "Summary",
    "evaluate_photos",
    "evaluation_of",
    "load_labels",
    "summarize",
]
