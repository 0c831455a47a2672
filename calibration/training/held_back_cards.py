"""How well public objective cards are read: ``python -m calibration.training.held_back_cards [FOLDER]``.

Cards are laid on made-up tables, several at a time, photographed at a slant with what phones do to pictures,
and read. The cards are scans, where a folder of them with its ``labels.json`` is named (``kind`` and ``name``
of each), or else drawn from seeds that nothing was learned from.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import card_tables, objectives, other_cards
from calibration.training.synthetic.card_tables import Card, Laid
from vision.errors import VisionError
from vision.objectives import find_objectives
from vision.photo import brightened, check_colors, load_photo
from vision.table import CardReading, Unread

FIRST_SEED = 9_500_000
"""What the networks learn from counts from other seeds."""
WIDE_PX = 120  # from this width on, in pixels of the photo, a card is owed
WHOLE = 0.97  # share of a card that must show
FAR = 0.35  # card widths that the middle of a reading may be off the card's

Draw = Callable[[np.random.Generator], Card]
Answer = tuple[tuple[CardReading, ...], tuple[Unread, ...]]


@dataclass(frozen=True)
class Count:
    """What became of the cards of many photos.

    Keys of ``owed`` and ``small``: right, right and flagged, wrong, wrong and flagged, unread, missed.
    ``invented`` are readings where no public objective lies, and how many of these were flagged.
    """

    owed: Counter[str] = field(default_factory=Counter)
    small: Counter[str] = field(default_factory=Counter)
    invented: Counter[str] = field(default_factory=Counter)
    corners: list[float] = field(default_factory=list)

    def add(self, laid: Sequence[Laid], answer: Answer) -> list[str]:
        """Count one photo; return what went wrong in it, in words."""
        cards, unread = answer
        left, faults = list(cards), []
        for one in laid:
            if not one.name:
                continue
            near = [card for card in left if _is_at(card.corners, one)]
            if near:
                left.remove(near[0])
                fate = ("right" if near[0].name == one.name else "wrong") + (
                    " and flagged" if near[0].doubtful else ""
                )
                if near[0].name == one.name:
                    off = np.linalg.norm(np.array(near[0].corners) - one.corners, axis=1)
                    self.corners.append(float(off.max()) / one.width_px)
            else:
                fate = "unread" if any(_is_at((card.center,), one) for card in unread) else "missed"
            owed = one.width_px >= WIDE_PX and one.seen >= WHOLE
            (self.owed if owed else self.small)[fate] += 1
            if fate != "right" and (owed or fate == "wrong"):
                said = near[0].name if near else ""
                faults.append(f"{one.name}: {fate} {said} ({one.width_px:.0f} px, {one.seen:.0%} seen)")
        for card in left:
            self.invented["flagged" if card.doubtful else "sure"] += 1
            faults.append(f"invented: {card.name}, {card.confidence:.2f}")
        return faults

    def __str__(self) -> str:
        """Return the figures, a line each."""
        owed = sum(self.owed.values())
        off = (
            f"{np.median(self.corners):.1%}, 95 in 100 {np.quantile(self.corners, 0.95):.1%}"
            if self.corners
            else "-"
        )
        return (
            f"of {owed} cards at least {WIDE_PX} px wide: {_said(self.owed)}\n"
            f"of {sum(self.small.values())} smaller or partly hidden ones: {_said(self.small)}\n"
            f"invented: {_said(self.invented) or 'none'}; corners off by {off} of a card's width"
        )


def _said(count: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in count.most_common())


def _is_at(points: Iterable[tuple[float, float]], one: Laid) -> bool:
    middle = np.mean(np.array(list(points)), axis=0) - one.corners.mean(0)
    return float(np.linalg.norm(middle)) < FAR * one.width_px


def read(image_bgr: NDArray[np.uint8]) -> Answer:
    """Return the cards in a photo, uint8 BGR, as they are read from a file of it."""
    _, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 92])
    try:
        photo = brightened(load_photo(data.tobytes()))
        check_colors(photo)
    except VisionError:  # as of a whole table: what nobody can see is refused before anything is looked for
        return (), ()
    return find_objectives(photo, ())


def table(seed: int, objective: Draw, other: Draw) -> tuple[NDArray[np.uint8], list[Laid]]:
    """Return a photo of one to six cards on a table, a third of them no public objectives."""
    rng = np.random.default_rng(seed)
    size = [(1600, 1200), (1200, 1600), (2200, 1650), (1280, 960)][int(rng.integers(4))]
    width = float(np.exp(rng.uniform(np.log(110), np.log(0.28 * max(size)))))
    cards = [(objective if rng.random() < 0.67 else other)(rng) for _ in range(int(rng.integers(1, 7)))]
    return card_tables.photograph(rng, cards, size, width_px=width, crowded=0.35)


def alone(seed: int, card: Card) -> tuple[NDArray[np.uint8], list[Laid]]:
    """Return a picture that a card fills."""
    rng = np.random.default_rng(seed)
    size = [(700, 960), (960, 1280), (960, 700)][int(rng.integers(3))]
    return card_tables.scanned(rng, card, size)


def scans_of(folder: Path) -> list[Card]:
    """Return the scans of a folder; what is no public objective has no name."""
    cards = []
    for name, label in json.loads((folder / "labels.json").read_text(encoding="utf-8")).items():
        image = cv2.imread(str(folder / name))
        if image is None:
            raise SystemExit(f"{name} cannot be read.")
        named = label["name"] if label["kind"] == "public_objective" else None
        cards.append(Card(named, np.asarray(image, dtype=np.float32) / np.float32(255)))
    return cards


def draws_of(folder: Path | None) -> tuple[Draw, Draw]:
    """Return how to come by a public objective and by another card: from a folder, or drawn."""
    if folder is None:
        return _drawn, lambda rng: Card(None, other_cards.other_card(rng))
    scans = scans_of(folder)
    named, others = [one for one in scans if one.name], [one for one in scans if not one.name]
    return (lambda rng: named[int(rng.integers(len(named)))]), (
        lambda rng: others[int(rng.integers(len(others)))]
    )


def _drawn(rng: np.random.Generator) -> Card:
    name = objectives.NAMES[int(rng.integers(len(objectives.NAMES)))]
    return Card(name, objectives.objective(rng, name))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--photos", type=int, default=100)
    parser.add_argument("--first", type=int, default=FIRST_SEED)
    parser.add_argument("--save", type=Path, help="a folder for the photos in which something went wrong")
    args = parser.parse_args()
    objective, other = draws_of(args.folder)
    if args.folder:
        bare = Count()
        for card in scans_of(args.folder):
            picture = np.asarray(card.picture * 255, dtype=np.uint8)
            height, width = picture.shape[:2]
            corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
            for fault in bare.add([Laid(card.name, corners)], read(picture)):
                print("  as it is:", fault)
        print(f"the scans as they are:\n{bare}")
    for title, count in (("tables", args.photos), ("one card fills the picture", args.photos // 2)):
        got = Count()
        for seed in range(args.first, args.first + count):
            if title == "tables":
                image, laid = table(seed, objective, other)
            else:
                rng = np.random.default_rng([seed, 1])
                image, laid = alone(seed, (objective if rng.random() < 0.67 else other)(rng))
            faults = got.add(laid, read(image))
            for fault in faults:
                print(f"  {seed}: {fault}", flush=True)
            if faults and args.save:
                cv2.imwrite(str(args.save / f"{title.split()[0]}_{seed}.png"), image)
        print(f"{title} ({count} photos):\n{got}", flush=True)


if __name__ == "__main__":
    main()
