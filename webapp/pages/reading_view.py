"""A record as the page shows it: cells, labels, score and problems in the visitor's language."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scoring import Board, KnownPatterns, Problem, WindowPattern, cell_name
from webapp.companion.games.cards import missing_objectives
from webapp.companion.games.game import Game
from webapp.companion.games.result import case_of
from webapp.companion.judging import Judgement, judge
from webapp.companion.question import Question
from webapp.companion.record import Record
from webapp.companion.remarks import NOT_ALL_COUNTED
from webapp.pages import texts
from webapp.pages.cells_view import cells_of, maybe_upside_down
from webapp.pages.geometry import view
from webapp.web import access, context
from webapp.web.language import gettext, ngettext, words


def judged(record: Record) -> Judgement:
    """Return what the rules say about a window, at its table where it belongs to one."""
    return judge(case_of(record, access.game_of(record.id), context.known_windows()))


def state(record: Record, question: Question | None = None) -> dict[str, Any]:
    """Return everything the templates need to show ``record``.

    Parameters
    ----------
    record
        The window.
    question
        What is asked about placing dice on it; its tools and house rules count where no table says which.
    """
    game, known = access.game_of(record.id), context.known_windows()
    case = case_of(record, game, known)
    if game is None and question is not None:
        case = replace(case, tools=question.tools, house_rules=question.house_rules)
    judgement = judge(case)
    shown = judged_window(record, judgement, missing_objectives(game) if game else None)
    corners = record.shown.corners if record.shown else None
    return {
        **shown,
        "id": record.id,
        "revision": record.revision,
        "board": str(case.board),
        "size": record.size,
        "corners": corners,
        "view": view(record.size, corners) if record.size else None,
        "doubtful": [cell for cell in shown["cells"] if cell["doubtful"]],
        "maybe_upside_down": maybe_upside_down(record),
        "judgement": judgement,
        "removals": _removals(judgement),
        "placement_note": _placement_note(record, case.card, known),
        "choices": {
            "public": [card.value for card in record.choices.public],
            "private": record.choices.private_letter,
            "window": record.choices.window,
            "favor_tokens": record.choices.favor_tokens,
        },
        "others": record.reading.other_windows if record.reading else 0,
        "table": _table(game, record),
        "public_count": gettext("%(number)s of 3 chosen", number=len(record.choices.public)),
    }


def judged_window(record: Record, judgement: Judgement, missing: int | None = None) -> dict[str, Any]:
    """Return the part of the state that is also shown at the reveal.

    Parameters
    ----------
    record, judgement
        The window, and what the rules say about it.
    missing
        How many public objectives are still to be chosen at its table, None without one.
    """
    board, card = judgement.case.board, judgement.case.card
    own = (one for one in judgement.remarks if one.code != NOT_ALL_COUNTED)  # the score says that itself
    return {
        "cells": cells_of(record, card),
        "window": _window(record, card, context.known_windows()),
        "score": _score(judgement, 3 - len(record.choices.public) if missing is None else missing),
        "problems": [_problem(problem) for problem in judgement.placement.problems],
        "notices": [*map(texts.message, judgement.placement.notices), *map(texts.message, own)],
        "placement_fine": _placement_fine(board, card),
    }


def _window(record: Record, card: WindowPattern | None, known: KnownPatterns) -> dict[str, Any]:
    return {
        "name": card.name if card else None,
        "label": words().name(card) if card else None,
        "difficulty": (card.difficulty or 0) if card else None,
        "auto_label": _auto_label(record, known),
        "missing": _missing(record, known),
        "can_be_kept": card is None and record.reading is not None,
        "left_behind": _left_behind(record, known),
    }


def public_state(shown: dict[str, Any]) -> dict[str, Any]:
    """Return the part of the state that the scripts work with, as plain data."""
    keys = ("name", "die", "doubtful", "candidates", "restriction", "label")
    return {
        "id": shown["id"],
        "revision": shown["revision"],
        "board": shown["board"],
        "size": shown["size"],
        "corners": shown["corners"],
        "view": vars(shown["view"]) if shown["view"] else None,
        "total": shown["score"]["total"],
        "cells": [{key: cell[key] for key in keys} for cell in shown["cells"]],
        "choices": shown["choices"],
        "publicCount": shown["public_count"],
        "autoLabel": shown["window"]["auto_label"],
    }


def summary(record: Record) -> dict[str, Any]:
    """Return the little that the list of last windows shows of a record."""
    cells = cells_of(record, None)
    return {
        "id": record.id,
        "created": record.created,
        "cells": cells,
        "lit": [cell["name"] for cell in cells],
        "total": None if record.failure else total_of(record, judged(record)),
    }


def total_of(record: Record, judgement: Judgement) -> int | None:
    """Return the points of a window, None before there is an objective to count."""
    return judgement.breakdown.total if record.choices.public or record.choices.private else None


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


def _score(judgement: Judgement, missing: int) -> dict[str, Any]:
    counted = judgement.breakdown
    lines = [
        {
            "card": line.name,
            "name": texts.line_name(line),
            "words": texts.line_words(line, judgement.case.board),
            "kind": line.kind.value,
            "formula": texts.line_formula(line),
            "points": line.points,
            "shown": str(line.points).replace("-", "−"),
            "cells": sorted({cell_name(cell) for group in line.groups for cell in group}),
        }
        for line in counted.lines
    ]
    note = ""
    if missing > 0:
        note = ngettext("Choose one more public objective.", "Choose %(num)d public objectives.", missing)
    elif not judgement.case.privates:
        note = gettext("Choose your private objective.")
    shown = str(counted.total).replace("-", "−")
    return {"total": counted.total, "shown": shown, "lines": lines, "missing": note}


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "cells": [cell_name(cell) for cell in problem.cells],
        "sentence": texts.message(problem),
        "rule": words().say(problem.rule),
    }


def _removals(judgement: Judgement) -> list[dict[str, Any]]:
    """Return which dice to take off so that no rule is broken: at the least cost, and the fewest dice."""
    found = judgement.removals
    if found is None:
        return []
    say = words().say
    listed = [(found.most_points, say(found.most_points.sentence))]
    if found.fewest_dice.cells != found.most_points.cells:
        advice = say(found.fewest_dice.sentence)
        listed.append((found.fewest_dice, gettext("With the fewest dice: %(advice)s", advice=advice)))
    return [
        {"cells": [cell_name(cell) for cell in removal.cells], "sentence": sentence}
        for removal, sentence in listed
    ]


def _placement_fine(board: Board, pattern: WindowPattern | None) -> str:
    if not any(True for _ in board.dice()):
        return gettext("No dice yet.")
    if pattern is None:
        return gettext("All dice go together.")
    return gettext("Every die lies as the rules want it.")


def _placement_note(record: Record, pattern: WindowPattern | None, known: KnownPatterns) -> str:
    missing = _missing(record, known)
    if missing is not None:
        return gettext(
            "The window card %(name)s is not known here, so printed colors and values were not checked.",
            name=missing,
        )
    if pattern is None:
        return gettext("The window card is not known, so printed colors and values were not checked.")
    if record.choices.window == "auto":
        return gettext(
            "Checked with the card %(name)s, as read from the photo.", name=texts.window_name(pattern)
        )
    return gettext("Checked with the card %(name)s.", name=texts.window_name(pattern))


def _missing(record: Record, known: KnownPatterns) -> str | None:
    """Return the name of the chosen window when nobody knows it (any more), None when all is well."""
    name = record.choices.window
    return None if name in {"auto", "unknown"} or name in set(known) else name


def _left_behind(record: Record, known: KnownPatterns) -> str | None:
    """Return the card that was chosen for the photo before and that this one contradicts, or None."""
    name = record.card_before if record.choices.window == "auto" else None
    return texts.window_name(known[name]) if name in set(known) and name else name


def _auto_label(record: Record, known: KnownPatterns) -> str:
    guess = record.recognized
    if guess and guess.name in set(known):
        percent = min(99, round(100 * guess.probability))  # nobody is wholly sure
        name = texts.window_name(known[guess.name])
        return gettext("As read: %(name)s (%(percent)s %%)", name=name, percent=percent)
    return gettext("As read: not recognized") if record.reading else gettext("Not chosen")
