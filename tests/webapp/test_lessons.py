"""Windows that people confirm are learned from in the background, where somebody agreed to it once."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from calibration.profiles.samples import too_few_dice
from tests.profiles import SayingLearner, sample_of
from tests.readings import reading_of
from tests.webapp.conftest import PATIENCE_S, SayingReader, upload
from tests.webapp.games.conftest import Device
from webapp.services.household import WindowLesson
from webapp.storage import profiles
from webapp.storage.files import locked, write_whole
from webapp.storage.profiles import ProfileStore
from webapp.web import lessons

NAME = "Grandma's table"
KEY = "grandma-s-table"


@pytest.fixture
def window(
    client: FlaskClient, reader: SayingReader, photo: bytes, learner: SayingLearner, shelf: ProfileStore
) -> dict[str, Any]:
    """Return a window with one doubt whose dice were read as those of the house; pictures may be kept."""
    shelf.teach(NAME, sample_of(), keep=True)
    reader.answer = replace(reading_of(doubtful=["A1"]), profile=NAME)
    return upload(client, photo)


def change(client: FlaskClient, state: dict[str, Any], **what: object) -> dict[str, Any]:
    """Put something right in a window, and return its state at once."""
    newest = client.get(f"/w/{state['id']}.json").get_json()
    answer = client.post(f"/w/{state['id']}", json={"revision": newest["revision"], **what})
    assert answer.status_code == 200
    told: dict[str, Any] = answer.get_json()
    return told


def settled(client: FlaskClient, state: dict[str, Any]) -> dict[str, Any] | None:
    """Wait until nothing more is being learned from a window, and return what came of it."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        lesson: dict[str, Any] | None = client.get(f"/w/{state['id']}.json").get_json()["lesson"]
        if lesson is None or lesson["stage"] != "waiting":
            return lesson
        assert time.monotonic() < deadline
        time.sleep(0.005)


def page_of(client: FlaskClient, state: dict[str, Any]) -> str:
    """Return the page of a window."""
    return client.get(f"/w/{state['id']}").get_data(as_text=True)


def test_the_last_look_lets_the_window_be_learned_from(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore
) -> None:
    """As soon as no doubt is left the answer says that it is being learned, and soon what came of it."""
    assert window["lesson"] is None
    told = change(client, window, checked=["A1"])
    assert told["lesson"]["stage"] == "waiting"
    lesson = settled(client, window)
    assert lesson is not None
    assert (lesson["stage"], lesson["profile"], lesson["can_undo"]) == ("learned", NAME, True)
    assert f"{NAME}: learned from this window, too." in lesson["message"]
    shelved = shelf.called(NAME)
    assert (shelved.samples, shelved.profile and shelved.profile.revision) == (2, 2)
    assert "learned from this window, too." in page_of(client, window)


def test_a_window_counts_once_however_often_it_is_put_right(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore, learner: SayingLearner
) -> None:
    """Another correction takes the place of the lesson; the same dice again change nothing."""
    change(client, window, checked=["A1"])
    settled(client, window)
    change(client, window, cells={"A2": "R6"})
    settled(client, window)
    change(client, window, checked=["A3"])
    settled(client, window)
    shelved = shelf.called(NAME)
    assert shelved.profile
    assert [len(one) for one in learner.seen] == [1, 2, 2]
    assert (shelved.samples, shelved.profile.revision, len(shelved.profile.lessons)) == (2, 2, 2)
    shelf.teach(NAME, sample_of(3))
    change(client, window, cells={"A2": "R5"})
    settled(client, window)
    assert learner.seen[-1][:2] == (0, 3)
    assert len(learner.seen[-1]) == 3


@pytest.mark.parametrize("keep", [False, None])
def test_nothing_is_learned_without_consent(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore, keep: bool | None
) -> None:
    """Where nobody agreed, or somebody switched it off or forgot everything, confirming only confirms."""
    if keep is None:
        shelf.forget()
    else:
        assert client.post("/dice/keep", data={"keep": "no"}).status_code == 303
    assert change(client, window, checked=["A1"])["lesson"] is None
    assert shelf.usable_called(NAME).revision == 1


def test_consent_is_asked_for_again_before_anything_is_kept(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who switches it off while a lesson waits gets none."""
    monkeypatch.setattr(lessons.Desk, "begin", lambda *_: None)
    change(client, window, checked=["A1"])
    assert client.post("/dice/keep", data={"keep": "no"}).status_code == 303
    monkeypatch.undo()
    monkeypatch.setattr(lessons, "PAUSE_S", 0.0)
    assert settled(client, window) is None
    assert (shelf.usable_called(NAME).revision, shelf.called(NAME).samples) == (1, 1)


@pytest.mark.parametrize("how", ["doubt left", "only choices", "dice of the game"])
def test_a_window_that_is_not_confirmed_teaches_nothing(
    client: FlaskClient, reader: SayingReader, photo: bytes, window: dict[str, Any], how: str
) -> None:
    """Nothing is learned while a doubt is left, where nobody looked at dice, nor of the game's own dice."""
    reader.answer = replace(
        reading_of(doubtful=["A1"] if how == "doubt left" else []),
        profile=None if how == "dice of the game" else NAME,
    )
    state = upload(client, photo)
    what = {"favor_tokens": 1} if how == "only choices" else {"checked": ["A3"]}
    assert change(client, state, **what)["lesson"] is None


def test_a_form_without_a_script_teaches_too(client: FlaskClient, window: dict[str, Any]) -> None:
    """Dice that are sent as text confirm a window as well, and a photo of the table knows its windows."""
    change(client, window, cells={"A1": "R1"})
    first = settled(client, window)
    newest = client.get(f"/w/{window['id']}.json").get_json()
    board = newest["board"].replace("R1", "R2", 1)
    form = {"revision": str(newest["revision"]), "board": board, "favor_tokens": "0", "window": "auto"}
    assert client.post(f"/w/{window['id']}", data=form).status_code == 303
    assert first
    lesson = settled(client, window)
    assert lesson
    assert lesson["stage"] == "learned"


def test_who_is_ready_says_that_the_window_looks_right(
    app: Flask, reader: SayingReader, learner: SayingLearner, shelf: ProfileStore
) -> None:
    """At a table a window without any doubt is confirmed by its player; who is not ready confirms nothing."""
    shelf.teach(NAME, sample_of(), keep=True)
    reader.answer = replace(reading_of(), profile=NAME)
    host = Device(app.test_client())
    host.start()
    host.photo()
    host.player(private="R")
    window = {"id": host.own()["reading"]}
    assert host.player(ready=False).status_code == 200
    assert settled(host.client, window) is None
    assert host.player(ready=True).status_code == 200
    lesson = settled(host.client, window)
    assert lesson
    assert lesson["stage"] == "learned"


def test_undo_takes_it_back_for_good(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore
) -> None:
    """After Undo the profile is as before, and further corrections of this window teach nothing."""
    change(client, window, checked=["A1"])
    settled(client, window)
    assert f'action="/w/{window["id"]}/unlearn"' in page_of(client, window)
    assert client.post(f"/w/{window['id']}/unlearn").status_code == 303
    assert shelf.usable_called(NAME).revision == 1
    lesson = change(client, window, cells={"A2": "R6"})["lesson"]
    assert (lesson["stage"], lesson["can_undo"]) == ("undone", False)
    refused = client.post(f"/w/{window['id']}/unlearn")
    assert (refused.status_code, "There is no lesson to undo." in refused.get_data(as_text=True)) == (
        400,
        True,
    )


def test_only_the_last_lesson_is_undone(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore
) -> None:
    """Where somebody taught the same dice since, the window's page offers no Undo, and none happens."""
    change(client, window, checked=["A1"])
    settled(client, window)
    shelf.teach(NAME, sample_of(3))
    lesson = settled(client, window)
    assert lesson
    assert not lesson["can_undo"]
    assert client.post(f"/w/{window['id']}/unlearn").status_code == 400
    assert shelf.usable_called(NAME).revision == 3


def test_a_lesson_that_reads_worse_is_told_and_not_taken(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore, learner: SayingLearner
) -> None:
    """The page says why not, and nothing of it is kept."""
    learner.adopted = False
    change(client, window, checked=["A1"])
    lesson = settled(client, window)
    assert lesson
    assert lesson["stage"] == "refused"
    assert "These dice are not learned: of 14 dice held back 3" in lesson["message"]
    assert (shelf.called(NAME).samples, shelf.usable_called(NAME).revision) == (1, 1)
    assert "unlearn" not in page_of(client, window)


def test_dice_that_are_gone_are_not_made_anew(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore
) -> None:
    """Who deleted the profile meanwhile does not get it back; the page says why nothing is learned."""
    shelf.delete(KEY)
    change(client, window, checked=["A1"])
    lesson = settled(client, window)
    assert lesson
    assert lesson["stage"] == "failed"
    assert "There are no dice of that name (any more)." in lesson["message"]
    assert shelf.all() == ()


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(28, "No space left on device"), "The files with your dice cannot be used."),
        (too_few_dice(), "Nothing could be learned from this window."),
        (RuntimeError("a mistake of ours"), "Nothing could be learned from this window."),
    ],
)
def test_whatever_is_in_the_way_the_correction_is_saved(
    client: FlaskClient,
    window: dict[str, Any],
    shelf: ProfileStore,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    says: str,
) -> None:
    """A full disk, too few dice or a fault is told on the window's page; dice and profile stay."""

    def fail(*_: object) -> None:
        raise error

    def no_profile(path: Path, content: bytes) -> None:
        """Refuse the files of profiles; those beside photos can be written."""
        if shelf.folder in path.parents:
            raise error
        write_whole(path, content)

    if isinstance(error, OSError):
        monkeypatch.setattr(profiles, "write_whole", no_profile)
    else:
        monkeypatch.setattr(profiles, "learn", fail)
    told = change(client, window, cells={"A1": "R6"})
    assert "R6" in told["board"]
    lesson = settled(client, window)
    assert lesson
    assert lesson["stage"] == "failed"
    assert says in lesson["message"]
    assert shelf.usable_called(NAME).revision == 1


def test_a_disk_that_cannot_note_it_stops_no_correction(
    client: FlaskClient, window: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where not even that can be written, the correction is saved all the same."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(profiles, "write_whole", full)
    assert "R6" in change(client, window, cells={"A1": "R6"})["board"]


def test_what_a_crash_cut_off_goes_on(
    client: FlaskClient,
    app: Flask,
    window: dict[str, Any],
    shelf: ProfileStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What waits is noted before the answer; whoever looks at the window next lets it be learned."""
    with monkeypatch.context() as stopped:
        stopped.setattr(lessons.Desk, "begin", lambda *_: None)
        change(client, window, checked=["A1"])
        assert shelf.usable_called(NAME).revision == 1
    page_of(client, window)
    lesson = settled(client, window)
    assert lesson
    assert lesson["stage"] == "learned"
    assert shelf.usable_called(NAME).revision == 2


def test_a_crash_after_the_lesson_does_not_count_twice(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lesson that was learned but not noted takes the place of itself when it is learned again."""
    with monkeypatch.context() as cut_off:
        cut_off.setattr(lessons, "note", lambda *_: None)
        cut_off.setattr(lessons, "_settled", lambda now, **_: now)
        cut_off.setattr(lessons, "_learn", lambda one: lessons._learn_once(one, kept_of(client, one)))
        change(client, window, checked=["A1"])
        deadline = time.monotonic() + PATIENCE_S
        while shelf.usable_called(NAME).revision == 1:
            assert time.monotonic() < deadline
            time.sleep(0.005)
    settled(client, window)
    profile = shelf.usable_called(NAME)
    assert len(profile.lessons) == 2


def kept_of(client: FlaskClient, record_id: str) -> WindowLesson:
    """Return what is noted beside a photo."""
    with client.application.app_context():
        found = lessons.kept_lesson(record_id)
    assert found
    return found


def test_two_processes_do_not_learn_the_same_twice(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore, tmp_path: Path
) -> None:
    """While one of them is at it the other one leaves it alone; it goes on when that one is gone."""
    with locked(tmp_path / lessons.AT_WORK):
        told = change(client, window, checked=["A1"])["lesson"]
        assert told["stage"] == "waiting"
        time.sleep(0.2)
        assert shelf.usable_called(NAME).revision == 1
    settled(client, window)
    assert shelf.usable_called(NAME).revision == 2


def test_two_windows_at_once_are_both_learned_from(
    client: FlaskClient, window: dict[str, Any], photo: bytes, shelf: ProfileStore
) -> None:
    """One lesson builds on the other, and each window counts."""
    other = upload(client, photo)
    for one in (window, other):
        change(client, one, checked=["A1"])
    for one in (window, other):
        lesson = settled(client, one)
        assert lesson
        assert lesson["stage"] == "learned"
    profile = shelf.usable_called(NAME)
    assert (profile.revision, len(profile.lessons), shelf.called(NAME).samples) == (3, 3, 3)


def test_a_lesson_file_that_is_none_is_no_lesson(
    client: FlaskClient, window: dict[str, Any], tmp_path: Path
) -> None:
    """What cannot be understood beside a photo is left out, and written anew with the next lesson."""
    for content in ("{", "[]", '{"came": 7}', '{"how": "window", "came": null, "more": 1}'):
        (tmp_path / "readings" / window["id"] / "lesson.json").write_text(content)
        assert settled(client, window) is None
    change(client, window, checked=["A1"])
    lesson = settled(client, window)
    assert lesson
    assert lesson["stage"] == "learned"


def test_who_asks_for_a_lesson_can_undo_it_there(
    client: FlaskClient, window: dict[str, Any], shelf: ProfileStore
) -> None:
    """Also a lesson that somebody asked for is told on the window's page, with Undo."""
    newest = client.get(f"/w/{window['id']}.json").get_json()
    told = {"revision": newest["revision"], "name": NAME, "all_right": "yes"}
    assert client.post(f"/w/{window['id']}/learn", data=told).status_code == 303
    lesson = settled(client, window)
    assert lesson
    assert (lesson["stage"], lesson["can_undo"]) == ("learned", True)
    assert client.post(f"/w/{window['id']}/unlearn").status_code == 303
    assert shelf.usable_called(NAME).revision == 1


def test_it_is_switched_on_and_off(client: FlaskClient, window: dict[str, Any], shelf: ProfileStore) -> None:
    """The page of the dice says which it is; pictures that are kept stay until they are forgotten."""
    assert "Switch off" in client.get("/dice").get_data(as_text=True)
    assert client.post("/dice/keep", data={"keep": "no"}).status_code == 303
    assert (shelf.settings().keeps, shelf.called(NAME).samples) == (False, 1)
    assert "Learn from every window that is confirmed" in client.get("/dice").get_data(as_text=True)
    assert client.post("/dice/keep", data={"keep": "yes"}).status_code == 303
    assert shelf.settings().keeps is True
