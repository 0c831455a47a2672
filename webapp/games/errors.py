"""What a game refuses; ``code`` picks the translated sentence in `webapp.error_words`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring import ScoringError


class GameError(Exception):
    """The rules of the table do not allow this.

    Parameters
    ----------
    code
        The machine-readable reason.
    why
        What the rules of the game say about it, where they know more than the sentence of the code.
    """

    def __init__(self, code: str, why: ScoringError | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.why = why


class GameConflictError(GameError):
    """Somebody else changed the same thing first."""
