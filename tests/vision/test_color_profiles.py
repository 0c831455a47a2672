"""Photos in other color spaces than sRGB are read in their true colors."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pillow_heif
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageCms

from tests.vision.color_spaces import PRIMARIES, profile_of
from vision.photo import MAX_PROFILE_BYTES, load_photo

SIZE = 120
P3 = profile_of("Display P3")


def colors() -> NDArray[np.uint8]:
    """Return sixteen colors that sRGB has, in blocks as large as JPEG works on, RGB."""
    few = np.random.default_rng(8).integers(60, 200, (4, 4, 3)).astype(np.uint8)
    return few.repeat(SIZE // 4, axis=0).repeat(SIZE // 4, axis=1)


def file_of(rgb: NDArray[np.uint8], kind: str, profile: bytes | None) -> bytes:
    """Return a picture as a file that carries a profile."""
    out = io.BytesIO()
    picture = Image.fromarray(rgb)
    if kind == "heif":
        pillow_heif.from_pillow(picture).save(out, quality=100, icc_profile=profile, chroma=444)
    else:
        picture.save(out, kind, icc_profile=profile, quality=100, subsampling=0, lossless=True)
    return out.getvalue()


def in_space(rgb: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    """Return the numbers that the same colors have in another space."""
    target = ImageCms.ImageCmsProfile(io.BytesIO(profile_of(name)))
    turned = ImageCms.profileToProfile(Image.fromarray(rgb), ImageCms.createProfile("sRGB"), target)
    assert turned is not None
    return np.asarray(turned, dtype=np.uint8)


def read(data: bytes) -> NDArray[np.int64]:
    """Return the middles of the blocks of a photo, RGB."""
    return load_photo(data).image_bgr[15::30, 15::30, ::-1].astype(np.int64)


@pytest.mark.parametrize("name", sorted(PRIMARIES))
@pytest.mark.parametrize("kind", ["jpeg", "png", "webp", "heif"])
def test_the_same_colors_in_another_space_are_the_same(kind: str, name: str) -> None:
    """Whatever numbers a format and a space have for it, a color is read as it is in sRGB."""
    rgb = colors()
    found = read(file_of(in_space(rgb, name), kind, profile_of(name)))
    assert np.abs(found - rgb[15::30, 15::30]).max() <= 5
    if name != "sRGB":
        assert np.abs(read(file_of(in_space(rgb, name), kind, None)) - rgb[15::30, 15::30]).max() > 10


@pytest.mark.parametrize(
    "profile",
    [
        b"",
        b"no profile",
        P3[:200],
        P3[:-3000],
        profile_of("Display P3", b"CMYK"),
        profile_of("Display P3", b"GRAY"),
        P3[:128] + b"\xff\xff\xff\xff" + P3[132:],
        P3 + bytes(MAX_PROFILE_BYTES),
    ],
    ids=["empty", "text", "header only", "cut off", "of inks", "of greys", "countless tags", "huge"],
)
def test_a_profile_that_cannot_be_used_changes_nothing(profile: bytes) -> None:
    """With a broken profile, one of another kind or one far too large the photo is read as without."""
    rgb = colors()
    assert (read(file_of(rgb, "webp", profile)) == read(file_of(rgb, "webp", None))).all()


def _in_parts(data: bytes, parts: list[bytes], count: int) -> bytes:
    """Return a JPEG with a profile in several segments."""
    heads = (
        b"\xff\xe2" + (16 + len(part)).to_bytes(2, "big") + b"ICC_PROFILE\0" + bytes([k + 1, count]) + part
        for k, part in enumerate(parts)
    )
    return data[:2] + b"".join(heads) + data[2:]


def test_a_profile_in_parts_is_put_together() -> None:
    """The parts of a JPEG's profile count together, and not at all when one is missing."""
    rgb = colors()
    plain = file_of(in_space(rgb, "Display P3"), "jpeg", None)
    whole = file_of(in_space(rgb, "Display P3"), "jpeg", P3)
    assert (read(_in_parts(plain, [P3[:1000], P3[1000:]], 2)) == read(whole)).all()
    assert (read(_in_parts(plain, [P3[:1000]], 2)) == read(plain)).all()


def test_colors_are_turned_in_several_threads() -> None:
    """Photos that are loaded at the same time come out as they do alone."""
    kinds = ("jpeg", "png", "webp", "heif")
    files = [
        file_of(in_space(colors(), name), kind, profile_of(name)) for name in PRIMARIES for kind in kinds
    ]
    with ThreadPoolExecutor(8) as pool:
        assert all(
            (one == alone).all() for one, alone in zip(pool.map(read, files), map(read, files), strict=True)
        )
