"""The spaces of a window as people and programs see them: dice, doubts, and what is printed there."""

from __future__ import annotations

from dataclasses import dataclass

from scoring import ALL_CELLS, Cell, Die, WindowPattern, cell_name
from vision.reading import Alternative, CellReading
from webapp.companion.record import AUTO, Record

MOST_CANDIDATES = 4


@dataclass(frozen=True)
class Space:
    """One of the 20 spaces.

    Parameters
    ----------
    cell
        Where it is, as (row, column) from 0.
    die
        What lies there.
    doubtful
        Whether the reader was unsure and nobody has looked yet.
    candidates
        Other dice that it may hold, ``"--"`` for none, likeliest first.
    restriction
        What is printed there, in pattern notation: from the card, else as it was read.
    """

    cell: Cell
    die: Die | None
    doubtful: bool
    candidates: tuple[str, ...]
    restriction: str

    @property
    def name(self) -> str:
        """Its name, such as C5."""
        return cell_name(self.cell)


def spaces_of(record: Record, card: WindowPattern | None) -> tuple[Space, ...]:
    """Return the 20 spaces of a window in reading order."""
    doubts, reading = set(record.doubts), record.shown
    prints = _prints(record, card)
    return tuple(
        Space(
            cell,
            record.board[cell],
            cell in doubts,
            _candidates(reading.cells[index], record.board[cell]) if reading else (),
            prints[index],
        )
        for index, cell in enumerate(ALL_CELLS)
    )


def _candidates(read: CellReading, die: Die | None) -> tuple[str, ...]:
    """Return the dice that a cell is likely to hold, other than the one it shows, likeliest first."""
    likely: list[CellReading | Alternative] = [read, *read.alternatives]
    codes = (f"{one.color.value}{one.value}" if one.color and one.value else "--" for one in likely)
    others = dict.fromkeys(code for code in codes if code != (str(die) if die else "--"))
    return tuple(others)[:MOST_CANDIDATES]


def _prints(record: Record, card: WindowPattern | None) -> str:
    """Return what is printed on the spaces, in pattern notation: from the card, else as it was read."""
    if card is not None:
        return "".join(str(card).split(" / "))
    if record.choices.window == AUTO and record.shown:
        signs = (sign for sign in record.shown.pattern if sign not in " /\n")
        return "".join(sign if sign in "RYGBP123456" else "." for sign in signs)
    return "." * len(ALL_CELLS)
