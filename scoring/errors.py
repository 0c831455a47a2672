"""What can be wrong with what somebody wrote down, sent or photographed.

The tree of the rules, one class for each thing a caller might want to tell apart::

    SagradaError             the root of everything that this program refuses
    `-- ScoringError         what the rules know nothing of (a ValueError)
        |-- NotationError      a die, board or pattern is not written as it should be
        |-- InvalidValueError  a number or thing that the game does not have
        `-- UnknownNameError   no color, objective, window or tool has that name (also a KeyError)

Every error carries a ``code`` for programs, a sentence for a person and one next step. Both can be said in
every language that there are words in; as text the error speaks English. What programs may want to know
beyond the code stands in ``data``, so that nobody has to take a sentence apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from scoring.sentences import ENGLISH, Sentence, Words


class SagradaError(Exception):
    """Something that cannot be done: what is wrong and where, with one sentence on what to do about it.

    ``data`` is what programs may want to know beyond the code, as it goes into JSON, such as
    ``{"suggestions": ["Firmitas"]}``.

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

    def __init__(
        self, code: str, sentence: Sentence, advice: Sentence, data: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(code, sentence, advice, data)
        self.code = code
        self.sentence = sentence
        self.advice = advice
        self.data: Mapping[str, object] = dict(data or {})

    @property
    def message(self) -> str:
        """What is wrong and where, in English."""
        return str(self.sentence)

    @property
    def next_step(self) -> str:
        """What to do about it, in English."""
        return str(self.advice)

    def __str__(self) -> str:
        return self.text(ENGLISH)

    def text(self, words: Words) -> str:
        """Return what is wrong and what to do about it, in the language of ``words``."""
        return words.say(self.sentence, self.advice)

    def to_json(self, words: Words = ENGLISH) -> dict[str, Any]:
        """Return code, message, next step and (where there are) data, in the language of ``words``."""
        return {
            "code": self.code,
            "message": words.say(self.sentence),
            "next_step": words.say(self.advice),
            **({"data": dict(self.data)} if self.data else {}),
        }


class ScoringError(SagradaError, ValueError):
    """Something the rules of the game know nothing of."""


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
    - points: ``bad_favor_tokens``, ``bad_other_points``, ``repeated_objective``,
      ``bad_points_per_empty_cell``
    - the game: ``bad_number_of_players``, ``bad_player_name``, ``repeated_player``, ``bad_round``,
      ``bad_round_track``, ``too_many_favor_tokens``, ``too_many_dice``
    - the standings: ``bad_last_round_turn``, ``missing_private_objective``, ``missing_favor_tokens``
    - a solo game: ``bad_target``, ``bad_number_of_private_objectives``,
      ``bad_number_of_tools``, ``repeated_tool``
    - a tool card of your own: ``bad_tool``
    - the name of something of your own: ``blank_name``, ``hidden_name``, ``name_too_long``,
      ``name_with_control_character``, ``reserved_name``, ``name_taken``, ``bad_language``
    - its card: ``bad_back``, ``unknown_back``, ``not_custom``
    - a file of windows: ``not_json``, ``not_a_window_file``, ``unknown_schema``, ``newer_schema``,
      ``unknown_key``, ``bad_entry``
    """


class UnknownNameError(ScoringError, KeyError):
    """A name that nothing has.

    Codes: ``unknown_color``, ``unknown_objective``, ``unknown_window``, ``unknown_tool``,
    ``unknown_house_rule``, ``unknown_player``, ``unknown_language``, ``unknown_key``.

    The data hold ``suggestions``, where there are any: the known names that look most like it, best first.
    """

    @property
    def suggestions(self) -> tuple[str, ...]:
        """The known names that look most like it, best first."""
        return tuple(cast("list[str]", self.data.get("suggestions", [])))
