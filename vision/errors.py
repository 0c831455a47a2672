"""What can go wrong between the bytes of a photo and a reading.

The tree, one class for each answer a caller might give::

    VisionError
    |-- PhotoError            the bytes are no usable photo
    |-- BoardNotFoundError    no window, or none that stands out
    `-- BoardUnreadableError  there is a window, but not one that can be read whole

Every error carries a ``code`` for programs, a sentence for a person, one next step and, for some codes, data.
"""

from __future__ import annotations

from scoring.errors import SagradaError
from scoring.sentences import Sentence, sentence


class VisionError(SagradaError):
    """A photo that could not be read, or data that is no reading or lens (``bad_reading``, ``bad_lens``)."""


class PhotoError(VisionError):
    """The bytes are not a photo that can be decoded.

    Codes: ``not_a_photo`` (data: ``kind``, what the file is instead, or 0 ``bytes``), ``photo_truncated``,
    ``photo_too_large`` (data: ``megabytes``, or ``width``, ``height`` and ``megapixels``, the most),
    ``too_small`` (data: ``width`` and ``height``), ``empty_animation``, ``photo_missing``.
    """


class BoardNotFoundError(VisionError):
    """No window stands out.

    Codes: ``board_not_found`` (data: ``card``, the name of the public objective card that is there instead,
    where one is), ``several_boards`` (data: ``windows``, how many).
    """


class BoardUnreadableError(VisionError):
    """A window is there but cannot be read.

    Codes: ``board_cut_off`` (data: ``edges`` that cut it, of ``"top"``, ``"right"``, ``"bottom"`` and
    ``"left"``, the one that hides most first), ``too_small``, ``too_blurry``, ``too_dark``, ``bad_corners``,
    ``no_colors``, and on a table ``window_unclear`` and ``card_unclear``.
    """


def damaged() -> PhotoError:
    """Return the error for a file that starts as a photo and cannot be decoded."""
    return PhotoError(
        "photo_truncated",
        sentence("The file of this photo is incomplete or damaged."),
        sentence("Send it again, or take another photo."),
    )


def too_large(what: Sentence, **data: int) -> PhotoError:
    """Return the error for a photo beyond a bound, which ``what`` and ``data`` name."""
    return PhotoError("photo_too_large", what, sentence("Make it smaller, or crop it to the window."), data)


def too_dark() -> BoardUnreadableError:
    """Return the refusal of a photo in which nothing can be told apart."""
    return BoardUnreadableError(
        "too_dark",
        sentence("This photo is too dark."),
        sentence("Turn on a light, or use the flash from a little further away."),
    )
