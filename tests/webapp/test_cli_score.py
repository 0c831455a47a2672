"""`sagrada score`: points, problems, what to take off, solo games, and every wrong usage."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import WINDOW_PATTERNS, Board
from tests.webapp.commands import (
    LEGAL_BOARD,
    RULEBOOK_BOARD,
    RULEBOOK_CARDS,
    answer,
    card,
    codes,
    parsed,
    refusal,
    sagrada,
)

COLOR_SETS = "A3 A4 A2 B2 A5 | B1 B5 B4 D1 C1 | C5 D2 C2 D4 C4"
SOLO = ("--public", "Medium Shades", "--public", "Light Shades", "--private", "purple", "--private", "red")
TURNED = str(Board.parse(RULEBOOK_BOARD).rotated_180())
RULEBOOK = ("score", "--board", RULEBOOK_BOARD)
LEGAL = ("score", "--board", LEGAL_BOARD, "--window", "Luz Celestial")
LEGAL_ALONE = (*LEGAL, *SOLO, "--solo", "26")


def test_the_rulebooks_example_gives_40_and_one_problem() -> None:
    """The rulebook's window earns 40 points, line by line, and breaks its card at C5 alone."""
    data = answer(*RULEBOOK, *RULEBOOK_CARDS)
    assert data["total"] == 40
    assert sum(line["points"] for line in data["lines"]) == 40
    assert [line["points"] for line in data["lines"]] == [10, 4, 12, 17, 0, -3]
    assert data["lines"][0] == {
        "name": "Column Color Variety",
        "points": 10,
        "formula": "2 x 5",
        "groups": [["A4", "B4", "C4", "D4"], ["A5", "B5", "C5", "D5"]],
        "kind": "public",
        "label": "Column Color Variety",
    }
    assert [(problem["code"], problem["cells"]) for problem in data["problems"]] == [
        ("value_restriction", ["C5"])
    ]
    assert (data["window"], data["board"]) == (
        {"name": "Fractal Drops", "label": "Fractal Drops", "turned": False},
        RULEBOOK_BOARD,
    )
    assert data["notices"] == []


def test_what_to_take_off_is_counted_from_the_total() -> None:
    """What is left begins with the total just read, tokens included; a legal window loses nothing."""
    cards = [*RULEBOOK_CARDS[:8], "--favor", "2", *RULEBOOK_CARDS[10:]]
    data = answer(*RULEBOOK, *cards)
    assert data["total"] == 42
    assert set(data["removals"]) == {"most_points", "fewest_dice"}
    most = data["removals"]["most_points"]
    assert (most["cells"], most["message"]) == (["C5"], "Take off C5: that costs 10 points.")
    assert (most["points_before"], most["points_after"], most["points_lost"]) == (42, 32, 10)
    data = answer(*LEGAL, *RULEBOOK_CARDS[:8])
    assert (data["problems"], data["removals"]) == ([], None)


def test_two_answers_to_what_to_take_off_are_told_apart() -> None:
    """Where most points and fewest dice ask for different dice a person reads both."""
    board = "R1 R6 R1 -- -- / -- G3 -- -- -- / -- -- -- -- -- / -- -- -- -- --"
    data = answer("score", "--board", board, "--private", "red")
    assert data["removals"]["fewest_dice"]["cells"] == ["A2"]
    assert data["removals"]["most_points"]["cells"] == ["A1", "A3"]
    text = sagrada("score", "--board", board, "--private", "red").stdout
    assert "To keep the most points: Take off A1, A3:" in text
    assert "With the fewest dice: Take off A2:" in text


def test_tool_in_the_game_turns_the_problem_into_a_notice() -> None:
    """What `--tool` allows is a notice that names it; with all tokens left it cannot have been used."""
    told = (*RULEBOOK, *RULEBOOK_CARDS, "--tool", "copper foil burnisher")
    data = answer(*told)
    assert data["problems"] == []
    (notice,) = data["notices"]
    assert set(notice) == {"code", "cells", "message", "excused_by"}
    assert (notice["code"], notice["cells"]) == ("value_restriction", ["C5"])
    assert notice["excused_by"] == ["Copper Foil Burnisher"]
    assert sagrada(*told).stdout.splitlines()[-1] == notice["message"]
    (problem,) = answer(*told, "--favor", "3")["problems"]
    assert "cannot have been used often enough" in problem["message"]


def test_house_rule_lets_a_moved_die_lie_beside_its_color() -> None:
    """`--house-rule` takes part in what tools account for."""
    board = "R1 R6 -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --"
    with_tool = ("score", "--board", board, "--tool", "Eglomise Brush")
    assert codes(answer(*with_tool)["problems"]) == ["same_color_neighbors"]
    data = answer(*with_tool, "--house-rule", "eglomise brush ignores neighbors")
    assert data["problems"] == []
    assert data["notices"][0]["excused_by"] == ["Eglomise Brush"]


def test_auto_names_the_card_by_its_dice() -> None:
    """A full window names its card, also typed from the wrong corner, and a notice says how sure that is."""
    data = answer(*RULEBOOK)
    assert card(data) == "Fractal Drops"
    assert codes(data["problems"]) == ["value_restriction"]
    assert codes(data["notices"]) == ["identified_window", "not_all_counted"]
    assert ">99% sure" in data["notices"][0]["message"]
    assert data["notices"][0]["cells"] == data["notices"][0]["excused_by"] == []
    data = answer("score", "--board", str(Board.parse(LEGAL_BOARD).rotated_180()))
    assert (card(data), data["window"]["turned"], data["problems"]) == ("Luz Celestial", True, [])
    assert "upside down" in data["notices"][0]["message"]


def test_auto_names_no_card_where_the_dice_leave_it_open() -> None:
    """With few dice the print is not checked; a notice says so and names the likely cards."""
    data = answer("score", "--board", "R1 -- -- -- -- / -- B5 -- -- -- / -- -- Y6 -- -- / -- -- -- G3 --")
    assert card(data) is None
    assert codes(data["notices"])[0] == "unknown_window"
    assert "name it with --window" in data["notices"][0]["message"]
    assert "It may be " in data["notices"][0]["message"]


@pytest.mark.parametrize(
    ("board", "window", "code", "complaint"),
    [
        (RULEBOOK_BOARD, "Virtus", "window_doubtful", "The dice fit Fractal Drops better than Virtus"),
        (TURNED, "Fractal Drops", "window_upside_down", "is A1 the space at the top left?"),
    ],
)
def test_a_named_card_that_does_not_fit_is_asked_about(
    board: str, window: str, code: str, complaint: str
) -> None:
    """The named card is used, but a notice says when the dice speak for another, or for it upside down."""
    data = answer("score", "--board", board, "--window", window)
    assert card(data) == window
    assert data["notices"][0]["code"] == code
    assert complaint in data["notices"][0]["message"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            [*RULEBOOK, *RULEBOOK_CARDS, "--public", "Deep Shades"],
            {"many_objectives": "This game has 3 public objectives; here 4 are counted."},
        ),
        (
            [*LEGAL_ALONE, "--public", "Deep Shades"],
            {"many_objectives": "This game has 2 public objectives; here 3 are counted."},
        ),
        ([*LEGAL, *RULEBOOK_CARDS[:8], "--favor", "6"], {"too_many_favor_tokens": "so 6 cannot be left"}),
        (
            ["score", "--board", LEGAL_BOARD, "--favor", "6", *RULEBOOK_CARDS[:8]],
            {"identified_window": "", "too_many_favor_tokens": "Luz Celestial comes with 3 favor tokens"},
        ),
        ([*LEGAL_ALONE, "--favor", "0"], {}),
        ([*LEGAL_ALONE, "--favor", "2"], {"no_favor_tokens": ""}),
        ([*LEGAL_ALONE, "--solo", "R3 G4 / --"], {"unfinished_round_track": ""}),
    ],
)
def test_what_a_game_does_not_have_is_told(arguments: list[str], told: dict[str, str]) -> None:
    """Groups play by their own rules: what a game does not have gets a notice and no refusal."""
    notices = answer(*arguments)["notices"]
    assert codes(notices) == list(told)
    for notice, part in zip(notices, told.values(), strict=True):
        assert part in notice["message"]


def test_solo_counts_the_better_private_objective_against_the_target() -> None:
    """With `--solo` empty cells cost 3 and tokens count nothing; `solo` says what came of it and why."""
    data = answer(*LEGAL_ALONE, "--favor", "2")
    assert [line["name"] for line in data["lines"]] == [
        "Medium Shades", "Light Shades", "Shades of Red", "Empty cells",
    ]  # fmt: skip
    assert (data["lines"][-1]["points"], data["total"], data["score_marker"]) == (-3, 27, None)
    assert data["solo"] == {
        "target": 26,
        "won": True,
        "missing": 0,
        "private": "R",
        "other_private": {
            "name": "Shades of Purple",
            "label": "Shades of Purple",
            "kind": "private",
            "points": 6,
            "formula": "2 + 2 + 2",
            "groups": [["B1", "C5", "D3"]],
        },
        "why_private": "The better private objective counts: red 20, purple 6.",
        "message": "27 against a target of 26: won by 1 point.",
    }
    text = sagrada(*LEGAL_ALONE, "--solo", "27").stdout
    assert "27 against a target of 27: not won, an equal score is not enough." in text
    assert data["solo"]["why_private"] in text
    assert "marker" not in text


def test_solo_target_can_be_the_round_track() -> None:
    """`--solo` with the dice on the track adds them up."""
    whole = answer(*LEGAL_ALONE, "--solo", "R3 G4 / -- / B1 / Y6 / P2 / R1 / B5 / -- / G6 / Y4")
    assert (whole["solo"]["target"], whole["solo"]["won"], whole["notices"]) == (32, False, [])


def test_removals_of_a_solo_game_cost_three_points() -> None:
    """In a solo game an empty cell costs 3 points also in what to take off."""
    data = answer(*RULEBOOK, *SOLO, "--solo", "26", "--window", "Fractal Drops")
    assert data["removals"]["most_points"]["points_lost"] >= 3


def test_score_for_people() -> None:
    """The window, its lines, the marker, the problem and what to take off, in this order."""
    result = sagrada(*RULEBOOK, *RULEBOOK_CARDS)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "     1   2   3   4   5",
        "  A  --  G4  R2  Y5  P6",
        "  B  R3  B1  --  G1  Y2",
        "  C  P5  G6  --  P6  R3",
        "  D  B4  Y3  G4  B2  G4",
        "",
        "Column Color Variety    10  2 x 5                   A4 B4 C4 D4 | A5 B5 C5 D5",
        "Light Shades             4  min(2, 3) x 2           B2 A3 | B4 B5",
        "Color Variety           12  min(3, 3, 5, 3, 3) x 4  " + COLOR_SETS,
        "Shades of Purple        17  6 + 5 + 6               A5 C1 C4",
        "Favor tokens             0  0 x 1",
        "Empty cells             -3  3 x -1                  A1 B3 C3",
        "Total                   40",
        "",
        "40 points: the score marker lies on space 40.",
        "",
        "1 placement problem:",
        "  C5: red 3 on a space that needs 1. Copper Foil Burnisher could excuse it.",
        "Take off C5: that costs 10 points.",
    ]


def test_lang_speaks_in_names_and_sentences_and_keeps_keys() -> None:
    """`--lang` changes labels and messages; names of cards, codes and keys stay as they are."""
    data = answer(*RULEBOOK, *RULEBOOK_CARDS, "--lang", "ru")
    assert data["lines"][1]["name"] == "Light Shades"
    assert data["lines"][1]["label"] == "Светлые стёкла"
    assert data["problems"][0]["code"] == "value_restriction"
    assert data["problems"][0]["message"].startswith("C5: красный 3")
    assert data["removals"]["fewest_dice"]["message"].startswith("Уберите C5")
    text = sagrada(*RULEBOOK, *RULEBOOK_CARDS, "--lang", "français").stdout
    assert "1 erreur de placement" in text


def test_windows_of_ones_own_can_be_named_and_are_recognized(tmp_path: Path) -> None:
    """`--window` takes the name of a window of one's own, and auto counts it among the known ones."""
    spaces = "Y.R.B / .B.G. / R.R.P / .Y.R."
    assert sagrada("windows", "add", "Kitchen Light", spaces, data=tmp_path).exit_code == 0
    data = answer("score", "--board", LEGAL_BOARD, "--window", "kitchen light", data=tmp_path)
    assert card(data) == "Kitchen Light"
    other = "Y1 B5 R2 G5 B6 / P4 B2 Y4 G1 R3 / R1 G4 R6 B5 P2 / G3 Y5 P4 R3 Y1"
    assert card(answer("score", "--board", other, data=tmp_path)) == "Kitchen Light"


def test_damaged_windows_of_ones_own_leave_the_cards_of_the_game(tmp_path: Path) -> None:
    """The game's cards count, and what is wrong with the file, and where, is said."""
    (tmp_path / "windows.json").write_text("{")
    (notice,) = answer(*RULEBOOK, *RULEBOOK_CARDS, "--lang", "ru", data=tmp_path)["notices"]
    assert notice["code"] == "own_windows_missing"
    named = refusal(*RULEBOOK, "--window", "Kitchen Light", "--lang", "ru", data=tmp_path)
    for text in (notice["message"], named):
        assert "is damaged: Это не JSON: посмотрите строку 1, позицию 2." in text
        assert "Correct it" in text


def test_score_of_a_photo_knows_its_card(project_root: Path) -> None:
    """A photo is scored as it was read, with the card that was recognized."""
    labels = json.loads((project_root / "sample_images" / "labels.json").read_text(encoding="utf-8"))
    truth = Board.parse(" / ".join(" ".join(row) for row in labels["easy_daylight.jpg"]["board"]))
    data = answer("score", project_root / "sample_images" / "easy_daylight.jpg", "--favor", "3")
    assert Board.parse(data["board"]) == truth
    assert data["lines"][0]["points"] == 3
    assert card(data) in WINDOW_PATTERNS


@pytest.mark.parametrize("command", ["score", "check"])
def test_photo_that_cannot_be_read_is_no_answer(command: str, project_root: Path) -> None:
    """A refused photo gives its error and status 1, never a made-up board."""
    result = sagrada(command, "--json", project_root / "sample_images" / "cut_off.jpg")
    assert result.exit_code == 1
    assert set(parsed(result)) == {"photo", "error"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--public", "row colr variety"], "Did you mean Row Color Variety, "),
        (["--public", "светлые окна"], "Did you mean Светлые стёкла"),
        (["--private", "purpel"], "Did you mean purple?"),
        (["--window", "Fractal Dops"], "Did you mean Fractal Drops?"),
        (["--tool", "Lathekinn"], "Did you mean Lathekin?"),
        (["--house-rule", "Eglomise Brush ignores neighbours"], "Did you mean Eglomise Brush ignores nei"),
        (["--lang", "Klingon"], "The names are: en, fr, ja, ru."),
        (["--favor", "-1"], "--favor"),
        (["--private", "red", "--private", "blue"], "give its target with --solo"),
        (["--public", "Light Shades", "--public", "light shades"], "A card is given twice."),
        (["--solo", "26"], "Name both of them."),
        (["--solo", "-1", "--private", "red"], "cannot add up to -1"),
        (["--solo", "R3 / X9", "--private", "red"], "X9"),
        (["--solo", "many", "--private", "red"], "Or give the points to beat as a number."),
        (["--solo", "26", "--private", "red", "--private", "red"], "A card is given twice."),
        (
            ["--solo", "26", "--private", "red", "--tool", "Lathekin", "--tool", "lathekin"],
            "A card is given twice.",
        ),
        (["photo.jpg"], "either a photo or --board"),
    ],
)
def test_wrong_usage_of_score(arguments: list[str], complaint: str) -> None:
    """What was typed wrong is said on the standard error, with the nearest right name; status 2."""
    assert complaint in refusal(*RULEBOOK, *arguments)


def test_names_are_looked_at_before_the_photo() -> None:
    """Nobody waits for a photo to be read only to hear of a wrong name."""
    assert "Did you mean purple?" in refusal("score", "no/such/photo.jpg", "--private", "purpel")


def test_text_is_judged_without_loading_opencv_or_flask() -> None:
    """Commands that look at no photo start fast: OpenCV and Flask stay out."""
    script = (
        "import sys\nfrom webapp.cli.sagrada import main\n"
        f"main(['score', '--board', '{RULEBOOK_BOARD}'], standalone_mode=False)\n"
        f"main(['check', '--board', '{RULEBOOK_BOARD}'], standalone_mode=False)\n"
        "print(*sorted({'cv2', 'numpy', 'skimage', 'flask', 'pydantic'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
    assert "Total" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--board", "R1 --"], "Un vitrail a 4 lignes\N{NO-BREAK SPACE}; celui-ci en a 1."),
        (["--board", RULEBOOK_BOARD, "--private", "purpel"], "Vouliez-vous dire purple\N{NO-BREAK SPACE}?"),
        (["--board", RULEBOOK_BOARD, "--solo", "X9"], "Ou donnez le score à battre sous forme de nombre."),
        (["--board", RULEBOOK_BOARD, "--solo", "26"], "Nommez les deux."),
        (["--board", RULEBOOK_BOARD, "--private", "red", "--private", "B"], "avec --solo."),
    ],
)
def test_wrong_usage_is_said_in_the_language_asked_for(arguments: list[str], complaint: str) -> None:
    """`--lang` counts for what the rules refuse too, before or after it."""
    plain = " ".join(complaint.split())
    assert plain in refusal("score", *arguments, "--lang", "fr")
    assert plain in refusal("score", "--lang", "fr", *arguments)
