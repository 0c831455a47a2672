"""Dice that are not the game's are learned from one photo, and what is wrong with it does no harm."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.errors import ProfileError
from calibration.profiles import Learned, Sample, learn, learning, loose_sample, window_sample
from calibration.profiles.learning import Refused
from calibration.training.held_back import file_of
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook
from scoring import Board, Color, Die
from scoring.board import ALL_CELLS
from vision import Reading, VisionError, read_photo, read_table
from vision.network import VALUE
from vision.profile import How, Pips
from vision.recognition import dice as recognition
from vision.recognition.dice import dyes_of, told_apart


@cache
def photo(name: str, light: str, seed: int = 1, number: int = 3) -> tuple[bytes, Board]:
    """Return a photo of a window with a named set of dice, and what lies in it."""
    return photo_with(odd.named_set(name, number), light, seed)


def photo_with(look: DieLook, light: str, seed: int) -> tuple[bytes, Board]:
    """Return a photo of a window with dice of a look, and what lies in it."""
    scene = odd.photo_of(np.random.default_rng(seed), look, light)
    dice = scene.windows[0].dice
    return file_of(scene.image_bgr), Board.parse(
        " / ".join(" ".join(dice[k : k + 5]) for k in (0, 5, 10, 15))
    )


@cache
def sample(name: str) -> Sample:
    """Return the dice of a photo in white light, all named."""
    return window_sample(*photo(name, "white"))


@cache
def learned(name: str) -> Learned:
    """Return what that photo teaches."""
    return learn(f"Our {name}", [sample(name)])


def wrong(reading: Reading, board: Board) -> int:
    """Return how many spaces were read wrong, whichever way up the window lies."""
    return min(
        sum(one.cell(*cell).die != board[cell] for cell in ALL_CELLS)
        for one in (reading, reading.rotated_180())
    )


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "light", "most"), [("black pips", "warm", 1), ("shifted hues", "mixed", 2)])
def test_one_photo_is_enough(name: str, light: str, most: int) -> None:
    """Dice that are read wrong as they come are read right with a profile learned in another light."""
    image, board = photo(name, light, seed=2)
    before, after = read_photo(image), read_photo(image, profile=learned(name).profile)
    assert before.unlike_dice
    assert before.profile is None
    assert after.profile == f"Our {name}"
    assert not after.unlike_dice
    assert wrong(after, board) <= min(most, wrong(before, board))


def test_dice_are_told_with_their_neighbors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Orange dice whose tops a warm lamp turns yellow are not taken for yellow ones that lie beside them."""
    profile = learn("Orange", [window_sample(*photo("shifted hues", "white", number=1))]).profile
    image, board = photo("shifted hues", "warm", seed=74_003_111, number=1)
    together = wrong(read_photo(image, profile=profile), board)
    monkeypatch.setattr(recognition, "told_together", lambda looks, stand: told_apart(looks.places, stand))
    assert together <= 1 < wrong(read_photo(image, profile=profile), board)


def test_an_earlier_version_is_learned_anew_from_its_pictures() -> None:
    """Where other networks put the dyes says nothing here, but which camera it was is kept."""
    before = replace(learned("black pips").profile, reader="0123456789ab")
    image, board = photo("black pips", "warm", seed=2)
    assert read_photo(image, profile=before).profile is None
    anew = learn(before.name, [sample("black pips")], before).profile
    assert anew.dyes == learned("black pips").profile.dyes
    assert wrong(read_photo(image, profile=anew), board) <= 1


def test_dark_pips_are_found_out() -> None:
    """Which pips the dice have is learned from the values that were named."""
    assert learned("black pips").profile.pips is Pips.DARK
    assert learned("shifted hues").profile.pips is Pips.LIGHT


def test_gray_pips_are_neither_light_nor_dark() -> None:
    """Pips that are lighter than blue dice and darker than yellow ones are read as what they are on each.

    So are those of a profile that calls them light.
    """
    gray = replace(odd.named_set("ordinary"), pip_color=np.full(3, 0.35, np.float32))
    profile = learn("Gray", [window_sample(*photo_with(gray, "white", 1))]).profile
    assert profile.pips is Pips.MIXED
    image, board = photo_with(gray, "mixed", 5)
    assert wrong(read_photo(image), board) > 1
    for pips in (Pips.MIXED, Pips.LIGHT):
        reading = read_photo(image, profile=replace(profile, pips=pips))
        assert reading.profile == "Gray"
        assert wrong(reading, board) <= 1


@pytest.mark.parametrize("pips", [Pips.LIGHT, Pips.DARK])
def test_what_is_held_back_is_read_as_windows_are(pips: Pips, monkeypatch: pytest.MonkeyPatch) -> None:
    """How good a profile is says what is read with it: both ways, whatever pips it names."""
    gray = replace(odd.named_set("ordinary"), pip_color=np.full(3, 0.35, np.float32))
    one, other = (window_sample(*photo_with(gray, "white", seed)) for seed in (1, 2))
    profile = learn("Gray", [one]).profile
    assert profile.quality is not None
    assert not (other.values == other.seen.logits_for(pips)[:, VALUE].argmax(axis=1) + 1)[other.named].all()
    monkeypatch.setattr("calibration.profiles.learning._pips_of", lambda _samples: pips)
    quality = learn("Gray", [other], replace(profile, pips=pips)).profile.quality
    assert quality is not None
    assert quality.before == quality.after == quality.dice


def test_what_is_held_back_is_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a profile reads a photo's dice better is asked of them together, as their window is read."""
    red = replace(odd.named_set("pastel", 3), pip_color=np.array([0.1, 0.1, 0.75], np.float32))
    pale = window_sample(*photo_with(red, "warm", 2))
    together = learn("Pale", [pale]).profile.quality
    monkeypatch.setattr(learning, "told_together", lambda looks, stand: told_apart(looks.places, stand))
    alone = learn("Pale", [pale]).profile.quality
    assert together is not None
    assert alone is not None
    assert together.dice >= together.after > alone.after


def test_what_was_read_before_is_what_the_reader_reads() -> None:
    """Dark pips are read without a profile, too, so a profile has to be better than that."""
    quality = learned("black pips").profile.quality
    assert quality is not None
    assert quality.dice / 2 < quality.before <= quality.after


def test_a_profile_says_what_it_was_learned_from_and_how_good_it_is() -> None:
    """It tells how many dice of which photo were named, and how many are read right held back."""
    profile = learned("shifted hues").profile
    assert [(one.how, one.dice) for one in profile.sources] == [
        (How.WINDOW, len(sample("shifted hues").named))
    ]
    assert profile.quality is not None
    assert profile.quality.before < profile.quality.after <= profile.quality.dice
    assert profile.dyes[Color.RED].dice == sum(code[0] == "R" for code in sample("shifted hues").said)
    assert learned("black pips").profile.light is None
    assert profile.light is not None
    assert profile.light[0] > 60  # white pips are light


def test_of_several_profiles_the_one_that_fits_is_taken() -> None:
    """Whoever has several sets needs to name none of them."""
    both = [learned(name).profile for name in ("shifted hues", "black pips")]
    for name in ("black pips", "shifted hues"):
        assert read_photo(photo(name, "mixed", seed=2)[0], profile=both).profile == f"Our {name}"


@pytest.mark.parametrize("light", odd.LIGHTS)
def test_the_games_dice_are_not_mistaken_for_others(light: str) -> None:
    """A profile of other dice changes nothing in a photo of the game's own."""
    image, board = photo("ordinary", light)
    both = [learned(name).profile for name in ("shifted hues", "black pips")]
    reading = read_photo(image, profile=both)
    assert reading.profile is None
    assert wrong(reading, board) == 0


def test_a_profile_of_other_networks_is_left_alone() -> None:
    """What was learned with networks that are here no more means nothing, so it is not used."""
    old = replace(learned("black pips").profile, reader="of last year")
    assert read_photo(photo("black pips", "mixed", seed=2)[0], profile=old).profile is None


def test_five_corrected_dice_say_nearly_as_much() -> None:
    """Dice that nobody named take part, as far as they look like those that were."""
    known = sample("shifted hues")
    five: list[str] = []
    for color in "RGBPY":
        five += [code for code in known.said if code[0] == color][:1]
    left, said = list(five), []
    for code in known.said:
        if code in left:
            left.remove(code)
            said.append(code)
        else:
            said.append("??")
    profile = learn("five", [replace(known, said=tuple(said))]).profile
    image, board = photo("shifted hues", "mixed", seed=2)
    assert wrong(read_photo(image, profile=profile), board) <= 2


def test_a_die_that_was_named_wrong_is_told_and_not_learned() -> None:
    """One slip of the finger is named, and the dyes stand where they would without it."""
    known = sample("shifted hues")
    where = next(k for k, code in enumerate(known.said) if code[0] == "G")
    slip = [f"P{code[1]}" if k == where else code for k, code in enumerate(known.said)]
    blind = ["??" if k == where else code for k, code in enumerate(known.said)]
    with_slip = learn("slip", [replace(known, said=tuple(slip))])
    without = learn("blind", [replace(known, said=tuple(blind))])
    assert with_slip.odd == ((0, where),)
    stand, learnt = dyes_of(without.profile), dyes_of(with_slip.profile)
    nearest = np.linalg.norm(stand[:, None] - stand[None], axis=2)[np.triu_indices(len(Color), 1)].min()
    assert np.linalg.norm(stand - learnt, axis=1).max() < nearest / 4


def test_names_at_random_are_refused() -> None:
    """Where held-back dice are read no better than before, nothing is adopted."""
    known = sample("ordinary")
    named = known.named
    said = list(known.said)
    for k, other in zip(named, np.roll(named, 3), strict=True):
        said[k] = known.said[other]
    assert not learn("nonsense", [replace(known, said=tuple(said))]).adopted


def test_figures_instead_of_pips_are_refused() -> None:
    """Dice whose values cannot be read stay unknown, however well their colors are told."""
    assert learned("digits").refused is Refused.VALUES


def test_dyes_that_nobody_can_tell_apart_are_refused() -> None:
    """Two red dice that are named red and yellow, one die of each color, make no profile."""
    known = sample("ordinary")
    where = {letter: [k for k, code in enumerate(known.said) if code[0] == letter] for letter in "RGBP"}
    named = dict(zip("RYGBP", (*where["R"][:2], *(where[letter][0] for letter in "GBP")), strict=True))
    said = ["--"] * 20
    for letter, k in named.items():
        said[k] = f"{letter}?"
    assert learn("two of one", [replace(known, said=tuple(said))]).refused is Refused.ALIKE


def test_a_second_photo_adds_to_the_first() -> None:
    """A profile that is learned further counts on, and is judged by the new photo alone."""
    first = learned("shifted hues").profile
    image, board = photo("shifted hues", "mixed", seed=3)
    second = replace(window_sample(image, board), when="2030-01-01T00:00:00+00:00")
    profile = learn(first.name, [sample("shifted hues"), second], before=first).profile
    assert profile.revision == first.revision + 1
    assert [one.dice for one in profile.sources] == [len(sample("shifted hues").named), len(second.named)]
    assert profile.quality is not None
    assert profile.quality.dice <= len(second.named)


def codes(found: Iterable[str]) -> tuple[str, ...]:
    """Return twenty codes that begin with these."""
    found = list(found)
    return (*found, *["??"] * (20 - len(found)))


@pytest.mark.parametrize("said", [codes([]), codes(["R1", "R2", "R3", "R4", "R5"]), codes(["R1", "G2"])])
def test_too_little_is_refused(said: tuple[str, ...]) -> None:
    """Too few dice, or too few colors, teach nothing; the refusal says how many are needed."""
    with pytest.raises(ProfileError) as caught:
        learn("little", [replace(sample("ordinary"), said=said)])
    assert caught.value.code == "too_few_dice"
    assert "4 dice" in caught.value.next_step


def test_the_board_of_another_window_is_refused() -> None:
    """Whoever names the dice of another window is told how many spaces differ."""
    with pytest.raises(ProfileError) as caught:
        window_sample(photo("ordinary", "white")[0], Board.parse(" / ".join(["R1 -- -- -- --"] * 4)))
    assert caught.value.code == "board_does_not_fit"


def test_a_window_is_learned_from_whichever_way_up_it_lies() -> None:
    """A board that is counted from the opposite corner is laid over the photo the right way."""
    image, board = photo("ordinary", "white")
    turned = Board(tuple(tuple(reversed(row)) for row in reversed(board.rows)))
    assert window_sample(image, turned).said == tuple(reversed(sample("ordinary").said))


def test_corners_say_which_way_up_a_window_lies() -> None:
    """With corners in board order nothing is guessed, so that a reading turned by hand is learned from."""
    image, board = photo("ordinary", "white")
    corners = read_photo(image).corners
    plain = window_sample(image, board, corners)
    turned = window_sample(image, [*reversed(plain.said)], (*corners[2:], *corners[:2]))
    assert np.abs(plain.crops.astype(int) - turned.crops[::-1, ::-1, ::-1].astype(int)).mean() < 3


def test_a_sample_survives_its_file() -> None:
    """Crops and names come back as they were."""
    known = sample("ordinary")
    again = Sample.from_bytes(known.to_bytes())
    assert (again.said, again.how, again.when) == (known.said, known.how, known.when)
    assert (again.crops == known.crops).all()


@pytest.mark.parametrize("cut", [0, 1, 100, -1])
def test_a_damaged_sample_is_refused(cut: int) -> None:
    """A file that is cut off, or none at all, gives one error and nothing else."""
    with pytest.raises(ProfileError) as caught:
        Sample.from_bytes(sample("ordinary").to_bytes()[:cut])
    assert caught.value.code == "sample_damaged"


def test_no_loose_die_where_none_lies() -> None:
    """A tap beside every die is told with its number."""
    with pytest.raises(ProfileError) as caught:
        loose_sample(photo("ordinary", "white")[0], [((1.0, 1.0), Color.RED)])
    assert caught.value.code == "no_die_there"
    with pytest.raises(ProfileError):
        loose_sample(photo("ordinary", "white")[0], [])


def test_what_is_no_photo_is_refused_as_everywhere() -> None:
    """The refusal of the reader goes through."""
    with pytest.raises(VisionError):
        window_sample(b"no photo", Board.empty())
    with pytest.raises(VisionError):
        loose_sample(b"no photo", [((1.0, 1.0), Die(Color.RED, 1))])


@cache
def loose(seed: int = 0) -> tuple[bytes, list[tuple[tuple[float, float], Die]]]:
    """Return a photo of five dice with black pips, one of each color, and where each lies."""
    dice = [Die.parse(code) for code in ("R5", "Y2", "G3", "B1", "P6")]
    picture, marks = odd.loose_photo(
        np.random.default_rng(seed), odd.named_set("black pips", 3), [*map(str, dice)]
    )
    return file_of(picture), [
        ((mark.top[0], mark.top[1]), die) for mark, die in zip(marks, dice, strict=True)
    ]


def test_one_die_of_each_color_is_enough() -> None:
    """Five dice that somebody taps at and names make a profile, with which a window is read."""
    learnt = learn("five", [loose_sample(*loose())])
    assert learnt.adopted
    assert learnt.profile.pips is Pips.DARK
    assert [(one.how, one.dice) for one in learnt.profile.sources] == [(How.LOOSE, 5)]
    window, board = photo("black pips", "mixed", seed=2)
    assert wrong(read_photo(window, profile=learnt.profile), board) <= 1


def test_colors_alone_can_be_named() -> None:
    """Of loose dice the values need not be told."""
    image, dice = loose()
    sample_of_colors = loose_sample(image, [(point, die.color) for point, die in dice])
    assert sample_of_colors.said[:6] == ("R?", "Y?", "G?", "B?", "P?", "--")
    assert (sample_of_colors.values == 0).all()


@pytest.mark.thorough
def test_loose_dice_are_read_with_a_profile_too() -> None:
    """Dice on the table are told by the same profile; without it dice with dark pips are hardly read."""
    image, dice = loose(seed=2)
    right = []
    for profile in (None, learned("black pips").profile):
        found = {one.die for one in read_table(image, profile=profile).loose_dice}
        right.append(len(found & {die for _, die in dice}))
    assert right[0] < right[1]
    assert right[1] >= 3


@pytest.mark.parametrize("name", ["shifted hues", "black pips"])
def test_values_that_nobody_named_stay_in_doubt(name: str) -> None:
    """Colors alone do not tell whether faces are read: dice that look strange stay unknown."""
    known = sample(name)
    profile = learn(
        "colors", [replace(known, said=tuple(f"{c[0]}?" if c[0] in "RYGBP" else c for c in known.said))]
    )
    assert profile.adopted
    assert not profile.profile.values_known
    reading = read_photo(photo(name, "mixed", seed=2)[0], profile=profile.profile)
    assert reading.unlike_dice
    assert len(reading.doubtful) == 20
    assert learned("black pips").profile.values_known


@pytest.mark.parametrize(("right", "known"), [(5, True), (4, False), (3, False)])
def test_few_values_may_be_read_by_luck(right: int, *, known: bool) -> None:
    """Of five dice all values must be read to count as known, as figures are read now and then, too."""
    there = sample("ordinary")
    said = ["--"] * 20
    for number, letter in enumerate("RYGBP"):
        where = next(k for k, code in enumerate(there.said) if code[0] == letter)
        value = int(there.said[where][1])
        said[where] = f"{letter}{value if number < right else value % 6 + 1}"
    learnt = learn("luck", [replace(there, said=tuple(said))])
    assert learnt.adopted
    assert learnt.profile.values_known is known


def test_what_nobody_kept_is_not_forgotten() -> None:
    """A photo without the earlier pictures adds to what was learned, also where it shows few colors only."""
    first, image = learned("shifted hues").profile, photo("shifted hues", "warm", seed=2)
    new = window_sample(*image)
    few = replace(new, said=tuple(code if code[0] in "RY" else "??" for code in new.said), when="later")
    both = learn("shifted hues", [few], first)
    assert both.adopted
    assert [one.when for one in both.profile.sources] == [first.sources[0].when, "later"]
    for color in Color:
        added = sum(code[0] == color.value for code in few.said)
        assert both.profile.dyes[color].dice == first.dyes[color].dice + added
    assert both.profile.values_known
    third, board = photo("shifted hues", "mixed", seed=5)
    without = wrong(read_photo(third, profile=learn("shifted hues", [few]).profile), board)
    assert wrong(read_photo(third, profile=both.profile), board) <= min(1, without)


def test_a_picture_that_was_kept_counts_once() -> None:
    """What is learned from again is not also counted as what was known before."""
    first = learned("shifted hues").profile
    again = learn("shifted hues", [sample("shifted hues")], first).profile
    assert again.sources == first.sources
    assert again.dyes == first.dyes
