from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from webapp import create_app

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "api.md"
EXAMPLES = re.findall(
    r"```sh\n(curl .+?)```\n+```json\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL
)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """Return a client of an application that really reads photos."""
    return create_app({"TESTING": True, "SAGRADA_DATA": tmp_path_factory.mktemp("data")}).test_client()


def sent(client: FlaskClient, command: str) -> Any:  # noqa: ANN401
    """Do what a command with curl does, and return the JSON that is answered."""
    words = iter(shlex.split(command)[1:])
    address, how = "", {}
    for word in words:
        if word == "-F":
            key, _, file = next(words).partition("=@")
            how["data"] = {key: (ROOT / file).open("rb")}
        elif word == "--json":
            how["json"] = json.loads(next(words))
        else:
            address = word
    assert urlsplit(address).netloc == "localhost:8000"
    return client.post(urlsplit(address).path, **how).get_json()


def left_out(shown: Any, answered: Any) -> Any:  # noqa: ANN401
    """Return the part of an answer that is shown; of lists the first things."""
    if isinstance(shown, dict) and isinstance(answered, dict):
        return {key: left_out(one, answered.get(key)) for key, one in shown.items()}
    if isinstance(shown, list) and isinstance(answered, list):
        return [left_out(one, other) for one, other in zip(shown, answered, strict=False)]
    return answered


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=["reading", "score", "rank", "error"])
def test_the_examples_in_the_docs_answer_as_they_say(real: FlaskClient, command: str, shown: str) -> None:
    """Each command of the page runs, and what it shows of the answer is what is answered."""
    example = json.loads(shown)
    answered = sent(real, command)
    if "id" in example:  # made anew for every reading
        for key in ("id", "links"):
            example[key] = json.loads(json.dumps(example[key]).replace("ID", answered["id"]))
    assert left_out(example, answered) == example
