"""``sagrada cards``: a photo teaches cards, and ``sagrada read --all`` knows them again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from calibration.cards import file_name_of
from tests.taught import NAMES, TOOLS, file_of, on_table, side_by_side, taught
from webapp.cli.sagrada import main
from webapp.store.cards import default_cards


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a photo of cards; what is kept lies in another."""
    monkeypatch.setenv("SAGRADA_DATA", str(tmp_path / "data"))
    (tmp_path / "cards.jpg").write_bytes(file_of(side_by_side()))
    return tmp_path


def run(*arguments: object) -> Result:
    """Run a command of ``sagrada``."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_names_in_reading_order_teach_the_cards(folder: Path) -> None:
    """Names may be written in any case and language, and - leaves a card out."""
    names = [word for name in ("-", *NAMES[1:4], "Светлые стёкла", "-") for word in ("--name", name)]
    learned = run("cards", "learn", folder / "cards.jpg", *names, "--json")
    assert learned.exit_code == 0, learned.output
    told = [card["name"] for card in json.loads(learned.output)["cards"]]
    assert told == [None, *NAMES[1:4], "Light Shades", None]
    assert {card.name for card in default_cards().load()[0]} == set(NAMES[1:5])


def test_without_names_the_command_is_printed(folder: Path) -> None:
    """Objectives are told by their diagrams and only to be confirmed: nothing is learned unasked."""
    learned = run("cards", "learn", folder / "cards.jpg")
    assert learned.exit_code == 0
    lines = learned.output.splitlines()
    assert lines[0] == "  1  ?"
    assert lines[4] == "  5  Light Shades"
    assert lines[-1].endswith("--name 'Light Shades' --name 'Row Color Variety'")
    assert default_cards().load() == ((), ())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--name", "Lathekin"], ": 6. Names given: 1."),
        (["--name", "Ace of Spades"], "There is no tool called"),
        (["--name", "Lathekin", "--name", "lathekin"], "Lathekin: named twice"),
    ],
)
def test_wrong_names_teach_nothing(folder: Path, arguments: list[str], said: str) -> None:
    """Too few names, unknown ones or the same twice are wrong usage."""
    refused = run("cards", "learn", folder / "cards.jpg", *arguments)
    assert (refused.exit_code, said in refused.output) == (2, True), refused.output
    assert default_cards().load() == ((), ())


def test_a_file_that_is_no_photo_is_refused(folder: Path) -> None:
    """The reason is that of every photo."""
    (folder / "text.jpg").write_text("text")
    refused = run("cards", "learn", folder / "text.jpg")
    assert (refused.exit_code, "text.jpg" in refused.output) == (1, True)


def test_the_list_names_cards_and_what_is_wrong(folder: Path) -> None:
    """A damaged file is told with where it lies; the others are listed all the same."""
    assert "No card was taught yet." in run("cards", "list").output
    default_cards().keep(taught()[:2])
    path = default_cards().folder / file_name_of(TOOLS[0])
    path.write_bytes(b"damaged")
    listed = run("cards", "list")
    assert f"{TOOLS[1]}  (tool card)" in listed.output
    assert str(path) in listed.output
    told = json.loads(run("cards", "list", "--json").output)
    assert told["cards"] == [{"name": TOOLS[1], "kind": "tool"}]
    assert len(told["notices"]) == 1


def test_cards_are_forgotten(folder: Path) -> None:
    """One by its name, or all; neither or both is wrong usage."""
    default_cards().keep(taught()[:3])
    assert "Forgot Grozing Pliers." in run("cards", "forget", "grozing pliers").output
    assert run("cards", "forget", "grozing pliers").exit_code == 2
    assert "Forgot all cards: 2." in run("cards", "forget", "--all").output
    assert run("cards", "forget").exit_code == run("cards", "forget", "--all", "Lathekin").exit_code == 2


def test_a_table_is_read_with_what_was_taught(folder: Path) -> None:
    """`read --all` names tool cards, in words and for programs."""
    default_cards().keep(taught())
    photo = folder / "table.jpg"
    photo.write_bytes(file_of(on_table(TOOLS[2])[0]))
    assert f"Tools as read: {TOOLS[2]}." in run("read", "--all", photo).output
    (card,) = json.loads(run("read", "--all", "--json", photo).output)["cards"]
    assert (card["kind"], card["name"]) == ("tool", TOOLS[2])
