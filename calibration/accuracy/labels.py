"""What the photos of a folder show: ``labels.json``, read and checked.

One object for each photo. ``board`` is what must be there (four rows of five cells in board notation,
``"??"`` for a die nobody can read); ``window`` names the pattern card, ``cells`` what is printed on it (four
rows of pattern notation, ``?`` where nobody can see it) and ``corners_tl_tr_br_bl`` gives the lattice in
pixels of the upright photo, whole, in part (``null`` for a corner nobody can see) or not at all. A photo of
several windows has a list ``boards`` of such objects. ``kind`` says what is to be done with the photo:
``cut`` and ``none`` must be refused, of a ``table`` every window is to be read, of every other kind one.
``refusal`` names the code with which a photo must be refused, where it does not follow from the kind.
``wide_enough_px`` is the width from which on its windows are owed, where it is another than `WIDE_ENOUGH_PX`.
``covered`` lists what lies hidden under a finger or a sleeve, ``[row, column, code]`` each. All other keys
are carried along.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import cast

from calibration.accuracy.origins import CARD_KINDS, TABLE, group_in, origin_in
from calibration.errors import CalibrationError
from scoring import WINDOW_PATTERNS, Die
from scoring.board import EMPTY_SIGN
from scoring.cells import COLUMNS, ROWS, cell_name
from scoring.errors import ScoringError
from scoring.sentences import ROW_LETTERS
from vision.recognition.dice import PRINTS

Point = tuple[float, float]
Size = tuple[int, int]
LabelCorners = tuple[Point | None, Point | None, Point | None, Point | None]

UNREADABLE = "??"
UNSEEN_PRINT = "?"
SIGNS = frozenset(PRINTS + UNSEEN_PRINT)
REFUSAL_OF_KIND = {"cut": "board_cut_off", "none": "board_not_found"} | dict.fromkeys(
    CARD_KINDS, "board_not_found"
)
"""The kinds of photos that must be refused, with the reason that is the right one."""


WIDE_ENOUGH_PX = 200
"""How wide the lattice of a window must be in pixels for a reader to owe it, where a label says nothing."""

NO_CORNERS: LabelCorners = (None, None, None, None)


@dataclass(frozen=True)
class CellLabel:
    """What one cell truly holds: a die, nothing (``die`` is None), or something nobody can read.

    ``print`` is what is printed there, one character of pattern notation, None where nobody knows it.
    ``hidden`` says that something covers all of it: nobody can read it, and yet the label knows its content.
    """

    row: int
    column: int
    die: Die | None
    readable: bool = True
    print: str | None = None
    hidden: bool = False


@dataclass(frozen=True)
class WindowLabel:
    """One window in a photo: its 20 cells row by row, its corners in pixels, its pattern card.

    ``name`` is what the label calls the card, or else the game's card that is printed like the cells.
    ``corners_off_px`` is how far the labelled corners may be off.
    """

    cells: tuple[CellLabel, ...]
    corners: LabelCorners = NO_CORNERS
    name: str | None = None
    corners_off_px: float = 0.0

    @property
    def readable_cells(self) -> tuple[CellLabel, ...]:
        """The cells that count: those whose content somebody can tell."""
        return tuple(cell for cell in self.cells if cell.readable)

    @property
    def hidden_cells(self) -> tuple[CellLabel, ...]:
        """The cells that something covers whole."""
        return tuple(cell for cell in self.cells if cell.hidden)

    @property
    def has_dice(self) -> bool:
        """Whether there is a die in it, readable or not."""
        return any(cell.die is not None or not (cell.readable or cell.hidden) for cell in self.cells)

    @property
    def card_is_known(self) -> bool:
        """Whether it is one of the game's pattern cards."""
        return self.name in WINDOW_PATTERNS

    @property
    def pitch_px(self) -> float:
        """How far apart its cells are in the photo, inf when unknown."""
        return self.width_px / COLUMNS

    @property
    def width_px(self) -> float:
        """How wide the lattice is in the photo, the mean of its upper and lower side; inf when unknown."""
        top_left, top_right, bottom_right, bottom_left = self.corners
        sides = [(top_left, top_right), (bottom_left, bottom_right)]
        widths = [math.dist(a, b) for a, b in sides if a is not None and b is not None]
        return sum(widths) / len(widths) if widths else math.inf

    def whole_in(self, size: Size | None) -> bool:
        """Whether the whole lattice is in a photo of ``size`` (width, height; None when nobody knows it).

        All four corners must lie inside. Where no corner is labelled, a window counts as whole when somebody
        could read all its cells.
        """
        if not any(self.corners):
            return len(self.readable_cells) == len(self.cells)
        slack = self.corners_off_px
        right, bottom = size or (math.inf, math.inf)
        return all(
            point is not None and -slack <= point[0] <= right + slack and -slack <= point[1] <= bottom + slack
            for point in self.corners
        )


@dataclass(frozen=True)
class PhotoLabel:
    """One photo: what windows it shows, whether it must be refused, and all that its label says.

    ``refusal`` is the code of the right reason when the photo must be refused, else None.
    """

    name: str
    windows: tuple[WindowLabel, ...]
    refusal: str | None = None
    keys: Mapping[str, object] = field(default_factory=dict)

    @property
    def must_be_refused(self) -> bool:
        """Whether there is no window in it that could be read."""
        return self.refusal is not None

    @property
    def origin(self) -> str:
        """Where the photo comes from, one of `ORIGINS`."""
        return origin_in(self.keys)

    @property
    def group(self) -> str:
        """Which of `GROUPS` it belongs to."""
        return group_in(self.keys)

    @property
    def wide_enough_px(self) -> float:
        """How wide the lattice of a window must be in it, in pixels, for a reader to owe it."""
        least = self.keys.get("wide_enough_px")
        return least if isinstance(least, int | float) else WIDE_ENOUGH_PX

    @property
    def size(self) -> Size | None:
        """Width and height in pixels where the label has them."""
        width, height = self.keys.get("width"), self.keys.get("height")
        return (width, height) if isinstance(width, int) and isinstance(height, int) else None


def labelled_folders(folder: Path) -> tuple[Path, ...]:
    """Return ``folder`` when it has a ``labels.json``, else all its folders that have one, by name.

    Raises
    ------
    CalibrationError
        Neither it nor a folder in it has one.
    """
    if (folder / "labels.json").is_file():
        return (folder,)
    found = tuple(path.parent for path in sorted(folder.glob("*/labels.json")))
    if not found:
        message = f"There is no labels.json in {folder} or in a folder in it."
        raise CalibrationError("labels_missing", message, "Name a folder of photos that has one.")
    return found


def load_labels(folder: Path) -> tuple[PhotoLabel, ...]:
    """Read ``labels.json`` of ``folder``, in the order written.

    Raises
    ------
    CalibrationError
        There is no such file, it is no JSON, a label is wrong, or a labelled photo is not there.
    """
    path = folder / "labels.json"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        message = f"There is no readable labels.json in {folder}."
        raise CalibrationError("labels_missing", message, "Name a folder of photos that has one.") from error
    try:
        entries = json.loads(text)
    except ValueError as error:
        message = f"{path} is not JSON: {error}."
        raise CalibrationError("labels_not_json", message, "Mend it there.") from error
    if not isinstance(entries, dict):
        raise _bad(str(path), "must be one object with a label for each photo")
    labels = tuple(parse_label(name, entry) for name, entry in _by_name(entries, path).items())
    for label in labels:
        if not (folder / label.name).is_file():
            message = f"labels.json speaks of {label.name}, which is not in {folder}."
            raise CalibrationError("photo_missing", message, "Put the photo there or take out its label.")
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
    CalibrationError
        The entry has no board where one is needed, or a board, a die or a corner is malformed.
    """
    if not isinstance(entry, dict):
        raise _bad(name, 'must be an object with at least "board"')
    # Boxes around loose dice and no board: there is no window in that photo.
    loose_dice = "dice" in entry and "board" not in entry and "boards" not in entry
    refusal = entry.get("refusal", REFUSAL_OF_KIND.get(str(entry.get("kind"))))
    if refusal is None and loose_dice:
        refusal = REFUSAL_OF_KIND["none"]
    if not isinstance(refusal, str | None):
        raise _bad(name, '"refusal" must be the code of a reason')
    several = entry.get("boards")
    if several is not None:
        if not isinstance(several, list) or not several:
            raise _bad(name, '"boards" must be a list of at least one window')
        windows = tuple(_parse_window(name, window) for window in several)
    elif "board" in entry:
        windows = (_parse_window(name, entry),)
    elif refusal is not None or (entry.get("kind") == TABLE and ("pool" in entry or "track" in entry)):
        windows = ()
    else:
        raise _bad(name, 'needs a "board" (or "boards" for several windows)')
    return PhotoLabel(name=name, windows=windows, refusal=refusal, keys=entry)


def _parse_window(photo: str, entry: object) -> WindowLabel:
    if not isinstance(entry, dict) or "board" not in entry:
        raise _bad(photo, 'each window needs a "board"')
    name = entry.get("window")
    prints = _parse_prints(photo, entry.get("cells"))
    if not isinstance(name, str):
        name = _names_by_print().get(prints)
    elif name in WINDOW_PATTERNS:
        name = WINDOW_PATTERNS[name].name  # as the English card has it
    off = entry.get("corner_accuracy_px")
    return WindowLabel(
        cells=_with_hidden(photo, _parse_board(photo, entry["board"], prints), entry.get("covered", [])),
        corners=_parse_corners(photo, entry.get("corners_tl_tr_br_bl")),
        name=name,
        corners_off_px=float(off) if isinstance(off, int | float) else 0.0,
    )


@cache
def _names_by_print() -> Mapping[str, str]:
    """Return the names of the game's cards by their 20 printed spaces, row by row."""
    return {str(pattern).replace(" / ", ""): name for name, pattern in WINDOW_PATTERNS.items()}


def _parse_prints(photo: str, rows: object) -> str:
    """Return the 20 printed spaces row by row, all unseen when the label has none."""
    if rows is None:
        return UNSEEN_PRINT * (ROWS * COLUMNS)
    texts = [row for row in rows if isinstance(row, str)] if isinstance(rows, list) else []
    if [len(text) for text in texts] != [COLUMNS] * ROWS:
        raise _bad(photo, f'"cells" must be {ROWS} rows of {COLUMNS} signs')
    prints = "".join(texts)
    if not SIGNS.issuperset(prints):
        raise _bad(photo, f'"cells" may hold only {" ".join(sorted(SIGNS))}')
    return prints


def _parse_board(photo: str, rows: object, prints: str) -> tuple[CellLabel, ...]:
    if not isinstance(rows, list) or len(rows) != ROWS:
        raise _bad(photo, f'"board" must have {ROWS} rows')
    cells: list[CellLabel] = []
    for row, texts in enumerate(rows):
        if not isinstance(texts, list) or len(texts) != COLUMNS:
            raise _bad(photo, f'row {ROW_LETTERS[row]} of "board" must have {COLUMNS} cells')
        for column, text in enumerate(texts):
            sign = prints[COLUMNS * row + column]
            seen = None if sign == UNSEEN_PRINT else sign
            if text in (EMPTY_SIGN, UNREADABLE):
                cells.append(CellLabel(row, column, None, readable=text == EMPTY_SIGN, print=seen))
                continue
            try:
                cells.append(CellLabel(row, column, Die.parse(str(text)), print=seen))
            except ScoringError as error:
                raise _bad(photo, f"{cell_name((row, column))}: {error.message}") from error
    return tuple(cells)


def _with_hidden(photo: str, cells: tuple[CellLabel, ...], covered: object) -> tuple[CellLabel, ...]:
    """Return the cells with what lies hidden in some of them."""
    changed = {(cell.row, cell.column): cell for cell in cells}
    try:
        for row, column, code in cast("list[tuple[int, int, str]]", covered):
            die = None if code == EMPTY_SIGN else Die.parse(code)
            changed[row, column] = replace(changed[row, column], die=die, readable=False, hidden=True)
    except (KeyError, TypeError, ValueError, ScoringError) as error:
        raise _bad(photo, '"covered" must be a list of [row, column, die]') from error
    return tuple(changed.values())


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


def _bad(where: str, what: str) -> CalibrationError:
    return CalibrationError("bad_label", f"{where}: {what}.", "Mend labels.json and try again.")
