"""The cards on the table: chosen, dealt to the table and to each player, tools with their favor tokens."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

from scoring import (
    PRIVATE_OBJECTIVES,
    Color,
    HouseRule,
    PrivateObjective,
    PublicObjective,
    Setup,
    Tool,
    WindowSet,
    setup,
    tool_cost,
    window_cards,
)
from scoring.game.setup import CARDS_EACH, MOST_WITHOUT_OWN_DICE
from scoring.tools import EXPANSION_TOOLS, in_order
from webapp.domain.errors import ConflictError, InputError
from webapp.domain.games.game import Dealt, Game, Use, before_reveal, with_fields
from webapp.domain.record import AUTO, KEEP, Keep, Record, noted, with_choices

HIGHEST_TARGET = 240  # forty dice of six: four a round


def setup_of(game: Game) -> Setup:
    """Return what the game is played with; how many play decides only whether it is a solo game."""
    return setup(1 if game.solo else max(2, len(game.seats)))


def missing_objectives(game: Game) -> int:
    """Return how many public objectives are still to be chosen."""
    return setup_of(game).public_objectives - len(game.public) - game.other_card


class CardsChange(TypedDict, total=False):
    """What changes of the cards on the table; what is left out stays.

    ``public``, ``tools`` and ``house_rules`` are all of that kind, or fewer while they are being chosen; None
    leaves them. ``target`` and ``second_private`` are of a solo game. Tool cards that were used go only
    ``anyway``, which undoes these uses; see `tokens_back`.
    """

    public: Collection[PublicObjective] | None
    other_card: bool
    tools: Collection[Tool] | None
    house_rules: Collection[HouseRule] | None
    target: int | Keep | None
    second_private: PrivateObjective | Keep | None
    anyway: bool


def with_cards(game: Game, revision: int, **change: Unpack[CardsChange]) -> Game:
    """Return the game with other cards on the table, a change made on ``revision``."""
    before_reveal(game)
    fields: dict[str, Any] = {}
    if (public := change.get("public")) is not None:
        fields["public"] = tuple(card for card in PublicObjective if card in public)
    if (tools := change.get("tools")) is not None:
        if len(set(tools)) > setup_of(game).most_tools:
            raise InputError("too_many_tools")
        fields["tools"] = in_order(tools)
    if (house_rules := change.get("house_rules")) is not None:
        fields["house_rules"] = tuple(rule for rule in HouseRule if rule in house_rules)
    target = change.get("target", KEEP)
    asked = {"target": target, "second_private": change.get("second_private", KEEP)}
    solo = {name: one for name, one in asked.items() if one is not KEEP}
    if solo and not game.solo:
        raise InputError("only_in_solo")
    if isinstance(target, int) and not 0 <= target <= HIGHEST_TARGET:
        raise InputError("bad_target")
    if "other_card" in change:
        fields["other_card"] = change["other_card"]
    after = with_fields(game, revision, **fields, **solo)
    if missing_objectives(after) < 0:
        raise InputError("too_many_objectives")
    if after.other_card and not game.other_card:  # nobody has told its points
        after = replace(after, seats=tuple(replace(seat, ready=False) for seat in after.seats))
    gone = [use for use in game.uses if use.tool not in after.tools]
    return _without_uses(after, gone, anyway=change.get("anyway", False))


def dealt(
    game: Game,
    revision: int,
    chance: random.Random,
    *,
    tools: int | None = None,
    among: Sequence[Tool] = tuple(Tool),
    anyway: bool = False,
) -> Game:
    """Return the game with random public objectives, or with so many tool cards when a number is given.

    The tool cards are drawn ``among`` those that are known. Tools that are dealt anew begin unused, also one
    that is dealt again; see `CardsChange` for ``anyway``.
    """
    rules = setup_of(game)
    if tools is None:
        drawn = chance.sample(list(PublicObjective), rules.public_objectives)
        return with_cards(game, revision, public=drawn, other_card=False)
    if not rules.fewest_tools <= tools <= rules.most_tools:
        raise InputError("bad_number_of_tools")
    unused = _without_uses(game, game.uses, anyway=anyway)
    playable = [tool for tool in among if rules.own_dice > 0 or tool not in EXPANSION_TOOLS]
    return with_cards(unused, revision, tools=chance.sample(playable, tools))


def _without_uses(game: Game, uses: Collection[Use], *, anyway: bool) -> Game:
    """Return the game without some uses, or raise `ConflictError` when nobody said that they may go."""
    before_reveal(game)
    if uses and not anyway:
        raise ConflictError("tool_in_use")
    return replace(game, uses=tuple(use for use in game.uses if use not in uses)) if uses else game


def check_private(game: Game, private: PrivateObjective | Keep | None) -> None:
    """Raise `InputError` when a player chooses the private objective that lies open in a solo game."""
    if private is not None and private is game.second_private:
        raise InputError("same_private")


# --- Tools in use ----------------------------------------------------------------------------------


def tokens_back(before: Game, after: Game) -> dict[int, int]:
    """Return the favor tokens that each seat gets back, because uses of tools were undone.

    It does not matter whether a player took a use back or the card went: what nobody used was never paid.
    """
    back = Counter({use.seat: 0 for use in before.uses})
    for sign, game in ((1, before), (-1, after)):
        for use in game.uses:
            back[use.seat] += sign * use.tokens
    return {seat.number: back[seat.number] for seat in after.seats if back[seat.number] > 0}


def tokens_on(game: Game, tool: Tool) -> int:
    """Return the favor tokens that lie on a tool card."""
    return sum(use.tokens for use in game.uses if use.tool == tool)


def cost_of(game: Game, tool: Tool) -> int:
    """Return the tokens that the next use of a tool costs; a solo game has none, there a die pays."""
    return 0 if game.solo else tool_cost(tokens_on(game, tool))


def is_used_up(game: Game, tool: Tool) -> bool:
    """Tell whether a tool cannot be used again: in a solo game each works once."""
    return game.solo and any(use.tool == tool for use in game.uses)


def tool_used(game: Game, number: int, tool: Tool, *, tokens_left: int) -> Game:
    """Return the game after a player used a tool, who has so many ``tokens_left`` before."""
    before_reveal(game)
    game.seat(number)
    if tool not in game.tools:
        raise InputError("tool_not_in_play")
    if is_used_up(game, tool):
        raise InputError("tool_used_up")
    cost = cost_of(game, tool)
    if tokens_left < cost:
        raise InputError("no_tokens")
    played = game.play.number if game.play and not game.play.over else None
    return replace(game, uses=(*game.uses, Use(tool, number, cost, played)))


def last_use(game: Game, number: int) -> Use | None:
    """Return what a player used last and may take back: nobody has used the same card since."""
    use = next((use for use in reversed(game.uses) if use.seat == number), None)
    newest = {use.tool: use for use in game.uses}  # of each card
    return use if use and newest[use.tool] is use else None


def use_taken_back(game: Game, number: int) -> Game:
    """Return the game without a player's last use of a tool."""
    before_reveal(game)
    use = last_use(game, number)
    if use is None:
        raise InputError("nothing_to_take_back")
    return replace(game, uses=tuple(other for other in game.uses if other is not use))


def rematch(game: Game, code: str, windows: Mapping[int, str], *, same_cards: bool) -> Game:
    """Return the game that follows on a revealed one.

    Each seat keeps number, name and token, so that the same devices have it. Where the order of the turns is
    known, the next player clockwise has the bag. ``windows`` are the ids of new, empty windows, by the number
    of the seat.
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
        other_card=game.other_card and same_cards,
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
    """Return game and windows, by the number of the seat, after cards were dealt to those who have none."""
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
    """Return the game with the seats in another order; ``known`` tells whether it is that of the turns."""
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
