"""A whole game as somebody wrote it down, to be ranked; everything that is wrong with it is named at once.

The file is a JSON object. ``players`` (clockwise around the table) must be there, with ``name``, ``board``,
``private`` and ``favor_tokens`` of each and, where known, ``window`` (``"unknown"`` keeps the dice from
telling it); on this computer a ``photo`` of the window may stand in place of the ``board``. ``public``,
``tools`` and ``house_rules`` are lists of names, ``uses`` are those of the tool cards that somebody wrote
down: ``{"player", "tool", "tokens"}`` each.

Who had the later turn in the last round may decide a tie. One of three keys tells it: ``first_player`` (who
had the dice bag in the first round), ``first_player_of_last_round``, or ``turn_order`` (the players clockwise
from the first one).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from scoring import Board, PrivateObjective, ScoringError, Tool, TurnOrder, WindowPattern
from scoring.errors import InvalidValueError, SagradaError
from scoring.game.setup import MOST_PLAYERS, ROUNDS, check_favor_tokens_left, setup
from scoring.lookup import house_rule_called, objective_called, private_called, tool_called
from scoring.names import find_name, without_controls
from scoring.sentences import Sentence, english
from webapp.domain.judging import Case
from webapp.domain.outcome import Entrant
from webapp.domain.subject import AUTO, Card, card_called, read_window, typed_window

if TYPE_CHECKING:  # only a type, which the terminal does not load
    from vision import Reading

Thing = TypeVar("Thing")

WHO_BEGAN = ("first_player", "first_player_of_last_round", "turn_order")
LISTS = ("public", "tools", "house_rules")
KEYS = (*LISTS, *WHO_BEGAN, "players", "uses")
PLAYER_KEYS = ("name", "board", "private", "favor_tokens", "window")
PHOTO = "photo"
USE_KEYS = ("player", "tool", "tokens")
MOST_USES = 36  # six tokens of six players

Place = Sentence | str
"""Where a mistake is; a key stands in quotes as it is typed, in every language."""

THE_GAME = english("the game")

Uses = tuple[tuple[str, Tool, int], ...]


class GameFileError(SagradaError):
    """The file is not that of a game (``bad_game``); ``mistakes`` say where and what to do."""

    def __init__(self, *mistakes: Sentence) -> None:
        self.mistakes = mistakes
        all_of_them = Sentence("{mistakes}", (("mistakes", mistakes),))
        super().__init__("bad_game", all_of_them, english("Correct what is named."))


def parse_game(
    text: str, known: Mapping[str, WindowPattern], read: Callable[[str], Reading] | None = None
) -> list[Entrant]:
    """Return the players of the game in a text of JSON, or raise a `GameFileError` that names all mistakes.

    ``read`` reads the photo that a player names, or raises a `SagradaError`; without it none may be named.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        what = english(
            "It is not JSON: correct it at line {line}, column {column}.",
            line=error.lineno,
            column=error.colno,
        )
        raise GameFileError(what) from error
    except RecursionError as error:
        what = english("It is nested too deeply to be a game. Write it as in the example.")
        raise GameFileError(what) from error
    if not isinstance(data, dict):
        example = '{"players": [...]}'
        raise GameFileError(english("It must be one object in braces, such as {example}.", example=example))
    return _Form(known, read).entrants(data)


class _Form:
    """A file as it is read; mistakes are noted on the way, so that all are named at once."""

    def __init__(self, known: Mapping[str, WindowPattern], read: Callable[[str], Reading] | None) -> None:
        self._known = known
        self._read = read
        self._mistakes: list[Sentence] = []
        self._names: list[str] = []
        self._seated = False  # whether the names are those of players who can sit down to a game

    def entrants(self, data: Mapping[str, object]) -> list[Entrant]:
        """Return the players; raise a `GameFileError` when anything is wrong."""
        self._check_keys(THE_GAME, data, KEYS)
        public = self._named(data, "public", objective_called)
        if len(public) > setup(2).public_objectives:
            self._note(
                '"public"', english("a game has 3 public objectives, not {number}.", number=len(public))
            )
        tools = self._named(data, "tools", tool_called)
        if len(tools) > setup(2).most_tools:
            self._note('"tools"', english("a game has 3 tool cards, not {number}.", number=len(tools)))
        house_rules = self._named(data, "house_rules", house_rule_called)
        seats = self._seats(data.get("players"))
        uses = self._uses(data.get("uses", []), tools)
        first_turns = self._first_turns(data)
        if self._mistakes:
            raise GameFileError(*self._mistakes)
        entrants = []
        for seat in seats:
            own = [(tool, tokens) for name, tool, tokens in uses if name == seat.name]
            case = replace(seat.case, public=public, tools=tools, house_rules=house_rules, uses=own)
            entrants.append(replace(seat, case=case, last_round_turn=first_turns.get(seat.name)))
        return entrants

    def _note(self, where: Place, *what: Sentence) -> None:
        self._mistakes.append(english("{where}: {what}", where=where, what=what))

    def _try(self, where: Place, find: Callable[[str], Thing], value: object) -> Thing | None:
        """Return what ``find`` makes of a text, or note why there is nothing."""
        if not isinstance(value, str):
            self._note(where, english("{value} is not a text. Write it in quotes.", value=json.dumps(value)))
            return None
        try:
            return find(value)
        except SagradaError as error:
            self._note(where, error.sentence, error.advice)
            return None

    def _of(
        self, where: Sentence, player: Mapping[str, object], key: str, find: Callable[[str], Thing]
    ) -> Thing | None:
        return self._try(_key_of(where, key), find, player[key]) if key in player else None

    def _check_keys(self, where: Place, data: Mapping[str, object], keys: Iterable[str]) -> None:
        for key in data:
            right = self._try(where, lambda name: find_name(name, keys, "key"), key)
            if right not in (None, key):
                self._note(where, english('"{key}" must be written "{right}".', key=key, right=right))

    def _named(self, data: Mapping[str, object], key: str, find: Callable[[str], Thing]) -> tuple[Thing, ...]:
        """Return the things named in a list, each once."""
        names = data.get(key, [])
        if not isinstance(names, list):
            self._note(f'"{key}"', english("it must be a list of names in brackets."))
            return ()
        things = [thing for name in names if (thing := self._try(f'"{key}"', find, name)) is not None]
        if len(set(things)) < len(things):
            self._note(f'"{key}"', english("a card is named twice. Each is in the game once."))
        return tuple(things)

    def _seats(self, players: object) -> list[Entrant]:
        """Return the players about whom nothing is wrong."""
        if not isinstance(players, list):
            self._note(THE_GAME, english('there is no "players". List them, clockwise around the table.'))
            return []
        if len(players) > MOST_PLAYERS:
            self._note('"players"', english("a game has 2 to 6 players, not {number}.", number=len(players)))
            return []
        seats = [seat for number, one in enumerate(players, start=1) if (seat := self._seat(number, one))]
        if len(players) == 1:
            self._note('"players"', english("one player has no standings. Use sagrada score with --solo."))
            return seats
        if len(self._names) == len(players):
            try:
                TurnOrder(tuple(self._names))
                self._seated = True
            except ScoringError as error:  # two are alike, or one is empty
                self._note('"players"', error.sentence, error.advice)
        self._check_private(seats)
        return seats

    def _seat(self, number: int, player: object) -> Entrant | None:
        """Return a player with what is only the player's, or None when something is wrong."""
        where = english("player {number}", number=number)
        if not isinstance(player, dict):
            example = '{"name": "Ann", "board": "..."}'
            self._note(where, english("it must be an object in braces, such as {example}.", example=example))
            return None
        before = len(self._mistakes)
        name = self._of(where, player, "name", without_controls)
        if name is not None:
            self._names.append(name)
        if name:
            where = english("player {number} ({name})", number=number, name=name)
        has_photo = self._read is not None and PHOTO in player
        self._check_keys(where, player, (*PLAYER_KEYS, PHOTO) if self._read else PLAYER_KEYS)
        free = {"window", "board"} if has_photo else {"window"}
        missing = [key for key in PLAYER_KEYS if key not in player and key not in free]
        for key in missing:
            self._note(where, english('"{key}" is missing.', key=key))
        if has_photo and "board" in player:
            self._note(where, english('give only one of "{one}" and "{other}".', one="board", other=PHOTO))
        board = self._of(where, player, "board", Board.parse)
        private = self._of(where, player, "private", private_called)
        window = AUTO if player.get("window") is None else player["window"]
        card = self._try(_key_of(where, "window"), lambda name: card_called(name, self._known), window)
        tokens = 0 if "favor_tokens" in missing else self._tokens(where, player["favor_tokens"], card)
        if len(self._mistakes) > before or private is None or name is None:
            return None
        if board is not None:
            subject = typed_window(board, card, self._known, '"window"')
        elif self._read and (reading := self._of(where, player, PHOTO, self._read)):
            subject = read_window(None, reading, card, self._known, (), '"window"')
        else:
            return None
        case = Case(subject.board, subject.card, subject.turned, privates=(private,), favor_tokens=tokens)
        return Entrant(name, case, remarks=subject.remarks)

    def _uses(self, uses: object, tools: Sequence[Tool]) -> Uses:
        """Return how tools were used, each by a player of the game and with the tokens that it cost."""
        if not isinstance(uses, list) or len(uses) > MOST_USES or not all(isinstance(o, dict) for o in uses):
            example = '[{"player": "Ann", "tool": "Lathekin", "tokens": 1}]'
            self._note('"uses"', english("it must be a list such as {example}.", example=example))
            return ()
        found = []
        for number, use in enumerate(uses, start=1):
            where = english('"uses", number {number}', number=number)
            self._check_keys(where, use, USE_KEYS)
            player = self._try(where, lambda name: find_name(name, self._names, "player"), use.get("player"))
            tool = self._try(where, tool_called, use.get("tool"))
            tokens = use.get("tokens")
            if tool is not None and tool not in tools:
                self._note(where, english("{tools} is not in this game.", tools=(tool,)))
            if type(tokens) is not int or tokens not in (1, 2):
                self._note(where, english("a use of a tool card costs 1 or 2 tokens."))
            elif player is not None and tool is not None:
                found.append((player, tool, tokens))
        return tuple(found)

    def _tokens(self, player: Sentence, value: object, card: Card) -> int:
        """Return the favor tokens left, no more than came with the window that was named."""
        where = _key_of(player, "favor_tokens")
        if type(value) is not int or value < 0:
            why = english("{value} is not a number of tokens. Write 0 or more.", value=json.dumps(value))
            self._note(where, why)
            return 0
        if isinstance(card, WindowPattern):
            try:
                check_favor_tokens_left(value, card)
            except InvalidValueError as error:
                self._note(where, error.sentence, error.advice)
        return value

    def _check_private(self, seats: list[Entrant]) -> None:
        """Refuse a private objective that two players have."""
        owners: dict[PrivateObjective, str] = {}
        for seat in seats:
            (private,) = seat.case.privates
            if owners.setdefault(private, seat.name) != seat.name:
                what = english(
                    "{one} and {other} both have the private objective {color}. "
                    "Each card is in the game once: correct one of them.",
                    one=owners[private],
                    other=seat.name,
                    color=private,
                )
                self._note('"players"', what)

    def _first_turns(self, data: Mapping[str, object]) -> Mapping[str, int]:
        """Return the place of each player's first turn in the last round, where it is known who began."""
        said = [key for key in WHO_BEGAN if data.get(key) is not None]
        if len(said) > 1:
            self._note(
                THE_GAME, english('give only one of "{one}" and "{other}".', one=said[0], other=said[1])
            )
        if len(said) != 1 or not self._seated:
            return {}
        (key,) = said
        if key == "turn_order":
            return self._from_order(data[key])
        round_number = 1 if key == "first_player" else ROUNDS
        order = self._try(
            f'"{key}"', lambda name: TurnOrder.seated(self._names, name, round_number), data[key]
        )
        return {} if order is None else order.first_turns()

    def _from_order(self, order: object) -> Mapping[str, int]:
        """Return the same from the players clockwise, beginning with the first one."""
        if not isinstance(order, list):
            self._note('"turn_order"', english("it must be a list of the players' names in brackets."))
            return {}
        found = [
            self._try('"turn_order"', lambda name: find_name(name, self._names, "player"), name)
            for name in order
        ]
        listed = [name for name in found if name is not None]
        if len(listed) == len(found) and sorted(listed) != sorted(self._names):
            self._note('"turn_order"', english("name every player once, clockwise from the first one."))
        return TurnOrder(tuple(listed)).first_turns() if sorted(listed) == sorted(self._names) else {}


def _key_of(player: Sentence, key: str) -> Sentence:
    """Return where a key of a player stands."""
    return english('{player}, "{key}"', player=player, key=key)
