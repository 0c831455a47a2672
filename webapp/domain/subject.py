"""A window that somebody asks about: its dice, the card under them, and what is doubtful about both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from scoring import Board, Die, WindowPattern, Words, cell_name
from scoring.errors import InvalidValueError
from scoring.lookup import window_called
from scoring.patterns.identify import WindowMatch, WindowRanking, identify_window
from scoring.patterns.patterns import parse_open_cells
from scoring.sentences import counted, sentence
from webapp.domain import judging
from webapp.domain.judging import Case, Judgement, percent
from webapp.domain.payloads import Remark
from webapp.domain.placement import Placing

AUTO: Literal["auto"] = "auto"
UNKNOWN = "unknown"

Card = WindowPattern | Literal["auto"] | None
"""A card that somebody named; ``"auto"`` when the dice should tell, None when it is to stay unknown."""

if TYPE_CHECKING:  # only types, which the terminal does not load
    from vision import Reading
    from webapp.domain.payloads import CheckPayload, LikelyWindowsPayload

NEAR_CERTAIN = 0.95  # so sure must the dice be of a card before its print is held against them; set by hand
MOST_CARDS = 5
LIKELY = 0.15  # cards less likely than this are not worth naming to a person
MOST_LIKELY_CARDS = 3


@dataclass(frozen=True)
class Subject:
    """A window, from a photo (then with its reading) or from text.

    ``card`` is the window pattern card under the dice as it lies there, None when it is not known; ``named``
    tells whether the player named it, ``turned`` whether it lies upside down. ``remarks`` are what a player
    should know about dice and card.
    """

    board: Board
    card: WindowPattern | None
    named: bool
    turned: bool
    ranking: WindowRanking
    remarks: tuple[Remark, ...]
    photo: Path | None = None
    reading: Reading | None = None

    def in_context(self, case: Case) -> Case:
        """Return the case with these dice and this card in it."""
        return replace(case, board=self.board, card=self.card, turned=self.turned)

    def with_tokens(self, case: Case) -> Case:
        """Return the case in this context with the favor tokens in the photo, unless somebody told some."""
        seen = self.reading.tokens if self.reading and case.favor_tokens is None and not case.solo else None
        return self.in_context(replace(case, favor_tokens=seen.count) if seen else case)

    def windows_to_json(self) -> LikelyWindowsPayload:
        """Return the likeliest cards, and how likely it is none of the known ones."""
        return {
            "likeliest": [
                {
                    "name": match.pattern.name,
                    "turned": match.turned,
                    "probability": round(match.probability, 4),
                    "misfits": [cell_name(cell) for cell in match.misfits],
                }
                for match in self.ranking.matches[:MOST_CARDS]
            ],
            "unknown": round(self.ranking.unknown_probability, 4),
        }


@dataclass(frozen=True)
class Check:
    """The answer to "is this window legal, and where may these dice go?"."""

    subject: Subject
    judgement: Judgement
    dice: tuple[Die, ...]

    @property
    def placings(self) -> tuple[Placing, ...]:
        """Where each of the dice may go."""
        return tuple(self.judgement.placing(die) for die in self.dice)

    def to_json(self, words: Words) -> CheckPayload:
        """Return the answer of ``sagrada check --json``."""
        return {
            "legal": self.judgement.placement.is_legal,
            **self.judgement.placement_to_json(words, self.subject.remarks),
            "windows": self.subject.windows_to_json(),
            "dice": [one.to_json(words) for one in self.placings],
        }


def card_called(name: str, known: Mapping[str, WindowPattern]) -> Card:
    """Return what a name stands for in a text; raise an `UnknownNameError` when no card is called that."""
    plain = name.strip().casefold()
    if plain in (AUTO, UNKNOWN):
        return AUTO if plain == AUTO else None
    return window_called(name, known)


def typed_window(
    board: Board,
    card: Card,
    known: Mapping[str, WindowPattern],
    how_to_name: str,
    remarks: Iterable[Remark] = (),
) -> Subject:
    """Return a window whose dice somebody wrote down, with more ``remarks``.

    ``how_to_name`` is the option or key that names the card, for the remarks.
    """
    ranking = identify_window(board, known=known)
    if isinstance(card, WindowPattern):
        about = (*remarks, *_remarks_on_named(card, ranking))
        return Subject(board, card, named=True, turned=False, ranking=ranking, remarks=about)
    best = _near_certain(ranking) if card == AUTO else None
    if best is None:
        about = (*remarks, _unknown_card(ranking, how_to_name))
        return Subject(board, None, named=False, turned=False, ranking=ranking, remarks=about)
    about = (*remarks, _identified(best, how_to_name))
    return Subject(board, best.pattern, named=False, turned=best.turned, ranking=ranking, remarks=about)


def read_window(
    photo: Path | None,
    reading: Reading,
    named: Card,
    known: Mapping[str, WindowPattern],
    remarks: Iterable[Remark],
    how_to_name: str = "--window",
) -> Subject:
    """Return the window in a photo. Which card it is the reader tells, as it also knows its own doubts."""
    prints = {
        cell: space
        for cell, space in parse_open_cells(reading.pattern).items()
        if cell not in reading.doubtful
    }
    # The reader has turned the board the right way up.
    ranking = identify_window(reading.board, prints, known, upright_probability=1.0)
    about = [*remarks]
    card: WindowPattern | None = None
    if isinstance(named, WindowPattern):
        card = named
        about += _remarks_on_named(named, ranking)
    elif reading.window is not None and named == AUTO:
        card = known[reading.window.name]
    else:
        about.append(_unknown_card(ranking, how_to_name))
    if reading.other_windows:
        about.append(judging.other_windows(reading.other_windows))
    if reading.upright_probability < judging.SURE_OF_THE_WAY_UP:
        about.append(judging.upside_down(reading.upright_probability))
    if reading.mirrored:
        about.append(judging.looks_mirrored())
    if reading.unlike_dice:
        about.append(judging.unlike_dice())
    if reading.profile is not None:
        about.append(judging.read_with(reading.profile))
    if reading.tokens:
        about.append(judging.tokens_seen(reading.tokens.count, doubtful=reading.tokens.doubtful))
    if reading.doubtful:
        said = sentence("Read with doubt, look at these first: {cells}.", cells=reading.doubtful)
        about.append(Remark("doubtful_cells", (said,), reading.doubtful))
    return Subject(
        reading.board,
        card,
        named=isinstance(named, WindowPattern),
        turned=False,
        ranking=ranking,
        remarks=tuple(about),
        photo=photo,
        reading=reading,
    )


def _near_certain(ranking: WindowRanking) -> WindowMatch | None:
    """Return the card that is certain enough to judge the dice by it."""
    best = ranking.best
    return best if best is not None and best.probability >= NEAR_CERTAIN else None


def _remarks_on_named(pattern: WindowPattern, ranking: WindowRanking) -> Sequence[Remark]:
    """Return a remark when the dice speak for another card than the named one, or for it upside down."""
    best = _near_certain(ranking)
    if best is None or (best.pattern.name == pattern.name and not best.turned):
        return ()
    sure = percent(best.probability)
    if best.pattern.name == pattern.name:
        said = sentence(
            "The dice fit {window} better upside down ({sure} sure): is A1 the space at the top left?",
            window=pattern,
            sure=sure,
        )
        return (Remark("window_upside_down", (said,)),)
    said = sentence(
        "The dice fit {better} better than {window} ({sure} sure): is it the right card?",
        better=best.pattern,
        window=pattern,
        sure=sure,
    )
    return (Remark("window_doubtful", (said,)),)


def _unknown_card(ranking: WindowRanking, how_to_name: str) -> Remark:
    """Say that the print was not checked, and which cards are likely; ``how_to_name`` is an option or key."""
    said = sentence(
        "The window card is not known, so printed colors and values were not checked: name it with {option}.",
        option=how_to_name,
    )
    likely = [
        sentence("It may be {window} ({sure}).", window=match.pattern, sure=percent(match.probability))
        for match in ranking.matches[:MOST_LIKELY_CARDS]
        if match.probability >= LIKELY
    ]
    return Remark("unknown_window", (said, *likely))


def _identified(match: WindowMatch, how_to_name: str) -> Remark:
    """Say which card the dice point to."""
    window, sure = match.pattern, percent(match.probability)
    said = (
        sentence(
            "By its dice the window card is {window}, upside down ({sure} sure).", window=window, sure=sure
        )
        if match.turned
        else sentence("By its dice the window card is {window} ({sure} sure).", window=window, sure=sure)
    )
    other = sentence("If it is another one, name it with {option}.", option=how_to_name)
    return Remark("identified_window", (said, other))


def check_spent(spent: int | None, card: WindowPattern | None, option: str, *, solo: bool) -> None:
    """Raise an `InvalidValueError` for more tokens ``spent``, as the ``option`` tells, than anybody had."""
    if spent is None:
        return
    if solo:
        raise InvalidValueError(
            "bad_favor_tokens",
            sentence("In a solo game no favor tokens are spent."),
            sentence("Leave {option} out.", option=option),
        )
    if card is not None and card.difficulty is not None and spent > card.difficulty:
        raise InvalidValueError(
            "too_many_favor_tokens",
            counted(
                "{window} comes with {count} favor token, so {tokens} cannot be spent.",
                "{window} comes with {count} favor tokens, so {tokens} cannot be spent.",
                card.difficulty,
                window=card,
                tokens=spent,
            ),
            sentence("Count them again."),
        )
