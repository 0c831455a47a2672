"""What chance does in a game: cards that are dealt, dice that are drawn and rolled, and who drafts when.

For simulations: a game without tools is ten lines, see `Draft`. Everything takes a `random.Random`, so that
the same seed gives the same game.

Source: the rulebook of the base game (Floodgate Games, 2017), "Setup" and "Gameplay", in our own words.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scoring.dice import VALUES, Color, Die
from scoring.errors import InvalidValueError
from scoring.points.objectives import PublicObjective
from scoring.sentences import counted, sentence
from scoring.table.game import ROUNDS, TurnOrder, setup
from scoring.table.solo import check_solo_tools
from scoring.table.track import RoundTrack
from scoring.tools import Tool
from scoring.windows.patterns import WINDOW_PATTERNS, WindowPattern

DICE_OF_A_COLOR = 18
CARDS_EACH = 2  # window cards; of the four windows on them the player chooses one


def window_cards() -> tuple[tuple[WindowPattern, ...], ...]:
    """Return the twelve window cards of the box, each with its front and its back, without promo cards."""
    sides = [one for one in WINDOW_PATTERNS.values() if not one.promo]
    cards = sorted({tuple(sorted((one.name, one.other_side or one.name))) for one in sides})
    return tuple(tuple(WINDOW_PATTERNS[name] for name in card) for card in cards)


@dataclass(frozen=True)
class Deal:
    """What is on the table when a game begins.

    Parameters
    ----------
    windows
        For each player the four windows to choose one from.
    privates
        For each player the private objectives: one, or in a solo game two.
    public, tools
        The cards that count for all.
    """

    windows: tuple[tuple[WindowPattern, ...], ...]
    privates: tuple[tuple[Color, ...], ...]
    public: tuple[PublicObjective, ...]
    tools: tuple[Tool, ...]


def deal(players: int, chance: random.Random | None = None, *, solo_tools: int = 3) -> Deal:
    """Deal the cards of a game.

    Parameters
    ----------
    players
        How many play; 1 for a solo game.
    chance
        Where chance comes from.
    solo_tools
        How many tool cards a solo game begins with: 1 (very hard) to 5 (easy). Any other game has three.

    Raises
    ------
    InvalidValueError
        The game is not for that many players, or not with that many tools.

    Examples
    --------
    >>> dealt = deal(2, random.Random(1))
    >>> [len(windows) for windows in dealt.windows], len(dealt.public), len(dealt.tools)
    ([4, 4], 3, 3)
    """
    game, chance = setup(players), chance or random.Random()  # noqa: S311  a game
    tools = chance.sample(list(Tool), len(Tool))[: solo_tools if game.is_solo else game.most_tools]
    if game.is_solo:
        check_solo_tools(tools)
    cards = chance.sample(window_cards(), CARDS_EACH * players)
    colors = iter(chance.sample(list(Color), game.private_objectives * players))
    return Deal(
        tuple(tuple(side for card in cards[k::players] for side in card) for k in range(players)),
        tuple(tuple(next(colors) for _ in range(game.private_objectives)) for _ in range(players)),
        tuple(chance.sample(list(PublicObjective), game.public_objectives)),
        tuple(tools),
    )


class DiceBag:
    """The bag with the 90 dice of the game, 18 of each color.

    Examples
    --------
    >>> bag = DiceBag(random.Random(1))
    >>> len(bag.draw(5)), len(bag)
    (5, 85)
    """

    def __init__(self, chance: random.Random | None = None) -> None:
        self._chance = chance or random.Random()  # noqa: S311  a game
        self._colors = [color for color in Color for _ in range(DICE_OF_A_COLOR)]

    def __len__(self) -> int:
        return len(self._colors)

    @property
    def colors(self) -> Counter[Color]:
        """How many dice of each color are in the bag."""
        return Counter(self._colors)

    def draw(self, number: int = 1) -> tuple[Die, ...]:
        """Take dice out of the bag and roll them.

        Raises
        ------
        InvalidValueError
            There are not so many in it.
        """
        if not 0 <= number <= len(self):
            raise InvalidValueError(
                "too_few_dice",
                counted(
                    "There is {count} die in the bag, and {number} are to be drawn.",
                    "There are {count} dice in the bag, and {number} are to be drawn.",
                    len(self),
                    number=str(number),
                ),
                sentence("Draw fewer dice."),
            )
        drawn = [self._colors.pop(self._chance.randrange(len(self))) for _ in range(number)]
        return tuple(Die(color, self._chance.choice(VALUES)) for color in drawn)

    def put_back(self, die: Die | str) -> None:
        """Put a die back into the bag.

        Raises
        ------
        InvalidValueError
            All dice of that color are in it already.
        """
        color = Die.of(die).color
        if self.colors[color] == DICE_OF_A_COLOR:
            raise InvalidValueError(
                "too_many_dice",
                sentence("All dice of that color ({color}) are in the bag already.", color=color),
                sentence("Put back only dice that were drawn."),
            )
        self._colors.append(color)


@dataclass
class DraftTurn:
    """A player's turn: the dice to choose from, and which of them was taken."""

    round_number: int
    player: str
    pool: tuple[Die, ...]
    taken: Die | None = field(default=None, init=False)

    def take(self, die: Die | str) -> Die:
        """Take a die out of the draft pool, and return it. Whoever takes none passes.

        Raises
        ------
        InvalidValueError
            The die is not in the pool, or one was taken already.
        """
        wanted = Die.of(die)
        if self.taken is not None:
            raise InvalidValueError(
                "already_taken",
                sentence("{die} was taken in this turn already.", die=self.taken),
                sentence("Take one die a turn."),
            )
        if wanted not in self.pool:
            raise InvalidValueError(
                "not_in_pool",
                sentence("{die} is not in the draft pool.", die=wanted),
                sentence("Take one of these: {dice}.", dice=" ".join(map(str, self.pool))),
            )
        self.taken = wanted
        return wanted


class Draft:
    """Ten rounds of drafting: dice are drawn, players take turns, and what is left goes on the round track.

    Parameters
    ----------
    players
        Their names, clockwise from the one who begins; one name for a solo game.
    chance
        Where chance comes from.

    Raises
    ------
    InvalidValueError
        The game is not for so many players, or names are not told apart.

    Examples
    --------
    A game in which everybody places the first die that fits:

    >>> from scoring import Board, legal_cells, score_player
    >>> draft = Draft(["Ann", "Ben"], random.Random(7))
    >>> boards = dict.fromkeys(draft.players, Board.empty())
    >>> for turn in draft.turns():
    ...     board = boards[turn.player]
    ...     moves = [(die, cell) for die in turn.pool for cell in legal_cells(board, die, "Virtus")]
    ...     if moves:
    ...         die, cell = min(moves, key=str)
    ...         boards[turn.player] = board.replace(*cell, turn.take(die))
    >>> totals = {name: score_player(board, ["Light Shades"]).total for name, board in boards.items()}
    >>> len(draft.track.spaces), sorted(totals)
    (10, ['Ann', 'Ben'])
    """

    def __init__(self, players: Sequence[str], chance: random.Random | None = None) -> None:
        self._order = TurnOrder(tuple(players))
        self._setup = setup(len(self.players))
        self.bag = DiceBag(chance)
        self.track = RoundTrack()

    @property
    def players(self) -> tuple[str, ...]:
        """The players, clockwise from the one who begins."""
        return self._order.players

    def turns(self) -> Iterator[DraftTurn]:
        """Yield the turns of all rounds that are left, each when the one before is over."""
        for number in range(len(self.track.spaces) + 1, ROUNDS + 1):
            pool = list(self.bag.draw(self._setup.dice_per_round))
            for player in self._order.turns(number):
                turn = DraftTurn(number, player, tuple(pool))
                yield turn
                if turn.taken is not None:
                    pool.remove(turn.taken)
            self.track = self.track.end_round(pool)
