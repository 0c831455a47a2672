"""What can be wrong with what somebody wrote down.

The tree, one class for each thing a caller might want to tell apart::

    ScoringError (a ValueError)
    |-- NotationError      a die, board or pattern is not written as it should be
    |-- InvalidValueError  a number or thing that the game does not have
    `-- UnknownNameError   no color, objective, window or tool has that name (also a KeyError)

Every error carries a ``code`` for programs, a sentence for a person and one next step. Both can be said in
every language that there are words in; as text the error speaks English.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.sentences import Sentence
    from scoring.words import Words


class ScoringError(ValueError):
    """Something the rules of the game know nothing of.

    Parameters
    ----------
    code
        Machine-readable reason, in snake case (``"bad_die"``).
    sentence
        What is wrong and where.
    advice
        What to do about it, in one sentence.

    Examples
    --------
    >>> from scoring import Die, ScoringError, words_in
    >>> try:
    ...     Die.parse("R7")
    ... except ScoringError as error:
    ...     print(error.message)
    ...     print(error.to_json(words_in("ru"))["message"])
    "R7" is not a die.
    «R7» — не кубик.
    """

    def __init__(self, code: str, sentence: Sentence, advice: Sentence) -> None:
        super().__init__(code, sentence, advice)
        self.code = code
        self.sentence = sentence
        self.advice = advice

    @property
    def message(self) -> str:
        """What is wrong and where, in English."""
        return str(self.sentence)

    @property
    def next_step(self) -> str:
        """What to do about it, in English."""
        return str(self.advice)

    def __str__(self) -> str:
        return f"{self.message} {self.next_step}"

    def told(self, words: Words) -> str:
        """Return what is wrong and what to do about it, in the language of ``words``."""
        return words.say(self.sentence, self.advice)

    def to_json(self, words: Words | None = None) -> dict[str, str]:
        """Return code, message and next step as plain data, in the language of ``words`` or in English."""
        say = words.say if words else str
        return {"code": self.code, "message": say(self.sentence), "next_step": say(self.advice)}


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
    ``unknown_house_rule``, ``unknown_player``, ``unknown_language``, ``unknown_key``.

    ``suggestions`` are the known names that look most like it, best first.
    """

    def __init__(
        self, code: str, sentence: Sentence, advice: Sentence, suggestions: tuple[str, ...] = ()
    ) -> None:
        super().__init__(code, sentence, advice)
        self.suggestions = suggestions
