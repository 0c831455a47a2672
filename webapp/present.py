"""A record as the page shows it: cells, labels, score and problems in the visitor's language."""

from __future__ import annotations

from typing import Any

from scoring import (
    Board,
    Color,
    Problem,
    PublicObjective,
    Toolbox,
    WindowPattern,
    cell_name,
    placement_problems,
)
from scoring.removals import best_removals
from webapp import context, game_access, words
from webapp.games.cards import missing_objectives
from webapp.games.game import Game
from webapp.games.result import breakdown, toolbox
from webapp.geometry import view
from webapp.language import gettext, ngettext
from webapp.present_cells import cells_of, corners_of, maybe_upside_down
from webapp.storage import Record


def pattern_of(record: Record) -> WindowPattern | None:
    """Return the window card under the dice: the chosen one, or the one that was read."""
    name: str | None = record.choices.window
    if name == "auto":
        # The reader named the card for its own orientation; turned by hand, that name says nothing.
        guess = None if record.turned or not record.reading else record.reading.get("window")
        name = guess["name"] if guess else None
    return _known(name)


def _known(name: str | None) -> WindowPattern | None:
    """Return the window of exactly that name, None when it is not known (any more)."""
    known = context.known_windows()
    return known[name] if name in set(known) else None


def state(record: Record, tools: Toolbox | None = None) -> dict[str, Any]:
    """Return everything the templates need to show ``record``; ``tools`` may excuse placement problems.

    For the window of a seat the table says which tools and how many public objectives there are.
    """
    board = Board.parse(record.board)
    game = game_access.game_of(record.id)
    if tools is None and game is not None:
        tools = toolbox(game)
    pattern = pattern_of(record)
    cells = cells_of(record, board, pattern)
    problems = placement_problems(board, pattern, tools or ())
    missing = missing_objectives(game) if game else 3 - len(record.choices.public)
    return {
        "id": record.id,
        "revision": record.revision,
        "board": record.board,
        "size": record.size,
        "corners": corners_of(record),
        "view": view(record.size, corners_of(record)) if record.size else None,
        "cells": cells,
        "doubtful": [cell for cell in cells if cell["doubtful"]],
        "maybe_upside_down": maybe_upside_down(record),
        "window": {
            "name": pattern.name if pattern else None,
            "label": words.game_words().name(pattern) if pattern else None,
            "difficulty": (pattern.difficulty or 0) if pattern else None,
            "auto_label": _auto_label(record),
            "missing": _missing(record),
            "can_be_kept": pattern is None and record.reading is not None,
            "left_behind": _left_behind(record),
        },
        "score": _score(record, game, missing),
        "problems": [_problem(problem) for problem in problems],
        "removals": _removals(record, board, pattern, tools) if problems else [],
        "placement_fine": _placement_fine(board, pattern),
        "placement_note": _placement_note(record, pattern),
        "choices": record.choices,
        "others": record.reading["other_windows"] if record.reading else 0,
        "table": _table(game, record),
        "public_count": gettext("%(number)s of 3 chosen", number=len(record.choices.public)),
    }


def public_state(shown: dict[str, Any]) -> dict[str, Any]:
    """Return the part of the state that the scripts work with, as plain data."""
    keys = ("name", "die", "doubtful", "candidates", "restriction", "label")
    choices = shown["choices"]
    return {
        "id": shown["id"],
        "revision": shown["revision"],
        "board": shown["board"],
        "size": shown["size"],
        "corners": shown["corners"],
        "view": vars(shown["view"]) if shown["view"] else None,
        "window": shown["window"]["name"],
        "total": shown["score"]["total"],
        "lines": [
            {k: line[k] for k in ("name", "points", "formula", "cells")} for line in shown["score"]["lines"]
        ],
        "problems": shown["problems"],
        "removals": shown["removals"],
        "cells": [{key: cell[key] for key in keys} for cell in shown["cells"]],
        "choices": {
            "public": list(choices.public),
            "private": choices.private,
            "window": choices.window,
            "favor": choices.favor,
        },
        "publicCount": shown["public_count"],
        "autoLabel": shown["window"]["auto_label"],
    }


def summary(record: Record) -> dict[str, Any]:
    """Return the little that the list of last windows shows of a record."""
    board = Board.parse(record.board)
    cells = cells_of(record, board, None)
    choices = record.choices
    total = None if record.failure else breakdown(record, game_access.game_of(record.id)).total
    return {
        "id": record.id,
        "created": record.created,
        "cells": cells,
        "lit": [cell["name"] for cell in cells],
        "total": total if choices.public or choices.private else None,
    }


def _table(game: Game | None, record: Record) -> dict[str, Any] | None:
    """Return what the page of a window says of the table it belongs to, None without one."""
    if game is None:
        return None
    return {
        "code": game.code,
        "solo": game.solo,
        "name": next(seat.name for seat in game.seats if seat.record_id == record.id),
        "revealed": game.is_revealed,
    }


def _score(record: Record, game: Game | None, missing: int) -> dict[str, Any]:
    counted = breakdown(record, game)
    board = Board.parse(record.board)
    lines = [
        {
            "name": words.line_name(line),
            "words": words.line_words(line, board),
            "kind": line.kind.value,
            "formula": words.line_formula(line),
            "points": line.points,
            "shown": str(line.points).replace("-", "−"),
            "cells": sorted({cell_name(cell) for group in line.groups for cell in group}),
        }
        for line in counted.lines
    ]
    note = ""
    if missing > 0:
        note = ngettext("Choose one more public objective.", "Choose %(num)d public objectives.", missing)
    elif not record.choices.private:
        note = gettext("Choose your private objective.")
    shown = str(counted.total).replace("-", "−")
    return {"total": counted.total, "shown": shown, "lines": lines, "missing": note}


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "cells": [cell_name(cell) for cell in problem.cells],
        "sentence": words.problem_sentence(problem),
        "rule": words.game_words().say(problem.rule),
    }


def _removals(
    record: Record, board: Board, pattern: WindowPattern | None, tools: Toolbox | None
) -> list[dict[str, Any]]:
    """Return which dice to take off so that no rule is broken: at the least cost, and the fewest dice."""
    choices = record.choices
    public = [PublicObjective(name) for name in choices.public]
    private = Color(choices.private) if choices.private else None
    found = best_removals(board, pattern, public, private, tools or ())
    say = words.game_words().say
    told = [(found.most_points, say(found.most_points.sentence))]
    if found.fewest_dice.cells != found.most_points.cells:
        advice = say(found.fewest_dice.sentence)
        told.append((found.fewest_dice, gettext("With the fewest dice: %(advice)s", advice=advice)))
    return [
        {"cells": [cell_name(cell) for cell in removal.cells], "sentence": sentence}
        for removal, sentence in told
    ]


def _placement_fine(board: Board, pattern: WindowPattern | None) -> str:
    if not any(True for _ in board.dice()):
        return gettext("No dice yet.")
    if pattern is None:
        return gettext("All dice go together.")
    return gettext("Every die lies as the rules want it.")


def _placement_note(record: Record, pattern: WindowPattern | None) -> str:
    missing = _missing(record)
    if missing is not None:
        return gettext(
            "The window card %(name)s is not known here, so printed colors and values were not checked.",
            name=missing,
        )
    if pattern is None:
        return gettext("The window card is not known, so printed colors and values were not checked.")
    if record.choices.window == "auto":
        return gettext(
            "Checked with the card %(name)s, as read from the photo.", name=words.window_name(pattern)
        )
    return gettext("Checked with the card %(name)s.", name=words.window_name(pattern))


def _missing(record: Record) -> str | None:
    """Return the name of the chosen window when nobody knows it (any more), None when all is well."""
    name = record.choices.window
    return None if name in {"auto", "unknown"} or _known(name) is not None else name


def _left_behind(record: Record) -> str | None:
    """Return the card that was chosen for the photo before and that this one contradicts, or None."""
    name = record.card_before if record.choices.window == "auto" else None
    pattern = _known(name)
    return words.window_name(pattern) if pattern else name


def _auto_label(record: Record) -> str:
    guess = record.reading.get("window") if record.reading and not record.turned else None
    pattern = _known(guess["name"]) if guess else None
    if guess and pattern is not None:
        percent = min(99, round(100 * guess["probability"]))  # nobody is wholly sure
        return gettext("As read: %(name)s (%(percent)s %%)", name=words.window_name(pattern), percent=percent)
    return gettext("As read: not recognized") if record.reading else gettext("Not chosen")
