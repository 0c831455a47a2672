"""What somebody photographed of a whole table: what to know about it, and its players as they are ranked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from scoring import Board, HouseRule, PrivateObjective, PublicObjective, Tool, WindowPattern, Words
from scoring.errors import SagradaError
from scoring.game.setup import MOST_PLAYERS
from scoring.sentences import Names, counted, sentence
from webapp.domain.errors import TEXTS
from webapp.domain.judging import SEVERAL, Case, percent, read_with
from webapp.domain.outcome import Entrant
from webapp.domain.payloads import Remark, notice_to_json
from webapp.domain.subject import AUTO, read_window

if TYPE_CHECKING:  # only types: what loads OpenCV is left to whoever reads photos
    from vision import MergedTable, Reading, TableReading
    from webapp.domain.table_photo import TablePhoto

SURE_OF_CARD = 0.9  # a window card less sure than this is named to be looked at; set by hand

GO_BACK = sentence("Take the photo from above and farther away, so that whole windows are in it.")


class TableError(SagradaError):
    """The photos do not show what is needed to rank a table (``no_window``, ``objectives_unread``)."""


@dataclass(frozen=True)
class Told:
    """What somebody told about a table; what is about one window stands under its number, from 1."""

    public: Sequence[PublicObjective] = ()
    tools: Sequence[Tool] = ()
    house_rules: Sequence[HouseRule] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    privates: Mapping[int, PrivateObjective] = field(default_factory=dict)
    favor_tokens: Mapping[int, int] = field(default_factory=dict)
    cards: Mapping[int, WindowPattern] = field(default_factory=dict)

    def case(self, number: int) -> Case:
        """Return what bears on a window, without its dice."""
        private = self.privates.get(number)
        return Case(
            Board.empty(),
            public=self.public,
            privates=() if private is None else (private,),
            favor_tokens=self.favor_tokens.get(number),
            tools=self.tools,
            house_rules=self.house_rules,
        )


# --- What to know ----------------------------------------------------------------------------------


def about_table(number: int, table: TableReading | TablePhoto) -> tuple[Remark, ...]:
    """Return what a person should know about the ``number`` of windows that were read."""
    if number > MOST_PLAYERS:
        return (Remark("many_windows", TEXTS["too_many_windows"]),)
    if number == 1:
        said = sentence("There is only one window. For the whole table, take the photo from farther away.")
        return (Remark("one_window", (said,)),)
    refusal = _no_window(table)
    return () if refusal is None else (Remark(refusal.code, (refusal.sentence, refusal.advice)),)


def demand_windows(table: TableReading) -> None:
    """Refuse a table of which no window was read, for the reason that one of them could not be."""
    unread = [one.reason for one in table.unread if one.what == "window"]
    refusal = _no_window(table) or (unread[0] if unread and not table.windows else None)
    if refusal is not None:
        raise refusal


def _no_window(table: TableReading | TablePhoto) -> SagradaError | None:
    """Return what to say where there is neither a window nor a reason why one could not be read."""
    if table.windows or any(one.what == "window" for one in table.unread):
        return None
    return TableError("no_window", sentence("There is no window."), GO_BACK)


def about_dice(table: TableReading) -> tuple[Remark, ...]:
    """Return whose dice the windows of a table were read as, where the program learned them."""
    names = dict.fromkeys(one.profile for one in table.windows if one.profile)
    return (read_with(", ".join(names)),) if names else ()


def about_ranking(table: TableReading) -> Iterator[Remark]:
    """Yield what keeps the ranking of a table's windows from being that of its game."""
    unread = [one.reason for one in table.unread if one.what == "window"]
    if unread:
        said = counted(
            "{count} window could not be read: this is not the ranking of the whole table.",
            "{count} windows could not be read: this is not the ranking of the whole table.",
            len(unread),
        )
        reasons = {one.sentence: one.advice for one in unread}
        yield Remark("windows_unread", (said, *(each for pair in reasons.items() for each in pair)))


def merged_json(merged: MergedTable, photos: Sequence[str], words: Words) -> dict[str, Any]:
    """Return a table of several photos as ``sagrada read --merge --json`` prints it.

    Each thing says from which photo it was read, since its corners or its center are in pixels of that one.
    """
    data: dict[str, Any] = merged.table.to_json()
    del data["size"]
    dice = [merged.dice_photo] * len(merged.table.loose_dice)
    for key, sources in (
        ("windows", merged.window_photos),
        ("loose_dice", dice),
        ("cards", merged.card_photos),
        ("unread", merged.unread_photos),
    ):
        data[key] = [{**one, "photo": photos[source]} for one, source in zip(data[key], sources, strict=True)]
    notices = [notice_to_json(one, words) for one in about_merged(merged)]
    return {"photos": list(photos), **data, "notices": notices}


def about_merged(merged: MergedTable) -> tuple[Remark, ...]:
    """Return what to know about a table of several photos, first what speaks against it being one."""
    doubts = tuple(Remark(one.code, (one.sentence, one.advice)) for one in merged.doubts)
    return doubts or about_table(len(merged.table.windows), merged.table)


# --- Its players -----------------------------------------------------------------------------------


def objectives_on(table: TableReading) -> tuple[tuple[PublicObjective, ...], tuple[Remark, ...]]:
    """Return the public objectives that lie on a table, and what to know about them.

    Raises
    ------
    TableError
        There are not as many in view as a game has, or more, and the sure ones are not as many either.
    """
    needed = SEVERAL.public_objectives
    sure = tuple(card for card in table.objectives if not card.doubtful)
    cards = sure if len(sure) == needed else table.objectives
    if len(cards) != needed:
        raise TableError(
            "objectives_unread",
            counted(
                "{count} public objective card was read, and a game has {needed}.",
                "{count} public objective cards were read, and a game has {needed}.",
                len(cards),
                needed=needed,
            ),
            sentence("Name them with {option}, or take a photo that shows all of them.", option="--public"),
            {"cards": [card.name for card in table.objectives]},
        )
    objectives = tuple(PublicObjective(card.name) for card in cards)
    said = [sentence("Public objectives as read: {cards}.", cards=Names(objectives))]
    doubtful = tuple(PublicObjective(card.name) for card in cards if card.doubtful)
    if doubtful:
        said += [
            sentence("Look at these cards, which were read with doubt: {cards}.", cards=Names(doubtful)),
            sentence("If one is wrong, name all of them with {option}.", option="--public"),
        ]
    return objectives, (Remark("objectives_read", tuple(said)),)


def entrants_of(
    windows: Sequence[Reading], told: Told, known: Mapping[str, WindowPattern], words: Words
) -> list[Entrant]:
    """Return the players of a table by the numbers of their windows; who has no name is called after it."""
    return [_entrant(number, reading, told, known, words) for number, reading in enumerate(windows, start=1)]


def _entrant(
    number: int, reading: Reading, told: Told, known: Mapping[str, WindowPattern], words: Words
) -> Entrant:
    name = told.names.get(number) or words.say(sentence("Window {number}", number=str(number)))
    how_to_name = f'--window {number}="..."'
    card = told.cards.get(number, AUTO)
    alone = replace(reading, other_windows=0)  # the others are entrants of their own
    subject = read_window(None, alone, card, known, (), how_to_name)
    about = [*subject.remarks]
    if number in told.names and reading.doubtful:
        said = sentence("It is window {number} of the photo.", number=str(number))
        about.insert(0, Remark("window_number", (said,)))
    guess = reading.window
    if not subject.named and subject.card is not None and guess and guess.probability < SURE_OF_CARD:
        said = sentence("It may be {window} ({sure}).", window=subject.card, sure=percent(guess.probability))
        other = sentence("If it is another one, name it with {option}.", option=how_to_name)
        about.insert(0, Remark("window_doubtful", (said, other)))
    if number not in told.privates:
        option = f"--private {number}=red"
        said = sentence("It has no place without its private color: give it with {option}.", option=option)
        about.append(Remark("no_private", (said,)))
    covered = [(cell.row, cell.column) for cell in reading.cells if cell.covered]
    if covered:
        said = sentence("Neither a die nor the space can be seen here: {cells}.", cells=covered)
        about.append(Remark("covered_cells", (said,), tuple(covered)))
    return Entrant(name, subject.with_tokens(told.case(number)), remarks=tuple(about))


def tokens_not_told(told: Told, windows: Iterable[Reading]) -> Iterator[Remark]:
    """Yield that favor tokens are missing from the points, where nobody told any and none is seen."""
    if not told.favor_tokens and not any(one.tokens for one in windows):
        said = sentence("No favor tokens are counted: give those left with {option}.", option="--favor 1=2")
        yield Remark("no_favor_tokens", (said,))
