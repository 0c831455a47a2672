"""What can go wrong while the reader is measured or made to fit a table.

The tree::

    CalibrationError
    `-- LabelsError   a labels.json that is missing or does not say what it should
"""

from __future__ import annotations


class CalibrationError(Exception):
    """Measuring or fitting could not go on.

    Parameters
    ----------
    code
        Machine-readable reason, in snake case (``"labels_missing"``).
    message
        One sentence that says what is wrong and where.
    next_step
        One sentence that says what to do about it.
    """

    def __init__(self, code: str, message: str, next_step: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.next_step = next_step

    def to_json(self) -> dict[str, str]:
        """Return code, message and next step as plain data."""
        return {"code": self.code, "message": self.message, "next_step": self.next_step}


class LabelsError(CalibrationError):
    """Labels that cannot be used.

    Codes: ``labels_missing``, ``labels_not_json``, ``bad_label``, ``photo_missing``.
    """
