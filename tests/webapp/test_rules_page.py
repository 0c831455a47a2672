"""What the rules say: every card has an entry, and questions lead to the right one."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from scoring import PRIVATE_OBJECTIVES, Color, HouseRule, ProblemCode, PublicObjective, Tool
from scoring.placement.finished import placement_problems
from tests.webapp.rule_questions import QUESTIONS
from webapp.services.rulebook import BY_KEY, ENTRIES, RULE_KEYS, key_of
from webapp.views.rules import EXAMPLE, LONGEST_QUERY, line_of


def rules(client: FlaskClient, query: str = "", language: str = "en") -> str:
    """Return the page, with a question or none."""
    answer = client.get("/rules", query_string={"q": query}, headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def answers(page: str) -> list[str]:
    """Return the keys of the entries that a page gives as answers."""
    found = page.partition('id="rules-answers"')[2].partition("</section>")[0]
    return re.findall('data-entry="([^"]+)"', found)


def test_every_card_and_every_broken_rule_has_an_entry() -> None:
    """All objectives, tool cards, house rules and rules that windows can break are explained once."""
    things = (*PublicObjective, *Color, *Tool, *HouseRule)
    assert {key_of(thing) for thing in things} | set(RULE_KEYS.values()) <= set(BY_KEY)
    assert set(RULE_KEYS) == set(ProblemCode)
    assert len(BY_KEY) == len(ENTRIES)


def test_entries_lead_on_only_to_entries() -> None:
    """What an entry names to go on with is there, and is not itself."""
    for entry in ENTRIES:
        assert set(entry.see) <= set(BY_KEY) - {entry.key}, entry.key


def test_the_example_earns_something_with_every_objective() -> None:
    """The window of the examples breaks no rule, has empty spaces, and every card gives something."""
    assert placement_problems(EXAMPLE) == ()
    assert EXAMPLE.empty_cells()
    lines = {entry.key: line_of(entry) for entry in ENTRIES}
    earned = {key: line.points for key, line in lines.items() if line}
    assert len(earned) == len(PublicObjective) + len(PRIVATE_OBJECTIVES)
    assert all(earned.values())


@pytest.mark.parametrize(
    ("language", "query", "key"),
    [(language, query, key) for language, asked in QUESTIONS.items() for query, key in asked.items()],
)
def test_questions_lead_to_the_entry_that_answers_them(
    client: FlaskClient, language: str, query: str, key: str
) -> None:
    """A question, a card's name, a slip or a word alone has its answer first, in every language."""
    assert answers(rules(client, query, language))[:1] == [key]


def test_without_a_question_all_entries_stand_in_their_parts(client: FlaskClient) -> None:
    """The page without a question holds every entry once, and no answers."""
    page = rules(client)
    assert sorted(re.findall('data-entry="([^"]+)"', page)) == sorted(BY_KEY)
    assert answers(page) == []


def test_a_question_without_an_answer_says_what_to_try(client: FlaskClient) -> None:
    """Where nothing fits, the page says how to ask, also for signs alone and for very long questions."""
    for query in ("xylophone", "?!", "x" * 2 * LONGEST_QUERY):
        page = rules(client, query)
        assert answers(page) == []
        assert re.search(r'id="rules-none">Nothing fits\. Try', page), query


def test_a_tool_card_at_the_table_leads_to_its_entry(client: FlaskClient) -> None:
    """Each card on the table has a link to what the rules say of it."""
    table = client.post("/games", data={"name": "Ada", "solo": "no"}).location
    revision = client.get(f"{table}.json").get_json()["revision"]
    cards = {"revision": revision, "public": ["Light Shades"], "tools": ["Lathekin"]}
    assert client.post(table + "/cards", json=cards).status_code == 200
    page = client.get(table).get_data(as_text=True)
    for key in ("lathekin", "light-shades"):
        assert f'href="/rules#{key}"' in page
