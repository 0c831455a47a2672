"""What can go wrong while the reader is measured or made."""

from __future__ import annotations

from scoring.errors import SagradaError
from scoring.sentences import sentence


class CalibrationError(SagradaError):
    """Measuring or making the reader cannot begin or go on; nobody tells the reasons apart but by their code.

    Of labels: ``labels_missing``, ``labels_not_json``, ``bad_label``, ``photo_missing``. The message says in
    English what is wrong and where, the next step what to do about it.
    """

    def __init__(self, code: str, message: str, next_step: str) -> None:
        super().__init__(code, sentence("{it}", it=message), sentence("{it}", it=next_step))


class ProfileError(SagradaError):
    """Dice cannot be learned from what was given.

    Codes: ``board_does_not_fit``, ``no_die_there``, ``too_few_dice``, ``sample_damaged``.
    """
