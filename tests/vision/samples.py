"""Sample photos to paint on, and readings of them that doubt what a test wants doubted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring import Board
from scoring.board import cell_from_name
from tests.readings import reading_of
from vision import Reading, load_photo
from vision.geometry import CELL_CENTERS, DIE_EDGE, SQUARE, TOP_HEIGHT, Grid, apply_homography, as_corners
from vision.photo import Photo
from vision.reading import Corners

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
NO_DICE = " / ".join(["-- -- -- -- --"] * 4)
LABELS = json.loads((SAMPLES / "labels.json").read_text(encoding="utf-8"))
Image = NDArray[np.uint8]


def photo_of(name: str) -> Image:
    """Return a sample photo to paint on."""
    return load_photo(SAMPLES / name).image_bgr.copy()


def board_of(name: str) -> Board:
    """Return the dice that a sample photo shows."""
    return Board.parse(" / ".join(" ".join(row) for row in LABELS[name]["board"]))


def corners_of(name: str) -> Corners:
    """Return where the corners of a sample's window lie."""
    return as_corners(np.array(LABELS[name]["corners_tl_tr_br_bl"]))


def png(image: Image) -> bytes:
    """Return a picture as a file."""
    return cv2.imencode(".png", image)[1].tobytes()


def as_photo(image: Image) -> Photo:
    """Return a picture as a loaded photo."""
    return Photo(np.ascontiguousarray(image), (image.shape[1], image.shape[0]), 1.0)


def read_as(name: str, doubtful: str = "", covered: str = "") -> Reading:
    """Return a reading of a sample's window that doubts these cells, and sees nothing of those covered."""
    reading = reading_of(
        str(board_of(name)),
        corners=corners_of(name),
        doubtful=[*doubtful.split(), *covered.split()],
    )
    hidden = [cell_from_name(cell) for cell in covered.split()]
    cells = (replace(cell, covered=(cell.row, cell.column) in hidden) for cell in reading.cells)
    height, width = photo_of(name).shape[:2]
    return replace(reading, size=(width, height), cells=tuple(cells))


def blind(
    photo: Image, name: str, cells: str, size: float = 0.9, at: tuple[float, float] = (0.0, 0.0)
) -> Image:
    """Return a sample with white over the tops of these dice, and a glow around them, as a lamp makes it.

    ``size`` is that of the white, and ``at`` where its middle lies from that of the top, in widths of a die.
    """
    grid = Grid.from_corners(corners_of(name), (photo.shape[1], photo.shape[0]))
    light = np.zeros(photo.shape[:2], np.float32)
    for row, column in map(cell_from_name, cells.split()):
        top = CELL_CENTERS[5 * row + column] + DIE_EDGE * (size * SQUARE + at)
        cv2.fillPoly(light, [apply_homography(grid.plane(TOP_HEIGHT), top).astype(int)], 1.0)
    glow = np.maximum(light, cv2.GaussianBlur(light, (0, 0), size / 6 * grid.pitch_px))[..., None]
    return np.asarray(photo + glow * (255.0 - photo), dtype=np.uint8)


def tiles(side: int) -> Image:
    """Return a square picture of sharp gray tiles, from black to white."""
    gray = np.random.default_rng(1).integers(0, 256, (side // 10, side // 10), np.uint8)
    return cv2.cvtColor(gray.repeat(10, axis=0).repeat(10, axis=1), cv2.COLOR_GRAY2BGR).astype(np.uint8)
