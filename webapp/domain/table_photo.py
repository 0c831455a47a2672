"""A photo of the whole table, what was read in it, and what people put right."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from statistics import median_high

from scoring import Die, PublicObjective, Tool
from vision.advice import Advice
from vision.reading import Point
from vision.table import CardReading, LooseDie, Place, What
from webapp.domain.errors import ConflictError, InputError
from webapp.domain.placement import MOST_DICE, Question
from webapp.domain.record import Failure, Record

MOST_PUBLIC = MOST_TOOLS = 3
MOST_LOOSE = 90  # all dice of the game
SURE = 1.0
ENOUGH_DICE, ALIKE = 5, 3.0  # a window with so many dice is known again by so many of them


class Purpose(Enum):
    """What a photo of the table was taken for."""

    SCORE = "score"
    """To count all windows in it."""
    SEATS = "seats"
    """To give every seat of a game its window."""
    PLACE = "place"
    """To ask where the dice of the pool may go on the window beside them."""
    POOL = "pool"
    """To fill the draft pool of one window's question."""
    TRACK = "track"
    """To add up the dice on the round track."""


class Stage(Enum):
    """How far the reading of a photo is."""

    READING = "reading"
    DONE = "done"
    FAILED = "failed"
    """The photo opens, but nothing more can be read; what was read before stays."""


@dataclass(frozen=True)
class NotRead:
    """What is in view and could not be read: why, and its middle (x, y) in pixels of the upright photo."""

    what: What
    failure: Failure
    center: Point


@dataclass(frozen=True)
class TablePhoto:
    """A photo of the table; each window in it is a `Record` of its own.

    Parameters
    ----------
    size
        Width and height of the upright photo in pixels.
    target
        For which window (the id of its record) or game (its code), as the purpose wants it; to ask about a
        window in the photo, the id of an earlier record of it, whose card comes along; to score all windows,
        the id of the record of the one that was read alone before, if any.
    attempt
        Which reading of the photo may write here; another one begins when the first was cut off.
    expected
        How many windows are being read, None as long as nobody knows.
    windows, left_out
        The ids of the windows' records, in the order of their numbers, and of those not of this game.
    loose_dice, cards, unread
        What else was read, corrected by people.
    names
        The names of the windows' players, by the windows' ids.
    game
        The code of the game that was made of the windows.
    seated
        Which window was put at which seat, by the number of the seat.
    flipped
        Whether left and right of the photo were exchanged, see `turned_back`.
    """

    id: str
    created: str
    size: tuple[int, int]
    revision: int = 1
    purpose: Purpose = Purpose.SCORE
    target: str | None = None
    stage: Stage = Stage.READING
    attempt: str = ""
    expected: int | None = None
    failure: Failure | None = None
    windows: tuple[str, ...] = ()
    loose_dice: tuple[LooseDie, ...] = ()
    cards: tuple[CardReading, ...] = ()
    unread: tuple[NotRead, ...] = ()
    public: tuple[PublicObjective, ...] = ()
    left_out: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    advice: tuple[Advice, ...] = ()
    game: str | None = None
    seated: Mapping[str, str] = field(default_factory=dict)
    flipped: bool = False

    @property
    def is_read(self) -> bool:
        """Whether nothing more is going to be read."""
        return self.stage is not Stage.READING

    @property
    def pool(self) -> tuple[LooseDie, ...]:
        """The loose dice that do not lie on the round track."""
        return tuple(one for one in self.loose_dice if one.place != "track")

    @property
    def question(self) -> Question:
        """Where the dice of the draft pool may go, which has nine of them at most."""
        return Question(tuple(one.die for one in self.pool[: MOST_DICE - 1]), photo=self.id)

    @property
    def track(self) -> tuple[LooseDie, ...]:
        """The dice on the round track, by round; without any that is said to lie there, all loose dice.

        Who photographs the round track alone sees nothing else.
        """
        on_it = [one for one in self.loose_dice if one.place == "track"] or list(self.loose_dice)
        return tuple(sorted(on_it, key=lambda one: one.round or 0))

    @property
    def sum_of_track(self) -> int:
        """The values of the dice on the round track, added up: the target of a solo game."""
        return sum(one.value for one in self.track)

    @property
    def doubtful_dice(self) -> tuple[int, ...]:
        """The indices of the loose dice that matter here and that nobody has looked at yet."""
        counted = self.track if self.purpose is Purpose.TRACK else self.pool
        return tuple(i for i, one in enumerate(self.loose_dice) if one.doubtful and one in counted)


# --- Changes ---------------------------------------------------------------------------------------


def turned_back(photo: TablePhoto) -> TablePhoto:
    """Return the photo with left and right exchanged, to be read anew; its windows and their names stay."""
    return replace(
        photo,
        stage=Stage.READING,
        attempt="",
        expected=None,
        loose_dice=(),
        cards=(),
        unread=(),
        advice=(),
        seated={},
        flipped=not photo.flipped,
    )


def with_die(photo: TablePhoto, revision: int, index: int | None, die: Die | None, at: Point) -> TablePhoto:
    """Return the photo with one loose die put right; None takes it away.

    Without an ``index`` one is added ``at`` a place in pixels of the upright photo.

    Raises
    ------
    InputError
        There is no such die, the place is outside the photo, or there are more dice than the game has.
    ConflictError
        The dice were changed after ``revision``, so that an index would name another one.
    """
    if revision != photo.revision:
        raise ConflictError("conflict")
    dice = list(photo.loose_dice)
    if index is None:
        if die is None or not all(0 <= x <= most for x, most in zip(at, photo.size, strict=True)):
            raise InputError("bad_request")
        if len(dice) >= MOST_LOOSE:
            raise InputError("too_many_dice")
        dice.append(_added(photo, die, at))
    elif not 0 <= index < len(dice):
        raise InputError("bad_request")
    elif die is None:
        del dice[index]
    else:
        sure = replace(dice[index], color=die.color, value=die.value)
        dice[index] = replace(sure, confidence=SURE, doubtful=False, alternatives=())
    return replace(photo, loose_dice=tuple(dice))


def _added(photo: TablePhoto, die: Die, at: Point) -> LooseDie:
    """Return a die that somebody saw where the reader saw none, as large as the others."""
    size = median_high([one.size for one in photo.loose_dice] or [max(photo.size) / 30])
    place: Place | None = "pool"
    if photo.purpose is Purpose.TRACK:  # where all the others lie
        place = "track" if any(one.place == "track" for one in photo.loose_dice) else None
    return LooseDie(
        die.color, die.value, SURE, doubtful=False, alternatives=(), center=at, size=size, place=place
    )


def with_public(photo: TablePhoto, public: Sequence[PublicObjective]) -> TablePhoto:
    """Return the photo with other public objectives, three at most; the cards in it need no look any more."""
    chosen = tuple(card for card in PublicObjective if card in public)
    if len(chosen) > MOST_PUBLIC:
        raise InputError("too_many_objectives")
    cards = tuple(replace(card, doubtful=False) for card in photo.cards)
    return replace(photo, public=chosen, cards=cards)


def with_card(photo: TablePhoto, card: PublicObjective | Tool, *, is_right: bool) -> TablePhoto:
    """Return the photo after somebody looked at a card in doubt: it is what it looks like, or it is not.

    A card in no doubt stays as it is, and one that is not there (any more) changes nothing.
    """
    doubted = [one for one in photo.cards if one.doubtful and one.name == card.value]
    if not doubted:
        return photo
    if not is_right:
        return replace(photo, cards=tuple(one for one in photo.cards if one not in doubted))
    sure = replace(doubted[0], doubtful=False, confidence=SURE)
    after = replace(photo, cards=tuple(sure if one is doubted[0] else one for one in photo.cards))
    if isinstance(card, Tool) or card in photo.public or len(photo.public) >= MOST_PUBLIC:
        return after
    return replace(after, public=tuple(one for one in PublicObjective if one in (*photo.public, card)))


def objectives_of(cards: Sequence[CardReading]) -> tuple[PublicObjective, ...]:
    """Return the objectives that surely lie on the table; with more of them than a game has, none is sure."""
    sure = {card.name for card in cards if card.kind == "public_objective" and not card.doubtful}
    return tuple(card for card in PublicObjective if card.value in sure) if len(sure) <= MOST_PUBLIC else ()


def tools_of(cards: Sequence[CardReading]) -> tuple[Tool, ...]:
    """Return the tools that surely lie on the table; with more of them than a game has, none is sure."""
    sure = {card.name for card in cards if card.kind == "tool" and not card.doubtful}
    return tuple(card for card in Tool if card.value in sure) if len(sure) <= MOST_TOOLS else ()


# --- Whose window is it? ---------------------------------------------------------------------------


def likeness(seat: Record, window: Record) -> float:
    """Return how well a window in the photo fits what a seat has already; 0 says nothing.

    A card that the player chose, or that an earlier photo showed, counts as much as five dice: cards are
    dealt once. Of dice those count that lie where they lay.
    """
    same = sum(window.board[cell] == die for cell, die in seat.board.dice())
    guesses = [one.recognized.name if one.recognized else None for one in (seat, window)]
    chosen = seat.choices.window if seat.choices.names_a_card else guesses[0]
    return same + (5.0 if chosen is not None and chosen == guesses[1] else 0.0)


def is_another_table(seats: Collection[Record], windows: Sequence[Record]) -> bool:
    """Tell whether no window looks like what any seat has: the photo may show another table."""
    known = [seat for seat in seats if len(list(seat.board.dice())) >= ENOUGH_DICE]
    best = [likeness(seat, one) for seat in known for one in windows]
    return bool(best) and max(best) < ALIKE


def offered(seats: Mapping[int, Record], windows: Sequence[Record]) -> dict[int, str]:
    """Return for each seat, by its number, the id of the window that it is offered.

    The best fits first; who is left over gets what is left over, in the order of the seats.
    """
    pairs = sorted(
        ((likeness(seat, window), number, window.id) for number, seat in seats.items() for window in windows),
        key=lambda pair: -pair[0],
    )
    found: dict[int, str] = {}
    for _, number, window in pairs:
        if number not in found and window not in found.values():
            found[number] = window
    return found
