"""The twelve tool cards, and what each may excuse in a finished window.

Most tools change a die before it is placed; it then goes into the window under all rules, so nothing
in the window can be blamed on them. These can leave a trace:

- Eglomise Brush moves a die and lets it ignore the color printed on its new space.
- Copper Foil Burnisher moves a die and lets it ignore the value printed on its new space.
- Cork-backed Straightedge places a die where it touches no other die.
- Every tool that moves dice (these two, Lathekin, Tap Wheel) may leave other dice behind: without a
  neighbor, in two groups, or without a die on the edge. The rules look at a die when it is placed, not later.

No tool lets dice of the same color or value lie side by side, as long as the group has not agreed on one of
the `HouseRule`. Every use of a tool costs favor tokens, and a `Toolbox` knows how many uses can have been
paid for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Self, cast

from scoring.board import Color
from scoring.errors import InvalidValueError
from scoring.names import Card, card_taken, plain
from scoring.sentences import sentence


class ToolEffect(Enum):
    """What a tool card does. Only a tool of the second kind lets a drafted die go where the rules do not."""

    CHANGES_DIE = "changes_die"
    """The drafted die becomes another one before it is placed, under all rules."""

    FREES_PLACEMENT = "frees_placement"
    """The drafted die may go where the rules would not let it."""

    MOVES_DICE = "moves_dice"
    """Dice that lie in the window go to another space."""

    CHANGES_TURN = "changes_turn"
    """Other dice are there to draft, or the player drafts twice in a row."""


class Lift(Enum):
    """What a tool card lets a die ignore. The value is the code of the rule."""

    COLOR = "color_restriction"
    """The color printed on the space."""

    VALUE = "value_restriction"
    """The value printed on the space."""

    SAME_COLOR = "same_color_neighbors"
    """Dice of its color beside it."""

    SAME_VALUE = "same_value_neighbors"
    """Dice of its value beside it."""

    EDGE = "first_die_edge"
    """That the first die goes on the edge. Only a die that is placed can ignore it."""

    APART = "not_connected"
    """That it touches another die. Only a die that is placed can ignore it."""


class Tool(Card, kind="tool"):
    """The tool cards in the order of their numbers. The value is the name printed on the card.

    Two more come with the expansion for five and six players (`EXPANSION_TOOLS`), and `add` takes up others.

    Examples
    --------
    >>> mine = Tool.add("Thirteenth Tool", ToolEffect.FREES_PLACEMENT, Color.RED, [Lift.COLOR])
    >>> Tool.of("thirteenth tool") == mine, mine in list(Tool)
    (True, False)
    >>> Tool.forget("Thirteenth Tool")
    """

    GROZING_PLIERS = "Grozing Pliers", ToolEffect.CHANGES_DIE, Color.PURPLE
    EGLOMISE_BRUSH = "Eglomise Brush", ToolEffect.MOVES_DICE, Color.BLUE, {Lift.COLOR}
    COPPER_FOIL_BURNISHER = "Copper Foil Burnisher", ToolEffect.MOVES_DICE, Color.RED, {Lift.VALUE}
    LATHEKIN = "Lathekin", ToolEffect.MOVES_DICE, Color.YELLOW
    LENS_CUTTER = "Lens Cutter", ToolEffect.CHANGES_DIE, Color.GREEN
    FLUX_BRUSH = "Flux Brush", ToolEffect.CHANGES_DIE, Color.PURPLE
    GLAZING_HAMMER = "Glazing Hammer", ToolEffect.CHANGES_TURN, Color.BLUE
    RUNNING_PLIERS = "Running Pliers", ToolEffect.CHANGES_TURN, Color.RED
    CORK_BACKED_STRAIGHTEDGE = (
        "Cork-backed Straightedge",
        ToolEffect.FREES_PLACEMENT,
        Color.YELLOW,
        {Lift.APART},
    )
    GRINDING_STONE = "Grinding Stone", ToolEffect.CHANGES_DIE, Color.GREEN
    FLUX_REMOVER = "Flux Remover", ToolEffect.CHANGES_DIE, Color.PURPLE
    TAP_WHEEL = "Tap Wheel", ToolEffect.MOVES_DICE, Color.BLUE

    _value_: str
    effect: ToolEffect
    """What the card does."""

    color: Color
    """The color in the upper left corner of the card: of the die that pays for it in a solo game."""

    lifts: frozenset[Lift]
    """What the card lets the die ignore that it moves or places."""

    def __new__(
        cls,
        name: str,
        effect: ToolEffect | None = None,
        color: Color | None = None,
        lifts: Iterable[Lift] = (),
    ) -> Self:
        """Return the card of a row. A name alone makes none: ``Tool(name)`` only finds one."""
        assert effect and color  # noqa: PT018, S101
        card = object.__new__(cls)
        card._value_, card.effect, card.color, card.lifts = name, effect, color, frozenset(lifts)
        return card

    @classmethod
    def add(cls, name: str, effect: ToolEffect, color: Color | str, lifts: Iterable[Lift] = ()) -> Tool:
        """Take up a tool card that does not come with the game, in place of one added by that name before.

        Parameters
        ----------
        name
            The name on the card.
        effect
            What the card does.
        color
            The color of the die that pays for it in a solo game, as `Color` or by name.
        lifts
            What the die ignores that it moves or places; nothing for a card of another effect.

        Raises
        ------
        InvalidValueError
            The name is that of a card of the game, or is none; or the card cannot lift that.
        """
        wanted = frozenset(lifts)
        can_lift = {
            ToolEffect.FREES_PLACEMENT: set(Lift),
            ToolEffect.MOVES_DICE: set(Lift) - {Lift.EDGE, Lift.APART},
        }
        if not wanted <= can_lift.get(effect, set()):
            raise InvalidValueError(
                "bad_tool",
                sentence("A tool card that does this cannot lift such a rule."),
                sentence("Choose what the card does: it places a die, or it moves dice."),
            )
        if plain(name) in {plain(card.value) for card in EXPANSION_TOOLS}:
            raise card_taken(name)
        return cls._add(name, effect=effect, color=Color.of(color), lifts=wanted)

    @classmethod
    def apart(cls, name: str, effect: ToolEffect, color: Color, lifts: frozenset[Lift]) -> Tool:
        """Return a tool that does not come with the game without taking it up: names do not find it."""
        return cls._made(name, effect=effect, color=color, lifts=lifts)

    @property
    def number(self) -> int | None:
        """The number on the card, 1 to 12; None for one that does not come with the base game."""
        return list(Tool).index(self) + 1 if self.is_printed else None

    @property
    def moves_dice(self) -> bool:
        """Whether the tool takes dice that are in the window to another space."""
        return self.effect is ToolEffect.MOVES_DICE


EXPANSION_TOOLS = tuple(
    Tool._add(name, effect=ToolEffect.CHANGES_DIE, color=color, lifts=frozenset())  # noqa: SLF001
    for name, color in (("Strip Cutter", Color.RED), ("Lead Came Nippers", Color.YELLOW))
)
"""The tool cards of the expansion: one swaps the drafted die for one of the player's own, the other rolls up
to two of these again. What they do is told by one source; their numbers are not known."""


class HouseRule(Card, kind="house rule"):
    """What groups may agree on where the cards leave a question open. Without agreement the stricter holds.

    The cards of Eglomise Brush and Copper Foil Burnisher lift the color (the value) printed on a space and
    say that all other restrictions stay. Whether a die moved by them may lie beside a die of its own color
    (value) is asked again and again. Of eleven programs that play the game seven say no for the brush; so
    does this one for both cards, unless told otherwise.
    """

    EGLOMISE_BRUSH_IGNORES_NEIGHBORS = "Eglomise Brush ignores neighbors"
    COPPER_FOIL_BURNISHER_IGNORES_NEIGHBORS = "Copper Foil Burnisher ignores neighbors"


def in_order(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """Return the tools each once: those of the game by their numbers, then others by their names."""
    return tuple(sorted(set(tools), key=lambda tool: (tool.number or len(Tool) + 1, tool.value)))


MOST_TOKENS = 6
"""The favor tokens of the most difficult windows: nobody can ever spend more."""


@dataclass(frozen=True)
class Toolbox:
    """The tool cards in the game and how often a player can have used them.

    Parameters
    ----------
    tools
        The cards, as `Tool` or by name. None at all means that nobody said which are in the game.
    tokens
        The most favor tokens the player can have spent, those for recorded uses among them; None for all that
        came with the window.
    solo
        In a solo game each card works once and costs a die, not tokens.
    house_rules
        What the group agreed on, as `HouseRule` or by name.
    recorded
        The uses that the player is known to have made: the card, as `Tool` or by name, and the favor tokens
        that this use cost, 1 or 2.

    Raises
    ------
    UnknownNameError
        A tool or house rule is unknown.
    InvalidValueError
        ``tokens`` is no whole number, or negative, or a recorded use cost neither 1 nor 2.

    Examples
    --------
    >>> toolbox = Toolbox(["lathekin"], tokens=3)
    >>> toolbox.can_pay({Tool.LATHEKIN: 2}, most_tokens=5), toolbox.can_pay({Tool.LATHEKIN: 3}, most_tokens=5)
    (True, False)
    """

    tools: Iterable[Tool | str] = ()
    tokens: int | None = None
    solo: bool = False
    house_rules: Iterable[HouseRule | str] = ()
    recorded: Iterable[tuple[Tool | str, int]] = ()

    def __post_init__(self) -> None:
        recorded = tuple((Tool.of(one), cost) for one, cost in self.recorded)
        rules = {HouseRule.of(one) for one in self.house_rules}
        if self.tokens is not None and (type(self.tokens) is not int or self.tokens < 0):
            raise InvalidValueError(
                "bad_favor_tokens",
                sentence("There cannot be {found} favor tokens.", found=repr(self.tokens)),
                sentence("Give the number of tokens, 0 or more."),
            )
        for _, cost in recorded:
            if type(cost) is not int or cost not in (1, 2):
                raise InvalidValueError(
                    "bad_favor_tokens",
                    sentence("A use of a tool card cannot have cost {found} tokens.", found=repr(cost)),
                    sentence("Give 1 for the first use of a card and 2 for any other."),
                )
        object.__setattr__(self, "recorded", recorded)
        object.__setattr__(self, "tools", in_order(Tool.of(one) for one in self.tools))
        object.__setattr__(self, "house_rules", tuple(rule for rule in HouseRule if rule in rules))

    @property
    def cards(self) -> tuple[Tool, ...]:
        """The tool cards in the game, those that come with it first."""
        return cast("tuple[Tool, ...]", self.tools)

    @classmethod
    def of(cls, tools: Toolbox | Iterable[Tool | str]) -> Toolbox:
        """Return the toolbox itself, or one with these tools."""
        return tools if isinstance(tools, Toolbox) else cls(tools)

    def __contains__(self, tool: Tool) -> bool:
        return tool in self.cards

    def can_pay(self, uses: Mapping[Tool, int], most_tokens: int | None = None) -> bool:
        """Return whether a player can have used the tools that often.

        A card costs one token when it has none on it yet and two from then on, so ``n`` uses cost at least
        ``2n - 1`` tokens. Recorded uses have been paid for. What is left of the tokens pays for further ones,
        each at two tokens where a use of the same card is recorded.

        Parameters
        ----------
        uses
            How often each tool was used, the recorded uses among them.
        most_tokens
            The tokens that came with the window; None when that is not known.
        """
        if self.solo:
            return all(number <= 1 for number in uses.values())
        had = MOST_TOKENS if most_tokens is None else most_tokens
        spent = had if self.tokens is None else min(self.tokens, had)
        known = Counter(tool for tool, _ in self.recorded)
        left = max(spent - sum(cost for _, cost in self.recorded), 0)
        further = {tool: number - known[tool] for tool, number in uses.items()}
        return sum(2 * more - (not known[tool]) for tool, more in further.items() if more > 0) <= left
