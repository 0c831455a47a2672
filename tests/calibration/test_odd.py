"""Windows with dice that are not the game's, drawn to be noticed."""

from dataclasses import fields

import cv2
import numpy as np
import pytest

from calibration.evaluation.comparison import CellResult, PhotoResult
from calibration.evaluation.labels import parse_label
from calibration.training.held_back_odd import OddResult, line_of, profiles_of, read_one
from calibration.training.legible import burnt_out
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook, random_look
from calibration.training.synthetic.recolored import recolored
from calibration.training.synthetic.scene import Scene, Window, readable
from calibration.training.unlike_set import PLAIN, scene_of
from scoring import Color, Die
from vision.geometry import Grid
from vision.recognition.cells import cell_crops, face_colors


@pytest.mark.thorough
def test_each_named_set_has_a_look_of_its_own() -> None:
    """The same photo of two named sets differs, and of one and the same set it does not."""
    pictures = {
        name: odd.photo_of(np.random.default_rng(1), odd.named_set(name), "white").image_bgr.tobytes()
        for name in odd.NAMED
    }
    assert len(set(pictures.values())) == len(odd.NAMED)
    again = odd.photo_of(np.random.default_rng(1), odd.named_set("glitter"), "white")
    assert again.image_bgr.tobytes() == pictures["glitter"]


def test_a_window_has_enough_dice_to_tell_a_set() -> None:
    """There are at least twelve dice, unless a share is asked for."""
    look = random_look(np.random.default_rng(2))
    full = odd.photo_of(np.random.default_rng(3), look)
    assert sum(code != "--" for code in full.windows[0].dice) >= odd.FEWEST_DICE
    bare = odd.photo_of(np.random.default_rng(3), look, occupancy=0.0)
    assert set(bare.windows[0].dice) == {"--"}


@pytest.mark.parametrize(("light", "is_warm"), [("white", False), ("warm", True)])
def test_a_warm_lamp_gives_more_red_than_blue(light: str, *, is_warm: bool) -> None:
    """The gains of a warm light favor red clearly, those of a white one nothing."""
    blue, _, red = odd.cast_of(np.random.default_rng(5), light, (40, 30))
    assert (red / blue > 1.3) == is_warm


def test_a_mixed_light_is_warm_on_one_side_only() -> None:
    """Two lights of different colors come from two sides."""
    gains = odd.cast_of(np.random.default_rng(6), "mixed", (40, 30))
    warmth = gains[..., 2] / gains[..., 0]
    assert gains.shape == (30, 40, 3)
    assert warmth.max() > 1.3 > warmth.min() + 0.2


def test_random_sets_are_odd_as_often_as_not() -> None:
    """About half of the sets to learn from are the game's, and only the others are changed."""
    sets = [odd.random_set(np.random.default_rng(seed)) for seed in range(200)]
    assert 70 < sum(is_odd for _, is_odd in sets) < 130
    for seed, (look, is_odd) in enumerate(sets):
        plain = random_look(np.random.default_rng(seed))
        changed = any(
            not np.array_equal(getattr(look, part.name), getattr(plain, part.name))
            for part in fields(look)
            if part.name != "dyes"
        )
        changed |= any(not np.array_equal(look.dyes[letter], plain.dyes[letter]) for letter in plain.dyes)
        assert is_odd == changed


@pytest.mark.thorough
def test_a_window_without_dice_is_never_odd() -> None:
    """Whatever set was drawn for it, an empty window has nothing to notice."""
    for seed in range(12):
        scene, is_odd = scene_of(np.random.default_rng(seed), PLAIN)
        assert not is_odd or any(code != "--" for code in scene.windows[0].dice)


def test_a_line_counts_what_nobody_was_warned_of() -> None:
    """Of a wrong cell with a flag and one without only the latter is held against the reader."""
    label = parse_label("a", {"origin": "synthetic", "board": ["--"] * 0} | {"board": [["--"] * 5] * 4})
    red, blue = Die(Color.RED, 1), Die(Color.BLUE, 1)
    cells = (
        CellResult(0, 0, red, blue, 0.5, flagged=True),
        CellResult(0, 1, red, blue, 0.99, flagged=False),
        CellResult(0, 2, red, red, 0.99, flagged=False),
    )
    photo = PhotoResult(label, 0.1, cells=cells)
    line = line_of("a set", "warm", [OddResult((photo, photo), told=True)])
    assert line == "| a set | warm | 1 | 1 of 3, 1 | 1 of 3, 1 | 0 | 1 |"


def test_what_the_reader_says_of_unknown_dice_is_noted() -> None:
    """A photo of a set with black pips is told, and read well at once and with what another one teaches."""
    look = odd.named_set("black pips", 3)
    result = read_one(5, look, "white", profiles_of(6, look, "warm"))
    assert result.told
    before, *after = (len(one.wrong_cells) for one in result.readings)
    assert max(after) <= before <= 2


def test_recolored_dice_keep_all_but_their_dye() -> None:
    """Bodies mostly get clearly other colors, and open spaces stay the same."""
    look = random_look(np.random.default_rng(6))
    scene = odd.photo_of(np.random.default_rng(7), look, "white", tilt_deg=10, occupancy=0.7)
    window = readable(scene)[0]
    crops = cell_crops(scene.image_bgr, Grid(window.base, window.top[:, 2] - window.base[:, 2]))
    filled = np.array([code != "--" for code in window.dice])
    before, moved = face_colors(crops), []
    for seed in range(6):
        other = recolored(np.random.default_rng(seed), crops, window.dice)
        after = face_colors(other)
        assert (crops[~filled] == other[~filled]).all()
        moved.append(np.linalg.norm(after[filled, :3] - before[filled, :3], axis=1))
    assert np.median(moved) > 0.3  # 15 in CIELAB


def test_only_dark_pips_are_drawn_where_they_are_wanted() -> None:
    """Sets for the reader of dark pips have pips, and none of these is light."""
    looks = [odd.dark_pips(np.random.default_rng(seed)) for seed in range(8)]
    assert all(not look.digits and look.pip_color.max() < odd.DARK for look in looks)


def test_pale_dyes_are_light_and_light_pips_lie_on_them() -> None:
    """Pale sets have lighter dyes than the game's and keep its pips."""
    for seed in range(8):
        look, before = odd.pale(np.random.default_rng(seed)), random_look(np.random.default_rng(seed))
        assert min(dye.max() for dye in look.dyes.values()) > 0.35
        assert np.mean([dye.mean() for dye in look.dyes.values()]) > np.mean(
            [dye.mean() for dye in before.dyes.values()]
        )
        assert (look.pip_color == before.pip_color).all()


def test_a_die_is_burnt_out_where_its_pips_are_not_seen() -> None:
    """Of two dice, one of them white all over, only that one does not show its value; open spaces do."""
    plane = np.diag([40.0, 40.0, 1.0])
    window = Window(("R2", "B3", *["--"] * 18), (".",) * 20, plane, plane, 0.0)
    look = random_look(np.random.default_rng(0))

    def drawn(of: DieLook) -> Scene:
        image = np.full((160, 200, 3), 40, np.uint8)
        image[5:35, 5:35] = (30, 30, 200)
        for x, y in ((14, 14), (26, 26)):
            cv2.circle(image, (x, y), round(14 * of.pip_radius), (255 * of.pip_color).tolist(), -1)
        image[5:35, 45:75] = 255
        return Scene(image, (window,))

    assert burnt_out(drawn(look), look, drawn).tolist() == [False, True, *[False] * 18]
