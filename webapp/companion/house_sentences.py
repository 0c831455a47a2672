"""What the companion says when a device does more than it may in this house."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.sentences import Sentence, counted, sentence

HOUSE: Mapping[str, tuple[Sentence, Sentence]] = {
    "host_only": (
        sentence("Only the computer that serves this page may change that."),
        sentence("Open this page there, and change it there."),
    ),
    "administrator_only": (
        sentence("Only the administrator of this house may do that."),
        sentence(
            "Do it on the computer that serves this page, or open “Administration” and type the PIN "
            "that it shows."
        ),
    ),
    "others_added_it": (
        sentence("Another device added that, and all games of this house use it."),
        sentence(
            "Change it on the device that added it or on the computer that serves this page, or open "
            "“Administration” and type the PIN that it shows."
        ),
    ),
    "wrong_pin": (
        sentence("This is not the PIN."),
        sentence("Type the digits that “Administration” shows on the computer that serves this page."),
    ),
    "too_many_pins": (
        sentence("Too many wrong PINs came from here."),
        sentence("Wait a minute, then type the PIN again."),
    ),
    "too_many_codes": (
        sentence("Too many wrong codes came from here."),
        sentence("Wait a minute, then type the code again."),
    ),
    "too_many_today": (
        sentence("So much came from this device today that nothing more is taken in."),
        sentence("Go on tomorrow, or use the computer that serves this page."),
    ),
    "house_full_of_windows": (
        sentence("There are as many windows of your own as this house can have."),
        sentence("Delete some that nobody plays any more."),
    ),
    "house_full_of_dice": (
        sentence("There are as many sets of dice as this house can have."),
        sentence("Delete some that nobody plays with any more."),
    ),
}

HOUR_S = 3600


def waiting(code: str, seconds: int) -> Sentence | None:
    """Return the advice to wait so long, None where there is none for a code."""
    if code == "too_many_codes":
        return counted(
            "Wait {count} second, then type the code again.",
            "Wait {count} seconds, then type the code again.",
            seconds,
        )
    if code == "too_many_pins":
        return counted(
            "Wait {count} second, then type the PIN again.",
            "Wait {count} seconds, then type the PIN again.",
            seconds,
        )
    if code == "too_many_today":
        return counted(
            "Go on in {count} hour, or use the computer that serves this page.",
            "Go on in {count} hours, or use the computer that serves this page.",
            -(-seconds // HOUR_S),
        )
    return None
