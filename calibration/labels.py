"""What the photos of a folder show: ``labels.json``, read and checked.

One object for each photo. ``board`` is what must be there (four rows of five cells in board notation,
``"??"`` for a die nobody can read); ``window`` names the pattern card and ``corners_tl_tr_br_bl`` gives the
lattice in pixels of the upright photo, whole, in part (``null`` for a corner nobody can see) or not at all.
A photo of several windows has a list ``boards`` of such objects. ``kind`` tells what is to be done with the
photo: ``cut`` and ``none`` must be refused, every other kind must be read. All other keys are carried along.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from calibration.errors import LabelsError
from scoring import Die
from scoring.board import EMPTY_SIGN
from scoring.cells import COLUMNS, ROW_LETTERS, ROWS, cell_name
from scoring.errors import ScoringError

Point = tuple[float, float]
LabelCorners = tuple[Point | None, Point | None, Point | None, Point | None]

UNREADABLE = "??"
KINDS_TO_REFUSE = frozenset({"cut", "none"})
NO_CORNERS: LabelCorners = (None, None, None, None)


@dataclass(frozen=True)
class CellLabel:
    """What one cell truly holds: a die, nothing (``die`` is None), or something nobody can read."""

    row: int
    column: int
    die: Die | None
    readable: bool = True


@dataclass(frozen=True)
class WindowLabel:
    """One window in a photo: its 20 cells row by row, its corners in pixels, its pattern card."""

    cells: tuple[CellLabel, ...]
    corners: LabelCorners = NO_CORNERS
    name: str | None = None

    @property
    def readable_cells(self) -> tuple[CellLabel, ...]:
        """The cells that count: those whose content somebody can tell."""
        return tuple(cell for cell in self.cells if cell.readable)


@dataclass(frozen=True)
class PhotoLabel:
    """One photo: what windows it shows, whether it must be refused, and all that its label says."""

    name: str
    windows: tuple[WindowLabel, ...]
    must_be_refused: bool
    keys: Mapping[str, object] = field(default_factory=dict)


def load_labels(folder: Path) -> tuple[PhotoLabel, ...]:
    """Read ``labels.json`` of ``folder``, in the order written.

    Raises
    ------
    LabelsError
        There is no such file, it is no JSON, a label is wrong, or a labelled photo is not there.
    """
    path = folder / "labels.json"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        message = f"There is no readable labels.json in {folder}."
        raise LabelsError("labels_missing", message, "Name a folder of photos that has one.") from error
    try:
        entries = json.loads(text)
    except ValueError as error:
        raise LabelsError("labels_not_json", f"{path} is not JSON: {error}.", "Mend it there.") from error
    if not isinstance(entries, dict):
        raise _bad(str(path), "must be one object with a label for each photo")
    labels = tuple(parse_label(name, entry) for name, entry in _by_name(entries, path).items())
    for label in labels:
        if not (folder / label.name).is_file():
            message = f"labels.json speaks of {label.name}, which is not in {folder}."
            raise LabelsError("photo_missing", message, "Put the photo there or take out its label.")
    return labels


def _by_name(entries: dict[str, object], path: Path) -> dict[str, object]:
    """Return the labels by photo; data sets of loose dice hold them as a list under ``files``."""
    files = entries.get("files")
    if not isinstance(files, list):
        return entries
    if not all(isinstance(entry, dict) and isinstance(entry.get("file"), str) for entry in files):
        raise _bad(str(path), 'needs a "file" in each of its "files"')
    return {entry["file"]: entry for entry in files}


def parse_label(name: str, entry: object) -> PhotoLabel:
    """Return the label of the photo ``name`` from its plain JSON ``entry``.

    Raises
    ------
    LabelsError
        The entry has no board where one is needed, or a board, a die or a corner is malformed.
    """
    if not isinstance(entry, dict):
        raise _bad(name, 'must be an object with at least "board"')
    # Boxes around loose dice and no board: there is no window in that photo.
    loose_dice = "dice" in entry and "board" not in entry and "boards" not in entry
    must_be_refused = loose_dice or entry.get("kind") in KINDS_TO_REFUSE
    several = entry.get("boards")
    if several is not None:
        if not isinstance(several, list) or not several:
            raise _bad(name, '"boards" must be a list of at least one window')
        windows = tuple(_parse_window(name, window) for window in several)
    elif "board" in entry:
        windows = (_parse_window(name, entry),)
    elif must_be_refused:
        windows = ()
    else:
        raise _bad(name, 'needs a "board" (or "boards" for several windows)')
    return PhotoLabel(name=name, windows=windows, must_be_refused=must_be_refused, keys=entry)


def _parse_window(photo: str, entry: object) -> WindowLabel:
    if not isinstance(entry, dict) or "board" not in entry:
        raise _bad(photo, 'each window needs a "board"')
    window_name = entry.get("window")
    return WindowLabel(
        cells=_parse_board(photo, entry["board"]),
        corners=_parse_corners(photo, entry.get("corners_tl_tr_br_bl")),
        name=window_name if isinstance(window_name, str) else None,
    )


def _parse_board(photo: str, rows: object) -> tuple[CellLabel, ...]:
    if not isinstance(rows, list) or len(rows) != ROWS:
        raise _bad(photo, f'"board" must have {ROWS} rows')
    cells: list[CellLabel] = []
    for row, texts in enumerate(rows):
        if not isinstance(texts, list) or len(texts) != COLUMNS:
            raise _bad(photo, f'row {ROW_LETTERS[row]} of "board" must have {COLUMNS} cells')
        for column, text in enumerate(texts):
            if text in (EMPTY_SIGN, UNREADABLE):
                cells.append(CellLabel(row, column, None, readable=text == EMPTY_SIGN))
                continue
            try:
                cells.append(CellLabel(row, column, Die.parse(str(text))))
            except ScoringError as error:
                raise _bad(photo, f"{cell_name((row, column))}: {error.message}") from error
    return tuple(cells)


def _parse_corners(photo: str, corners: object) -> LabelCorners:
    if corners is None:
        return NO_CORNERS
    if not isinstance(corners, list) or len(corners) != 4:
        raise _bad(photo, '"corners_tl_tr_br_bl" must have four corners')
    points: list[Point | None] = []
    for corner in corners:
        if corner is None:
            points.append(None)
        elif (
            isinstance(corner, list) and len(corner) == 2 and all(isinstance(n, int | float) for n in corner)
        ):
            points.append((float(corner[0]), float(corner[1])))
        else:
            raise _bad(photo, "a corner must be [x, y] in pixels, or null")
    return cast("LabelCorners", tuple(points))


def _bad(where: str, what: str) -> LabelsError:
    return LabelsError("bad_label", f"{where}: {what}.", "Mend labels.json and try again.")
