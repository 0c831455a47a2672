"""A window that somebody asks about: its dice, the card under them, and what is doubtful about both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from scoring import Board, Cell, Die, Restriction, WindowPattern, Words, cell_name
from scoring.errors import InvalidValueError
from scoring.lookup import window_called
from scoring.patterns.identify import WindowMatch, WindowRanking, identify_window, parse_open_cells
from scoring.sentences import counted, sentence
from webapp.domain import judging
from webapp.domain.judging import Case, Judgement
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


@dataclass(frozen=True)
class Subject:
    """A window, from a photo (then with its reading) or from text.

    Parameters
    ----------
    board
        The dice.
    card
        The window pattern card under them as it lies there; None when it is not known.
    named
        Whether the player named the card.
    turned
        Whether the card lies upside down under the dice.
    ranking
        All known cards, likeliest first.
    remarks
        What a player should know about dice and card.
    photo, reading
        What the window was read from.
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
    """Return a window whose dice somebody wrote down.

    Parameters
    ----------
    board
        The dice.
    card
        The card that was named.
    known
        The cards to choose from.
    how_to_name
        The option or key that names the card, for the remarks.
    remarks
        What there is to know already.
    """
    ranking = identify_window(board, known=known)
    if isinstance(card, WindowPattern):
        more = _remarks_on_named(card, ranking)
        return Subject(board, card, named=True, turned=False, ranking=ranking, remarks=(*remarks, *more))
    best = _near_certain(ranking) if card == AUTO else None
    if best is None:
        more = (judging.unknown_card(ranking, how_to_name),)
        return Subject(board, None, named=False, turned=False, ranking=ranking, remarks=(*remarks, *more))
    more = (judging.identified(best, how_to_name),)
    return Subject(
        board, best.pattern, named=False, turned=best.turned, ranking=ranking, remarks=(*remarks, *more)
    )


def read_window(
    photo: Path | None,
    reading: Reading,
    named: Card,
    known: Mapping[str, WindowPattern],
    remarks: Iterable[Remark],
    how_to_name: str = "--window",
) -> Subject:
    """Return the window in a photo. Which card it is the reader tells, as it also knows its own doubts."""
    # The reader has turned the board the right way up.
    ranking = identify_window(reading.board, _open_cells(reading), known, upright_probability=1.0)
    about = [*remarks]
    card: WindowPattern | None = None
    if isinstance(named, WindowPattern):
        card = named
        about += _remarks_on_named(named, ranking)
    elif reading.window is not None and named == AUTO:
        card = known[reading.window.name]
    else:
        about.append(judging.unknown_card(ranking, how_to_name))
    if reading.other_windows:
        about.append(judging.other_windows(reading.other_windows))
    if reading.upright_probability < judging.SURE_OF_THE_WAY_UP:
        about.append(judging.upside_down(reading.upright_probability))
    if reading.unlike_dice:
        about.append(judging.unlike_dice())
    if reading.profile is not None:
        about.append(judging.read_with(reading.profile))
    if reading.doubtful:
        about.append(judging.doubt(reading.doubtful))
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


def _open_cells(reading: Reading) -> Mapping[Cell, Restriction]:
    """Return the print of the cells that lie open without doubt."""
    doubtful = reading.doubtful
    return {cell: space for cell, space in parse_open_cells(reading.pattern).items() if cell not in doubtful}


def _near_certain(ranking: WindowRanking) -> WindowMatch | None:
    """Return the card that is certain enough to judge the dice by it."""
    best = ranking.best
    return best if best is not None and best.probability >= NEAR_CERTAIN else None


def _remarks_on_named(pattern: WindowPattern, ranking: WindowRanking) -> Sequence[Remark]:
    """Return a remark when the dice speak for another card than the named one, or for it upside down."""
    best = _near_certain(ranking)
    if best is None or (best.pattern.name == pattern.name and not best.turned):
        return ()
    return (judging.better_card(pattern, best),)


def check_spent(spent: int | None, card: WindowPattern | None, option: str, *, solo: bool) -> None:
    """Refuse tokens that nobody had.

    Parameters
    ----------
    spent
        The favor tokens that can have been spent; None when nobody said.
    card
        The card that was named.
    option
        The option or key that tells the tokens, for the error.
    solo
        Whether one player plays alone, without tokens.

    Raises
    ------
    InvalidValueError
        There are no tokens in such a game, or fewer.
    """
    if spent is None:
        return
    if solo:
        raise InvalidValueError(
            "bad_favor_tokens",
            sentence("In a solo game no favor tokens are spent."),
            sentence("Leave {option} out.", option=option),
        )
    had = card.difficulty if card else None
    if card is not None and had is not None and spent > had:
        raise InvalidValueError(
            "too_many_favor_tokens",
            counted(
                "{window} comes with {count} favor token, so {tokens} cannot be spent.",
                "{window} comes with {count} favor tokens, so {tokens} cannot be spent.",
                had,
                window=card,
                tokens=spent,
            ),
            sentence("Count them again."),
        )
