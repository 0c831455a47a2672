"""What can be wrong with what somebody wrote down.

The tree, one class for each thing a caller might want to tell apart::

    ScoringError (a ValueError)
    |-- NotationError      a die, board or pattern is not written as it should be
    |-- InvalidValueError  a number or thing that the game does not have
    `-- UnknownNameError   no color, objective, window or tool has that name (also a KeyError)

Every error carries a ``code`` for programs, a sentence for a person and one next step.
"""

from __future__ import annotations


class ScoringError(ValueError):
    """Something the rules of the game know nothing of.

    Parameters
    ----------
    code
        Machine-readable reason, in snake case (``"bad_die"``).
    message
        One sentence that says what is wrong and where.
    next_step
        One sentence that says what to do about it.
    """

    def __init__(self, code: str, message: str, next_step: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.message} {self.next_step}"

    def to_json(self) -> dict[str, str]:
        """Return code, message and next step as plain data."""
        return {"code": self.code, "message": self.message, "next_step": self.next_step}


class NotationError(ScoringError):
    """A text that is not in board or pattern notation.

    Codes: ``bad_die``, ``bad_cell``, ``bad_cell_name``, ``wrong_number_of_rows``,
    ``wrong_number_of_columns``, ``bad_round_track``.
    """


class InvalidValueError(ScoringError):
    """A number or thing that the game does not have.

    Codes, by what is looked at:

    - dice and windows: ``bad_color``, ``bad_value``, ``bad_difficulty``, ``no_such_cell``, ``bad_board``,
      ``bad_pattern``, ``bad_probability``
    - points: ``bad_favor_tokens``, ``repeated_objective``, ``bad_points_per_empty_cell``
    - the game: ``bad_number_of_players``, ``bad_player_name``, ``repeated_player``, ``bad_round``,
      ``bad_round_track``, ``too_many_favor_tokens``
    - the standings: ``bad_last_round_turn``, ``missing_private_objective``, ``missing_favor_tokens``
    - a solo game: ``bad_target``, ``bad_number_of_private_objectives``,
      ``bad_number_of_tools``, ``repeated_tool``
    - the name of a window of your own: ``blank_name``, ``name_too_long``, ``name_with_control_character``,
      ``reserved_name``, ``name_taken``, ``bad_language``
    - its card: ``bad_back``, ``unknown_back``, ``not_custom``
    - a file of windows: ``not_json``, ``not_a_window_file``, ``unknown_schema``, ``newer_schema``,
      ``unknown_key``, ``bad_entry``
    """


class UnknownNameError(ScoringError, KeyError):
    """A name that nothing has.

    Codes: ``unknown_color``, ``unknown_objective``, ``unknown_window``, ``unknown_tool``,
    ``unknown_house_rule``, ``unknown_player``, ``unknown_language``.

    ``suggestions`` are the known names that look most like it, best first.
    """

    def __init__(self, code: str, message: str, next_step: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(code, message, next_step)
        self.suggestions = suggestions
