"""How the answers of ``sagrada score`` and ``sagrada check`` look in a terminal."""

from __future__ import annotations

from scoring import Board, Sentence, Words, score_marker
from scoring.problems import ProblemCode
from scoring.sentences import counted, sentence
from webapp.cli import terminal
from webapp.companion.judging import Judgement
from webapp.companion.placing import Placing
from webapp.companion.subject import Check, Subject

SIGNS = {
    ProblemCode.COLOR_RESTRICTION: ("c", sentence("needs another color")),
    ProblemCode.VALUE_RESTRICTION: ("v", sentence("needs another value")),
    ProblemCode.SAME_COLOR_NEIGHBORS: ("=", sentence("beside a die of its color")),
    ProblemCode.SAME_VALUE_NEIGHBORS: ("#", sentence("beside a die of its value")),
    ProblemCode.NOT_CONNECTED: ("o", sentence("touches no die")),
    ProblemCode.FIRST_DIE_EDGE: ("e", sentence("not on the edge")),
}
"""The sign in the picture for each rule that keeps a die off an empty space, and what it means."""


def score_text(subject: Subject, judgement: Judgement, words: Words) -> str:
    """Return the score of a window, its problems and what to know about both."""
    parts = [heading(subject, words), terminal.breakdown_text(judgement.breakdown, words)]
    if judgement.solo is not None:
        parts.append(_lines(words, judgement.solo.sentence, judgement.solo.why_private))
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
        off = sentence("Take off {cells}, then no rule is broken.", cells=removals.fewest_dice.cells)
        problems.append(words.say(off))
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
        return ((most.sentence,),)
    return (
        (sentence("So that most points stay:"), most.sentence),
        (sentence("With the fewest dice:"), fewest.sentence),
    )


def placing_text(placing: Placing, board: Board, words: Words) -> str:
    """Return a picture of the window that shows where a die may go, and why not elsewhere."""
    signs = dict.fromkeys(placing.legal, f"[{placing.die}]")
    signs |= dict.fromkeys(placing.with_tool, f"({placing.die})")
    codes = {cell: [ProblemCode(one.code) for one in found] for cell, found in placing.why_not.items()}
    empty = set(board.empty_cells())
    signs |= {
        cell: "".join(sign for code, (sign, _) in SIGNS.items() if code in codes[cell])
        for cell in codes
        if cell in empty
    }
    used = {code for cell in codes if cell in empty for code in codes[cell]}
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


def _lines(words: Words, *said: Sentence) -> str:
    return "\n".join(words.say(one) for one in said)
