"""The window card that was chosen by hand comes along to the next photo of the same window.

It does not when the new photo itself names another card with certainty; the record then keeps which card was
left behind, so that the page can say so.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from vision.reading import Reading
from webapp.companion.record import AUTO, Choices, Record

CERTAIN = 0.98  # so sure a photo must be of its card to count more than a person's choice; set by hand
SAME_GAME = timedelta(hours=6)  # as long as the cards of a table are remembered, see `webapp.web.cookies`


def settled(choices: Choices, reading: Reading | None) -> tuple[Choices, str | None]:
    """Return the choices for a new photo, and the card that was left behind, None where none was.

    Parameters
    ----------
    choices
        What was chosen for the photo before; ``"auto"`` as its window leaves the card to the new one.
    reading
        What was read in the new photo, None when it could not be read.
    """
    guess = reading.window if reading else None
    if choices.window == AUTO or guess is None:
        return choices, None
    if guess.name == choices.window or guess.probability < CERTAIN:
        return choices, None
    return replace(choices, window=AUTO), choices.window if choices.names_a_card else None


def brought_along(made: Record, choices: Choices) -> Record:
    """Return the record of a new photo with the choices for the photo before."""
    after, left = settled(choices, made.reading)
    return replace(made, choices=after, card_before=left)


def may_be_of_the_same_game(record: Record, now: datetime | None = None) -> bool:
    """Tell whether a photo that is taken now may show the same window some turns later."""
    now = now or datetime.now(UTC)
    return now - datetime.fromisoformat(record.created) < SAME_GAME
