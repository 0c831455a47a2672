"""Read the 20 cells of a window: empty or not, color, value, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from scoring import Color
from scoring.dice import VALUES
from vision.cells.crops import LEANING, SURE_FROM_PX, cell_crops, lean_of, turned_alike, with_light_pips
from vision.cells.household import READ_WITH, Match, Seen, match_of, told_by
from vision.cells.unlike import (
    ALL_DOUBTFUL,
    DOUBTED_FROM,
    STRANGE_DOUBTFUL_BELOW,
    STRANGE_FROM,
    UNLIKE_FROM,
)
from vision.geometry import COLUMNS, Grid
from vision.network import Network, odd_reader, reader, softmax, to_blob
from vision.profile import Pips, Profile
from vision.reading import DIGITS, Alternative, CellReading

Float = NDArray[np.float64]

COLORS = (Color.RED, Color.YELLOW, Color.GREEN, Color.BLUE, Color.PURPLE)
PRINTS = ".RYGBP123456"
"""What can be printed in an open cell, in the order of the network's outputs."""

DOUBTFUL_BELOW = 0.95
"""A cell less sure than this is shown to a person. Chosen together with `SHARPER` on held-back scenes
and real photos: with 0.97 and 1.1 three instead of seven wrong dice of 292 held-back windows go
unflagged, but 258 instead of 184 cells are flagged there, and more than one in ten of those of real
windows with dice."""
LOOK_AGAIN_BELOW = 0.97
"""A cell less sure than this is worth a second look."""
DICE_LOGITS = 13  # of the network's outputs, those of the die; the rest are of the print
MIN_ALTERNATIVE, MAX_ALTERNATIVES = 0.004, 4
CONTENTS: tuple[tuple[Color | None, int | None], ...] = ((None, None), *product(COLORS, VALUES))
"""All that a cell may hold: nothing, or one of the dice."""
MIRRORS: tuple[tuple[int, ...], ...] = ((3,), (2,), (2, 3))
"""Axes of (20, C, H, W) along which doubtful cells are turned over for a second look; dice that lean stay
upright (see `turned_alike`), so that only the first is for them."""
OVERLOOKED = 0.8  # how sure a die can be that the reader does not see
ASIDE = np.array([[0.08, 0], [-0.08, 0], [0, 0.08], [0, -0.08]])
"""Pitches beside their places at which the tops of dice that lean are looked for, too: from low down a die
that sits badly is seen elsewhere. Of 2,060 cells of traced windows 86 instead of 92 are wrong like this
and 10 instead of 13 of them unflagged."""
SHARPER = 1.25
"""The mean of four looks' logits is less sure than it is right: on 196 made-up scenes they are likeliest
at 1.1 times it, and little less likely at 1.25, where fewer cells of the real photos are in doubt."""


@dataclass(frozen=True, eq=False)
class CellProbabilities:
    """What the network says of the 20 cells, row by row.

    ``filled`` (20,) is the probability of a die; ``color`` (20, 5) and ``value`` (20, 6) hold
    given that there is one, ``print`` (20, 12) what is printed in the cell (see ``PRINTS``): under a die it
    is told from what shows around and through the die, which is little and often no more than its kind.
    ``strangeness`` is how unlike the game's dice those of the window look (see `vision.cells.unlike`);
    ``match`` is the profile of the household that they were read with instead.
    """

    filled: Float
    color: Float
    value: Float
    print: Float
    strangeness: float = -np.inf
    match: Match | None = None

    @property
    def dice_doubtful_below(self) -> float:
        """How sure a die must be to need no look, as far as that hangs on all dice of the window."""
        if self.match is not None:
            return self.match.doubtful_below
        if self.strangeness >= DOUBTED_FROM:
            return ALL_DOUBTFUL
        return STRANGE_DOUBTFUL_BELOW if self.strangeness >= STRANGE_FROM else DOUBTFUL_BELOW

    def rotated_180(self) -> CellProbabilities:
        """Return the same cells counted from the opposite corner."""
        return replace(
            self,
            filled=self.filled[::-1],
            color=self.color[::-1],
            value=self.value[::-1],
            print=self.print[::-1],
        )


def read_cells(
    image_bgr: NDArray[np.uint8], grid: Grid, profiles: Sequence[Profile] = ()
) -> CellProbabilities:
    """Return the probabilities of the 20 cells.

    Where it is in doubt what a cell holds, all of them are looked at again in mirrors, and where the dice
    lean also a little aside, and the answers' logits are averaged (test-time augmentation): much of what
    the network is wrong about it is wrong about one way only. A photo without doubt does not wait for that.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    profiles
        What dice of this household look like: the profile that fits best tells the colors, and its dice are
        read both ways, with light and dark as they are and exchanged. Where none fits, they are the game's.
    """
    seen = seen_in(image_bgr, grid)
    match = match_of(seen, profiles, strange=seen.strange >= UNLIKE_FROM)
    pips = READ_WITH if match else seen.own_pips
    cells = probabilities(seen.logits_for(pips))
    if (contents(cells).max(axis=1) < LOOK_AGAIN_BELOW).any():
        cells = probabilities(_looked_again(image_bgr, grid, seen, pips))
    if match is None:
        cells = replace(cells, strangeness=seen.strange)
    else:
        doubt = -np.inf if match.profile.values_known else seen.strange
        cells = replace(cells, color=match.color, match=match, strangeness=doubt)
    overlooked = not seen.is_odd(pips) and bool(seen.overlooked.any())
    return _with_overlooked(cells, seen) if overlooked else cells


def _with_overlooked(cells: CellProbabilities, seen: Seen) -> CellProbabilities:
    """Return what cells hold with the dice that the reader overlooked, which stay in doubt."""
    odd, missed = probabilities(seen.logits_as_odd(Pips.MIXED)), seen.overlooked
    return replace(
        cells,
        filled=np.where(missed, np.minimum(odd.filled, OVERLOOKED), cells.filled),
        color=np.where(missed[:, None], odd.color, cells.color),
        value=np.where(missed[:, None], odd.value, cells.value),
    )


def seen_in(image_bgr: NDArray[np.uint8], grid: Grid) -> Seen:
    """Return the cells of a window and what the reader makes of them; parameters as of `read_cells`."""
    crops = turned_alike(cell_crops(image_bgr, grid), lean_of(grid))
    return Seen(crops, *reader().run_both(to_blob(crops)), is_far=grid.pitch_px < SURE_FROM_PX)


def _looked_again(image_bgr: NDArray[np.uint8], grid: Grid, seen: Seen, pips: Pips) -> NDArray[np.float32]:
    """Return the mean of the logits, (20, 25), of several looks; that of dice is made sharper."""
    lean = lean_of(grid)
    crops, mirrors = [seen.crops], MIRRORS
    if np.hypot(*lean) >= LEANING:
        places = [replace(grid, rise=grid.rise + grid.homography[:, :2] @ aside) for aside in ASIDE]
        crops += [turned_alike(cell_crops(image_bgr, place), lean) for place in places]
        mirrors = MIRRORS[:1]
    if not seen.is_odd(pips):
        mean = _mean_of(reader(), seen.logits, crops, mirrors)
        mean[:, :DICE_LOGITS] *= SHARPER
        return seen.with_others(mean, pips)
    means = [_mean_of(odd_reader(), seen.odd_logits(Pips.LIGHT), crops, mirrors)]
    if pips is not Pips.LIGHT:
        dark = [with_light_pips(one) for one in crops]
        means.append(_mean_of(odd_reader(), seen.odd_logits(Pips.DARK), dark, mirrors))
    told = SHARPER * told_by(pips, means[0], means[-1])
    # Nothing is printed that could be read with light and dark exchanged.
    told = np.concatenate([told, seen.logits[:, DICE_LOGITS:]], axis=1).astype(np.float32)
    return seen.with_others(told, pips)


def _mean_of(
    network: Network,
    first: NDArray[np.float32],
    crops: Sequence[NDArray[np.uint8]],
    mirrors: Sequence[tuple[int, ...]],
) -> NDArray[np.float32]:
    """Return the mean of what a network says of cells and mirrors; of the first cells it said so before."""
    _, *turned = (np.flip(to_blob(one), axes) for one, axes in product(crops, ((), *mirrors)))
    mean = np.mean([first, *(network.run(np.ascontiguousarray(one)) for one in turned)], axis=0)
    return np.asarray(mean, dtype=np.float32)


def probabilities(logits: NDArray[np.float32]) -> CellProbabilities:
    """Return what logits (N, 25) of the reader say."""
    filled, color, value, print_ = np.split(logits, [2, 7, DICE_LOGITS], axis=1)
    return CellProbabilities(
        softmax(filled)[:, 1].astype(np.float64),
        softmax(color).astype(np.float64),
        softmax(value).astype(np.float64),
        softmax(print_).astype(np.float64),
    )


def contents(cells: CellProbabilities) -> Float:
    """Return the probabilities of all that a cell may hold, (20, 31).

    In the order of ``CONTENTS``.
    """
    dice = cells.color[:, :, None] * cells.value[:, None, :] * cells.filled[:, None, None]
    return np.concatenate([1 - cells.filled[:, None], dice.reshape(len(dice), -1)], axis=1)


def cell_readings(held: Float) -> tuple[CellReading, ...]:
    """Return the likeliest content of each cell with its confidence and its alternatives.

    Parameters
    ----------
    held
        (20, 31), as `contents` gives it.
    """
    found = []
    for index, shares in enumerate(held.tolist()):
        best, color, value, alternatives = best_of(shares)
        found.append(
            CellReading(
                row=index // COLUMNS,
                column=index % COLUMNS,
                color=color,
                value=value,
                confidence=round(best, DIGITS),
                doubtful=best < DOUBTFUL_BELOW,
                alternatives=alternatives,
            )
        )
    return tuple(found)


def best_of(
    shares: Sequence[float],
) -> tuple[float, Color | None, int | None, tuple[Alternative, ...]]:
    """Return the likeliest of ``CONTENTS`` with its probability, and the alternatives to it."""
    options = [(share, *content) for share, content in zip(shares, CONTENTS, strict=True)]
    (best, color, value), *rest = sorted(options, key=lambda option: -option[0])
    alternatives = tuple(
        Alternative(other_color, other_value, round(share, DIGITS))
        for share, other_color, other_value in rest[:MAX_ALTERNATIVES]
        if share >= MIN_ALTERNATIVE
    )
    return best, color, value, alternatives
