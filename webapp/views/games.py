"""A game: joining, the table, its seats and the reveal, as pages and as JSON."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Annotated, Any, Literal

from flask import Response, redirect, request, send_file, url_for
from flask.typing import ResponseReturnValue
from pydantic import Field
from werkzeug.http import generate_etag

from scoring import Color, LineKind, Notice, PublicObjective, Tool
from scoring.errors import SagradaError
from scoring.game.setup import MOST_PLAYERS
from webapp.domain.errors import ConflictError, InputError, UnreadPhotoError
from webapp.domain.games import cards
from webapp.domain.games.codes import typed_code
from webapp.domain.games.game import (
    LINK_LIFETIME,
    LONGEST_TURN_S,
    Game,
    Move,
    Seat,
    Stage,
    is_last_turn,
    place_in,
    turns_of,
)
from webapp.domain.games.result import Ended, Status, Viewer, WindowState, result, statuses_of, tokens_left
from webapp.domain.history import play, push_link
from webapp.domain.judging import Judgement
from webapp.domain.payloads import DecisionPayload, NoticePayload, Remark, StandingPayload
from webapp.domain.record import ChoicesChange, Record, card_of
from webapp.domain.tool_rules import rule_of
from webapp.http.faces import LEFT_OUT, Nothing, Pages, Sent, View, done, gone, sent_id, shown, uploaded
from webapp.http.preferences import gettext, ngettext, wants_json, words
from webapp.server import qr
from webapp.services import context, games, players
from webapp.services.access import find, find_for_host, game_store, viewer
from webapp.views import frame
from webapp.views.joining import link_to_seat
from webapp.views.readings import JudgedView, PhotoSent, ReadingView, cells_of, most_tokens, placement_fine


@dataclass(frozen=True)
class Row:
    """One row of the sheet: ``points`` are None for who has no such line, ``kind`` is None for the total."""

    points: tuple[int | None, ...]
    kind: LineKind | None = None
    card: PublicObjective | None = None

    @property
    def best(self) -> int | None:
        """The most that somebody got, None where nobody got more than the others."""
        known = {one for one in self.points if one is not None}
        return max(known) if len(known) > 1 else None


def sheet_of(judgements: Sequence[Judgement]) -> tuple[Row, ...]:
    """Return the rows for the windows of a game with several players, the total last."""
    # Private objectives share a row, whatever their colors.
    columns = [
        {
            (line.kind, PublicObjective(line.name) if line.kind is LineKind.PUBLIC else None): line.points
            for line in (one.breakdown.lines if one.is_counted else ())
        }
        for one in judgements
    ]
    public = dict.fromkeys(row for column in columns for row in column if row[1])
    private, tokens, empty = LineKind.PRIVATE, LineKind.FAVOR_TOKENS, LineKind.EMPTY_CELLS
    other = dict.fromkeys(row for column in columns for row in column if row[0] is LineKind.OTHER_CARDS)
    rows = [
        Row(tuple(column.get((kind, card)) for column in columns), kind, card)
        for kind, card in (*public, *other, (private, None), (tokens, None), (empty, None))
    ]
    return (*rows, Row(tuple(one.total for one in judgements)))


Target = Annotated[int, Field(ge=0, le=cards.HIGHEST_TARGET)]

STAGED_FOR = timedelta(hours=3)
"""How long after the reveal a device that comes to it sees it staged; later people look something up."""


def table_view(game: Game) -> dict[str, Any]:
    """Return what the table page shows to this device: of other players only how far their windows are."""
    who, windows = viewer(game), game_store().windows(game)
    statuses = statuses_of(windows)
    free_seats = game.most_seats - len(game.seats)
    count = sum(one.window is not WindowState.NONE for one in statuses.values())
    return {
        "game": game,
        "viewer": who,
        "step": _step(game, who, count),
        "steps": _steps(game),
        "lines": _lines(game, who, count),
        "window_count": count,
        "late": any(
            statuses.get(one.number, Status()).window is not WindowState.NONE for one in game.not_ready
        ),
        "statuses": {seat.number: statuses.get(seat.number, Status()) for seat in game.seats},
        "status_words": status_words,
        "own": [
            _own(game, seat, windows[seat.number], statuses[seat.number])
            for seat in game.seats
            if seat.number in who.seats and seat.number in windows
        ],
        "rules": cards.setup_of(game),
        "question": _question(game) if who.is_host and not game.is_revealed else None,
        "tools": [
            {
                "card": card,
                "rule": rule_of(card),
                "tokens": cards.tokens_on(game, card),
                "cost": cards.cost_of(game, card),
                "used_up": cards.is_used_up(game, card),
            }
            for card in context.known_tools()
        ],
        "missing": cards.missing_objectives(game),
        "free_seats": free_seats,
        "has_name_field": who.is_host and free_seats > 0 and not game.solo and not game.is_revealed,
        "lost": _lost(game, who),
        "round": _round(game, who),
        "dealt": frozenset(one.seat for one in game.dealt),
        "all_dealt": not cards.to_deal(game, cards.Deal(windows=True, privates=True)),
        "photo": context.tables().newest_for(game.code) if who.is_host else None,
    }


def _steps(game: Game) -> dict[str, str]:
    """Return the steps of the evening in their order, with what they are called."""
    if game.solo:
        return {
            "cards": gettext("Cards"),
            "windows": gettext("Window"),
            "track": gettext("Round track"),
            "end": gettext("Result"),
        }
    return {
        "who": gettext("Who plays"),
        "cards": gettext("Cards"),
        "windows": gettext("Windows"),
        "end": gettext("Reveal"),
    }


def _step(game: Game, who: Viewer, count: int) -> str:
    """Return the step that this device is in, with so many windows in the game; players have their window."""
    if game.is_revealed:
        return "end"
    if not who.is_host:
        return "windows"
    begun = game.gathered or game.follows or game.public or game.play or count
    if not game.solo and not begun:
        return "who"
    if cards.missing_objectives(game):
        return "cards"
    if not game.seats or game.not_ready:
        return "windows"
    return "track" if game.solo and game.target is None else "end"


def _lines(game: Game, who: Viewer, count: int) -> dict[str, str]:
    """Return what stands beside the name of each step."""
    missing = cards.missing_objectives(game)
    choose = ngettext("Choose one more public objective.", "Choose %(num)d public objectives.", missing)
    if not who.is_host:
        choose = gettext("The host chooses them.")
    chosen = [words().name(card) for card in game.public]
    if game.other_card:
        chosen.append(gettext("another card"))
    lines = {
        "who": words().all_of([seat.name for seat in game.seats]) or gettext("Nobody has joined yet."),
        "cards": choose if missing else words().all_of(chosen),
        "windows": gettext("%(number)s of %(all)s", number=count, all=len(game.seats)),
        "track": "" if game.target is None else str(game.target),
    }
    return lines | ({"windows": ""} if game.solo else {})


def _own(game: Game, seat: Seat, record: Record, status: Status) -> dict[str, Any]:
    known = context.known_windows()
    card = card_of(record, known)
    uncounted = game.other_card and record.choices.other_points is None
    if status.window is WindowState.NONE:
        step = "photo"
    elif status.window is not WindowState.DONE:
        step = "window"
    elif not record.choices.private:
        step = "private"
    else:
        step = "window" if uncounted else "ready"
    return {
        "uncounted": uncounted,
        "next": step,
        "seat": seat,
        "record": record,
        "status": status,
        "last_use": cards.last_use(game, seat.number),
        "dealt": [known[name] for name in cards.dealt_to(game, seat.number).windows],
        "card": card if record.choices.names_a_card else None,
        "tokens": tokens_left(record, game, card),
        "most_tokens": most_tokens(card),
    }


def _round(game: Game, who: Viewer) -> dict[str, Any] | None:
    """Return how far the rounds are, None when nobody follows them here."""
    play, names = game.play, {seat.number: seat.name for seat in game.seats}
    if play is None or game.is_revealed:
        return None
    players = tuple(names)
    turns = turns_of(play, players)
    at = place_in(play, players)
    return {
        "play": play,
        "starter": names[play.starter],
        "name": names[play.turn.seat],
        "is_own": play.turn.seat in who.seats,
        "turns": [
            {"name": names[turn.seat], "own": turn.seat in who.seats, "past": place < at, "now": place == at}
            for place, turn in enumerate(turns)
        ],
        "is_last_turn": is_last_turn(play, players),
        "uses": [(use.tool, names.get(use.seat)) for use in game.uses if use.round == play.number],
        "elapsed": max(0, int(time.time()) - play.began),
    }


def _question(game: Game) -> dict[str, Any] | None:
    """Return what the address asks before used tool cards go; None when it asks nothing (any more)."""
    asked, kept = request.args.get("ask"), request.args.getlist("card")
    if asked == "deal":
        uses, fields = list(game.uses), [("tools", request.args.get("tools", ""))]
    elif asked == "cards":
        uses = [use for use in game.uses if use.tool.value not in kept]
        fields = [("tools", ""), *(("tools", card) for card in kept)]
    else:
        return None
    if not uses:
        return None
    return {
        "address": request.full_path,
        "action": url_for("games.deal" if asked == "deal" else "games.put_cards", code=game.code),
        "fields": fields,
        "deals": asked == "deal",
        "tools": list(dict.fromkeys(use.tool for use in uses)),
        "tokens": sum(use.tokens for use in uses),
    }


def status_words(status: Status) -> str:
    """Say how far a window is."""
    if status.window is WindowState.DOUBTFUL:
        return ngettext("%(num)d space to look at", "%(num)d spaces to look at", status.doubts)
    return {
        WindowState.NONE: gettext("no window yet"),
        WindowState.READING: gettext("photo is being read"),
        WindowState.UNREAD: gettext("photo could not be read"),
        WindowState.DONE: gettext("window added"),
    }[status.window]


def _lost(game: Game, who: Viewer) -> list[dict[str, Any]]:
    """Return the seats that moved from this device to another one; only the host makes that happen."""
    if who.is_host:
        return []
    there = [{"name": seat.name, "gone": False} for seat in game.seats if seat.number in who.lost]
    return there + [{"name": one.name, "gone": True} for one in game.gone if one.number in who.lost]


def reveal_view(ended: Ended) -> dict[str, Any]:
    """Return what the page with all windows shows; the id of a window is for its own player only."""
    played = play(ended, context.known_windows())
    game, outcome, who = played.game, played.outcome, viewer(played.game)
    seats = {seat.name: seat for seat in game.seats}
    players = []
    for entrant, standing in outcome.ranking:
        seat, judgement = seats[entrant.name], outcome.judgements[entrant.name]
        record = ended.windows[seat.number]
        notices: list[Notice | Remark] = [*judgement.placement.notices, *outcome.about(seat.name)]
        players.append(
            {
                "seat": seat,
                "record": record,
                "standing": standing,
                "own": seat.number in who.seats,
                "judgement": judgement,
                "blank": judgement.case.is_blank,
                "cells": cells_of(record, judgement.case.card),
                "placement_fine": placement_fine(judgement),
                "notices": [one.text(words()) for one in notices],
                "photo": f"{record.created}.{record.revision}" if record.size else None,
            }
        )
    return {
        "game": game,
        "viewer": who,
        "lost": _lost(game, who),
        "next_beginner": cards.next_beginner(game),
        "bg_stats_link": push_link(played),
        "players": players,
        "outcome": outcome,
        "unranked": [name for name in outcome.unranked if name not in outcome.without_window],
        "solo": played.solo,
        "sheet": () if game.solo else sheet_of([outcome.judgements[one.name] for one, _ in outcome.ranking]),
        "moment": ended.revealed.isoformat() if datetime.now(UTC) - ended.revealed < STAGED_FOR else None,
    }


blueprint = Pages("games", __name__)


# --- As JSON ----------------------------------------------------------------------------------------


class SeatView(View):
    """A player at the table, as everybody may see."""

    seat: int
    """The number of the seat."""
    name: str
    color: Color | None
    """The color at the table, which has nothing to do with the private objective."""
    picture: str | None
    ready: bool
    moved: bool
    """Whether the seat moved to another device."""
    window: WindowState
    doubts: int
    """Spaces to look at."""
    own: bool
    """Whether the seat is this device's."""
    same_window: bool
    """Whether another player shows the same window: told to the host, and to who came with it later."""
    reading: str | None
    """The id of the window's reading; null for seats of other devices."""
    dealt: list[str] | None
    """The windows on the cards that were dealt, to choose one; null for seats of other devices."""


class ToolView(View):
    """A tool card in the game."""

    name: str
    tokens: int
    """Favor tokens on the card."""
    cost: int
    """What its next use costs."""
    used_up: bool
    """In a solo game each tool works once."""


class UseView(View):
    """A tool that a player used."""

    tool: str
    seat: int
    tokens: int


class RoundView(View):
    """How far the rounds are."""

    number: int
    dice: int
    """How many dice are drawn in a round."""
    turns: list[int]
    """The seats in the order of the round's turns: all first turns, then the second ones backwards."""
    seat: int
    """Whose turn it is."""
    second_turn: bool
    tools: list[UseView]
    """The tools used in this round."""
    began: datetime
    step: int
    """Grows with every move; a move names the step it was made on."""
    over: bool


class StandingView(JudgedView):
    """A player's place and window after the reveal."""

    name: str
    place: int | None
    shared: bool
    private_points: int | None
    favor_tokens: int | None
    last_round_turn: int | None
    seat: int
    private: str | None
    picture: str
    """The window as stained glass, an SVG."""
    photo: str | None
    """The window out of its photo; null when it was entered by hand."""


class ResultView(View):
    """How a game ended; `sagrada rank --json` says the same."""

    message: str | None
    winners: list[str]
    standings: list[StandingView]
    decisions: list[DecisionPayload]
    unranked: list[str]
    without_window: list[str]
    notices: list[NoticePayload]


class GameView(View):
    """A game as this device may see it: of other players nothing secret before the reveal."""

    code: str
    """What others need to join."""
    revision: int
    """Grows with every change of the game."""
    stage: Stage
    solo: bool
    host: bool
    """Whether this device started the game."""
    open: bool
    """Whether new players may sit down before the reveal."""
    order_known: bool
    """Whether the players stand in the order of their turns."""
    players: list[SeatView]
    round: RoundView | None
    """Null while nobody follows the rounds here."""
    timer: int | None
    """The seconds of a turn, 0 to count them up; null when turns are not timed."""
    public: list[str]
    other_card: bool
    """Whether another public objective is in play, whose points each player tells."""
    missing_objectives: int
    tools: list[ToolView]
    house_rules: list[str]
    note: str
    target: int | None
    second_private: str | None
    """Of a solo game; only its own table sees it."""
    next: str | None
    """The code of the next game of the same people; only who has a place at this table is told."""
    result: ResultView | None
    """Windows and points, only after the reveal."""


def game_view(game: Game) -> GameView:
    """Return the state of a game for this device; what is secret is left out here, and nowhere else."""
    who, windows = viewer(game), game_store().windows(game)
    statuses = statuses_of(windows)
    second = game.second_private
    return GameView(
        code=game.code,
        revision=game.revision,
        stage=game.stage,
        solo=game.solo,
        host=who.is_host,
        open=not game.closed,
        order_known=game.order_known,
        players=[_seat(game, seat, who, statuses.get(seat.number, Status())) for seat in game.seats],
        round=_round_view(game),
        timer=game.timer,
        public=[card.value for card in game.public],
        other_card=game.other_card,
        missing_objectives=cards.missing_objectives(game),
        tools=[
            ToolView(
                name=tool.value,
                tokens=cards.tokens_on(game, tool),
                cost=cards.cost_of(game, tool),
                used_up=cards.is_used_up(game, tool),
            )
            for tool in game.tools
        ],
        house_rules=[rule.value for rule in game.house_rules],
        note=game.note,
        target=game.target,
        second_private=second.value if second and (game.is_revealed or not who.is_stranger) else None,
        # The code lets strangers sit down at the next table, and the history shows them this game.
        next=None if who.is_stranger else game.next,
        result=_result(game, windows) if game.is_revealed else None,
    )


def _seat(game: Game, seat: Seat, who: Viewer, status: Status) -> SeatView:
    look, own = players.look_of(seat.name), seat.number in who.seats
    return SeatView(
        seat=seat.number,
        name=seat.name,
        color=look.color,
        picture=url_for("games.picture", player=look.id) if look.picture else None,
        ready=seat.ready,
        moved=bool(seat.former),
        window=status.window,
        doubts=status.doubts,
        own=own,
        same_window=(who.is_host and status.same) or (own and status.same_later),
        reading=seat.record_id if own else None,
        dealt=list(cards.dealt_to(game, seat.number).windows) if own else None,
    )


def _round_view(game: Game) -> RoundView | None:
    play = game.play
    if play is None:
        return None
    return RoundView(
        number=play.number,
        dice=cards.setup_of(game).dice_per_round,
        turns=[turn.seat for turn in turns_of(play, [seat.number for seat in game.seats])],
        seat=play.turn.seat,
        second_turn=play.turn.second,
        tools=[
            UseView(tool=use.tool.value, seat=use.seat, tokens=use.tokens)
            for use in game.uses
            if use.round == play.number
        ],
        began=datetime.fromtimestamp(play.began, UTC),
        step=play.step,
        over=play.over,
    )


def _result(game: Game, windows: Mapping[int, Record]) -> ResultView:
    """Return how a game ended: what `Outcome.to_json` says, with the seat of each player."""
    payload = result(game, windows, context.known_windows()).to_json(words())
    seats = {seat.name: seat.number for seat in game.seats}

    def standing(one: StandingPayload) -> StandingView:
        number = seats[one["name"]]
        record = windows[number]
        photo = url_for("art.revealed_photo", code=game.code, number=number) if record.size else None
        picture = url_for("art.revealed_window", code=game.code, number=number)
        private = record.choices.private_name
        return StandingView(**one, seat=number, private=private, picture=picture, photo=photo)

    standings = [standing(one) for one in payload["standings"]]
    return ResultView.model_validate({**payload, "standings": standings})


# --- What is sent -----------------------------------------------------------------------------------


class NewGame(Sent):
    """A game to be started."""

    name: frame.PlayerName = ""
    """The host's name; without one the host does not play."""
    solo: bool = False


class NameSent(Sent):
    """Who sits down."""

    name: frame.PlayerName


class CodeSent(Sent):
    """The code of a game, as it is typed."""

    code: Annotated[str, Field(max_length=100)] = ""


class CardsSent(frame.OnRevision):
    """Cards that lie on the table, and what only a solo game has."""

    public: frame.ListedObjectives = LEFT_OUT
    other_card: bool = LEFT_OUT
    """Whether another public objective is in play, whose points each player tells."""
    tools: frame.ListedTools = LEFT_OUT
    house_rules: frame.ListedHouseRules = LEFT_OUT
    target: Annotated[Target | None, frame.Blank] = None
    """Only of a solo game; null takes it back."""
    second_private: frame.PrivateOrNothing | None = None
    """Only of a solo game; null takes it back."""
    anyway: bool | None = None
    """Also when a tool that goes was used; its favor tokens go back to the players who spent them."""


class Deal(frame.OnRevision):
    """Cards to be drawn."""

    tools: Annotated[int | None, Field(ge=0, le=len(Tool)), frame.Blank] = None
    """How many tools; null for public objectives."""
    anyway: bool | None = None
    """Also when tools were used; their favor tokens go back to the players who spent them."""


class PlayersDeal(Sent):
    """What is to be dealt to the players who have none yet."""

    what: Literal["both", "windows", "privates"] = "both"
    """Two window cards, of whose four windows the player chooses one, a private objective, or both."""
    again: bool = False
    """Also to those who were dealt theirs, which is taken away."""


class RoundMove(Sent):
    """A move of the round helper."""

    move: Annotated[Move, frame.enum(Move)]
    """`start`, `next_turn`, `next_round` or `back`."""
    seen: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    """The step it is made on, 0 before the start; after another one nothing happens."""


class Timer(Sent):
    """Whether the turns are timed."""

    seconds: Annotated[int | None, Field(ge=0, le=LONGEST_TURN_S), frame.Blank] = None
    """The seconds of a turn, 0 to count them up; null for no timer."""


class Order(frame.OnRevision):
    """The players in another order."""

    seats: Annotated[tuple[frame.SeatNumber, ...], Field(max_length=MOST_PLAYERS)] = ()
    """The numbers of all seats."""
    up: frame.SeatNumber | None = None
    """A seat that moves one place up instead."""
    known: bool = False
    """Whether this is the order of the turns."""


class PlayerChange(Sent):
    """What changes of a player."""

    name: frame.PlayerName = LEFT_OUT
    private: frame.PrivateOrNothing | None = None
    """The letter of a color; null or an empty text takes it back."""
    window: frame.CardName = LEFT_OUT
    """The window card by its English name; `auto` is the one that was read, or `unknown`."""
    favor_tokens: frame.FavorTokens = LEFT_OUT
    """At most as many as come with the window, where that is known."""
    ready: bool = LEFT_OUT
    color: frame.ColorOrNothing | None = None
    """The color at the table, which everybody sees; null or an empty text takes it back."""
    window_revision: frame.Revision | None = None
    """The revision of the window that its choices are changed on; the newest without one."""


class ToolUse(Sent):
    """A tool that a player used; null takes the last use back."""

    tool: frame.ListedTool | None = None


class SeatKey(Sent):
    """The secret of a link to a seat."""

    key: Annotated[str, Field(max_length=100)] = ""


class Openness(Sent):
    """Whether new players may sit down."""

    open: bool = False


class Again(Sent):
    """The next game of the same people."""

    same_cards: bool = False
    """Whether public objectives and tool cards stay on the table."""


class NoteSent(Sent):
    """A few words about the game."""

    note: Annotated[str, frame.Lines, Field(max_length=500)] = ""


class Reveal(Sent):
    """The end of a game."""

    anyway: bool = False
    """Also when somebody is not ready."""


# --- Joining ----------------------------------------------------------------------------------------


@blueprint.post("/games", answers=GameView, takes=NewGame)
def start(sent: NewGame) -> ResponseReturnValue:
    """Start a game; the cookie `seats` says from then on which seats are this device's."""
    return to_table(games.start(sent.name, solo=sent.solo).code, made=True)


@blueprint.post("/join", answers=GameView, takes=CodeSent)
def enter_code(sent: CodeSent) -> ResponseReturnValue:
    """Go to the game whose code was typed."""
    return to_table(find(typed_code(sent.code)).code)


@blueprint.get("/g/<code>", answers=GameView)
def table(code: str) -> ResponseReturnValue:
    """Show the table; who has no seat is asked for a name.

    With `If-None-Match` and the last `ETag` an unchanged state answers 304.
    """
    plain = typed_code(code)
    if wants_json():
        return shown("table.html", game_view(find(plain)))
    if plain != code:
        return redirect(url_for("games.table", code=plain))
    game = find(code)
    if viewer(game).is_stranger:
        if game.is_revealed:
            return redirect(url_for("games.reveal", code=code))
        return join_page(game)
    return table_page(game)


def table_page(game: Game, error: SagradaError | None = None) -> Response:
    """Return the table, with what was refused where something was."""

    def draw() -> dict[str, Any]:
        table = table_view(game)
        # A name is refused beside its field, where there is one.
        refused = error is not None and request.endpoint == "games.join" and table["has_name_field"]
        return {"table": table, "name_refused": refused}

    return shown("table.html", error=error, draw=draw)


@blueprint.get("/g/<code>/join")
@blueprint.get("/g/<code>/seats/<int:number>/photo")
def table_of_form(code: str, number: int = 0) -> ResponseReturnValue:  # noqa: ARG001
    """Go to the table from where one of its forms was sent, which answers with the table itself."""
    return to_table(typed_code(code))


def join_page(game: Game, error: SagradaError | None = None) -> Response:
    """Return the question for a name."""
    return shown("join.html", error=error, draw=lambda: {"table": table_view(game)})


@blueprint.post("/g/<code>/join", answers=GameView, takes=NameSent)
def join(code: str, sent: NameSent) -> ResponseReturnValue:
    """Sit down at the table."""
    try:
        game = games.join(code, sent.name)
    except InputError as error:
        game = find(code)
        return (join_page if viewer(game).is_stranger else table_page)(game, error)
    return to_table(game.code, made=True)


@blueprint.post("/g/<code>/here", answers=GameView)
def gather(code: str) -> ResponseReturnValue:
    """Note that everybody is here, and go on to the cards (host); who comes later still sits down."""
    return to_table(games.gather(code).code)


@blueprint.post("/g/<code>/open", answers=GameView, takes=Openness)
def let_in(code: str, sent: Openness) -> ResponseReturnValue:
    """Let new players sit down again after a reveal, or no more (host)."""
    return to_table(games.let_in(code, to_new=sent.open).code)


def to_table(code: str, *, made: bool = False) -> Response:
    """Return the way to the table."""
    return done("games.table", made=made, code=code)


# --- The reveal -------------------------------------------------------------------------------------


@blueprint.get("/g/<code>/reveal", answers=GameView)
def reveal(code: str) -> ResponseReturnValue:
    """Show all windows side by side, once they are revealed."""
    game = find(typed_code(code))
    ended = game_store().ended(game.code)
    if wants_json() or ended is None:
        return to_table(game.code) if ended is None else shown("reveal.html", game_view(game))
    return shown("reveal.html", draw=lambda: {"reveal": reveal_view(ended)})


@blueprint.post("/g/<code>/reveal", answers=GameView, takes=Reveal)
def do_reveal(code: str, sent: Reveal) -> ResponseReturnValue:
    """Open all windows (host)."""
    try:
        games.reveal(code, anyway=sent.anyway)
    except InputError as error:
        return table_page(find(code), error)
    return done("games.reveal", code=code)


@blueprint.post("/g/<code>/note", answers=GameView, takes=NoteSent)
def put_note(code: str, sent: NoteSent) -> ResponseReturnValue:
    """Keep a few words with the game (host); who sees the result sees them."""
    game = games.put_note(code, sent.note)
    return done("games.reveal" if game.is_revealed else "games.table", code=code)


@blueprint.post("/g/<code>/reopen", answers=GameView)
def reopen(code: str) -> ResponseReturnValue:
    """Go back to the table, to put cards or players right (host)."""
    return to_table(games.reopen(code).code)


@blueprint.post("/g/<code>/again", answers=GameView, takes=Again)
def play_again(code: str, sent: Again) -> ResponseReturnValue:
    """Begin the next game of the same people (host); asking once more gets the same game."""
    return to_table(games.play_again(code, same_cards=sent.same_cards).code, made=True)


@blueprint.post("/g/<code>/delete", answers=Nothing)
def delete(code: str) -> ResponseReturnValue:
    """Remove the game with all windows and photos for good (host)."""
    games.delete(code)
    return gone("pages.start")


# --- The forms on the table; each leads back to it --------------------------------------------------


@blueprint.post("/g/<code>/cards", answers=GameView, takes=CardsSent)
def put_cards(code: str, sent: CardsSent) -> ResponseReturnValue:
    """Put cards on the table (host).

    A tool card that was used stays, with the error `tool_in_use`, unless it shall go anyway.
    """
    put = sent.sent("public", "other_card", "tools", "house_rules", "target", "second_private")
    try:
        game = games.put_cards(code, sent.revision, anyway=bool(sent.anyway), **put)
    except ConflictError as error:
        kept = [card.value for card in sent.tools or ()]
        return _asked_first(code, error, keep=sent.anyway is False, ask="cards", card=kept)
    return to_table(game.code)


@blueprint.post("/g/<code>/deal", answers=GameView, takes=Deal)
def deal(code: str, sent: Deal) -> ResponseReturnValue:
    """Draw random cards (host): public objectives, or so many tools."""
    try:
        game = games.deal(code, sent.revision, sent.tools, anyway=bool(sent.anyway))
    except ConflictError as error:
        return _asked_first(code, error, keep=sent.anyway is False, ask="deal", tools=sent.tools)
    return to_table(game.code)


def _asked_first(code: str, error: ConflictError, *, keep: bool, **question: Any) -> Response:  # noqa: ANN401
    """Return the way to the table that asks whether used tool cards may go, or raise any other error."""
    if error.code != "tool_in_use" or wants_json():
        raise error
    return to_table(code) if keep else done("games.table", code=code, **question)


@blueprint.post("/g/<code>/players/deal", answers=GameView, takes=PlayersDeal)
def deal_to_players(code: str, sent: PlayersDeal) -> ResponseReturnValue:
    """Deal window cards and private objectives to the players (host); each device is told its own alone."""
    wanted = cards.Deal(sent.what != "privates", sent.what != "windows", sent.again)
    return to_table(games.deal_to_players(code, wanted).code)


@blueprint.post("/g/<code>/first", answers=GameView, takes=frame.OnRevision)
def draw_first(code: str, sent: frame.OnRevision) -> ResponseReturnValue:
    """Draw who begins (host); the others follow clockwise as they are seated."""
    return to_table(games.draw_first(code, sent.revision).code)


@blueprint.post("/g/<code>/round", answers=GameView, takes=RoundMove)
def play_on(code: str, sent: RoundMove) -> ResponseReturnValue:
    """Go on to the next turn or round, or back (everybody at the table)."""
    return to_table(games.play_on(code, sent.move, sent.seen).code)


@blueprint.post("/g/<code>/timer", answers=GameView, takes=Timer)
def put_timer(code: str, sent: Timer) -> ResponseReturnValue:
    """Time the turns, or do not (host)."""
    return to_table(games.put_timer(code, sent.seconds).code)


@blueprint.post("/g/<code>/order", answers=GameView, takes=Order)
def put_order(code: str, sent: Order) -> ResponseReturnValue:
    """Put the players in another order, or note whether it is that of the turns (host)."""
    game = find_for_host(code)
    numbers, known = list(sent.seats) or [seat.number for seat in game.seats], sent.known
    if sent.up is not None:
        at = numbers.index(sent.up) if sent.up in numbers else 0
        if at > 0:
            numbers[at - 1], numbers[at] = numbers[at], numbers[at - 1]
        known = game.order_known
    games.put_order(code, sent.revision, numbers, known=known)
    return done("games.reveal" if game.is_revealed else "games.table", code=code)


# --- One seat ---------------------------------------------------------------------------------------


@blueprint.post("/g/<code>/seats/<int:number>", answers=GameView, takes=PlayerChange)
def change_player(code: str, number: int, sent: PlayerChange) -> ResponseReturnValue:
    """Change name, color, private objective, window card, favor tokens or readiness of a player."""
    find(code)
    if sent.name is not LEFT_OUT:
        games.rename(code, number, sent.name)
    if own := sent.sent("private", "window", "favor_tokens"):
        games.put_own(code, number, ChoicesChange(**own), sent.window_revision)
    if sent.ready is not LEFT_OUT:
        games.be_ready(code, number, is_ready=sent.ready)
    if "color" in sent.model_fields_set:
        players.put_color(code, number, sent.color)
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/leave", answers=GameView)
def leave(code: str, number: int) -> ResponseReturnValue:
    """Take a player out of the game, with window and photo for good."""
    return to_table(games.leave(code, number).code)


@blueprint.post("/g/<code>/seats/<int:number>/photo", answers=ReadingView, takes=PhotoSent)
def take_photo(code: str, number: int, sent: PhotoSent) -> ResponseReturnValue:  # noqa: ARG001
    """Read the photo of a player's window."""
    try:
        _, window = games.take_photo(code, number, uploaded(), sent_id())
    except (InputError, UnreadPhotoError) as error:
        return table_page(find(code), error)
    return done("pages.show", made=True, record_id=window.id)


@blueprint.post("/g/<code>/seats/<int:number>/tool", answers=GameView, takes=ToolUse)
def use_tool(code: str, number: int, sent: ToolUse) -> ResponseReturnValue:
    """Note that a player used a tool; without a name the last use is taken back."""
    if sent.tool is None:
        return to_table(games.take_back(code, number).code)
    return to_table(games.use_tool(code, number, sent.tool).code)


@blueprint.post("/g/<code>/seats/<int:number>/picture", answers=GameView)
def put_picture(code: str, number: int) -> ResponseReturnValue:
    """Take in a player's picture."""
    try:
        players.put_picture(code, number, uploaded())
    except (InputError, UnreadPhotoError) as error:
        return table_page(find(code), error)
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/picture/away", answers=GameView)
def take_picture_away(code: str, number: int) -> ResponseReturnValue:
    """Take a player's picture away."""
    return to_table(players.take_picture_away(code, number).code)


@blueprint.post("/g/<code>/seats/<int:number>/forget", answers=GameView)
def forget(code: str, number: int) -> ResponseReturnValue:
    """Forget how a player looks, and offer the name no more."""
    return to_table(players.forget(code, number).code)


@blueprint.get("/players/<player>/picture.jpg")
def picture(player: str) -> ResponseReturnValue:
    """Return a player's picture, which stands beside the name wherever that is shown."""
    content = players.picture(player)
    response = send_file(BytesIO(content), "image/jpeg", etag=generate_etag(content))
    response.headers["Cache-Control"] = "private, no-cache"
    return response


# --- A seat that gets another device ----------------------------------------------------------------
#
# The secret stands behind the ``#`` of the link. Browsers keep that part to themselves, so it gets into no
# log of a server; only the form of the page brings it here. A preview of the link seats nobody.


class LinkView(View):
    """A link that brings a seat to another device."""

    url: str
    """The page that asks and then seats the device that opened it, with the secret behind the #."""
    expires: datetime


@blueprint.post("/g/<code>/seats/<int:number>/link", answers=LinkView)
def make_link(code: str, number: int) -> ResponseReturnValue:
    """Show a new link for a player's seat, this once (host)."""
    made = games.invite(code, number)
    url, for_phones = link_to_seat(code, made)
    return shown(
        "seat_link.html",
        LinkView(url=url, expires=made.expires),
        draw=lambda: {
            "code": code,
            "name": made.seat.name,
            "qr": qr.svg(url) if for_phones else None,
            "minutes": int(LINK_LIFETIME.total_seconds() // 60),
        },
    )


@blueprint.get("/g/<code>/seat")
def ask_for_seat(code: str) -> ResponseReturnValue:
    """Ask whether this device shall have the seat."""
    return _ask_page(find(typed_code(code)).code)


@blueprint.post("/g/<code>/seat", answers=GameView, takes=SeatKey)
def take_seat(code: str, sent: SeatKey) -> ResponseReturnValue:
    """Give this device the seat that a link was made for; the device that had it loses it."""
    try:
        return to_table(games.take_seat(code, sent.key.strip()).code)
    except InputError as error:
        game = find(code)
        if any(seat.former for seat in game.seats if seat.number in viewer(game).seats):
            return to_table(code)  # tapped twice, or gone back: the seat has moved here already
        return _ask_page(code, error)


def _ask_page(code: str, error: SagradaError | None = None) -> Response:
    return shown("take_seat.html", error=error, draw=lambda: {"code": code})
