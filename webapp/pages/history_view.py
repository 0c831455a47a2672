"""What the page of the games so far shows, in the visitor's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring import ALL_CELLS, Board, cell_name
from webapp.companion.history import GAMES_A_PAGE, Numbers, Play, PlayedWindow, SoloNumbers, Statistics
from webapp.pages import texts
from webapp.web.access import viewer
from webapp.web.language import moment, one_place, words

BAR_WIDTH = 100


def page_of(plays: Sequence[Play], number: int) -> dict[str, Any]:
    """Return one page of the list of games, with the numbers of the pages of newer and older ones.

    Parameters
    ----------
    plays
        All games, newest first.
    number
        The page that was asked for, from 1; the nearest one is shown where there is none.
    """
    last = max(1, -(-len(plays) // GAMES_A_PAGE))
    here = min(max(1, number), last)
    shown = plays[GAMES_A_PAGE * (here - 1) : GAMES_A_PAGE * here]
    return {
        "games": [_game(one) for one in shown],
        "number": here,
        "newer": here - 1 if here > 1 else None,
        "older": here + 1 if here < last else None,
    }


def numbers(told: Statistics) -> dict[str, Any]:
    """Return what all games add up to, with the lengths of the bars."""
    say = words()
    return {
        "games": told.games,
        "totals": _points(told.totals),
        "best_names": list(dict.fromkeys(one.name for one in told.best)),
        "players": _bars([{"label": one.thing, "won": one.won, **_row(one.points)} for one in told.players]),
        "objectives": _bars(
            [
                {
                    "label": say.name(one.thing),
                    "diagram": one.thing.diagram,
                    **_row(one.points),
                }
                for one in told.objectives
            ]
        ),
        "windows": _bars(
            [{"label": texts.window_name(one.thing), **_row(one.points)} for one in told.windows]
        ),
        "solo": _solo(told.solo),
    }


def _game(play: Play) -> dict[str, Any]:
    """Return a game of the list; what the tie-break said only where it decided the first place."""
    say = words()
    solo = play.solo
    told = solo or play.outcome.standings
    return {
        "code": play.game.code,
        "date": play.revealed.isoformat(timespec="seconds"),
        "when": moment(play.revealed),
        "solo": play.game.solo,
        "sentence": say.say(told.sentence) if told else None,
        "won": solo.won if solo else None,
        "tie": say.say(play.tie.sentence) if play.tie else None,
        "players": [_player(one) for one in play.ranking],
        "objectives": [
            {"label": say.name(card), "diagram": card.diagram} for card in play.game.public
        ],
        "may_delete": viewer(play.game).is_host,
    }


def _player(player: PlayedWindow) -> dict[str, Any]:
    return {
        "name": player.name,
        "place": player.place,
        "shared": player.shared,
        "total": _minus(player.total),
        "window": texts.window_name(player.window) if player.window else None,
        "cells": _cells(player.board),
    }


def _cells(board: Board) -> list[dict[str, Any]]:
    """Return the spaces of a window as the small picture of it wants them."""
    return [
        {
            "name": cell_name(cell),
            "row": cell[0],
            "column": cell[1],
            "color": die.color.value if (die := board[cell]) else None,
        }
        for cell in ALL_CELLS
    ]


def _solo(told: SoloNumbers) -> dict[str, Any] | None:
    if not told.games:
        return None
    return {"games": told.games, "won": told.won, "lost": told.lost, "totals": _points(told.totals)}


def _points(told: Numbers | None) -> dict[str, Any] | None:
    if told is None:
        return None
    return {"times": told.times, "average": one_place(told.average), "best": _minus(told.best)}


def _row(told: Numbers) -> dict[str, Any]:
    return {"value": told.average, **(_points(told) or {})}


def _bars(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows with the length of each bar; the highest average has the longest, none is below 0."""
    longest = max((row["value"] for row in rows), default=0)
    for row in rows:
        row["bar"] = round(BAR_WIDTH * max(0, row["value"]) / longest, 1) if longest > 0 else 0
    return rows


def _minus(points: int) -> str:
    return str(points).replace("-", "−")
