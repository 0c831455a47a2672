from __future__ import annotations

from xml.etree import ElementTree as ET

from flask import Flask

from scoring import Tool
from webapp.domain.tool_rules import TOOL_RULES


def test_every_tool_card_has_a_picture_of_its_own(app: Flask) -> None:
    """Each tool is chosen by a diagram that shows something, and no two look the same."""
    with app.test_request_context():
        draw = app.jinja_env.get_template("art.html").module.tool_diagram  # type: ignore[attr-defined]
        drawn = [str(draw(number)) for number in range(1, len(Tool) + 1)]
    assert len(drawn) == len([tool for tool in TOOL_RULES if tool.is_printed]) == 12
    assert len(set(drawn)) == 12
    for picture in drawn:
        ground, *rest = ET.fromstring(picture)
        assert ground.get("class") == "mini-lead"
        assert len(rest) >= 3
