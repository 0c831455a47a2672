"""What is said of a photo that is refused or cannot be read; see `error_sentences`.

The reader's own English says more, but a stored failure keeps nothing but its code and data.
"""

from __future__ import annotations

from collections.abc import Mapping

from scoring.sentences import Sentence, sentence

START_AGAIN = sentence("Start again with a photo.")
LOAD_AGAIN = sentence("Load the page again.")

PHOTOS: Mapping[str, tuple[Sentence, Sentence]] = {
    "not_a_photo": (
        sentence("This file is not a photo that can be opened."),
        sentence("Choose a JPEG, PNG, WebP or HEIC file."),
    ),
    "photo_truncated": (
        sentence("The file of this photo is incomplete or damaged."),
        sentence("Send it again, or take another photo."),
    ),
    "photo_too_large": (
        sentence("This photo has too many pixels."),
        sentence("Make it smaller, or crop it to the window."),
    ),
    "photo_missing": (sentence("There is no photo."), sentence("Take or choose a photo first.")),
    "board_not_found": (
        sentence("There is no Sagrada window to be seen in this photo."),
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
        sentence("Hold the camera still above the window and wait until it is in focus."),
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
    "bad_corners": (
        sentence("These four corners do not make a window."),
        sentence("Put each point on one corner of the grid, clockwise from the top left."),
    ),
    "being_read": (
        sentence("This photo is being read."),
        sentence("That takes a few seconds; then its dice are here."),
    ),
    "photo_not_finished": (
        sentence("The photo could not be read to its end."),
        sentence("Take or choose it again, or enter the dice by hand."),
    ),
    "photos_away": (
        sentence("The storage where photos are kept does not answer."),
        sentence("Try again in a minute."),
    ),
    "photo_arrives": (
        sentence("This photo arrives a second time right now."),
        sentence("Try again in a moment."),
    ),
    "too_many_photos": (
        sentence("So many photos are waiting that this one would have to wait for minutes."),
        sentence("Try again in a minute."),
    ),
    # a photo of the whole table
    "table_photo_missing": (sentence("This photo of the table is not here (any more)."), START_AGAIN),
    "table_being_read": (
        sentence("The photo is still being read."),
        sentence("Wait a moment until all windows are there."),
    ),
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
    "no_such_window": (sentence("There is no such window in this photo."), LOAD_AGAIN),
    "no_dice_on_track": (
        sentence("No die was seen on the round track."),
        sentence("Tap where one lies in the photo to add it, or write the target at the table."),
    ),
}
