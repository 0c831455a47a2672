"""The rules for other programs: the cards of the game, and a window in board notation scored and checked."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from flask import Blueprint, jsonify

from scoring import (
    Board,
    Color,
    Die,
    HouseRule,
    PublicObjective,
    RoundTrack,
    ScoringError,
    Tool,
    Toolbox,
    WindowPattern,
    check_solo_tools,
)
from scoring.errors import InvalidValueError
from scoring.lookup import color_called, house_rule_called, objective_called, tool_called, window_called
from scoring.words import sentence
from webapp import api_input, context, error_words, words
from webapp.api import json_object
from webapp.cli_game import GameFileError, game_from
from webapp.cli_inspection import check_spent, inspect_window
from webapp.cli_outcome import outcome_of
from webapp.cli_remarks import Remark, own_windows_missing
from webapp.cli_subject import Subject, typed_window
from webapp.cli_verdict import Stakes, judge, one_private_objective
from webapp.cli_words import TerminalWords, terminal_words_in
from webapp.errors import answer
from webapp.language import current
from webapp.tool_words import TOOL_RULES

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("api_rules", __name__, url_prefix="/api/v1")

AUTO = "auto"
WINDOW_KEYS = ("board", "window", "tools", "house_rules")
SCORE_KEYS = (*WINDOW_KEYS, "public", "private", "favor", "solo")
CHECK_KEYS = (*WINDOW_KEYS, "dice", "spent", "solo")


@blueprint.errorhandler(ScoringError)
def refused(error: ScoringError) -> ResponseReturnValue:
    """Answer what the rules refuse. They say where the mistake is, in the visitor's language."""
    return answer(error_words.refused_by_rules(error), HTTPStatus.BAD_REQUEST)


@blueprint.errorhandler(GameFileError)
def not_a_game(error: GameFileError) -> ResponseReturnValue:
    """Answer a game that cannot be ranked with all that is wrong with it, in the visitor's language."""
    say = _words().say
    problem = {
        "code": "bad_game",
        "message": say(*error.mistakes),
        "next_step": say(sentence("Put right what is named.")),
    }
    return answer(problem, HTTPStatus.BAD_REQUEST)


@blueprint.get("/cards")
def cards() -> ResponseReturnValue:
    """Return the cards of the game and the windows of this house, with names in the visitor's language."""
    say = words.game_words()
    return jsonify(
        language=current(),
        colors=[
            {"letter": color.value, "label": say.name(color), "private": say.private_objective(color)}
            for color in Color
        ],
        public=[
            {
                "name": card.value,
                "label": say.name(card),
                "rule": str(words.RULES[card]),
                "points": card.points_each,
            }
            for card in PublicObjective
        ],
        tools=[
            {
                "name": tool.value,
                "label": say.name(tool),
                "rule": str(TOOL_RULES[tool]),
                "number": tool.number,
                "moves_dice": tool.moves_dice,
            }
            for tool in Tool
        ],
        house_rules=[{"name": rule.value, "label": say.name(rule)} for rule in HouseRule],
        windows=[_window(window) for window in context.known_windows().values()],
    )


@blueprint.post("/score")
def score() -> ResponseReturnValue:
    """Count a window line by line, as ``sagrada score --json`` does."""
    told = json_object()
    api_input.only_known(told, SCORE_KEYS)
    stakes = Stakes(
        api_input.each(told, "public", objective_called),
        api_input.each(told, "private", color_called),
        api_input.count(told, "favor"),
        _target(told.get("solo")),
        api_input.each(told, "tools", tool_called),
        api_input.each(told, "house_rules", house_rule_called),
    )
    if len(stakes.privates) > 1 and not stakes.is_solo:
        raise one_private_objective('"solo"')
    stakes.check()
    return jsonify(judge(_subject(told), stakes).to_json(_words()))


@blueprint.post("/check")
def check() -> ResponseReturnValue:
    """Check the placement rules on a window, as ``sagrada check --json`` does."""
    told = json_object()
    api_input.only_known(told, CHECK_KEYS)
    tools = api_input.each(told, "tools", tool_called)
    house_rules = api_input.each(told, "house_rules", house_rule_called)
    spent, solo = api_input.count(told, "spent"), api_input.flag(told, "solo")
    toolbox = Toolbox(tools, tokens=spent, solo=solo, house_rules=house_rules)
    if solo and tools:
        check_solo_tools(tools)
    dice = api_input.each(told, "dice", Die.parse)
    subject = _subject(told)
    check_spent(spent, subject.pattern if subject.named else None, '"spent"', solo=solo)
    return jsonify(inspect_window(subject, toolbox, dice).to_json(_words()))


@blueprint.post("/rank")
def rank() -> ResponseReturnValue:
    """Rank the players of a game and say what decided, as ``sagrada rank --json`` does."""
    told = json_object()
    players, known = told.get("players"), context.known_windows()
    if isinstance(players, list) and len(players) == 1:
        raise InvalidValueError(
            "bad_number_of_players",
            sentence("One player has no standings."),
            sentence('Count a solo game with /api/v1/score and its target as "solo".'),
        )
    outcome = outcome_of(game_from(told, known), known)
    for remark in _remarks():
        outcome = outcome.with_remark(remark)
    return jsonify(outcome.to_json(_words()))


def _words() -> TerminalWords:
    """Return the words in the visitor's language, with those of the remarks that both answers share."""
    return terminal_words_in(current())


def _window(window: WindowPattern) -> dict[str, Any]:
    return {
        "name": window.name,
        "label": words.game_words().name(window),
        "pattern": str(window),
        "difficulty": window.difficulty,
        "other_side": window.other_side,
        "promo": window.promo,
        "custom": window.custom,
    }


def _subject(told: dict[str, Any]) -> Subject:
    """Return the window that was described: its dice, and the card under them."""
    board = Board.parse(api_input.text(told, "board"))
    name, known = api_input.text(told, "window", AUTO), context.known_windows()
    pattern = None if name.strip().casefold() == AUTO else window_called(name, known)
    return typed_window(board, pattern, known, '"window"', _remarks())


def _remarks() -> tuple[Remark, ...]:
    """Return what there is to know about the windows of this house."""
    if not context.own_windows_missing():
        return ()
    return (own_windows_missing(),)  # the reason names a file of this computer, so it is not told


def _target(told: object) -> RoundTrack | int | None:
    """Return the target of a solo game: a number, or the round track whose dice add up to it."""
    if told is None or (type(told) is int and told >= 0):
        return told
    if isinstance(told, str):
        return RoundTrack.parse(told)
    raise InvalidValueError(
        "bad_request",
        sentence('"solo" must be the points to beat, 0 or more, or the round track as a text.'),
        sentence('Write it as 31 or as "R3 G4 / -- / B1".'),
    )
