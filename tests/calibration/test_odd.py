"""Windows with dice that are not the game's, drawn to be noticed."""

from dataclasses import fields

import cv2
import numpy as np
import pytest

from calibration.training.held_back_odd import burnt_out, profile_of, read_one
from calibration.training.odd_set import PLAIN, scene_of
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook, random_look
from calibration.training.synthetic.recolored import recolored
from calibration.training.synthetic.scene import Scene, Window, readable
from vision.geometry import Grid
from vision.recognition.cells import cell_crops, face_colors


@pytest.mark.thorough
def test_each_named_set_has_a_look_of_its_own() -> None:
    """The same photo of two named sets differs, and of one and the same set it does not."""
    pictures = {
        name: odd.photo_of(np.random.default_rng(1), odd.named_set(name), "white").image_bgr.tobytes()
        for name in ("glitter", "opaque", "pastel")
    }
    assert len(set(pictures.values())) == len(pictures)
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
    for seed in range(4):
        scene, is_odd = scene_of(np.random.default_rng(seed), PLAIN)
        assert not is_odd or any(code != "--" for code in scene.windows[0].dice)


def test_one_photo_teaches_a_set_with_black_pips() -> None:
    """What a photo in another light teaches is read at least as well as without it."""
    look = odd.named_set("black pips", 3)
    before, after = read_one(5, look, "white", profile_of(6, look, "warm"), "black pips")
    assert len(after.wrong_cells) <= len(before.wrong_cells) <= 2
    assert not before.unnoticed


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
