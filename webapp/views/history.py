"""The games so far: the page, its files, and the way to hand a play over to another app.

Only revealed games are looked at. A game in play appears nowhere here, nor does one whose reveal was closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Response, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from scoring.sentences import minus
from webapp.domain.errors import InputError
from webapp.domain.games.codes import typed_code
from webapp.domain.history import GAMES_A_PAGE, Career, Duel, Play, Row, career, statistics, to_csv, to_json
from webapp.drawing.charts import SERIES, Bar, Dot, Part, Series, bars, lines
from webapp.http.faces import Nothing, Pages, Sent, gone
from webapp.http.preferences import gettext, list_separator, moment, ngettext, one_place, wants_json
from webapp.services import games
from webapp.services.access import play_of, plays, viewer
from webapp.views.frame import paged

MOST_ROWS = 100  # of a table about one player
MOST_GAMES = 24  # more dots than this run into each other on a phone


@dataclass(frozen=True)
class Charts:
    """The charts about several players.

    ``played`` are the games in the first of them, oldest first, each with the totals of who is drawn; the
    pictures are None where there is too little to draw.
    """

    careers: tuple[Career, ...]
    played: tuple[tuple[Play, str], ...]
    over_time: Markup | None
    won: Markup | None
    sources: Markup | None


def of_all(plays: Sequence[Play], players: Sequence[Row[str]]) -> Charts:
    """Return the charts of those of the players who played most; the games are given newest first."""
    by_games = sorted(players, key=lambda row: -row.points.times)[:SERIES]
    most = tuple(career(plays, row.thing) for row in by_games)
    games = {one.play.game.code: one.play for career in most for one in career.games}
    played = sorted(games.values(), key=lambda play: (play.revealed, play.game.code))[-MOST_GAMES:]
    listed = tuple((play, _totals(play, most)) for play in played)
    if len(played) < 2:
        return Charts(most, listed, None, None, sources(most) if most else None)
    by_wins = sorted(most, key=lambda one: (-one.won, one.name))
    won = [_won(one, max(len(one.games) for one in most)) for one in by_wins]
    drawn = Markup(bars(won, title=gettext("Games won")))  # noqa: S704  names are escaped where it is drawn
    return Charts(most, listed, over_time(most, played), drawn, sources(most))


def over_time(careers: Sequence[Career], played: Sequence[Play]) -> Markup:
    """Draw the totals of players, game after game; ``played`` are the games, oldest first."""
    at = {play.game.code: place for place, play in enumerate(played)}
    series = []
    for look, one in enumerate(careers):
        dots = tuple(
            Dot(
                at[game.play.game.code],
                game.window.total,
                f"{one.name}, {moment(game.play.revealed)}: {minus(game.window.total)}",
            )
            for game in one.games
            if game.play.game.code in at
        )
        if dots:
            series.append(Series(one.name, look, dots))
    first, last = (moment(play.revealed).split()[0].rstrip(",") for play in (played[0], played[-1]))
    ends = {"first": first, "last": last if last != first else ""}
    return Markup(lines(series, **ends, title=gettext("Totals over time")))  # noqa: S704  names are escaped where it is drawn


def own_time(career: Career) -> Markup | None:
    """Draw one player's totals, None before there are two."""
    games = [one.play for one in career.games][-MOST_GAMES:]
    return over_time([career], games) if len(games) > 1 else None


def sources(careers: Sequence[Career]) -> Markup:
    """Draw where the points came from, in the mean of each player's windows."""
    rows = []
    for one in careers:
        mean = one.sources
        parts = [
            ("empty", mean.empty_cells),
            ("public", mean.public),
            ("private", mean.private),
            ("tokens", mean.favor_tokens),
        ]
        drawn = tuple(Part(kind, value, one_place(value)) for kind, value in parts)
        rows.append(Bar(one.name, one_place(one.points.average), drawn))
    return Markup(bars(rows, title=gettext("Where the points come from")))  # noqa: S704  names are escaped where it is drawn


def duel(found: Duel) -> Markup:
    """Draw how often each of two players was ahead."""
    counts = [("won", found.won), ("tied", found.tied), ("lost", found.lost)]
    parts = tuple(Part(kind, value, str(value)) for kind, value in counts)
    met = ngettext("%(num)d game", "%(num)d games", len(found.meetings))
    row = Bar(f"{found.one} – {found.other}", met, parts)
    return Markup(bars([row], title=gettext("Head to head")))  # noqa: S704  names are escaped where it is drawn


CHARTS = {one.__name__: one for one in (over_time, own_time, sources, duel)}
"""What the page of a player draws."""


def _totals(play: Play, careers: Sequence[Career]) -> str:
    """Return the totals of a game in words, of the players who are drawn."""
    seats = {one.window.number: one.window for career in careers for one in career.games if one.play is play}
    best_first = sorted(seats.values(), key=lambda window: -window.total)
    return ", ".join(f"{window.name} {minus(window.total)}" for window in best_first)


def _won(career: Career, most: int) -> Bar:
    """Return the bar of a player's wins; one game is as long for everybody."""
    rest = most - career.won
    parts = (Part("won", career.won, str(career.won)), Part("none", rest, ""))
    return Bar(career.name, f"{career.won} / {len(career.games)}", parts)


blueprint = Pages("history", __name__)

KINDS = {
    "json": (to_json, "application/json"),
    "csv": (lambda listed: to_csv(listed, list_separator()), "text/csv"),
}


@blueprint.get("/history")
def show() -> ResponseReturnValue:
    """List the games so far and what they add up to; as JSON they are the file of all games."""
    listed = plays()
    if wants_json():
        return _file(listed, "json", "sagrada-games")
    return render_template(
        "history.html",
        page=paged(listed, request.args.get("page", 1, type=int), GAMES_A_PAGE),
        numbers=(numbers := statistics(listed)),
        charts=of_all(listed, numbers.players),
        viewer=viewer,
        one_place=one_place,
    )


@blueprint.get("/history/player")
def player() -> ResponseReturnValue:
    """Show the games of one player, and against another one where that is asked for."""
    found = career(plays(), request.args.get("name", ""))
    other = request.args.get("other")
    return render_template(
        "player.html",
        career=found,
        duel=found.duel(other) if other else None,
        charts=CHARTS,
        most_rows=MOST_ROWS,
        one_place=one_place,
    )


@blueprint.get("/history/export.<any(json, csv):kind>")
def export(kind: str) -> ResponseReturnValue:
    """Hand out all revealed games as a file."""
    return _file(plays(), kind, "sagrada-games")


@blueprint.get("/g/<code>/export.<any(json, csv):kind>")
def export_game(code: str, kind: str) -> ResponseReturnValue:
    """Hand out one revealed game as a file."""
    found = play_of(typed_code(code))
    return _file([found], kind, f"sagrada-{found.game.code}")


class Sure(Sent):
    """Says that it is meant."""

    sure: bool = False


@blueprint.post("/history/<code>/delete", answers=Nothing, takes=Sure)
def delete(code: str, sent: Sure) -> ResponseReturnValue:
    """Remove a game with all windows and photos for good (host)."""
    if not sent.sure:
        raise InputError("not_confirmed")
    games.delete(code)
    return gone("history.show")


def _file(listed: list[Play], kind: str, name: str) -> Response:
    write, mimetype = KINDS[kind]
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"', "Cache-Control": "no-store"}
    return Response(write(listed), content_type=f"{mimetype}; charset=utf-8", headers=headers)
