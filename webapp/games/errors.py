"""What a game refuses; ``code`` picks the translated sentence in `webapp.error_words`."""

from __future__ import annotations


class GameError(Exception):
    """The rules of the table do not allow this."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class GameConflictError(GameError):
    """Somebody else changed the same thing first."""
