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
    NotationError,
    PublicObjective,
    RoundTrack,
    Sentence,
    Tool,
    WindowPattern,
    score_marker,
)
from scoring.lookup import die_called, objective_called, private_called
from scoring.placement.finished import ProblemCode
from scoring.sentences import english, sentence
from webapp.cli import terminal
from webapp.cli.options import (
    AS_JSON,
    CARDS_ON_THE_TABLE,
    LANG,
    WINDOWS,
    Called,
    echo_json,
    known_windows,
    refusals,
    say,
    several,
    spoken,
    wrong,
)
from webapp.cli.photo import photos_in, reading_of, with_progress
from webapp.domain.judging import Case, Judgement
from webapp.domain.placement import Placing, no_die_for
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


def _target(text: str) -> RoundTrack | int:
    """Return the target of a solo game: a number, or the round track whose dice add up to it."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return RoundTrack.parse(text)
    except NotationError as error:
        advice = sentence("{advice} Or give the points to beat as a number.", advice=error.advice)
        raise NotationError(error.code, error.sentence, advice) from error


@click.command(epilog=SCORE_EXAMPLES)
@WINDOWS
@several(
    "--public", "public", "name", objective_called, "A public objective; repeat it, or list them with commas."
)
@several(
    "--private",
    "private",
    "name",
    private_called,
    "The private objective, by its color or name; in a solo game two.",
)
@click.option("--favor", type=click.IntRange(min=0), help="Favor tokens left.")
@click.option(
    "--solo",
    "target",
    type=Called("target", _target),
    help='A solo game: the points to beat, or the round track, such as "R3 G4 / -- / B1".',
)
@CARDS_ON_THE_TABLE
@LANG
@AS_JSON
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
    with refusals():  # said before a photo is read
        case.check("--solo")
    answers = Answers(as_json=as_json)
    for subject in subjects_of(photos, board, card, answers):
        judgement = Judgement(subject.with_tokens(case))
        if as_json:
            answers.tell_json(subject, judgement.to_json(spoken(), subject.remarks))
        else:
            answers.tell(score_text(subject, judgement))
    sys.exit(1 if answers.failed else 0)


@click.command(epilog=CHECK_EXAMPLES)
@WINDOWS
@CARDS_ON_THE_TABLE
@click.option("--spent", type=click.IntRange(min=0), help="The most favor tokens that can have been spent.")
@click.option("--solo", is_flag=True, help="A solo game: each tool works once and costs no tokens.")
@several(
    "--die", "dice", "die", die_called, 'Say where this die, such as R2 or "red 2", may go next; repeat it.'
)
@LANG
@AS_JSON
def check(
    photos: tuple[Path, ...],
    board: Board | None,
    card: WindowPattern | Literal["auto"] | None,
    tools: tuple[Tool, ...],
    house_rules: tuple[HouseRule, ...],
    spent: int | None,
    dice: tuple[Die, ...],
    *,
    solo: bool,
    as_json: bool,
) -> None:
    """Check the placement rules on windows, and say where dice may go next; - is the standard input.

    The exit status is 1 when a window breaks the rules. With several photos --json prints one object a line.
    """
    case = Case(Board.empty(), spent=spent, tools=tools, house_rules=house_rules, solo=solo)
    with refusals():  # said before a photo is read
        case.check("--solo")
        check_spent(spent, card if isinstance(card, WindowPattern) else None, "--spent", solo=solo)
    answers = Answers(as_json=as_json)
    for subject in subjects_of(photos, board, card, answers):
        check = Check(subject, Judgement(subject.in_context(case)), dice)
        answers.failed |= not check.judgement.placement.is_legal
        if as_json:
            answers.tell_json(subject, check.to_json(spoken()))
        else:
            answers.tell(check_text(check))
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
    answers: Answers,
) -> Iterator[Subject]:
    """Yield the windows that the command line names, of photos those that can be read."""
    if bool(photos) == (board is not None):
        raise wrong(english("Give either a photo or --board with the window in board notation."))
    known, about = known_windows()
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


def score_text(subject: Subject, judgement: Judgement) -> str:
    """Return the score of a window, its problems and what to know about both."""
    words = spoken()
    parts = [heading(subject), terminal.breakdown_text(judgement.breakdown, words)]
    if judgement.solo is not None:
        parts.append("\n".join(map(say, (judgement.solo.sentence, judgement.solo.why_private))))
    elif not judgement.case.solo:
        parts.append(say(score_marker(judgement.breakdown.total).sentence))
    found = judgement.placement
    advice = [say(*one) for one in removal_advice(judgement)]
    parts.append("\n".join([terminal.problems_text(found.problems, words), *advice]))
    parts.append(terminal.notices_text((*found.notices, *subject.remarks, *judgement.remarks), words))
    return "\n\n".join(part for part in parts if part)


def check_text(check: Check) -> str:
    """Return what the placement rules say about a window."""
    words, found, removals = spoken(), check.judgement.placement, check.judgement.removals
    problems = [terminal.problems_text(found.problems, words)]
    if removals is not None:  # no objectives are known, so there are no points to speak of
        problems.append(say(removals.fewest_dice.without_price))
    parts = [heading(check.subject), "\n".join(problems)]
    notices = [terminal.notices_text((*found.notices, *check.subject.remarks), words)]
    if dead := check.judgement.dead_cells:
        notices.append(say(no_die_for(dead)))
    parts.append("\n".join(one for one in notices if one))
    parts += [placing_text(placing, check.subject.board) for placing in check.placings]
    return "\n\n".join(part for part in parts if part)


def heading(subject: Subject) -> str:
    """Return the window for people, with what it was read from."""
    if subject.reading is not None:
        return terminal.reading_text(str(subject.photo), subject.reading, spoken())
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


def placing_text(placing: Placing, board: Board) -> str:
    """Return a picture of the window that shows where a die may go, and why not elsewhere."""
    signs = dict.fromkeys(placing.legal, f"[{placing.die}]")
    signs |= dict.fromkeys(placing.with_tool, f"({placing.die})")
    used: set[ProblemCode] = set()
    for cell in placing.why_not.keys() & set(board.empty_cells()):
        found = {one.code for one in placing.why_not[cell]}
        signs[cell] = "".join(sign for code, (sign, _) in SIGNS.items() if code in found)
        used |= found
    legend = [f"{sign} {say(meaning)}" for code, (sign, meaning) in SIGNS.items() if code in used]
    if placing.with_tool:
        only_with = say(sentence("only with a tool card"))
        legend.insert(0, f"({placing.die}) {only_with}")
    where = sentence("{die}: no space takes it now.", die=placing.die)
    if placing.legal:
        where = sentence("{die} may go to {cells}.", die=placing.die, cells=placing.legal)
    lines = [say(where), terminal.signs_text(board, signs), "   ".join(legend), *map(say, placing.steps)]
    return "\n".join(line for line in lines if line)
