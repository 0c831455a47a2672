"""Players and their seats, from the first to the reveal; what a player may be called, and is known by.

Every function takes the newest state of a game and returns the changed one, or raises `InputError`. Changes
to the same thing from two tabs are merged as in `webapp.domain.record`: a change names the revision it was
made on, and is refused when somebody else changed the same field to something else meanwhile. Joining,
leaving and being ready are in nobody's way.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from scoring import Color, HouseRule, PrivateObjective, PublicObjective, Tool
from scoring.game.setup import MOST_PLAYERS, ROUNDS, TurnOrder
from scoring.names import has_control, tidied, without_controls
from webapp.domain.errors import ForbiddenError, InputError
from webapp.domain.games.codes import hashed
from webapp.domain.record import noted


class Move(Enum):
    """What people do with the helper."""

    START = "start"
    NEXT_TURN = "next_turn"
    NEXT_ROUND = "next_round"
    BACK = "back"


@dataclass(frozen=True)
class Turn:
    """A turn of a round: whose, and whether it is the player's second one."""

    seat: int
    second: bool = False


@dataclass(frozen=True)
class Round:
    """How far the rounds are: which ``number`` from 1 to 10, and who has the dice bag in it, the ``starter``.

    The turn ``began`` at a time in seconds since 1970. ``step`` grows with every move; a tap says which step
    it saw, so that two phones never skip a turn together. ``left_at`` is the turn at which the round before
    was ended, to which *Back* leads.
    """

    number: int
    starter: int
    turn: Turn
    began: int
    step: int = 1
    left_at: Turn | None = None
    over: bool = False


def turns_of(play: Round, players: Sequence[int]) -> tuple[Turn, ...]:
    """Return the turns of the round in their order: clockwise, then all the way back where players do so."""
    seats = _order(play, players).turns(play.number)
    return tuple(Turn(int(seat), place >= len(players)) for place, seat in enumerate(seats))


def is_last_turn(play: Round, players: Sequence[int]) -> bool:
    """Tell whether the round ends with this turn."""
    return place_in(play, players) == len(turns_of(play, players)) - 1


def started(players: Sequence[int], now: int) -> Round:
    """Return the first turn of the first round; the first of the players has the bag."""
    return Round(1, players[0], Turn(players[0]), now)


def round_moved(play: Round | None, move: Move, players: Sequence[int], seen: int, now: int) -> Round | None:
    """Return where the helper is after a move; None before it is started.

    ``players`` are the numbers of the seats, clockwise. ``seen`` is the step that who tapped was looking at,
    0 for none; after another one nothing happens. ``now`` is in seconds since 1970.
    """
    if seen != (play.step if play else 0):
        return play
    if play is None:
        return started(players, now) if move is Move.START else None
    moves: dict[Move, Callable[[Round, Sequence[int]], Round | None]] = {
        Move.NEXT_TURN: next_turn,
        Move.NEXT_ROUND: next_round,
        Move.BACK: back,
    }
    after = moves[move](play, players) if move in moves else play
    return after if after is None or after == play else replace(after, began=now, step=seen + 1)


def next_turn(play: Round, players: Sequence[int]) -> Round:
    """Return the turn after this one; after the last one of a round, the first of the next round."""
    if play.over:
        return play
    turns, place = turns_of(play, players), place_in(play, players)
    return next_round(play, players) if place + 1 == len(turns) else replace(play, turn=turns[place + 1])


def next_round(play: Round, players: Sequence[int]) -> Round:
    """Return the first turn of the next round, whatever is left of this one; the tenth is the last."""
    if play.number == ROUNDS:
        return replace(play, over=True)
    starter = int(_order(play, players).start_player(play.number + 1))
    return replace(play, number=play.number + 1, starter=starter, turn=Turn(starter), left_at=play.turn)


def back(play: Round, players: Sequence[int]) -> Round | None:
    """Return what was before the last tap; None before the first turn of all."""
    if play.over:
        return replace(play, over=False)
    turns, place = turns_of(play, players), place_in(play, players)
    if place:
        return replace(play, turn=turns[place - 1])
    if play.number == 1:
        return None
    starter = int(_order(play, players).start_player(play.number - 1))
    before = replace(play, number=play.number - 1, starter=starter, left_at=None)
    turns = turns_of(before, players)
    return replace(before, turn=play.left_at if play.left_at in turns else turns[-1])


def without(play: Round | None, players: Sequence[int], gone: int) -> Round | None:
    """Return where the helper is when one of the ``players`` leaves; None when nobody is left."""
    if play is None or list(players) == [gone]:
        return None
    while play.turn.seat == gone and not play.over:
        play = next_turn(play, players)
    clockwise = players[(players.index(gone) + 1) % len(players)]
    if play.over and play.turn.seat == gone:
        play = replace(play, turn=Turn(clockwise, second=True))
    return replace(play, starter=clockwise) if play.starter == gone else play


def _order(play: Round, players: Sequence[int]) -> TurnOrder:
    return TurnOrder.seated([str(seat) for seat in players], str(play.starter), play.number)


def place_in(play: Round, players: Sequence[int]) -> int:
    """Return which turn of the round it is; one that is no more, as a fifth player came, is the last."""
    turns = turns_of(play, players)
    return turns.index(play.turn) if play.turn in turns else len(turns) - 1


LONGEST_NAME = 30


def checked_name(text: str) -> str:
    """Return a name as it is kept, see `scoring.names.tidied`.

    Raises
    ------
    InputError
        It is empty, longer than 30 characters, has controls in it (``bad_name``), or nothing of it can be
        seen (``hidden_name``).

    >>> checked_name("  Anna   Maria ")
    'Anna Maria'
    """
    name = tidied(text)
    if has_control(name) or len(name) > LONGEST_NAME:
        raise InputError("bad_name")
    if not name_key(name):
        raise InputError("hidden_name" if text.strip(" ") else "bad_name")
    return name


def name_key(name: str) -> str:
    """Return what two names have in common that people take for the same.

    >>> name_key("ANN ") == name_key("ann")
    True
    """
    plain = unicodedata.normalize("NFKC", name.strip().casefold())
    shown = "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")
    return " ".join(shown.split()).casefold()


def player_id(name: str) -> str:
    """Return the id of the player of this name; names that people take for the same have the same."""
    return hashed(name_key(name))  # of one length, whatever letters the name has, and fit for an address


@dataclass(frozen=True)
class Player:
    """What is remembered of a player from one evening to the next, under the name as it was typed last.

    The color is that at the table, which has nothing to do with the private objective; ``picture`` tells one
    picture from the one before it.
    """

    name: str
    color: Color | None = None
    picture: str | None = None

    @property
    def id(self) -> str:
        """What the player is known by."""
        return player_id(self.name)


FEWEST_PLAYERS = 2  # alone people play a solo game, which has rules of its own
LINK_LIFETIME = timedelta(minutes=30)


class Stage(Enum):
    """How far a game is."""

    TABLE = "table"
    """People join, play, take photos and correct them; what is secret is kept."""
    REVEALED = "revealed"
    """Everybody sees every window."""


@dataclass(frozen=True)
class Link:
    """What brings a seat to another device: the SHA-256 of its secret, and until when it holds."""

    secret: str = field(repr=False)
    expires: datetime


@dataclass(frozen=True)
class Seat:
    """One player's place at the table.

    ``number`` is what the seat is called in addresses; no other seat of this game ever had it. ``record_id``
    is that of the player's window: who knows it may see and change the window, so it is a secret. ``token``
    is the SHA-256 of what the player's device shows to prove that the seat is its own, ``former`` are those
    of the devices that had the seat before: they show that it moved. ``link`` is the newest one that moves
    the seat to another device, see `invited`.
    """

    number: int
    name: str
    record_id: str = field(repr=False)
    token: str = field(repr=False)
    ready: bool = False
    link: Link | None = None
    former: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Gone:
    """A seat that had moved before its player left: ``former`` says which devices had it until then."""

    number: int
    name: str
    former: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True)
class Use:
    """One use of a tool card: by which seat, and the favor tokens it cost (none in a solo game)."""

    tool: Tool
    seat: int
    tokens: int
    round: int | None = None
    """In which round, where the table follows them."""


@dataclass(frozen=True)
class Dealt:
    """What a player was dealt: the windows on two cards, and whether also a private objective."""

    seat: int
    windows: tuple[str, ...] = field(default=(), repr=False)
    private: bool = False


@dataclass(frozen=True)
class Game:
    """A game at the table, with its players in the order of their seats.

    Parameters
    ----------
    host
        The SHA-256 of what the device of the host shows.
    order_known
        Whether the order of the seats is that of the turns, beginning with who had the bag in round 1. It
        decides the last tie, so nobody guesses.
    target, second_private
        Of a solo game: the sum on the round track, and the private objective that is not in the record.
    closed
        Whether only the host seats somebody new. So it is after a reveal was closed again: the code of a
        revealed game stands in the history, where everybody can read it.
    gathered
        Whether the host said that everybody is here; who comes later sits down all the same.
    note
        What the host wrote down about the game.
    changed
        Each changed field with the revision that changed it last.
    gone
        Seats that moved and are no more; the devices that had them still show it.
    follows, next
        The codes of the games of the same people before and after this one, see `rematch`.
    play
        How far the rounds are, None when nobody follows them here.
    other_card
        Whether a public objective that is not known here is in play: each player tells its points.
    timer
        Whether the turns are timed: None for no, 0 counts up, else the seconds of a turn.
    """

    code: str
    host: str = field(repr=False)
    solo: bool = False
    revision: int = 1
    stage: Stage = Stage.TABLE
    seats: tuple[Seat, ...] = ()
    order_known: bool = False
    public: tuple[PublicObjective, ...] = ()
    tools: tuple[Tool, ...] = ()
    house_rules: tuple[HouseRule, ...] = ()
    uses: tuple[Use, ...] = ()
    target: int | None = None
    second_private: PrivateObjective | None = None
    next_number: int = 1
    closed: bool = False
    changed: dict[str, int] = field(default_factory=dict)
    gone: tuple[Gone, ...] = ()
    follows: str | None = None
    next: str | None = None
    dealt: tuple[Dealt, ...] = ()
    play: Round | None = None
    timer: int | None = None
    gathered: bool = False
    note: str = ""
    other_card: bool = False

    @property
    def most_seats(self) -> int:
        """How many can sit down."""
        return 1 if self.solo else MOST_PLAYERS

    @property
    def is_revealed(self) -> bool:
        """Whether everybody may see every window."""
        return self.stage is Stage.REVEALED

    @property
    def not_ready(self) -> tuple[Seat, ...]:
        """The players who have not said that they are done."""
        return tuple(seat for seat in self.seats if not seat.ready)

    def seat(self, number: int) -> Seat:
        """Return a seat, or raise `InputError`."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise InputError("seat_missing")


# --- Who sits at the table -------------------------------------------------------------------------


def joined(game: Game, name: str, *, record_id: str, token: str, by_host: bool = False) -> Game:
    """Return the game with one more player, in the last seat; a closed table only the host fills."""
    before_reveal(game)
    if game.closed and not by_host:
        raise InputError("table_closed")
    if len(game.seats) >= game.most_seats:
        raise InputError("game_full")
    seat = Seat(game.next_number, _free_name(game, name), record_id, token)
    return replace(game, seats=(*game.seats, seat), next_number=game.next_number + 1, order_known=False)


def left(game: Game, number: int) -> Game:
    """Return the game without a player; the tokens that the player put on tool cards stay there."""
    before_reveal(game)
    seat = game.seat(number)
    gone = (*game.gone, Gone(number, seat.name, seat.former)) if seat.former else game.gone
    return replace(
        game,
        seats=tuple(one for one in game.seats if one.number != number),
        gone=gone,
        dealt=tuple(one for one in game.dealt if one.seat != number),
        play=without(game.play, [one.number for one in game.seats], number),
    )


def renamed(game: Game, number: int, name: str) -> Game:
    """Return the game with another name for a player."""
    return with_seat(game, replace(game.seat(number), name=_free_name(game, name, but=number)))


def ready(game: Game, number: int, *, is_ready: bool = True) -> Game:
    """Return the game after a player said to be done, or took that back."""
    before_reveal(game)
    return with_seat(game, replace(game.seat(number), ready=is_ready))


# --- A seat that gets another device or window ------------------------------------------------------


def invited(game: Game, number: int, secret: str, now: datetime) -> Game:
    """Return the game with a link for a seat, given the SHA-256 of its secret; an older link ends."""
    return with_seat(game, replace(game.seat(number), link=Link(secret, now + LINK_LIFETIME)))


def moved(game: Game, secret: str, now: datetime, *, token: str, device: Collection[str]) -> Game:
    """Return the game after a device opened a link, which works once, given the SHA-256 of its secret.

    ``token`` is the SHA-256 of the token that the device gets, ``device`` are those of the tokens it has:
    with the seat's own nothing moves, and the link still holds.
    """
    for seat in game.seats:
        if seat.link and seat.link.secret == secret and now < seat.link.expires:
            if seat.token in device:
                return game
            return with_seat(game, replace(seat, token=token, link=None, former=(*seat.former, seat.token)))
    raise InputError("link_used_up")


def with_new_window(game: Game, number: int, record_id: str, *, device: Collection[str]) -> Game:
    """Return the game with another window at a seat.

    Reading a photo takes seconds: ``device``, the SHA-256 of the sender's tokens, must still have the seat.
    """
    seat = game.seat(number)
    if seat.token not in device:
        raise ForbiddenError("not_your_seat")
    return with_seat(game, replace(seat, record_id=record_id, ready=seat.ready and game.is_revealed))


# --- The end ---------------------------------------------------------------------------------------


def revealed(game: Game, *, missing_cards: int, anyway: bool = False) -> Game:
    """Return the game with all windows open; ``anyway`` also when somebody is not ready.

    ``missing_cards`` is how many public objectives are still to be chosen, see `webapp.domain.games.cards`.
    """
    if game.is_revealed:
        return game
    _check_enough_players(game)
    if missing_cards:
        raise InputError("cards_missing")
    if game.solo and game.target is None:
        raise InputError("target_missing")
    if game.not_ready and not anyway:
        raise InputError("not_everybody_ready")
    return replace(game, stage=Stage.REVEALED)


def reopened(game: Game) -> Game:
    """Return the game as it was before the reveal, so that cards and players can be put right.

    Nobody new sits down by the code any more, unless the host opens the table again, see `opened`.
    """
    return replace(game, stage=Stage.TABLE, closed=True) if game.is_revealed else game


def opened(game: Game, *, to_new: bool) -> Game:
    """Return the game with a table at which new players may sit down, or may not."""
    before_reveal(game)
    return replace(game, closed=not to_new)


def all_here(game: Game) -> Game:
    """Return the game after the host said that everybody is here."""
    return replace(game, gathered=True)


def with_note(game: Game, note: str) -> Game:
    """Return the game with other words about it."""
    lines = map(without_controls, note.splitlines())
    return replace(game, note="\n".join(lines).strip())


def before_reveal(game: Game) -> None:
    """Raise `InputError` when everything is revealed already."""
    if game.is_revealed:
        raise InputError("game_over")


def _check_enough_players(game: Game) -> None:
    if len(game.seats) < (1 if game.solo else FEWEST_PLAYERS):
        raise InputError("players_missing")


def with_seat(game: Game, changed: Seat) -> Game:
    """Return the game with one seat changed."""
    return replace(
        game, seats=tuple(changed if seat.number == changed.number else seat for seat in game.seats)
    )


def with_fields(game: Game, revision: int, **fields: Any) -> Game:  # noqa: ANN401
    """Return the game with other values of some fields, a change made on ``revision``."""
    names = [name for name, value in fields.items() if value != getattr(game, name)]
    return replace(game, **fields, changed=noted(game, names, revision)) if names else game


def _free_name(game: Game, name: str, but: int | None = None) -> str:
    wanted = checked_name(name)
    if any(name_key(seat.name) == name_key(wanted) for seat in game.seats if seat.number != but):
        raise InputError("name_taken")
    return wanted


LONGEST_TURN_S = 3600


def played_on(game: Game, move: Move, seen: int, now: int) -> Game:
    """Return the game after somebody tapped on the round helper, see `round_moved`."""
    before_reveal(game)
    _check_enough_players(game)
    players = [seat.number for seat in game.seats]
    return replace(game, play=round_moved(game.play, move, players, seen, now))


def timed(game: Game, seconds: int | None) -> Game:
    """Return the game with timed turns: counted up with 0, down from another number, or not timed."""
    before_reveal(game)
    if seconds is not None and not 0 <= seconds <= LONGEST_TURN_S:
        raise InputError("bad_request")
    return replace(game, timer=seconds)
