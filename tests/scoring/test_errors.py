from __future__ import annotations

import re
from pathlib import Path

import pytest

import scoring
from scoring import InvalidValueError, NotationError, UnknownNameError
from scoring.names import NOTHING_CALLED

SOURCES = "\n".join(
    path.read_text(encoding="utf-8") for path in Path(scoring.__file__).parent.glob("**/*.py")
)


@pytest.mark.parametrize("error", [NotationError, InvalidValueError, UnknownNameError])
def test_every_code_is_listed_at_its_error(error: type[Exception]) -> None:
    """Whoever handles an error finds all its codes in one place, and none that is never raised."""
    raised = set(re.findall(rf'{error.__name__}\(\s*"(\w+)"', SOURCES))
    listed = set(re.findall(r"``(\w+)``", error.__doc__ or "")) - {"suggestions"}
    if error is UnknownNameError:
        raised |= {f"unknown_{kind.replace(' ', '_')}" for kind in NOTHING_CALLED}
    assert raised == listed
