"""A language that somebody adds by docs/translating.md, in a copy of the project."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po, write_po

from tests.webapp.quick import furnished

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("scoring", "vision", "calibration", "webapp", "Makefile", "pyproject.toml", "setup.py")
CODE, OWN_NAME = "eo", "Esperanto"

ASK = """
import json, sys
from click.testing import CliRunner
from webapp import create_app
from webapp.cli.sagrada import main

app = create_app({"SAGRADA_DATA": sys.argv[1]})
client = app.test_client()
answers = {"offered": client.get("/").get_data(as_text=True)}
board = "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4"
command = ["score", "--board", board, "--public", "Light Shades", "--private", "purple", "--lang", "eo"]
answers["command"] = CliRunner().invoke(main, command).output
answers["page"] = client.get("/?lang=eo", follow_redirects=True).get_data(as_text=True)
answers["score"] = client.post("/by-hand", json={"board": board}).get_data(as_text=True)
answers["refused"] = client.post("/by-hand", json={"board": "R1"}).get_data(as_text=True)
window = client.post("/by-hand").location
answers["window"] = client.get(window).get_data(as_text=True)
answers["refused page"] = client.post(window, data={"revision": "1", "board": "R1"}).get_data(as_text=True)
print(json.dumps(answers))
"""


def follow_the_guide(project: Path, *, step: int) -> str:
    """Run what stands in a block of commands of the chapter on new languages; return what they say."""
    guide = (ROOT / "docs" / "translating.md").read_text(encoding="utf-8")
    chapter = guide.split("## To add a language")[1].split("\n## ")[0]
    command = re.findall(r"```sh\n(.*?)```", chapter, re.DOTALL)[step].strip()
    words = command.replace("=it", f"={CODE}").split()
    # The packages are installed already, in the environment that runs this test.
    words += [f"BIN={Path(sys.executable).parent}", "-o", ".venv/.installed"]
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def translate(project: Path, *, but: Iterable[str] = ()) -> None:
    """Mark every text as translated, apart from some."""
    for package in ("scoring", "webapp"):
        file = project / package / "translations" / CODE / "LC_MESSAGES" / "messages.po"
        with file.open("rb") as old:
            catalog = read_po(old, locale=CODE)
        for message in catalog:
            if message.id:
                texts = [message.id] if isinstance(message.id, str) else message.id
                marked = tuple("" if texts[0] in but else f"⟦{text}⟧" for text in texts)
                message.string = marked if message.pluralizable else marked[0]
        with file.open("wb") as new:
            write_po(new, catalog)


def answers(project: Path) -> dict[str, Any]:
    """Ask pages, JSON interface and command line of the copy for the language."""
    command = [sys.executable, "-c", ASK, str(furnished(project / "instance"))]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project in which the language was started."""
    copy = tmp_path_factory.mktemp("project")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name)
        else:
            shutil.copy2(ROOT / name, copy / name)
    assert f"{CODE}: " in follow_the_guide(copy, step=0)
    return copy


def test_a_language_added_by_the_guide_is_offered_and_spoken_everywhere(project: Path) -> None:
    """Page, JSON, refusals and command line speak it once it is translated; what lacks is English."""
    translate(project, but={"Light Shades", "Total"})
    assert f"{CODE}: 2 texts are missing or wrong, 0 need a look" in follow_the_guide(project, step=1)
    said = answers(project)
    assert f'href="?lang={CODE}" lang="{CODE}" hreflang="{CODE}">{OWN_NAME}<' in said["offered"]
    assert "⟦Light Shades⟧" not in said["command"]
    assert "Light Shades" in said["command"]
    assert re.search("^Total ", said["command"], re.MULTILINE)
    assert "⟦Shades of Purple⟧" in said["command"]
    for name in ("page", "window", "refused page"):
        assert f'<html lang="{CODE}"' in said[name], name
        assert "⟦" in said[name], name
    assert "⟦Favor tokens⟧" in json.loads(said["score"])["lines"][0]["label"]
    for text in (said["refused page"], json.loads(said["refused"])["error"]["message"], said["command"]):
        assert "⟦" in text
