"""What chance does in a game: cards that are dealt, dice that are drawn and rolled, and who drafts when.

For simulations: a game without tools is ten lines, see `Draft`. Everything takes a `random.Random`, so that
the same seed gives the same game.

Source: the rulebook of the base game (Floodgate Games, 2017), "Setup" and "Gameplay", in our own words; on
five and six players see `scoring.game.setup`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from scoring.board import VALUES, Color, Die
from scoring.errors import InvalidValueError
from scoring.game.setup import (
    DICE_OF_A_COLOR,
    MOST_WITHOUT_OWN_DICE,
    OWN_DICE_OF_A_COLOR,
    ROUNDS,
    RoundTrack,
    TurnOrder,
    dice_in_bag,
    setup,
)
from scoring.game.solo import check_solo_tools
from scoring.patterns.patterns import EVERY_WINDOW, WindowPattern, WindowSet
from scoring.points.objectives import PublicObjective
from scoring.points.private import PRIVATE_OBJECTIVES, PrivateObjective
from scoring.sentences import counted, sentence
from scoring.tools import Tool

CARDS_EACH = 2  # window cards; of the four windows on them the player chooses one


def window_cards(boxes: Iterable[WindowSet] = (WindowSet.BASE,)) -> tuple[tuple[WindowPattern, ...], ...]:
    """Return the window cards of some boxes, each with its front and its back; no promo card is in a box.

    Examples
    --------
    >>> len(window_cards()), len(window_cards([WindowSet.BASE, WindowSet.FIVE_AND_SIX]))
    (12, 18)
    """
    wanted = set(boxes)
    sides = [one for one in EVERY_WINDOW.values() if one.comes_in in wanted and not one.promo]
    cards = sorted({tuple(sorted((one.name, one.other_side or one.name))) for one in sides})
    return tuple(tuple(EVERY_WINDOW[name] for name in card) for card in cards)


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
    privates: tuple[tuple[PrivateObjective, ...], ...]
    public: tuple[PublicObjective, ...]
    tools: tuple[Tool, ...]


def deal(
    players: int, chance: random.Random | None = None, *, solo_tools: int = 3, expansion: bool = False
) -> Deal:
    """Deal the cards of a game; five and six players get those of the expansion among them.

    Parameters
    ----------
    players
        How many play; 1 for a solo game.
    chance
        Where chance comes from.
    solo_tools
        How many tool cards a solo game begins with: 1 (very hard) to 5 (easy). Any other game has three.
    expansion
        Whether fewer players get the window cards and private objectives of the expansion, too.

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
    more = expansion or players > MOST_WITHOUT_OWN_DICE
    boxes = (WindowSet.BASE, WindowSet.FIVE_AND_SIX) if more else (WindowSet.BASE,)
    cards = chance.sample(window_cards(boxes), CARDS_EACH * players)
    objectives: Sequence[PrivateObjective] = PRIVATE_OBJECTIVES if more else tuple(Color)
    privates = iter(chance.sample(objectives, game.private_objectives * players))
    return Deal(
        tuple(tuple(side for card in cards[k::players] for side in card) for k in range(players)),
        tuple(tuple(next(privates) for _ in range(game.private_objectives)) for _ in range(players)),
        tuple(chance.sample(list(PublicObjective), game.public_objectives)),
        tuple(tools),
    )


class DiceBag:
    """The bag with the dice of the game: 18 of each color, where nothing else is said.

    Examples
    --------
    >>> bag = DiceBag(random.Random(1))
    >>> len(bag.draw(5)), len(bag)
    (5, 85)
    """

    def __init__(self, chance: random.Random | None = None, of_a_color: int = DICE_OF_A_COLOR) -> None:
        self._chance = chance or random.Random()  # noqa: S311  a game
        self._of_a_color = of_a_color
        self._colors = [color for color in Color for _ in range(of_a_color)]

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
        return self.roll(self._colors.pop(self._chance.randrange(len(self))) for _ in range(number))

    def roll(self, colors: Iterable[Color]) -> tuple[Die, ...]:
        """Roll dice of these colors, which need not come out of the bag."""
        return tuple(Die(color, self._chance.choice(VALUES)) for color in colors)

    def put_back(self, die: Die | str) -> None:
        """Put a die back into the bag.

        Raises
        ------
        InvalidValueError
            All dice of that color are in it already.
        """
        color = Die.of(die).color
        if self.colors[color] == self._of_a_color:
            raise InvalidValueError(
                "too_many_dice",
                sentence("All dice of that color ({color}) are in the bag already.", color=color),
                sentence("Put back only dice that were drawn."),
            )
        self._colors.append(color)


@dataclass
class DraftTurn:
    """A player's turn: the dice to choose from, those of the player's own, and which of them were taken."""

    round_number: int
    player: str
    pool: tuple[Die, ...]
    own: tuple[Die, ...] = ()
    taken: Die | None = field(default=None, init=False)
    taken_of_own: Die | None = field(default=None, init=False)

    def take(self, die: Die | str) -> Die:
        """Take a die out of the draft pool, and return it. Whoever takes none passes.

        Raises
        ------
        InvalidValueError
            The die is not in the pool, or one was taken already.
        """
        self.taken = _taken(die, self.taken, self.pool)
        return self.taken

    def take_of_own(self, die: Die | str) -> Die:
        """Take one of the player's own dice, before or after one of the pool, and return it.

        Raises
        ------
        InvalidValueError
            The die is not among them, or one was taken already.
        """
        self.taken_of_own = _taken(die, self.taken_of_own, self.own)
        return self.taken_of_own


def _taken(die: Die | str, before: Die | None, dice: tuple[Die, ...]) -> Die:
    """Return the die that is taken out of some dice, unless one was taken before."""
    wanted = Die.of(die)
    if before is not None:
        raise InvalidValueError(
            "already_taken",
            sentence("{die} was taken in this turn already.", die=before),
            sentence("Take one die a turn."),
        )
    if wanted not in dice:
        raise InvalidValueError(
            "not_in_pool",
            sentence("{die} is not among the dice to take.", die=wanted),
            sentence("Take one of these: {dice}.", dice=" ".join(map(str, dice))),
        )
    return wanted


class Draft:
    """Ten rounds of drafting: dice are drawn, players take turns, and what is left goes on the round track.

    Parameters
    ----------
    players
        Their names, clockwise from the one who begins; one name for a solo game.
    chance
        Where chance comes from.
    own_dice
        Whether two to four players have dice of their own, as five and six always do.

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

    def __init__(
        self, players: Sequence[str], chance: random.Random | None = None, *, own_dice: bool = False
    ) -> None:
        self._order = TurnOrder(tuple(players), own_dice)
        self._setup = setup(len(self.players), own_dice=own_dice)
        self.bag = DiceBag(chance, dice_in_bag(self._setup))
        self.track = RoundTrack()
        colors = [color for color in Color for _ in range(OWN_DICE_OF_A_COLOR if self._setup.own_dice else 0)]
        self._own = {player: list(self.bag.roll(colors)) for player in self.players}

    @property
    def players(self) -> tuple[str, ...]:
        """The players, clockwise from the one who begins."""
        return self._order.players

    def turns(self) -> Iterator[DraftTurn]:
        """Yield the turns of all rounds that are left, each when the one before is over."""
        for number in range(len(self.track.spaces) + 1, ROUNDS + 1):
            pool = list(self.bag.draw(self._setup.dice_per_round))
            for player in self._order.turns(number):
                own = self._own[player]
                turn = DraftTurn(number, player, tuple(pool), tuple(own))
                yield turn
                if turn.taken is not None:
                    pool.remove(turn.taken)
                if turn.taken_of_own is not None:
                    own.remove(turn.taken_of_own)
            self.track = self.track.end_round(pool)
