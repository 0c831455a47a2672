"""What a caller may give as a photo: a path, bytes, an open file, an array or a Pillow image."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from scoring.sentences import sentence
from vision.errors import PhotoError, too_large

MAX_BYTES = 60_000_000

Given: TypeAlias = (
    bytes | bytearray | memoryview | str | os.PathLike[str] | IO[bytes] | NDArray[np.uint8] | Image.Image
)
ColorOrder: TypeAlias = Literal["BGR", "RGB"]
WHAT = "a path, bytes, a file opened for reading bytes, a NumPy array (H x W x 3, uint8) or a Pillow image"


def bytes_or_pixels(source: Given, color_order: ColorOrder) -> bytes | NDArray[np.uint8]:
    """Return the bytes of a file, or the pixels (H x W x 3, BGR) that the caller has already.

    Raises
    ------
    TypeError
        It is nothing of what can be a photo.
    PhotoError
        The file cannot be read (``photo_missing``), or is too large (``photo_too_large``).
    """
    if isinstance(source, bytes):
        return _of_fit_size(source)
    if isinstance(source, bytearray | memoryview):
        return _of_fit_size(bytes(source))
    if isinstance(source, str | os.PathLike):
        return _of_fit_size(_read_file(source))
    if isinstance(source, np.ndarray):
        return _pixels(source, color_order)
    if isinstance(source, Image.Image):
        return _pixels(np.asarray(_on_white(ImageOps.exif_transpose(source))), "RGB")
    if hasattr(source, "read"):
        content = source.read(MAX_BYTES + 1)
        if not isinstance(content, bytes):
            raise TypeError('The file gives text: open it for reading bytes, with mode "rb".')
        return _of_fit_size(content)
    raise TypeError(f"A photo is {WHAT}, not {type(source).__name__}.")


def _of_fit_size(data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        raise too_large(sentence("The file is larger than {most} MB.", most=MAX_BYTES // 1_000_000))
    return data


def _pixels(array: NDArray[Any], color_order: ColorOrder) -> NDArray[np.uint8]:
    """Return an array of pixels as BGR."""
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3:
        found = f"{' x '.join(map(str, array.shape))} and {array.dtype}"
        raise TypeError(f"An array of pixels is H x W x 3 and uint8, not {found}.")
    if color_order not in ("BGR", "RGB"):
        raise TypeError(f'The colors of an array are in the order "BGR" or "RGB", not {color_order!r}.')
    bgr = array if color_order == "BGR" else cv2.cvtColor(array, cv2.COLOR_RGB2BGR)
    return np.ascontiguousarray(bgr, dtype=np.uint8)


def _on_white(image: Image.Image) -> Image.Image:
    """Return a Pillow image as RGB; transparent places become white."""
    if not image.has_transparency_data:
        return image.convert("RGB")
    with_alpha = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), with_alpha).convert("RGB")


def _read_file(path: str | os.PathLike[str]) -> bytes:
    """Read the file, but never much more than is allowed."""
    name = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:  # ValueError: a null character
        raise PhotoError(
            "photo_missing",
            sentence('There is no file "{name}".', name=name),
            sentence("Check its name and folder for typing mistakes."),
        ) from error
    except IsADirectoryError as error:
        raise PhotoError(
            "photo_missing", sentence('"{name}" is a folder.', name=name), sentence("Name a photo in it.")
        ) from error
    except PermissionError as error:
        raise PhotoError(
            "photo_missing",
            sentence('The file "{name}" may not be read.', name=name),
            sentence("Allow yourself to read it, or copy it."),
        ) from error
    except OSError as error:
        raise PhotoError(
            "photo_missing",
            sentence('The file "{name}" cannot be read ({reason}).', name=name, reason=str(error.strerror)),
            sentence("Copy it to another place and try that copy."),
        ) from error
