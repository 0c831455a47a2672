"""What pages and the terminal say, read off as people see it, so that it can be held against the JSON."""

from __future__ import annotations

import re
from html import unescape

TAG = re.compile(r"<[^>]+>")


def said(page: str, pattern: str) -> list[str]:
    """Return the text of each group that ``pattern`` finds in a page, without tags and double blanks."""
    found = re.findall(pattern, page, re.DOTALL)
    return [" ".join(unescape(TAG.sub(" ", one)).split()) for one in found]


def problems(page: str) -> list[str]:
    """Return the broken rules that the page of a window, or the part of a reveal about one, names."""
    with_rules = said(page, r'class="line problem".*?<span class="line-words">(.*?)(?:<small>|</span>)')
    return [one for one in with_rules if one]


def notices(page: str) -> list[str]:
    """Return what else there is to know about a window."""
    return said(page, r'<p class="hint excused">(.*?)</p>')


def lines(page: str) -> list[tuple[str, int]]:
    """Return name and points of each line of a score."""
    names = said(page, r'<span class="line-words"><b>(.*?)</b>')
    points = said(page, r'<span class="line-points"><small>.*?</small><b>(.*?)</b>')
    return [(name, int(one.replace("−", "-"))) for name, one in zip(names, points, strict=True)]


def total(page: str) -> int | None:
    """Return the points of a window, None where a dash stands for them."""
    (points,) = re.findall(r'data-total="(-?\d*)"', page)
    return int(points) if points else None


def windows(reveal: str) -> dict[str, str]:
    """Return the part of a reveal about each player, in the order of the page."""
    parts = reveal.split('<article class="shown-window"')[1:]
    return {said(one, r'<h2 id="name-\d+">(.*?)</h2>')[0]: one.split("</article>")[0] for one in parts}


def places(reveal: str) -> list[tuple[str, str]]:
    """Return place and name of each player, best first."""
    ranked = said(reveal, r'<span class="rank-place">(.*?)</span>')
    names = said(reveal, r'<span class="rank-name">(.*?)(?: <small>|</span>)')
    return list(zip(ranked, names, strict=True))


def blocks(text: str, names: list[str]) -> dict[str, list[str]]:
    """Return what the terminal says under the name of each player; of the game itself under no name."""
    found: dict[str, list[str]] = {"": []}
    about = ""
    for line in text.splitlines():
        if line.removesuffix(":") in names and line.endswith(":"):
            about = line[:-1]
            found[about] = []
        elif line.startswith("  ") and about:
            found[about].append(line[2:])
        elif line:
            about = ""
            found[""].append(line)
    return found
