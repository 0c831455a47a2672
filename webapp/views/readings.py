"""A window with its cells, score, problems and choices, as a page and as JSON; the start page leads there."""

from __future__ import annotations

import cmath
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import cv2
import numpy as np
from flask import Response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from pydantic import Field

from scoring import COLUMNS, ROWS, Board, Cell, KnownPatterns, WindowPattern
from scoring.board import cell_name
from scoring.errors import SagradaError
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, SQUARE
from vision.reading import Corners, Point
from webapp.domain import payloads
from webapp.domain import record as changes
from webapp.domain.errors import CompanionError, InputError, UnreadPhotoError
from webapp.domain.games.cards import check_private, missing_objectives
from webapp.domain.games.game import Game, Seat, Stage
from webapp.domain.games.result import case_of
from webapp.domain.judging import (
    NOT_ALL_COUNTED,
    SURE_OF_THE_WAY_UP,
    Case,
    Judgement,
    tokens_seen,
    unlike_dice,
)
from webapp.domain.placement import Question
from webapp.domain.record import (
    MOST_FAVOR,
    MOST_PUBLIC,
    BoardChange,
    Choices,
    ChoicesChange,
    Record,
    spaces_of,
)
from webapp.domain.table_photo import Purpose, TablePhoto
from webapp.http import session
from webapp.http.faces import (
    LEFT_OUT,
    Drawn,
    ErrorView,
    Nothing,
    Pages,
    Sent,
    View,
    as_json,
    body,
    done,
    gone,
    sent_id,
    shown,
    uploaded,
)
from webapp.http.preferences import cell_label, die_words, gettext, ngettext, wants_json, words
from webapp.services import access, administration, context, photos, table_photos
from webapp.services import dice as teaching
from webapp.services.access import judged
from webapp.storage.files import SHOWN
from webapp.views import dice, frame


def cell_outlines(corners: Corners, inset: float = 0.08) -> list[list[Point]]:
    """Return the four outline points of each of the 20 cells, row by row, drawn in by ``inset``."""
    ends = np.array(corners, dtype=np.float32)
    homography = cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), ends)
    quads = cv2.perspectiveTransform(CELL_CENTERS[:, None] + SQUARE, homography)
    middles = quads.mean(axis=1, keepdims=True)
    outlines: list[list[Point]] = (middles + (quads - middles) * (1 - 2 * inset)).tolist()
    return outlines


@dataclass(frozen=True)
class Framing:
    """How much of a photo is shown, and which way up.

    ``angle`` is a multiple of 90 degrees, clockwise; ``turn`` the SVG transform that does it about
    the middle of the photo; ``crop`` the part to show after that, as an SVG view box.
    """

    angle: int
    turn: str
    crop: str


def view(size: tuple[int, int], corners: Sequence[Sequence[float]] | None, margin: float = 0.75) -> Framing:
    """Return the view of a window, upright, with ``margin`` cells around it; of all without ``corners``."""
    width, height = size
    if corners is None:
        return Framing(0, "", f"0 0 {width} {height}")
    a, b, c, d = (complex(x, y) for x, y in corners)
    # The direction in which the rows run, at the top and at the bottom edge together.
    angle = -90 * round(math.degrees(cmath.phase(b - a + c - d)) / 90) % 360
    cx, cy = width / 2, height / 2
    middle = complex(cx, cy)
    turned = [middle + (corner - middle) * 1j ** (angle // 90) for corner in (a, b, c, d)]
    half_w, half_h = (cx, cy) if angle % 180 == 0 else (cy, cx)
    xs, ys = [one.real for one in turned], [one.imag for one in turned]
    space = margin * max((max(xs) - min(xs)) / COLUMNS, (max(ys) - min(ys)) / ROWS)
    left, right = max(cx - half_w, min(xs) - space), min(cx + half_w, max(xs) + space)
    top, bottom = max(cy - half_h, min(ys) - space), min(cy + half_h, max(ys) + space)
    crop = f"{left:.1f} {top:.1f} {max(1.0, right - left):.1f} {max(1.0, bottom - top):.1f}"
    return Framing(angle, f"rotate({angle} {cx} {cy})", crop)


CLOSE_UP = 1.5
"""How much a close-up shows, in widths of the outline: the space, and a die that leans over its edge."""


def close_up(outline: Sequence[Point], angle: int) -> Framing:
    """Return the view that shows one space of the photo, turned by ``angle`` degrees as the window is."""
    cx, cy = sum(x for x, _ in outline) / 4, sum(y for _, y in outline) / 4
    sides = [math.dist(outline[k], outline[(k + 1) % 4]) for k in range(4)]
    half = max(1.0, CLOSE_UP * max(sides) / 2)
    crop = f"{cx - half:.1f} {cy - half:.1f} {2 * half:.1f} {2 * half:.1f}"
    return Framing(angle, f"rotate({angle} {cx:.1f} {cy:.1f})", crop)


FRAME_BYTES = 128_000
TAG_WIDTH = 0.42  # of a tag on the photo (26 units in the drawing), in widths of its cell


class CellView(View):
    """A space of a window."""

    name: str
    """Such as C5."""
    label: str
    """What a screen reader says for it, such as "C5: red 3"."""
    die: str | None
    doubtful: bool
    """Whether a person should look at it."""
    covered: bool
    """Whether neither a die nor the space could be seen there."""
    candidates: list[str]
    """What else it may be, likeliest first; `--` is an empty space."""
    restriction: str
    """What is printed there: a color letter, a value or a dot."""
    cell: Drawn[Cell]
    color: Drawn[str | None]
    value: Drawn[int | None]
    outline: Drawn[str | None]
    tag: Drawn[tuple[float, float, float] | None]
    close_up: Drawn[Framing | None]
    mark: Drawn[str] = ""
    verdict: Drawn[str] = ""
    spoken: Drawn[str] = ""


class JudgedView(View):
    """What the rules say about a window; `sagrada score --json` says the same."""

    board: str
    total: int
    is_counted: bool
    """False as long as there is no objective or no window: the total says nothing yet."""
    lines: list[payloads.LinePayload]
    solo: payloads.SoloPayload | None
    score_marker: payloads.MarkerPayload | None
    window: payloads.WindowPayload | None
    problems: list[payloads.ProblemPayload]
    notices: list[payloads.NoticePayload]
    removals: payloads.RemovalsPayload | None
    dead_cells: list[str]


class ChoicesView(View):
    """What a player chose beside the dice."""

    public: list[str]
    private: str | None
    window: str
    """The window card by its English name; `auto` is the one that was read, or `unknown`."""
    favor_tokens: int
    other_points: int | None
    """What cards earned that are not known here, such as promos."""
    tools: list[str]
    """The tools that were used, where no table says which lie there."""


class ToolQuestion(View):
    """Whether a tool was used that would account for a problem."""

    tool: str
    """The tool by its English name."""
    text: str
    cells: list[str]


class ReadingLinks(View):
    """Where the other things about a reading are."""

    self: str
    placement: str
    picture: str
    """The window as stained glass, an SVG."""
    photo: str | None
    table: str | None
    """The photo with all windows in it; null where only this one was read."""


class CardChoice(View):
    """What the page says of the window card."""

    auto_label: str
    missing: str | None
    can_be_kept: bool
    left_behind: str | None


class NextStep(View):
    """The one thing to do next on a page: a way there, or a form to send, which may go to another address."""

    label: str
    link: str | None = None
    form: str | None = None


class TokensView(View):
    """The favor tokens that are seen in the photo beside a window."""

    count: int
    doubtful: bool
    """Whether a person should look at them; not any more when somebody told how many are left."""
    places: list[tuple[float, float]]
    """Their middles, in pixels of the photo."""
    size: float
    """How wide they are."""
    text: Drawn[str]


class ReadingView(JudgedView):
    """A window: a photo with the dice that were read in it, or dice entered by hand."""

    id: str
    """The key to the reading; keep it to those who may change it."""
    revision: int
    """Grows with every change."""
    size: tuple[int, int] | None
    """Width and height of the photo in pixels; null without one."""
    corners: list[tuple[float, float]] | None
    """The corners of the window in the photo, in pixels, clockwise from the top left."""
    cells: tuple[CellView, ...]
    choices: ChoicesView
    tool_questions: list[ToolQuestion]
    profile: str | None
    """The dice profile that these were read with; null where they were read as the game's."""
    tokens_seen: TokensView | None
    unlike_dice: bool
    """Whether the dice look like none that the program knows."""
    mirrored: bool
    """Whether the photo looks mirrored, as front cameras take it."""
    failure: ErrorView | None
    """Why the photo could not be read."""
    links: ReadingLinks
    judgement: Drawn[Judgement]
    chosen: Drawn[Choices]
    missing: Drawn[str]
    next_step: Drawn[NextStep]
    seen: Drawn[str]
    flat: Drawn[str | None]
    picture: Drawn[str | None]
    hints: Drawn[list[str]]
    placement_fine: Drawn[str]
    view: Drawn[Framing | None]
    unlike_said: Drawn[str | None]
    maybe_upside_down: Drawn[bool]
    placement_note: Drawn[str]
    card: Drawn[CardChoice]
    most_tokens: Drawn[int]
    others: Drawn[int]
    table: Drawn[Game | None]
    seat: Drawn[Seat | None]
    part_of: Drawn[str | None]
    flip: Drawn[str | None]
    """Where left and right of its photo are exchanged; None where that cannot be done any more."""
    public_count: Drawn[str]

    @property
    def doubtful(self) -> list[CellView]:
        """The spaces that a person should look at."""
        return [cell for cell in self.cells if cell.doubtful]


class RecentView(View):
    """One of the last readings of a browser."""

    id: str
    created: str
    board: str
    total: int | None
    """Null before an objective is chosen, and for an unread photo."""
    link: str


class OwnGameView(View):
    """A game in which this device has a part."""

    code: str
    stage: Stage
    created: datetime
    players: list[str]


class LookView(View):
    """What a camera sees while somebody aims."""

    size: tuple[int, int]
    """Width and height of the frame in pixels."""
    windows: list[list[tuple[float, float]]]
    """The corners of each window that is whole in it, clockwise, in its pixels."""
    code: str
    hint: str
    """The one thing to do, in the visitor's language."""
    ready: bool
    """Whether that is to hold still."""


class StartView(View):
    """The ways in: the last windows of this browser, its games, and the sample photos."""

    readings: list[RecentView]
    games: list[OwnGameView]
    """Newest first."""
    samples: list[str]
    """Each is read by sending nothing to `/samples/{name}`."""


class PhotoSent(Sent):
    """What goes with a photo, which is the field `photo` of a form."""

    photo_id: frame.PhotoId | None = None
    card_of: frame.PhotoId | None = None
    """The id of an earlier reading of the same window: the card that was chosen for it comes along."""
    only_the_card: bool = False
    """Whether the photo was taken only to keep the window card in it."""


class OtherPhotoSent(Sent):
    """What goes with another photo of a window, which is the field `photo` of a form."""

    photo_id: frame.PhotoId | None = None
    """Is taken as for the first photo; one that is sent twice counts once with any id."""


class NewReading(Sent):
    """Dice entered by hand, for a window without a photo."""

    board: frame.BoardText = Field(default_factory=Board.empty)


class ReadingChange(frame.OnRevision):
    """Corrections of a reading, and choices beside the dice."""

    cells: frame.DiceOnSpaces = Field(default_factory=dict)
    """Dice by space, `--` or null for none."""
    board: frame.BoardText = LEFT_OUT
    """All dice at once, in board notation."""
    checked: frame.Spaces = ()
    """Spaces that somebody looked at and found right."""
    unchecked: frame.Spaces = ()
    """Spaces whose doubt comes back."""
    public: frame.ListedObjectives = LEFT_OUT
    private: frame.PrivateOrNothing | None = None
    window: frame.CardName = LEFT_OUT
    favor_tokens: frame.FavorTokens = LEFT_OUT
    other_points: frame.OtherPointsOrNone = None
    """What cards earned that are not known here; null or an empty text for none."""
    tools: frame.ListedTools = LEFT_OUT
    """The tools that were used, where no table says which lie there."""


class CornersSent(Sent):
    """The corners of a window set by hand; null goes back to the reading before."""

    corners: tuple[frame.Corner, frame.Corner, frame.Corner, frame.Corner] | None
    """In pixels of the photo, clockwise from the top left."""
    revision: frame.Revision = LEFT_OUT


def problem_of(record: Record) -> UnreadPhotoError | None:
    """Return why a photo could not be read, or how many are before it; None where all is well."""
    if record.failure is None:
        return None
    if not record.is_being_read:
        return record.failure.error()
    return UnreadPhotoError(record.failure.code, data={"place": context.queue().place(record.id) or 0})


def reading_view(record: Record, question: Question | None = None) -> ReadingView:
    """Return a window as this visitor may see it.

    Tools and house rules of a ``question`` about placing dice count where no table says which there are.
    """
    game, known = access.game_of(record.id), context.known_windows()
    case = case_of(record, game, known)
    if game is None and question is not None:
        case = replace(case, tools=question.tools, house_rules=question.house_rules)
    judgement, corners = Judgement(case), record.shown.corners if record.shown else None
    problem, unlike = problem_of(record), unlike_dice_of(record)
    # The score says itself what is not counted.
    remarks = [one.text(words()) for one in judgement.remarks if one.code != NOT_ALL_COUNTED]
    missing, seat = _missing(judgement, game), _own_seat(record, game)
    photo = next(iter(context.tables().load_known([record.part_of] if record.part_of else [])), None)
    return ReadingView(
        **judgement.to_json(words()),
        id=record.id,
        revision=record.revision,
        size=record.size,
        corners=list(corners) if corners else None,
        cells=cells_of(record, case.card),
        choices=ChoicesView(
            public=[one.value for one in record.choices.public],
            private=record.choices.private_name,
            window=record.choices.window,
            favor_tokens=case.favor_tokens or 0,
            other_points=case.other_points,
            tools=[one.value for one in record.choices.tools],
        ),
        tool_questions=[] if question or (game and game.tools) else tool_questions(judgement),
        profile=record.reading.profile if record.reading else None,
        tokens_seen=tokens_seen_of(record),
        unlike_dice=unlike is not None,
        mirrored=bool(record.reading and record.reading.mirrored),
        failure=ErrorView.of(problem) if problem else None,
        links=ReadingLinks(
            self=url_for("pages.show", record_id=record.id),
            placement=url_for("placement.show", record_id=record.id),
            picture=url_for("art.window", record_id=record.id),
            photo=url_for("pages.photo", record_id=record.id) if record.size else None,
            table=url_for("table_photos.show", photo_id=record.part_of) if record.part_of else None,
        ),
        judgement=judgement,
        chosen=record.choices,
        missing=words().all_of(list(missing.values())),
        next_step=_next_step(record, game, seat, list(missing)),
        seen=dice_seen(record.board),
        flat=_flat(record),
        picture=_picture(record),
        hints=[*(one.text(words()) for one in judgement.placement.notices), *remarks],
        placement_fine=placement_fine(judgement),
        view=view(record.size, corners) if record.size else None,
        unlike_said=unlike,
        maybe_upside_down=maybe_upside_down(record),
        placement_note=_placement_note(record, case.card, known),
        card=CardChoice(
            auto_label=_auto_label(record, known),
            missing=_unknown_card(record, known),
            can_be_kept=case.card is None and record.reading is not None and not record.reading.mirrored,
            left_behind=_left_behind(record, known),
        ),
        most_tokens=most_tokens(case.card),
        others=record.reading.other_windows if record.reading else 0,
        table=game,
        seat=seat,
        part_of=photo.id if photo else None,
        flip=_flip(record, photo),
        public_count=_public_count(case, game),
    )


def _flip(record: Record, photo: TablePhoto | None) -> str | None:
    if photo is None:
        reading = record.reading
        # What was read in a photo that looks right, and what people put right in it, does not go on one tap.
        here = reading and record.size and (reading.mirrored or not (record.checked or record.merged))
        return url_for("pages.mirror", record_id=record.id) if here else None
    mirrored = table_photos.looks_mirrored(photo)
    return url_for("table_photos.mirror", photo_id=photo.id) if mirrored else None


def tokens_seen_of(record: Record) -> TokensView | None:
    """Return the favor tokens that are seen in a photo, None where none is."""
    seen = record.tokens_seen
    if seen is None:
        return None
    doubtful = seen.doubtful and record.choices.favor_tokens is None
    text = tokens_seen(seen.count, doubtful=doubtful).text(words())
    return TokensView(
        count=seen.count, doubtful=doubtful, places=list(seen.places), size=seen.size, text=text
    )


def unlike_dice_of(record: Record) -> str | None:
    """Return what to say of dice that the reader does not know, None where it knows them."""
    is_unlike = record.reading is not None and record.reading.unlike_dice
    return unlike_dice().text(words()) if is_unlike else None


def most_tokens(card: WindowPattern | None) -> int:
    """Return how many favor tokens can be left: as many as come with the card, where it is known."""
    return card.difficulty if card and card.difficulty else MOST_FAVOR


def _public_count(case: Case, game: Game | None) -> str:
    """Say how many public objectives are chosen, also those not known here; a solo game has fewer than 3."""
    if game and game.solo:
        return ""
    number = len(game.public) + game.other_card if game else case.public_cards
    return gettext("%(number)s of 3 chosen", number=min(number, MOST_PUBLIC))


def _missing(judgement: Judgement, game: Game | None) -> dict[str, str]:
    """Return what is still to be chosen before all points are counted, each by where it is chosen."""
    missing = {}
    case = judgement.case
    objectives = missing_objectives(game) if game else MOST_PUBLIC - case.public_cards
    if objectives > 0:
        at = url_for("games.table", code=game.code) if game else "#objectives"
        missing[at] = public_missing(objectives)
    if game and game.other_card and case.other_points is None:
        missing["#other-points"] = gettext("the points of the other card")
    if not case.privates:
        missing["#private"] = gettext("your private objective")
    return missing


def public_missing(number: int) -> str:
    """Say how many public objectives are still to be chosen."""
    return ngettext("one public objective", "%(num)d public objectives", number)


def _next_step(record: Record, game: Game | None, seat: Seat | None, missing: list[str]) -> NextStep:
    """Return what to do next: look at doubtful dice, choose what is missing, and then go on."""
    if record.doubts:
        label = ngettext("Look at one die", "Look at %(num)d dice", len(record.doubts))
        return NextStep(label=label, link="#doubts")
    chosen_here = [at for at in missing if at.startswith("#")]
    if chosen_here:
        return NextStep(label=gettext("Choose"), link=chosen_here[0])
    if seat and not seat.ready:
        return NextStep(label=gettext("I am ready"), form="be-ready")
    if game:
        there = "games.reveal" if game.is_revealed else "games.table"
        return NextStep(label=gettext("Back to the table"), link=url_for(there, code=game.code))
    return NextStep(label=gettext("Next window"), link=url_for("pages.start"))


def dice_seen(board: Board) -> str:
    """Say how many dice and empty spaces there are."""
    dice = len(list(board.dice()))
    empty = ROWS * COLUMNS - dice
    said = [ngettext("%(num)d die", "%(num)d dice", dice)]
    if empty:
        said.append(ngettext("%(num)d empty space", "%(num)d empty spaces", empty))
    return words().all_of(said)


def _flat(record: Record) -> str | None:
    """Return where the photo is laid flat: another address for other corners, as browsers keep it."""
    if record.size is None or record.shown is None:
        return None
    corners = zlib.crc32(repr(record.shown.corners).encode())
    return url_for("pages.photo", record_id=record.id, flat=f"{corners:x}")


def _picture(record: Record) -> str | None:
    """Return where the photo is: another address once it was turned back, as browsers keep it."""
    if record.size is None:
        return None
    return url_for("pages.photo", record_id=record.id, of=record.photo_hash and record.photo_hash[:8])


def _own_seat(record: Record, game: Game | None) -> Seat | None:
    """Return the seat of this device whose window it is, as long as its player can still get ready."""
    if game is None or game.is_revealed:
        return None
    own = access.viewer(game).seats
    return next((one for one in game.seats if one.record_id == record.id and one.number in own), None)


def tool_questions(judgement: Judgement) -> list[ToolQuestion]:
    """Return what to ask about tools that would account for a problem."""
    asked = []
    for problem, tool in judgement.questions:
        where = [cell_name(one) for one in problem.cells]
        named = {"tool": words().name(tool), "cells": words().all_of(where)}
        text = gettext("Was %(tool)s used for %(cells)s?", **named)
        asked.append(ToolQuestion(tool=tool.value, text=text, cells=where))
    return asked


def placement_fine(judgement: Judgement) -> str:
    """Say that no rule is broken, as far as the card is known."""
    if judgement.case.board == Board.empty():
        return gettext("No dice yet.")
    if judgement.case.card is None:
        return gettext("No two neighbors clash.")
    return gettext("Every die follows the rules.")


def _placement_note(record: Record, pattern: WindowPattern | None, known: KnownPatterns) -> str:
    missing = _unknown_card(record, known)
    if missing is not None:
        return gettext(
            "The window card %(name)s is not known here, so printed colors and values were not checked.",
            name=missing,
        )
    if pattern is None:
        return gettext("The window card is not known, so printed colors and values were not checked.")
    return gettext("Checked with the card %(name)s.", name=frame.window_name(pattern))


def _unknown_card(record: Record, known: KnownPatterns) -> str | None:
    """Return the name of the chosen window when nobody knows it (any more), None when all is well."""
    name = record.choices.window
    return name if record.choices.names_a_card and name not in set(known) else None


def _left_behind(record: Record, known: KnownPatterns) -> str | None:
    """Return the card that was chosen for the photo before and that this one contradicts, or None."""
    name = record.card_before if record.choices.window == "auto" else None
    return frame.window_name(known[name]) if name in set(known) and name else name


def _auto_label(record: Record, known: KnownPatterns) -> str:
    guess = record.recognized
    if guess and guess.name in set(known):
        percent = min(99, round(100 * guess.probability))  # nobody is wholly sure
        name = frame.window_name(known[guess.name])
        return gettext("As read: %(name)s (%(percent)s %%)", name=name, percent=percent)
    return gettext("As read: not recognized") if record.reading else gettext("Not chosen")


def cells_of(record: Record, pattern: WindowPattern | None) -> tuple[CellView, ...]:
    """Return the spaces in reading order, as templates and scripts want them."""
    corners = record.shown.corners if record.shown else None
    outlines = cell_outlines(corners) if corners else None
    angle = view(record.size, corners).angle if record.size and corners else 0
    cells = []
    for index, space in enumerate(spaces_of(record, pattern)):
        die, outline = space.die, outlines[index] if outlines else None
        cells.append(
            CellView(
                name=space.name,
                label=cell_label(space.name, die_words(die), doubtful=space.doubtful),
                die=str(die) if die else None,
                doubtful=space.doubtful,
                covered=space.covered,
                candidates=list(space.candidates),
                restriction=space.restriction,
                cell=space.cell,
                color=die.color.value if die else None,
                value=die.value if die else None,
                outline=" ".join(f"{x:.1f},{y:.1f}" for x, y in outline) if outline else None,
                tag=_tag(outline) if outline else None,
                close_up=close_up(outline, angle) if outline else None,
            )
        )
    return tuple(cells)


def maybe_upside_down(record: Record) -> bool:
    """Return whether a person should look which way up the window lies; whoever turned it has looked."""
    reading = record.reading
    return bool(reading and not record.turned and reading.upright_probability < SURE_OF_THE_WAY_UP)


def _tag(outline: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Return where the tag of a cell is drawn on the photo (on its lower edge) and how large."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = outline
    x, y = 0.42 * (x2 + x3) + 0.08 * (x0 + x1), 0.42 * (y2 + y3) + 0.08 * (y0 + y1)
    return round(x, 1), round(y, 1), round(math.hypot(x1 - x0, y1 - y0) * TAG_WIDTH / 26, 3)


blueprint = Pages("pages", __name__)
blueprint.app_context_processor(frame.for_every_page)
blueprint.add_app_template_filter(frame.points, "minus")


HERO = [
    # restriction, then the die: the window on the start page (the rulebook's worked example, 40 points)
    *(".", "4G4", ".R2", "YY5", "6P6"),
    *("RR3", ".B1", "2", ".G1", ".Y2"),
    *(".P5", ".G6", "R", "PP6", "1R3"),
    *("BB4", "YY3", ".G4", ".B2", ".G4"),
]


@blueprint.get("/", answers=StartView)
def start(error: SagradaError | None = None) -> Response:
    """Show the ways in: a photo, a sample, by hand, or one of the last windows."""
    recent = [
        (record, None if record.failure else judged(record).total)
        for record in context.store().load_known(session.recent())
    ]
    own_games = access.game_store().of_device(context.visitor().hashes)
    ways = StartView(
        games=[
            OwnGameView(
                code=game.code,
                stage=game.stage,
                created=created,
                players=[seat.name for seat in game.seats],
            )
            for game, created in own_games
        ],
        readings=[
            RecentView(
                id=record.id,
                created=record.created,
                board=str(record.board),
                total=total,
                link=url_for("pages.show", record_id=record.id),
            )
            for record, total in recent
        ],
        samples=photos.sample_names(),
    )
    return shown(
        "start.html",
        ways,
        error,
        lambda: {
            "recent": recent,
            "tables": [
                (photo, [record.board for record in table_photos.windows(photo)])
                for photo in context.tables().load_known(session.recent())
            ],
            "own_games": own_games,
            "hero": HERO,
        },
    )


@blueprint.post("/readings", answers=ReadingView, takes=PhotoSent)
def upload(sent: PhotoSent) -> ResponseReturnValue:
    """Read a photo.

    One that opens but cannot be read is kept, too: `failure` says why, and the dice can be entered by hand
    or the corners set. Where many photos come at once, one waits: the code of its `failure` is `being_read`
    then, and its dice are there when it is asked for again later.
    """
    try:
        record = photos.take_in(
            uploaded(),
            photos.choices_for_next(sent.card_of),
            for_card=sent.only_the_card,
            photo_id=sent_id(),
        )
    except CompanionError as error:
        return start(error)
    return _to_photo(record)


@blueprint.post("/look", answers=LookView)
def look() -> Response:
    """Say what a frame of a camera shows: where the windows are, and what would make a photo of it better.

    The body is the frame as a JPEG of at most 128 kB; 640 pixels are enough. With `?table` every window is
    meant, otherwise the largest. Nothing is kept. While all who read photos are busy the answer is 503.
    """
    seen, size = photos.glance(body(FRAME_BYTES), every="table" in request.args)
    windows = [[(round(x, 1), round(y, 1)) for x, y in corners] for corners in seen.windows]
    said = words().say(seen.sentence)
    return as_json(LookView(size=size, windows=windows, code=seen.hint, hint=said, ready=seen.is_ready))


@blueprint.post("/by-hand", answers=ReadingView, takes=NewReading)
def by_hand(sent: NewReading) -> ResponseReturnValue:
    """Begin with dice entered by hand, or with an empty window."""
    return _to(photos.begun_by_hand(sent.board), made=True)


@blueprint.post("/samples/<name>", answers=ReadingView)
def read_sample(name: str) -> ResponseReturnValue:
    """Read a sample photo as if it had been uploaded."""
    return _to_photo(photos.take_in(photos.sample(name), Choices(public=context.visitor().public)))


@blueprint.get("/samples/<name>")
def sample_thumbnail(name: str) -> ResponseReturnValue:
    """Return a small picture of a sample photo."""
    headers = {"Cache-Control": "max-age=86400"}
    return Response(photos.sample_thumbnail(name), mimetype="image/jpeg", headers=headers)


@blueprint.get("/w/<record_id>", answers=ReadingView)
def show(record_id: str) -> ResponseReturnValue:
    """Show a window with its score, or why its photo could not be read."""
    record = photos.looked_at(context.store().load(record_id))
    onward = request.args.get("then", "")
    is_read = not record.is_being_read and record.failure is None
    if not is_read or wants_json() or onward not in {"table", "place", "card"}:
        return window_page(record)
    if onward == "table":
        return _to_photo(record)
    there = "placement.show" if onward == "place" else "windows.from_photo"
    return redirect(url_for(there, record_id=record_id))


def window_page(record: Record, refused: SagradaError | None = None) -> Response:
    """Return the page of a window; ``refused`` says why its dice could not be learned as a form said."""
    window = reading_view(record)
    if record.is_being_read:
        if session.came_with_others():
            session.note_several_photos()  # this page stays for a moment
        return shown("waiting.html", window, draw=lambda: {"record": record, "problem": window.failure})
    if record.failure is not None:
        return shown(
            "unread.html",
            window,
            draw=lambda: {
                "problem": window.failure,
                "for_card": record.for_card,
                "checks": photos.examined(record),
            },
        )
    return shown(
        "reading.html",
        window,
        refused,
        lambda: {
            "own_windows_missing": context.own_windows_missing(),
            "learn": dice.beside(record, request.args, refused),
            "checks": photos.examined(record) if record.doubts else (),
            "gone": administration.goes_on(record),
            "problem": None,  # it is told beside the dice
        },
    )


@blueprint.post("/w/<record_id>", answers=ReadingView, takes=ReadingChange)
def save(record_id: str, sent: ReadingChange) -> ResponseReturnValue:
    """Correct dice, choose objectives and window card.

    The public objectives of a window that belongs to a game are chosen in the game.
    """
    game, known = access.game_of(record_id), context.known_windows()
    choices = ChoicesChange(
        **sent.sent("public", "private", "window", "favor_tokens", "tools", "other_points")
    )
    if game and (choices.public is not None or (choices.tools is not None and game.tools)):
        raise InputError("table_decides")
    if game:
        check_private(game, choices.private)

    def change(newest: Record) -> Record:
        wanted = choices
        if wanted.favor_tokens == (case_of(newest, game, known).favor_tokens or 0):
            wanted = replace(wanted, favor_tokens=None)  # told by nobody as long as it is the same
        typed = {} if sent.board is LEFT_OUT else changes.different(newest, sent.board).cells
        board = BoardChange({**typed, **sent.cells}, sent.checked, sent.unchecked)
        return changes.apply(newest, sent.revision, board, wanted, known)

    record = context.store().update(record_id, change)
    answer = window_page(record) if wants_json() else done("pages.show", record_id=record.id)
    return answer if choices.public is None else session.remember_table(answer, record.choices)


@blueprint.post("/w/<record_id>/by-hand", answers=ReadingView)
def by_hand_here(record_id: str) -> ResponseReturnValue:
    """Go on by hand beside a photo that could not be read."""
    return _to(context.store().update(record_id, changes.by_hand))


@blueprint.post("/w/<record_id>/turn", answers=ReadingView, takes=frame.OnRevision)
def turn(record_id: str, sent: frame.OnRevision) -> ResponseReturnValue:
    """Show the window the other way up."""
    context.store().update(record_id, lambda newest: changes.turn(newest, sent.revision))
    return done("pages.show", record_id=record_id)


@blueprint.post("/w/<record_id>/mirror", answers=ReadingView, takes=frame.OnRevision)
def mirror(record_id: str, sent: frame.OnRevision) -> ResponseReturnValue:
    """Exchange left and right of the photo, as of one that looks `mirrored`, and read it anew."""
    photos.turn_back(record_id, sent.revision)
    return done("pages.show", record_id=record_id)


@blueprint.post("/w/<record_id>/corners", answers=ReadingView, takes=CornersSent)
def put_corners(record_id: str, sent: CornersSent) -> ResponseReturnValue:
    """Read the photo again with the corners set by hand.

    Without corners it goes back to the reading before these, or before another photo was merged; a second
    time it goes on to the later one.
    """
    if sent.corners is None:
        seen = sent.revision or 0
        context.store().update(record_id, lambda newest: changes.other_reading(newest, seen))
    else:
        photos.read_again(context.store().load(record_id), list(sent.corners), sent.revision)
    return done("pages.show", record_id=record_id)


@blueprint.post("/w/<record_id>/photos", answers=ReadingView, takes=OtherPhotoSent)
def add_photo(record_id: str, sent: OtherPhotoSent) -> ResponseReturnValue:  # noqa: ARG001  the photo says it all
    """Merge another photo of the same window, taken from the other side, with the first one.

    What was in doubt in one and is clear in the other is clear; where both are sure of other dice, the space
    is in doubt. What a person put right stays.
    """
    photos.merge_in(record_id, uploaded())
    return done("pages.show", made=True, record_id=record_id)


@blueprint.post("/w/<record_id>/delete", answers=Nothing)
def delete(record_id: str) -> ResponseReturnValue:
    """Delete a window and its photo for good; one that belongs to a game goes with its seat."""
    if access.game_of(record_id):
        raise InputError("window_of_a_seat")
    was_a_card = any(record.for_card for record in context.store().load_known([record_id]))
    context.store().delete(record_id)
    return gone("windows.show" if was_a_card else "pages.start")


@blueprint.get("/w/<record_id>/photo.jpg")
def photo(record_id: str) -> ResponseReturnValue:
    """Return the photo as it is shown, or with ``flat`` its window alone, seen straight from above."""
    flat = "flat" in request.args
    content = (
        photos.laid_flat(context.store().load(record_id)) if flat else context.store().file(record_id, SHOWN)
    )
    return Response(content, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


def _to_photo(record: Record) -> Response:
    """Return the way to the one window of a photo, or to all of them."""
    if record.is_being_read and not record.for_card:
        return _to(record, then="table", made=True)
    if photos.shows_several(record) and not record.for_card:
        photo = table_photos.take(record, Purpose.SCORE)
        if wants_json():
            return session.remember(done("pages.show", made=True, record_id=record.id), photo.id)
        return session.remember(done("table_photos.show", photo_id=photo.id), photo.id)
    return _to(record, made=True)


def _to(record: Record, *, made: bool = False, then: str | None = None) -> Response:
    answer = done("pages.show", made=made, record_id=record.id, then=then)
    # The last windows show points on the start page; those of a game are kept for the reveal.
    if record.for_card or access.game_of(record.id):
        return answer
    return session.remember(answer, record.part_of or record.id)


# --- Learning its dice -----------------------------------------------------------------------------


@blueprint.post("/w/<record_id>/learn")
def learn_window(record_id: str) -> ResponseReturnValue:
    """Learn the dice of a window, once all of them were looked at."""
    try:
        taught = teaching.learn_window(
            record_id,
            request.form.get("name", ""),
            frame.whole("revision"),
            all_right="all_right" in request.form,
            keep=dice.keep_asked(),
        )
    except SagradaError as error:
        record = context.store().load(record_id)
        if not dice.can_teach(record):
            raise
        return window_page(record, error)
    asked = dice.asked_of(taught.result)
    return redirect(url_for("pages.show", record_id=record_id, _anchor="learn", **asked), 303)


@blueprint.get("/w/<record_id>/learn")
def to_window(record_id: str) -> ResponseReturnValue:
    """Lead back to the window where the answer to teaching is loaded again."""
    return redirect(url_for("pages.show", record_id=record_id), 303)
