"""How a window, a score, its problems and the standings look in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

import click

from scoring import (
    COLUMNS,
    ROWS,
    WINDOW_PATTERNS,
    Board,
    Breakdown,
    Cell,
    Color,
    Die,
    Line,
    LineKind,
    Notice,
    Problem,
    PublicObjective,
    Sentence,
    Tool,
    WindowPattern,
    Words,
    cell_name,
)
from scoring.sentences import Names, counted, sentence
from webapp.domain.judging import percent, tokens_seen
from webapp.domain.outcome import Entrant, Outcome
from webapp.domain.payloads import Remark
from webapp.domain.tables import about_dice, about_merged, about_table
from webapp.domain.wording import ENGLISH

if TYPE_CHECKING:  # a window from text is scored without OpenCV
    from vision import CellReading, LooseDie, MergedTable, Reading, TableReading

DOUBT_SIGN = "?"
EMPTY_SIGN = "--"
TERMINAL_COLORS = {
    Color.RED: "red",
    Color.YELLOW: "yellow",
    Color.GREEN: "green",
    Color.BLUE: "blue",
    Color.PURPLE: "magenta",
}


def grid_text(heading: str, gap: str, text_of: Callable[[Cell], str]) -> str:
    """Return the 20 spaces as a table: a row of numbers above, and ``gap`` between two equally wide texts."""
    rows = [gap.join(text_of((row, column)) for column in range(COLUMNS)).rstrip() for row in range(ROWS)]
    return "\n".join([heading, *(f"  {letter}  {row}" for letter, row in zip("ABCD", rows, strict=True))])


def board_text(board: Board, doubtful: Iterable[Cell] = ()) -> str:
    """Return the window as a table in notation; dice that a person should look at carry a question mark."""
    marked = set(doubtful)

    def text_of(cell: Cell) -> str:
        return _die_text(board[cell]) + (DOUBT_SIGN if cell in marked else " ")

    return grid_text("     1   2   3   4   5", " ", text_of)


def signs_text(board: Board, signs: Mapping[Cell, str]) -> str:
    """Return the window as a table in which empty cells show a sign of up to four characters."""

    def text_of(cell: Cell) -> str:
        die = board[cell]  # a die or a sign of two characters stands in the middle
        return f" {_die_text(die)} " if die else signs.get(cell, EMPTY_SIGN).center(4)

    return grid_text("       1     2     3     4     5", "  ", text_of)


def pattern_text(window: WindowPattern) -> str:
    """Return what is printed on a window as a table, colors in their color."""

    def text_of(cell: Cell) -> str:
        space = window[cell]
        if isinstance(space, Color):
            return click.style(space.value, fg=TERMINAL_COLORS[space], bold=True)
        return "." if space is None else str(space)

    return grid_text("     1  2  3  4  5", "  ", text_of)


def reading_text(photo: str, reading: Reading, words: Words = ENGLISH) -> str:
    """Return everything a person wants to know about the reading of one photo."""
    about = sentence("window card not recognized")
    if reading.window is not None:
        about = sentence(
            "window card {window} ({sure} sure)",
            window=WINDOW_PATTERNS.get(reading.window.name, reading.window.name),
            sure=percent(reading.window.probability),
        )
    seconds = sentence("read in {seconds} s", seconds=f"{reading.seconds:.2f}")
    doubtful, seen = [cell for cell in reading.cells if cell.doubtful], reading.tokens
    return "\n".join(
        [
            f"{photo}: {words.say(about)}, {words.say(seconds)}",
            board_text(reading.board, [(cell.row, cell.column) for cell in doubtful]),
            *(_doubt_text(cell, words) for cell in doubtful),
            str(reading.board),
            *([tokens_seen(seen.count, doubtful=seen.doubtful).text(words)] if seen else []),
        ]
    )


def table_text(photo: str, table: TableReading, words: Words = ENGLISH) -> str:
    """Return all that one photo shows of a table, and what could not be read and why."""
    return _table_text(photo, table, (), words, about_table(len(table.windows), table))


def merged_text(photos: Sequence[str], merged: MergedTable, words: Words = ENGLISH) -> str:
    """Return all that several photos show of a table, each window with the photo it was read from."""
    shown_in = [photos[photo] for photo in merged.window_photos] if len(photos) > 1 else ()
    return _table_text(", ".join(photos), merged.table, shown_in, words, about_merged(merged))


def _table_text(
    named: str, table: TableReading, shown_in: Sequence[str], words: Words, remarks: Sequence[Remark]
) -> str:
    """Return a table; ``shown_in`` are the photos its windows were read from, if there are several."""
    count = counted("{count} window", "{count} windows", len(table.windows))
    seconds = sentence("read in {seconds} s", seconds=f"{table.seconds:.2f}")
    parts = [f"{named}: {words.say(count)}, {words.say(seconds)}"]
    for number, reading in enumerate(table.windows, start=1):
        title = words.say(sentence("Window {number}", number=str(number)))
        if shown_in:
            title += f" ({shown_in[number - 1]})"
        parts.append(reading_text(title, reading, words))
    parts += [one.text(words) for one in about_dice(table)]
    if beside := [words.say(one) for one in _beside_windows(table)]:
        parts.append("\n".join(beside))
    for one in table.unread:
        x, y = (f"{value:.0f}" for value in one.center)
        where = words.say(sentence("Not read, {x} pixels from the left and {y} from the top:", x=x, y=y))
        parts.append(f"{where} {one.reason.text(words)}")
    if remarks:
        parts.append(notices_text(remarks, words))
    return "\n\n".join(parts)


def _beside_windows(table: TableReading) -> Iterator[Sentence]:
    """Yield a line for each kind of thing that lies beside the windows; what is doubtful carries a sign."""
    of_place = {place: [die for die in table.loose_dice if die.place == place] for place in ("pool", None)}
    if of_place["pool"]:
        yield sentence("Draft pool: {dice}", dice=" ".join(map(_loose_text, of_place["pool"])))
    if table.track:
        dice = " ".join(f"{die.round or DOUBT_SIGN}:{_loose_text(die)}" for die in table.track)
        yield sentence("Round track: {dice}", dice=dice)
    if of_place[None]:
        yield sentence("Other loose dice: {dice}", dice=" ".join(map(_loose_text, of_place[None])))
    if objectives := tuple(PublicObjective(card.name) for card in table.objectives):
        yield sentence("Public objectives as read: {cards}.", cards=Names(objectives))
    if tools := tuple(Tool(card.name) for card in table.tools):
        yield sentence("Tools as read: {cards}.", cards=Names(tools))
    if doubtful := tuple(
        (Tool if card.kind == "tool" else PublicObjective)(card.name) for card in table.cards if card.doubtful
    ):
        yield sentence("Look at these cards, which were read with doubt: {cards}.", cards=Names(doubtful))


def _loose_text(die: LooseDie) -> str:
    return _die_text(die.die) + (DOUBT_SIGN if die.doubtful else "")


def breakdown_text(breakdown: Breakdown, words: Words = ENGLISH) -> str:
    """Return the score line by line: points, formula and the cells that earned them."""
    total = words.say(sentence("Total"))
    names = [words.line(line.name) for line in breakdown.lines]
    width = max(map(width_of, [*names, total]))
    widest = max(len(line.formula) for line in breakdown.lines)
    lines = [
        f"{padded(name, width)}  {line.points:>4}  {line.formula:<{widest}}  {_groups_text(line.groups)}"
        for name, line in zip(names, breakdown.lines, strict=True)
    ]
    lines.append(click.style(f"{padded(total, width)}  {breakdown.total:>4}", bold=True))
    return "\n".join(line.rstrip() for line in lines)


def problems_text(problems: Sequence[Problem], words: Words = ENGLISH) -> str:
    """Return the placement problems, a line each, or that there are none."""
    if not problems:
        return words.say(sentence("No placement problem."))
    count = words.say(counted("{count} placement problem:", "{count} placement problems:", len(problems)))
    return "\n".join([count, *(f"  {problem.text(words)}" for problem in problems)])


def notices_text(notices: Sequence[Notice | Remark], words: Words = ENGLISH) -> str:
    """Return what tools account for, and what else there is to know, a line each."""
    return "\n".join(notice.text(words) for notice in notices)


def width_of(text: str) -> int:
    """Return how many columns a text takes: Japanese signs take two.

    Examples
    --------
    >>> width_of("red"), width_of("赤の3")
    (3, 5)
    """
    return sum(2 if east_asian_width(sign) in "WF" else not combining(sign) for sign in text)


def padded(text: str, width: int) -> str:
    """Return the text with blanks behind it, so that it takes ``width`` columns."""
    return text + " " * (width - width_of(text))


def _die_text(die: Die | None) -> str:
    return click.style(str(die), fg=TERMINAL_COLORS[die.color], bold=True) if die else EMPTY_SIGN


def _doubt_text(cell: CellReading, words: Words) -> str:
    empty = words.say(sentence("empty"))
    read, sure = str(cell.die or empty), percent(cell.confidence)
    others = [f"{one.color.value}{one.value}" if one.color else empty for one in cell.alternatives]
    if cell.covered:
        said = sentence("neither a die nor the space can be seen")
    elif not others:
        said = sentence("{die} ({sure} sure)", die=read, sure=sure)
    elif len(others) == 1:
        said = sentence("{die} ({sure} sure), perhaps {other}", die=read, sure=sure, other=others[0])
    else:
        said = sentence(
            "{die} ({sure} sure), perhaps {other} or {another}",
            die=read,
            sure=sure,
            other=others[0],
            another=others[1],
        )
    return f"  {cell_name((cell.row, cell.column))}: {words.say(said)}"


def _groups_text(groups: Iterable[Iterable[Cell]]) -> str:
    return " | ".join(" ".join(cell_name(cell) for cell in group) for group in groups)


def outcome_text(outcome: Outcome, words: Words) -> str:
    """Return the points of all players side by side, who won, what decided, and what to know."""
    won = [words.say(outcome.standings.sentence)] if outcome.standings else []
    decisions = [words.say(decision.sentence) for decision in outcome.decisions]
    parts = [
        _standings_text(outcome, words),
        "\n".join([*(click.style(one, bold=True) for one in won), *decisions]),
        notices_text(outcome.about_the_game(), words),
        *(_about_player(outcome, entrant, words) for entrant, _ in outcome.ranking),
    ]
    return "\n\n".join(part for part in parts if part)


def _standings_text(outcome: Outcome, words: Words) -> str:
    """Return a column for each player, the winner first, and a row for each line of the score."""
    ranking = outcome.ranking
    breakdowns = [outcome.judgements[entrant.name].breakdown for entrant, _ in ranking]
    rows = [["", *(entrant.name for entrant, _ in ranking)]]
    # A player whose private objective nobody told has one line less.
    for line in max(breakdowns, key=lambda one: len(one.lines)).lines:
        # The players' own objectives differ: their common row has a common name.
        private = line.kind is LineKind.PRIVATE
        name = words.say(sentence("Private objective")) if private else words.line(line.name)
        rows.append([name, *(_points(one, line) for one in breakdowns)])
    total = [words.say(sentence("Total")), *(str(one.total) for one in breakdowns)]
    places = [str(standing.place) if standing else "?" for _, standing in ranking]
    cards = [words.name(one.case.card) if one.case.card else "?" for one, _ in ranking]
    place, window = [words.say(sentence("Place")), *places], [words.say(sentence("Window")), *cards]
    return _aligned([*rows, total, place, window], bold=len(rows))


def _points(breakdown: Breakdown, line: Line) -> str:
    """Return the points of a player in a line, that of the private objective whatever its color."""
    private = line.kind is LineKind.PRIVATE
    same = (one for one in breakdown.lines if (one.kind is line.kind if private else one.name == line.name))
    return next((str(one.points) for one in same), "?")


def _aligned(rows: Sequence[Sequence[str]], bold: int) -> str:
    """Return rows under each other, names to the left and points to the right; one of them bold."""
    widths = [max(5, *(width_of(row[column]) for row in rows)) for column in range(len(rows[0]))]
    lines = []
    for number, (name, *cells) in enumerate(rows):
        points = [
            " " * (width - width_of(cell)) + cell for cell, width in zip(cells, widths[1:], strict=True)
        ]
        line = "  ".join([padded(name, widths[0]), *points]).rstrip()
        lines.append(click.style(line, bold=True) if number == bold else line)
    return "\n".join(lines)


def _about_player(outcome: Outcome, entrant: Entrant, words: Words) -> str:
    """Return the player's name and under it what there is to know about their window, if anything."""
    found = outcome.judgements[entrant.name].placement
    about: list[Problem | Notice | Remark] = [
        *entrant.remarks,
        *found.problems,
        *found.notices,
        *outcome.about(entrant.name),
    ]
    lines = [one.text(words) for one in about]
    return "\n".join([f"{entrant.name}:", *(f"  {line}" for line in lines)]) if lines else ""
