"""The game around the window: what is laid out, who takes a turn when, what tools cost.

Source of every rule: the rulebook of the base game (Floodgate Games, 2017), "Setup", "Gameplay", "Tools and
favor", "End of the round", "Scoring" and "Solo play", in our own words; the Russian and Japanese texts agree
on all of them, but the Japanese one leaves solo play out. Where a text is silent on another rule or says
something else, the docstring of the rule tells. What the expansion for five and six players changes is told
by published reviews of it; its rulebook was not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from scoring.board import BETWEEN_ROWS, Color, Die, in_plain_signs, means_nothing
from scoring.errors import InvalidValueError, NotationError
from scoring.names import find_name, tidied
from scoring.patterns.patterns import EVERY_WINDOW, WindowPattern, WindowSet
from scoring.sentences import Sentence, counted, sentence

MOST_PLAYERS = 6
MOST_WITHOUT_OWN_DICE = 4
ROUNDS = 10
TURNS_PER_ROUND = 2
SOLO_DICE_PER_ROUND = 4
OWN_DICE_OF_A_COLOR = 2
DICE_OF_A_COLOR = 18
"""The rulebook, "Game contents": 90 dice in five colors."""


@dataclass(frozen=True)
class Setup:
    """What a game with this many players is played with.

    ``private_objectives`` is the number each player has, ``fewest_tools`` and ``most_tools`` bound the number
    of tool cards on the table: three, but in solo one (very hard) to five (easy), as the player likes.
    ``own_dice`` is the number of dice that each player has beside the draft pool, rolled before the game.
    """

    players: int
    dice_per_round: int
    public_objectives: int = 3
    private_objectives: int = 1
    fewest_tools: int = 3
    most_tools: int = 3
    favor_tokens: bool = True
    own_dice: int = 0

    @property
    def is_solo(self) -> bool:
        """Whether one player plays alone, by the solo rules."""
        return self.players == 1

    @property
    def fewest_dice_left(self) -> int:
        """The dice that are left after a round in which everybody took all they could.

        Alone, two of the four may have paid for a tool card on each turn, so none need be left.
        """
        return 0 if self.is_solo else 1


def setup(players: int, *, own_dice: bool = False) -> Setup:
    """Return what a game with that many players is played with: 2 to 6, or 1 for a solo game.

    Each round has two dice for every player and one more; a solo game has four. With dice of their own, as
    five and six players always have them, two of each color, it has one die for every player and one more.

    ``own_dice`` tells whether two to four players have dice of their own, too.

    Raises
    ------
    InvalidValueError
        The game is not for that many players.

    Examples
    --------
    >>> setup(3).dice_per_round, setup(1).dice_per_round
    (7, 4)
    """
    if type(players) is not int or not 1 <= players <= MOST_PLAYERS:
        raise InvalidValueError(
            "bad_number_of_players",
            sentence("Sagrada cannot be played by {found} players.", found=repr(players)),
            sentence("It is for 2 to 4 players, with the expansion for up to 6, or for 1 by the solo rules."),
        )
    if players == 1:
        return Setup(
            players,
            dice_per_round=SOLO_DICE_PER_ROUND,
            public_objectives=2,
            private_objectives=2,
            fewest_tools=1,
            most_tools=5,
            favor_tokens=False,
        )
    own_dice = own_dice or players > MOST_WITHOUT_OWN_DICE
    return Setup(
        players,
        dice_per_round=(1 if own_dice else TURNS_PER_ROUND) * players + 1,
        own_dice=OWN_DICE_OF_A_COLOR * len(Color) if own_dice else 0,
    )


def dice_of_a_color(players: int) -> int:
    """Return how many dice of one color there can be on the table in a game with that many players.

    Up to four players use those of the base game. Five and six have dice of their own and a bag for ten
    rounds: 110 and 130 dice, of the 90 in the base game and the 40 in the expansion.

    Examples
    --------
    >>> [dice_of_a_color(players) for players in (2, 3, 4, 5, 6)]
    [18, 18, 18, 22, 26]
    """
    game = setup(players)
    return game.own_dice // len(Color) * players + dice_in_bag(game)


def dice_in_bag(game: Setup) -> int:
    """Return how many dice of each color are in the bag when the game begins."""
    # A review tells of 30 dice in the bag for two players.
    return ROUNDS * game.dice_per_round // len(Color) if game.own_dice else DICE_OF_A_COLOR


def favor_tokens_at_start(pattern: WindowPattern | str, *, solo: bool = False) -> int | None:
    """Return the favor tokens that come with a window: as many as its difficulty, none in a solo game.

    None when the difficulty of the window is not known.

    Examples
    --------
    >>> favor_tokens_at_start("Firmitas")
    5
    """
    return 0 if solo else WindowPattern.of(pattern).difficulty


def check_favor_tokens_left(tokens: int, pattern: WindowPattern | str, *, solo: bool = False) -> None:
    """Refuse more tokens than came with the window: tokens are spent, and nothing in the game gives new ones.

    `score_player` counts whatever it is told; ask here when the window is known.

    Raises
    ------
    InvalidValueError
        Nobody can have that many tokens left with this window, or the number is negative.
    """
    _check_tokens(tokens)
    pattern = WindowPattern.of(pattern)
    most = favor_tokens_at_start(pattern, solo=solo)
    if most is not None and tokens > most:
        raise InvalidValueError(
            "too_many_favor_tokens",
            sentence("A solo game has no favor tokens.")
            if solo
            else counted(
                "{window} comes with {count} favor token, so {tokens} cannot be left.",
                "{window} comes with {count} favor tokens, so {tokens} cannot be left.",
                most,
                window=pattern,
                tokens=tokens,
            ),
            sentence("Give a number from 0 to {most}.", most=most) if most else sentence("Give 0."),
        )


def tool_cost(tokens_on_card: int) -> int:
    """Return what the use of a tool card costs: 1 favor token when there is none on it yet, otherwise 2.

    It does not matter who put tokens there. (The French text speaks of the first player and of later players,
    as if a player's own second use were left open; the Russian and Japanese ones look at the card alone.)

    Raises
    ------
    InvalidValueError
        ``tokens_on_card`` is negative.
    """
    _check_tokens(tokens_on_card)
    return 1 if tokens_on_card == 0 else 2


def most_tool_uses(tokens: int, tokens_on_card: int = 0) -> int:
    """Return how often ``tokens`` favor tokens can pay for one tool card that holds ``tokens_on_card``.

    The first use of an untouched card costs 1 and each further one 2.

    Raises
    ------
    InvalidValueError
        A number is negative.

    Examples
    --------
    >>> [most_tool_uses(tokens) for tokens in (0, 1, 2, 3, 4, 5, 6)]
    [0, 1, 1, 2, 2, 3, 3]
    """
    _check_tokens(tokens)
    _check_tokens(tokens_on_card)
    return tokens // 2 if tokens_on_card else (tokens + 1) // 2


def _check_tokens(number: int) -> None:
    if type(number) is not int or number < 0:
        raise InvalidValueError(
            "bad_favor_tokens",
            sentence("There cannot be {found} favor tokens.", found=repr(number)),
            sentence("Give the number of tokens, 0 or more."),
        )


@dataclass(frozen=True)
class TurnOrder:
    """The players, clockwise, beginning with the one who had the dice bag in the first round.

    ``own_dice`` tells whether they have dice of their own, as five and six players always do.

    Raises
    ------
    InvalidValueError
        There are too many players or none, two have the same name, or a name is empty.

    Examples
    --------
    >>> order = TurnOrder(("Ann", "Ben", "Cleo"))
    >>> order.turns(1)
    ('Ann', 'Ben', 'Cleo', 'Cleo', 'Ben', 'Ann')
    >>> order.turns(2)
    ('Ben', 'Cleo', 'Ann', 'Ann', 'Cleo', 'Ben')
    >>> TurnOrder(("Ann", "Ben", "Cleo"), own_dice=True).turns(1)
    ('Ann', 'Ben', 'Cleo')
    """

    players: tuple[str, ...]
    own_dice: bool = False

    def __post_init__(self) -> None:
        check_names(self.players)

    @classmethod
    def seated(
        cls, players: Sequence[str], start_player: str, round_number: int = 1, *, own_dice: bool = False
    ) -> Self:
        """Return the game of players named clockwise from any of them, one of whom had the bag in a round.

        ``seated(names, "Ben", 10)`` is for a table that remembers only who began the last round.

        Raises
        ------
        UnknownNameError
            ``start_player`` is not one of the players.
        InvalidValueError
            As for the class, or there is no such round.
        """
        names = tuple(players)
        check_names(names)
        starter = start_player if start_player in names else find_name(start_player, names, "player")
        first = (names.index(starter) - check_round(round_number) + 1) % len(names)
        return cls(names[first:] + names[:first], own_dice)

    def start_player(self, round_number: int) -> str:
        """Return who has the dice bag in a round, 1 to 10. It moves on clockwise after each round."""
        return self.players[(check_round(round_number) - 1) % len(self.players)]

    def turns(self, round_number: int) -> tuple[str, ...]:
        """Return who takes the turns of a round: clockwise from the start player, then all the way back.

        So the last player takes two turns in a row, and the start player the first and the last one. With
        dice of their own players take one turn each, with a die of the draft pool and one of their own.
        """
        first = self.players.index(self.start_player(round_number))
        clockwise = self.players[first:] + self.players[:first]
        if setup(len(self.players), own_dice=self.own_dice).own_dice:
            return clockwise
        return clockwise + clockwise[::-1]

    def first_turns(self, round_number: int = ROUNDS) -> dict[str, int]:
        """Return the place of each player's first turn in a round, 1 for the start player.

        The places in the last round decide a tie when nothing else does: the later one is ahead.

        Examples
        --------
        >>> TurnOrder(("Ann", "Ben", "Cleo", "Dan")).first_turns()
        {'Ben': 1, 'Cleo': 2, 'Dan': 3, 'Ann': 4}
        """
        turns = self.turns(round_number)[: len(self.players)]
        return {name: number for number, name in enumerate(turns, start=1)}


def check_names(names: Sequence[str]) -> None:
    """Refuse a list of players that cannot sit down to a game.

    Raises
    ------
    InvalidValueError
        There are too many players or none, two have the same name, or a name is empty.
    """
    setup(len(names))
    said: set[str] = set()
    for name in names:
        plain = tidied(name).casefold()
        if not plain:
            raise InvalidValueError(
                "bad_player_name", sentence("A player has no name."), sentence("Give every player a name.")
            )
        if plain in said:
            raise InvalidValueError(
                "repeated_player",
                sentence("Two players are called {name}.", name=name.strip()),
                sentence("Give each a name of their own, such as one with an initial."),
            )
        said.add(plain)


def check_round(number: int) -> int:
    """Return the number of a round.

    Raises
    ------
    InvalidValueError
        The game has no such round.
    """
    if type(number) is not int or not 1 <= number <= ROUNDS:
        raise InvalidValueError(
            "bad_round",
            sentence("There is no round {found}.", found=repr(number)),
            sentence("Give a whole number from 1 to {most}.", most=ROUNDS),
        )
    return number


SCORE_TRACK_SPACES = 50
NO_DICE_SIGN = "--"
EXAMPLE = "R3 G4 / -- / B1"


@dataclass(frozen=True)
class RoundTrack:
    """The dice left over, round after round. A track never changes; `end_round` returns another one.

    ``spaces`` are the dice left over in each round that is over. When none is left in a solo game, a score
    marker holds the space; it counts 0.

    Raises
    ------
    InvalidValueError
        There are more than ten rounds, or something lies there that is not a die.

    Examples
    --------
    >>> track = RoundTrack.parse("R3 G4 / -- / B1")
    >>> track.total
    8
    >>> print(track.end_round([Die.parse("Y6")]))
    R3 G4 / -- / B1 / Y6
    """

    spaces: tuple[tuple[Die, ...], ...] = ()

    def __post_init__(self) -> None:
        if len(self.spaces) > ROUNDS:
            raise InvalidValueError(
                "bad_round_track",
                sentence(
                    "The round track has {all} spaces, not {number}.", all=ROUNDS, number=len(self.spaces)
                ),
                sentence("The game is over after the last one: count the points."),
            )
        for number, dice in enumerate(self.spaces, start=1):
            if not all(isinstance(die, Die) for die in dice):
                raise InvalidValueError(
                    "bad_round_track",
                    sentence(
                        "Space {space} of the round track holds something that is not a die.", space=number
                    ),
                    sentence("Give the dice of each round, and none for a score marker."),
                )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the dice of each round, separated by ``/``, ``|``, ``;`` or line ends; ``--`` for none left.

        Raises
        ------
        NotationError
            The text is no round track.
        """
        plain = in_plain_signs(text).strip(" \t\r\n/|;")
        if not plain:
            return cls()
        lines = BETWEEN_ROWS.split(plain)
        return cls(tuple(_parse_space(line, number) for number, line in enumerate(lines, start=1)))

    def __str__(self) -> str:
        return " / ".join(" ".join(map(str, dice)) or NO_DICE_SIGN for dice in self.spaces)

    @property
    def total(self) -> int:
        """The sum of all values on the track: the target of a solo game."""
        return sum(die.value for dice in self.spaces for die in dice)

    def end_round(self, dice_left: Iterable[Die] = ()) -> Self:
        """Return the track after one more round that left these dice."""
        return type(self)((*self.spaces, tuple(dice_left)))

    def check(self, players: int) -> None:
        """Refuse a track on which a round left more or fewer dice than it can have with that many players.

        Raises
        ------
        InvalidValueError
            A round cannot have left that many dice, or the game is not for that many players.
        """
        game = setup(players)
        for number, dice in enumerate(self.spaces, start=1):
            if not game.fewest_dice_left <= len(dice) <= game.dice_per_round:
                raise InvalidValueError(
                    "bad_round_track",
                    counted(
                        "Round {round} cannot have left {count} die on the round track.",
                        "Round {round} cannot have left {count} dice on the round track.",
                        len(dice),
                        round=number,
                    ),
                    sentence("Write the dice of each round apart, such as {example}.", example=EXAMPLE)
                    if len(self.spaces) == 1
                    else sentence(
                        "With so many players it leaves {fewest} to {most}.",
                        fewest=game.fewest_dice_left,
                        most=game.dice_per_round,
                    ),
                )


def _parse_space(text: str, number: int) -> tuple[Die, ...]:
    words = text.replace(",", " ").split()
    if not words:
        raise NotationError(
            "bad_round_track",
            sentence("Nothing is written for round {round} of the round track.", round=number),
            sentence("Write its dice, such as R3 G4, or {sign} when none was left.", sign=NO_DICE_SIGN),
        )
    return () if len(words) == 1 and means_nothing(words[0]) else tuple(Die.parse(word) for word in words)


@dataclass(frozen=True)
class ScoreMarker:
    """Where a player's marker lies on the score track at the end, and which side is up.

    ``space`` is 1 to 50; None for a total of 0 or less, which the track does not show. ``flipped`` is whether
    the marker is turned over, for more than 50 points, and ``laps`` how often it has been all the way around.
    The rulebook does not say how to show more than 100 points, when that is 2.
    """

    space: int | None
    flipped: bool
    laps: int
    sentence: Sentence


def score_marker(total: int) -> ScoreMarker:
    """Return where the marker for that many points lies. It is turned over above 50 points, so not at 50.

    Examples
    --------
    >>> score_marker(50).space, score_marker(50).flipped
    (50, False)
    >>> print(score_marker(64).sentence)
    64 points: the score marker lies on space 14, turned over.
    """
    if total <= 0:
        beside = counted(
            "{count} point: the score marker stays beside the track.",
            "{count} points: the score marker stays beside the track.",
            total,
        )
        return ScoreMarker(None, flipped=False, laps=0, sentence=beside)
    laps, before = divmod(total - 1, SCORE_TRACK_SPACES)
    space = before + 1
    said = (
        counted(
            "{count} point: the score marker lies on space {space}, turned over.",
            "{count} points: the score marker lies on space {space}, turned over.",
            total,
            space=space,
        )
        if laps
        else counted(
            "{count} point: the score marker lies on space {space}.",
            "{count} points: the score marker lies on space {space}.",
            total,
            space=space,
        )
    )
    return ScoreMarker(space, flipped=laps > 0, laps=laps, sentence=said)


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
