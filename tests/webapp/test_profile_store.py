"""The dice of one's own on the disk: nothing is lost, whoever changes it and whatever goes wrong."""

from __future__ import annotations

import errno
import json
import threading
from functools import partial
from pathlib import Path

import pytest

from scoring.errors import SagradaError
from tests.profiles import SayingLearner, outdated, profile_of, sample_of
from vision.errors import VisionError
from vision.profile import Profile
from webapp.domain.errors import InputError, NotFoundError, StoreError
from webapp.storage import files as file_layer
from webapp.storage import profiles
from webapp.storage import profiles as profile_files
from webapp.storage.profiles import ProfileStore

NAME = "Grandma's table"


@pytest.fixture
def store(tmp_path: Path) -> ProfileStore:
    """Return a store whose folder is not there yet."""
    return ProfileStore(tmp_path / "data" / "profiles")


@pytest.fixture(autouse=True)
def learner(monkeypatch: pytest.MonkeyPatch) -> SayingLearner:
    """Return what learns in all stores of the test."""
    saying = SayingLearner()
    monkeypatch.setattr(profiles, "learn", saying)
    return saying


def files(store: ProfileStore) -> dict[str, bytes]:
    """Return all files of a store but the lock, by their names."""
    found = (path for path in store.folder.rglob("*") if path.is_file() and path.name != profile_files.LOCK)
    return {str(path.relative_to(store.folder)): path.read_bytes() for path in found}


def test_looking_makes_no_file(store: ProfileStore) -> None:
    """Without a folder there are no profiles, and nobody was asked about pictures."""
    assert (store.all(), store.usable(), store.settings().keeps) == ((), (), None)
    assert not store.folder.parent.exists()


def test_a_photo_makes_a_profile_that_people_can_read(store: ProfileStore) -> None:
    """The file is called after the profile, and every program finds it by its name in any case."""
    taught = store.teach(NAME, sample_of())
    assert taught.kept_profile
    assert taught.kept_profile.key == "grandma-s-table"
    text = (store.folder / "grandma-s-table.json").read_text(encoding="utf-8")
    assert json.loads(text)["name"] == NAME
    assert ProfileStore(store.folder).usable_called("  GRANDMA'S  table") == taught.kept_profile.profile
    with pytest.raises(NotFoundError):
        store.called("Grandpa's table")


@pytest.mark.parametrize(
    ("name", "key"), [("おばあちゃん", "profile"), ("Бабушка", "profile"), ("Été 2", "ete-2")]
)
def test_names_of_every_language_make_names_of_files(store: ProfileStore, name: str, key: str) -> None:
    """A name may be in any writing; the file has letters that every disk takes, and no other file's name."""
    assert [one.key for one in (store.take_in(str(profile_of(name))), *store.all())] == [key, key]
    assert store.take_in(str(profile_of(f"{name}!"))).key == f"{key}-2"
    assert store.usable_called(name).name == name


def test_pictures_are_kept_only_when_somebody_agreed(store: ProfileStore, learner: SayingLearner) -> None:
    """Who agreed once is not asked again; what was kept is learned from anew with every photo."""
    store.teach(NAME, sample_of(1))
    assert not list(store.folder.glob("*.samples/*"))
    store.teach(NAME, sample_of(2), keep=True)
    store.teach(NAME, sample_of(3))
    assert learner.seen == ((1,), (2,), (2, 3))
    assert store.called(NAME).samples == 2
    assert store.settings().keeps


def test_a_photo_that_makes_it_worse_changes_nothing(store: ProfileStore, learner: SayingLearner) -> None:
    """What is not adopted leaves all files as they were."""
    store.teach(NAME, sample_of(1), keep=True)
    before = files(store)
    learner.adopted = False
    taught = store.teach(NAME, sample_of(2))
    assert not taught.result.adopted
    assert taught.kept_profile == store.called(NAME)
    assert files(store) == before
    assert store.teach("Other", sample_of(2)).kept_profile is None
    assert files(store) == before


def test_every_photo_can_be_forgotten(store: ProfileStore, learner: SayingLearner) -> None:
    """To undo brings back all of before but the name; before the first photo here there is nothing."""
    states = []
    for mark in (1, 2, 3):
        store.teach(NAME, sample_of(mark), keep=True)
        states.append(files(store))
    key = store.called(NAME).key
    for before in (states[1], states[0]):
        assert store.undo(key)
        assert files(store) == before
    assert store.undo(key) is None
    assert store.all() == ()
    for mark in (4, 5):
        store.teach(NAME, sample_of(mark))
    assert learner.seen[-2:] == ((4,), (4, 5))
    undone = store.undo(store.rename(store.called(NAME).key, "The old dice").key)
    assert undone
    assert (undone.name, undone.samples) == ("The old dice", 1)  # a new name is not undone
    with pytest.raises(InputError) as caught:
        store.undo(store.take_in(str(profile_of())).key)  # which no photo here taught
    assert caught.value.code == "nothing_to_undo"


def test_a_file_goes_to_another_computer_and_comes_back(store: ProfileStore, tmp_path: Path) -> None:
    """What was exported is the same there; another profile of the same name is not written over."""
    text = str(profile_of())
    other = ProfileStore(tmp_path / "other")
    assert other.take_in(text) == other.take_in(text)
    assert str(other.usable_called(NAME)) == text
    with pytest.raises(InputError) as caught:
        other.take_in(str(profile_of(NAME.upper(), 2)))
    assert caught.value.code == "profile_name_taken"
    with pytest.raises(VisionError):
        other.take_in("{}")
    assert str(other.usable_called(NAME)) == text


def test_the_default_comes_first(store: ProfileStore) -> None:
    """The chosen profile stands before all others, until it is deleted; no two have the same name."""
    for name in ("A", "B", "C"):
        store.take_in(str(profile_of(name)))
    assert store.choose("c").is_default
    assert [one.name for one in store.usable()] == ["C", "A", "B"]
    with pytest.raises(InputError) as caught:
        store.rename("a", " b ")
    assert caught.value.code == "profile_name_taken"
    with pytest.raises(VisionError):
        store.rename("a", " ")
    assert store.rename("b", "b").name == "b"
    store.delete("c")
    assert [one.is_default for one in store.all()] == [False, False]
    assert store.settings().default is None


def test_everything_is_forgotten(store: ProfileStore) -> None:
    """Without pictures the profiles go on working, and with the profiles nothing is left of them."""
    store.teach(NAME, sample_of(1), keep=True)
    store.forget()
    assert (store.called(NAME).samples, store.settings().keeps) == (0, None)
    store.choose(store.called(NAME).key)
    store.forget(profiles=True)
    assert store.all() == ()
    assert not [name for name in files(store) if NAME[:3].lower() in name]


@pytest.mark.parametrize("content", [b"{", b"", b"\xff\xfe\x00", b'{"sagrada_profile": 99, "name": "Later"}'])
def test_a_file_of_no_use_is_told_and_left_alone(store: ProfileStore, content: bytes) -> None:
    """A broken file, or one of a later program, stands beside the others and is never written over."""
    store.take_in(str(profile_of("Good")))
    bad = store.folder / "grandma-s-table.json"
    bad.write_bytes(content)
    assert [one.profile is None for one in store.all()] == [False, True]
    assert [one.name for one in store.usable()] == ["Good"]
    for act in (
        lambda: store.teach("grandma-s-table", sample_of()),
        lambda: store.rename("grandma-s-table", "X"),
        lambda: store.choose("grandma-s-table"),
        lambda: store.undo("grandma-s-table"),
        lambda: store.usable_called("grandma-s-table.json"),
    ):
        with pytest.raises(SagradaError) as caught:
            act()
        assert caught.value.code == ("profile_newer" if b"99" in content else "profile_damaged")
    kept_profile = store.teach(NAME, sample_of()).kept_profile
    assert kept_profile
    assert kept_profile.key == "grandma-s-table-2"
    store.forget(profiles=True)
    assert bad.read_bytes() == content
    store.delete("grandma-s-table")
    assert store.all() == ()


def test_damaged_settings_stop_no_reading(store: ProfileStore) -> None:
    """Without a default there are still all profiles; who wants to choose one is told of the file."""
    store.take_in(str(profile_of("A")))
    settings = store.folder / profile_files.SETTINGS
    for text in ("{", '{"default": 1, "keeps": null}', "[]"):
        settings.write_text(text)
        assert len(store.usable()) == 1
        with pytest.raises(StoreError) as caught:
            store.choose("a")
        assert (caught.value.code, settings.read_text()) == ("profiles_damaged", text)
        with pytest.raises(StoreError):
            store.teach(NAME, sample_of(), keep=True)
        store.delete(store.take_in(str(profile_of("B"))).key)
        assert [one.name for one in store.all()] == ["A"]


def test_only_the_newest_pictures_are_kept(
    store: ProfileStore, learner: SayingLearner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder does not grow for ever, a damaged picture is left out, the last photos can be forgotten."""
    monkeypatch.setattr(profile_files, "MOST_SAMPLES", 3)
    monkeypatch.setattr(profile_files, "MOST_BEFORE", 2)
    for mark in range(1, 6):
        store.teach(NAME, sample_of(mark), keep=True)
    assert learner.seen[-1] == (3, 4, 5)
    max(store.folder.glob("*.samples/*")).write_bytes(b"broken")
    store.teach(NAME, sample_of(6))
    assert learner.seen[-1:] == ((4, 6),)
    key = store.called(NAME).key
    assert store.undo(key)
    assert store.undo(key)
    with pytest.raises(InputError):
        store.undo(key)


def test_two_who_teach_at_once_both_count(
    store: ProfileStore, learner: SayingLearner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes second learns on top of the first, also when both began before either was done."""
    store.teach(NAME, sample_of(1), keep=True)
    both_began = threading.Barrier(2)
    began: set[int] = set()

    def learn(*told: object) -> object:
        if threading.get_ident() not in began:
            began.add(threading.get_ident())
            both_began.wait(60)
        return learner(*told)  # type: ignore[arg-type]

    monkeypatch.setattr(profiles, "learn", learn)
    people = [threading.Thread(target=store.teach, args=(NAME, sample_of(mark))) for mark in (2, 3)]
    for one in people:
        one.start()
    for one in people:
        one.join()
    kept_profile = store.called(NAME)
    assert kept_profile.profile
    assert (kept_profile.profile.revision, kept_profile.samples, len(kept_profile.profile.sources)) == (
        3,
        3,
        3,
    )


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_a_full_disk_leaves_everything_as_it_was(
    store: ProfileStore, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    """Whichever file finds no room: the error says so, the profile is the old one, the next photo works."""
    store.teach(NAME, sample_of(1), keep=True)
    before, times = store.called(NAME), 0

    def full(path: Path, content: bytes) -> None:
        nonlocal times
        times += 1
        if times == fails_at:
            raise OSError(errno.ENOSPC, "No space left on device")
        file_layer.write_whole(path, content)

    monkeypatch.setattr(profile_files, "write_whole", full)
    with pytest.raises(StoreError, match="No space left on device") as caught:
        store.teach(NAME, sample_of(2))
    assert caught.value.code == "profiles_unusable"
    assert store.called(NAME) == before
    after = store.teach(NAME, sample_of(3)).kept_profile
    assert after
    assert after.samples == 2


def test_a_crash_leaves_nothing_that_counts(store: ProfileStore, learner: SayingLearner) -> None:
    """Pictures of dice whose learning was cut off are neither counted nor learned from."""
    store.teach(NAME, sample_of(1), keep=True)
    left = store._file(store.called(NAME).key, "samples", 2)
    left.write_bytes(sample_of(9).to_bytes())
    assert store.called(NAME).samples == 1
    store._put(profile_files.Settings(None, keeps=False))
    store.teach(NAME, sample_of(2))
    assert learner.seen[-1] == (1, 2)
    assert not left.exists()


def test_who_holds_the_lock_is_waited_for_and_then_told(
    store: ProfileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that hangs does not hang the others."""
    store.take_in(str(profile_of("A")))
    monkeypatch.setattr(file_layer, "locked", partial(file_layer.locked, patience_s=0.0))
    with file_layer.locked(store.folder / profile_files.LOCK), pytest.raises(StoreError) as caught:
        store.choose("a")
    assert caught.value.code == "profiles_busy"


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    """Where the folder cannot be made, the error says so and names it."""
    (tmp_path / "profiles").touch()
    store = ProfileStore(tmp_path / "profiles")
    assert store.all() == ()
    with pytest.raises(StoreError, match="profiles"):
        store.take_in(str(profile_of()))


def made_outdated(store: ProfileStore) -> None:
    """Let what is learned be what an earlier version of the program learned, as far as files go."""
    for path in (*store.folder.glob("[a-z]*.json"), *store.folder.glob("*.before/*.json")):
        if text := path.read_text(encoding="utf-8"):
            path.write_text(str(outdated(Profile.parse(text))), encoding="utf-8")


def test_after_an_update_dice_are_learned_anew(store: ProfileStore, learner: SayingLearner) -> None:
    """From the pictures that are kept, as the same revision; what can be undone still can."""
    for mark in (1, 2):
        store.teach(NAME, sample_of(mark), keep=True)
    made_outdated(store)
    assert store.called(NAME).is_outdated
    (renewed,) = store.usable()
    assert (renewed.reader, renewed.revision, learner.seen[-1]) == (profile_of().reader, 2, (1, 2))
    assert store.usable_called(NAME) == renewed
    earlier = store.undo("grandma-s-table")
    assert earlier
    assert earlier.is_outdated
    again = store.usable_called(NAME)
    assert (again.reader, again.revision, learner.seen[2:]) == (renewed.reader, 1, ((1, 2), (1,)))


@pytest.mark.parametrize("keep", [False, True], ids=["without pictures", "read worse"])
def test_dice_that_cannot_be_learned_anew_stay_as_they_are(
    store: ProfileStore, learner: SayingLearner, *, keep: bool
) -> None:
    """Without pictures, or read worse with them, which is tried once, somebody has to show them once more."""
    store.teach(NAME, sample_of(1), keep=keep)
    made_outdated(store)
    before, learner.adopted = files(store), False
    for _ in range(2):
        assert [one.reader for one in store.usable()] == [outdated(profile_of()).reader]
    assert (len(learner.seen), files(store)) == (1 + keep, before)
    learner.adopted = True
    store.teach(NAME, sample_of(2))
    assert not store.called(NAME).is_outdated
