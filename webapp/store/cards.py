"""The cards that this household taught, a file each in the folder ``cards`` beside the readings.

The page and the command line use the same folder. A file that cannot be understood is never written over: it
stays as it is, and is named, until a person has looked at it; the other cards go on working. The card
that was forgotten last lies in the folder ``forgotten`` beside them until another one is, so that it can
be brought back.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from calibration.cards import card_of_file, file_name_of, file_of_card
from calibration.cards.file import LARGEST_FILE, SUFFIX
from calibration.errors import CalibrationError
from scoring.errors import UnknownNameError
from scoring.lookup import objective_called, tool_called
from scoring.sentences import sentence
from vision.taught import TaughtCard
from webapp.companion.errors import StoreError
from webapp.store.disk import default_folder, make_folder, move, sync_folder, write_whole

FOLDER, FORGOTTEN = "cards", "forgotten"


class CardStore:
    """The taught cards in a folder, which need not be there; the first card makes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self) -> tuple[tuple[TaughtCard, ...], tuple[StoreError, ...]]:
        """Return the cards, and for each file that cannot be used why, both in the order of their files."""
        cards, problems = [], []
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            if path.name.startswith("."):  # half written when the program was ended
                continue
            try:
                cards.append(self._card_in(path))
            except FileNotFoundError:  # forgotten just now
                continue
            except StoreError as problem:
                problems.append(problem)
        return tuple(cards), tuple(problems)

    def stamp(self) -> tuple[tuple[str, int], ...]:
        """Return something that is another when cards were kept or forgotten since."""
        found = []
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            with suppress(FileNotFoundError):  # forgotten just now
                found.append((path.name, path.stat().st_mtime_ns))
        return tuple(found)

    def keep(self, cards: Iterable[TaughtCard]) -> None:
        """Keep cards, each in the place of one of the same name.

        Raises
        ------
        StoreError
            A file that is there cannot be understood: then none is kept. Or the disk is full or closed; the
            cards before it are kept.
        """
        files = [(self.folder / file_name_of(card.name), file_of_card(card)) for card in cards]
        for path, _ in files:
            with suppress(FileNotFoundError):
                self._card_in(path)  # a file that cannot be understood must stay
        try:
            make_folder(self.folder)
            for path, content in files:
                write_whole(path, content)
        except OSError as error:
            raise self._refused("cards_unwritable", error) from error

    def forget(self, name: str) -> str:
        """Forget the card called ``name`` in any language, also where its file is damaged; return its name.

        `bring_back` undoes that.

        Raises
        ------
        UnknownNameError
            No card of that name was taught, or the game has none.
        StoreError
            Its file cannot be removed.
        """
        card = card_called(name)
        path, aside = self.folder / file_name_of(card), self.folder / FORGOTTEN
        try:
            if path.exists():
                self._empty(aside)
                make_folder(aside)
            move(path, aside / path.name)
        except FileNotFoundError as error:
            raise UnknownNameError(
                "card_not_taught",
                sentence("{name} was not taught.", name=card),
                sentence("The list of your cards says which were."),
            ) from error
        except OSError as error:
            raise self._refused("cards_unwritable", error) from error
        return card

    def bring_back(self, name: str) -> str:
        """Undo that the card called ``name`` was forgotten, and return its name.

        Raises
        ------
        UnknownNameError
            The game has no such card, or it is not the one that was forgotten last, or was taught anew.
        StoreError
            Its file cannot be moved.
        """
        card = card_called(name)
        name_of_file = file_name_of(card)
        aside = self.folder / FORGOTTEN / name_of_file
        try:
            if (self.folder / name_of_file).exists():  # taught anew
                aside.unlink(missing_ok=True)
            move(aside, self.folder / name_of_file)
        except FileNotFoundError as error:
            raise UnknownNameError(
                "card_not_forgotten",
                sentence("{name} cannot be brought back.", name=card),
                sentence("Teach the card again."),
            ) from error
        except OSError as error:
            raise self._refused("cards_unwritable", error) from error
        return card

    def forget_all(self) -> int:
        """Forget all cards for good, damaged files too; return how many there were. Raises as `forget`."""
        gone = sum(not path.name.startswith(".") for path in self.folder.glob(f"*{SUFFIX}"))
        try:
            for folder in (self.folder, self.folder / FORGOTTEN):
                self._empty(folder)
        except OSError as error:
            raise self._refused("cards_unwritable", error) from error
        return gone

    def _empty(self, folder: Path) -> None:
        with suppress(FileNotFoundError):
            for path in folder.iterdir():
                if path.suffix == SUFFIX:
                    path.unlink(missing_ok=True)
            sync_folder(folder)

    def _card_in(self, path: Path) -> TaughtCard:
        try:
            with path.open("rb") as stream:
                return card_of_file(stream.read(LARGEST_FILE + 1))
        except FileNotFoundError:
            raise
        except OSError as error:
            raise self._refused("cards_unreadable", error) from error
        except CalibrationError as error:
            what = sentence("{what} {file} was left as it is.", what=error.sentence, file=str(path))
            raise StoreError(error.code, what, error.advice) from error

    def _refused(self, code: str, error: OSError) -> StoreError:
        what = sentence(
            "The folder of your cards cannot be used ({reason}).", reason=error.strerror or str(error)
        )
        advice = sentence(
            "Look at the rights and the space for {file}, or name another folder in SAGRADA_DATA.",
            file=str(self.folder),
        )
        return StoreError(code, what, advice)


def card_called(name: str) -> str:
    """Return the English name of the public objective or tool that ``name`` means in any language.

    Raises
    ------
    UnknownNameError
        The game has no such card; the error suggests the nearest tool.
    """
    with suppress(UnknownNameError):
        return str(objective_called(name).value)
    return str(tool_called(name).value)


def default_cards() -> CardStore:
    """Return the cards of this computer's user, which the page uses too."""
    return CardStore(default_folder() / FOLDER)
