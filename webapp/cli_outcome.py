"""How a game ended: the standings, and for each player what there is to say about their window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scoring import Player, Standing, Standings, WindowPattern, Words, rank
from scoring.words import sentence
from webapp.cli_game import GameFile
from webapp.cli_remarks import DICE_OF_A_COLOR, Remark, same_card, too_many_dice
from webapp.cli_subject import typed_window
from webapp.cli_verdict import Stakes, Verdict, judge, lines_to_json, marker_to_json, notices_to_json

ABOUT_THE_GAME = {"not_all_counted"}  # said once, not for each player


@dataclass(frozen=True)
class Outcome:
    """The standings of a game, the window of each player by name, and what else there is to know."""

    standings: Standings
    verdicts: Mapping[str, Verdict]
    remarks: tuple[Remark, ...] = ()

    def with_remark(self, remark: Remark) -> Outcome:
        """Return the outcome with one more thing to know."""
        return replace(self, remarks=(*self.remarks, remark))

    def to_json(self, words: Words) -> dict[str, object]:
        """Return the answer of ``sagrada rank --json``; ``player`` is null in notices about the game."""
        return {
            **self.standings.to_json(words),
            "standings": [self._standing_to_json(standing, words) for standing in self.standings.places],
            "notices": [
                *({"player": None, **remark.to_json(words)} for remark in self.about_the_game()),
                *self._notices_to_json(words),
            ],
        }

    def about_the_game(self) -> tuple[Remark, ...]:
        """Return what there is to know about all windows alike."""
        first = next(iter(self.verdicts.values()))
        return (
            *self.remarks,
            *(remark for remark in first.remarks if remark.code in ABOUT_THE_GAME),
            *self._too_many_dice(),
            *self._same_cards(),
        )

    def about_points(self, player: str) -> tuple[Remark, ...]:
        """Return what there is to know about a player's points, mistakes in the window first."""
        verdict = self.verdicts[player]
        about_card = verdict.subject.remarks
        own = [one for one in verdict.remarks if one.code not in ABOUT_THE_GAME and one not in about_card]
        return (*_counted_as_it_lies(verdict), *own)

    def _too_many_dice(self) -> Iterator[Remark]:
        boards = [verdict.subject.board for verdict in self.verdicts.values()]
        numbers = Counter(die.color for board in boards for _, die in board.dice())
        for color, number in numbers.items():
            if number > DICE_OF_A_COLOR:
                yield too_many_dice(color, number)

    def _same_cards(self) -> Iterator[Remark]:
        """Yield each card of which several players have a side."""
        players: dict[frozenset[str], list[str]] = {}
        patterns = {name: verdict.subject.pattern for name, verdict in self.verdicts.items()}
        for name, pattern in patterns.items():
            if pattern is not None:
                sides = frozenset({pattern.name, pattern.other_side or pattern.name})
                players.setdefault(sides, []).append(name)
        for names in players.values():
            pattern = patterns[names[0]]
            if len(names) > 1 and pattern is not None:
                yield same_card(pattern, names)

    def _standing_to_json(self, standing: Standing, words: Words) -> dict[str, object]:
        verdict = self.verdicts[standing.name]
        answer: dict[str, object] = {
            **standing.to_json(),
            "lines": lines_to_json(verdict.breakdown, words),
            "score_marker": marker_to_json(standing.total, words),
            **verdict.subject.to_json(),
            "problems": [problem.to_json(words) for problem in verdict.report.problems],
        }
        if verdict.removals is not None:
            answer["removals"] = verdict.removals.to_json(words)
        return answer

    def _notices_to_json(self, words: Words) -> Iterator[dict[str, object]]:
        for standing in self.standings.places:
            verdict = self.verdicts[standing.name]
            remarks = (*verdict.subject.remarks, *self.about_points(standing.name))
            for notice in notices_to_json(verdict.report, remarks, words):
                yield {"player": standing.name, **notice}


def outcome_of(game: GameFile, known: Mapping[str, WindowPattern]) -> Outcome:
    """Judge each window of a game as it lies and rank the players; ``known`` are the cards to tell it by."""
    verdicts = {}
    for seat in game.seats:
        stakes = Stakes(
            game.public,
            [seat.private],
            seat.favor_tokens,
            tools=game.tools,
            house_rules=game.house_rules,
        )
        subject = typed_window(seat.board, seat.pattern, known, '"window"')
        verdicts[seat.name] = judge(subject, stakes)
    standings = rank(
        Player(name, verdict.breakdown, game.first_turns.get(name)) for name, verdict in verdicts.items()
    )
    return Outcome(standings, verdicts)


def _counted_as_it_lies(verdict: Verdict) -> tuple[Remark, ...]:
    """Say that a window breaks the rules, and what the best removal would leave."""
    if verdict.removals is None:
        return ()
    best = verdict.removals.most_points
    said = sentence(
        "The window breaks the rules and is counted as it lies: "
        "without {cells} it would give {after} points, not {before}.",
        cells=best.cells,
        after=best.points_after,
        before=best.points_before,
    )
    return (Remark("counted_as_it_lies", (said,), best.cells),)
