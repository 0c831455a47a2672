"""What the companion refuses, told apart by what a caller does about it.

A `CompanionError` has a code with a sentence and a next step, a `StoreError` is about files of this computer.
Beside them stand `ScoringError` (the rules), `VisionError` (the reader), `GameFileError` (a game in a file)
and `AddressError` (an address for phones). `webapp.http.errors` knows which HTTP status each of them has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from scoring.errors import SagradaError, ScoringError
from scoring.names import GIVE_A_NAME, NOTHING_SHOWS
from scoring.sentences import Sentence, counted, english, sentence

DAMAGED = sentence("What is stored of it is damaged.")
GONE = sentence("This does not exist (any more).")
START_AGAIN = sentence("Start again with a photo.")
LOAD_AGAIN = sentence("Load the page again.")
REPEAT = sentence("Load the page again and repeat your change.")
CHOOSE_ANOTHER = sentence("Choose another one.")
WAIT = sentence("Wait a moment.")
ASK_THE_HOST = sentence("Ask the host of the game.")
TRY_AGAIN = sentence("Try again in a moment.")
DELETE_SOME = sentence("Delete some that nobody uses any more.")
NAME_TAKEN = (sentence("That name is taken already."), CHOOSE_ANOTHER)
NOT_EXPORTED = (
    sentence("This file cannot be used here."),
    sentence("Choose a file that was exported by this program."),
)
BUSY = (sentence("Somebody else is changing this just now."), TRY_AGAIN)
TOO_MANY_TRIES = sentence("Too many wrong tries came from here.")
AS_ADMINISTRATOR = sentence(
    "Open “Administration” and type the PIN that the program printed when it started."
)
BAD_TOOLS = (
    sentence("This game cannot have that many tool cards."),
    sentence("It has three; a solo game has one to five."),
)
NO_ROOM = (sentence("No more can be stored."), DELETE_SOME)
NOTHING_DELETED = (
    sentence("Nothing was deleted."),
    sentence("Check the box first if you want to delete it for good."),
)


def _unusable(command: str) -> tuple[Sentence, Sentence]:
    """Return that a stored file cannot be used, and the command that says why."""
    return (
        sentence("A file that this page needs cannot be used."),
        sentence("On the computer that serves this page, “{command}” says why.", command=command),
    )


TEXTS: Mapping[str, tuple[Sentence, Sentence]] = {
    # dice
    "profile_missing": (sentence("There are no dice of that name (any more)."), CHOOSE_ANOTHER),
    "profile_name_taken": NAME_TAKEN,
    "nothing_to_undo": (sentence("There is nothing to undo."), LOAD_AGAIN),
    "profile_not_confirmed": NOTHING_DELETED,
    "no_profile_file": NOT_EXPORTED,
    "dice_unconfirmed": (
        sentence("Some dice still need a look."),
        sentence("Look at each of them first, or say that all dice are correct now."),
    ),
    "no_reading_to_learn": (
        sentence("There is no photo here in which a window was read."),
        sentence("Open a window that was read from a photo."),
    ),
    "no_loose_dice": (
        sentence("No loose dice are to be seen in this photo."),
        sentence("Lay the dice apart on a plain table, and take the photo from straight above."),
    ),
    "profiles_unusable": _unusable("sagrada calibrate --list"),
    "profiles_busy": BUSY,
    "database_unusable": _unusable("sagrada serve"),
    # what is stored here
    "administrator_only": (sentence("Only the administrator may do that."), AS_ADMINISTRATOR),
    "others_added_it": (
        sentence("It was added on another device, and all games use it."),
        sentence(
            "Change it on the device that added it, or open “Administration” and type the PIN that the "
            "program printed when it started."
        ),
    ),
    "wrong_pin": (
        sentence("This is not the PIN."),
        sentence("Type the digits that the program printed when it started."),
    ),
    "too_many_pins": (TOO_MANY_TRIES, TRY_AGAIN),
    "too_many_codes": (TOO_MANY_TRIES, TRY_AGAIN),
    "too_many_today": (
        sentence("Too much came from here today."),
        AS_ADMINISTRATOR,
    ),
    "no_room_for_windows": NO_ROOM,
    "no_room_for_dice": NO_ROOM,
    # photos
    "not_a_photo": (
        sentence("This file is not a photo that can be opened."),
        sentence("Choose a JPEG, PNG, WebP, HEIC or AVIF file."),
    ),
    "photo_truncated": (
        sentence("The file of this photo is incomplete or damaged."),
        sentence("Send it again, or take another photo."),
    ),
    "photo_too_large": (
        sentence("This photo has too many pixels."),
        sentence("Make it smaller, or crop it to the window."),
    ),
    "empty_animation": (
        sentence("This is an animation, and its first picture is empty."),
        sentence("Save the picture that shows the window as a photo of its own, and choose that."),
    ),
    "photo_missing": (sentence("There is no photo."), sentence("Take or choose a photo first.")),
    "board_not_found": (
        sentence("No Sagrada window was found in this photo."),
        sentence(
            "Take the photo from straight above so that all four corners of the window show, or set the "
            "corners by hand."
        ),
    ),
    "several_boards": (
        sentence("There are several windows in this photo, and none stands out."),
        sentence("Take a photo of one window, or set the corners by hand."),
    ),
    "board_cut_off": (
        sentence("A part of the window is outside the photo."),
        sentence("Take the photo again with all 20 spaces and a little of the frame around them in view."),
    ),
    "too_small": (
        sentence("The window is too small in this photo."),
        sentence("Go closer, so that the window fills the photo."),
    ),
    "too_blurry": (
        sentence("This photo is too blurry."),
        sentence(
            "Wipe the lens, hold the phone still above the window, tap the dice to focus, and take it again."
        ),
    ),
    "too_dark": (
        sentence("This photo is too dark."),
        sentence("Turn on a light, or use the flash from a little further away."),
    ),
    "no_colors": (
        sentence("This photo has no colors, so that dice cannot be told apart."),
        sentence("Switch the camera or the scanner to color, and take the photo again."),
    ),
    "window_unclear": (
        sentence("This looks like a window, but its spaces cannot be told apart."),
        sentence("Take a photo of it from above, or of it alone."),
    ),
    "card_unclear": (
        sentence("This looks like a public objective card, but not clear enough to tell which."),
        sentence("Go closer, so that the card and the picture on it are sharp and free of glare."),
    ),
    "die_unclear": (
        sentence("A loose die cannot be read."),
        sentence("Say what it shows, or photograph it from nearer."),
    ),
    "different_tables": (
        sentence("Some of these photos have no window in common. They may show different tables."),
        sentence(
            "Merge only photos of one table, each with a window that another one shows too, "
            "and read the others on their own."
        ),
    ),
    "different_windows": (
        sentence("This photo shows another window, or dice were moved in between."),
        sentence("Take one more of the same window, or correct the dice by hand."),
    ),
    "same_photo": (
        sentence("This photo was read already."),
        sentence("Take one more of the same window, or correct the dice by hand."),
    ),
    "bad_corners": (
        sentence("These four corners do not make a window."),
        sentence("Put each point on one corner of the grid, clockwise from the top left."),
    ),
    "being_read": (sentence("This photo is being read."), WAIT),
    "photo_not_finished": (
        sentence("The photo could not be read to its end."),
        sentence("Take or choose it again, or enter the dice by hand."),
    ),
    "photos_away": (sentence("The storage where photos are kept does not answer."), TRY_AGAIN),
    "photo_arrives": (sentence("This photo is being sent twice right now."), TRY_AGAIN),
    "too_many_photos": (
        sentence("Too many photos are waiting: this one would take minutes."),
        TRY_AGAIN,
    ),
    # a photo of the whole table
    "table_photo_missing": (GONE, START_AGAIN),
    "table_being_read": (sentence("This photo is being read."), WAIT),
    "table_not_finished": (
        sentence("The photo could not be read to its end."),
        sentence("What was read is kept. Take the photo again for the rest."),
    ),
    "too_many_windows": (
        sentence("A game has six players at most."),
        sentence("Leave out the windows that are not of this game."),
    ),
    "window_twice": (
        sentence("Two players cannot have the same window."),
        sentence("Choose another one for one of them, or none."),
    ),
    "no_such_window": (GONE, LOAD_AGAIN),
    "no_dice_on_track": (
        sentence("No die was seen on the round track."),
        sentence("Tap where one lies in the photo to add it, or write the target at the table."),
    ),
    # the page
    "upload_too_large": (
        sentence("This file is larger than {most} MB.", most=40),
        sentence("Make it smaller, or crop it to the window."),
    ),
    "not_found": (sentence("There is nothing at this address."), START_AGAIN),
    "reading_missing": (GONE, START_AGAIN),
    "tool_missing": (GONE, START_AGAIN),
    "broken_record": (DAMAGED, START_AGAIN),
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
    "address_gone": (sentence("This computer cannot be reached at that address (any more)."), CHOOSE_ANOTHER),
    "bad_request": (sentence("This request cannot be understood."), REPEAT),
    "method_not_allowed": (
        english("This address cannot be used in this way."),
        english("/api/openapi.json says what it takes."),
    ),
    "not_json": (
        english("This address takes a form or JSON."),
        english("Send the content as application/json."),
    ),
    "no_json": (english("This page is not available as JSON."), english("Open it in a browser.")),
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
    "broken_game": (DAMAGED, sentence("Start a new game.")),
    "not_the_host": (sentence("Only the device that started this game may do that."), ASK_THE_HOST),
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
    "not_confirmed": NOTHING_DELETED,
    "bad_name": (
        sentence("This cannot be the name of a player."),
        sentence("Write 1 to 30 visible characters."),
    ),
    "hidden_name": (NOTHING_SHOWS, GIVE_A_NAME),
    "name_taken": NAME_TAKEN,
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
        sentence("Wait for them, or reveal without them."),
    ),
    "private_missing": (
        sentence("Your private objective is not chosen."),
        sentence("Choose it first; nobody else sees it before the reveal."),
    ),
    "other_points_missing": (
        sentence("The points of the other card are missing."),
        sentence("Type them at your window, 0 for none."),
    ),
    "too_many_tools": BAD_TOOLS,
    "bad_number_of_tools": BAD_TOOLS,
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
        sentence("A tool card that you are taking away was used already."),
        sentence("Confirm that it goes; its favor tokens go back to the players who spent them."),
    ),
    "tool_used_up": (sentence("In a solo game each tool works only once."), sentence("Put the card away.")),
    "no_tokens": (
        sentence("This player has not enough favor tokens."),
        sentence("Set the favor tokens that the player has left first."),
    ),
    "nothing_to_take_back": (sentence("No tool was used, so there is nothing to take back."), LOAD_AGAIN),
    "only_in_solo": (sentence("Only a solo game has a target."), LOAD_AGAIN),
    "bad_target": (
        sentence("The dice on the round track cannot add up to that."),
        sentence("Write a whole number, 0 or more."),
    ),
    "table_decides": (
        sentence("The public objectives are chosen at the table, for everybody."),
        ASK_THE_HOST,
    ),
    "window_of_a_seat": (
        sentence("This window belongs to a game."),
        sentence("Take another photo at the table, or leave the game there."),
    ),
    # windows of one's own
    "window_missing": (GONE, CHOOSE_ANOTHER),
    "no_window_file": NOT_EXPORTED,
    "window_file_missing": (
        sentence("There is no file."),
        NOT_EXPORTED[1],
    ),
    "window_not_confirmed": NOTHING_DELETED,
    "windows_unusable": _unusable("sagrada windows list"),
    "windows_busy": BUSY,
    "tools_unusable": _unusable("sagrada windows tools list"),
    "tools_busy": BUSY,
    "disk_full": (
        sentence("The disk of the computer that serves this page is full. Nothing was saved."),
        sentence("Delete photos that nobody needs any more, or make room there; then try again."),
    ),
    "database_busy": (sentence("Nothing can be saved at this moment."), TRY_AGAIN),
    # the rest
    "internal": (
        sentence("Something went wrong on the computer that serves this page."),
        sentence("Try again; if it stays, look at what the program printed."),
    ),
}

EDGES = {
    "top": sentence("at the top"),
    "bottom": sentence("at the bottom"),
    "left": sentence("on the left"),
    "right": sentence("on the right"),
}


def text_of(code: str, data: Mapping[str, object]) -> tuple[Sentence, Sentence]:
    """Return what is wrong and what to do about it; a code that is newer than these words says little."""
    what, advice = TEXTS.get(code, TEXTS["bad_request"])
    edges, place, seconds = data.get("edges"), data.get("place"), data.get("wait_s")
    if code == "board_cut_off" and isinstance(edges, list | tuple):
        named = [EDGES[edge] for edge in edges if edge in EDGES][:2]
        if len(named) == 2:
            named = [sentence("{first} and {second}", first=named[0], second=named[1])]
        if named:
            what = sentence("A part of the window is outside the photo: {edges}.", edges=named[0])
    if isinstance(seconds, int):
        advice = _waiting(seconds).get(code, advice)
    if code == "being_read" and isinstance(place, int) and place:
        what = counted("{count} photo is before this one.", "{count} photos are before this one.", place)
    if code == "board_not_found" and "card" in data:
        what = sentence("This is a public objective card, not a window.")
        advice = sentence("Take a photo of the window itself.")
    return _of_file(code, data) or (what, advice)


def _of_file(code: str, data: Mapping[str, object]) -> tuple[Sentence, Sentence] | None:
    """Return what `vision.photo` says of a file that it refuses, None where the code alone says it."""
    found = {key: one for key, one in data.items() if isinstance(one, str | int)}
    _, advice = TEXTS.get(code, TEXTS["bad_request"])
    match code, found:
        case "not_a_photo", {"bytes": 0}:
            return sentence("The file is empty."), sentence("Send it again, or take another photo.")
        case "not_a_photo", {"kind": kind}:
            if kind in ("JPEG XL", "JPEG 2000"):
                advice = sentence(
                    "Save the picture as a JPEG in the app that shows it, and choose that file."
                )
            return sentence("Files of this kind cannot be read here ({kind}).", kind=kind), advice
        case "photo_too_large", {"megabytes": most}:
            return sentence("This file is larger than {most} MB.", most=most), advice
        case "photo_too_large", {"width": width, "height": height, "megapixels": most}:
            said = sentence(
                "The photo has {width} x {height} pixels; {most} megapixels are the most.",
                width=width,
                height=height,
                most=most,
            )
            return said, advice
        case "too_small", {"width": width, "height": height}:
            return (
                sentence("The photo is only {width} x {height} pixels.", width=width, height=height),
                sentence("Choose the photo itself, not a preview or a screenshot of it."),
            )
    return None


def _waiting(seconds: int) -> Mapping[str, Sentence]:
    """Return the advice to wait so long, by the code of what was refused."""
    soon = counted("Wait {count} second, then try again.", "Wait {count} seconds, then try again.", seconds)
    return {
        "too_many_codes": soon,
        "too_many_pins": soon,
        "too_many_today": counted(
            "Try again in {count} hour, or open “Administration” and type the PIN.",
            "Try again in {count} hours, or open “Administration” and type the PIN.",
            -(-seconds // 3600),
        ),
    }


class CompanionError(SagradaError):
    """Something that the companion does not do.

    Parameters
    ----------
    code
        The machine-readable reason.
    why
        What the rules say about it, where they refused it: they know more than the sentence of the code.
    data
        What programs may want to know beyond the code, as it goes into JSON.
    """

    def __init__(
        self, code: str, why: SagradaError | None = None, data: Mapping[str, object] | None = None
    ) -> None:
        data = {**(why.data if why else {}), **(data or {})}
        super().__init__(code, *((why.sentence, why.advice) if why else text_of(code, data)), data)


class InputError(CompanionError):
    """What was asked for makes no sense, for example an unknown color, or is not allowed at this table."""


class UnreadPhotoError(CompanionError):
    """No window can be read in a photo; code and data are those of the `vision.VisionError`."""


class NotFoundError(CompanionError):
    """There is no such reading, photo, game, window or sample (any more)."""


class ForbiddenError(CompanionError):
    """Somebody else may do that, but not who asked."""


class ConflictError(CompanionError):
    """Another tab or phone changed the same thing first."""


class TooManyError(CompanionError):
    """A device did something too often: wrong codes or PINs, adding things; ``data`` says the wait."""


class BusyError(CompanionError):
    """There is too much to do just now."""


class FullError(CompanionError):
    """There is no room left on the disk."""


class BrokenRecordError(CompanionError):
    """What is stored of a reading or a game cannot be understood."""


class StoreError(SagradaError):
    """What the program keeps cannot be used; the error names files and databases of this computer.

    Codes of the database: ``database_address`` (nobody can understand the address), ``database_driver`` (the
    package for PostgreSQL is missing), ``database_unusable`` (it cannot be opened or read),
    ``database_newer`` (a newer version of the program made it), ``database_differs`` (it has other tables),
    ``database_busy`` (another process holds it).

    Codes of files: ``windows_damaged`` (nobody can understand it), ``windows_newer`` (a newer version of the
    program wrote it), ``windows_unusable`` (the disk refuses), ``windows_busy`` (another program holds its
    lock); the same with ``profiles_`` and ``tools_``.
    """


@contextmanager
def in_words_of_the_rules(code: str = "bad_request") -> Iterator[None]:
    """Turn what the rules refuse into an `InputError` that says in their words what is wrong, and where."""
    try:
        yield
    except ScoringError as error:
        raise InputError(code, error) from error
