"""What the pages of a game show: the table, and after the reveal everybody's window."""

from __future__ import annotations

from typing import Any

from flask import url_for

from scoring import Color, PublicObjective, Tool
from scoring.solo import TOOL_COLORS
from webapp import diagrams, present, words
from webapp.game_access import games, viewer
from webapp.games.cards import cost_of, is_used_up, last_use, missing_objectives, setup_of, tokens_on
from webapp.games.game import Game, Seat
from webapp.games.result import Result, result, toolbox
from webapp.games.status import status_of
from webapp.games.view import Status, Viewer, WindowState, public_view
from webapp.language import gettext, ngettext
from webapp.storage import Record
from webapp.tool_words import TOOL_RULES


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
        "missing": missing_objectives(game),
        "not_ready": [seat.name for seat in game.not_ready],
        "free_seats": game.most_seats - len(game.seats),
        "lost": _lost(game, who),
        "colors": {color.value: words.game_words().name(color) for color in Color},
    }


def objective(card: PublicObjective, *, chosen: bool) -> dict[str, Any]:
    """Return a public objective as its card is drawn."""
    return {
        "name": card.value,
        "label": words.game_words().name(card),
        "rule": words.RULES[card],
        "points": card.points_each,
        "diagram": diagrams.OBJECTIVES[card],
        "chosen": chosen,
    }


def tool(game: Game, card: Tool) -> dict[str, Any]:
    """Return a tool card with what it costs now."""
    return {
        "name": card.value,
        "label": words.game_words().name(card),
        "rule": TOOL_RULES[card],
        "number": card.number,
        "color": TOOL_COLORS[card].value,
        "color_label": words.game_words().name(TOOL_COLORS[card]),
        "chosen": card in game.tools,
        "tokens": tokens_on(game, card),
        "cost": cost_of(game, card),
        "used_up": is_used_up(game, card),
    }


def statuses(game: Game) -> dict[int, Status]:
    """Return how far the windows of a game are."""
    return {number: status_of(record) for number, record in games().windows(game).items()}


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
        "private": record.choices.private,
        "favor": record.choices.favor,
        "last_use": words.game_words().name(back.tool) if back else None,
    }


# --- After the reveal ------------------------------------------------------------------------------


def reveal(game: Game) -> dict[str, Any]:
    """Return what the page with all windows shows."""
    windows = games().windows(game)
    ended = result(game, windows)
    say = words.game_words().say
    who = viewer(game)
    order, places = _order(game, ended)
    decisions = ended.standings.decisions if ended.standings else ()
    return {
        "game": game,
        "host": who.is_host,
        "lost": _lost(game, who),
        "players": [_shown(game, seat, windows[seat.number], places, who) for seat in order],
        "sentence": say(ended.standings.sentence) if ended.standings else None,
        "decisions": [say(one.sentence) for one in decisions],
        "unranked": [seat.name for seat in ended.unranked],
        "tied": any(one.decided_by is None for one in decisions),
        "solo": _solo(ended),
        "objectives": [objective(card, chosen=True) for card in game.public],
    }


def _order(game: Game, ended: Result) -> tuple[list[Seat], dict[str, tuple[int, bool]]]:
    """Return the players best first, and their places (with whether it is shared) by name."""
    seats = [seat for seat in game.seats if seat.number in ended.breakdowns]
    if ended.standings is None:
        return seats, {}
    places = {one.name: (one.place, one.shared) for one in ended.standings.places}
    listed = [one.name for one in ended.standings.places]
    last = len(listed)
    return sorted(seats, key=lambda seat: listed.index(seat.name) if seat.name in listed else last), places


def _shown(
    game: Game, seat: Seat, record: Record, places: dict[str, tuple[int, bool]], who: Viewer
) -> dict[str, Any]:
    """Return one player's window with its points; never the id of it to anybody else."""
    state = present.state(record, toolbox(game))
    place, shared = places.get(seat.name, (None, False))
    own = seat.number in who.seats
    return {
        "number": seat.number,
        "name": seat.name,
        "place": place,
        "shared": shared,
        "own": own,
        "moved": bool(seat.former),
        "record_id": record.id if own else None,
        "revision": record.revision,
        **{key: state[key] for key in ("cells", "score", "problems", "placement_fine", "window")},
    }


def _solo(ended: Result) -> dict[str, Any] | None:
    if ended.solo is None:
        return None
    say = words.game_words().say
    return {
        "won": ended.solo.won,
        "sentence": say(ended.solo.sentence),
        "why_private": say(ended.solo.why_private),
    }


# --- For programs ----------------------------------------------------------------------------------


def as_json(game: Game) -> dict[str, Any]:
    """Return the state of a game for this device, with the scores after the reveal."""
    told = public_view(game, viewer(game), statuses(game))
    return {**told, "result": _result_json(game) if game.is_revealed else None}


def _result_json(game: Game) -> dict[str, Any]:
    windows = games().windows(game)
    ended = result(game, windows)
    say = words.game_words()
    return {
        "players": [
            {
                "seat": seat.number,
                "name": seat.name,
                "board": windows[seat.number].board,
                "private": windows[seat.number].choices.private,
                "favor": windows[seat.number].choices.favor,
                "picture": url_for("art.revealed_window", code=game.code, number=seat.number),
                **{key: ended.breakdowns[seat.number].to_json()[key] for key in ("total", "lines")},
            }
            for seat in game.seats
            if seat.number in windows
        ],
        "standings": ended.standings.to_json(say) if ended.standings else None,
        "unranked": [seat.name for seat in ended.unranked],
        "solo": ended.solo.to_json(words=say)["solo"] if ended.solo else None,
    }
