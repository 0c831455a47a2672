"""Where photos come from and what is asked of them: whatever differs in either is never counted as one."""

from __future__ import annotations

from collections.abc import Mapping

ORIGINS = ("rendered", "real", "synthetic")
TABLES, LOW_ANGLES, COVERED, CARDS = "tables", "low angles", "covered", "cards"
GROUPS = ("", TABLES, LOW_ANGLES, COVERED, CARDS)
"""Photos counted apart from the others of their origin, since more or something else is asked of them."""

SECTIONS = tuple(f"{origin} {group}".strip() for group in GROUPS for origin in ORIGINS)
"""All that photos are told apart by, in the order in which it is shown."""

TITLES = {
    "rendered": "Rendered photos",
    "real": "Real photos",
    "synthetic": "Synthetic scenes that nothing was learned from",
    "rendered tables": "Rendered tables",
    "real tables": "Real tables",
    "synthetic tables": "Synthetic tables that nothing was learned from",
    "rendered low angles": "Rendered photos from low angles",
    "rendered covered": "Rendered photos with covered spaces",
    "real cards": "Scans of cards",
}
"""What the photos of a section are; of one that is not named here its own name tells."""

TABLE = "table"
"""The kind of photos whose windows are all to be read."""

CARD = "public_objective"
CARD_KINDS = (CARD, "private_objective", "tool")
"""The kinds of photos of a single card: public objectives are to be recognized, others not taken for one."""

LOW_ANGLE_DEG = 35  # tilted so far, a window is a low angle's; of the other photos the steepest has 30


def origin_in(keys: Mapping[str, object]) -> str:
    """Return the ``origin`` in a label, else ``"rendered"`` when it has a ``seed``, or ``"real"``."""
    origin = keys.get("origin")
    if origin in ORIGINS:
        return str(origin)
    return "rendered" if "seed" in keys else "real"


def group_in(keys: Mapping[str, object]) -> str:
    """Return which of `GROUPS` the photo of a label belongs to."""
    kind, tilt = keys.get("kind"), keys.get("tilt")
    if kind == TABLE:
        return TABLES
    if kind in CARD_KINDS:
        return CARDS
    if "covered" in keys:
        return COVERED
    return LOW_ANGLES if isinstance(tilt, int | float) and tilt >= LOW_ANGLE_DEG else ""
