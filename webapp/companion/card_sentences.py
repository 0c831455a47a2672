"""What is said where something about the cards that were taught is refused; see `error_sentences`."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.sentences import Sentence, sentence

CARDS: Mapping[str, tuple[Sentence, Sentence]] = {
    "no_cards": (
        sentence("No card was seen in this photo."),
        sentence(
            "Lay the cards side by side on a table of one color, upright, and take the photo from above."
        ),
    ),
    "card_named_twice": (
        sentence("Two cards have the same name."),
        sentence("Give each card its own name, or choose none for one of them."),
    ),
    "no_card_named": (sentence("No card has a name yet."), sentence("Choose the name of at least one card.")),
    "card_missing": (
        sentence("There is no such card (any more)."),
        sentence("Look for it among your cards."),
    ),
    "cards_unusable": (
        sentence("The files of your cards cannot be used."),
        sentence("On the computer that serves this page, “sagrada cards list” says why."),
    ),
}
