"""Players who are remembered from one evening to the next, by their name."""

from __future__ import annotations

from dataclasses import dataclass

from scoring import Color
from webapp.domain.games.codes import hashed
from webapp.domain.games.game import name_key

MOST_OFFERED = 20


@dataclass(frozen=True)
class Player:
    """What is remembered of a player.

    Parameters
    ----------
    name
        As it was typed last.
    color
        The color at the table. It has nothing to do with the private objective.
    picture
        What tells the picture from the one before it, None without a picture.
    """

    name: str
    color: Color | None = None
    picture: str | None = None

    @property
    def id(self) -> str:
        """What the player is known by; names that people take for the same have the same."""
        return player_id(self.name)


def player_id(name: str) -> str:
    """Return the id of the player of this name.

    Examples
    --------
    >>> player_id("ANN ") == player_id("ann")
    True
    """
    return hashed(name_key(name))  # of one length, whatever letters the name has, and fit for an address
