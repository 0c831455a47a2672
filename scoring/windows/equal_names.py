"""Windows with equal names, as promo cards have them: one name on several cards, or on both sides of one.

Where windows are chosen the name is the key, so all but the first get a number behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from scoring.names import LONGEST_NAME, plain
from scoring.windows.patterns import WindowPattern


def told_apart(windows: Sequence[WindowPattern]) -> tuple[WindowPattern, ...]:
    """Return the windows with a number behind each name that comes again; the same window counts once.

    Two sides of a card may have the same name, too.

    Examples
    --------
    >>> made = [WindowPattern.parse(f"{space}.... / ..... / ..... / .....", "Fair") for space in "RGR"]
    >>> [window.name for window in told_apart(made)]
    ['Fair', 'Fair (2)']
    """
    once: dict[tuple[str, object], WindowPattern] = {}
    for window in windows:
        once.setdefault((plain(window.name), window.cells), window)
    kept = list(once.values())
    backs = _backs(kept)
    used: set[str] = set()
    named = []
    for window in kept:
        names = [_free(name, used) for name in window.all_names]
        used |= {plain(name) for name in names}
        others = zip(window.names, names[1:], strict=True)
        named.append(
            replace(window, name=names[0], names=tuple((language, name) for (language, _), name in others))
        )
    return tuple(
        window if back is None else replace(window, other_side=named[back].name)
        for window, back in zip(named, backs, strict=True)
    )


def _backs(windows: Sequence[WindowPattern]) -> list[int | None]:
    """Return the place of the window on the back of each, None where there is none; no back is two's."""
    backs: list[int | None] = [None] * len(windows)
    for place, window in enumerate(windows):
        if window.other_side is None or backs[place] is not None:
            continue
        free = [
            other
            for other, one in enumerate(windows)
            if other != place and backs[other] is None and plain(one.name) == plain(window.other_side)
        ]
        # One that names this window as its own back comes before one that names none.
        free.sort(key=lambda other: plain(windows[other].other_side or "") != plain(window.name))
        if free:
            backs[place], backs[free[0]] = free[0], place
    return backs


def _free(name: str, used: set[str]) -> str:
    """Return the name, or where that is taken the name with a number behind it."""
    if plain(name) not in used:
        return name
    longer = (name[: LONGEST_NAME - len(f" ({number})")] + f" ({number})" for number in count(2))
    return next(one for one in longer if plain(one) not in used)
