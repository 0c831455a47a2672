"""Dice of one photo that a person named: what a profile is learned from, and all that is kept for it."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import ProfileError
from scoring import Board, Color, Die
from scoring.board import VALUES
from scoring.errors import ScoringError
from scoring.sentences import counted, sentence
from vision.detection.search import find_grid
from vision.detection.sighting import grid_from_corners
from vision.detection.views import Levels
from vision.geometry import Grid, as_corners
from vision.loose import Spot, find_dice, straight
from vision.network import FILLED, VALUE, reader, softmax, to_blob
from vision.photo import Photo, load_photo
from vision.profile import How, Pips
from vision.read import TABLE_SIDE_PX, WINDOW_SIDE_PX, in_good_light
from vision.reading import Corners, Point
from vision.recognition.cells import CROP_PX
from vision.recognition.dice import Seen, seen_in

CELLS = 20
UNNAMED = "??"
EMPTY = "--"
MOST_UNLIKE = 4
"""Cells of 20 that may hold a die in the photo and none in the board that was said, or the reverse."""
LEAST_DICE, LEAST_COLORS = 4, 2
"""What must be named to learn from; colors that are missing stay as they were."""
MOST_BYTES = 2_000_000
"""Of a sample that is not compressed; it has 280,000."""
DAMAGED = (zipfile.BadZipFile, zlib.error, MemoryError)
NEAR = 0.8  # edges of a die between where somebody tapped and its middle
ROW = 0.8  # edges; a die that lies lower than this below the first of a row begins another one


@dataclass(frozen=True, eq=False)
class Sample:
    """Dice of one photo, and what a person said of them.

    ``crops`` (20, 48, 48, 6) uint8 are the cells as the reader sees them, BGR twice; of loose dice there
    are fewer, and the rest is filled up with them. ``said`` are 20 codes: a die (``R5``), ``R?`` where only
    its color was told, ``--`` for an empty cell and ``??`` for what nobody looked at. ``when`` is a time in
    ISO 8601.
    """

    crops: NDArray[np.uint8]
    said: tuple[str, ...]
    how: How
    when: str

    @cached_property
    def seen(self) -> Seen:
        """What the reader makes of the cells."""
        return Seen(self.crops, *reader().run_both(to_blob(self.crops)))

    @property
    def colors(self) -> NDArray[np.int64]:
        """The index of each color that was named among `Color`, (20,), -1 where none was."""
        letters = [color.value for color in Color]
        return np.array([letters.index(code[0]) if code[0] in letters else -1 for code in self.said])

    @property
    def named(self) -> NDArray[np.int64]:
        """The indices of the cells whose die was named."""
        return np.flatnonzero(self.colors >= 0)

    @property
    def values(self) -> NDArray[np.int64]:
        """The values from 1 that were named, (20,), 0 where none was."""
        return np.array([int(code[1]) if code[1].isdigit() else 0 for code in self.said])

    def likelihood(self, pips: Pips) -> float:
        """Return how well what was named goes with such pips, as a logarithm.

        A value that is read otherwise tells no more than one that cannot be read: it may be a slip, or a
        figure. Where none was named, it counts how surely one is read.
        """
        logits, values = self.seen.logits_for(pips)[self.named], self.values[self.named]
        there, value = softmax(logits[:, FILLED])[:, 1], softmax(logits[:, VALUE])
        read = np.where(values > 0, value[np.arange(len(values)), values - 1], value.max(axis=1))
        return float(np.log(np.clip(read, 1 / len(VALUES), 1)).sum() + np.log(there + 1e-4).sum())

    def to_bytes(self) -> bytes:
        """Return the sample as a file."""
        stream = io.BytesIO()
        np.savez_compressed(stream, crops=self.crops, said=self.said, how=self.how.value, when=self.when)
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Sample:
        """Return the sample that `to_bytes` gave, or raise a `ProfileError` (``sample_damaged``)."""
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                _check_size(archive)
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                crops, said = file["crops"], tuple(map(str, file["said"].tolist()))
                how, when = How(str(file["how"])), str(file["when"])
            _check_shape(crops, said)
        except (*DAMAGED, EOFError, KeyError, OSError, ScoringError, RuntimeError, ValueError) as error:
            raise ProfileError(
                "sample_damaged",
                sentence("This is no profile of dice, or it is damaged."),
                sentence("Take a file that was exported here, or learn the dice anew from a photo."),
            ) from error
        return cls(crops, said, how, when)


def _check_size(archive: zipfile.ZipFile) -> None:
    """Raise a ValueError for what would be too large, before it is unpacked."""
    if sum(one.file_size for one in archive.infolist()) > MOST_BYTES:
        raise ValueError(MOST_BYTES)


def _check_shape(crops: NDArray[np.uint8], said: tuple[str, ...]) -> None:
    """Raise a ValueError or a `ScoringError` unless these are crops and codes of a `Sample`."""
    if crops.shape != (CELLS, CROP_PX, CROP_PX, 6) or crops.dtype != np.uint8 or len(said) != CELLS:
        raise ValueError(crops.shape)
    for code in said:
        _check(code)


def _check(code: str) -> None:
    """Raise a `ScoringError` or ValueError unless a code is one of those of `Sample`."""
    if code in {UNNAMED, EMPTY}:
        return
    if len(code) == 2 and code[1] == "?":
        Color(code[0])
    else:
        Die.parse(code)


def window_sample(
    source: bytes | str | os.PathLike[str],
    board: Board | Sequence[str],
    corners: Corners | None = None,
    how: How = How.WINDOW,
) -> Sample:
    """Return the dice of a photo of a window.

    Parameters
    ----------
    source
        The photo, as for `vision.read_photo`.
    board
        All dice of the window, or 20 codes as of `Sample` where only some are known.
    corners
        The lattice's corners in board order, in pixels of the upright full-size photo; where none are given
        it is searched, and which way up it lies is told by the dice.
    how
        What the dice are learned from.

    Raises
    ------
    VisionError
        The photo cannot be read.
    ProfileError
        The board is not that of the photo (``board_does_not_fit``).
    """
    said = _codes_of(board)
    photo = in_good_light(load_photo(source, max_side=WINDOW_SIDE_PX))
    if corners is None:
        grid = find_grid(photo).grid
        samples = [_cut_out(photo, one, said, how) for one in (grid, grid.rotated_180())]
        sample = min(samples, key=lambda one: (_unlike(one), -max(map(one.likelihood, Pips))))
    else:
        there = photo.from_full_size(np.array(corners, dtype=np.float64))
        grid = grid_from_corners(photo, as_corners(there))
        ways = (grid, grid.rotated_180())
        grid = min(ways, key=lambda one: float(np.abs(one.corners_px - there).sum()))
        sample = _cut_out(photo, grid, said, how)
    if (unlike := _unlike(sample)) > MOST_UNLIKE:
        raise ProfileError(
            "board_does_not_fit",
            counted(
                "These are not the dice of the photo: {count} space is filled in only one of them.",
                "These are not the dice of the photo: {count} spaces are filled in only one of them.",
                unlike,
            ),
            sentence("Compare the dice with the photo, space by space, and correct them."),
        )
    return sample


def loose_sample(
    source: bytes | str | os.PathLike[str], named: Sequence[tuple[Point, Die | Color]]
) -> Sample:
    """Return loose dice of a photo, such as one of each color laid side by side.

    Parameters
    ----------
    source
        The photo, as for `vision.read_photo`.
    named
        Where each die lies, in pixels of the upright full-size photo, and what it is.

    Raises
    ------
    VisionError
        The photo cannot be read.
    ProfileError
        There is no die at a place, or more dice than can be learned from at once (``no_die_there``).
    """
    photo = in_good_light(load_photo(source, max_side=TABLE_SIDE_PX))
    levels = Levels(photo.image_bgr)
    spots = [*find_dice(levels, ()), *find_dice(Levels(_lightness_exchanged(photo.image_bgr)), ())]
    chosen: list[Spot] = []
    for number, (point, _) in enumerate(named, start=1):
        away = [float(np.linalg.norm(one.top - np.array(point) * photo.scale)) / one.edge for one in spots]
        if len(chosen) == CELLS or not spots or min(away) > NEAR:
            raise ProfileError(
                "no_die_there",
                sentence("No die can be made out at place {number}.", number=number),
                sentence("Lay the dice apart on a plain table, and take the photo from straight above."),
            )
        chosen.append(spots[int(np.argmin(away))])
    if not chosen:
        raise too_few_dice()
    crops = straight(levels, chosen)
    said = [f"{die}" if isinstance(die, Die) else f"{die.value}?" for _, die in named]
    said += [EMPTY] * (CELLS - len(said))
    return Sample(crops[np.resize(np.arange(len(crops)), CELLS)], tuple(said), How.LOOSE, _now())


def _lightness_exchanged(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a photo with light and dark exchanged, in which dice with dark pips are found."""
    # By the lightness of HLS they are found nearer to their places than by the luma, by which they are read.
    hls = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2HLS)
    hls[..., 1] = 255 - hls[..., 1]
    return np.asarray(cv2.cvtColor(hls, cv2.COLOR_HLS2BGR), dtype=np.uint8)


def too_few_dice() -> ProfileError:
    """Return the refusal to learn from next to nothing."""
    return ProfileError(
        "too_few_dice",
        sentence("Too few dice are named to learn from."),
        sentence(
            "Name at least {least} dice of at least {colors} colors.", least=LEAST_DICE, colors=LEAST_COLORS
        ),
    )


def _codes_of(board: Board | Sequence[str]) -> tuple[str, ...]:
    if isinstance(board, Board):
        return tuple(f"{die}" if die else EMPTY for row in board.rows for die in row)
    for code in board:
        _check(code)
    return tuple(board)


def _cut_out(photo: Photo, grid: Grid, said: tuple[str, ...], how: How) -> Sample:
    return Sample(seen_in(photo.image_bgr, grid).crops, said, how, _now())


def _unlike(sample: Sample) -> int:
    """Return of how many cells the photo and what was said differ in whether there is a die."""
    said = np.array(sample.said)
    filled = sample.seen.filled(max(Pips, key=sample.likelihood))
    return int(((said != UNNAMED) & (filled != (said != EMPTY))).sum())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Beside:
    """A die: its middle and its edge, in pixels of the upright full-size photo."""

    center: Point
    edge: float


def dice_beside(source: bytes | str | os.PathLike[str], most: int = CELLS) -> tuple[Beside, ...]:
    """Return the clearest dice in a photo, ``most`` of them at most, rows from the top, each from the left.

    Raises
    ------
    VisionError
        The photo cannot be read.
    """
    photo = in_good_light(load_photo(source, max_side=TABLE_SIDE_PX))
    found = find_dice(Levels(photo.image_bgr), ())[:most]
    return in_rows(
        [Beside(photo.place_in_full_size(one.top), round(one.edge / photo.scale, 1)) for one in found]
    )


def in_rows(dice: Sequence[Beside]) -> tuple[Beside, ...]:
    """Return dice in the order in which people read.

    >>> [one.center for one in in_rows([Beside((90, 12), 20), Beside((10, 20), 20), Beside((30, 60), 20)])]
    [(10, 20), (90, 12), (30, 60)]
    """
    rows: list[list[Beside]] = []
    for one in sorted(dice, key=lambda die: die.center[1]):
        if rows and one.center[1] - rows[-1][0].center[1] < ROW * one.edge:
            rows[-1].append(one)
        else:
            rows.append([one])
    return tuple(one for row in rows for one in sorted(row, key=lambda die: die.center[0]))
