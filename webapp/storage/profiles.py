"""Dice profiles: what people do with them, on the page and on the command line, and their files.

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
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from calibration.profiles import Learned, Sample, is_current, learn
from scoring.errors import SagradaError
from scoring.sentences import english
from vision.errors import VisionError
from vision.profile import How, Profile, Quality, checked_name
from webapp.domain.dice import LearningResult
from webapp.domain.errors import InputError, NotFoundError, StoreError
from webapp.storage.files import (
    busy,
    changing,
    damaged,
    default_folder,
    make_folder,
    reading,
    sync_folder,
    write_whole,
)

FOLDER_NAME = "profiles"
SETTINGS, LOCK = "_settings.json", "_lock"
MOST_SAMPLES = 12
"""Photos of a profile whose dice are kept; the oldest go first. Learning looks at all of them again."""
MOST_BEFORE = 20  # photos that can be forgotten
TRIES = 5  # times that somebody else may have been quicker
LONGEST_FILE = 100_000
_TRIED: set[tuple[Path, str]] = set()
"""What was learned anew, or could not be: to try that again at each photo would take a second each time."""


@dataclass(frozen=True)
class KeptProfile:
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


def spelled(name: str) -> str:
    """Return a name without case and the ways in which a letter can be written, to compare it."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def parsed(content: bytes) -> Profile:
    """Return the profile that a file holds, or raise a `VisionError`."""
    text = ""  # which is no profile
    with suppress(UnicodeDecodeError):
        text = content.decode("utf-8-sig")  # an editor may have added the mark
    return Profile.parse(text)


def usable(kept_profile: KeptProfile) -> Profile:
    """Return the profile, or raise what is wrong with its file."""
    if kept_profile.profile is None:
        raise kept_profile.error or NotFoundError("profile_missing")
    return kept_profile.profile


@dataclass(frozen=True)
class Taught:
    """What came of teaching; ``kept_profile`` is the profile as it is kept now, None where there is none."""

    result: LearningResult
    kept_profile: KeptProfile | None


class ProfileStore:
    """The profiles in a folder, which need not be there yet.

    Everything raises a `StoreError` when the disk refuses (``profiles_unusable``), another program holds the
    lock (``profiles_busy``) or the settings cannot be understood (``profiles_damaged``); what was to be
    changed is as it was then. A `NotFoundError` (``profile_missing``) says that there is no such profile, and
    a `VisionError` that its file is of no use.
    """

    # --- Looking ---------------------------------------------------------------------------------

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> tuple[KeptProfile, ...]:
        """Return all profiles, the default one first, and in their place those that cannot be used."""
        with self._reading():
            keys = sorted(path.stem for path in self.folder.glob("*.json") if path.stem[0] not in "._")
        kept_profile = [self._kept_profile(key) for key in keys]
        return tuple(
            sorted(kept_profile, key=lambda one: (not one.is_default, one.profile is None, spelled(one.name)))
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
        raise damaged(
            self.folder / SETTINGS, "profiles", english("It does not say which dice are read first.")
        )

    def usable(self) -> tuple[Profile, ...]:
        """Return the profiles that dice can be read with, the default one first."""
        return tuple(one.profile for one in map(self._renewed, self.all()) if one.profile)

    def get(self, key: str) -> KeptProfile:
        """Return the profile with this key, usable or not, or raise `NotFoundError`."""
        for one in self.all():
            if one.key == key:
                return one
        raise NotFoundError("profile_missing")

    def called(self, name: str) -> KeptProfile:
        """Return the profile that somebody means by a name in any case, or by the name of its file."""
        if (found := self._called(name)) is None:
            raise NotFoundError("profile_missing")
        return found

    def _called(self, name: str) -> KeptProfile | None:
        wanted = spelled(name)
        return next((one for one in self.all() if wanted in {spelled(one.name), spelled(one.key)}), None)

    def usable_called(self, name: str) -> Profile:
        """Return the profile of that name; raise what is wrong with its file where it cannot be used."""
        return usable(self._renewed(self.called(name)))

    def _renewed(self, kept_profile: KeptProfile) -> KeptProfile:
        """Learn a profile of an earlier program anew, in its place; nobody taught it: its revision stays."""
        profile, path = kept_profile.profile, self._path(kept_profile.key)
        if profile is None or not kept_profile.is_outdated or not kept_profile.samples:
            return kept_profile
        if (tried := (path, str(profile))) in _TRIED:
            return kept_profile
        _TRIED.add(tried)
        with suppress(SagradaError):  # then it stays as it is
            learned = learn(profile.name, self._samples(kept_profile.key, profile), profile)
            with self._changing():
                if learned.adopted and self.get(kept_profile.key).profile == profile:
                    write_whole(path, str(replace(learned.profile, revision=profile.revision)).encode())
            return self.get(kept_profile.key)
        return kept_profile

    # --- Learning --------------------------------------------------------------------------------

    def teach(self, name: str, sample: Sample, *, keep: bool | None = None) -> Taught:
        """Learn from named dice: improve the profile of that name, or make it.

        Nothing is changed unless dice held back are read at least as well. When somebody else teaches the
        same profile meanwhile, this photo is learned on top of that one. ``keep`` says whether the pictures
        may be kept, to learn from them again, and is remembered for all profiles; None leaves it as it was.
        It raises what `calibration.profiles.learn` raises, and what is wrong with the profile's file.
        """
        name = checked_name(name)
        for _ in range(TRIES):
            before = self._called(name)
            seen = usable(before) if before else None
            kept = self._samples(before.key, seen) if before and seen else []
            samples = [one for one in kept if one.when != sample.when]
            learned = learn(seen.name if seen else name, [*samples, sample], seen)
            result = _result(learned, len(samples), sample)
            with self._changing():
                now = self._called(name)
                if (now.profile if now else None) != seen:
                    continue
                if keep is not None:
                    self._put(replace(self.settings(), keeps=keep))
                if not learned.adopted:
                    return Taught(result, before)
                key = before.key if before else self._free_key(name)
                self._keep(key, learned.profile, seen, sample if self.settings().keeps else None)
                return Taught(result, self._kept_profile(key))
        raise busy(self.folder, "profiles")

    def undo(self, key: str) -> KeptProfile | None:
        """Go back to what the profile was before its last photo, and return that.

        Before its first photo there was none: the profile goes, and None is returned.
        """
        with self._changing():
            now = self.get(key)
            profile = usable(now)
            if not now.can_undo:
                raise InputError("nothing_to_undo")
            earlier = self._file(key, "before", profile.revision)
            content = earlier.read_bytes()
            if not content:
                self._remove(key)
                return None
            write_whole(self._path(key), str(parsed(content).renamed(profile.name)).encode())
            for gone in (earlier, self._file(key, "samples", profile.revision)):
                gone.unlink(missing_ok=True)
            return self.get(key)

    def forget(self, *, profiles: bool = False) -> None:
        """Delete all pictures of dice and that they may be kept; with ``profiles`` also what was learned."""
        with self._changing():
            settings = self.settings()
            for folder in self.folder.glob("*.samples"):
                shutil.rmtree(folder)
            if profiles:
                for one in self.all():
                    if one.profile:
                        self._remove(one.key)
                settings = replace(settings, default=None)
            self._put(replace(settings, keeps=None))

    # --- Changing --------------------------------------------------------------------------------

    def rename(self, key: str, name: str) -> KeptProfile:
        """Give a profile another name; `InputError` (``profile_name_taken``) where another one has it."""
        with self._changing():
            renamed = usable(self.get(key)).renamed(name)
            if any(spelled(one.name) == spelled(renamed.name) for one in self.all() if one.key != key):
                raise InputError("profile_name_taken")
            write_whole(self._path(key), str(renamed).encode())
            return self.get(key)

    def keep_pictures(self, *, keep: bool) -> None:
        """Note whether pictures of dice may be kept; those that are kept stay until they are forgotten."""
        with self._changing():
            self._put(replace(self.settings(), keeps=keep))

    def choose(self, key: str) -> KeptProfile:
        """Make a profile the default one."""
        with self._changing():
            usable(self.get(key))
            self._put(replace(self.settings(), default=key))
            return self.get(key)

    def take_in(self, text: str) -> KeptProfile:
        """Add the profile of an exported file; `InputError` where another one has its name."""
        profile = Profile.parse(text)
        with self._changing():
            for one in self.all():
                if one.profile == profile:
                    return one
                if spelled(one.name) == spelled(profile.name):
                    raise InputError("profile_name_taken")
            key = self._free_key(profile.name)
            write_whole(self._path(key), str(profile).encode())
            return self._kept_profile(key)

    def delete(self, key: str) -> None:
        """Delete a profile with all that it was learned from, also one that cannot be used."""
        with self._changing():
            self._remove(self.get(key).key)

    # --- Files -----------------------------------------------------------------------------------

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

    def _kept_profile(self, key: str) -> KeptProfile:
        try:
            with self._reading():
                profile = parsed(self._path(key).read_bytes())
        except (StoreError, VisionError) as error:
            is_gone = isinstance(error.__cause__, FileNotFoundError)  # somebody deleted it right now
            return KeptProfile(key, None, NotFoundError("profile_missing") if is_gone else error)
        return KeptProfile(
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
        write_whole(self.folder / SETTINGS, (json.dumps(asdict(settings)) + "\n").encode())

    def _changing(self) -> AbstractContextManager[None]:
        return changing(self.folder, self.folder / LOCK, "profiles")

    def _reading(self) -> AbstractContextManager[None]:
        return reading(self.folder, "profiles")


def default_profiles() -> ProfileStore:
    """Return the profiles of this computer's user, which the page shows too."""
    return ProfileStore(default_folder() / FOLDER_NAME)


def _result(learned: Learned, number: int, sample: Sample) -> LearningResult:
    """Return what came of learning from a sample, the one with that number."""
    odd = tuple(cell for which, cell in learned.odd if which == number)
    profile, is_loose = learned.profile, sample.how is How.LOOSE
    quality = profile.quality or Quality(0, 0, 0)
    return LearningResult(profile.name, learned.adopted, quality, odd, loose=is_loose)
