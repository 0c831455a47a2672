"""What is said of your dice: how well a profile reads, and what came of learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count

from scoring import ALL_CELLS, Sentence, cell_name
from scoring.sentences import Names, counted, sentence
from vision.profile import Pips, Profile, Quality

"""From this share of dice held back a profile is said to read them well; a die of fifty may be wrong."""
USABLE = 0.9


@dataclass(frozen=True)
class LearningResult:
    """What came of learning from a photo.

    ``odd`` are the dice of that photo that look like those of another color, by their place: of a window the
    index of a cell, of loose dice the number of a die, from 0.
    """

    profile: str
    adopted: bool
    quality: Quality
    odd: tuple[int, ...] = ()
    loose: bool = False

    @property
    def places(self) -> tuple[str, ...]:
        """The odd dice as people call them."""
        return tuple(str(one + 1) if self.loose else cell_name(ALL_CELLS[one]) for one in self.odd)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Say what came of it, and what to do."""
        held, before, after = self.quality.dice, self.quality.before, self.quality.after
        if self.adopted:
            said = [
                sentence("These dice are learned."),
                counted(
                    "Read right: {after} of {count} die, before: {before}.",
                    "Read right: {after} of {count} dice, before: {before}.",
                    held,
                    after=after,
                    before=before,
                ),
            ]
        else:
            said = [
                counted(
                    "These dice are not learned: {after} of {count} die would be read right, and {before} "
                    "is now.",
                    "These dice are not learned: {after} of {count} dice would be read right, and {before} "
                    "are now.",
                    held,
                    after=after,
                    before=before,
                ),
                sentence("Check that each die is named right, or take another photo in better light."),
            ]
        if self.odd:
            places = Names(self.places)
            said.append(sentence("These look like dice of another color: {places}.", places=places))
        return tuple(said)


OUTDATED = sentence(
    "An earlier version learned these dice, and they are not used any more: teach them again from a photo."
)


PIPS = {
    Pips.LIGHT: sentence("light pips"),
    Pips.DARK: sentence("dark pips"),
    Pips.MIXED: sentence("pips neither light nor dark"),
}


def learned_said(profile: Profile) -> Sentence:
    """Say in words which pips dice have, and how many photos a profile was learned from."""
    return counted(
        "Learned from {count} photo: {pips}.",
        "Learned from {count} photos: {pips}.",
        len(profile.sources),
        pips=PIPS[profile.pips],
    )


def quality_said(profile: Profile) -> Sentence:
    """Say in words how well a profile reads dice that were held back."""
    quality = profile.quality
    if quality is None or not quality.dice:
        return sentence("How well these dice are read is not known.")
    held, after = quality.dice, quality.after
    if after / held >= USABLE:
        return counted(
            "Read right: {after} of {count} die.",
            "Read right: {after} of {count} dice.",
            held,
            after=after,
        )
    return counted(
        "Often mistaken: {after} of {count} die is read right. Another photo would help.",
        "Often mistaken: {after} of {count} dice are read right. Another photo would help.",
        held,
        after=after,
    )


def payload_of(result: LearningResult) -> dict[str, object]:
    """Return what came of learning as plain data, without the sentences."""
    return {
        "profile": result.profile,
        "adopted": result.adopted,
        "dice": result.quality.dice,
        "before": result.quality.before,
        "after": result.quality.after,
        "odd": list(result.places),
    }


def free_name(wanted: str, taken: Sequence[str]) -> str:
    """Return the name, with a number behind it where it is taken.

    >>> free_name("Our dice", ["our dice", "Our dice 2"])
    'Our dice 3'
    """
    used = {one.casefold() for one in taken}
    names = chain([wanted], (f"{wanted} {number}" for number in count(2)))
    return next(name for name in names if name.casefold() not in used)
