"""What people do at a table. Each function first asks whether this device may do it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Unpack

from scoring import PrivateObjective, Tool
from webapp.domain import record as changes
from webapp.domain.errors import InputError
from webapp.domain.games import cards, codes, game
from webapp.domain.games.cards import CardsChange, Deal
from webapp.domain.games.game import Game, Move, checked_name
from webapp.domain.games.result import tokens_left
from webapp.domain.quotas import Kind
from webapp.domain.record import Choices, ChoicesChange, Record, card_of
from webapp.services import access, context, photos, players
from webapp.services.access import find, find_at_table, find_for_host, find_for_seat, game_store, viewer
from webapp.storage.games import Invitation

CHANCE = random.SystemRandom()


def start(name: str, *, solo: bool) -> Game:
    """Make a game of which this device is the host; with a name its owner sits down, too."""
    seated = checked_name(name) if name.strip() else None
    access.demand_room(Kind.GAME)
    made, token = game_store().create(solo=solo)
    context.visitor().grant(token)
    return join(made.code, seated) if seated else made


def join(code: str, name: str) -> Game:
    """Sit down; the seat is this device's."""
    by_host = viewer(find(code)).is_host
    after, token = game_store().join(code, name, by_host=by_host)
    context.visitor().grant(token)
    players.remember(after.seats[-1].name)
    return after


def let_in(code: str, *, to_new: bool) -> Game:
    """Open the table to new players, or close it."""
    find_for_host(code)
    return game_store().update(code, lambda newest: game.opened(newest, to_new=to_new))


def gather(code: str) -> Game:
    """Note that everybody is here."""
    find_for_host(code)
    return game_store().update(code, game.all_here)


def put_note(code: str, note: str) -> Game:
    """Keep a few words with the game."""
    find_for_host(code)
    return game_store().update(code, lambda newest: game.with_note(newest, note))


def invite(code: str, number: int) -> Invitation:
    """Make a link that brings a player's seat to the device that opens it."""
    find_for_host(code)
    return game_store().invite(code, number)


def take_seat(code: str, secret: str) -> Game:
    """Give this device the seat that a link was made for; the device that had it loses it."""
    find(code)
    after, token = game_store().move_seat(code, secret, context.visitor().hashes)
    if token:
        seat = next(one for one in after.seats if one.token == codes.hashed(token))
        # The device may have had the seat before, and have it still in an earlier game of the same people.
        context.visitor().grant(token, in_place_of=frozenset(seat.former) - game_store().in_use(seat.former))
    return after


def leave(code: str, number: int) -> Game:
    """Take a player out of the game, with window and photo for good."""
    find_for_seat(code, number, or_host=True)
    return game_store().leave(code, number)


def rename(code: str, number: int, name: str) -> Game:
    """Call a player something else."""
    find_for_seat(code, number, or_host=True)
    after = game_store().update(code, lambda newest: game.renamed(newest, number, name))
    players.remember(after.seat(number).name)
    return after


def put_cards(code: str, revision: int, **change: Unpack[CardsChange]) -> Game:
    """Put cards on the table; the tokens of tool cards that go return to the players who spent them."""
    found = find_for_host(code)
    if isinstance(second := change.get("second_private"), PrivateObjective) and any(
        window.choices.private == second for window in game_store().windows(found).values()
    ):
        raise InputError("same_private")
    return _giving_back(code, lambda newest: cards.with_cards(newest, revision, **change))


def deal(code: str, revision: int, tools: int | None, *, anyway: bool = False) -> Game:
    """Draw random cards: public objectives, or so many tools; those that were used go only ``anyway``."""
    find_for_host(code)
    among = context.known_tools()
    return _giving_back(
        code, lambda newest: cards.dealt(newest, revision, CHANCE, tools=tools, among=among, anyway=anyway)
    )


def deal_to_players(code: str, deal: Deal) -> Game:
    """Deal window cards and private objectives to the players; nobody sees those of another one."""
    find_for_host(code)
    deal = replace(deal, boxes=context.known_windows().sets)
    return game_store().change_windows(
        code, lambda newest, windows: cards.dealt_out(newest, windows, deal, CHANCE)
    )


def draw_first(code: str, revision: int) -> Game:
    """Draw who begins; the others follow clockwise."""
    find_for_host(code)
    return game_store().update(code, lambda newest: cards.first_drawn(newest, revision, CHANCE))


def play_on(code: str, move: Move, seen: int) -> Game:
    """Go on to another turn or round, as long as nobody else did so since step ``seen``."""
    find_at_table(code)
    now = int(time.time())
    return game_store().update(code, lambda newest: game.played_on(newest, move, seen, now))


def put_timer(code: str, seconds: int | None) -> Game:
    """Time the turns: with 0 the seconds are counted up, without a number not at all."""
    find_for_host(code)
    return game_store().update(code, lambda newest: game.timed(newest, seconds))


def put_order(code: str, revision: int, numbers: Sequence[int], *, known: bool) -> Game:
    """Put the players in another order."""
    find_for_host(code)
    return game_store().update(code, lambda newest: cards.ordered(newest, revision, numbers, known=known))


def take_photo(code: str, number: int, content: bytes, photo_id: str | None = None) -> tuple[Game, Record]:
    """Read a photo of a player's window in place of the one before, and return game and window."""
    found = find_for_seat(code, number)
    for known in context.store().load_known([photo_id] if photo_id else []):
        if found.seat(number).record_id == known.id:  # sent again, because the answer was lost
            return found, known
        raise InputError("bad_request")
    made = photos.take_in(content, Choices(), photo_id=photo_id)
    try:
        after = game_store().swap_window(code, number, made, device=context.visitor().hashes)
    except Exception:
        context.store().delete(made.id)  # nobody would ever find it
        raise
    return after, made


def put_own(code: str, number: int, choices: ChoicesChange, revision: int | None = None) -> Game:
    """Change private objective or tokens of a player, made on a revision of the player's window."""
    find_for_seat(code, number)

    def change(newest: Game, window: Record) -> tuple[Game, Record]:
        cards.check_private(newest, choices.private)
        seen = window.revision if revision is None else revision
        return newest, changes.apply(window, seen, choices=choices, known=context.known_windows())

    return game_store().change_window(code, number, change)


def be_ready(code: str, number: int, *, is_ready: bool) -> Game:
    """Note that a player is done, or not yet."""
    find_for_seat(code, number)

    def change(newest: Game, window: Record) -> tuple[Game, Record]:
        if is_ready and not window.choices.private:
            raise InputError("private_missing")
        if is_ready and newest.other_card and window.choices.other_points is None:
            raise InputError("other_points_missing")
        return game.ready(newest, number, is_ready=is_ready), window

    return game_store().change_window(code, number, change)


def use_tool(code: str, number: int, tool: Tool) -> Game:
    """Note that a player used a tool, and take the tokens that it costs."""
    find_for_seat(code, number)

    def change(newest: Game, window: Record) -> tuple[Game, Record]:
        left = tokens_left(window, newest, card_of(window, context.known_windows()))
        after = cards.tool_used(newest, number, tool, tokens_left=left)
        return after, _with_tokens(window, -after.uses[-1].tokens)

    return game_store().change_window(code, number, change)


def take_back(code: str, number: int) -> Game:
    """Take back a player's last use of a tool; its tokens go back to the player."""
    find_for_seat(code, number)
    return _giving_back(code, lambda newest: cards.use_taken_back(newest, number))


def reveal(code: str, *, anyway: bool) -> Game:
    """Open all windows."""
    find_for_host(code)
    return game_store().update(
        code,
        lambda newest: game.revealed(newest, missing_cards=cards.missing_objectives(newest), anyway=anyway),
    )


def reopen(code: str) -> Game:
    """Go back to the table."""
    find_for_host(code)
    return game_store().update(code, game.reopened)


def play_again(code: str, *, same_cards: bool) -> Game:
    """Begin the next game of the same people; whoever asks once more gets the same one."""
    find_for_host(code)
    access.demand_room(Kind.GAME)
    return game_store().again(code, same_cards=same_cards)


def delete(code: str) -> None:
    """Remove the game with all windows and photos for good."""
    find_for_host(code)
    game_store().delete(code)


def _giving_back(code: str, change: Callable[[Game], Game]) -> Game:
    """Return the changed game, after which every player has the tokens again of the uses that it undoes."""

    def both(newest: Game, windows: dict[int, Record]) -> tuple[Game, dict[int, Record]]:
        after = change(newest)
        back = cards.tokens_back(newest, after)
        return after, {number: _with_tokens(windows[number], more) for number, more in back.items()}

    return game_store().change_windows(code, both)


def _with_tokens(window: Record, more: int) -> Record:
    """Return the window with more tokens, where somebody told their number: else they follow the uses."""
    told, card = window.choices.favor_tokens, card_of(window, context.known_windows())
    if told is None:
        return window
    most = card.difficulty if card and card.difficulty else changes.MOST_FAVOR
    return changes.with_choices(window, replace(window.choices, favor_tokens=min(most, told + more)))
