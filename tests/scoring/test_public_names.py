from __future__ import annotations

import subprocess
import sys
import types

import pytest

import scoring
from scoring import InvalidValueError, NotationError, SagradaError, ScoringError, Sentence, UnknownNameError


def test_all_lists_exactly_the_public_names() -> None:
    """What `scoring` offers and what `__all__` says are the same."""
    public = {
        name
        for name, thing in vars(scoring).items()
        if not name.startswith("_") and not isinstance(thing, types.ModuleType)
    }
    assert set(scoring.__all__) == public
    assert len(scoring.__all__) == len(set(scoring.__all__))


def test_importing_the_rules_loads_nothing_but_python() -> None:
    """`import scoring` pulls in the standard library and itself."""
    program = (
        "import sys; before = set(sys.modules); import scoring; "
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "scoring" in loaded
    assert loaded - sys.stdlib_module_names == {"scoring"}


@pytest.mark.parametrize("kind", [NotationError, InvalidValueError])
def test_every_error_is_a_scoring_error(kind: type[ScoringError]) -> None:
    """All are caught as ScoringError or ValueError, and carry code, sentence and next step."""
    error = kind("some_code", Sentence("Something is wrong."), Sentence("Do something."))
    assert isinstance(error, ScoringError)
    assert isinstance(error, SagradaError)
    assert isinstance(error, ValueError)
    assert str(error) == "Something is wrong. Do something."
    assert error.to_json() == {
        "code": "some_code",
        "message": "Something is wrong.",
        "next_step": "Do something.",
    }


def test_an_unknown_name_is_also_a_missing_key() -> None:
    """Looking up a window in a mapping fails as mappings do, and still reads like a sentence."""
    error = UnknownNameError(
        "unknown_window", Sentence("There is none."), Sentence("Did you mean A?"), {"suggestions": ["A"]}
    )
    assert isinstance(error, ScoringError)
    assert isinstance(error, KeyError)
    assert str(error) == "There is none. Did you mean A?"
    assert error.suggestions == ("A",)
    assert error.to_json()["data"] == {"suggestions": ["A"]}
