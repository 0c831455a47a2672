"""Rules that hold for the whole project: names, imports, size, and what must never be written down."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from webapp.cli.sagrada import main

PACKAGES = ("scoring", "vision", "calibration", "webapp")
ROOT = Path(__file__).resolve().parent.parent
NOT_OURS = {
    ".git", ".venv", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".import_linter_cache", ".hypothesis",
    ".coverage", "__pycache__", "build", "dist", "instance", "scratch", "node_modules",
}  # fmt: skip
TEXT_KINDS = {
    ".py", ".md", ".toml", ".json", ".html", ".css", ".js", ".svg", ".sql", ".txt", ".cfg", ".yml", "",
}  # fmt: skip
NEEDS_EXTRA = re.compile(
    r"^(import (torch|drjit|mitsuba)|from calibration.training.synthetic import traced)\b", re.MULTILINE
)
"""Modules that only the ``train`` extra can import."""


def our_files(folder: Path = ROOT) -> Iterator[Path]:
    """Yield every file of the project."""
    for path in sorted(folder.iterdir()):
        if path.name in NOT_OURS or path.name.endswith(".egg-info"):
            continue
        if path.is_dir():
            yield from our_files(path)
        else:
            yield path


def our_modules() -> list[Path]:
    """Return every Python file of the four packages."""
    return [path for package in PACKAGES for path in our_files(ROOT / package) if path.suffix == ".py"]


def python(script: str, *options: str) -> str:
    """Run ``script`` in a fresh Python at the project's root and return what it printed."""
    done = subprocess.run(
        [sys.executable, *options, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", PACKAGES)
def test_public_names_are_exactly_those_listed(name: str) -> None:
    """Each package's ``__all__`` names all that its ``__init__`` brings in, and nothing else."""
    package = importlib.import_module(name)
    listed = set(package.__all__)
    tree = ast.parse((ROOT / name / "__init__.py").read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES
        for alias in node.names
    }
    assert all(hasattr(package, public) for public in listed)
    assert not any(isinstance(getattr(package, public), ModuleType) for public in listed)
    assert {public for public in imported if not public.startswith("_")} <= listed


def test_scoring_runs_on_python_alone() -> None:
    """`import scoring` works without any installed package and brings in no other package of ours."""
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import scoring; scoring.WINDOW_PATTERNS['Batllo'];"
        "known = sys.stdlib_module_names | {'scoring', '__main__'};"
        "print(*sorted({name.split('.')[0] for name in sys.modules} - known))"
    )
    assert python(script, "-I", "-S") == ""


def test_scoring_loads_what_it_needs() -> None:
    """`import scoring` leaves slow parts of Python for when they are asked for.

    How long it takes is measured in benchmarks/speed.py.
    """
    script = "import sys; before = set(sys.modules); import scoring; print(*set(sys.modules) - before)"
    loaded = python(script).split()
    assert not {"asyncio", "decimal", "email", "fractions", "logging", "random"} & set(loaded)


def test_importing_changes_nothing(tmp_path: Path) -> None:
    """Importing our modules leaves logging, environment, OpenCV, Pillow and the disk as they were."""
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in our_modules()
        if not NEEDS_EXTRA.search(path.read_text(encoding="utf-8"))
    ]
    script = f"""
import importlib, locale, logging, os, random, signal, sys, threading, warnings
import cv2, flask, numpy, PIL.Image, pillow_heif, skimage, uvicorn
PIL.Image.init()
cv2.setNumThreads(3)  # as nobody else would
sys.path.insert(0, {str(ROOT)!r})
os.chdir({str(tmp_path)!r})  # other tests may leave something in the project's folder meanwhile

def state():
    return (
        dict(os.environ), os.getcwd(), sorted(os.listdir()), locale.getlocale(), list(warnings.filters),
        logging.root.level, list(logging.root.handlers), threading.active_count(), cv2.getNumThreads(),
        cv2.useOptimized(), signal.getsignal(signal.SIGINT), random.getstate(), dict(PIL.Image.EXTENSION),
        PIL.Image.MAX_IMAGE_PIXELS, str(numpy.random.get_state()), numpy.geterr(),
    )

before = state()
for name in {modules!r}:
    importlib.import_module(name)
after = state()
print([i for i in range(len(before)) if before[i] != after[i]])
"""
    assert python(script, "-B") == "[]"


def test_nothing_speaks_of_one_machine() -> None:
    """No file of the project holds a path of somebody's machine, or of folders that do not ship with it."""
    places = ("/work" + "/", "/home" + "/", "/Users" + "/", "/root" + "/", "/tmp" + "/", "C:" + "\\Users")
    not_shipped = ("shared" + "/photos", "shared" + "/reference", "../" + "shared")
    hosts = ("pypi" + ".org", "python" + "hosted.org")
    forbidden = re.compile("|".join(re.escape(text) for text in (*places, *not_shipped, *hosts)))
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in our_files()
        if path.suffix in TEXT_KINDS and path.suffix != ".onnx"
        for match in forbidden.finditer(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


def test_make_targets_are_described() -> None:
    """Every target that a person calls stands in the comment at the top of the Makefile."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (targets,) = re.findall(r"^\.PHONY: (.+)$", text, flags=re.MULTILINE)
    head = text[: text.index("\nHOST")]
    assert [name for name in targets.split() if f"#   make {name}" not in head] == []


def test_each_dependency_says_why_it_is_there() -> None:
    """Every requirement in pyproject.toml carries a comment."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    extras = project["optional-dependencies"].values()
    requirements = [*project["dependencies"], *(requirement for extra in extras for requirement in extra)]
    lines = text.splitlines()
    for requirement in requirements:
        (line,) = [line for line in lines if line.strip().startswith(f'"{requirement}"')]
        assert "# " in line, requirement


def test_every_command_has_a_place_in_the_manual() -> None:
    """A command that docs/running.md does not tell of does not exist for most people."""
    manual = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    assert [name for name in main.commands if f"sagrada {name}" not in manual] == []


def test_packages_carry_their_data() -> None:
    """Every file in a package that is no Python file is named in the package data, to be installed."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    missing = []
    for package in PACKAGES:
        folder = ROOT / package
        named = {path for pattern in table["package-data"][package] for path in folder.glob(pattern)}
        missing += [
            str(path.relative_to(ROOT))
            for path in our_files(folder)
            if path.suffix != ".py" and path not in named
        ]
    assert missing == []


def test_the_drawing_of_the_rooms_is_how_they_import_each_other() -> None:
    """Each arrow of docs/architecture.md is in the code, and each in the code follows from those drawn."""
    asked: dict[str, set[str]] = {}
    for path in our_modules():
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if name.split(".")[0] in PACKAGES:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES:
                    asked.setdefault(_room(name), set()).update(
                        _room(f"{node.module}.{alias.name}") for alias in node.names
                    )

    def reachable(start: str, without: str = "") -> set[str]:
        found: set[str] = set()
        todo = [room for room in asked.get(start, ()) if room not in {start, without}]
        while todo:
            room = todo.pop()
            found.add(room)
            todo.extend(asked.get(room, set()) - found - {room})
        return found

    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = set(re.findall(r"^ +([\w.]+) --> ([\w.]+)$", text, re.MULTILINE))
    assert not [room for room in asked if any(room in reachable(other) for other in asked[room] - {room})]
    assert drawn == {
        (room, other)
        for room, others in asked.items()
        for other in others - {room}
        if other not in reachable(room, without=other)
    }
    rooms = {path.parent.relative_to(ROOT).as_posix() for path in our_modules() if path.name == "__init__.py"}
    assert [room for room in rooms if f"`{room}/`" not in text and room.count("/") == 1] == []


def _room(module: str) -> str:
    """Return the room of a module as the drawing names it: webapp has several, another package is one."""
    first, *rest = module.split(".")
    if first != "webapp":
        return first
    return f"webapp.{rest[0]}" if rest and (ROOT / "webapp" / rest[0]).is_dir() else "webapp.factory"
