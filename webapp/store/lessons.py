"""What was learned from a window, in a file beside its photo; it holds no picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from vision.profile import How, Quality
from webapp.companion.household import Lesson, WindowLesson
from webapp.store.disk import locked, write_whole

FILE, LOCK = "lesson.json", "lesson.lock"


def kept_lesson(folder: Path) -> WindowLesson | None:
    """Return what is known in the folder of a reading; a file that cannot be understood is none."""
    try:
        data = json.loads((folder / FILE).read_bytes())
        came, how = data.pop("came"), How(data.pop("how"))
        lesson = came and Lesson(**{**came, "quality": Quality(**came["quality"]), "odd": tuple(came["odd"])})
        return WindowLesson(came=lesson, how=how, **data)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def change_lesson(folder: Path, change: Callable[[WindowLesson | None], WindowLesson | None]) -> None:
    """Put ``change(lesson)`` in the place of what is known, while nobody else does.

    Raises
    ------
    OSError
        The disk refuses, or the reading is gone.
    """
    with locked(folder / LOCK):
        before = kept_lesson(folder)
        after = change(before)
        if after is not None and after != before:
            write_whole(folder / FILE, json.dumps(asdict(after)).encode())
