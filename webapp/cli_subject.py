"""The window that a command is about: its dice, the card under them, and what is doubtful about both."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scoring import Board, Cell, Restriction, WindowPattern, Words, cell_name
from scoring.identify import WindowMatch, WindowRanking, identify_window, parse_open_cells
from scoring.words import sentence
from webapp import cli_remarks
from webapp.cli_options import known_windows
from webapp.cli_photo import reading_of
from webapp.cli_remarks import Remark
from webapp.cli_words import ENGLISH

if TYPE_CHECKING:
    from vision import Reading

NEAR_CERTAIN = 0.95  # so sure must the dice be of a card before its print is held against them; set by hand
MOST_CARDS = 5


@dataclass(frozen=True)
class Subject:
    """A window, from a photo (then with its reading) or from text.

    Parameters
    ----------
    board
        The dice.
    pattern
        The card under them as it lies there; None when it is not known.
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
    pattern: WindowPattern | None
    named: bool
    turned: bool
    ranking: WindowRanking
    remarks: tuple[Remark, ...]
    photo: Path | None = None
    reading: Reading | None = None

    def to_json(self) -> dict[str, object]:
        """Return board and card as part of an answer."""
        return {
            "board": str(self.board),
            "window": self.pattern.name if self.pattern else None,
            "window_turned": self.turned,
        }

    def windows_to_json(self) -> dict[str, object]:
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


def subject_of(
    photo: Path | None,
    board: Board | None,
    pattern: WindowPattern | None,
    words: Words = ENGLISH,
    *,
    as_json: bool,
) -> Subject:
    """Return the window that the command line names; ends the command when its photo cannot be read."""
    if (photo is None) == (board is None):
        either = sentence("Give either a photo or --board with the window in board notation.")
        raise click.UsageError(words.say(either))
    known, refusal = known_windows()
    remarks = () if refusal is None else (cli_remarks.own_windows_missing(*refusal),)
    if board is not None:
        return typed_window(board, pattern, known, "--window", remarks)
    assert photo is not None  # noqa: S101  one of the two is there, see above
    reading = reading_of(photo, known, as_json=as_json)
    if reading is None:
        sys.exit(1)
    return _read_window(photo, reading, pattern, known, remarks)


def typed_window(
    board: Board,
    pattern: WindowPattern | None,
    known: Mapping[str, WindowPattern],
    how_to_name: str,
    remarks: Iterable[Remark] = (),
) -> Subject:
    """Return a window whose dice somebody wrote down.

    Parameters
    ----------
    board
        The dice.
    pattern
        The card that was named; None when the dice should tell.
    known
        The cards to choose from.
    how_to_name
        The option or key that names the card, for the remarks.
    remarks
        What there is to know already.
    """
    ranking = identify_window(board, known=known)
    if pattern is not None:
        more = _remarks_on_named(pattern, ranking)
        return Subject(board, pattern, named=True, turned=False, ranking=ranking, remarks=(*remarks, *more))
    best = _near_certain(ranking)
    if best is None:
        more = (cli_remarks.unknown_card(ranking, how_to_name),)
        return Subject(board, None, named=False, turned=False, ranking=ranking, remarks=(*remarks, *more))
    more = (cli_remarks.identified(best, how_to_name),)
    return Subject(
        board, best.pattern, named=False, turned=best.turned, ranking=ranking, remarks=(*remarks, *more)
    )


def _read_window(
    photo: Path,
    reading: Reading,
    pattern: WindowPattern | None,
    known: Mapping[str, WindowPattern],
    remarks: Iterable[Remark],
) -> Subject:
    """Return the window in a photo. Which card it is the reader tells, as it also knows its own doubts."""
    # The reader has turned the board the right way up.
    ranking = identify_window(reading.board, _open_cells(reading), known, upright_probability=1.0)
    told = [*remarks]
    if pattern is not None:
        card: WindowPattern | None = pattern
        told += _remarks_on_named(pattern, ranking)
    elif reading.window is not None:
        card = known[reading.window.name]
    else:
        card = None
        told.append(cli_remarks.unknown_card(ranking, "--window"))
    if reading.other_windows:
        told.append(cli_remarks.other_windows(reading.other_windows))
    if reading.upright_probability < cli_remarks.SURE_OF_THE_WAY_UP:
        told.append(cli_remarks.upside_down(reading.upright_probability))
    if cells := doubtful_cells(reading):
        told.append(cli_remarks.doubt(cells))
    return Subject(
        reading.board,
        card,
        named=pattern is not None,
        turned=False,
        ranking=ranking,
        remarks=tuple(told),
        photo=photo,
        reading=reading,
    )


def doubtful_cells(reading: Reading) -> tuple[Cell, ...]:
    """Return the cells of a reading that a person should look at."""
    return tuple((cell.row, cell.column) for cell in reading.cells if cell.doubtful)


def _open_cells(reading: Reading) -> Mapping[Cell, Restriction]:
    """Return the print of the cells that lie open without doubt."""
    doubtful = doubtful_cells(reading)
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
    return (cli_remarks.better_card(pattern, best),)
