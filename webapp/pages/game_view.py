"""What the pages of a game show: the table, and after the reveal everybody's window."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

from flask import request, url_for

from scoring import Notice
from webapp.companion.games.cards import (
    cost_of,
    is_used_up,
    last_use,
    missing_objectives,
    setup_of,
    tokens_on,
)
from webapp.companion.games.dealing import Deal, dealt_to, to_deal
from webapp.companion.games.game import Game
from webapp.companion.games.rematch import next_beginner
from webapp.companion.games.result import Ended, tokens_left
from webapp.companion.games.rounds import is_last_turn, place_in, turns_of
from webapp.companion.games.view import Status, Viewer, WindowState, statuses_of
from webapp.companion.history import play
from webapp.companion.history_export import push_link
from webapp.companion.record import Record, card_of
from webapp.companion.remarks import Remark
from webapp.companion.tool_rules import rule_of
from webapp.pages import reading_view
from webapp.pages.score_sheet import sheet_of
from webapp.web import context, own_tools
from webapp.web.access import games, viewer
from webapp.web.language import gettext, ngettext, words

STAGED_FOR = timedelta(hours=3)
"""How long after the reveal a device that comes to it sees it staged; later people look something up."""


def table(game: Game) -> dict[str, Any]:
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


def reveal(ended: Ended) -> dict[str, Any]:
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
