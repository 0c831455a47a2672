"""All loose dice of a photo of a table: found, read, and told whether they lie on the round track."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.dice import VALUES
from scoring.sentences import sentence
from vision.cells.dice import DOUBTFUL_BELOW, best_of
from vision.errors import BoardUnreadableError, VisionError
from vision.find.levels import Levels
from vision.find.tables import Missed
from vision.geometry import COLUMNS, DIE_EDGE, ROWS, Grid, apply_homography
from vision.loose.finding import Spot, find_dice
from vision.loose.reading import profile_of, read_best
from vision.loose.track import row_of, starts_first
from vision.loose.upright import settled
from vision.profile import Profile
from vision.reading import DIGITS
from vision.table import LooseDie

Float = NDArray[np.float64]

AROUND = 0.35  # pitches around a lattice: a die nearer to it stands in it
MIN_DIE = 0.5  # how sure it must be that there is a die at all
READABLE = 0.3  # a die less sure than this is named as unread
CLEAR_MARK = 0.5  # a die whose mark is less clear is doubtful
NAMED_MARK = 0.6  # what cannot be read is named from here on
# Of 198 marks of dice on drawn tables held back all have more as mark times reading, of 91 others 42.
EVIDENCE = 0.22
APART, APART_ALIKE = 0.6, 0.9  # edges, measured roughly, between dice; between those of one color
APART_IN_HEAP = 0.84  # the latter where no window tells how dice lean, which is taken for too little then
ART, SURE_ON_ART = 9.5, 0.97  # pitches of a frame above its lattice, and how sure a die on it must be
MOST_IN_POOL = 9  # two dice a player and one more (rulebook, "Start of the round"), four players at most


@dataclass(frozen=True, eq=False)
class LooseDice:
    """The loose dice of a photo and the middles of those that cannot be read, in pixels of the picture.

    ``windows`` are those that looked like one and are not read, without what turned out to be the track.
    """

    dice: tuple[LooseDie, ...]
    unread: tuple[Float, ...]
    windows: tuple[Missed, ...]


def unclear_die() -> VisionError:
    """Return the error for a die that cannot be read."""
    return BoardUnreadableError(
        "die_unclear",
        sentence("A loose die cannot be read."),
        sentence("Say what it shows, or photograph it from nearer."),
    )


def find_loose(
    photo: Levels, grids: Sequence[Grid], missed: Sequence[Missed], profiles: Sequence[Profile] = ()
) -> LooseDice:
    """Find and read the dice that lie in none of a table's windows, the clearest first.

    Parameters
    ----------
    photo
        The picture in its sizes.
    grids, missed
        Its windows, and what looks like one and is not read: the dice in windows are not loose.
    profiles
        What the dice may look like: that of the windows, or several of which one may fit.
    """
    edges = [grid.pitch_px * DIE_EDGE for grid in grids]
    marks = find_dice(photo, edges)
    marks = [mark for mark in marks if not any(_lies_on(mark, grid, AROUND) for grid in grids)]
    ways = settled(marks, grids)
    profile = profiles[0] if grids and profiles else profile_of(photo, ways[0], profiles)
    spots, held = read_best(photo, ways, profile)
    there = [k for k in range(len(spots)) if _is_die(spots[k], held[k])]
    there = _apart(spots, held, there, APART_ALIKE if grids else APART_IN_HEAP)
    there = _without_glass(spots, held, there, grids)
    spots, held = [spots[k] for k in there], held[there]
    row = row_of(spots)
    on_track = _rounds(photo, row, spots)
    missed = [one for one in missed if not any(_is_at(one, spots[k]) for k in row)]
    dice: list[LooseDie] = []
    pool: list[LooseDie] = []
    unread: list[Float] = []
    for k, (spot, shares) in enumerate(zip(spots, held, strict=True)):
        around = [one for one in missed if one.covers(spot.top)] if k not in on_track else []
        if around and (grids or any(one.is_window for one in around)):
            continue  # beside a window that is read, a place like a window is no pool
        die = _die(spot, shares)
        if die is None:
            unread.append(spot.top)
        elif k in on_track:
            dice.append(replace(die, place="track", round=on_track[k]))
        else:
            (dice if around else pool).append(die)
    # Of more than a pool can hold, what is doubtful may be beads or glass.
    drafted = pool if len(pool) <= MOST_IN_POOL else [die for die in pool if not die.doubtful]
    if len(drafted) <= MOST_IN_POOL:
        pool = [replace(die, place="pool") if die in drafted else die for die in pool]
    return LooseDice((*dice, *pool), tuple(unread), tuple(missed))


def _is_at(missed: Missed, die: Spot) -> bool:
    """Return whether what looks like a window has its middle at a die of the track."""
    return bool(np.linalg.norm(missed.middle - die.top) < die.edge)


def _is_die(spot: Spot, shares: Float) -> bool:
    """Return whether a mark is a die: what is faint and not read is none."""
    best = float(shares[1:].max())
    if shares[0] > 1 - MIN_DIE:
        return False
    return spot.sure >= NAMED_MARK if best < READABLE else spot.sure * best >= EVIDENCE


def _without_glass(
    spots: Sequence[Spot], held: Float, there: Sequence[int], grids: Sequence[Grid]
) -> list[int]:
    """Return the dice without pieces of glass: on art a die is what is sure, or stands in the track's row."""
    glass = {
        k
        for k in there
        if held[k, 1:].max() < SURE_ON_ART and any(_lies_on(spots[k], grid, ART) for grid in grids)
    }
    clear = [k for k in there if k not in glass]
    rows = [[some[k] for k in row_of([spots[one] for one in some])] for some in (clear, there) if glass]
    return sorted({*clear, *max(rows, key=len, default=[])})


def _apart(spots: Sequence[Spot], held: Float, there: Sequence[int], alike: float) -> list[int]:
    """Return the dice without those in whose place a surer one stands: side faces look like tops.

    ``alike`` is how many edges apart two of one color are.
    """
    colors = held[:, 1:].argmax(axis=1) // len(VALUES)
    kept: list[int] = []
    for k in sorted(there, key=lambda one: -spots[one].sure * spots[one].edge * float(held[one, 1:].max())):
        least = [alike if colors[k] == colors[other] else APART for other in kept]
        away = (_distance(spots[k], spots[other]) / spots[other].edge for other in kept)
        if all(far > near for far, near in zip(away, least, strict=True)):
            kept.append(k)
    return kept


def _distance(one: Spot, other: Spot) -> float:
    """Return how far two dice lie apart, in pixels, as seen from straight above."""
    away, rise = other.top - one.top, float(np.linalg.norm(other.up))
    along, lean = float(away @ other.up) / max(rise, 1e-9), rise / other.edge
    across = float(away @ away - along**2)
    return float(np.sqrt(max(across, 0) + along**2 / max(1 - lean**2, 0.1)))


def _lies_on(spot: Spot, grid: Grid, above: float) -> bool:
    """Return whether a die lies on a window's lattice, or ``above`` pitches over it."""
    x, y = apply_homography(np.asarray(np.linalg.inv(grid.plane(1.0))), spot.top[None])[0]
    return bool(-AROUND < x < COLUMNS + AROUND and -above < y < ROWS + AROUND)


def _rounds(photo: Levels, row: dict[int, int], spots: Sequence[Spot]) -> dict[int, int | None]:
    """Return the rounds of the dice on the track, by their index."""
    first = starts_first(photo.image_bgr, [spots[k] for k in row]) if row else None
    if first is None:
        return dict.fromkeys(row)
    last = max(row.values())
    return {k: 1 + (number if first else last - number) for k, number in row.items()}


def _die(spot: Spot, shares: Float) -> LooseDie | None:
    """Return what a die most likely shows, None where that is not known."""
    best, color, value, alternatives = best_of(shares.tolist())
    if color is None or value is None or best < READABLE:
        return None
    return LooseDie(
        color=color,
        value=value,
        confidence=round(best, DIGITS),
        doubtful=best < DOUBTFUL_BELOW or spot.sure < CLEAR_MARK,
        alternatives=alternatives,
        center=(float(spot.top[0]), float(spot.top[1])),
        size=spot.edge,
    )
