"""The lens from photos of a printed chessboard, with OpenCV's own calibration (Zhang 2000)."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.lens import MAX_SIDE_PX, LensEstimate, Source
from vision.errors import VisionError
from vision.geometry import USUAL_FOCAL
from vision.lens import Lens
from vision.photo import load_photo

Float = NDArray[np.float64]

MIN_VIEWS = 4  # Zhang needs three; a fourth says whether they agree
# Standard errors from which the views say too little: of the focal length as a share of it, and of k1.
VAGUE_FOCAL, VAGUE_BEND = 0.05, 0.04
# The lens's middle and the second term of the bend are taken as usual unless they lower the error to this; on
# drawn boards without either they lower it to 0.98 at least, and would be told 5 standard errors away.
BETTER = 0.9
LEAST_APART_DEG = 10.0  # between the two views that differ most
SAME_SHAPE = 0.01  # photos whose sides differ by more than this share were cut


def lens_from_chessboard(sources: Iterable[Source], pattern_size: tuple[int, int]) -> LensEstimate:
    """Measure a lens with photos of a chessboard.

    Parameters
    ----------
    sources
        Files of at least four photos of it, each from another side, or their bytes.
    pattern_size
        How many inner corners it has, where four squares meet, along its two sides.

    Raises
    ------
    VisionError
        A photo cannot be used.
    CalibrationError
        ``bad_pattern``, ``too_few_views``, ``views_alike`` or ``other_sizes``.
    """
    if min(pattern_size) < 3 or pattern_size[0] == pattern_size[1]:
        raise CalibrationError(
            "bad_pattern",
            "A chessboard needs at least 3 inner corners along each side, and not as many along both.",
            "Count the points where four squares meet, such as 9x6.",
        )
    views, shapes, tried = [], [], 0
    for tried, source in enumerate(sources, start=1):  # noqa: B007  how many is said below
        corners, shape = _corners_in(source, pattern_size)
        if corners is not None:
            views.append(corners)
            shapes.append(shape)
    if len(views) < MIN_VIEWS:
        raise CalibrationError(
            "too_few_views",
            f"The chessboard was found in {len(views)} of {tried} photos; {MIN_VIEWS} are needed.",
            "Photograph the whole board, flat and evenly lit, from other sides, and check its size.",
        )
    if max(shapes) - min(shapes) > SAME_SHAPE:
        raise CalibrationError(
            "other_sizes",
            "The photos have different shapes.",
            "Use photos of one camera as it wrote them, none of them cut.",
        )
    return _calibrated(views, shapes[0], pattern_size)


def _corners_in(source: Source, pattern_size: tuple[int, int]) -> tuple[Float | None, float]:
    """Return the corners (N, 2) of the board in a photo on its side, in long sides, and its shorter side."""
    image = load_photo(source, max_side=MAX_SIDE_PX).image_bgr
    if image.shape[0] > image.shape[1]:
        image = np.asarray(cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE), dtype=np.uint8)
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    flags = cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_ACCURACY | cv2.CALIB_CB_NORMALIZE_IMAGE
    found, corners = cv2.findChessboardCornersSB(gray, pattern_size, flags=flags)
    height, width = gray.shape
    if not found:
        return None, height / width
    return (np.asarray(corners, dtype=np.float64).reshape(-1, 2) + 0.5) / width, height / width


def _calibrated(views: list[Float], shape: float, pattern_size: tuple[int, int]) -> LensEstimate:
    """Return the lens with no more numbers than the views can tell."""
    across, down = pattern_size
    board = np.array([[x, y, 0] for y in range(down) for x in range(across)], dtype=np.float32)
    unit = 1000.0  # the long side
    size = (int(unit), round(unit * shape))
    points = [(view * unit).astype(np.float32).reshape(-1, 1, 2) for view in views]
    plain = (
        cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K3
    )  # fmt: skip

    def fit(flags: int) -> tuple[float, Float, Float, Float, Float]:
        start = np.array(
            [[USUAL_FOCAL * unit, 0, size[0] / 2], [0, USUAL_FOCAL * unit, size[1] / 2], [0, 0, 1]]
        )
        error, camera, bends, turns, _, deviations, *_ = cv2.calibrateCameraExtended(
            [board] * len(points), points, size, start, np.zeros(5), flags=plain | flags
        )
        facing = np.array([cv2.Rodrigues(turn)[0][:, 2] for turn in turns])
        camera, bends, deviations = (np.asarray(one, dtype=np.float64) for one in (camera, bends, deviations))
        return error, camera, bends.ravel(), deviations.ravel(), facing

    middle, second, bend = cv2.CALIB_FIX_PRINCIPAL_POINT, cv2.CALIB_FIX_K2, cv2.CALIB_FIX_K1
    before = fit(middle | second | bend)[0]
    fixed = middle | second
    found = fit(fixed)
    for term in (middle, second):
        freer = fit(fixed & ~term)
        if freer[0] < BETTER * found[0]:
            fixed, found = fixed & ~term, freer
    error, camera, bends, deviations, facing = found
    apart = np.degrees(np.arccos(np.clip(facing @ facing.T, -1, 1)).max())
    if (
        apart < LEAST_APART_DEG
        or deviations[:2].max() > VAGUE_FOCAL * camera[0, 0]
        or deviations[4] > VAGUE_BEND
    ):
        raise _alike()
    try:
        lens = Lens(
            round(float(camera[0, 0]) / unit, 4),
            round(float(bends[0]), 4),
            round(float(bends[1]), 4),
            (round(float(camera[0, 2]) / size[0], 4), round(float(camera[1, 2]) / size[1], 4)),
        )
    except VisionError as refusal:
        raise _alike() from refusal
    return LensEstimate(lens, float(deviations[4]), before, error, len(views))


def _alike() -> CalibrationError:
    return CalibrationError(
        "views_alike",
        "These photos of the chessboard are too much alike to tell the lens.",
        "Tilt the board to another side in each photo, and let it reach the picture's edges.",
    )
