"""The words that the scripts on the page need, in the visitor's language."""

from __future__ import annotations

from scoring import Color, Die
from scoring.dice import VALUES
from webapp.companion.errors import InputError
from webapp.pages.windows_view import SIGNS, space_words
from webapp.web.errors import problem_of
from webapp.web.language import gettext, words


def script_words() -> dict[str, object]:
    """Return the words that the scripts on the page need."""
    too_large = problem_of(InputError("upload_too_large"))
    return {
        "preparing": gettext("Preparing the photo…"),
        "uploading": gettext("Sending the photo… {percent} %"),
        "reading": gettext("Reading the dice…"),
        "offline": gettext(
            "The computer that serves this page does not answer. Is it still on, and in the same network?"
        ),
        "try_send": gettext("Check that, and send the photo again."),
        "try_again": gettext("Your change was not saved. Try again."),
        "too_large": too_large["message"],
        "too_large_next": too_large["next_step"],
        "undone": gettext("Undone."),
        "redone": gettext("Done again."),
        "is_right": gettext("{cell} is right."),
        "set": gettext("{cell}: {die}. Score {total}."),
        "merged": gettext("Somebody else changed this window too; both changes are kept."),
        "now_value": gettext("{cell}: {color}. Now the value."),
        "now_color": gettext("{cell}: {value}. Now the color."),
        "three": gettext("Three cards are chosen already. Take one away first."),
        "delete": gettext("Delete this window for good?"),
        "corner": gettext("Corner {number} of 4"),
        "turned": gettext("Turned by half a turn."),
        "read_again": gettext("Read again with your corners."),
        "picture_failed": gettext("The picture could not be drawn. Try again."),
        "empty": gettext("empty"),
        "space": gettext("{cell}: {space}"),
        "space_doubtful": gettext("{cell}: {space}, doubtful"),
        "spaces": {sign: space_words(sign) for sign in SIGNS},
        "colors": {color.value: words().name(color) for color in Color},
        "dice": {str(die): words().name(die) for die in (Die(c, v) for c in Color for v in VALUES)},
    }
