"""Making the reader fit a table: how good it is on labelled photos, and what it learns from."""

from calibration.errors import CalibrationError, LabelsError
from calibration.labels import PhotoLabel, load_labels

__all__ = ["CalibrationError", "LabelsError", "PhotoLabel", "load_labels"]
