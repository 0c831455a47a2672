"""The pages of a game: joining, the table with its forms, and the reveal. The forms work without scripts."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring import HouseRule, Notice, PublicObjective, Tool
from scoring.errors import SagradaError
from webapp.pages import readings as reading_view
from webapp.pages.frame import page, private_of, whole
from webapp.pages.score_sheet import sheet_of
from webapp.services.changes import ChoicesChange
from webapp.services.errors import ConflictError, InputError, UnreadPhotoError, in_words_of_the_rules
from webapp.services.games.cards import (
    cost_of,
    is_used_up,
    last_use,
    missing_objectives,
    setup_of,
    tokens_on,
)
from webapp.services.games.codes import typed_code
from webapp.services.games.dealing import Deal, dealt_to, next_beginner, to_deal
from webapp.services.games.game import Game
from webapp.services.games.result import Ended, tokens_left
from webapp.services.games.rounds import Move, is_last_turn, place_in, turns_of
from webapp.services.games.view import Status, Viewer, WindowState, statuses_of
from webapp.services.history import play, push_link
from webapp.services.plain import as_listed
from webapp.services.record import Record, card_of
from webapp.services.remarks import Remark
from webapp.services.tool_rules import rule_of
from webapp.web import context, game_actions, own_tools, photos
from webapp.web.access import find, find_for_host, games, viewer
from webapp.web.language import gettext, ngettext, words

STAGED_FOR = timedelta(hours=3)
"""How long after the reveal a device that comes to it sees it staged; later people look something up."""


def table_view(game: Game) -> dict[str, Any]:
    """Return what the table page shows to this device: of other players only how far their windows are."""
    who, windows = viewer(game), games().windows(game)
    statuses = statuses_of(windows)
    free_seats = game.most_seats - len(game.seats)
    return {
        "game": game,
        "viewer": who,
        "statuses": {seat.number: statuses.get(seat.number, Status()) for seat in game.seats},
        "status_words": status_words,
        "own": [
            {
                "seat": seat,
                "record": windows[seat.number],
                "status": statuses[seat.number],
                "last_use": last_use(game, seat.number),
                **_own(game, seat.number, windows[seat.number]),
            }
            for seat in game.seats
            if seat.number in who.seats and seat.number in windows
        ],
        "rules": setup_of(game),
        "question": _question(game) if who.is_host and not game.is_revealed else None,
        "tools": [
            {
                "card": card,
                "rule": rule_of(card),
                "tokens": tokens_on(game, card),
                "cost": cost_of(game, card),
                "used_up": is_used_up(game, card),
            }
            for card in own_tools.known()
        ],
        "missing": missing_objectives(game),
        "free_seats": free_seats,
        "has_name_field": who.is_host and free_seats > 0 and not game.solo and not game.is_revealed,
        "lost": _lost(game, who),
        "round": _round(game, who),
        "dealt": frozenset(one.seat for one in game.dealt),
        "all_dealt": not to_deal(game, Deal(windows=True, privates=True)),
        "photo": context.tables().newest_for(game.code) if who.is_host else None,
    }


def _own(game: Game, number: int, record: Record) -> dict[str, Any]:
    """Return what a seat's own device alone sees of window card and tokens."""
    known = context.known_windows()
    card = card_of(record, known)
    return {
        "dealt": [known[name] for name in dealt_to(game, number).windows],
        "card": card if record.choices.names_a_card else None,
        "tokens": tokens_left(record, game, card),
        "most_tokens": reading_view.most_tokens(card),
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
    asked, cards = request.args.get("ask"), request.args.getlist("card")
    if asked == "deal":
        uses, fields = list(game.uses), [("tools", request.args.get("tools", ""))]
    elif asked == "cards":
        uses = [use for use in game.uses if use.tool.value not in cards]
        fields = [("kind", "tools"), *(("card", card) for card in cards)]
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
                "cells": reading_view.cells_of(record, judgement.case.card),
                "placement_fine": reading_view.placement_fine(judgement),
                "notices": [one.text(words()) for one in notices],
                "photo": f"{record.created}.{record.revision}" if record.size else None,
            }
        )
    return {
        "game": game,
        "viewer": who,
        "lost": _lost(game, who),
        "next_beginner": next_beginner(game),
        "bg_stats_link": push_link(played),
        "players": players,
        "outcome": outcome,
        "unranked": [name for name in outcome.unranked if name not in outcome.without_window],
        "solo": played.solo,
        "sheet": () if game.solo else sheet_of([outcome.judgements[one.name] for one, _ in outcome.ranking]),
        "moment": ended.revealed.isoformat() if datetime.now(UTC) - ended.revealed < STAGED_FOR else None,
    }


blueprint = Blueprint("games", __name__)

MOVES = {move.value: move for move in Move}
KINDS: dict[str, Any] = {"public": PublicObjective, "tools": Tool, "house_rules": HouseRule}


@blueprint.post("/games")
def start() -> ResponseReturnValue:
    """Start a game night."""
    name, solo = request.form.get("name", ""), request.form.get("players") == "solo"
    return to_table(game_actions.start(name, solo=solo).code)


@blueprint.post("/join")
def enter_code() -> ResponseReturnValue:
    """Go to the game whose code was typed."""
    return to_table(find(typed_code(request.form.get("code", ""))).code)


@blueprint.get("/g/<code>")
def table(code: str) -> ResponseReturnValue:
    """Show the table; who has no seat is asked for a name."""
    plain = typed_code(code)
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
    shown = table_view(game)
    # A name is refused beside its field, where there is one.
    name_refused = error is not None and request.endpoint == "games.join" and shown["has_name_field"]
    return page("table.html", error, table=shown, name_refused=name_refused)


@blueprint.get("/g/<code>/join")
@blueprint.get("/g/<code>/seats/<int:number>/photo")
def table_of_form(code: str, number: int = 0) -> ResponseReturnValue:  # noqa: ARG001
    """Go to the table from where one of its forms was sent, which answers with the table itself."""
    return to_table(typed_code(code))


def join_page(game: Game, error: SagradaError | None = None) -> Response:
    """Return the question for a name."""
    return page("join.html", error, table=table_view(game))


@blueprint.post("/g/<code>/join")
def join(code: str) -> ResponseReturnValue:
    """Sit down at the table."""
    try:
        game = game_actions.join(code, request.form.get("name", ""))
    except InputError as error:
        game = find(code)
        show = join_page if viewer(game).is_stranger else table_page
        return show(game, error)
    return to_table(game.code)


@blueprint.get("/g/<code>/reveal")
def reveal(code: str) -> ResponseReturnValue:
    """Show all windows side by side, once they are revealed."""
    game = find(typed_code(code))
    ended = games().ended(game.code)
    if ended is None:
        return to_table(game.code)
    return render_template("reveal.html", reveal=reveal_view(ended))


@blueprint.post("/g/<code>/reveal")
def do_reveal(code: str) -> ResponseReturnValue:
    """Open all windows."""
    try:
        game_actions.reveal(code, anyway="anyway" in request.form)
    except InputError as error:
        return table_page(find(code), error)
    return redirect(url_for("games.reveal", code=code), 303)


@blueprint.post("/g/<code>/again")
def play_again(code: str) -> ResponseReturnValue:
    """Begin the next game of the same people."""
    same_cards = request.form.get("cards") == "same"
    return to_table(game_actions.play_again(code, same_cards=same_cards).code)


@blueprint.post("/g/<code>/delete")
def delete(code: str) -> ResponseReturnValue:
    """Remove the game with all windows and photos for good."""
    game_actions.delete(code)
    return redirect(url_for("pages.start"), 303)


def to_table(code: str) -> Response:
    """Return the way to the table."""
    return make_response(redirect(url_for("games.table", code=code), 303))


# --- The forms on the table; each leads back to it --------------------------------------------------


@blueprint.post("/g/<code>/cards")
def put_cards(code: str) -> ResponseReturnValue:
    """Take in the cards of one kind."""
    kind = request.form.get("kind", "")
    if kind not in KINDS:
        raise InputError("bad_request")
    with in_words_of_the_rules():
        cards = [as_listed(name, KINDS[kind]) for name in request.form.getlist("card")]
    put: dict[str, Any] = {kind: cards}
    try:
        game_actions.put_cards(code, whole("revision"), anyway=request.form.get("anyway") == "yes", **put)
    except ConflictError as error:
        return _asked_first(code, error, ask="cards", card=[card.value for card in cards])
    return to_table(code)


@blueprint.post("/g/<code>/deal")
def deal(code: str) -> ResponseReturnValue:
    """Draw cards at random; with a number they are tools."""
    tools = whole("tools") if "tools" in request.form else None
    try:
        game_actions.deal(code, whole("revision"), tools, anyway=request.form.get("anyway") == "yes")
    except ConflictError as error:
        return _asked_first(code, error, ask="deal", tools=tools)
    return to_table(code)


def _asked_first(code: str, error: ConflictError, **question: Any) -> Response:  # noqa: ANN401
    """Return the way to the table that asks whether used tool cards may go, or raise any other error."""
    if error.code != "tool_in_use":
        raise error
    if request.form.get("anyway") == "no":
        return to_table(code)  # they stay
    return make_response(redirect(url_for("games.table", code=code, **question), 303))


@blueprint.post("/g/<code>/players/deal")
def deal_to_players(code: str) -> ResponseReturnValue:
    """Deal window cards and private objectives to the players."""
    what, again = request.form.get("what", ""), "again" in request.form
    game_actions.deal_to_players(code, Deal(what != "privates", what != "windows", again))
    return to_table(code)


@blueprint.post("/g/<code>/first")
def draw_first(code: str) -> ResponseReturnValue:
    """Draw who begins."""
    game_actions.draw_first(code, whole("revision"))
    return to_table(code)


@blueprint.post("/g/<code>/round")
def play_on(code: str) -> ResponseReturnValue:
    """Go on to the next turn or round, or back."""
    if request.form.get("move") not in MOVES:
        raise InputError("bad_request")
    game_actions.play_on(code, MOVES[request.form["move"]], whole("seen"))
    return to_table(code)


@blueprint.post("/g/<code>/timer")
def put_timer(code: str) -> ResponseReturnValue:
    """Time the turns, or do not."""
    game_actions.put_timer(code, whole("seconds") if request.form.get("seconds") else None)
    return to_table(code)


@blueprint.post("/g/<code>/solo")
def put_solo(code: str) -> ResponseReturnValue:
    """Take in target and second private objective of a solo game."""
    target = whole("target") if request.form.get("target", "").strip() else None
    second = private_of("second_private")
    game_actions.put_cards(code, whole("revision"), target=target, second_private=second)
    return to_table(code)


@blueprint.post("/g/<code>/order")
def put_order(code: str) -> ResponseReturnValue:
    """Move a player one place up, or note whether the order is that of the turns."""
    game = find_for_host(code)
    numbers = [seat.number for seat in game.seats]
    known = request.form.get("known") == "yes"
    if "up" in request.form:
        number = whole("up")
        at = numbers.index(number) if number in numbers else 0
        if at > 0:
            numbers[at - 1], numbers[at] = numbers[at], numbers[at - 1]
        known = game.order_known
    game_actions.put_order(code, whole("revision"), numbers, known=known)
    if game.is_revealed:
        return redirect(url_for("games.reveal", code=code), 303)
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/photo")
def take_photo(code: str, number: int) -> ResponseReturnValue:
    """Take in the photo of a player's window."""
    try:
        _, window = game_actions.take_photo(code, number, photos.uploaded(), photos.sent_id())
    except (InputError, UnreadPhotoError) as error:
        return table_page(find(code), error)
    return redirect(url_for("pages.show", record_id=window.id), 303)


@blueprint.post("/g/<code>/seats/<int:number>/own")
def put_own(code: str, number: int) -> ResponseReturnValue:
    """Take in a player's private objective, window card or favor tokens."""
    if "window" in request.form:
        choices = ChoicesChange(window=request.form["window"])
        game_actions.put_own(code, number, choices, whole("window_revision"))
    if "favor" in request.form:
        choices = ChoicesChange(favor_tokens=whole("favor"))
        game_actions.put_own(code, number, choices, whole("window_revision"))
    if "private" in request.form:
        choices = ChoicesChange(private=private_of("private"))
        game_actions.put_own(code, number, choices, whole("window_revision"))
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/ready")
def be_ready(code: str, number: int) -> ResponseReturnValue:
    """Note that a player is done, or not yet."""
    game_actions.be_ready(code, number, is_ready=request.form.get("ready") == "yes")
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/tool")
def use_tool(code: str, number: int) -> ResponseReturnValue:
    """Note that a player used a tool; without a name the last use is taken back."""
    if "tool" in request.form:
        with in_words_of_the_rules():
            tool = as_listed(request.form["tool"], Tool)
        game_actions.use_tool(code, number, tool)
    else:
        game_actions.take_back(code, number)
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/name")
def rename(code: str, number: int) -> ResponseReturnValue:
    """Call a player something else."""
    game_actions.rename(code, number, request.form.get("name", ""))
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/leave")
def leave(code: str, number: int) -> ResponseReturnValue:
    """Take a player out of the game, with window and photo."""
    game_actions.leave(code, number)
    return to_table(code)


@blueprint.post("/g/<code>/reopen")
def reopen(code: str) -> ResponseReturnValue:
    """Go back to the table, to put cards or players right."""
    game_actions.reopen(code)
    return to_table(code)
