"""Windows with dice that are not the game's, or that are hard to read, as arrays.

``unlike`` is what a network learns from to notice odd dice: of eight windows two are as the reader learned
from and one has few dice or none; half of the others are odd. ``dyes`` are sets of four windows each: half of
them the game's, half with other dyes or pips, or most pale. ``hard_dice`` have dark pips, pale dyes or any
pips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray
from skimage.color import deltaE_ciede2000, rgb2lab

from calibration.training.dataset import SIZES, jittered_grid
from calibration.training.shards import Arrays, stacked
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook
from calibration.training.synthetic.scene import COLORS, Scene, readable, render
from vision.recognition.cells import cell_crops, lean_of, turned_alike

PLAIN = 2  # of eight scenes
SPARSE = (0, 0, 0.1, 0.3)  # shares of spaces with a die in a window of which few have one
WINDOWS = 4  # of each set
LEAST_APART = 12  # CIEDE2000 between two dyes of a set
PALE_SHARE, ORDINARY_LEFT_OUT = 0.55, 0.6  # where most sets are pale
HARD: dict[str, Callable[[np.random.Generator], DieLook]] = {
    "dark": odd.dark_pips,
    "pale": odd.pale,
    "colored": odd.colored_pips,
}
MOST_FILLED, TILT_DEG, STEEP_DEG = 0.6, 40, 60
CUTS = 2  # of each window with hard dice, with the lattice a little off

Cut = tuple[NDArray[np.uint8], Scene, bool]


def arrays_of(seed: int, cuts: Iterable[Cut]) -> Arrays:
    """Return cells (N, 20, 48, 48, 6) of windows, the contents of each, whether it is odd, and the seed."""
    rows = (
        {"crops": cells, "codes": readable(scene)[0].dice, "odd": is_odd} for cells, scene, is_odd in cuts
    )
    return stacked(rows, crop_seeds=seed)


def cut_out(
    rng: np.random.Generator, scene: Scene, *, pitch_sigma: float, rise_sigma: float
) -> NDArray[np.uint8]:
    """Return the cells of a scene's window, (20, 48, 48, 6), with a finder's errors, as they are read."""
    grid = jittered_grid(rng, readable(scene)[0], pitch_sigma=pitch_sigma, rise_sigma=rise_sigma)
    return turned_alike(cell_crops(scene.image_bgr, grid), lean_of(grid))


def unlike(seed: int) -> Arrays:
    """Return a window, which is odd or not."""
    rng = np.random.default_rng(seed)
    scene, is_odd = scene_of(rng, seed % 8)
    return arrays_of(seed, [(cut_out(rng, scene, pitch_sigma=0.03, rise_sigma=0.12), scene, is_odd)])


def scene_of(rng: np.random.Generator, kind: int) -> tuple[Scene, bool]:
    """Return a scene with a window that can be read, and whether its dice are odd; ``kind`` is 0 to 7."""
    if kind < PLAIN:
        while True:
            scene = render(rng, size=SIZES[int(rng.integers(len(SIZES)))], hard=bool(rng.random() < 0.2))
            if readable(scene):
                return scene, False
    look, is_odd = odd.random_set(rng)
    light = some_light(rng, any_share=0.6)
    share = float(rng.choice(SPARSE)) if kind == PLAIN else None
    scene = odd.photo_of(rng, look, light, tilt_deg=45, occupancy=share)
    return scene, is_odd and any(code != "--" for code in scene.windows[0].dice)


def dyes(seed: int, *, pale: bool = False) -> Arrays:
    """Return the windows of one set."""
    rng = np.random.default_rng(seed)
    look, is_odd = set_of(rng, pale=pale)
    return arrays_of(seed, windows_of(rng, look, is_odd=is_odd))


def windows_of(rng: np.random.Generator, look: DieLook, *, is_odd: bool) -> Iterable[Cut]:
    """Yield the cells of a set's windows with their scenes, and whether its dice are odd."""
    for _window in range(WINDOWS):
        scene = odd.photo_of(rng, look, some_light(rng), tilt_deg=TILT_DEG)
        yield cut_out(rng, scene, pitch_sigma=0.02, rise_sigma=0.08), scene, is_odd


def some_light(rng: np.random.Generator, any_share: float = 0.4) -> str | None:
    """Return one of the lights of odd sets, or None for any light."""
    return None if rng.random() < any_share else str(rng.choice(odd.LIGHTS))


def set_of(rng: np.random.Generator, *, pale: bool = False) -> tuple[DieLook, bool]:
    """Return a set with pips and five dyes that can be told apart, and whether it is unlike the game's."""
    while True:
        is_pale = pale and rng.random() < PALE_SHARE
        look, is_odd = (odd.pale(rng), True) if is_pale else odd.random_set(rng)
        if pale and not is_odd and rng.random() < ORDINARY_LEFT_OUT:
            continue
        if not look.digits and apart(look) >= LEAST_APART:
            return look, is_odd


def apart(look: DieLook) -> float:
    """Return how far the two most alike dyes of a set lie apart, in CIEDE2000."""
    lab = rgb2lab(np.stack([look.dyes[letter][::-1] for letter in COLORS])[None])[0]
    return float(deltaE_ciede2000(lab[:, None], lab[None])[np.triu_indices(len(COLORS), 1)].min())


def hard_dice(seed: int, kind: str, *, sparse: bool = False) -> Arrays:
    """Return a window, cut out `CUTS` times; ``sparse`` ones have few dice and are seen from a steep side."""
    rng = np.random.default_rng(seed)
    look, light = HARD[kind](rng), some_light(rng)
    tilt, share = (STEEP_DEG, rng.uniform(0, MOST_FILLED)) if sparse else (TILT_DEG, None)
    scene = odd.photo_of(rng, look, light, tilt_deg=tilt, occupancy=share)
    cells = [cut_out(rng, scene, pitch_sigma=0.02, rise_sigma=0.08) for _ in range(CUTS)]
    return arrays_of(seed, [(one, scene, True) for one in cells])
