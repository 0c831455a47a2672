"""How a game ended: every window judged, the players ranked, and what only shows when all windows are seen.

A file of ``sagrada rank``, a request to rank and the reveal of a game night all come here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring import Board, Player, PrivateObjective, Standing, Standings, WindowPattern, Words, rank
from scoring.game.setup import MOST_PLAYERS, dice_of_a_color
from scoring.game.standings import Decision
from scoring.sentences import sentence
from webapp.domain.judging import NOT_ALL_COUNTED, Case, Judgement
from webapp.domain.payloads import DecisionPayload, OutcomePayload, Remark, StandingPayload, notice_to_json

MANY_DICE = 8  # so many dice never lie alike in two windows by chance

Seen = tuple[Board, str | None]
"""The dice of a window, and its photo where that is known, see `webapp.domain.record.Record.shot`."""


def is_same_window(one: Seen, other: Seen) -> bool:
    """Tell whether two windows come from the same place of the same photo, or hold the same many dice."""
    (board, shot), (other_board, other_shot) = one, other
    if shot is not None and shot == other_shot:
        return True
    return board == other_board and len(list(board.dice())) >= MANY_DICE


@dataclass(frozen=True)
class Entrant:
    """A player whose window is judged among those of the others.

    ``last_round_turn`` is the place of the first turn in the last round, None when nobody knows. ``remarks``
    are about the card under the dice. ``shot`` is the photo of the window and where it lies there.
    """

    name: str
    case: Case
    last_round_turn: int | None = None
    remarks: tuple[Remark, ...] = ()
    shot: str | None = None


@dataclass(frozen=True)
class Outcome:
    """How a game ended, as far as its windows tell.

    ``entrants`` are in the order of their seats, ``judgements`` by the player's name. ``standings`` are None
    in a solo game, and when nobody can be ranked.
    """

    entrants: tuple[Entrant, ...]
    judgements: Mapping[str, Judgement]
    standings: Standings | None
    remarks: tuple[Remark, ...] = ()

    @property
    def unranked(self) -> tuple[str, ...]:
        """The players of several whose private objective nobody told: their points are not complete."""
        return tuple(one.name for one in self.entrants if not one.case.solo and not one.case.privates)

    @property
    def without_window(self) -> tuple[str, ...]:
        """The players who have no window that could be counted."""
        return tuple(one.name for one in self.entrants if one.case.is_blank)

    @property
    def ranking(self) -> tuple[tuple[Entrant, Standing | None], ...]:
        """The players best first with their places, those without a place last."""
        places = {one.name: one for one in self.standings.places} if self.standings else {}
        ranks = {name: number for number, name in enumerate(places)}
        best_first = sorted(self.entrants, key=lambda one: ranks.get(one.name, len(ranks)))
        return tuple((one, places.get(one.name)) for one in best_first)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What decided between each player and the next one, from the top."""
        return self.standings.decisions if self.standings else ()

    def about_the_game(self) -> tuple[Remark, ...]:
        """Return what there is to know about all windows alike."""
        first = next((one.remarks for one in self.judgements.values() if not one.case.is_blank), ())
        return (
            *self.remarks,
            *(one for one in first if one.code == NOT_ALL_COUNTED),
            *self._too_many_dice(),
            *self._same_windows(),
            *self._same_cards(),
            *self._same_privates(),
        )

    def about(self, player: str) -> tuple[Remark, ...]:
        """Return what there is to know about a player's points, mistakes in the window first."""
        judgement = self.judgements[player]
        if judgement.case.is_blank:
            return ()
        own = [one for one in judgement.remarks if one.code != NOT_ALL_COUNTED]
        return (*_counted_as_it_lies(judgement), *own)

    def to_json(self, words: Words) -> OutcomePayload:
        """Return the outcome as plain data, with the sentences in the language of ``words``."""
        standings = self.standings
        return {
            "message": words.say(standings.sentence) if standings else None,
            "winners": [one.name for one in standings.winners] if standings else [],
            "standings": [
                self._standing_to_json(entrant, standing, words) for entrant, standing in self.ranking
            ],
            "decisions": [decision_to_json(one, words) for one in self.decisions],
            "unranked": list(self.unranked),
            "without_window": list(self.without_window),
            "notices": [notice_to_json(one, words) for one in self.about_the_game()],
        }

    def _standing_to_json(self, entrant: Entrant, standing: Standing | None, words: Words) -> StandingPayload:
        judgement = self.judgements[entrant.name]
        return {
            "name": entrant.name,
            "place": standing.place if standing else None,
            "shared": standing.shared if standing else False,
            "private_points": judgement.breakdown.private_points,
            "favor_tokens": judgement.breakdown.favor_tokens,
            "last_round_turn": entrant.last_round_turn,
            **judgement.points_to_json(words),
            **judgement.placement_to_json(words, (*entrant.remarks, *self.about(entrant.name))),
        }

    def _too_many_dice(self) -> Iterator[Remark]:
        numbers = Counter(die.color for one in self.entrants for _, die in one.case.board.dice())
        most = dice_of_a_color(min(len(self.entrants), MOST_PLAYERS))
        for color, number in numbers.items():
            if number > most:
                said = sentence(
                    "Dice of one color ({color}) in the windows: {number}. "
                    "This game has only {most}: look again.",
                    color=color,
                    number=number,
                    most=most,
                )
                yield Remark("too_many_dice", (said,))

    def _same_windows(self) -> Iterator[Remark]:
        """Yield each window that several players have."""
        left = list(self.entrants)
        while left:
            first, *left = left
            seen = (first.case.board, first.shot)
            same = [one for one in left if is_same_window(seen, (one.case.board, one.shot))]
            left = [one for one in left if one not in same]
            if same:
                said = sentence(
                    "These players have the same photo or the same dice: {players}. Whose window is it?",
                    players=[one.name for one in (first, *same)],
                )
                yield Remark("same_window", (said,))

    def _same_cards(self) -> Iterator[Remark]:
        """Yield each card of which several players have a side."""
        owners: dict[frozenset[str], list[tuple[str, WindowPattern]]] = {}
        for one in self.entrants:
            if one.case.card is not None:
                sides = frozenset({one.case.card.name, one.case.card.other_side or one.case.card.name})
                owners.setdefault(sides, []).append((one.name, one.case.card))
        for players in owners.values():
            if len(players) > 1:
                said = sentence(
                    "{window} is on a card that there is once in the game, "
                    "but these players have it: {players}.",
                    window=players[0][1],
                    players=[name for name, _ in players],
                )
                yield Remark("same_card", (said,))

    def _same_privates(self) -> Iterator[Remark]:
        """Yield each private objective that several players have."""
        owners: dict[PrivateObjective, list[str]] = {}
        for one in self.entrants:
            for private in () if one.case.solo else one.case.privates:
                owners.setdefault(private, []).append(one.name)
        for private, names in owners.items():
            if len(names) > 1:
                said = sentence(
                    "Each private objective is in the game once, but these players have the same ({color}): "
                    "{players}.",
                    color=private,
                    players=names,
                )
                yield Remark("same_private", (said,))


def outcome_of(entrants: Iterable[Entrant], remarks: Sequence[Remark] = ()) -> Outcome:
    """Judge each window of a game as it lies, and rank the players whose points are complete."""
    listed = tuple(entrants)
    judgements = {one.name: Judgement(one.case) for one in listed}
    complete = [one for one in listed if not one.case.solo and one.case.privates]
    players = [Player(one.name, judgements[one.name].breakdown, one.last_round_turn) for one in complete]
    return Outcome(listed, judgements, rank(players) if players else None, tuple(remarks))


def decision_to_json(decision: Decision, words: Words) -> DecisionPayload:
    """Return what decided between two players."""
    return {
        "players": [decision.better, decision.worse],
        "decided_by": decision.decided_by.value if decision.decided_by else None,
        "message": words.say(decision.sentence),
    }


def _counted_as_it_lies(judgement: Judgement) -> tuple[Remark, ...]:
    """Say that a window breaks the rules, and what the best removal would leave."""
    if judgement.removals is None:
        return ()
    best = judgement.removals.most_points
    said = sentence(
        "The window breaks the rules and is counted as it lies: "
        "without {cells} it would give {after} points, not {before}.",
        cells=best.cells,
        after=best.points_after,
        before=best.points_before,
    )
    return (Remark("counted_as_it_lies", (said,), best.cells),)
