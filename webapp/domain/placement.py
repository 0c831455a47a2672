"""Where a die may go next: what a visitor asks (draft pool, picked die, tools in the game) and the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from scoring import (
    ALL_CELLS,
    Cell,
    Change,
    Die,
    HouseRule,
    Move,
    Problem,
    Sentence,
    Tool,
    Toolbox,
    ToolEffect,
    Words,
    cell_from_name,
    cell_name,
)
from scoring.placement.finished import lifts_for_moved_die
from scoring.sentences import counted, sentence
from webapp.domain.errors import InputError, in_words_of_the_rules
from webapp.domain.payloads import PlacingPayload, names_of, problem_to_json


def no_die_for(cells: Sequence[Cell]) -> Sentence:
    """Say of empty cells, at least one, that no die can go there any more."""
    return counted(
        "{cells}: no die can go on this space any more.",
        "{cells}: no die can go on these spaces any more.",
        len(cells),
        cells=cells,
    )


@dataclass(frozen=True)
class Placing:
    """Where a die may go next: the ``legal`` cells, in reading order; ``why_not`` tells of every other cell.

    ``with_tool`` are those of the legal cells that take the die only with one of these tools, ``moves`` where
    a tool may move it after it was placed, in two steps, and ``changes`` what tools can make of it before it
    is placed, and where that may go.
    """

    die: Die
    legal: tuple[Cell, ...]
    with_tool: dict[Cell, tuple[Tool, ...]]
    moves: tuple[Move, ...]
    changes: tuple[Change, ...]
    why_not: dict[Cell, tuple[Problem, ...]]

    @property
    def steps(self) -> tuple[Sentence, ...]:
        """What tools make possible: a move after the die was placed, or another die in its place."""
        moves = (
            sentence(
                "Place it on {via} first; then {tools} may move it to {to}.",
                via=one.via,
                tools=(one.tool,),
                to=one.to,
            )
            for one in self.moves
        )
        changes = (
            sentence(
                "{tools} can make it {die}, which may go to {cells}.",
                tools=(one.tool,),
                die=one.die,
                cells=one.cells,
            )
            for one in self.changes
        )
        return (*moves, *changes)

    def to_json(self, words: Words) -> PlacingPayload:
        """Return it as plain data, with the sentences in the language of ``words``."""
        return {
            "die": str(self.die),
            "label": words.name(self.die),
            "legal_cells": names_of(self.legal),
            "with_tool": {
                cell_name(cell): [tool.value for tool in tools] for cell, tools in self.with_tool.items()
            },
            "moves": [
                {"tool": one.tool.value, "via": names_of(one.via), "to": names_of(one.to)}
                for one in self.moves
            ],
            "changes": [
                {"tool": one.tool.value, "die": str(one.die), "cells": names_of(one.cells)}
                for one in self.changes
            ],
            "why_not": {
                cell_name(cell): [problem_to_json(problem, words) for problem in problems]
                for cell, problems in self.why_not.items()
            },
        }


def moving(die: Die, alone: Mapping[Cell, tuple[Problem, ...]], toolbox: Toolbox) -> Placing:
    """Return where a die that lay in the window may be moved, given why not without any tool's allowance."""
    opened = {
        cell: tuple(
            tool
            for tool in toolbox.cards
            if all(lifts_for_moved_die(tool, one.code, toolbox) for one in problems)
        )
        for cell, problems in alone.items()
    }
    with_tool = {cell: tools for cell, tools in opened.items() if tools}
    legal = tuple(cell for cell in ALL_CELLS if cell not in alone or cell in with_tool)
    why = {cell: problems for cell, problems in alone.items() if cell not in with_tool}
    return Placing(die, legal, with_tool, (), (), why)


BY_CHANCE = {Tool.LENS_CUTTER, Tool.FLUX_BRUSH, Tool.FLUX_REMOVER}
MOST_DICE = 18
"""Seven in the draft pool of six players, ten of one's own, and one that a tool takes up from the window."""

SHOWN_TOOLS = tuple(
    tool for tool in Tool if tool.effect is not ToolEffect.CHANGES_TURN and tool not in BY_CHANCE
)
"""The tool cards that bear on where a die may lie; what the others do to a die nobody knows beforehand."""


class Fields(Protocol):
    """The fields of a form or of an address; each may be there several times."""

    def getlist(self, key: str, /) -> list[str]:
        """Return all values of a field."""

    def get(self, key: str, /) -> str | None:
        """Return the first value of a field, None without one."""


@dataclass(frozen=True)
class Question:
    """What is asked: the dice in the draft pool, which of them is picked, and what may excuse a placement.

    The same die may lie in the pool twice. ``moved`` are those of it that lay in the window and were taken
    up, to be moved by a tool card. ``photo`` is the id of the photo of the table in which the pool was read.
    """

    pool: tuple[Die, ...] = ()
    picked: Die | None = None
    moved: tuple[Die, ...] = ()
    tools: tuple[Tool, ...] = ()
    house_rules: tuple[HouseRule, ...] = ()
    photo: str | None = None

    def added(self, die: Die, *, moved: bool = False) -> Question:
        """Return the question with one more die in the pool, which is picked, or raise `InputError`."""
        pool = _not_too_many((*self.pool, die))
        return replace(self, pool=pool, picked=die, moved=(*self.moved, die) if moved else self.moved)

    def without(self, die: Die) -> Question:
        """Return the question without one such die in the pool, and nothing picked."""
        pool, moved = list(self.pool), list(self.moved)
        for dice in (pool, moved):
            if die in dice:
                dice.remove(die)
        return replace(self, pool=tuple(pool), picked=None, moved=tuple(moved))

    def in_game(self, tools: Sequence[Tool], house_rules: Sequence[HouseRule]) -> Question:
        """Return the question with the cards that lie on the table of a game."""
        return replace(self, tools=tuple(tools), house_rules=tuple(house_rules))

    def fields(self) -> list[tuple[str, str]]:
        """Return what `asked` reads, as names and values of an address."""
        return [
            *(("die", str(die)) for die in self.pool),
            *([("pick", str(self.picked or ""))] if self.pool else []),
            *(("moved", str(die)) for die in self.moved),
            *([("photo", self.photo)] if self.photo else []),
            *(("tool", tool.value) for tool in self.tools),
            *(("house_rule", rule.value) for rule in self.house_rules),
        ]


def asked(fields: Fields) -> Question:
    """Return the question that an address or a form asks.

    The fields are ``die`` for each die of the pool, ``pick`` for the one picked (a single die is picked by
    itself), ``tool`` and ``house_rule`` for each card and rule by name. What a form without scripts does to
    the pool comes as ``add``, ``drop`` and ``clear``; ``photo`` is the id of the photo that it was read in;
    ``lift`` adds a die that is taken up from the window, and ``moved`` names those that were.

    Raises
    ------
    InputError
        A die, a tool card or a house rule does not exist, or there are too many dice.
    """
    pool = _not_too_many(tuple(die_of(text) for text in fields.getlist("die")))
    with in_words_of_the_rules("unknown_tool"):
        toolbox = Toolbox(fields.getlist("tool"), house_rules=fields.getlist("house_rule"))
    pick = fields.get("pick")
    picked = die_of(pick) if pick else None
    if pick is None and len(pool) == 1:
        picked = pool[0]
    if picked is not None and picked not in pool:
        raise InputError("not_in_pool")
    moved = tuple(die for die in map(die_of, fields.getlist("moved")[:MOST_DICE]) if die in pool)
    house_rules = tuple(rule for rule in HouseRule if rule in tuple(toolbox.house_rules))
    from webapp.domain.record import ID_PATTERN  # noqa: PLC0415  loads OpenCV

    known = ID_PATTERN.fullmatch(fields.get("photo") or "")
    question = Question(pool, picked, moved, toolbox.cards, house_rules, known.group() if known else None)
    if fields.get("clear"):
        question = Question(tools=question.tools, house_rules=question.house_rules)
    if drop := fields.get("drop"):
        question = question.without(die_of(drop))
    if add := fields.get("add"):
        question = question.added(die_of(add))
    if lift := fields.get("lift"):
        question = question.added(die_of(lift), moved=True)
    return question


def die_of(text: str) -> Die:
    """Return the die such as ``"R4"``, or raise `InputError`."""
    with in_words_of_the_rules("bad_die"):
        return Die.parse(text)


def cell_of(text: str) -> Cell:
    """Return the cell such as ``"C5"``, or raise `InputError`."""
    with in_words_of_the_rules():
        return cell_from_name(text)


def _not_too_many(pool: tuple[Die, ...]) -> tuple[Die, ...]:
    if len(pool) > MOST_DICE:
        raise InputError("too_many_dice")
    return pool
