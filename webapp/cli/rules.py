"""The command line: ``sagrada score`` and ``sagrada check``, the rules applied to one window."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import click

from scoring import (
    Board,
    Color,
    Die,
    HouseRule,
    PublicObjective,
    RoundTrack,
    Sentence,
    Tool,
    WindowPattern,
    Words,
    score_marker,
)
from scoring.placement.finished import ProblemCode
from scoring.sentences import counted, sentence
from webapp.cli import terminal
from webapp.cli.options import (
    CARDS_ON_THE_TABLE,
    DICE_TO_PLACE,
    HOW_TO_ANSWER,
    OBJECTIVES,
    SOLO_TARGET,
    WINDOWS,
    echo_json,
    known_windows,
    refusals,
)
from webapp.cli.photo import photos_in, reading_of, with_progress
from webapp.domain import judging
from webapp.domain.judging import Case, Judgement, judge
from webapp.domain.placement import Placing
from webapp.domain.subject import Check, Subject, check_spent, read_window, typed_window

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
SIGNS = {
    ProblemCode.COLOR_RESTRICTION: ("c", sentence("needs another color")),
    ProblemCode.VALUE_RESTRICTION: ("v", sentence("needs another value")),
    ProblemCode.SAME_COLOR_NEIGHBORS: ("=", sentence("beside a die of its color")),
    ProblemCode.SAME_VALUE_NEIGHBORS: ("#", sentence("beside a die of its value")),
    ProblemCode.NOT_CONNECTED: ("o", sentence("touches no die")),
    ProblemCode.FIRST_DIE_EDGE: ("e", sentence("not on the edge")),
}
"""The sign in the picture for each rule that keeps a die off an empty space, and what it means."""


@click.command(epilog=SCORE_EXAMPLES)
@WINDOWS
@OBJECTIVES
@click.option("--favor", type=click.IntRange(min=0), help="Favor tokens left.")
@SOLO_TARGET
@CARDS_ON_THE_TABLE
@HOW_TO_ANSWER
def score(
    photos: tuple[Path, ...],
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
    """Score windows line by line; - is a photo from the standard input.

    With several photos --json prints one object a line and photo.
    """
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
    with refusals(words):  # said before a photo is read
        case.check("--solo")
    answers = Answers(as_json=as_json)
    for subject in subjects_of(photos, board, card, words, answers):
        judgement = judge(subject.in_context(case))
        if as_json:
            answers.tell_json(subject, judgement.to_json(words, subject.remarks))
        else:
            answers.tell(score_text(subject, judgement, words))
    sys.exit(1 if answers.failed else 0)


@click.command(epilog=CHECK_EXAMPLES)
@WINDOWS
@CARDS_ON_THE_TABLE
@click.option("--spent", type=click.IntRange(min=0), help="The most favor tokens that can have been spent.")
@click.option("--solo", is_flag=True, help="A solo game: each tool works once and costs no tokens.")
@DICE_TO_PLACE
@HOW_TO_ANSWER
def check(
    photos: tuple[Path, ...],
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
    """Check the placement rules on windows, and say where dice may go next; - is the standard input.

    The exit status is 1 when a window breaks the rules. With several photos --json prints one object a line.
    """
    case = Case(Board.empty(), spent=spent, tools=tools, house_rules=house_rules, solo=solo)
    with refusals(words):  # said before a photo is read
        case.check("--solo")
        check_spent(spent, card if isinstance(card, WindowPattern) else None, "--spent", solo=solo)
    answers = Answers(as_json=as_json)
    for subject in subjects_of(photos, board, card, words, answers):
        check = Check(subject, judge(subject.in_context(case)), dice)
        answers.failed |= not check.judgement.placement.is_legal
        if as_json:
            answers.tell_json(subject, check.to_json(words))
        else:
            answers.tell(check_text(check, words))
    sys.exit(1 if answers.failed else 0)


class Answers:
    """What is said of windows, one after the other; ``failed`` says that one is unread or breaks a rule."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self.failed = False
        self.several = False
        self._told = False

    def tell(self, text: str) -> None:
        """Print for people what there is to say of a window, apart from the one before."""
        click.echo(f"\n{text}" if self._told else text)
        self._told = True

    def tell_json(self, subject: Subject, data: Mapping[str, object]) -> None:
        """Print the same for programs; of several photos, which it is."""
        echo_json({"photo": str(subject.photo), **data} if self.several else data)


def subjects_of(
    photos: Sequence[Path],
    board: Board | None,
    card: WindowPattern | Literal["auto"] | None,
    words: Words,
    answers: Answers,
) -> Iterator[Subject]:
    """Yield the windows that the command line names, of photos those that can be read."""
    if bool(photos) == (board is not None):
        either = sentence("Give either a photo or --board with the window in board notation.")
        raise click.UsageError(words.say(either))
    known, refusal = known_windows()
    about = () if refusal is None else (judging.own_windows_missing(*refusal),)
    if board is not None:
        yield typed_window(board, card, known, "--window", about)
        return
    listed = photos_in(photos)
    answers.several = len(listed) > 1
    for photo, meanwhile in with_progress(listed):
        reading = reading_of(photo, known, as_json=answers.as_json, meanwhile=meanwhile)
        if reading is None:
            answers.failed = True
        else:
            yield read_window(photo, reading, card, known, about)


def score_text(subject: Subject, judgement: Judgement, words: Words) -> str:
    """Return the score of a window, its problems and what to know about both."""
    parts = [heading(subject, words), terminal.breakdown_text(judgement.breakdown, words)]
    if judgement.solo is not None:
        parts.append("\n".join(map(words.say, (judgement.solo.sentence, judgement.solo.why_private))))
    elif not judgement.case.solo:
        parts.append(words.say(score_marker(judgement.breakdown.total).sentence))
    found = judgement.placement
    advice = [words.say(*one) for one in removal_advice(judgement)]
    parts.append("\n".join([terminal.problems_text(found.problems, words), *advice]))
    parts.append(terminal.notices_text((*found.notices, *subject.remarks, *judgement.remarks), words))
    return "\n\n".join(part for part in parts if part)


def check_text(check: Check, words: Words) -> str:
    """Return what the placement rules say about a window."""
    found, removals = check.judgement.placement, check.judgement.removals
    problems = [terminal.problems_text(found.problems, words)]
    if removals is not None:  # no objectives are known, so there are no points to speak of
        problems.append(words.say(removals.fewest_dice.without_price))
    parts = [heading(check.subject, words), "\n".join(problems)]
    notices = [terminal.notices_text((*found.notices, *check.subject.remarks), words)]
    if dead := check.judgement.dead_cells:
        said = counted(
            "{cells}: no die can go on this space any more.",
            "{cells}: no die can go on these spaces any more.",
            len(dead),
            cells=dead,
        )
        notices.append(words.say(said))
    parts.append("\n".join(one for one in notices if one))
    parts += [placing_text(placing, check.subject.board, words) for placing in check.placings]
    return "\n\n".join(part for part in parts if part)


def heading(subject: Subject, words: Words) -> str:
    """Return the window for people, with what it was read from."""
    if subject.reading is not None:
        return terminal.reading_text(str(subject.photo), subject.reading, words)
    return terminal.board_text(subject.board)


def removal_advice(judgement: Judgement) -> tuple[tuple[Sentence, ...], ...]:
    """Return the sentences that say what to take off, once when the two answers are the same."""
    if judgement.removals is None:
        return ()
    most, fewest = judgement.removals.most_points, judgement.removals.fewest_dice
    if most == fewest:
        return ((judgement.advice(most),),)
    return (
        (sentence("To keep the most points:"), judgement.advice(most)),
        (sentence("With the fewest dice:"), judgement.advice(fewest)),
    )


def placing_text(placing: Placing, board: Board, words: Words) -> str:
    """Return a picture of the window that shows where a die may go, and why not elsewhere."""
    signs = dict.fromkeys(placing.legal, f"[{placing.die}]")
    signs |= dict.fromkeys(placing.with_tool, f"({placing.die})")
    codes = {
        cell: {one.code for one in placing.why_not[cell]}
        for cell in board.empty_cells()
        if cell in placing.why_not
    }
    for cell, found in codes.items():
        signs[cell] = "".join(sign for code, (sign, _) in SIGNS.items() if code in found)
    used = {code for found in codes.values() for code in found}
    legend = [f"{sign} {words.say(meaning)}" for code, (sign, meaning) in SIGNS.items() if code in used]
    if placing.with_tool:
        only_with = words.say(sentence("only with a tool card"))
        legend.insert(0, f"({placing.die}) {only_with}")
    lines = [_where(placing, words), terminal.signs_text(board, signs), "   ".join(legend)]
    lines += [words.say(one) for one in placing.steps]
    return "\n".join(line for line in lines if line)


def _where(placing: Placing, words: Words) -> str:
    """Say where a die may go."""
    if not placing.legal:
        return words.say(sentence("{die}: no space takes it now.", die=placing.die))
    return words.say(sentence("{die} may go to {cells}.", die=placing.die, cells=placing.legal))
