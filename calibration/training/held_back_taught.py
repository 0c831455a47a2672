"""How well taught cards are known again: ``python -m calibration.training.held_back_taught FOLDER``.

The folder holds scans of cards in two printings, ``it1_*`` and ``it2_*``, with ``labels.json`` (the ``name``
of each). One printing is taught, by a photo of all its cards side by side, and scans of the other are read:
as they are, and on made-up tables under light and glare as phones see them: those that are whole in view, and
on tables where cards lie over each other those of which something is hidden. Then each photo is read again
with all cards taught but those in it: none may be named.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import card_tables
from calibration.training.synthetic.card_tables import Card, Laid
from vision.objectives import find_objectives
from vision.photo import Photo, brightened, in_white_light, load_photo
from vision.table import CardReading
from vision.taught import TaughtCard, cards_on, find_taught, learn_card

FIRST_SEED = 9_800_000  # what thresholds were set on counts from other seeds
PRINTINGS = ("it1", "it2")
WIDTHS_PX = (120, 180, 250)
TABLE = (8, 6)  # the size of a photo in widths of a card
CARDS, MOST_TILT_DEG = 6, 45.0
WHOLE, PARTLY = 0.97, 0.6  # share of a card that shows, at least
HIDDEN_WIDTH_PX = 180
FAR = 0.35  # card widths that the middle of a reading may be off the card's
SHEET, GAP_PX, SHEET_CARD_PX = 7, 30, (260, 364)

Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Fates:
    """What became of the cards: right, right and flagged, wrong, wrong and flagged, not found."""

    count: Counter[str] = field(default_factory=Counter)

    def add(self, name: str | None, near: Sequence[CardReading]) -> None:
        """Count a card; ``name`` is None where none should be named."""
        if not near:
            self.count["not found"] += 1
            return
        best = max(near, key=lambda card: card.confidence)
        flagged = " and flagged" if best.doubtful else ""
        self.count[("right" if any(card.name == name for card in near) else "wrong") + flagged] += 1

    def line(self, about: str) -> str:
        """Return them as the line of a table."""
        right, flagged = self.count["right"], self.count["right and flagged"]
        wrong, unsure = self.count["wrong"], self.count["wrong and flagged"]
        total = self.count.total()
        return (
            f"| {about} | {total} | {right + flagged} ({flagged}) | {wrong} | {unsure} "
            f"| {self.count['not found']} |"
        )


def scans(folder: Path, printing: str) -> dict[str, Picture]:
    """Return the scans of a printing by the names of their cards, uint8 BGR."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    files = {label["name"]: file for file, label in labels.items() if file.startswith(printing)}
    return {name: np.asarray(cv2.imread(str(folder / file)), np.uint8) for name, file in files.items()}


def sheet(pictures: Iterable[Picture], ground: int = 60) -> Picture:
    """Return a photo of cards that lie side by side on a ground of one gray."""
    cards = [np.asarray(cv2.resize(one, SHEET_CARD_PX, interpolation=cv2.INTER_AREA)) for one in pictures]
    (width, height), rows = SHEET_CARD_PX, -(-len(cards) // SHEET)
    size = (rows * (height + GAP_PX) + GAP_PX, SHEET * (width + GAP_PX) + GAP_PX, 3)
    out = np.full(size, ground, np.uint8)
    for number, card in enumerate(cards):
        y, x = (GAP_PX + (n * (side + GAP_PX)) for n, side in zip(divmod(number, SHEET), (height, width)))  # noqa: B905
        out[y : y + height, x : x + width] = card
    return out


def photo_of(image_bgr: Picture, quality: int = 92) -> Photo:
    """Return a picture as it is read from the file of a photo."""
    data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    return in_white_light(brightened(load_photo(data, max_side=4096)))


def taught_from(pictures: dict[str, Picture]) -> list[TaughtCard]:
    """Return the cards that a photo of all of them teaches, each named once."""
    image = sheet(pictures.values())
    found = cards_on(photo_of(image))
    if len(found) != len(pictures):
        raise SystemExit(f"{len(found)} cards were found on a sheet of {len(pictures)}.")
    return [learn_card(image, np.array(one.corners), name) for name, one in zip(pictures, found, strict=True)]


def tables(
    pictures: dict[str, Picture], width_px: int, count: int, *, hidden: bool = False
) -> Iterator[tuple[Photo, list[Laid]]]:
    """Yield photos of tables with cards of a printing, whole ones or those of which something is hidden."""
    names = list(pictures)
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        rng = np.random.default_rng(seed)
        cards = [
            Card(names[k], pictures[names[k]].astype(np.float32) / np.float32(255))
            for k in rng.permutation(len(names))[:CARDS]
        ]
        size = (TABLE[0] * width_px, TABLE[1] * width_px)
        image, laid = card_tables.photograph(
            rng, cards, size, width_px=width_px, max_tilt_deg=MOST_TILT_DEG, crowded=hidden
        )
        low, high = (PARTLY, WHOLE) if hidden else (WHOLE, np.inf)
        yield photo_of(image), [one for one in laid if low <= one.seen < high]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--photos", type=int, default=12, help="tables of each width and printing")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    out = partial(print, flush=True)
    out("| cards | number | right (of these flagged) | wrong | wrong, flagged | not found |")
    out("|---|---:|---:|---:|---:|---:|")
    read = {printing: scans(options.folder, printing) for printing in PRINTINGS}
    known = {printing: taught_from(pictures) for printing, pictures in read.items()}
    pairs = [PRINTINGS, PRINTINGS[::-1]]
    for learned, other in pairs:
        found, strange = Fates(), Fates()
        for name, image in read[other].items():
            _count(photo_of(image), [(name, None)], known[learned], found, strange)
        out(found.line(f"{other}, scans as they are, {learned} taught"))
        out(strange.line("the same, taught all but these"))
    for width_px, hidden in [*((width_px, False) for width_px in WIDTHS_PX), (HIDDEN_WIDTH_PX, True)]:
        for learned, other in pairs:
            found, strange = Fates(), Fates()
            for photo, laid in tables(read[other], width_px, options.photos, hidden=hidden):
                _count(photo, [(one.name or "", one) for one in laid], known[learned], found, strange)
            about = f"{other}, {width_px} px wide on tables, {learned} taught"
            out(found.line(f"{about}{', of which something is hidden' if hidden else ''}"))
            out(strange.line("the same, taught all but these"))


def _count(
    photo: Photo,
    cards: Sequence[tuple[str, Laid | None]],
    taught: list[TaughtCard],
    found: Fates,
    strange: Fates,
) -> None:
    """Read a photo with all cards taught, and with all but those that lie there."""
    by_diagram = find_objectives(photo, ())[0]
    near: Callable[[Sequence[CardReading], Laid | None], list[CardReading]] = lambda read, laid: [  # noqa: E731
        card for card in read if laid is None or _is_at(card, laid)
    ]
    all_known = find_taught(photo, taught, by_diagram)
    there = {name for name, _ in cards}
    # Without the diagrams: what these read right is no merit of the taught cards.
    unknown = find_taught(photo, [card for card in taught if card.name not in there])
    for name, laid in cards:
        found.add(name, near(all_known, laid))
        strange.add(None, near(unknown, laid))


def _is_at(card: CardReading, one: Laid) -> bool:
    middle = np.array(card.corners).mean(axis=0) - one.corners.mean(axis=0)
    return float(np.linalg.norm(middle)) < FAR * one.width_px


if __name__ == "__main__":
    main()
