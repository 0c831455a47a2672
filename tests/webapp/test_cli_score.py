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


def test_the_rulebooks_example_gives_40_and_one_problem() -> None:
    """The rulebook's window earns 40 points, line by line, and breaks its card at C5 alone."""
    data = answer("score", "--board", RULEBOOK_BOARD, *RULEBOOK_CARDS)
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


def test_an_illegal_window_says_what_to_take_off() -> None:
    """`removals` names the dice to take off, with points that agree with the total."""
    data = answer("score", "--board", RULEBOOK_BOARD, *RULEBOOK_CARDS)
    most = data["removals"]["most_points"]
    assert set(data["removals"]) == {"most_points", "fewest_dice"}
    assert most["cells"] == ["C5"]
    assert (most["points_before"], most["points_after"], most["points_lost"]) == (40, 30, 10)
    assert most["message"] == "Take off C5: that costs 10 points."


def test_points_of_removals_hold_the_favor_tokens() -> None:
    """What is said to become of the points begins with the total that the player just read."""
    cards = [*RULEBOOK_CARDS[:8], "--favor", "2", *RULEBOOK_CARDS[10:]]
    data = answer("score", "--board", RULEBOOK_BOARD, *cards)
    assert data["total"] == 42
    most = data["removals"]["most_points"]
    assert (most["points_before"], most["points_after"]) == (42, 32)


def test_a_legal_window_has_nothing_to_take_off() -> None:
    """Without a problem there is no advice."""
    data = answer("score", "--board", LEGAL_BOARD, "--window", "Luz Celestial", *RULEBOOK_CARDS[:8])
    assert data["problems"] == []
    assert data["removals"] is None


def test_two_answers_to_what_to_take_off_are_told_apart() -> None:
    """Where most points and fewest dice ask for different dice a person reads both."""
    board = "R1 R6 R1 -- -- / -- G3 -- -- -- / -- -- -- -- -- / -- -- -- -- --"
    data = answer("score", "--board", board, "--private", "red")
    assert data["removals"]["fewest_dice"]["cells"] == ["A2"]
    assert data["removals"]["most_points"]["cells"] == ["A1", "A3"]
    text = sagrada("score", "--board", board, "--private", "red").stdout
    assert "To keep the most points: Take off A1, A3:" in text
    assert "With the fewest dice: Take off A2:" in text


@pytest.mark.parametrize(
    ("private", "marker"),
    [
        (
            "yellow",
            {
                "space": 17,
                "flipped": True,
                "laps": 1,
                "message": "67 points: the score marker lies on space 17, turned over.",
            },
        ),
        (
            "green",
            {
                "space": 48,
                "flipped": False,
                "laps": 0,
                "message": "48 points: the score marker lies on space 48.",
            },
        ),
    ],
)
def test_score_marker_flips_above_fifty(private: str, marker: dict[str, object]) -> None:
    """`score_marker` says on which space the marker lies and which side is up."""
    full = LEGAL_BOARD.replace("--", "R2")
    public = ("--public", "Column Color Variety", "--public", "Color Variety", "--public", "Shade Variety")
    assert answer("score", "--board", full, *public, "--private", private)["score_marker"] == marker


def test_tool_in_the_game_turns_the_problem_into_a_notice() -> None:
    """`--tool` makes what its card allows a notice with the tool in `excused_by`."""
    data = answer("score", "--board", RULEBOOK_BOARD, *RULEBOOK_CARDS, "--tool", "copper foil burnisher")
    assert data["problems"] == []
    (notice,) = data["notices"]
    assert set(notice) == {"code", "cells", "message", "excused_by"}
    assert (notice["code"], notice["cells"]) == ("value_restriction", ["C5"])
    assert notice["excused_by"] == ["Copper Foil Burnisher"]
    text = sagrada(
        "score", "--board", RULEBOOK_BOARD, *RULEBOOK_CARDS, "--tool", "Copper Foil Burnisher"
    ).stdout
    assert text.splitlines()[-1] == notice["message"]


def test_tokens_that_are_left_were_not_spent_on_tools() -> None:
    """With all tokens left no tool can have been used, so it excuses nothing."""
    cards = [*RULEBOOK_CARDS[:8], "--favor", "3", "--window", "Fractal Drops"]
    data = answer("score", "--board", RULEBOOK_BOARD, *cards, "--tool", "Copper Foil Burnisher")
    (problem,) = data["problems"]
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
    """A full typed window names its card, and a notice says how sure that is."""
    data = answer("score", "--board", RULEBOOK_BOARD)
    assert card(data) == "Fractal Drops"
    assert codes(data["problems"]) == ["value_restriction"]
    assert codes(data["notices"]) == ["identified_window", "not_all_counted"]
    assert ">99% sure" in data["notices"][0]["message"]
    assert data["notices"][0]["cells"] == data["notices"][0]["excused_by"] == []


def test_auto_knows_a_card_that_lies_upside_down() -> None:
    """A window typed from the wrong corner is judged by the card as it lies there."""
    turned = str(Board.parse(LEGAL_BOARD).rotated_180())
    data = answer("score", "--board", turned)
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
        (
            str(Board.parse(RULEBOOK_BOARD).rotated_180()),
            "Fractal Drops",
            "window_upside_down",
            "is A1 the space at the top left?",
        ),
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


def test_missing_objectives_are_told() -> None:
    """A total without all objectives says that it is none yet."""
    data = answer("score", "--board", LEGAL_BOARD, "--window", "Luz Celestial", "--public", "Light Shades")
    assert codes(data["notices"]) == ["not_all_counted"]


def test_more_cards_than_a_game_has_are_counted_and_told() -> None:
    """Groups play by their own rules too: a fourth public objective counts, and a notice says so."""
    fourth = [*RULEBOOK_CARDS, "--public", "Deep Shades"]
    data = answer("score", "--board", RULEBOOK_BOARD, "--window", "Fractal Drops", *fourth)
    assert [line["name"] for line in data["lines"]][3] == "Deep Shades"
    assert codes(data["notices"]) == ["many_objectives"]
    assert data["notices"][0]["message"] == "A game has 3 public objectives; here 4 are counted."
    data = answer(
        "score",
        "--board",
        LEGAL_BOARD,
        "--window",
        "Luz Celestial",
        *SOLO,
        "--public",
        "Deep Shades",
        "--solo",
        "26",
    )
    assert data["notices"][0]["message"] == "A solo game has 2 public objectives; here 3 are counted."


def test_favor_tokens_do_not_count_in_a_solo_game() -> None:
    """They are left out of the total, and a notice says so; none left is nothing to speak of."""
    solo = ["score", "--board", LEGAL_BOARD, "--window", "Luz Celestial", *SOLO, "--solo", "26", "--favor"]
    with_tokens, without = answer(*solo, "2"), answer(*solo, "0")
    assert with_tokens["total"] == without["total"] == 27
    assert codes(with_tokens["notices"]) == ["no_favor_tokens"]
    assert without["notices"] == []


def test_more_tokens_than_the_card_has_are_told() -> None:
    """Too many tokens are a notice, for a card that was named and for one that was guessed."""
    data = answer(
        "score", "--board", LEGAL_BOARD, "--window", "Luz Celestial", "--favor", "6", *RULEBOOK_CARDS[:8]
    )
    assert codes(data["notices"]) == ["too_many_favor_tokens"]
    data = answer("score", "--board", LEGAL_BOARD, "--favor", "6", *RULEBOOK_CARDS[:8])
    assert codes(data["notices"]) == ["identified_window", "too_many_favor_tokens"]
    assert "Luz Celestial comes with 3 favor tokens, so 6 cannot be left" in data["notices"][1]["message"]


def test_solo_counts_the_better_private_objective_against_the_target() -> None:
    """`--solo` with a number: the better color counts, empty cells cost 3, `solo` says what came of it."""
    data = answer("score", "--board", LEGAL_BOARD, "--window", "Luz Celestial", *SOLO, "--solo", "26")
    assert [line["name"] for line in data["lines"]] == [
        "Medium Shades", "Light Shades", "Shades of Red", "Empty cells",
    ]  # fmt: skip
    assert data["lines"][-1]["points"] == -3
    assert data["total"] == 27
    assert data["score_marker"] is None
    assert data["notices"] == []
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


def test_solo_target_can_be_the_round_track() -> None:
    """`--solo` with the dice on the track adds them up, and says when rounds are missing."""
    board = ("score", "--board", LEGAL_BOARD, "--window", "Luz Celestial", *SOLO)
    whole = answer(*board, "--solo", "R3 G4 / -- / B1 / Y6 / P2 / R1 / B5 / -- / G6 / Y4")
    assert whole["solo"]["target"] == 32
    assert whole["solo"]["won"] is False
    assert whole["notices"] == []
    short = answer(*board, "--solo", "R3 G4 / --")
    assert short["solo"]["target"] == 7
    assert codes(short["notices"]) == ["unfinished_round_track"]


def test_solo_tools_work_once_and_removals_cost_three() -> None:
    """In a solo game an empty cell costs 3 points also in what to take off."""
    cards = (*SOLO, "--solo", "26", "--window", "Fractal Drops")
    removal = answer("score", "--board", RULEBOOK_BOARD, *cards)["removals"]["most_points"]
    assert removal["cells"] == ["C5"]
    assert removal["points_lost"] >= 3
    excused = answer("score", "--board", RULEBOOK_BOARD, *cards, "--tool", "Copper Foil Burnisher")
    assert excused["problems"] == []


def test_solo_for_people_says_who_won_and_why() -> None:
    """The text names the outcome and the private objective that counts."""
    text = sagrada("score", "--board", LEGAL_BOARD, *SOLO, "--solo", "27").stdout
    assert "27 against a target of 27: not won, an equal score is not enough." in text
    assert "The better private objective counts: red 20, purple 6." in text
    assert "marker" not in text


def test_score_for_people() -> None:
    """The window, its lines, the marker, the problem and what to take off, in this order."""
    result = sagrada("score", "--board", RULEBOOK_BOARD, *RULEBOOK_CARDS)
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
    data = answer("score", "--board", RULEBOOK_BOARD, *RULEBOOK_CARDS, "--lang", "ru")
    assert data["lines"][1]["name"] == "Light Shades"
    assert data["lines"][1]["label"] == "Светлые стёкла"
    assert data["problems"][0]["code"] == "value_restriction"
    assert data["problems"][0]["message"].startswith("C5: красный 3")
    text = sagrada("score", "--board", RULEBOOK_BOARD, *RULEBOOK_CARDS, "--lang", "français").stdout
    assert "1 erreur de placement" in text


def test_names_are_known_in_four_languages() -> None:
    """People type what is printed on their own cards."""
    data = answer(
        *("score", "--board", RULEBOOK_BOARD, "--public", "светлые стекла", "--private", "紫"),
        *("--window", "Gouttes fractales", "--tool", "Разглаживатель фольги"),
    )
    assert [line["name"] for line in data["lines"][:2]] == ["Light Shades", "Shades of Purple"]
    assert card(data) == "Fractal Drops"
    assert data["problems"] == []


def test_windows_of_ones_own_can_be_named_and_are_recognized(tmp_path: Path) -> None:
    """`--window` takes the name of a window of one's own, and auto counts it among the known ones."""
    spaces = "Y.R.B / .B.G. / R.R.P / .Y.R."
    assert sagrada("windows", "add", "Kitchen Light", spaces, data=tmp_path).exit_code == 0
    data = answer("score", "--board", LEGAL_BOARD, "--window", "kitchen light", data=tmp_path)
    assert card(data) == "Kitchen Light"
    other = "Y1 B5 R2 G5 B6 / P4 B2 Y4 G1 R3 / R1 G4 R6 B5 P2 / G3 Y5 P4 R3 Y1"
    assert card(answer("score", "--board", other, data=tmp_path)) == "Kitchen Light"


def test_damaged_windows_of_ones_own_leave_the_cards_of_the_game(tmp_path: Path) -> None:
    """When the file cannot be used the command goes on with the game's cards and says so."""
    (tmp_path / "windows.json").write_text("{")
    data = answer("score", "--board", RULEBOOK_BOARD, *RULEBOOK_CARDS, data=tmp_path)
    assert codes(data["notices"]) == ["own_windows_missing"]
    said = refusal("score", "--board", RULEBOOK_BOARD, "--window", "Kitchen Light", data=tmp_path)
    assert "damaged: This is not JSON" in said


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
        (["--public", "Light Shades", "--public", "light shades"], "name each objective once"),
        (["--solo", "26"], "Name both of them."),
        (["--solo", "-1", "--private", "red"], "cannot add up to -1"),
        (["--solo", "R3 / X9", "--private", "red"], "X9"),
        (["--solo", "many", "--private", "red"], "Or give the points to beat as a number."),
        (["--solo", "26", "--private", "red", "--private", "red"], "name two different ones"),
        (
            ["--solo", "26", "--private", "red", "--tool", "Lathekin", "--tool", "lathekin"],
            "Name each tool once.",
        ),
        (["photo.jpg"], "either a photo or --board"),
    ],
)
def test_wrong_usage_of_score(arguments: list[str], complaint: str) -> None:
    """What was typed wrong is said on the standard error, with the nearest right name; status 2."""
    assert complaint in refusal("score", "--board", RULEBOOK_BOARD, *arguments)


@pytest.mark.parametrize("arguments", [[], ["--board", "Y5 --"]])
def test_score_needs_one_window(arguments: list[str]) -> None:
    """No window, or half a row, is wrong usage."""
    refusal("score", *arguments)


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
        (["--board", "R1 --"], "Une grille a 4 lignes\N{NO-BREAK SPACE}; celle-ci en a 1."),
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


def test_a_damaged_file_is_explained_in_the_language_asked_for(tmp_path: Path) -> None:
    """What is wrong with the file of one's own windows, and where, is translated like all else."""
    file = tmp_path / "windows.json"
    file.write_text("{")
    score = ("score", "--board", RULEBOOK_BOARD, "--lang", "ru")
    said = answer(*score, data=tmp_path)["notices"][0]["message"]
    named = refusal(*score, "--window", "Kitchen Light", data=tmp_path)
    for text in (said, named):
        assert "повреждён: Это не JSON: посмотрите строку 1, позицию 2." in text
        assert "Исправьте" in text
