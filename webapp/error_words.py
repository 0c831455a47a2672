"""What went wrong and what to do about it, in the visitor's language, for every error code.

What the rules refuse brings its own sentences along: `refused_by_rules`.
"""

from __future__ import annotations

import re

from babel.lists import format_list

from scoring import ScoringError
from webapp.cli_words import terminal_words_in
from webapp.language import current, gettext, lazy_gettext

SENTENCES = {
    # from vision
    "not_a_photo": lazy_gettext("This file is not a photo that can be opened."),
    "photo_truncated": lazy_gettext("The file of this photo is incomplete or damaged."),
    "photo_too_large": lazy_gettext("This photo has too many pixels."),
    "photo_missing": lazy_gettext("There is no photo."),
    "board_not_found": lazy_gettext("There is no Sagrada window to be seen in this photo."),
    "several_boards": lazy_gettext("There are several windows in this photo, and none stands out."),
    "board_cut_off": lazy_gettext("A part of the window is outside the photo."),
    "too_small": lazy_gettext("The window is too small in this photo."),
    "too_blurry": lazy_gettext("This photo is too blurry."),
    "too_dark": lazy_gettext("This photo is too dark."),
    "bad_corners": lazy_gettext("These four corners do not make a window."),
    # from the page
    "upload_too_large": lazy_gettext("This file is larger than 40 MB."),
    "not_found": lazy_gettext("There is nothing at this address."),
    "reading_missing": lazy_gettext("This window is not here (any more)."),
    "broken_record": lazy_gettext("The file of this window is damaged."),
    "conflict": lazy_gettext("Somebody changed the same thing in another tab or on another phone."),
    "foreign_request": lazy_gettext("This change came from another web page and was refused."),
    "foreign_name": lazy_gettext("This page does not answer to the name in this address."),
    "host_only": lazy_gettext("Only the computer that serves this page may change that."),
    "address_gone": lazy_gettext("This computer cannot be reached at that address (any more)."),
    "bad_request": lazy_gettext("This request makes no sense."),
    "method_not_allowed": lazy_gettext("This address cannot be used in this way."),
    "not_json": lazy_gettext("This address takes JSON."),
    "too_many_objectives": lazy_gettext("Three cards are chosen already. Take one away first."),
    "not_in_pool": lazy_gettext("This die is not in the draft pool."),
    "too_many_dice": lazy_gettext("There are more dice than a draft pool can hold."),
    # from the games
    "game_missing": lazy_gettext("There is no game with this code (any more)."),
    "broken_game": lazy_gettext("What is stored of this game is damaged."),
    "too_many_codes": lazy_gettext("Too many wrong codes came from here."),
    "not_the_host": lazy_gettext("Only the device that started this game may do that."),
    "not_your_seat": lazy_gettext("This seat belongs to another device."),
    "seat_missing": lazy_gettext("This player is not in the game (any more)."),
    "table_closed": lazy_gettext("The windows of this game were revealed once, so nobody new may sit down."),
    "link_used_up": lazy_gettext("This link was used already, or it is too old."),
    "game_full": lazy_gettext("All seats of this game are taken."),
    "game_over": lazy_gettext("The scores of this game are revealed already."),
    "not_revealed": lazy_gettext("The scores of this game are not revealed (any more)."),
    "not_confirmed": lazy_gettext("Nothing was deleted."),
    "bad_name": lazy_gettext("This cannot be the name of a player."),
    "name_taken": lazy_gettext("Somebody at this table has that name already."),
    "players_missing": lazy_gettext("There are not enough players at this table."),
    "cards_missing": lazy_gettext("The public objectives are not all chosen."),
    "target_missing": lazy_gettext("The target is missing: the sum of the dice on the round track."),
    "not_everybody_ready": lazy_gettext("Not everybody is ready."),
    "private_missing": lazy_gettext("Your private objective is not chosen."),
    "too_many_tools": lazy_gettext("There are more tool cards than this game has."),
    "bad_number_of_tools": lazy_gettext("This game cannot have that many tool cards."),
    "tool_not_in_play": lazy_gettext("This tool card is not on the table."),
    "tool_used_up": lazy_gettext("In a solo game each tool works only once."),
    "no_tokens": lazy_gettext("This player has not enough favor tokens."),
    "nothing_to_take_back": lazy_gettext("There is no use of a tool to take back."),
    "only_in_solo": lazy_gettext("Only a solo game has a target."),
    "bad_target": lazy_gettext("The dice on the round track cannot add up to that."),
    "table_decides": lazy_gettext("The public objectives are chosen at the table, for everybody."),
    "window_of_a_seat": lazy_gettext("This window belongs to a game."),
    # from the windows of one's own
    "window_missing": lazy_gettext("There is no such window of your own (any more)."),
    "no_window_file": lazy_gettext("This is no file with windows."),
    "window_file_missing": lazy_gettext("There is no file."),
    "window_not_confirmed": lazy_gettext("Nothing was deleted."),
    "windows_unusable": lazy_gettext("The file with your own windows cannot be used."),
    "windows_busy": lazy_gettext("Somebody else is changing your own windows just now."),
    "internal": lazy_gettext("Something went wrong on the computer that serves this page."),
}

NEXT_STEPS = {
    "not_a_photo": lazy_gettext("Choose a JPEG, PNG, WebP or HEIC file."),
    "photo_truncated": lazy_gettext("Send it again, or take another photo."),
    "photo_too_large": lazy_gettext("Make it smaller, or crop it to the window."),
    "photo_missing": lazy_gettext("Take or choose a photo first."),
    "board_not_found": lazy_gettext(
        "Take the photo from straight above so that all four corners of the window show, "
        "or put the corners by hand."
    ),
    "several_boards": lazy_gettext("Take a photo of one window, or put the corners by hand."),
    "board_cut_off": lazy_gettext(
        "Take the photo again with all 20 spaces and a little of the frame around them in view."
    ),
    "too_small": lazy_gettext("Go closer, so that the window fills the photo."),
    "too_blurry": lazy_gettext("Hold the camera still above the window and wait until it is in focus."),
    "too_dark": lazy_gettext("Turn on a light, or use the flash from a little further away."),
    "bad_corners": lazy_gettext("Put each point on one corner of the grid, clockwise from the top left."),
    "upload_too_large": lazy_gettext("Make it smaller, or crop it to the window."),
    "not_found": lazy_gettext("Start again with a photo."),
    "reading_missing": lazy_gettext("Start again with a photo."),
    "broken_record": lazy_gettext("Start again with a photo."),
    "conflict": lazy_gettext("The newest state is shown now; make your change again if it is still needed."),
    "foreign_request": lazy_gettext("Open this page itself and try again."),
    "foreign_name": lazy_gettext(
        "Open the address that the program printed when it started, "
        "or start it with --address and the address that you use here."
    ),
    "host_only": lazy_gettext("Open this page there, and change it there."),
    "address_gone": lazy_gettext("Load the page again and choose another one."),
    "bad_request": lazy_gettext("Load the page again and repeat your change."),
    "method_not_allowed": lazy_gettext("Look up at /api/v1/ what it takes."),
    "not_json": lazy_gettext("Send the content as application/json."),
    "too_many_objectives": lazy_gettext("Load the page again and repeat your change."),
    "not_in_pool": lazy_gettext("Pick one of the dice that lie there."),
    "too_many_dice": lazy_gettext("Take a die out of the pool first."),
    "game_missing": lazy_gettext("Ask for the code that the first screen of the game shows."),
    "broken_game": lazy_gettext("Start a new game."),
    "too_many_codes": lazy_gettext("Wait a minute, then type the code again."),
    "not_the_host": lazy_gettext("Ask the host of the game."),
    "not_your_seat": lazy_gettext(
        "Use the device with which this player joined, or ask the host for a new link."
    ),
    "seat_missing": lazy_gettext("Load the page again."),
    "table_closed": lazy_gettext("Ask the host to let new players in at the table."),
    "link_used_up": lazy_gettext("Ask the host of the game for a new one."),
    "game_full": lazy_gettext("Ask the host to remove somebody, or start another game."),
    "game_over": lazy_gettext("The host can go back to the table on the page with the scores."),
    "not_revealed": lazy_gettext("Wait until the host reveals all windows."),
    "not_confirmed": lazy_gettext("Check the box first if you want to delete the game for good."),
    "bad_name": lazy_gettext("Write 1 to 30 letters that can be seen."),
    "name_taken": lazy_gettext("Choose another one, such as one with an initial."),
    "players_missing": lazy_gettext("Wait until a second player has joined, or start a solo game."),
    "cards_missing": lazy_gettext("Choose the cards that lie on the table first."),
    "target_missing": lazy_gettext("Add up their values and write the sum down at the table."),
    "not_everybody_ready": lazy_gettext("Wait for them, or say that you want to reveal all the same."),
    "private_missing": lazy_gettext("Choose it first; nobody else sees it before the reveal."),
    "too_many_tools": lazy_gettext("Take one away first."),
    "bad_number_of_tools": lazy_gettext("It has three; a solo game has one to five."),
    "tool_not_in_play": lazy_gettext("Load the page again."),
    "tool_used_up": lazy_gettext("Put the card away."),
    "no_tokens": lazy_gettext("Set the favor tokens that the player has left first."),
    "nothing_to_take_back": lazy_gettext("Load the page again."),
    "only_in_solo": lazy_gettext("Load the page again."),
    "bad_target": lazy_gettext("Write a whole number, 0 or more."),
    "table_decides": lazy_gettext("The host changes them there."),
    "window_of_a_seat": lazy_gettext("Take another photo at the table, or leave the game there."),
    "window_missing": lazy_gettext("Look for it among your own windows."),
    "no_window_file": lazy_gettext("Choose a file that was exported by this program."),
    "window_file_missing": lazy_gettext("Choose a file first."),
    "window_not_confirmed": lazy_gettext("Check the box first if you want to delete the window for good."),
    "windows_unusable": lazy_gettext(
        "On the computer that serves this page, “sagrada windows list” says why."
    ),
    "windows_busy": lazy_gettext("Try again in a moment."),
    "internal": lazy_gettext("Try again; if it stays, look at what the program printed."),
}


CUT_OFF = re.compile(r"cut off at the ([a-z ]+?) edges? of the photo")  # as vision.refusals.cut_off says it
EDGES = {
    "top": lazy_gettext("at the top"),
    "bottom": lazy_gettext("at the bottom"),
    "left": lazy_gettext("on the left"),
    "right": lazy_gettext("on the right"),
}


def _known(code: str, message: str) -> str | None:
    """Return the translated sentence of an error, with the edges that an English one names."""
    if code == "board_cut_off" and (named := CUT_OFF.search(message)):
        edges = [str(EDGES[edge]) for edge in named[1].split(" and ") if edge in EDGES]
        if edges:
            return gettext(
                "A part of the window is outside the photo: %(edges)s.",
                edges=format_list(edges, locale=current()),
            )
    return str(SENTENCES[code]) if code in SENTENCES else None


def refused_by_rules(error: ScoringError, code: str | None = None) -> dict[str, str]:
    """Return what the rules refuse, in the one shape and with all that they say about it.

    Parameters
    ----------
    error
        It says what is wrong, and where, in every language.
    code
        What programs call it, where that is not what the rules do.
    """
    return {**error.to_json(terminal_words_in(current())), "code": code or error.code}


def problem(code: str, message: str = "", next_step: str = "") -> dict[str, str]:
    """Return an error in the one shape.

    Parameters
    ----------
    code
        The machine-readable reason, which picks the translated sentences.
    message, next_step
        What the reader itself says, in English; it knows more (which edge, how many pixels), so
        an English page shows it, and so does every page for a code without a translation.
    """
    english = current() == "en"
    told = (english and message) or _known(code, message) or message or SENTENCES["bad_request"]
    advice = (english and next_step) or NEXT_STEPS.get(code) or next_step or NEXT_STEPS["bad_request"]
    return {"code": code, "message": str(told), "next_step": str(advice)}
