"""What the photos of a folder show: ``labels.json``, read and checked.

One object for each photo. ``board`` is what must be there (four rows of five cells in board notation,
``"??"`` for a die nobody can read); ``window`` names the pattern card, ``cells`` what is printed on it (four
rows of pattern notation, ``?`` where nobody can see it) and ``corners_tl_tr_br_bl`` gives the lattice in
pixels of the upright photo, whole, in part (``null`` for a corner nobody can see) or not at all. A photo of
several windows has a list ``boards`` of such objects. ``covered`` lists what lies hidden under a finger or a
sleeve, ``[row, column, die]`` each.

``kind`` says what is to be done with the photo: ``cut`` and ``none`` must be refused, of a ``table`` every
window is to be read, of every other kind one. ``refusal`` names the code with which a photo must be refused,
where it does not follow from the kind. ``wide_enough_px`` is the width from which on its windows are owed,
where it is another than `WIDE_ENOUGH_PX`.

Loose dice are listed as ``pool``, ``track`` or ``round_track`` (with ``round``) and ``loose``: each has its
``die`` (``"Y?"`` where nobody can tell its value), the ``center`` or ``top`` of its top face or else a
``box`` around it, perhaps its ``edge`` in pixels, and ``owed`` false where nobody could ask for it. Data sets
of dice have ``dice`` with ``bbox``, ``value`` and ``color``. ``cards`` lists the objective cards that lie
there; a scan of one card has its ``kind`` and ``name``. All other keys are carried along.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from calibration.errors import CalibrationError
from scoring import WINDOW_PATTERNS, Color, Die
from scoring.board import COLUMNS, EMPTY_SIGN, ROWS
from scoring.errors import ScoringError
from vision.geometry import DIE_EDGE
from vision.recognition.dice import PRINTS

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Size = tuple[int, int]
LabelCorners = tuple[Point | None, Point | None, Point | None, Point | None]

UNREADABLE = "??"
UNSEEN_PRINT = "?"
WIDE_ENOUGH_PX = 200
"""How wide the lattice of a window must be in pixels for a reader to owe it, where a label says nothing."""

NO_CORNERS: LabelCorners = (None, None, None, None)

ORIGINS = ("rendered", "real", "synthetic")
TABLES, LOW_ANGLES, COVERED, CARDS, LOOSE = "tables", "low angles", "covered", "cards", "loose dice"
LAMPS = "hard lamps"
GROUPS = ("", TABLES, LOW_ANGLES, LAMPS, COVERED, CARDS, LOOSE)
"""Photos counted apart from the others of their origin, since more or something else is asked of them."""

SECTIONS = tuple(f"{origin} {group}".strip() for group in GROUPS for origin in ORIGINS)
"""All that photos are told apart by, in the order in which it is shown; figures of two are never pooled."""

TABLE = "table"
"""The kind of photos whose windows are all to be read."""

CARD = "public_objective"
CARD_KINDS = (CARD, "private_objective", "tool")
"""The kinds of photos of a single card: public objectives are to be recognized, others not taken for one."""

HARD_LIGHTS = ("tubes", "warm bulb", "sun")
"""Lights that glossy dice mirror as small bright spots."""

LOOSE_KINDS = ("loose_dice", "round_track")
OWN_DICE = "sagrada_loose"
"""The kind of photos in data sets of dice that show the game's own."""

REFUSAL_OF_KIND = {"cut": "board_cut_off"} | dict.fromkeys(
    ("none", *CARD_KINDS, *LOOSE_KINDS), "board_not_found"
)
"""The kinds of photos that must be refused, with the reason that is the right one."""

GROUP_OF_KIND = {TABLE: TABLES} | dict.fromkeys(CARD_KINDS, CARDS) | dict.fromkeys(LOOSE_KINDS, LOOSE)

LOW_ANGLE_DEG = 35  # tilted so far, a window is a low angle's; of the other photos the steepest has 30


class Pose(NamedTuple):
    """How dice of one kind lie in their boxes, judged by eye.

    A box is ``loose`` times as wide as the die's edge. Seen from the side the middle of the top face lies
    ``down`` edges below the box's upper side; seen from above (None) it is in the middle of the box.
    """

    loose: float
    down: float | None = None

    def top(self, box: Box) -> tuple[float, Point]:
        """Return a die's edge and the middle of its top face, in pixels."""
        x0, y0, x1, y1 = box
        if self.down is None:
            return max(x1 - x0, y1 - y0) / self.loose, ((x0 + x1) / 2, (y0 + y1) / 2)
        edge = (x1 - x0) / self.loose
        return edge, ((x0 + x1) / 2, y0 + self.down * edge)


FROM_A_CHAIR = Pose(1.12, 0.36)
POSES = {
    OWN_DICE: FROM_A_CHAIR,
    "fudw_blue_d6": Pose(1.1),
    "byler_d6": Pose(1.2),
    "roboflow_mixed_d6": Pose(1.2),
}


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
class DieLabel:
    """A loose die: what it shows, None where nobody knows, and its top's middle and edge in pixels."""

    color: Color | None
    value: int | None
    center: Point
    edge: float
    place: str | None = None
    round: int | None = None
    owed: bool = True


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
    def middle(self) -> Point | None:
        """The mean of the labelled corners in pixels, None where there is none."""
        known = [corner for corner in self.corners if corner is not None]
        if not known:
            return None
        return sum(x for x, _ in known) / len(known), sum(y for _, y in known) / len(known)

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
    """One photo: its windows and loose dice, whether it must be refused, and all that its label says.

    ``refusal`` is the code of the right reason when the photo must be refused, else None. ``cards`` are the
    names of the objective cards that lie there, None where nobody wrote them down.
    """

    name: str
    windows: tuple[WindowLabel, ...]
    refusal: str | None = None
    dice: tuple[DieLabel, ...] = ()
    cards: frozenset[str] | None = None
    keys: Mapping[str, object] = field(default_factory=dict)

    @property
    def kind(self) -> object:
        """What the label calls the kind of the photo."""
        return self.keys.get("kind")

    @property
    def must_be_refused(self) -> bool:
        """Whether there is no window in it that could be read."""
        return self.refusal is not None

    @property
    def origin(self) -> str:
        """Where the photo comes from, one of `ORIGINS`: rendered where the label has a seed, else real."""
        origin = self.keys.get("origin")
        if origin in ORIGINS:
            return str(origin)
        return "rendered" if "seed" in self.keys else "real"

    @property
    def section(self) -> str:
        """Which of `SECTIONS` it belongs to."""
        tilt = self.keys.get("tilt")
        low = LOW_ANGLES if isinstance(tilt, int | float) and tilt >= LOW_ANGLE_DEG else ""
        light = LAMPS if self.keys.get("light") in HARD_LIGHTS else low
        other = COVERED if "covered" in self.keys else light
        return f"{self.origin} {GROUP_OF_KIND.get(str(self.kind), other)}".strip()

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

    Data sets of loose dice hold their labels as a list under ``files``, each with its ``file``.

    Raises
    ------
    CalibrationError
        There is no such file, it is no JSON, a label is wrong, or a labelled photo is not there.
    """
    path = folder / "labels.json"
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"There is no readable labels.json in {folder}."
        raise CalibrationError("labels_missing", message, "Name a folder of photos that has one.") from error
    except ValueError as error:
        message = f"{path} is not JSON: {error}."
        raise CalibrationError("labels_not_json", message, "Correct the file.") from error
    if not isinstance(entries, dict):
        raise _bad(str(path), "must be one object with a label for each photo")
    if isinstance(files := entries.get("files"), list):
        if not all(isinstance(entry, dict) and isinstance(entry.get("file"), str) for entry in files):
            raise _bad(str(path), 'needs a "file" in each of its "files"')
        entries = {entry["file"]: entry for entry in files}
    labels = tuple(parse_label(name, entry) for name, entry in entries.items())
    for label in labels:
        if not (folder / label.name).is_file():
            message = f"labels.json names {label.name}, which is not in {folder}."
            raise CalibrationError("photo_missing", message, "Put the photo there or remove its label.")
    return labels


def _die(code: object) -> object:
    """Return the die of a code, None of an empty space, `UNREADABLE` as it is; what is none is no value."""
    if code in (None, EMPTY_SIGN):
        return None
    try:
        return code if code == UNREADABLE else Die.parse(str(code))
    except ScoringError as error:
        raise ValueError(error.message) from error


def _shown(code: object) -> object:
    """Return color and value of a loose die's code; of ``"Y?"`` nobody can tell the value."""
    try:
        if isinstance(code, str) and code.endswith("?"):
            return Color.from_name(code[:-1]), None
        die = Die.parse(str(code))
    except ScoringError as error:
        raise ValueError(error.message) from error
    return die.color, die.value


Content = Annotated[Any, BeforeValidator(_die)]
Row = Annotated[list[Content], Field(min_length=COLUMNS, max_length=COLUMNS)]
Prints = Annotated[str, Field(pattern=f"^[{PRINTS}{UNSEEN_PRINT}]{{{COLUMNS}}}$")]
Four = Field(default=None, min_length=ROWS, max_length=ROWS)


class _Window(BaseModel):
    board: Annotated[list[Row], Field(min_length=ROWS, max_length=ROWS)]
    window: str | None = None
    cells: Annotated[list[Prints] | None, Four]
    corners_tl_tr_br_bl: LabelCorners | None = None
    corner_accuracy_px: float | None = None
    covered: list[
        tuple[Annotated[int, Field(ge=0, lt=ROWS)], Annotated[int, Field(ge=0, lt=COLUMNS)], Content]
    ] = []

    def label(self) -> WindowLabel:
        prints = "".join(self.cells or UNSEEN_PRINT * (ROWS * COLUMNS))
        hidden = {(row, column): die for row, column, die in self.covered}
        cells = []
        for row, contents in enumerate(self.board):
            for column, die in enumerate(contents):
                is_hidden, sign = (row, column) in hidden, prints[COLUMNS * row + column]
                readable = not is_hidden and die != UNREADABLE
                known = hidden[row, column] if is_hidden else die if readable else None
                printed = None if sign == UNSEEN_PRINT else sign
                cells.append(CellLabel(row, column, known, readable, printed, is_hidden))
        name = _names_by_print().get(prints) if self.window is None else self.window
        return WindowLabel(
            cells=tuple(cells),
            corners=self.corners_tl_tr_br_bl or NO_CORNERS,
            name=WINDOW_PATTERNS[name].name if name and name in WINDOW_PATTERNS else name,  # as in English
            corners_off_px=self.corner_accuracy_px or 0.0,
        )


class _Loose(BaseModel):
    die: Annotated[tuple[Color, int | None], BeforeValidator(_shown)]
    center: Point | None = None
    top: Point | None = None
    box: Box | None = None
    edge: float | None = None
    round: int | None = None
    owed: bool = True

    def label(self, place: str | None, windows: Iterable[WindowLabel]) -> DieLabel:
        middle, edge = self.center or self.top, self.edge
        if self.box:
            edge, boxed = FROM_A_CHAIR.top(self.box)
            middle = middle or boxed
        if middle is None:
            raise ValueError('needs its "center", "top" or "box"')
        edge = edge or _edge_at(windows, middle)
        return DieLabel(*self.die, middle, edge, place, self.round, self.owed)


class _Boxed(BaseModel):
    bbox: Box
    value: Annotated[int, Field(ge=1, le=6)] | None = None
    color: Color | None = None

    def label(self, kind: object) -> DieLabel:
        edge, center = POSES.get(str(kind), FROM_A_CHAIR).top(self.bbox)
        return DieLabel(self.color, self.value, center, edge)


class _Photo(BaseModel):
    kind: str | None = None
    refusal: str | None = None
    name: str | None = None
    boards: list[_Window] | None = None
    pool: list[_Loose] = []
    track: list[_Loose] = []
    round_track: list[_Loose] = []
    loose: list[_Loose] = []
    dice: list[_Boxed] | None = None
    cards: list[str] | None = None

    def loose_dice(self, windows: tuple[WindowLabel, ...]) -> Iterator[DieLabel]:
        tracked = [*self.track, *self.round_track]
        for place, some in (("pool", self.pool), ("track", tracked), (None, self.loose)):
            yield from (die.label(place, windows) for die in some)
        yield from (die.label(self.kind) for die in self.dice or ())


def parse_label(name: str, entry: object) -> PhotoLabel:
    """Return the label of the photo ``name`` from its plain JSON ``entry``.

    Raises
    ------
    CalibrationError
        The entry has no board where one is needed, or a board, a die or a corner is malformed.
    """
    if not isinstance(entry, dict):
        raise _bad(name, 'must be an object with at least "board"')
    try:
        photo = _Photo.model_validate(entry)
        boards = photo.boards or ([_Window.model_validate(entry)] if "board" in entry else [])
        windows = tuple(board.label() for board in boards)
        dice = tuple(photo.loose_dice(windows))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _bad(name, f"{'.'.join(map(str, first['loc']))}: {first['msg'].rstrip('.')}") from error
    except ValueError as error:
        raise _bad(name, f"a loose die {error}") from error
    refusal = photo.refusal or REFUSAL_OF_KIND.get(str(photo.kind))
    if refusal is None and photo.dice is not None and not windows:  # a data set of loose dice
        refusal = REFUSAL_OF_KIND["none"]
    if not windows and refusal is None and not (photo.kind == TABLE and {"pool", "track"} & set(entry)):
        raise _bad(name, 'needs a "board" (or "boards" for several windows)')
    cards = None if photo.cards is None else frozenset(photo.cards)
    if photo.kind in CARD_KINDS:
        cards = frozenset({str(photo.name)} if photo.kind == CARD else ())
    return PhotoLabel(name, windows, refusal, dice, cards, entry)


@cache
def _names_by_print() -> Mapping[str, str]:
    """Return the names of the game's cards by their 20 printed spaces, row by row."""
    return {str(pattern).replace(" / ", ""): name for name, pattern in WINDOW_PATTERNS.items()}


def _edge_at(windows: Iterable[WindowLabel], center: Point) -> float:
    """Return the edge of a die in pixels, by the nearest window."""
    near = [
        (math.dist(window.middle, center), window.width_px)
        for window in windows
        if window.middle is not None and None not in window.corners
    ]
    if not near:
        raise ValueError('needs its "edge", as no window tells how large it is')
    return DIE_EDGE * min(near)[1] / COLUMNS


def _bad(where: str, what: str) -> CalibrationError:
    return CalibrationError("bad_label", f"{where}: {what}.", "Correct labels.json and try again.")
