"""What the interface answers about the dice of this house."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict  # pydantic wants it before Python 3.12

from vision.profile import How, Pips
from webapp.api.answers import Count, Error, Moment, one_of


class Lesson(TypedDict):
    """One photo that dice were learned from."""

    how: Annotated[str, one_of(How)]
    when: Moment
    dice: Count
    """How many were named."""


class Quality(TypedDict):
    """How dice held back from learning were read."""

    dice: Count
    before: Count
    """How many were read right with what was there before."""
    after: Count
    """How many are read right with what was learned."""


class ProfileLinks(TypedDict):
    """Where the other things about dice are."""

    self: str
    file: str
    """The file for another computer."""


class Profile(TypedDict):
    """Dice of this house; `error` says why their file cannot be used, then little else is known."""

    profile: str
    """Their key in addresses."""
    name: str
    default: bool
    """Whether they are tried first."""
    pips: Annotated[str, one_of(Pips)] | None
    """Lighter or darker than their dice, or lighter than some and darker than others."""
    revision: Count | None
    """Grows with every lesson."""
    lessons: list[Lesson]
    quality: Quality | None
    samples: Count
    """Photos whose dice are kept, to learn from them again."""
    outdated: bool
    """Whether an earlier version of the program learned them, so that no photo is read with them."""
    can_undo: bool
    error: Error | None
    links: ProfileLinks


class Profiles(TypedDict):
    """The dice of this house, those that are tried first before all others."""

    profiles: list[Profile]
    keeps: bool | None
    """Whether pictures of dice may be kept on this computer; null before anybody was asked."""


class ProfileFile(TypedDict):
    """Dice as a file."""

    file: str
    """The text of the file, which is JSON."""


class Learned(TypedDict):
    """What came of a lesson."""

    profile: str
    """What the dice are called."""
    adopted: bool
    """Whether it was learned: dice held back have to be read at least as well with it."""
    dice: Count
    """How many were held back, one after the other."""
    before: Count
    """How many of them were read right before."""
    after: Count
    """How many of them are read right with what was learned."""
    odd: list[str]
    """Dice whose color looks like that of others: cells of a window, or numbers of loose dice from 1."""
    message: str
