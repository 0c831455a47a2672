from __future__ import annotations

import html
import re
from ipaddress import ip_address

import pytest
from flask import Flask, render_template_string
from flask.testing import FlaskClient

from tests.webapp.test_qr import decoded, drawn
from webapp.server import addresses
from webapp.server.addresses import LocalAddress, Reach

WIFI = LocalAddress(ip_address("192.168.1.5"), "wlan0")
CABLE = LocalAddress(ip_address("10.0.0.7"), "eth0")
ELSEWHERE = {"REMOTE_ADDR": "192.168.1.77"}
SECTION = "On your phone"


def put(app: Flask, *found: LocalAddress, host: str = "0.0.0.0", answers: bool = True) -> None:
    """Let the application listen on a computer with these addresses."""
    reach = Reach(find=lambda: found, ask=lambda _: reach.token if answers else None)
    reach.listen(host, 8000)
    app.extensions[addresses.REACH] = reach


def code_in(page: str) -> str:
    """Return what a camera reads from the page."""
    found = re.search(r"<svg viewBox=\"[^\"]*\"><path fill=\"#fff\".*?</svg>", page)
    assert found
    return decoded(drawn(found[0]))


def test_the_start_page_brings_phones_here(app: Flask, client: FlaskClient) -> None:
    """Whoever sits at this computer sees the code, with a name and in letters, where an address is known."""
    assert SECTION not in client.get("/").get_data(as_text=True)
    put(app, WIFI)
    page = client.get("/").get_data(as_text=True)
    assert code_in(page) == "http://192.168.1.5:8000"
    assert '<a href="http://192.168.1.5:8000">http://192.168.1.5:8000</a>' in page
    assert 'aria-label="QR code"' in page
    assert 'type="radio" name="address"' not in page


@pytest.mark.parametrize(
    ("environment", "headers"),
    [
        (ELSEWHERE, {}),
        ({}, {"X-Forwarded-For": "192.168.1.77"}),
        ({}, {"Forwarded": "for=192.168.1.77"}),
        ({}, {"Via": "1.1 proxy"}),
    ],
    ids=["from a phone", "through a proxy", "through a proxy of the standard", "through a plain proxy"],
)
def test_visitors_from_elsewhere_see_no_code_and_choose_for_themselves(
    app: Flask, client: FlaskClient, environment: dict[str, str], headers: dict[str, str]
) -> None:
    """A phone that got here needs no code, and whatever it sends, other devices keep their address."""
    put(app, WIFI, CABLE)
    assert SECTION not in client.get("/", environ_base=environment, headers=headers).get_data(as_text=True)
    form, there = {"address": "http://10.0.0.7:8000"}, app.test_client()
    there.post("/join-address", data=form, environ_base=environment, headers=headers)
    assert code_in(client.get("/").get_data(as_text=True)) == "http://192.168.1.5:8000"


def test_another_address_is_chosen(app: Flask, client: FlaskClient) -> None:
    """The plain form leads back to the page with the other code; the script gets the code of its own page."""
    put(app, WIFI, CABLE)
    assert client.get("/").get_data(as_text=True).count('type="radio" name="address"') == 2
    answer = client.post("/join-address", data={"address": "http://10.0.0.7:8000", "path": "/"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    page = client.get("/").get_data(as_text=True)
    assert code_in(page) == "http://10.0.0.7:8000"
    assert re.search(r'value="http://10\.0\.0\.7:8000" checked', page)
    form = {"address": "http://192.168.1.5:8000", "path": "/g/K7M2QX"}
    told = client.post("/join-address", data=form, headers={"Accept": "application/json"}).get_json()
    assert told["url"] == decoded(drawn(told["qr"])) == "http://192.168.1.5:8000/g/K7M2QX"


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"address": "http://elsewhere.example"}, "address_gone"),
        ({}, "address_gone"),
        ({"address": "http://10.0.0.7:8000", "path": "//elsewhere.example"}, "bad_request"),
        ({"address": "http://10.0.0.7:8000", "path": "http://elsewhere.example"}, "bad_request"),
        ({"address": "http://10.0.0.7:8000", "path": "/\\elsewhere.example"}, "bad_request"),
        ({"address": "http://10.0.0.7:8000", "path": "/g/../x"}, "bad_request"),
    ],
)
def test_no_code_leads_to_another_site(
    app: Flask, client: FlaskClient, form: dict[str, str], code: str
) -> None:
    """Neither another server nor another page than one of ours can get into the code."""
    put(app, WIFI, CABLE)
    answer = client.post("/join-address", data=form, headers={"Accept": "application/json"})
    assert answer.status_code == 400
    assert answer.get_json()["error"]["code"] == code


@pytest.mark.parametrize(
    ("found", "host", "answers", "says"),
    [
        ([WIFI], "127.0.0.1", True, "<code>sagrada serve</code>"),
        ([], "0.0.0.0", True, "connect it to the Wi-Fi"),
        ([WIFI], "0.0.0.0", False, "<code>sagrada serve --address http://…:8000</code>"),
    ],
    ids=["only here", "no network", "nothing answers"],
)
def test_the_page_says_why_there_is_no_code_and_what_to_do(
    app: Flask, client: FlaskClient, found: list[LocalAddress], host: str, answers: bool, says: str
) -> None:
    """There is never a code for localhost; one sentence stands in its place, for this computer alone."""
    put(app, *found, host=host, answers=answers)
    page = html.unescape(client.get("/").get_data(as_text=True))
    assert says in page
    assert "QR code" not in page
    assert SECTION not in client.get("/", environ_base=ELSEWHERE).get_data(as_text=True)


@pytest.mark.parametrize(
    ("visitor", "chooses"), [("127.0.0.1", True), ("192.168.1.77", False)], ids=["here", "on a phone"]
)
def test_any_page_can_show_its_own_code(app: Flask, visitor: str, chooses: bool) -> None:
    """The table of a game shows everybody the code that leads to it; only here the choice is offered."""
    put(app, WIFI, CABLE)
    template = '{% with offer = join_offer("/g/K7M2QX") %}{% include "_join_qr.html" %}{% endwith %}'
    with app.test_request_context("/", environ_base={"REMOTE_ADDR": visitor}):
        page = render_template_string(template)
    assert code_in(page) == "http://192.168.1.5:8000/g/K7M2QX"
    assert ('name="path" value="/g/K7M2QX"' in page) is chooses


def test_a_phone_passes_on_the_address_by_which_it_came(app: Flask, client: FlaskClient) -> None:
    """What opened the page there opens it on the next phone, too, whatever seems likelier."""
    put(app, WIFI, CABLE)
    page = '{% with offer = join_offer("/") %}{% include "_join_qr.html" %}{% endwith %}'
    with app.test_request_context("/", base_url="http://10.0.0.7:8000", environ_base=ELSEWHERE):
        assert code_in(render_template_string(page)) == "http://10.0.0.7:8000"


def test_the_server_is_recognized_by_an_answer_that_nobody_keeps(app: Flask, client: FlaskClient) -> None:
    """Each process answers with a token of its own, and no cache in between may answer for it."""
    answer = client.get(addresses.READY)
    assert answer.get_data(as_text=True) == addresses.reach_of(app).token
    assert answer.mimetype == "text/plain"
    assert answer.headers["Cache-Control"] == "no-store"
    assert Reach().token != addresses.reach_of(app).token
