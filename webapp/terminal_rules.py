"""How the answers of ``sagrada score`` and ``sagrada check`` look in a terminal."""

from __future__ import annotations

from scoring import Sentence, Words, score_marker
from scoring.problems import ProblemCode
from scoring.words import counted, sentence
from webapp import terminal
from webapp.cli_inspection import Inspection, Placing, take_off
from webapp.cli_subject import Subject
from webapp.cli_verdict import Verdict

SIGNS = {
    ProblemCode.COLOR_RESTRICTION: ("c", sentence("needs another color")),
    ProblemCode.VALUE_RESTRICTION: ("v", sentence("needs another value")),
    ProblemCode.SAME_COLOR_NEIGHBORS: ("=", sentence("beside a die of its color")),
    ProblemCode.SAME_VALUE_NEIGHBORS: ("#", sentence("beside a die of its value")),
    ProblemCode.NOT_CONNECTED: ("o", sentence("touches no die")),
    ProblemCode.FIRST_DIE_EDGE: ("e", sentence("not on the edge")),
}
"""The sign in the picture for each rule that keeps a die off an empty space, and what it means."""


def verdict_text(verdict: Verdict, words: Words) -> str:
    """Return the score of a window, its problems and what to know about both."""
    parts = [heading(verdict.subject, words), terminal.breakdown_text(verdict.breakdown, words)]
    if verdict.solo is not None:
        parts.append(_lines(words, verdict.solo.sentence, verdict.solo.why_private))
    else:
        parts.append(words.say(score_marker(verdict.breakdown.total).sentence))
    advice = removal_advice(verdict)
    parts.append("\n".join([terminal.problems_text(verdict.report.problems, words), *_said(words, advice)]))
    notices = [terminal.notices_text(verdict.report.notices, words)] if verdict.report.notices else []
    parts.append("\n".join([*notices, *(remark.told(words) for remark in verdict.remarks)]))
    return "\n\n".join(part for part in parts if part)


def inspection_text(inspection: Inspection, words: Words) -> str:
    """Return what the placement rules say about a window."""
    problems = [terminal.problems_text(inspection.report.problems, words)]
    if inspection.removal is not None:
        problems.append(words.say(take_off(inspection.removal)))
    parts = [heading(inspection.subject, words), "\n".join(problems)]
    notices = [terminal.notices_text(inspection.report.notices, words)] if inspection.report.notices else []
    notices += [remark.told(words) for remark in inspection.subject.remarks]
    if inspection.dead:
        said = counted(
            "{cells}: no die can go on this space any more.",
            "{cells}: no die can go on these spaces any more.",
            len(inspection.dead),
            cells=inspection.dead,
        )
        notices.append(words.say(said))
    parts.append("\n".join(notices))
    parts += [placing_text(placing, inspection.subject, words) for placing in inspection.placings]
    return "\n\n".join(part for part in parts if part)


def heading(subject: Subject, words: Words) -> str:
    """Return the window for people, with what it was read from."""
    if subject.reading is not None:
        return terminal.reading_text(str(subject.photo), subject.reading, words)
    return terminal.board_text(subject.board)


def removal_advice(verdict: Verdict) -> tuple[tuple[Sentence, ...], ...]:
    """Return the sentences that say what to take off, once when the two answers are the same."""
    if verdict.removals is None:
        return ()
    most, fewest = verdict.removals.most_points, verdict.removals.fewest_dice
    if most == fewest:
        return ((most.sentence,),)
    return (
        (sentence("So that most points stay:"), most.sentence),
        (sentence("With the fewest dice:"), fewest.sentence),
    )


def placing_text(placing: Placing, subject: Subject, words: Words) -> str:
    """Return a picture of the window that shows where a die may go, and why not elsewhere."""
    signs = dict.fromkeys(placing.legal, f"[{placing.die}]")
    signs |= dict.fromkeys(placing.needs_tool, f"({placing.die})")
    codes = {cell: [ProblemCode(one.code) for one in found] for cell, found in placing.why_not.items()}
    empty = set(subject.board.empty_cells())
    signs |= {
        cell: "".join(sign for code, (sign, _) in SIGNS.items() if code in codes[cell])
        for cell in codes
        if cell in empty
    }
    used = {code for cell in codes if cell in empty for code in codes[cell]}
    legend = [f"{sign} {words.say(meaning)}" for code, (sign, meaning) in SIGNS.items() if code in used]
    if placing.needs_tool:
        only_with = words.say(sentence("only with a tool card"))
        legend.insert(0, f"({placing.die}) {only_with}")
    lines = [_where(placing, words), terminal.signs_text(subject.board, signs), "   ".join(legend)]
    return "\n".join(line for line in lines if line)


def _where(placing: Placing, words: Words) -> str:
    """Say where a die may go."""
    if not placing.legal:
        return words.say(sentence("{die}: no space takes it now.", die=placing.die))
    return words.say(sentence("{die} may go to {cells}.", die=placing.die, cells=placing.legal))


def _lines(words: Words, *said: Sentence) -> str:
    return "\n".join(words.say(one) for one in said)


def _said(words: Words, advice: tuple[tuple[Sentence, ...], ...]) -> list[str]:
    return [words.say(*sentences) for sentences in advice]
