"""The rules for other programs: a window in board notation counted and checked, players ranked."""

from __future__ import annotations

from webapp.api.rule_requests import CheckQuestion, RankQuestion, ScoreQuestion, WindowQuestion
from webapp.api.section import Section
from webapp.services.game_file import game_from
from webapp.services.judging import Case, judge
from webapp.services.outcome import outcome_of
from webapp.services.payloads import CheckPayload, JudgedPayload, OutcomePayload
from webapp.services.remarks import Remark, own_windows_missing
from webapp.services.subject import Check, Subject, card_called, check_spent, typed_window
from webapp.web import context
from webapp.web.language import words

blueprint = Section(
    "api_rules",
    heading="Rules",
    about="Windows in board notation, counted and checked without being kept.",
)


@blueprint.action("post", "/score", "scoreWindow")
def score(asked: ScoreQuestion) -> JudgedPayload:
    """Score a window line by line.

    The answer is that of `sagrada score --json`. Nothing is kept.
    """
    case = Case(
        asked.board,
        public=asked.public,
        privates=asked.private,
        favor_tokens=asked.favor_tokens,
        tools=asked.tools,
        house_rules=asked.house_rules,
        solo=asked.solo is not None,
        target=asked.solo,
    )
    case.check('"solo"')
    subject = _subject(asked)
    return judge(subject.in_context(case)).to_json(words(), subject.remarks)


@blueprint.action("post", "/check", "checkWindow")
def check(asked: CheckQuestion) -> CheckPayload:
    """Check the placement rules on a window.

    The answer is that of `sagrada check --json`. Nothing is kept.
    """
    case = Case(
        asked.board, spent=asked.spent, tools=asked.tools, house_rules=asked.house_rules, solo=asked.solo
    )
    case.check('"solo"')
    subject = _subject(asked)
    check_spent(asked.spent, subject.card if subject.named else None, '"spent"', solo=asked.solo)
    return Check(subject, judge(subject.in_context(case)), asked.dice).to_json(words())


@blueprint.action("post", "/rank", "rankPlayers")
def rank(asked: RankQuestion) -> OutcomePayload:
    """Rank the players of a game and say what decided.

    The answer is that of `sagrada rank --json`. Nothing is kept. At most one of `first_player`,
    `first_player_of_last_round` and `turn_order` is given.
    """
    known = context.known_windows()
    entrants = game_from(asked.model_dump(mode="json", exclude_unset=True), known)
    return outcome_of(entrants, _remarks()).to_json(words())


def _subject(asked: WindowQuestion) -> Subject:
    """Return the window that was described: its dice, and the card under them."""
    known = context.known_windows()
    return typed_window(asked.board, card_called(asked.window, known), known, '"window"', _remarks())


def _remarks() -> tuple[Remark, ...]:
    """Return what there is to know about the windows of this house."""
    if not context.own_windows_missing():
        return ()
    return (own_windows_missing(),)  # the reason names a file of this computer, so it is not told
