from __future__ import annotations

import re
from pathlib import Path

import pytest

import scoring
from scoring import InvalidValueError, NotationError, UnknownNameError

SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in Path(scoring.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("error", [NotationError, InvalidValueError, UnknownNameError])
def test_every_code_is_listed_at_its_error(error: type[Exception]) -> None:
    """Whoever handles an error finds all its codes in one place, and none that is never raised."""
    raised = set(re.findall(rf'{error.__name__}\(\s*"(\w+)"', SOURCES))
    listed = set(re.findall(r"``(\w+)``", error.__doc__ or "")) - {"suggestions"}
    if error is UnknownNameError:
        # The name is looked for among things of one kind, which is the last plain text in the call.
        kinds = re.findall(r'find_name\(.+?, "([a-z ]+)"[,)]', SOURCES)
        raised |= {f"unknown_{kind.replace(' ', '_')}" for kind in kinds}
    assert raised == listed
