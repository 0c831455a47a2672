"""The cards on the table: public objectives, tools with their favor tokens, and what a solo game needs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from scoring import HouseRule, PrivateObjective, PublicObjective, Setup, Tool, setup, tool_cost
from scoring.tools import EXPANSION_TOOLS, in_order
from webapp.services.changes import KEEP, Keep
from webapp.services.errors import ConflictError, InputError
from webapp.services.games.game import Game, Use, before_reveal, with_fields

HIGHEST_TARGET = 240  # forty dice of six: four a round


def setup_of(game: Game) -> Setup:
    """Return what the game is played with; how many play decides only whether it is a solo game."""
    return setup(1 if game.solo else max(2, len(game.seats)))


def missing_objectives(game: Game) -> int:
    """Return how many public objectives are still to be chosen."""
    return setup_of(game).public_objectives - len(game.public)


def with_cards(
    game: Game,
    revision: int,
    *,
    public: Collection[PublicObjective] | None = None,
    tools: Collection[Tool] | None = None,
    house_rules: Collection[HouseRule] | None = None,
    target: int | Keep | None = KEEP,
    second_private: PrivateObjective | Keep | None = KEEP,
    anyway: bool = False,
) -> Game:
    """Return the game with other cards on the table.

    Parameters
    ----------
    game
        The newest state.
    revision
        The revision that the person who made the change was looking at.
    public, tools
        All cards of that kind, or fewer while they are being chosen; None leaves them.
    house_rules
        All that the group agreed on; None leaves that.
    target, second_private
        Of a solo game: the sum on the round track and the second private objective.
    anyway
        Whether to take tool cards away that were used, which undoes these uses; see `tokens_back`.
    """
    before_reveal(game)
    fields: dict[str, Any] = {}
    if public is not None:
        if len(set(public)) > setup_of(game).public_objectives:
            raise InputError("too_many_objectives")
        fields["public"] = tuple(card for card in PublicObjective if card in public)
    if tools is not None:
        if len(set(tools)) > setup_of(game).most_tools:
            raise InputError("too_many_tools")
        fields["tools"] = in_order(tools)
    if house_rules is not None:
        fields["house_rules"] = tuple(rule for rule in HouseRule if rule in house_rules)
    asked = {"target": target, "second_private": second_private}
    solo = {name: one for name, one in asked.items() if one is not KEEP}
    if solo and not game.solo:
        raise InputError("only_in_solo")
    if isinstance(target, int) and not 0 <= target <= HIGHEST_TARGET:
        raise InputError("bad_target")
    after = with_fields(game, revision, **fields, **solo)
    return _without_uses(after, [use for use in game.uses if use.tool not in after.tools], anyway=anyway)


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

    The tool cards are drawn ``among`` those of the house that the players can use.

    Tools that are dealt anew begin unused, also one that is dealt again; see `with_cards` for ``anyway``.
    """
    rules = setup_of(game)
    if tools is None:
        drawn = chance.sample(list(PublicObjective), rules.public_objectives)
        return with_cards(game, revision, public=drawn)
    if not rules.fewest_tools <= tools <= rules.most_tools:
        raise InputError("bad_number_of_tools")
    unused = _without_uses(game, game.uses, anyway=anyway)
    return with_cards(unused, revision, tools=chance.sample(_playable(game, among), tools))


def _playable(game: Game, tools: Sequence[Tool]) -> list[Tool]:
    """Return the tools without those that need dice of one's own, where nobody has any."""
    with_own_dice = setup_of(game).own_dice > 0
    return [tool for tool in tools if with_own_dice or tool not in EXPANSION_TOOLS]


def _without_uses(game: Game, uses: Collection[Use], *, anyway: bool) -> Game:
    """Return the game without some uses, or raise `ConflictError` when nobody said that they may go."""
    before_reveal(game)
    if uses and not anyway:
        raise ConflictError("tool_in_use")
    return replace(game, uses=tuple(use for use in game.uses if use not in uses)) if uses else game


def check_private(game: Game | None, private: PrivateObjective | Keep | None) -> None:
    """Raise `InputError` when a player chooses the private objective that lies open in a solo game."""
    if game is not None and private is not None and private is game.second_private:
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
    """Return the game after a player used a tool.

    Parameters
    ----------
    game
        The newest state.
    number
        The player's seat.
    tool
        The card.
    tokens_left
        The favor tokens the player has before.
    """
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
    for use in reversed(game.uses):
        if use.seat == number:
            later = [other for other in game.uses if other.tool == use.tool][-1]
            return use if later is use else None
    return None


def use_taken_back(game: Game, number: int) -> Game:
    """Return the game without a player's last use of a tool."""
    before_reveal(game)
    use = last_use(game, number)
    if use is None:
        raise InputError("nothing_to_take_back")
    return replace(game, uses=tuple(other for other in game.uses if other is not use))
