"""A photo of the whole table as its page shows it: outlines, marks, doubts and what comes next."""

from __future__ import annotations

from typing import Any

from scoring.game.setup import MOST_PLAYERS
from vision.table import CARDS, LooseDie
from webapp.companion.games.game import FEWEST_PLAYERS, Game
from webapp.companion.record import Record
from webapp.companion.table_photo import MOST_PUBLIC, Purpose, TablePhoto, tools_of
from webapp.companion.tables import about_table
from webapp.pages import reading_view, texts
from webapp.pages.geometry import close_up
from webapp.web import table_actions
from webapp.web.access import find
from webapp.web.errors import problem_of
from webapp.web.language import gettext, ngettext, words

DICE_ONLY = frozenset({Purpose.POOL, Purpose.TRACK})
MARGIN = 3.0  # around loose dice that are shown alone, in edges of a die
ROOM = 0.75  # around a die or a card in its close-up, of its size


def state(photo: TablePhoto) -> dict[str, Any]:
    """Return everything the templates need to show a photo of the table."""
    records = table_actions.windows(photo)
    counts = photo.purpose is Purpose.SCORE
    windows = [_window(photo, number, one, counts=counts) for number, one in enumerate(records, start=1)]
    if photo.purpose in DICE_ONLY:
        windows = []
    dice = [_die(photo, index, die) for index, die in enumerate(photo.loose_dice)]
    made = table_actions.made_game(photo) if counts else None
    return {
        "photo": photo,
        "purpose": photo.purpose.value,
        "windows": windows,
        "dice": dice,
        "cards": [_card(index, photo) for index in range(len(photo.cards))],
        "unread": [
            {"center": one.center, "what": one.what, "problem": problem_of(one.failure.error())}
            for one in photo.unread
            if photo.purpose not in DICE_ONLY or one.what == "die"
        ],
        "crop": _crop(photo) if photo.purpose in DICE_ONLY else None,
        "unit": max(photo.size) / 100,
        "progress": _progress(photo, len(records)),
        "problem": problem_of(photo.failure.error()) if photo.failure else None,
        "notices": _notices(photo, len(records)),
        "read_as": ", ".join(dict.fromkeys(name for one in records if (name := _read_as(one)))),
        "advice": [words().say(one.sentence, one.advice) for one in photo.advice if windows],
        "doubts": _doubts(photo, windows, dice),
        "tools": tools_of(photo.cards),
        "missing_cards": MOST_PUBLIC - len(photo.public),
        "game": made,
        "can_score": photo.is_read and FEWEST_PLAYERS <= len(table_actions.playing(photo)) <= MOST_PLAYERS,
        "seats": _seats(photo, windows) if photo.purpose is Purpose.SEATS else None,
    }


def _read_as(record: Record) -> str | None:
    """Return the dice of this house that a window was read with."""
    return record.reading.profile if record.reading else None


def _window(photo: TablePhoto, number: int, record: Record, *, counts: bool) -> dict[str, Any]:
    """Return what is shown of a window; ``counts`` says whether points may be told."""
    judgement = table_actions.judged(record)
    cells = reading_view.cells_of(record, judgement.case.card)
    corners = list(record.shown.corners) if record.shown else []
    middle = [sum(axis) / 4 for axis in zip(*corners, strict=True)] if corners else [0.0, 0.0]
    return {
        "number": number,
        "record": record,
        "outline": " ".join(f"{x:.1f},{y:.1f}" for x, y in corners),
        "middle": middle,
        "cells": cells,
        "doubtful": [cell for cell in cells if cell["doubtful"]],
        "unlike_dice": reading_view.unlike_dice_of(record),
        "total": table_actions.points_of(photo, judgement),
        "name": photo.names.get(record.id, ""),
        "card": texts.window_name(judgement.case.card) if judgement.case.card else None,
        "left_out": record.id in photo.left_out,
        "problems": len(judgement.placement.problems) if counts else 0,
    }


def _die(photo: TablePhoto, index: int, die: LooseDie) -> dict[str, Any]:
    """Return what is shown of a loose die."""
    x, y = die.center
    half = die.size * (0.5 + ROOM)
    others = [f"{one.color.value}{one.value}" for one in die.alternatives if one.color and one.value]
    return {
        "index": index,
        "die": die.die,
        "x": x,
        "y": y,
        "r": die.size * ROOM,
        "doubtful": index in photo.doubtful_dice,
        "counts": die in (photo.track if photo.purpose is Purpose.TRACK else photo.pool),
        "round": die.round,
        "candidates": others[:3],
        "label": words().name(die.die),
        "close_up": f"{x - half:.1f} {y - half:.1f} {2 * half:.1f} {2 * half:.1f}",
    }


def _card(index: int, photo: TablePhoto) -> dict[str, Any]:
    """Return what is shown of a public objective or tool card."""
    card = photo.cards[index]
    return {
        "index": index,
        "card": CARDS[card.kind](card.name),
        "doubtful": card.doubtful,
        "outline": " ".join(f"{x:.1f},{y:.1f}" for x, y in card.corners),
        "close_up": close_up(card.corners, 0).crop,
    }


def _doubts(
    photo: TablePhoto, windows: list[dict[str, Any]], dice: list[dict[str, Any]]
) -> dict[str, list[Any]]:
    """Return all that a person should look at: spaces of windows, loose dice, cards."""
    if not photo.is_read:
        return {"cells": [], "dice": [], "cards": []}
    in_game = [one for one in windows if not one["left_out"]]
    with_dice = photo.purpose in {*DICE_ONLY, Purpose.PLACE}
    cards = [_card(index, photo) for index, card in enumerate(photo.cards) if card.doubtful]
    unlike = [
        (one["unlike_dice"], one["record"].id) for one in in_game if one["unlike_dice"] and one["doubtful"]
    ]
    return {
        "unlike_dice": unlike[:1],
        "cells": [(one, cell) for one in in_game for cell in one["doubtful"]],
        "dice": [die for die in dice if die["doubtful"]] if with_dice else [],
        "cards": cards if photo.purpose is Purpose.SCORE else [],
    }


def _crop(photo: TablePhoto) -> str | None:
    """Return the part of the photo with the loose dice as an SVG view box, None where there are none."""
    dice = photo.track if photo.purpose is Purpose.TRACK else photo.pool
    if not dice:
        return None
    edge = MARGIN * max(die.size for die in dice)
    low = [max(0.0, min(die.center[axis] for die in dice) - edge) for axis in (0, 1)]
    high = [min(float(photo.size[axis]), max(die.center[axis] for die in dice) + edge) for axis in (0, 1)]
    return f"{low[0]:.1f} {low[1]:.1f} {high[0] - low[0]:.1f} {high[1] - low[1]:.1f}"


def _progress(photo: TablePhoto, read: int) -> str:
    """Say how far the reading is."""
    if photo.is_read:
        return ""
    if photo.expected is None:
        return gettext("Looking for windows…")
    if read < photo.expected:
        return ngettext(
            "%(read)s of %(num)d window is read…",
            "%(read)s of %(num)d windows are read…",
            photo.expected,
            read=read,
        )
    return gettext("Looking at loose dice and cards…")


def _notices(photo: TablePhoto, windows: int) -> list[str]:
    """Return what a person should know about what is in the photo, and what to do."""
    if not photo.is_read or photo.failure is not None:
        return []
    if photo.purpose is Purpose.SCORE and windows == 1:
        return [gettext("There is only one window. For the whole table, take the photo from farther away.")]
    if photo.purpose is Purpose.SCORE:
        return [remark.text(words()) for remark in about_table(windows, photo)]
    if photo.purpose is Purpose.SEATS:
        few = gettext(
            "There are fewer windows in the photo than players. Whoever gets none takes a photo of their own."
        )
        other = gettext("No window here looks like one of the seats'. Is it a photo of this table?")
        return [
            *([few] if windows < len(find(photo.target or "").seats) else []),
            *([other] if not photo.seated and table_actions.may_be_another_table(photo) else []),
        ]
    if photo.purpose is Purpose.PLACE:
        none = gettext("There is no window in the photo. Take another one, or start with an empty window.")
        return [] if windows else [none]
    none = gettext("No loose die was seen. Tap where one lies to add it, or take the photo from nearer.")
    return [] if photo.loose_dice else [none]


def _seats(photo: TablePhoto, windows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the seats with the windows that they are offered; nothing of what is secret."""
    game: Game = find(photo.target or "")
    return {
        "game": game,
        "offered": table_actions.offered(photo) if photo.is_read else {},
        "filled": any(str(seat.number) in photo.seated for seat in game.seats),
        "windows": [one["number"] for one in windows],
    }
