"""What a visitor asks about placing dice: the draft pool, the die picked, the tool cards in the game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from werkzeug.datastructures import MultiDict

from scoring import Cell, Die, HouseRule, ScoringError, Tool, Toolbox, cell_from_name
from webapp.errors import InputError

MOST_DICE = 10  # nine in the draft pool of four players, and one that a tool takes up from the window

TOOLS = (
    Tool.EGLOMISE_BRUSH,
    Tool.COPPER_FOIL_BURNISHER,
    Tool.LATHEKIN,
    Tool.CORK_BACKED_STRAIGHTEDGE,
    Tool.TAP_WHEEL,
)
"""The tool cards that bear on where a die may lie; the others change dice before they are placed."""


@dataclass(frozen=True)
class Question:
    """What is asked: the dice in the draft pool, which of them is picked, and what may excuse a placement.

    Parameters
    ----------
    pool
        The dice in the order in which they were named; the same die may lie there twice.
    picked
        One of the pool, None when none is picked.
    toolbox
        The tool cards in the game, and the house rules.
    """

    pool: tuple[Die, ...] = ()
    picked: Die | None = None
    toolbox: Toolbox = field(default_factory=Toolbox)

    def added(self, die: Die) -> Question:
        """Return the question with one more die in the pool, which is picked.

        Raises
        ------
        InputError
            The pool is full.
        """
        return replace(self, pool=_not_too_many((*self.pool, die)), picked=die)

    def without(self, die: Die) -> Question:
        """Return the question without one such die in the pool, and nothing picked."""
        pool = list(self.pool)
        if die in pool:
            pool.remove(die)
        return replace(self, pool=tuple(pool), picked=None)

    def fields(self) -> list[tuple[str, str]]:
        """Return what `asked` reads, as names and values of an address."""
        return [
            *(("die", str(die)) for die in self.pool),
            *([("pick", str(self.picked or ""))] if self.pool else []),
            *(("tool", tool.value) for tool in Tool if tool in self.toolbox),
            *(("house_rule", rule.value) for rule in HouseRule if rule in tuple(self.toolbox.house_rules)),
        ]


def asked(told: MultiDict[str, str]) -> Question:
    """Return the question that an address or a form asks.

    Parameters
    ----------
    told
        ``die`` for each die of the pool, ``pick`` for the one picked (a single die is picked by itself),
        ``tool`` and ``house_rule`` for each card and rule by name. What a form without scripts does to the
        pool comes as ``add`` and ``drop``.

    Raises
    ------
    InputError
        A die, a tool card or a house rule does not exist, or there are too many dice.
    """
    pool = _not_too_many(tuple(die_of(text) for text in told.getlist("die")))
    try:
        toolbox = Toolbox(told.getlist("tool"), house_rules=told.getlist("house_rule"))
    except ScoringError as error:
        raise InputError("unknown_tool", error) from error
    picked = die_of(told["pick"]) if told.get("pick") else None
    if "pick" not in told and len(pool) == 1:
        picked = pool[0]
    if picked is not None and picked not in pool:
        raise InputError("not_in_pool")
    question = Question(pool, picked, toolbox)
    if told.get("drop"):
        question = question.without(die_of(told["drop"]))
    if told.get("add"):
        question = question.added(die_of(told["add"]))
    return question


def die_of(text: str) -> Die:
    """Return the die such as ``"R4"``, or raise `InputError`."""
    try:
        return Die.parse(text)
    except ScoringError as error:
        raise InputError("bad_die", error) from error


def cell_of(text: str) -> Cell:
    """Return the cell such as ``"C5"``, or raise `InputError`."""
    try:
        return cell_from_name(text)
    except ScoringError as error:
        raise InputError("bad_request", error) from error


def _not_too_many(pool: tuple[Die, ...]) -> tuple[Die, ...]:
    if len(pool) > MOST_DICE:
        raise InputError("too_many_dice")
    return pool
