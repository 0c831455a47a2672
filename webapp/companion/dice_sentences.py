"""What is said where something about the dice of this house is refused; see `error_sentences`."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.sentences import Sentence, sentence

DICE: Mapping[str, tuple[Sentence, Sentence]] = {
    "profile_missing": (
        sentence("There are no dice of that name (any more)."),
        sentence("Look for them among your dice."),
    ),
    "profile_name_taken": (
        sentence("Other dice have that name already."),
        sentence("Choose another name, or rename those first."),
    ),
    "nothing_to_undo": (
        sentence("There is no lesson to undo."),
        sentence("Delete the dice if you do not want them any more."),
    ),
    "pictures_not_kept": (
        sentence("Pictures of dice are not kept on this computer."),
        sentence("Switch it on under “Your dice” if every window that you confirm should be learned from."),
    ),
    "lesson_failed": (
        sentence("Nothing could be learned from this window."),
        sentence("Look whether each die is named right, and let the program learn them once more."),
    ),
    "profile_not_confirmed": (
        sentence("Nothing was deleted."),
        sentence("Check the box first if you want to delete it for good."),
    ),
    "no_profile_file": (
        sentence("This is not a file with dice."),
        sentence("Choose a file that was exported by this program."),
    ),
    "dice_unconfirmed": (
        sentence("Some dice still need a look."),
        sentence("Look at each of them first, or say that all dice are right now."),
    ),
    "no_reading_to_learn": (
        sentence("There is no photo here in which a window was read."),
        sentence("Open a window that was read from a photo."),
    ),
    "no_loose_dice": (
        sentence("No loose dice are to be seen in this photo."),
        sentence("Lay the dice apart on a plain table, and take the photo from straight above."),
    ),
    "profiles_unusable": (
        sentence("The files with your dice cannot be used."),
        sentence("On the computer that serves this page, “sagrada profiles list” says why."),
    ),
    "profiles_busy": (
        sentence("Somebody else is changing your dice just now."),
        sentence("Try again in a moment."),
    ),
}
