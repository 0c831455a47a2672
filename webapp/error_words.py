"""What went wrong and what to do about it, in the visitor's language, for every error code."""

from __future__ import annotations

from webapp.language import current, lazy_gettext

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
    "bad_request": lazy_gettext("This request makes no sense."),
    "too_many_objectives": lazy_gettext("Three cards are chosen already. Take one away first."),
    "bad_board": lazy_gettext("This text is not a board of four rows with five spaces each."),
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
    "board_cut_off": lazy_gettext("Take the photo from a little further away."),
    "too_small": lazy_gettext("Go closer, so that the window fills the photo."),
    "too_blurry": lazy_gettext("Hold the camera still and wait until it is in focus."),
    "too_dark": lazy_gettext("Turn on a light, or use the flash from a little further away."),
    "bad_corners": lazy_gettext("Put each point on one corner of the grid, clockwise from the top left."),
    "upload_too_large": lazy_gettext("Make it smaller, or crop it to the window."),
    "not_found": lazy_gettext("Start again with a photo."),
    "reading_missing": lazy_gettext("Start again with a photo."),
    "broken_record": lazy_gettext("Start again with a photo."),
    "conflict": lazy_gettext("The newest state is shown now; make your change again if it is still needed."),
    "foreign_request": lazy_gettext("Open this page itself and try again."),
    "bad_request": lazy_gettext("Load the page again and repeat your change."),
    "too_many_objectives": lazy_gettext("Load the page again and repeat your change."),
    "bad_board": lazy_gettext("Write each die as a color letter and a value, such as Y5, and -- for empty."),
    "internal": lazy_gettext("Try again; if it stays, look at what the program printed."),
}


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
    told = (english and message) or SENTENCES.get(code) or message or SENTENCES["bad_request"]
    advice = (english and next_step) or NEXT_STEPS.get(code) or next_step or NEXT_STEPS["bad_request"]
    return {"code": code, "message": str(told), "next_step": str(advice)}
