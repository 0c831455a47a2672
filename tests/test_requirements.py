"""The lock files hold what pyproject.toml asks for, and what is known of their packages is told truly."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.audit import verdict

ROOT = Path(__file__).resolve().parent.parent
ENTRY = re.compile(r"^([\w.-]+)==(\S+)(.*?)((?: \\\n +--hash=sha256:[0-9a-f]{64})*)$", re.MULTILINE)
FLAW = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["2.1"]}


def locked(name: str) -> list[tuple[str, ...]]:
    """Return name, version, marker and hashes of each entry of a lock file."""
    return ENTRY.findall((ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8"))


def answer(*packages: dict[str, object]) -> str:
    """Return what pip-audit prints of ``packages``."""
    return json.dumps({"dependencies": packages})


@pytest.mark.parametrize(("name", "extras"), [("run", ()), ("develop", ("test", "lint"))])
def test_what_the_project_asks_for_is_locked(name: str, extras: tuple[str, ...]) -> None:
    """Each requirement has an entry within its range: after a change, run `make lock`."""
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, optional = asked["project"], asked["project"]["optional-dependencies"]
    texts = [*asked["build-system"]["requires"], *project["dependencies"]]
    for extra in extras:
        texts += optional[extra]
    wanted = [Requirement(text) for text in texts]
    for requirement in [one for one in wanted if one.name == project["name"]]:
        wanted.remove(requirement)
        wanted += [Requirement(text) for extra in requirement.extras for text in optional[extra]]
    entries = locked(name)
    assert [
        str(requirement)
        for requirement in wanted
        if not any(
            entry == requirement.name and version in requirement.specifier for entry, version, *_ in entries
        )
    ] == []


def test_each_locked_package_has_its_hashes() -> None:
    """No line of a lock file is without a hash, and what people run is what the tests run with."""
    run, develop = locked("run"), locked("develop")
    for name, entries in (("run", run), ("develop", develop), ("uv", locked("uv"))):
        text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        assert len(entries) == len([line for line in text.splitlines() if line and line[0] not in "# "])
        assert [entry for entry, *_, hashes in entries if not hashes] == []
        assert "://" not in text
    assert set(run) <= set(develop)


def test_a_known_vulnerability_fails_unless_there_is_a_reason() -> None:
    """A package with a known vulnerability is named, and fails unless its number is accepted."""
    found = answer({"name": "flask", "version": "2.0", "vulns": [FLAW]})
    said, sound = verdict(found, {})
    assert not sound
    assert said[0] == "flask 2.0: PYSEC-1: mended in 2.1"
    said, sound = verdict(found, {"CVE-1": "the page has no such thing"})
    assert sound
    assert said[0] == "flask 2.0: PYSEC-1: the page has no such thing"


@pytest.mark.parametrize("told", ["", answer({"name": "flask", "skip_reason": "not found"})])
def test_where_nothing_can_be_asked_nothing_is_called_sound(told: str) -> None:
    """Without the data the answer says that nobody looked, and does not fail."""
    (line,), sound = verdict(told, {})
    assert sound
    assert "NOT looked up" in line


def test_what_was_not_looked_up_is_named() -> None:
    """Where only some packages can be looked up the others are named."""
    told = answer({"name": "flask", "version": "3.0", "vulns": []}, {"name": "odd", "skip_reason": "unknown"})
    said, sound = verdict(told, {})
    assert sound
    assert said == [
        "NOT looked up, since their data cannot be reached: odd.",
        "1 packages looked up, no vulnerabilities that matter.",
    ]
