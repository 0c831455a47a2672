"""A photo of the whole table: what was read in it, as a page and as JSON, and what people do with it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

from flask import Response, request, url_for
from flask.typing import ResponseReturnValue
from pydantic import Field

from scoring import Die, PublicObjective, Tool
from scoring.errors import SagradaError, ScoringError
from scoring.game.setup import MOST_PLAYERS
from vision.reading import Point
from vision.table import CARDS, CardKind, LooseDie
from webapp.domain import record as changes
from webapp.domain.errors import InputError
from webapp.domain.games.game import FEWEST_PLAYERS, Game
from webapp.domain.payloads import as_listed
from webapp.domain.record import MOST_FAVOR, BoardChange, Choices, ChoicesChange, Record
from webapp.domain.table_photo import MOST_PUBLIC, Purpose, Stage, TablePhoto, tools_of
from webapp.domain.tables import about_table
from webapp.http import session
from webapp.http.faces import (
    LEFT_OUT,
    Drawn,
    ErrorView,
    Nothing,
    Pages,
    Sent,
    Text,
    View,
    done,
    gone,
    sent_id,
    shown,
    uploaded,
)
from webapp.http.preferences import gettext, ngettext, wants_json, words
from webapp.services import administration, context, photos, table_photos
from webapp.services.access import find, judged
from webapp.storage.files import SHOWN
from webapp.views import frame
from webapp.views.games import GameView
from webapp.views.placement import to_placement
from webapp.views.readings import (
    CellView,
    NextStep,
    TokensView,
    cells_of,
    close_up,
    dice_seen,
    public_missing,
    tokens_seen_of,
    unlike_dice_of,
)

DICE_ONLY = frozenset({Purpose.POOL, Purpose.TRACK})
MARGIN = 3.0  # around loose dice that are shown alone, in edges of a die
ROOM = 0.75  # around a die, a card or tokens in a close-up, of the size of one


class TableLinks(View):
    """Where the other things about a photo of the table are."""

    self: str
    photo: str
    game: str | None
    """The game that was made of the windows; null before."""
    placement: str | None
    """Where the dice of the pool may go on the window that they were photographed for; null without one."""


class WindowView(View):
    """A window of the photo."""

    number: int
    reading: str
    """The id of its reading, where its dice are put right."""
    name: str
    board: str
    corners: list[tuple[float, float]]
    doubtful: list[str]
    covered: list[str]
    """Spaces in doubt in which neither a die nor the space could be seen."""
    left_out: bool
    card: str | None
    """The window pattern card; null when it is not known."""
    profile: str | None
    private: str | None
    favor_tokens: int
    other_points: int | None
    """What cards earned that are not known here."""
    tokens_seen: TokensView | None
    total: int | None
    """The points; null before there is an objective to count, and in a photo for the seats of a game."""
    record: Drawn[Record]
    outline: Drawn[str]
    middle: Drawn[tuple[float, float]]
    cells: Drawn[tuple[CellView, ...]]
    unlike_dice: Drawn[str | None]
    card_name: Drawn[str | None]
    problems: Drawn[int]
    seen: Drawn[str]
    points: Drawn[int | None]

    @property
    def title(self) -> str:
        """What the page calls it."""
        return gettext("Window %(number)s", number=self.number)

    @property
    def tokens_close_up(self) -> str:
        """The part of the photo that shows its favor tokens."""
        seen = self.tokens_seen
        return _around(seen.places, seen.size * (0.5 + ROOM)) if seen else ""

    @property
    def likely_tokens(self) -> list[int]:
        """How many tokens there may be, first as they were read."""
        count = self.tokens_seen.count if self.tokens_seen else 0
        return [one for one in (count, count - 1, count + 1) if 0 <= one <= MOST_FAVOR]


class LooseDieView(View):
    """A loose die."""

    die: str
    doubtful: bool
    alternatives: list[str]
    center: tuple[float, float]
    size: float
    place: str | None
    """`pool` or `track`."""
    round: int | None
    index: Drawn[int]
    shown: Drawn[Die]
    needs_look: Drawn[bool]
    counts: Drawn[bool]
    close_up: Drawn[str]

    @property
    def r(self) -> float:
        """The radius of the mark on the photo."""
        return self.size * ROOM

    @property
    def label(self) -> str:
        """The die in words."""
        return words().name(self.shown)

    @property
    def candidates(self) -> list[str]:
        """The likeliest other dice."""
        return [one for one in self.alternatives if one != "--"][:3]


class TableCardView(View):
    """A card that lies on the table."""

    kind: CardKind
    name: str
    doubtful: bool
    corners: list[tuple[float, float]]
    index: Drawn[int]

    @property
    def card(self) -> PublicObjective | Tool:
        """The card itself."""
        found: PublicObjective | Tool = CARDS[self.kind](self.name)
        return found

    @property
    def outline(self) -> str:
        """Its corners as SVG wants them."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.corners)

    @property
    def close_up(self) -> str:
        """The part of the photo that shows it."""
        return close_up(self.corners, 0).crop


class UnreadView(View):
    """What is in view and could not be read."""

    what: str
    error: ErrorView
    center: tuple[float, float]


class TableView(View):
    """A photo of the whole table with what was read in it; places are in pixels of the photo."""

    id: str
    revision: int
    stage: Stage
    purpose: Purpose
    size: tuple[int, int]
    expected: int | None
    """How many windows are being read; null as long as nobody knows."""
    windows: list[WindowView]
    loose_dice: list[LooseDieView]
    target: int
    """The values of the dice on the round track, added up."""
    cards: list[TableCardView]
    unread: list[UnreadView]
    public: list[str]
    advice: list[str]
    """What would help most in the next photo."""
    failure: ErrorView | None
    links: TableLinks
    photo: Drawn[TablePhoto]
    crop: Drawn[str | None]
    notices: Drawn[list[str]]
    mirrored: Drawn[bool]
    game: Drawn[Game | None]
    can_score: Drawn[bool]
    seats: Drawn[dict[str, Any] | None]

    @property
    def shown_windows(self) -> list[WindowView]:
        """The windows that the page speaks of: none where only dice were asked for."""
        return [] if self.purpose in DICE_ONLY else self.windows

    @property
    def shown_unread(self) -> list[UnreadView]:
        """What could not be read, of what the photo was taken for."""
        return [one for one in self.unread if self.purpose not in DICE_ONLY or one.what == "die"]

    @property
    def missing_cards(self) -> int:
        """How many public objectives are still to be chosen."""
        return max(0, MOST_PUBLIC - len(self.public) - self.has_other_card)

    @property
    def has_other_card(self) -> bool:
        """Whether points of a card that is not known here were told; it stands for a public objective."""
        return any(one.other_points is not None for one in self.in_game)

    @property
    def tools(self) -> list[Tool]:
        """The tool cards in the photo."""
        return list(tools_of(self.photo.cards))

    @property
    def read_as(self) -> str:
        """The dice profiles that windows were read with."""
        return ", ".join(dict.fromkeys(one.profile for one in self.windows if one.profile))

    @property
    def unlike_dice(self) -> tuple[str, str] | None:
        """What to say of dice that the reader does not know, and the id of their reading."""
        for one in self.in_game:
            if one.unlike_dice and one.doubtful and self.photo.is_read:
                return one.unlike_dice, one.reading
        return None

    @property
    def doubts(self) -> list[tuple[str, Any]]:
        """All that a person should look at, each with what it is."""
        if not self.photo.is_read:
            return []
        in_game, score = self.in_game, self.purpose is Purpose.SCORE
        cards = [card for card in self.cards if card.doubtful and score]
        tokens = [one for one in in_game if one.tokens_seen and one.tokens_seen.doubtful and score]
        with_dice = self.purpose in {*DICE_ONLY, Purpose.PLACE}
        return [
            *(("card", card) for card in cards),
            *(("tokens", one) for one in tokens),
            *(("die", die) for die in self.loose_dice if die.needs_look and with_dice),
            *(("cell", (one, cell)) for one in in_game for cell in one.cells if cell.doubtful),
        ]

    @property
    def in_game(self) -> list[WindowView]:
        """The windows that play."""
        return [one for one in self.shown_windows if not one.left_out]

    # --- The bar: what is seen, what is missing, and the next thing to do.

    @property
    def seen(self) -> str:
        """What there is of what the photo was taken for, or how far its reading is."""
        photo = self.photo
        if not photo.is_read:
            return _progress(photo, len(self.windows))
        if self.purpose is Purpose.TRACK:
            return gettext("Target: %(points)s", points=self.target)
        if self.purpose is Purpose.POOL:
            return ngettext("%(num)d die", "%(num)d dice", len(photo.pool))
        windows = len(self.in_game)
        return ngettext("%(num)d window", "%(num)d windows", windows) if windows else ""

    @property
    def missing(self) -> dict[str, str]:
        """What is still to be chosen before the windows can be ranked, each by where it is chosen."""
        if self.purpose is not Purpose.SCORE or self.game or not (self.can_score or not self.photo.is_read):
            return {}
        missing = {}
        if self.missing_cards:
            missing["#public"] = public_missing(self.missing_cards)
        if self.has_other_card and any(one.other_points is None for one in self.in_game):
            missing["#other-card"] = gettext("the points of the other card")
        private = [one for one in self.in_game if one.record.choices.private is None]
        if private:
            missing["#private"] = ngettext(
                "one private objective", "%(num)d private objectives", len(private)
            )
        return missing

    @property
    def note(self) -> str:
        """What is missing, or else in doubt."""
        if self.missing and self.photo.is_read:
            return gettext("Missing: %(what)s", what=words().all_of([*self.missing.values()]))
        number = len(self.doubts)
        return ngettext("One thing needs a look.", "%(num)d things need a look.", number) if number else ""

    @property
    def next_step(self) -> NextStep | None:
        """The next thing to do: look at what is in doubt, choose what is missing, and then go on."""
        looks = len(self.doubts)
        if self.photo.is_read and self.missing and looks:
            label = ngettext("Look at one thing", "Look at %(num)d things", looks)
            return NextStep(label=label, link="#doubts")
        if self.missing:
            there = list(self.missing)[0 if self.photo.is_read else -1]  # cards may still be read
            return NextStep(label=gettext("Choose"), link=there) if self.windows else None
        return _onward_step(self) if self.photo.is_read else None


class TableSent(Sent):
    """What goes with a photo of the table, which is the field `photo` of a form."""

    purpose: Annotated[Purpose, frame.enum(Purpose)] = Purpose.SCORE
    """What it is taken for: to score all windows, to fill the seats of a game (host), to ask where the dice
    beside a window may go, for the draft pool of a reading, for the target of a solo game."""
    target: Annotated[str, Field(max_length=100)] | None = None
    """The code of the game, or the id of the reading, that it is for."""
    photo_id: frame.PhotoId | None = None
    """A photo sent again with the same id is stored once."""


class CellSent(Sent):
    """What lies on a space of a window; what was read there, said again, is right."""

    record: Annotated[str, Field(max_length=20)]
    cell: frame.ASpace
    die: frame.ADieOrNone


class LooseDieSent(frame.OnRevision):
    """A loose die put right, added or taken away."""

    index: Annotated[int | None, Field(ge=0, le=200), frame.Blank] = None
    """Its place in the list; null adds one."""
    die: frame.ADieOrNone | None = None
    """What lies there; null takes it away."""
    x: Annotated[frame.Pixels | None, frame.Blank] = None
    y: Annotated[frame.Pixels | None, frame.Blank] = None


class PublicSent(Sent):
    """The public objectives, three at most; no card in the photo needs a look any more."""

    public: frame.ListedObjectives = ()


def _card(name: str) -> PublicObjective | Tool:
    with suppress(ScoringError):
        return as_listed(name, PublicObjective)
    return as_listed(name, Tool)


class CardLook(Sent):
    """What a look at a card showed."""

    card: Annotated[PublicObjective | Tool, Text(_card)]
    """The card that was read with doubt."""
    right: bool


class TableWindowSent(Sent):
    """What belongs to a window of the photo."""

    name: frame.PlayerName = LEFT_OUT
    private: frame.PrivateOrNothing | None = None
    favor_tokens: frame.FavorTokens = LEFT_OUT
    other_points: frame.OtherPointsOrNone = None
    left_out: bool = LEFT_OUT
    """Whether it is not of this game."""


class Seating(Sent):
    """Whose windows they are: the number of a window for the number of a seat."""

    seats: Annotated[dict[int, frame.WindowNumber], Field(max_length=MOST_PLAYERS)]


class PlaceSent(Sent):
    """The window that the dice of the pool go to; null for an empty one, or the one that the photo is for."""

    record: Annotated[str, Field(max_length=20)] | None = None


def table_photo_view(photo: TablePhoto) -> TableView:
    """Return a photo of the table as this visitor may see it."""
    records = table_photos.windows(photo)
    made = table_photos.made_game(photo) if photo.purpose is Purpose.SCORE else None
    windows = [_window(photo, number, one) for number, one in enumerate(records, start=1)]
    return TableView(
        id=photo.id,
        revision=photo.revision,
        stage=photo.stage,
        purpose=photo.purpose,
        size=photo.size,
        expected=photo.expected,
        windows=windows,
        loose_dice=[_die(photo, index, die) for index, die in enumerate(photo.loose_dice)],
        target=photo.sum_of_track,
        cards=[
            TableCardView(
                index=index, kind=one.kind, name=one.name, doubtful=one.doubtful, corners=list(one.corners)
            )
            for index, one in enumerate(photo.cards)
        ],
        unread=[
            UnreadView(what=one.what, error=ErrorView.of(one.failure.error()), center=one.center)
            for one in photo.unread
        ],
        public=[card.value for card in photo.public],
        advice=[words().say(one.sentence, one.advice) for one in photo.advice],
        failure=ErrorView.of(photo.failure.error()) if photo.failure else None,
        links=TableLinks(
            self=url_for("table_photos.show", photo_id=photo.id),
            photo=url_for("table_photos.picture", photo_id=photo.id, of="flipped" if photo.flipped else None),
            game=url_for("games.table", code=made.code) if made else None,
            placement=url_for("placement.show", record_id=photo.target, die=[*map(str, photo.question.pool)])
            if photo.purpose is Purpose.POOL and photo.target
            else None,
        ),
        photo=photo,
        crop=_crop(photo) if photo.purpose in DICE_ONLY else None,
        notices=_notices(photo, len(records)),
        mirrored=photo.purpose not in DICE_ONLY and table_photos.looks_mirrored(photo),
        game=made,
        can_score=photo.is_read and FEWEST_PLAYERS <= len(table_photos.playing(photo)) <= MOST_PLAYERS,
        seats=_seats(photo, windows) if photo.purpose is Purpose.SEATS else None,
    )


def _window(photo: TablePhoto, number: int, record: Record) -> WindowView:
    judgement = judged(record)
    card = judgement.case.card
    cells = cells_of(record, card)
    corners = list(record.shown.corners) if record.shown else []
    return WindowView(
        number=number,
        reading=record.id,
        name=photo.names.get(record.id, ""),
        board=str(record.board),
        corners=corners,
        doubtful=[cell.name for cell in cells if cell.doubtful],
        covered=[cell.name for cell in cells if cell.covered],
        left_out=record.id in photo.left_out,
        card=card.name if card else None,
        profile=record.reading.profile if record.reading else None,
        private=table_photos.private_of(photo, record),
        favor_tokens=judgement.case.favor_tokens or 0,
        other_points=judgement.case.other_points,
        tokens_seen=tokens_seen_of(record),
        total=table_photos.points_of(photo, judgement),
        record=record,
        outline=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners),
        middle=(sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4),
        cells=cells,
        unlike_dice=unlike_dice_of(record),
        card_name=frame.window_name(card) if card else None,
        problems=len(judgement.placement.problems) if photo.purpose is Purpose.SCORE else 0,
        seen=dice_seen(record.board),
        points=table_photos.points_of(photo, judgement)
        if judgement.case.public_cards >= MOST_PUBLIC
        else None,
    )


def _die(photo: TablePhoto, index: int, die: LooseDie) -> LooseDieView:
    return LooseDieView(
        die=str(die.die),
        doubtful=die.doubtful,
        alternatives=[f"{one.color.value}{one.value}" if one.color else "--" for one in die.alternatives],
        center=die.center,
        size=die.size,
        place=die.place,
        round=die.round,
        index=index,
        shown=die.die,
        needs_look=index in photo.doubtful_dice,
        counts=die in (photo.track if photo.purpose is Purpose.TRACK else photo.pool),
        close_up=_around([die.center], die.size * (0.5 + ROOM)),
    )


def _around(places: Sequence[Point], room: float) -> str:
    """Return the square of a photo that shows some places with ``room`` around them, as an SVG view box."""
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*places, strict=True))
    half = max(right - left, bottom - top) / 2 + room
    return f"{(left + right) / 2 - half:.1f} {(top + bottom) / 2 - half:.1f} {2 * half:.1f} {2 * half:.1f}"


def _crop(photo: TablePhoto) -> str | None:
    """Return the part of the photo with the loose dice as an SVG view box, None where there are none."""
    dice = photo.track if photo.purpose is Purpose.TRACK else photo.pool
    if not dice:
        return None
    edge = MARGIN * max(die.size for die in dice)
    low = [max(0.0, min(die.center[axis] for die in dice) - edge) for axis in (0, 1)]
    high = [min(float(photo.size[axis]), max(die.center[axis] for die in dice) + edge) for axis in (0, 1)]
    return f"{low[0]:.1f} {low[1]:.1f} {high[0] - low[0]:.1f} {high[1] - low[1]:.1f}"


def _progress(photo: TablePhoto, read: int) -> str:
    if photo.expected is None:
        return gettext("Looking for windows…")
    if read < photo.expected:
        return ngettext(
            "%(read)s of %(num)d window is read…",
            "%(read)s of %(num)d windows are read…",
            photo.expected,
            read=read,
        )
    return gettext("Looking at loose dice and cards…")


def _onward_step(view: TableView) -> NextStep | None:
    """Return where a photo that is read leads, each purpose elsewhere."""
    match view.purpose:
        case Purpose.SCORE:
            return _ranking_step(view)
        case Purpose.SEATS if view.windows:
            filled = view.seats and view.seats["filled"]
            label = gettext("Correct the windows") if filled else gettext("Fill the seats")
            return NextStep(label=label, form="seats")
        case Purpose.SEATS:
            there = url_for("games.table", code=view.photo.target)
            return NextStep(label=gettext("Back to the table"), link=there)
        case Purpose.PLACE if view.windows:
            return NextStep(label=gettext("Choose"), link="#next")
        case Purpose.PLACE:
            label, action = gettext("Start with an empty window"), "place"
        case Purpose.POOL:
            dice = len(view.photo.pool)
            label, action = ngettext("Use this die", "Use these %(num)d dice", dice), "place"
        case Purpose.TRACK:
            label, action = gettext("Use %(number)s as the target", number=view.target), "put_target"
    return _sent(view, label, action)


def _ranking_step(view: TableView) -> NextStep | None:
    """Return the way to the ranking, or what there is where the windows are too few; None for too many."""
    if view.game:
        there = url_for("games.reveal", code=view.game.code)
        return NextStep(label=gettext("See all windows"), link=there)
    if view.can_score:
        return _sent(view, gettext("Score them all"), "score")
    if len(view.in_game) == 1:
        there = url_for("pages.show", record_id=view.in_game[0].reading)
        return NextStep(label=gettext("Open this window"), link=there)
    if view.loose_dice and not view.windows:
        return _sent(view, gettext("Where may this die go?"), "place")
    another = NextStep(label=gettext("Another photo"), link=url_for("pages.start"))
    return None if view.in_game else another


def _sent(view: TableView, label: str, action: str) -> NextStep:
    there = url_for(f"table_photos.{action}", photo_id=view.id)
    return NextStep(label=label, form="onward", link=there)


def _notices(photo: TablePhoto, windows: int) -> list[str]:
    """Return what a person should know about what is in the photo, and what to do."""
    if not photo.is_read or photo.failure is not None:
        return []
    if photo.purpose is Purpose.SCORE:
        return [remark.text(words()) for remark in about_table(windows, photo)]
    if photo.purpose is Purpose.SEATS:
        few = gettext(
            "There are fewer windows in the photo than players. Whoever gets none takes a photo of their own."
        )
        other = gettext("No window here looks like one of the seats'. Is it a photo of this table?")
        return [
            *([few] if windows < len(find(photo.target or "").seats) else []),
            *([other] if not photo.seated and table_photos.may_be_another_table(photo) else []),
        ]
    if photo.purpose is Purpose.PLACE:
        none = gettext("There is no window in the photo. Take another one, or start with an empty window.")
        return [] if windows else [none]
    none = gettext("No loose die was seen. Tap where one lies to add it, or take the photo from nearer.")
    return [] if photo.loose_dice else [none]


def _seats(photo: TablePhoto, windows: list[WindowView]) -> dict[str, Any]:
    """Return the seats with the windows that they are offered; nothing of what is secret."""
    game = find(photo.target or "")
    return {
        "game": game,
        "offered": table_photos.offered(photo) if photo.is_read else {},
        "filled": any(str(seat.number) in photo.seated for seat in game.seats),
        "windows": [one.number for one in windows],
    }


blueprint = Pages("table_photos", __name__)


@blueprint.post("/t", answers=TableView, takes=TableSent)
def take(sent: TableSent) -> ResponseReturnValue:
    """Take in a photo of the table; reading it begins at once and goes on in the background.

    Ask again until `stage` is `done` or `failed`.
    """
    photo = table_photos.take(uploaded(), sent.purpose, sent.target, sent_id())
    answer = done("table_photos.show", made=True, photo_id=photo.id)
    return session.remember(answer, photo.id) if sent.purpose is Purpose.SCORE else answer


@blueprint.get("/t/<photo_id>", answers=TableView)
def show(photo_id: str) -> ResponseReturnValue:
    """Show what was read in a photo of the table; where nothing is left to ask, go where it leads to."""
    photo = table_photos.load(photo_id)
    onward = None if "look" in request.args or wants_json() else _onward(photo)
    return onward or photo_page(photo)


def photo_page(photo: TablePhoto, error: SagradaError | None = None) -> Response:
    """Return the page, with what was refused where something was."""
    view = table_photo_view(photo)
    return shown(
        "table_photo.html",
        view,
        error,
        lambda: {"gone": administration.goes_on(photo), "unit": max(photo.size) / 100},
    )


def _onward(photo: TablePhoto) -> Response | None:
    """Return the way to the placement page when the photo answers all that it was taken for."""
    if not photo.is_read or photo.failure is not None or photo.doubtful_dice:
        return None
    if photo.purpose is Purpose.PLACE and table_photos.looks_mirrored(photo):
        return None
    if photo.purpose is Purpose.SEATS and photo.cards and not photo.windows:  # the cards alone were shown
        return done("games.table", code=photo.target)
    if photo.purpose is Purpose.POOL and photo.pool:
        return to_placement(photo.target or "", photo.question)
    if photo.purpose is Purpose.PLACE and len(found := table_photos.windows(photo)) == 1:
        return session.remember(to_placement(found[0].id, photo.question), found[0].id)
    return None


def _back(photo_id: str) -> Response:
    """Return the way back to the page of a photo, to stay there."""
    return done("table_photos.show", photo_id=photo_id, look=1)


@blueprint.get("/t/<photo_id>/photo.jpg")
def picture(photo_id: str) -> ResponseReturnValue:
    """Return the photo as it is shown."""
    content = context.tables().file(photo_id, SHOWN)
    return Response(content, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


# --- Putting things right --------------------------------------------------------------------------


@blueprint.post("/t/<photo_id>/cell", answers=TableView, takes=CellSent)
def put_cell(photo_id: str, sent: CellSent) -> ResponseReturnValue:
    """Say what lies on a space of a window."""
    if sent.record not in context.tables().load(photo_id).windows:
        raise InputError("no_such_window")
    board = BoardChange({sent.cell: sent.die})
    context.store().update(sent.record, lambda newest: changes.apply(newest, newest.revision, board))
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/die", answers=TableView, takes=LooseDieSent)
def put_die(photo_id: str, sent: LooseDieSent) -> ResponseReturnValue:
    """Put a loose die right, add one that was missed, or take one away."""
    table_photos.put_die(photo_id, sent.revision, sent.index, sent.die, (sent.x or 0.0, sent.y or 0.0))
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/cards", answers=TableView, takes=PublicSent)
def put_public(photo_id: str, sent: PublicSent) -> ResponseReturnValue:
    """Choose the public objectives for all windows."""
    photo = table_photos.put_public(photo_id, sent.public)
    return session.remember_table(_back(photo_id), Choices(public=photo.public))


@blueprint.post("/t/<photo_id>/card", answers=TableView, takes=CardLook)
def put_card(photo_id: str, sent: CardLook) -> ResponseReturnValue:
    """Say whether a card that was read with doubt is the one that it looks like."""
    table_photos.settle_card(photo_id, sent.card, is_right=sent.right)
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/windows/<int:number>", answers=TableView, takes=TableWindowSent)
def put_window(photo_id: str, number: int, sent: TableWindowSent) -> ResponseReturnValue:
    """Note whose window it is, private objective and favor tokens, or that it is not of this game."""
    if sent.left_out is not LEFT_OUT:
        table_photos.leave_out(photo_id, number, out=sent.left_out)
    choices = ChoicesChange(**sent.sent("private", "favor_tokens", "other_points"))
    table_photos.put_window(photo_id, number, choices, sent.name)
    return _back(photo_id)


# --- What comes next -------------------------------------------------------------------------------


@blueprint.post("/t/<photo_id>/mirror", answers=TableView)
def mirror(photo_id: str) -> ResponseReturnValue:
    """Exchange left and right of a photo in which a window looks `mirrored`, and read it anew; ask again."""
    table_photos.turn_back(photo_id)
    return done("table_photos.show", photo_id=photo_id)


@blueprint.post("/t/<photo_id>/score", answers=TableView)
def score(photo_id: str) -> ResponseReturnValue:
    """Rank the windows: a game is made of them and revealed; this browser has all seats."""
    try:
        game = table_photos.score(photo_id, lambda number: gettext("Window %(number)s", number=number))
    except InputError as error:
        return photo_page(table_photos.load(photo_id), error)
    return _back(photo_id) if wants_json() else done("games.reveal", code=game.code)


@blueprint.post("/t/<photo_id>/seats", answers=GameView, takes=Seating)
def fill_seats(photo_id: str, sent: Seating) -> ResponseReturnValue:
    """Give seats of the game their windows (host)."""
    try:
        game = table_photos.fill_seats(photo_id, sent.seats)
    except InputError as error:
        return photo_page(table_photos.load(photo_id), error)
    return done("games.table", code=game.code)


@blueprint.post("/t/<photo_id>/target", answers=GameView)
def put_target(photo_id: str) -> ResponseReturnValue:
    """Take the sum of the round track as the target of the solo game (host)."""
    try:
        game = table_photos.put_target(photo_id)
    except InputError as error:
        return photo_page(table_photos.load(photo_id), error)
    return done("games.table", code=game.code)


@blueprint.post("/t/<photo_id>/place", answers=Nothing, takes=PlaceSent)
def place(photo_id: str, sent: PlaceSent) -> ResponseReturnValue:
    """Ask where the dice of the pool may go: on a window of the photo, or on the one it is for."""
    photo = table_photos.load(photo_id)
    record_id = sent.record or (photo.target if photo.purpose is Purpose.POOL else None)
    if record_id is None:
        record_id = photos.begun_by_hand().id
    return session.remember(to_placement(record_id, photo.question), record_id)


@blueprint.post("/t/<photo_id>/delete", answers=Nothing)
def delete(photo_id: str) -> ResponseReturnValue:
    """Delete a photo and its windows for good; those of a game stay with the game."""
    table_photos.delete(photo_id)
    return gone("pages.start")


@blueprint.post("/w/<record_id>/table", answers=TableView)
def whole_table(record_id: str) -> ResponseReturnValue:
    """Read the rest of a photo of which one window was read, or none."""
    record = context.store().load(record_id)
    return done("table_photos.show", photo_id=table_photos.take(record, Purpose.SCORE).id)
