from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.words import LANGUAGES
from tests.webapp.ended_games import EMPTY, EXAMPLE, FULL, At
from tests.webapp.test_history import all_plays, put
from webapp.domain.errors import NotFoundError
from webapp.domain.history import career


def test_a_player_has_all_counted_games_and_what_they_add_up_to(app: Flask) -> None:
    """Totals come oldest first, with the best window and the parts of the points adding up to the average."""
    put(app, At("ANN"), At("Ben", FULL))
    put(app, At("Ann", FULL, favor=2), At("Ben"))
    put(app, At("Ann", EMPTY), At("Ben"))
    found = career(all_plays(app), "ann")
    totals = [one.window.total for one in found.games]
    assert (found.name, len(totals), found.best.window.total) == ("Ann", 2, max(totals))
    mean = found.sources
    parts = (mean.public, mean.private, mean.favor_tokens, mean.empty_cells)
    assert sum(parts) == pytest.approx(found.points.average) == pytest.approx(sum(totals) / 2)
    assert found.card is not None
    assert (found.card.thing.name, found.card.points.times) == ("Fractal Drops", 2)


def test_head_to_head_counts_places(app: Flask) -> None:
    """Won, lost and shared places, the mean difference and the biggest win; the other sees the reverse."""
    put(app, At("Ann"), At("Ben", FULL))
    put(app, At("Ann", favor=3), At("Ben"))
    put(app, At("Ann"), At("Ben"))
    plays = all_plays(app)
    one, other = career(plays, "Ann").duel("BEN"), career(plays, "Ben").duel("Ann")
    assert (one.won, one.lost, one.tied) == (other.lost, other.won, other.tied)
    assert one.tied == 1
    assert one.won + one.lost == 2
    assert one.average_difference == pytest.approx(-other.average_difference)
    assert one.biggest_win is not None
    assert one.biggest_win.difference == max(meeting.difference for meeting in one.meetings)
    with pytest.raises(NotFoundError) as refused:
        career(plays, "Ann").duel("Cleo")
    assert refused.value.code == "never_met"


def test_an_unknown_player_is_refused(client: FlaskClient) -> None:
    """A name that nobody had is not found."""
    assert client.get("/history/player?name=Nobody").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_draw_charts_with_words(app: Flask, client: FlaskClient, language: str) -> None:
    """Every chart has a name for screen readers, names are harmless in it, decimals are the language's."""
    for _ in range(2):
        put(app, At("<b>A&n"), At("Ben", FULL))
    put(app, At("Ann", FULL), solo=True, public=EXAMPLE[:2], target=10)
    for address in ("/history/player?name=Ben&other=%3Cb%3EA%26n", "/history"):
        text = client.get(address, headers={"Accept-Language": language}).get_data(as_text=True)
        assert len(re.findall(r'<svg class="chart"[^>]* role="img" aria-label="[^"]+"', text)) >= 2
        assert "<b>A&n" not in text
        assert f'<html lang="{language}">' in text
    decimal = re.search(r"<td>(\d+[.,]\d)</td>", text)
    assert decimal is not None
    assert ("," in decimal[1]) is (language in {"fr", "ru"})
