"""What can go wrong while the reader is measured or made."""

from __future__ import annotations


class CalibrationError(Exception):
    """Measuring or making the reader cannot begin or go on; nobody tells the reasons apart but by their code.

    Of labels: ``labels_missing``, ``labels_not_json``, ``bad_label``, ``photo_missing``. Of path tracing:
    ``llvm_missing``, ``llvm_too_old``.

    Parameters
    ----------
    code
        Machine-readable reason, in snake case.
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
