"""How good the reader is, held against labelled photos.

The modules in the order of the work: ``labels`` (what photos show), ``comparison`` with ``beside`` (a reading
held against it), ``reliability`` and ``figures`` (many of these added up, each figure with its goal),
``report`` (what is printed, kept in ``results/`` and written into ``docs/accuracy.md``).
"""

from calibration.evaluation.comparison import evaluate_photos
from calibration.evaluation.labels import labelled_folders, load_labels
from calibration.evaluation.report import Report, worse_than_recorded, write_records

__all__ = [
    "Report",
    "evaluate_photos",
    "labelled_folders",
    "load_labels",
    "worse_than_recorded",
    "write_records",
]
