"""The files of the household's dice, and how they are read and written.

In ``<data>/profiles/`` lie ``<key>.json`` (the profile, for people to read), ``<key>.before/NNNN.json``
(what it was before its revision NNNN) and ``<key>.samples/NNNN.npz`` (the dice that revision was learned
from). The key is made of the first name of a profile and stays. ``_settings.json`` says which one is the
default, and whether pictures of dice may be kept.

The profile is written last when something is learned, and first when it is undone: a crash leaves at most
files beside it that count for nothing. A file that cannot be understood is never written over.
"""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.profiles import Sample, is_current
from scoring.errors import SagradaError
from scoring.sentences import Sentence, sentence
from vision.errors import VisionError
from vision.profile import Profile
from webapp.companion.errors import NotFoundError, StoreError
from webapp.store.disk import locked, make_folder, sync_folder, write_whole

SETTINGS, LOCK = "_settings.json", "_lock"
MOST_SAMPLES = 12
"""Photos of a profile whose dice are kept; the oldest go first. Learning looks at all of them again."""
MOST_BEFORE = 20  # lessons that can be undone


@dataclass(frozen=True)
class Shelved:
    """A file of the folder: a profile, or why it is none. ``key`` is its name in addresses."""

    key: str
    profile: Profile | None
    error: SagradaError | None = None
    is_default: bool = False
    samples: int = 0
    can_undo: bool = False

    @property
    def is_outdated(self) -> bool:
        """Whether an earlier version of the program made it, so that no dice are read with it."""
        return self.profile is not None and not is_current(self.profile)

    @property
    def name(self) -> str:
        """What people call it; a file that cannot be used is called by its own name."""
        return self.profile.name if self.profile else f"{self.key}.json"


@dataclass(frozen=True)
class Settings:
    """What was chosen for all profiles.

    ``keeps`` says whether pictures of dice may be kept on this computer, None as long as nobody was asked.
    """

    default: str | None = None
    keeps: bool | None = None


class ProfileFiles:
    """The files in a folder, which need not be there yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> tuple[Shelved, ...]:
        """Return all profiles, the default one first, and in their place those that cannot be used."""
        with self._reading():
            keys = sorted(path.stem for path in self.folder.glob("*.json") if path.stem[0] not in "._")
        shelved = [self._shelved(key) for key in keys]
        return tuple(
            sorted(shelved, key=lambda one: (not one.is_default, one.profile is None, spelled(one.name)))
        )

    def settings(self) -> Settings:
        """Return what was chosen for all profiles."""
        with self._reading(), suppress(ValueError, RecursionError):
            try:
                data = json.loads((self.folder / SETTINGS).read_bytes())
            except FileNotFoundError:
                return Settings()
            match data:
                case {"default": str() | None as default, "keeps": bool() | None as keeps}:
                    return Settings(default, keeps)
        raise StoreError(
            "profiles_damaged",
            sentence("The file that says which dice are read first is damaged."),
            sentence("Correct {file}, or remove it.", file=str(self.folder / SETTINGS)),
        )

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _file(self, key: str, kind: str, revision: int) -> Path:
        return self.folder / f"{key}.{kind}" / f"{revision:04d}{'.npz' if kind == 'samples' else '.json'}"

    def _kept(self, key: str, kind: str, revision: int) -> list[Path]:
        """Return the files beside a profile up to its revision, oldest first; later ones are of a crash."""
        files = [one for one in (self.folder / f"{key}.{kind}").glob("[0-9]*.*") if one.stem.isdecimal()]
        return sorted((one for one in files if int(one.stem) <= revision), key=lambda one: int(one.stem))

    def _default(self) -> str | None:
        """Return the key of the profile that is tried first; none where the settings are of no use."""
        with suppress(StoreError):
            return self.settings().default
        return None

    def _shelved(self, key: str) -> Shelved:
        try:
            with self._reading():
                profile = parsed(self._path(key).read_bytes())
        except (StoreError, VisionError) as error:
            return Shelved(key, None, error)
        except FileNotFoundError:  # somebody deleted it right now
            return Shelved(key, None, NotFoundError("profile_missing"))
        else:
            return Shelved(
                key,
                profile,
                is_default=key == self._default(),
                samples=len(self._kept(key, "samples", profile.revision)),
                can_undo=self._file(key, "before", profile.revision).is_file(),
            )

    def _samples(self, key: str, profile: Profile) -> list[Sample]:
        """Return what a profile was learned from, as far as it was kept; a damaged file is left out."""
        found = []
        for path in self._kept(key, "samples", profile.revision)[1 - MOST_SAMPLES :]:
            with self._reading(), suppress(SagradaError, FileNotFoundError):
                found.append(Sample.from_bytes(path.read_bytes()))
        return list({(one.how, one.when): one for one in found}.values())  # of a photo what was said last

    def _keep(self, key: str, profile: Profile, before: Profile | None, sample: Sample | None) -> None:
        """Write what was learned: first what is beside the profile, then the profile."""
        number = profile.revision
        for kind, content in (
            ("before", str(before).encode() if before else b""),
            ("samples", sample.to_bytes() if sample else None),
        ):
            path = self._file(key, kind, number)
            path.unlink(missing_ok=True)  # left of a crash
            if content is not None:
                make_folder(path.parent)
                write_whole(path, content)
        write_whole(self._path(key), str(profile).encode())
        for kind, most in (("before", MOST_BEFORE), ("samples", MOST_SAMPLES)):
            for old in self._kept(key, kind, number)[:-most]:
                old.unlink(missing_ok=True)

    def _remove(self, key: str) -> None:
        """Delete all files of a profile; the profile goes first."""
        self._path(key).unlink(missing_ok=True)
        for kind in ("samples", "before"):
            shutil.rmtree(self.folder / f"{key}.{kind}", ignore_errors=True)
        sync_folder(self.folder)
        if self._default() == key:
            self._put(replace(self.settings(), default=None))

    def _free_key(self, name: str) -> str:
        """Return a name for files that none has, made of letters that every disk can write."""
        ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        plain_key = re.sub(r"[^a-z0-9]+", "-", ascii_name).strip("-")[:40] or "profile"
        number, key = 1, plain_key
        while any((self.folder / f"{key}{end}").exists() for end in (".json", ".samples", ".before")):
            number += 1
            key = f"{plain_key}-{number}"
        return key

    def _put(self, settings: Settings) -> None:
        text = json.dumps({"default": settings.default, "keeps": settings.keeps}) + "\n"
        write_whole(self.folder / SETTINGS, text.encode())

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Keep others out while something is changed, and say what the disk refuses."""
        try:
            make_folder(self.folder)
            with locked(self.folder / LOCK):
                yield
        except TimeoutError as error:
            raise busy() from error
        except OSError as error:
            what = sentence("The dice of this house cannot be written ({reason}).", reason=_reason(error))
            raise StoreError("profiles_unwritable", what, self._advice()) from error

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            what = sentence("The dice of this house cannot be read ({reason}).", reason=_reason(error))
            raise StoreError("profiles_unreadable", what, self._advice()) from error

    def _advice(self) -> Sentence:
        return sentence(
            "Look at the rights and the space for {file}, or name another folder in SAGRADA_DATA.",
            file=str(self.folder),
        )


def spelled(name: str) -> str:
    """Return a name without case and the ways in which a letter can be written, to compare it."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def parsed(content: bytes) -> Profile:
    """Return the profile that a file holds, or raise a `VisionError`."""
    try:
        text = content.decode("utf-8-sig")  # an editor may have added the mark
    except UnicodeDecodeError:
        text = ""  # which is no profile either
    return Profile.parse(text)


def usable(shelved: Shelved) -> Profile:
    """Return the profile, or raise what is wrong with its file."""
    if shelved.profile is None:
        raise shelved.error or NotFoundError("profile_missing")
    return shelved.profile


def busy() -> StoreError:
    """Return the refusal to wait any longer for somebody else."""
    return StoreError(
        "profiles_busy",
        sentence("Another program is changing the dice of this house."),
        sentence("Try again; if it stays, close the other programs that use them."),
    )


def _reason(error: OSError) -> str:
    """Return what the system says about it, in its own language."""
    return error.strerror or str(error)
