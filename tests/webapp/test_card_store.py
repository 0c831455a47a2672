"""The folder of taught cards: nothing half written, nothing written over that nobody understands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from calibration.cards import file_name_of
from scoring.errors import UnknownNameError
from tests.taught import TOOLS, taught
from webapp.companion.errors import StoreError
from webapp.store.cards import CardStore


@pytest.fixture
def store(tmp_path: Path) -> CardStore:
    """Return a folder that is not there yet."""
    return CardStore(tmp_path / "data" / "cards")


def test_a_card_that_is_kept_is_there_for_others(store: CardStore) -> None:
    """The first card makes the folder; a card taught again takes the place of the old one."""
    assert store.load() == ((), ())
    first, second = taught()[:2]
    store.keep([first, second])
    store.keep([replace(first, picture_bgr=second.picture_bgr)])
    cards, problems = CardStore(store.folder).load()
    assert problems == ()
    assert {card.name for card in cards} == set(TOOLS[:2])
    assert all((card.picture_bgr == second.picture_bgr).all() for card in cards)
    assert sorted(path.name for path in store.folder.iterdir()) == sorted(map(file_name_of, TOOLS[:2]))


def test_a_damaged_file_leaves_the_others(store: CardStore) -> None:
    """It is named with what to do, and stays as it is when its card is taught again."""
    store.keep(taught()[:2])
    path = store.folder / file_name_of(TOOLS[0])
    path.write_bytes(b"damaged")
    cards, problems = store.load()
    assert [card.name for card in cards] == [TOOLS[1]]
    assert [problem.code for problem in problems] == ["card_file_damaged"]
    assert str(path) in str(problems[0])
    with pytest.raises(StoreError, match="left as it is"):
        store.keep(taught()[:1])
    assert path.read_bytes() == b"damaged"


def test_a_disk_that_refuses_loses_nothing(store: CardStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is said, and the old file is whole."""
    store.keep(taught()[:1])
    before = (store.folder / file_name_of(TOOLS[0])).read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StoreError, match="No space left") as refusal:
        store.keep(taught()[:1])
    assert refusal.value.code == "cards_unwritable"
    assert [path.read_bytes() for path in store.folder.iterdir()] == [before]


def test_what_another_program_began_to_write_is_no_card(store: CardStore) -> None:
    """A file that a crash left half written is neither read nor told of."""
    store.keep(taught()[:1])
    (store.folder / f".{file_name_of(TOOLS[1])}.abc.npz").write_bytes(b"half")
    cards, problems = store.load()
    assert ([card.name for card in cards], problems) == ([TOOLS[0]], ())


def test_a_card_is_forgotten_by_its_name_in_any_language(store: CardStore) -> None:
    """Its file goes, also a damaged one; a card that was not taught is refused."""
    store.keep(taught()[:2])
    assert store.forget("grozing pliers") == TOOLS[0]
    (store.folder / file_name_of(TOOLS[1])).write_bytes(b"damaged")
    assert store.forget_all() == 1
    assert store.load() == ((), ())
    for name in (TOOLS[0], "Ace of Spades"):
        with pytest.raises(UnknownNameError):
            store.forget(name)
