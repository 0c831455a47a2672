"""The command line: ``sagrada score`` and ``sagrada check``, the rules applied to one window."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from scoring import Board, Color, Die, HouseRule, PublicObjective, RoundTrack, Tool, WindowPattern, Words
from webapp.cli.options import (
    CARDS_ON_THE_TABLE,
    DICE_TO_PLACE,
    HOW_TO_ANSWER,
    OBJECTIVES,
    ONE_WINDOW,
    SOLO_TARGET,
    echo_json,
    wrong_usage,
)
from webapp.cli.subject import subject_of
from webapp.cli.terminal_rules import check_text, score_text
from webapp.companion.judging import Case, check_spent, judge
from webapp.companion.subject import Check

SCORE_EXAMPLES = """\b
Examples:
  sagrada score window.jpg --public "Light Shades" --public "Color Variety"
      --public "Deep Shades" --private purple --favor 2
  sagrada score window.jpg --public "Light Shades" --public "Color Variety"
      --private red --private blue --solo 31
"""
CHECK_EXAMPLES = """\b
Examples:
  sagrada check window.jpg --tool Lathekin --tool "Flux Brush"
  sagrada check --board "-- -- -- -- -- / -- -- -- G1 -- / -- -- -- P6 R3 / -- -- -- B2 --"
      --window "Fractal Drops" --die R2
"""


@click.command(epilog=SCORE_EXAMPLES)
@ONE_WINDOW
@OBJECTIVES
@click.option("--favor", type=click.IntRange(min=0), help="Favor tokens left.")
@SOLO_TARGET
@CARDS_ON_THE_TABLE
@HOW_TO_ANSWER
def score(
    photo: Path | None,
    board: Board | None,
    card: WindowPattern | Literal["auto"] | None,
    public: tuple[PublicObjective, ...],
    private: tuple[Color, ...],
    favor: int | None,
    target: RoundTrack | int | None,
    tools: tuple[Tool, ...],
    house_rules: tuple[HouseRule, ...],
    words: Words,
    *,
    as_json: bool,
) -> None:
    """Score a window line by line."""
    case = Case(
        Board.empty(),
        public=public,
        privates=private,
        favor_tokens=favor,
        tools=tools,
        house_rules=house_rules,
        solo=target is not None,
        target=target,
    )
    with wrong_usage(words):  # said before a photo is read
        case.check("--solo")
    subject = subject_of(photo, board, card, words, as_json=as_json)
    judgement = judge(subject.in_context(case))
    if as_json:
        echo_json(judgement.to_json(words, subject.remarks))
    else:
        click.echo(score_text(subject, judgement, words))


@click.command(epilog=CHECK_EXAMPLES)
@ONE_WINDOW
@CARDS_ON_THE_TABLE
@click.option("--spent", type=click.IntRange(min=0), help="The most favor tokens that can have been spent.")
@click.option("--solo", is_flag=True, help="A solo game: each tool works once and costs no tokens.")
@DICE_TO_PLACE
@HOW_TO_ANSWER
def check(
    photo: Path | None,
    board: Board | None,
    card: WindowPattern | Literal["auto"] | None,
    tools: tuple[Tool, ...],
    house_rules: tuple[HouseRule, ...],
    spent: int | None,
    dice: tuple[Die, ...],
    words: Words,
    *,
    solo: bool,
    as_json: bool,
) -> None:
    """Check the placement rules on a window, and say where dice may go next."""
    case = Case(Board.empty(), spent=spent, tools=tools, house_rules=house_rules, solo=solo)
    with wrong_usage(words):  # said before a photo is read
        case.check("--solo")
        check_spent(spent, card if isinstance(card, WindowPattern) else None, "--spent", solo=solo)
    subject = subject_of(photo, board, card, words, as_json=as_json)
    check = Check(subject, judge(subject.in_context(case)), dice)
    if as_json:
        echo_json(check.to_json(words))
    else:
        click.echo(check_text(check, words))
