"""Reading the file of a whole game for ``sagrada rank``, and saying everything that is wrong with it.

The file is a JSON object. ``players`` (clockwise around the table) must be there, with ``name``, ``board``,
``private`` and ``favor_tokens`` of each and, where known, ``window``. ``public``, ``tools`` and
``house_rules`` are lists of names.

Who had the later turn in the last round may decide a tie. One of three keys tells it: ``first_player`` (who
had the dice bag in the first round), ``first_player_of_last_round``, or ``turn_order`` (the players clockwise
from the first one).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from scoring import Board, Color, Game, HouseRule, PublicObjective, ScoringError, Tool, WindowPattern
from scoring.errors import InvalidValueError
from scoring.game import ROUNDS, check_favor_tokens_left
from scoring.lookup import color_called, house_rule_called, objective_called, tool_called, window_called
from scoring.names import find_name
from scoring.words import Sentence, sentence

Thing = TypeVar("Thing")

WHO_BEGAN = ("first_player", "first_player_of_last_round", "turn_order")
LISTS = ("public", "tools", "house_rules")
KEYS = (*LISTS, *WHO_BEGAN, "players")
PLAYER_KEYS = ("name", "board", "private", "favor_tokens", "window")
MOST_PUBLIC = 3
AUTO = "auto"

Place = Sentence | str
"""Where a mistake is; a key stands in quotes as it is typed, in every language."""

THE_GAME = sentence("the game")


class GameFileError(Exception):
    """The file is not that of a game; ``mistakes`` are sentences that say where and what to do."""

    def __init__(self, mistakes: Iterable[Sentence]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(map(str, self.mistakes)))


@dataclass(frozen=True)
class Seat:
    """A player as the file tells; ``pattern`` is None when the dice should tell the window."""

    name: str
    board: Board
    private: Color
    favor_tokens: int
    pattern: WindowPattern | None


@dataclass(frozen=True)
class GameFile:
    """A game of several players.

    ``first_turns`` holds the place of each player's first turn in the last round; it is empty when nobody
    said who began.
    """

    public: tuple[PublicObjective, ...]
    tools: tuple[Tool, ...]
    house_rules: tuple[HouseRule, ...]
    seats: tuple[Seat, ...]
    first_turns: Mapping[str, int]


def parse_game(text: str, known: Mapping[str, WindowPattern]) -> GameFile:
    """Read the text of a file.

    Parameters
    ----------
    text
        The JSON text.
    known
        The windows that players may name.

    Raises
    ------
    GameFileError
        The text is no JSON, or there are mistakes in it; all of them are told.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        what = sentence(
            "It is no JSON: correct it at line {line}, column {column}.",
            line=error.lineno,
            column=error.colno,
        )
        raise GameFileError([what]) from error
    except RecursionError as error:
        what = sentence("It is nested too deeply to be a game. Write it as in the example.")
        raise GameFileError([what]) from error
    if not isinstance(data, dict):
        example = '{"players": [...]}'
        raise GameFileError(
            [sentence("It must be one object in braces, such as {example}.", example=example)]
        )
    return game_from(data, known)


def game_from(data: Mapping[str, object], known: Mapping[str, WindowPattern]) -> GameFile:
    """Return the game that an object of JSON tells, as `parse_game` does of a text."""
    return _Form(known).game(data)


class _Form:
    """A file as it is read; mistakes are noted on the way, so that all can be told at once."""

    def __init__(self, known: Mapping[str, WindowPattern]) -> None:
        self._known = known
        self._mistakes: list[Sentence] = []
        self._names: list[str] = []
        self._seated = False  # whether the names are those of players who can sit down to a game

    def game(self, data: Mapping[str, object]) -> GameFile:
        """Return the game; raise a `GameFileError` when anything is wrong."""
        self._check_keys(THE_GAME, data, KEYS)
        public = self._named(data, "public", objective_called)
        if len(public) > MOST_PUBLIC:
            what = sentence("a game has 3 public objectives, not {number}.", number=len(public))
            self._note('"public"', what)
        tools = self._named(data, "tools", tool_called)
        house_rules = self._named(data, "house_rules", house_rule_called)
        seats = self._seats(data.get("players"))
        first_turns = self._first_turns(data)
        if self._mistakes:
            raise GameFileError(self._mistakes)
        return GameFile(public, tools, house_rules, tuple(seat for seat in seats if seat), first_turns)

    def _note(self, where: Place, *what: Sentence) -> None:
        self._mistakes.append(sentence("{where}: {what}", where=where, what=what))

    def _try(self, where: Place, find: Callable[[str], Thing], value: object) -> Thing | None:
        """Return what ``find`` makes of a text, or note why there is nothing."""
        if not isinstance(value, str):
            what = sentence("{value} is no text. Write it in quotes.", value=json.dumps(value))
            self._note(where, what)
            return None
        try:
            return find(value)
        except ScoringError as error:
            self._note(where, error.sentence, error.advice)
            return None

    def _check_keys(self, where: Place, data: Mapping[str, object], keys: Iterable[str]) -> None:
        for key in data:
            try:
                right = find_name(key, keys, "key")
            except ScoringError as error:
                self._note(where, error.sentence, error.advice)
                continue
            if right != key:
                self._note(where, sentence('"{key}" must be written "{right}".', key=key, right=right))

    def _named(self, data: Mapping[str, object], key: str, find: Callable[[str], Thing]) -> tuple[Thing, ...]:
        """Return the things named in a list, each once."""
        names = data.get(key, [])
        if not isinstance(names, list):
            self._note(f'"{key}"', sentence("it must be a list of names in brackets."))
            return ()
        found = [self._try(f'"{key}"', find, name) for name in names]
        things = [thing for thing in found if thing is not None]
        if len(set(things)) < len(things):
            self._note(f'"{key}"', sentence("a card is named twice. Each is in the game once."))
        return tuple(things)

    def _seats(self, players: object) -> list[Seat | None]:
        """Return the players; None for each about whom something is wrong."""
        if not isinstance(players, list):
            what = sentence('there is no "players". List them, clockwise around the table.')
            self._note(THE_GAME, what)
            return []
        seats = [self._seat(number, player) for number, player in enumerate(players, start=1)]
        if len(players) == 1:
            what = sentence("one player has no standings. Use sagrada score with --solo.")
            self._note('"players"', what)
            return seats
        if len(self._names) == len(players):
            self._check_names()
        self._check_private([seat for seat in seats if seat is not None])
        return seats

    def _seat(self, number: int, player: object) -> Seat | None:
        """Return a player, or None when something is wrong."""
        where = sentence("player {number}", number=number)
        if not isinstance(player, dict):
            example = '{"name": "Ann", "board": "..."}'
            self._note(where, sentence("it must be an object in braces, such as {example}.", example=example))
            return None
        before = len(self._mistakes)
        name = self._try(_key_of(where, "name"), str.strip, player["name"]) if "name" in player else None
        if name is not None:
            self._names.append(name)
        if name:
            where = sentence("player {number} ({name})", number=number, name=name)
        self._check_keys(where, player, PLAYER_KEYS)
        missing = [key for key in PLAYER_KEYS if key not in player and key != "window"]
        for key in missing:
            self._note(where, sentence('"{key}" is missing.', key=key))
        board = (
            None if "board" in missing else self._try(_key_of(where, "board"), Board.parse, player["board"])
        )
        private = (
            None
            if "private" in missing
            else self._try(_key_of(where, "private"), color_called, player["private"])
        )
        pattern = self._window(_key_of(where, "window"), player.get("window", AUTO))
        tokens = 0 if "favor_tokens" in missing else self._tokens(where, player["favor_tokens"], pattern)
        if len(self._mistakes) > before or board is None or private is None or name is None:
            return None
        return Seat(name, board, private, tokens, pattern)

    def _window(self, where: Place, name: object) -> WindowPattern | None:
        if name is None or (isinstance(name, str) and name.strip().casefold() == AUTO):
            return None
        return self._try(where, lambda one: window_called(one, self._known), name)

    def _tokens(self, player: Sentence, value: object, pattern: WindowPattern | None) -> int:
        """Return the favor tokens left, no more than came with the window that was named."""
        where = _key_of(player, "favor_tokens")
        if type(value) is not int or value < 0:
            what = sentence("{value} is no number of tokens. Write 0 or more.", value=json.dumps(value))
            self._note(where, what)
            return 0
        if pattern is not None:
            try:
                check_favor_tokens_left(value, pattern)
            except InvalidValueError as error:
                self._note(where, error.sentence, error.advice)
        return value

    def _check_names(self) -> None:
        """Refuse names of which two are alike or one is empty."""
        try:
            Game(tuple(self._names))
        except ScoringError as error:
            self._note('"players"', error.sentence, error.advice)
        else:
            self._seated = True

    def _check_private(self, seats: list[Seat]) -> None:
        """Refuse a private objective that two players have."""
        owners: dict[Color, str] = {}
        for seat in seats:
            if owners.setdefault(seat.private, seat.name) != seat.name:
                what = sentence(
                    "{one} and {other} both have {color} as private color. "
                    "Each card is in the game once: correct one of them.",
                    one=owners[seat.private],
                    other=seat.name,
                    color=seat.private,
                )
                self._note('"players"', what)

    def _first_turns(self, data: Mapping[str, object]) -> Mapping[str, int]:
        """Return the place of each player's first turn in the last round, where it is known who began."""
        said = [key for key in WHO_BEGAN if data.get(key) is not None]
        if len(said) > 1:
            what = sentence('give only one of "{one}" and "{other}".', one=said[0], other=said[1])
            self._note(THE_GAME, what)
        if len(said) != 1 or not self._seated:
            return {}
        (key,) = said
        if key == "turn_order":
            return self._from_order(data[key])
        round_number = 1 if key == "first_player" else ROUNDS
        game = self._try(f'"{key}"', lambda name: Game.seated(self._names, name, round_number), data[key])
        return {} if game is None else game.first_turns()

    def _from_order(self, order: object) -> Mapping[str, int]:
        """Return the same from the players clockwise, beginning with the first one."""
        if not isinstance(order, list):
            self._note('"turn_order"', sentence("it must be a list of the players' names in brackets."))
            return {}
        found = [
            self._try('"turn_order"', lambda name: find_name(name, self._names, "player"), name)
            for name in order
        ]
        listed = [name for name in found if name is not None]
        if len(listed) == len(found) and sorted(listed) != sorted(self._names):
            what = sentence("name every player once, clockwise from the first one.")
            self._note('"turn_order"', what)
        return Game(tuple(listed)).first_turns() if sorted(listed) == sorted(self._names) else {}


def _key_of(player: Sentence, key: str) -> Sentence:
    """Return where a key of a player stands."""
    return sentence('{player}, "{key}"', player=player, key=key)
