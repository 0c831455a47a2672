"""Holding that something is refused, by the code that programs get."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from scoring.errors import SagradaError


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Fail unless the block raises an error with this code."""
    with pytest.raises(SagradaError) as caught:
        yield
    assert caught.value.code == code
