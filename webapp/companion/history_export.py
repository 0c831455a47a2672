"""Games for other programs: files that people keep or open in a spreadsheet, a link for Board Game Stats."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from scoring import Line, LineKind, PublicObjective, Words
from scoring.sentences import ENGLISH
from webapp.companion.games.cards import tokens_on
from webapp.companion.games.names import name_key
from webapp.companion.history import Play, PlayedWindow
from webapp.companion.outcome import decision_to_json
from webapp.companion.plain import lines_to_json, solo_to_json

SCHEMA = 1
"""The number of the form of the JSON file; it grows when a key is taken away or changes its meaning."""

BG_STATS = "https://app.bgstatsapp.com/createPlay.html"
SAGRADA_ON_BGG = 199561

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
"""What a spreadsheet may take for a formula when a cell begins with it."""

COLUMNS = (
    *("game", "date", "solo", "seat", "name", "place", "shared_place", "won", "total", "target"),
    *("window", "difficulty", "private", "private_points", "favor_tokens", "empty_spaces"),
    *(card.value for card in PublicObjective),
    *("last_round_turn", "board"),
)
"""The columns of the CSV file; a public objective that was not in play stays empty."""


# --- JSON ------------------------------------------------------------------------------------------


def to_json(plays: Iterable[Play]) -> str:
    """Return games as a JSON document, with names and sentences in English in every language."""
    document = {"schema": SCHEMA, "game": "Sagrada", "games": [game_json(one) for one in plays]}
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def game_json(play: Play, words: Words = ENGLISH) -> dict[str, Any]:
    """Return one game as plain data, with sentences in one language.

    What gives access to it is left out: tokens and ids of windows.
    """
    game, outcome = play.game, play.outcome
    return {
        "code": game.code,
        "created": _moment(play.created),
        "revealed": _moment(play.revealed),
        "solo": game.solo,
        "public": [card.value for card in game.public],
        "tools": [{"name": tool.value, "tokens": tokens_on(game, tool)} for tool in game.tools],
        "uses": [{"tool": use.tool.value, "seat": use.seat, "tokens": use.tokens} for use in game.uses],
        "order_known": game.order_known,
        "players": [_player_json(one, words) for one in play.players],
        "house_rules": [rule.value for rule in game.house_rules],
        "winners": [one.name for one in outcome.standings.winners] if outcome.standings else [],
        "decisions": [decision_to_json(one, words) for one in outcome.decisions],
        "unranked": list(outcome.unranked),
        "target": game.target,
        "second_private": game.second_private.value if game.second_private else None,
        "solo_result": solo_to_json(play.solo, words) if play.solo else None,
    }


def _player_json(player: PlayedWindow, words: Words) -> dict[str, Any]:
    window = player.window
    return {
        "seat": player.number,
        "name": player.name,
        "place": player.place,
        "shared": player.shared,
        "last_round_turn": player.last_round_turn,
        "board": str(player.board),
        "window": {"name": window.name, "difficulty": window.difficulty, "pattern": str(window)}
        if window
        else None,
        "private": player.private.value if player.private else None,
        "favor_tokens": player.favor_tokens,
        "total": player.total,
        "lines": lines_to_json(player.breakdown, words),
    }


# --- CSV -------------------------------------------------------------------------------------------


def to_csv(plays: Iterable[Play]) -> str:
    """Return one row for each player of each game, as RFC 4180 wants it, after a byte order mark.

    The mark tells spreadsheets that the letters are in UTF-8.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for one in plays:
        for player in one.players:
            row = _row(one, player)
            writer.writerow([_cell(row[column]) for column in COLUMNS])
    return "\N{ZERO WIDTH NO-BREAK SPACE}" + file.getvalue()


def _row(play: Play, player: PlayedWindow) -> dict[str, str | int | None]:
    solo = play.solo
    private = solo.private if solo else player.private
    lines = player.breakdown.lines
    return {
        "game": play.game.code,
        "date": _moment(play.revealed),
        "solo": int(play.game.solo),
        "seat": player.number,
        "name": player.name,
        "place": player.place,
        "shared_place": int(player.shared),
        "won": _won(play, player),
        "total": player.total,
        "target": play.game.target,
        "window": player.window.name if player.window else None,
        "difficulty": player.window.difficulty if player.window else None,
        "private": private.value if private else None,
        "private_points": player.breakdown.private_points,
        "favor_tokens": player.breakdown.favor_tokens,
        "empty_spaces": len(player.board.empty_cells()),
        **{card.value: _points(lines, card) for card in PublicObjective},
        "last_round_turn": player.last_round_turn,
        "board": str(player.board),
    }


def _won(play: Play, player: PlayedWindow) -> int | None:
    """Return 1 for who won, 0 for who did not, None where nobody knows."""
    if play.game.solo:
        return int(play.solo.won) if play.solo else None
    return int(player.place == 1) if player.place is not None else None


def _points(lines: Iterable[Line], card: PublicObjective) -> int | None:
    return next(
        (line.points for line in lines if line.kind is LineKind.PUBLIC and line.name == card.value), None
    )


def _cell(value: str | int | None) -> str | int:
    """Return what is written: a number as it is, and a text that is no formula to any spreadsheet.

    A text that looks like one gets an apostrophe in front. Whoever reads the file by program takes one
    apostrophe away where a formula's sign follows the apostrophes.
    """
    if value is None:
        return ""
    if isinstance(value, str) and _FORMULA.match(value):
        return "'" + value
    return value


def _moment(when: datetime) -> str:
    return when.isoformat(timespec="seconds")


# --- Board Game Stats ------------------------------------------------------------------------------


def push_link(play: Play) -> str | None:
    """Return the address that hands a play over to the app, None while nobody has a result.

    The app's makers describe the form on bgstatsapp.com under "Push plays to BG Stats from other apps or
    websites". The program itself sends nothing: the link is there for people to tap.
    """
    if play.outcome.standings is None and play.solo is None:
        return None
    payload = json.dumps(push_data(play), ensure_ascii=False, separators=(",", ":"))
    return f"{BG_STATS}?data={quote(payload, safe='')}"


def push_data(play: Play) -> dict[str, Any]:
    """Return what the app is sent.

    Every yes or no is there although the form does not ask for it: others report that the app on Android
    stops without them. A game that is handed over again has the same id, and a player the same one in every
    game.
    """
    return {
        "sourceName": "Sagrada Companion",
        "sourcePlayId": f"{play.game.code}-{int(play.created.timestamp())}",
        "playDate": play.revealed.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {
            "name": "Sagrada",
            "sourceGameId": "sagrada",
            "bggId": SAGRADA_ON_BGG,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [_pushed(play, one) for one in play.players],
    }


def _pushed(play: Play, player: PlayedWindow) -> dict[str, Any]:
    solo = play.solo
    place = 1 if play.game.solo else player.place
    starts = play.game.solo or (play.game.order_known and play.game.seats[0].number == player.number)
    return {
        "name": player.name,
        "sourcePlayerId": name_key(player.name),
        "score": player.total,
        "winner": solo.won if solo else place == 1,
        "startPlayer": starts,
        **({"rank": place} if place is not None else {}),
    }
