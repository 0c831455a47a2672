"""The command line: ``sagrada score`` and ``sagrada check``, the rules applied to one window."""

from __future__ import annotations

from pathlib import Path

import click

from scoring import (
    Board,
    Color,
    Die,
    HouseRule,
    PublicObjective,
    RoundTrack,
    Tool,
    Toolbox,
    WindowPattern,
    Words,
    check_solo_tools,
)
from webapp.cli_inspection import check_spent, inspect_window
from webapp.cli_options import (
    CARDS_ON_THE_TABLE,
    DICE_TO_PLACE,
    HOW_TO_ANSWER,
    OBJECTIVES,
    ONE_WINDOW,
    SOLO_TARGET,
    echo_json,
    wrong_usage,
)
from webapp.cli_subject import subject_of
from webapp.cli_verdict import Stakes, judge
from webapp.terminal_rules import inspection_text, verdict_text

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
    pattern: WindowPattern | None,
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
    stakes = Stakes(public, private, favor, target, tools, house_rules)
    with wrong_usage(words):  # said before a photo is read
        stakes.check()
    verdict = judge(subject_of(photo, board, pattern, words, as_json=as_json), stakes)
    if as_json:
        echo_json(verdict.to_json(words))
    else:
        click.echo(verdict_text(verdict, words))


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
    pattern: WindowPattern | None,
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
    with wrong_usage(words):  # said before a photo is read
        toolbox = Toolbox(tools, tokens=spent, solo=solo, house_rules=house_rules)
        if solo and tools:
            check_solo_tools(tools)
        check_spent(spent, pattern, "--spent", solo=solo)
    inspection = inspect_window(subject_of(photo, board, pattern, words, as_json=as_json), toolbox, dice)
    if as_json:
        echo_json(inspection.to_json(words))
    else:
        click.echo(inspection_text(inspection, words))
