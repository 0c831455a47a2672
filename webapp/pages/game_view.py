"""What the pages of a game show: the table, and after the reveal everybody's window."""

from __future__ import annotations

from typing import Any

from scoring import Color, HouseRule, PublicObjective, SoloResult, Standing, Tool
from webapp.companion.games.cards import (
    cost_of,
    is_used_up,
    last_use,
    missing_objectives,
    setup_of,
    tokens_on,
)
from webapp.companion.games.game import Game, Seat
from webapp.companion.games.kept import Ended
from webapp.companion.games.status import status_of
from webapp.companion.games.view import Status, Viewer, WindowState
from webapp.companion.history import play
from webapp.companion.history_push import push_link
from webapp.companion.outcome import Outcome
from webapp.companion.record import Record
from webapp.companion.tool_rules import TOOL_RULES
from webapp.pages import reading_view, texts
from webapp.web import context
from webapp.web.access import games, viewer
from webapp.web.language import gettext, ngettext, words


def table(game: Game) -> dict[str, Any]:
    """Return what the table page shows to this device."""
    who, windows = viewer(game), games().windows(game)
    rules = setup_of(game)
    return {
        "game": game,
        "host": who.is_host,
        "stranger": who.is_stranger,
        "players": [_player(game, seat, windows.get(seat.number), who) for seat in game.seats],
        "own": [
            _own(game, seat, windows[seat.number])
            for seat in game.seats
            if seat.number in who.seats and seat.number in windows
        ],
        "rules": rules,
        "objectives": [objective(card, chosen=card in game.public) for card in PublicObjective],
        "tools": [tool(game, card) for card in Tool],
        "house_rules": [
            {"name": rule.value, "label": words().name(rule), "on": rule in game.house_rules}
            for rule in HouseRule
        ],
        "missing": missing_objectives(game),
        "not_ready": [seat.name for seat in game.not_ready],
        "free_seats": game.most_seats - len(game.seats),
        "lost": _lost(game, who),
        "colors": {color.value: words().name(color) for color in Color},
    }


def objective(card: PublicObjective, *, chosen: bool) -> dict[str, Any]:
    """Return a public objective as its card is drawn."""
    return {
        "name": card.value,
        "label": words().name(card),
        "rule": words().say(card.rule),
        "points": card.points_each,
        "diagram": card.diagram,
        "chosen": chosen,
    }


def tool(game: Game, card: Tool) -> dict[str, Any]:
    """Return a tool card with what it costs now."""
    return {
        "name": card.value,
        "label": words().name(card),
        "rule": words().say(TOOL_RULES[card]),
        "number": card.number,
        "color": card.color.value,
        "color_label": words().name(card.color),
        "chosen": card in game.tools,
        "tokens": tokens_on(game, card),
        "cost": cost_of(game, card),
        "used_up": is_used_up(game, card),
    }


def status_words(status: Status) -> str:
    """Say how far a window is."""
    if status.window is WindowState.DOUBTFUL:
        return ngettext("%(num)d space to look at", "%(num)d spaces to look at", status.doubts)
    return {
        WindowState.NONE: gettext("no window yet"),
        WindowState.UNREAD: gettext("photo could not be read"),
        WindowState.DONE: gettext("window is there"),
    }[status.window]


def _lost(game: Game, who: Viewer) -> list[dict[str, Any]]:
    """Return the seats that moved from this device to another one; only the host makes that happen."""
    if who.is_host:
        return []
    there = [{"name": seat.name, "gone": False} for seat in game.seats if seat.number in who.lost]
    return there + [{"name": one.name, "gone": True} for one in game.gone if one.number in who.lost]


def _player(game: Game, seat: Seat, record: Record | None, who: Viewer) -> dict[str, Any]:
    """Return what everybody sees of a player."""
    status = status_of(record) if record else Status()
    return {
        "number": seat.number,
        "name": seat.name,
        "ready": seat.ready and not game.is_revealed,
        "own": seat.number in who.seats,
        "moved": bool(seat.former),
        "sign": status.window.value,
        "words": status_words(status),
    }


def _own(game: Game, seat: Seat, record: Record) -> dict[str, Any]:
    """Return what only the player sees."""
    status = status_of(record)
    back = last_use(game, seat.number)
    return {
        "number": seat.number,
        "name": seat.name,
        "ready": seat.ready,
        "record_id": record.id,
        "revision": record.revision,
        "window": status.window.value,
        "words": status_words(status),
        "private": record.choices.private_letter,
        "favor": record.choices.favor_tokens,
        "last_use": words().name(back.tool) if back else None,
    }


# --- After the reveal ------------------------------------------------------------------------------


def reveal(ended: Ended) -> dict[str, Any]:
    """Return what the page with all windows shows."""
    played = play(ended, context.known_windows())
    game, windows, outcome, solo = played.game, ended.windows, played.outcome, played.solo
    say = words().say
    who = viewer(game)
    seats = {seat.name: seat for seat in game.seats}
    return {
        "game": game,
        "host": who.is_host,
        "lost": _lost(game, who),
        "bg_stats_link": push_link(played),
        "players": [
            _shown(seats[entrant.name], windows[seats[entrant.name].number], standing, outcome, who)
            for entrant, standing in outcome.ranking
        ],
        "sentence": say(outcome.standings.sentence) if outcome.standings else None,
        "decisions": [say(one.sentence) for one in outcome.decisions],
        "remarks": [texts.message(one) for one in outcome.about_the_game()],
        "unranked": outcome.unranked,
        "tied": any(one.decided_by is None for one in outcome.decisions),
        "solo": _solo(solo) if solo else None,
        "objectives": [objective(card, chosen=True) for card in game.public],
    }


def _shown(
    seat: Seat, record: Record, standing: Standing | None, outcome: Outcome, who: Viewer
) -> dict[str, Any]:
    """Return one player's window with its points; never the id of it to anybody else."""
    own, judgement = seat.number in who.seats, outcome.judgements[seat.name]
    return {
        "number": seat.number,
        "name": seat.name,
        "place": standing.place if standing else None,
        "shared": standing.shared if standing else False,
        "own": own,
        "moved": bool(seat.former),
        "record_id": record.id if own else None,
        "revision": record.revision,
        **reading_view.judged_window(record, judgement, missing=0),
        "notices": [
            *map(texts.message, judgement.placement.notices),
            *map(texts.message, outcome.about(seat.name)),
        ],
    }


def _solo(solo: SoloResult) -> dict[str, Any]:
    say = words().say
    return {"won": solo.won, "sentence": say(solo.sentence), "why_private": say(solo.why_private)}
