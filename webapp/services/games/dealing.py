"""Deal two window cards and private objectives to each player, and begin the next game of the same people."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring import PRIVATE_OBJECTIVES, Color, WindowSet, window_cards
from scoring.game.draft import CARDS_EACH
from scoring.game.setup import MOST_WITHOUT_OWN_DICE
from webapp.services.changes import noted, with_choices
from webapp.services.errors import ConflictError, InputError
from webapp.services.games.game import Dealt, Game, before_reveal
from webapp.services.record import AUTO, Record


def rematch(game: Game, code: str, windows: Mapping[int, str], *, same_cards: bool) -> Game:
    """Return the game that follows on a revealed one.

    Each seat keeps number, name and token, so that the same devices have it. Where the order of the turns is
    known, the next player clockwise has the bag.

    Parameters
    ----------
    game
        The revealed game.
    code
        The code of the next one.
    windows
        The ids of new, empty windows, by the number of the seat.
    same_cards
        Whether the cards on the table stay there.
    """
    seats = tuple(
        replace(seat, record_id=windows[seat.number], ready=False, link=None, former=())
        for seat in game.seats
    )
    if game.order_known:
        seats = (*seats[1:], *seats[:1])
    return Game(
        code,
        game.host,
        solo=game.solo,
        seats=seats,
        order_known=game.order_known,
        public=game.public if same_cards else (),
        tools=game.tools if same_cards else (),
        house_rules=game.house_rules,
        next_number=game.next_number,
        follows=game.code,
    )


def next_beginner(game: Game) -> str | None:
    """Return the name of who has the bag in the next game, None when the order of the turns is not known."""
    return game.seats[1].name if game.order_known and len(game.seats) > 1 else None


def check_over(game: Game) -> None:
    """Raise `InputError` before a game is revealed: the next one begins when this one is over."""
    if not game.is_revealed:
        raise InputError("not_over")


@dataclass(frozen=True)
class Deal:
    """What is to be dealt, and out of which boxes.

    ``again`` deals also to those who have theirs, which then is taken away.
    """

    windows: bool = False
    privates: bool = False
    again: bool = False
    boxes: frozenset[WindowSet] = frozenset({WindowSet.BASE})


def dealt_to(game: Game, number: int) -> Dealt:
    """Return what a player was dealt."""
    return next((one for one in game.dealt if one.seat == number), Dealt(number))


def to_deal(game: Game, deal: Deal) -> frozenset[int]:
    """Return the seats that were not dealt all of this yet, or every seat when it is dealt again."""
    return frozenset(
        seat.number
        for seat in game.seats
        if deal.again
        or (deal.windows and not dealt_to(game, seat.number).windows)
        or (deal.privates and not dealt_to(game, seat.number).private)
    )


def dealt_out(
    game: Game, windows: Mapping[int, Record], deal: Deal, chance: random.Random
) -> tuple[Game, dict[int, Record]]:
    """Return game and windows after cards were dealt, none twice, to those who have none.

    Parameters
    ----------
    game
        The newest state.
    windows
        The newest window of every player, by the number of the seat.
    deal
        What is to be dealt.
    chance
        What the cards are drawn with.
    """
    before_reveal(game)
    getting = to_deal(game, deal)
    if not (deal.windows or deal.privates):
        raise InputError("bad_request")
    if not getting:
        raise InputError("all_dealt" if game.seats else "players_missing")
    after = dict(windows)
    if deal.windows:
        game = _windows_dealt(game, after, deal, chance)
    if deal.privates:
        game = _privates_dealt(game, after, deal, chance)
    seats = tuple(replace(seat, ready=seat.ready and seat.number not in getting) for seat in game.seats)
    return replace(game, seats=seats), after


def ordered(game: Game, revision: int, numbers: Sequence[int], *, known: bool) -> Game:
    """Return the game with the seats in another order.

    Parameters
    ----------
    game
        The newest state.
    revision
        The revision that the person who made the change was looking at.
    numbers
        The numbers of all seats.
    known
        Whether this is the order of the turns.
    """
    if sorted(numbers) != sorted(seat.number for seat in game.seats):
        raise ConflictError("conflict")  # somebody joined or left meanwhile
    seats = tuple(game.seat(number) for number in numbers)
    if (seats, known) == (game.seats, game.order_known):
        return game
    return replace(game, seats=seats, order_known=known, changed=noted(game, ["order"], revision))


def first_drawn(game: Game, revision: int, chance: random.Random) -> Game:
    """Return the game with a random player first; the others follow clockwise, as they stand in the list."""
    before_reveal(game)
    if game.play is not None:
        raise InputError("rounds_began")
    if not game.seats:
        raise InputError("players_missing")
    numbers = [seat.number for seat in game.seats]
    first = chance.randrange(len(numbers))
    return ordered(game, revision, numbers[first:] + numbers[:first], known=True)


def _windows_dealt(game: Game, windows: dict[int, Record], deal: Deal, chance: random.Random) -> Game:
    """Return the game with two cards for each who has none; ``windows`` lose what is taken away."""
    before = {seat.number: dealt_to(game, seat.number) for seat in game.seats}
    out = () if deal.again else {name for one in before.values() for name in one.windows}
    cards = [card for card in window_cards(deal.boxes) if card[0].name not in out]
    chance.shuffle(cards)
    for number, had in before.items():
        if had.windows and not deal.again:
            continue
        chosen = windows[number].choices
        if chosen.window in had.windows:
            windows[number] = with_choices(windows[number], replace(chosen, window=AUTO, favor_tokens=None))
        sides = tuple(side.name for _ in range(CARDS_EACH) for side in cards.pop())
        game = _noted(game, replace(dealt_to(game, number), windows=sides))
    return game


def _privates_dealt(game: Game, windows: dict[int, Record], deal: Deal, chance: random.Random) -> Game:
    """Return the game with private objectives in ``windows``; one that was chosen by hand stays."""
    getting = [number for number, window in windows.items() if deal.again or window.choices.private is None]
    kept = {window.choices.private for number, window in windows.items() if number not in getting}
    second = None if deal.again else game.second_private
    # Five and six players have the expansion: there are not enough colors for six.
    more = WindowSet.FIVE_AND_SIX in deal.boxes or len(game.seats) > MOST_WITHOUT_OWN_DICE
    left = [one for one in (PRIVATE_OBJECTIVES if more else Color) if one not in {*kept, second}]
    chance.shuffle(left)
    for number in getting:
        private = left.pop()
        windows[number] = with_choices(windows[number], replace(windows[number].choices, private=private))
    if game.solo:
        game = replace(game, second_private=second or left.pop())
    for number in windows:
        game = _noted(game, replace(dealt_to(game, number), private=True))
    return game


def _noted(game: Game, dealt: Dealt) -> Game:
    return replace(game, dealt=(*(one for one in game.dealt if one.seat != dealt.seat), dealt))
