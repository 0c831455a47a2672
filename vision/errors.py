"""What can go wrong between the bytes of a photo and a reading.

The tree, one class for each answer a caller might give::

    VisionError
    |-- PhotoError            the bytes are no usable photo
    |-- BoardNotFoundError    no window, or none that stands out
    `-- BoardUnreadableError  there is a window, but not one that can be read whole

Every error carries a ``code`` for programs, a sentence for a person and one next step.
"""

from __future__ import annotations


class VisionError(Exception):
    """A photo that could not be read.

    Parameters
    ----------
    code
        Machine-readable reason, in snake case (``"board_not_found"``).
    message
        One sentence that says what is wrong.
    next_step
        One sentence that says what to do about it.
    """

    def __init__(self, code: str, message: str, next_step: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.next_step = next_step

    def to_json(self) -> dict[str, str]:
        """Return the error as the ``error`` object of ``sagrada read --json``."""
        return {"code": self.code, "message": self.message, "next_step": self.next_step}


class PhotoError(VisionError):
    """The bytes are not a photo that can be decoded.

    Codes: ``not_a_photo``, ``photo_truncated``, ``photo_too_large``, ``too_small``, ``photo_missing``.
    """


class BoardNotFoundError(VisionError):
    """No window stands out. Codes: ``board_not_found``, ``several_boards``."""


class BoardUnreadableError(VisionError):
    """A window is there but cannot be read.

    Codes: ``board_cut_off``, ``too_small``, ``too_blurry``, ``too_dark``, ``bad_corners``.
    """
