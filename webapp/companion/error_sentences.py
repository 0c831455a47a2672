"""What the companion says when it refuses something: for each code a sentence, and what to do about it.

Those of photos, cards and dice have modules of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from scoring.sentences import Sentence, counted, sentence
from webapp.companion.dice_sentences import DICE
from webapp.companion.house_sentences import HOUSE, waiting
from webapp.companion.photo_sentences import LOAD_AGAIN, PHOTOS, START_AGAIN

REPEAT = sentence("Load the page again and repeat your change.")

TEXTS: Mapping[str, tuple[Sentence, Sentence]] = {
    **PHOTOS,
    # the page
    "upload_too_large": (
        sentence("This file is larger than 40 MB."),
        sentence("Make it smaller, or crop it to the window."),
    ),
    "not_found": (sentence("There is nothing at this address."), START_AGAIN),
    "reading_missing": (sentence("This window is not here (any more)."), START_AGAIN),
    "tool_missing": (sentence("This tool card is not here (any more)."), START_AGAIN),
    "broken_record": (sentence("The file of this window is damaged."), START_AGAIN),
    "conflict": (
        sentence("Somebody changed the same thing in another tab or on another phone."),
        sentence("The newest state is shown now; make your change again if it is still needed."),
    ),
    "foreign_request": (
        sentence("This change came from another web page and was refused."),
        sentence("Open this page itself and try again."),
    ),
    "foreign_name": (
        sentence("This page does not answer to the name in this address."),
        sentence(
            "Open the address that the program printed when it started, or start it with --address and the "
            "address that you use here."
        ),
    ),
    **HOUSE,
    "address_gone": (
        sentence("This computer cannot be reached at that address (any more)."),
        sentence("Load the page again and choose another one."),
    ),
    "bad_request": (sentence("This request makes no sense."), REPEAT),
    "method_not_allowed": (
        sentence("This address cannot be used in this way."),
        sentence("Look up at /api/v1/ what it takes."),
    ),
    "not_json": (sentence("This address takes JSON."), sentence("Send the content as application/json.")),
    "too_many_objectives": (sentence("Three cards are chosen already. Take one away first."), REPEAT),
    "not_in_pool": (
        sentence("This die is not in the draft pool."),
        sentence("Pick one of the dice that lie there."),
    ),
    "too_many_dice": (
        sentence("There are more dice than a draft pool can hold."),
        sentence("Take a die out of the pool first."),
    ),
    # games
    "game_missing": (
        sentence("There is no game with this code (any more)."),
        sentence("Ask for the code that the first screen of the game shows."),
    ),
    "broken_game": (sentence("What is stored of this game is damaged."), sentence("Start a new game.")),
    "not_the_host": (
        sentence("Only the device that started this game may do that."),
        sentence("Ask the host of the game."),
    ),
    "not_your_seat": (
        sentence("This seat belongs to another device."),
        sentence("Use the device with which this player joined, or ask the host for a new link."),
    ),
    "not_at_the_table": (
        sentence("This device has no seat at this table."),
        sentence("Join the game first."),
    ),
    "seat_missing": (sentence("This player is not in the game (any more)."), LOAD_AGAIN),
    "table_closed": (
        sentence("The windows of this game were revealed once, so nobody new may sit down."),
        sentence("Ask the host to let new players in at the table."),
    ),
    "link_used_up": (
        sentence("This link was used already, or it is too old."),
        sentence("Ask the host of the game for a new one."),
    ),
    "game_full": (
        sentence("All seats of this game are taken."),
        sentence("Ask the host to remove somebody, or start another game."),
    ),
    "game_over": (
        sentence("The scores of this game are revealed already."),
        sentence("The host can go back to the table on the page with the scores."),
    ),
    "not_revealed": (
        sentence("The scores of this game are not revealed (any more)."),
        sentence("Wait until the host reveals all windows."),
    ),
    "not_over": (
        sentence("This game is not over yet."),
        sentence("Reveal all windows first; then play again."),
    ),
    "player_unknown": (
        sentence("Nobody of this name has played a game here that counts."),
        sentence("Choose a player among the games so far."),
    ),
    "never_met": (
        sentence("These two have not played a game together here that counts."),
        sentence("Choose a player among the games so far."),
    ),
    "not_confirmed": (
        sentence("Nothing was deleted."),
        sentence("Check the box first if you want to delete the game for good."),
    ),
    "bad_name": (
        sentence("This cannot be the name of a player."),
        sentence("Write 1 to 30 visible characters."),
    ),
    "name_taken": (
        sentence("Somebody at this table has that name already."),
        sentence("Choose another one, such as one with an initial."),
    ),
    "players_missing": (
        sentence("There are not enough players at this table."),
        sentence("Wait until a second player has joined, or start a solo game."),
    ),
    "cards_missing": (
        sentence("The public objectives are not all chosen."),
        sentence("Choose the cards that lie on the table first."),
    ),
    "target_missing": (
        sentence("The target is missing: the sum of the dice on the round track."),
        sentence("Add up their values and write the sum down at the table."),
    ),
    "not_everybody_ready": (
        sentence("Not everybody is ready."),
        sentence("Wait for them, or say that you want to reveal all the same."),
    ),
    "private_missing": (
        sentence("Your private objective is not chosen."),
        sentence("Choose it first; nobody else sees it before the reveal."),
    ),
    "too_many_tools": (
        sentence("There are more tool cards than this game has."),
        sentence("Take one away first."),
    ),
    "bad_number_of_tools": (
        sentence("This game cannot have that many tool cards."),
        sentence("It has three; a solo game has one to five."),
    ),
    "all_dealt": (
        sentence("Every player was dealt these cards already."),
        sentence("Deal again, if the cards that were dealt may be taken away."),
    ),
    "rounds_began": (
        sentence("The first round has begun already."),
        sentence("Tap Back until no round is shown, then draw who begins."),
    ),
    "tool_not_in_play": (sentence("This tool card is not on the table."), LOAD_AGAIN),
    "tool_in_use": (
        sentence("A tool card that would go was used already."),
        sentence("Say that it may go all the same; its favor tokens go back to the players who spent them."),
    ),
    "tool_used_up": (sentence("In a solo game each tool works only once."), sentence("Put the card away.")),
    "no_tokens": (
        sentence("This player has not enough favor tokens."),
        sentence("Set the favor tokens that the player has left first."),
    ),
    "nothing_to_take_back": (sentence("There is no use of a tool to take back."), LOAD_AGAIN),
    "only_in_solo": (sentence("Only a solo game has a target."), LOAD_AGAIN),
    "bad_target": (
        sentence("The dice on the round track cannot add up to that."),
        sentence("Write a whole number, 0 or more."),
    ),
    "table_decides": (
        sentence("The public objectives are chosen at the table, for everybody."),
        sentence("The host changes them there."),
    ),
    "window_of_a_seat": (
        sentence("This window belongs to a game."),
        sentence("Take another photo at the table, or leave the game there."),
    ),
    # windows of one's own
    "window_missing": (
        sentence("There is no such window of your own (any more)."),
        sentence("Look for it among your own windows."),
    ),
    "no_window_file": (
        sentence("This is not a file with windows."),
        sentence("Choose a file that was exported by this program."),
    ),
    "window_file_missing": (sentence("There is no file."), sentence("Choose a file first.")),
    "window_not_confirmed": (
        sentence("Nothing was deleted."),
        sentence("Check the box first if you want to delete the window for good."),
    ),
    "windows_unusable": (
        sentence("The file with your own windows cannot be used."),
        sentence("On the computer that serves this page, “sagrada windows list” says why."),
    ),
    "windows_busy": (
        sentence("Somebody else is changing your own windows just now."),
        sentence("Try again in a moment."),
    ),
    **DICE,
    "disk_full": (
        sentence("The disk of the computer that serves this page is full. Nothing was saved."),
        sentence("Delete photos that nobody needs any more, or make room there; then try again."),
    ),
    "database_busy": (
        sentence("Nothing can be saved at this moment."),
        sentence("Try again in a moment."),
    ),
    # the rest
    "internal": (
        sentence("Something went wrong on the computer that serves this page."),
        sentence("Try again; if it stays, look at what the program printed."),
    ),
}

NO_WINDOW_BUT_CARD = (
    sentence("This is a public objective card, not a window."),
    sentence("Take a photo of the window itself."),
)

EDGES = {
    "top": sentence("at the top"),
    "bottom": sentence("at the bottom"),
    "left": sentence("on the left"),
    "right": sentence("on the right"),
}


def text_of(code: str, data: Mapping[str, object]) -> tuple[Sentence, Sentence]:
    """Return what is wrong and what to do about it; a code that is newer than these words says little."""
    what, advice = TEXTS.get(code, TEXTS["bad_request"])
    edges = data.get("edges")
    if code == "board_cut_off" and isinstance(edges, list | tuple):
        named = [EDGES[edge] for edge in edges if edge in EDGES]
        if named:
            what = sentence("A part of the window is outside the photo: {edges}.", edges=_both(named))
    seconds = data.get("wait_s")
    if isinstance(seconds, int):
        advice = waiting(code, seconds) or advice
    place = data.get("place")
    if code == "being_read" and isinstance(place, int) and place:
        what = counted("{count} photo is before this one.", "{count} photos are before this one.", place)
    if code == "board_not_found" and "card" in data:
        what, advice = NO_WINDOW_BUT_CARD
    return what, advice


def _both(edges: list[Sentence]) -> Sentence:
    first, *others = edges[:2]
    return sentence("{first} and {second}", first=first, second=others[0]) if others else first
