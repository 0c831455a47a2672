"""What an entry of the rules is: a title, a few sentences, and the words by which people look for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from scoring import Color, HouseRule, PrivateObjective, PublicObjective, Tool
from scoring.names import plain
from scoring.sentences import Sentence, Words, sentence

Thing = PublicObjective | Tool | PrivateObjective | HouseRule
"""What an entry may be about; a color stands for its private objective."""


class Section(Enum):
    """The parts of the page, in its order."""

    PUBLIC = sentence("Public objectives")
    PRIVATE = sentence("Private objectives")
    TOOLS = sentence("Tool cards")
    QUESTIONS = sentence("Common questions")
    PLACING = sentence("Placing dice")
    PLAY = sentence("Setting up and playing")
    POINTS = sentence("Points and winning")
    SOLO = sentence("Solo game")
    HOUSE_RULES = sentence("House rules")

    @property
    def key(self) -> str:
        """What the section is called in addresses."""
        return self.name.lower().replace("_", "-")

    @property
    def of_cards(self) -> bool:
        """Whether its entries are cards with a picture."""
        return self in {Section.PUBLIC, Section.PRIVATE, Section.TOOLS}


@dataclass(frozen=True)
class Entry:
    """A short answer of the rules.

    Parameters
    ----------
    about
        Its title, or the card or house rule whose name is the title.
    section
        Where it stands.
    text
        What the rules say, a paragraph each.
    key
        What it is called in addresses; a thing of the game gives its own.
    keywords
        Further words by which people look for it. They are not shown.
    see
        The keys of other entries that go on from here.
    """

    about: Sentence | Thing
    section: Section
    text: tuple[Sentence, ...]
    key: str = ""
    keywords: Sentence | None = None
    see: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.about, Sentence):
            object.__setattr__(self, "key", key_of(self.about))

    def title(self, words: Words) -> str:
        """Return the title in a language."""
        if isinstance(self.about, Sentence):
            return words.say(self.about)
        return (
            words.private_objective(self.about) if isinstance(self.about, Color) else words.name(self.about)
        )


def key_of(thing: Thing) -> str:
    """Return what the entry about a thing is called in addresses.

    Examples
    --------
    >>> key_of(Tool.CORK_BACKED_STRAIGHTEDGE), key_of(Color.RED)
    ('cork-backed-straightedge', 'shades-of-red')
    """
    name = f"Shades of {thing.name}" if isinstance(thing, Color) else thing.value
    return plain(name).replace(" ", "-")
