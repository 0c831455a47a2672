"""The dice of this house: what people do with profiles, on the page and on the command line."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.profiles import Learned, Sample, learn
from scoring.errors import SagradaError
from vision.profile import How, Profile, Quality, checked_name
from webapp.companion.errors import InputError, NotFoundError
from webapp.companion.household import Lesson
from webapp.store.disk import default_folder, write_whole
from webapp.store.profile_files import ProfileFiles, Shelved, busy, parsed, spelled, usable

FOLDER_NAME = "profiles"
TRIES = 5  # times that somebody else may have been quicker
LONGEST_FILE = 100_000
_TRIED: set[tuple[Path, str]] = set()
"""What was learned anew, or could not be: to try that again at each photo would take a second each time."""


@dataclass(frozen=True)
class Taught:
    """What came of a lesson; ``shelved`` is the profile as it is kept now, None where there is none."""

    lesson: Lesson
    shelved: Shelved | None


class ProfileStore(ProfileFiles):
    """The profiles in a folder, which need not be there yet.

    Everything raises a `StoreError` when the disk refuses (``profiles_unreadable``, ``profiles_unwritable``),
    another program holds the lock (``profiles_busy``) or the settings cannot be understood
    (``profiles_damaged``); what was to be changed is as it was then. A `NotFoundError` (``profile_missing``)
    says that there is no such profile, and a `VisionError` that its file is of no use.
    """

    # --- Looking ---------------------------------------------------------------------------------

    def usable(self) -> tuple[Profile, ...]:
        """Return the profiles that dice can be read with, the default one first.

        Those of an earlier program are learned anew from the pictures of their dice that are kept.
        """
        return tuple(one.profile for one in map(self._renewed, self.all()) if one.profile)

    def get(self, key: str) -> Shelved:
        """Return the profile with this key, usable or not, or raise `NotFoundError`."""
        for one in self.all():
            if one.key == key:
                return one
        raise NotFoundError("profile_missing")

    def called(self, name: str) -> Shelved:
        """Return the profile that somebody means by a name in any case, or by the name of its file."""
        wanted = spelled(name)
        for one in self.all():
            if wanted in {spelled(one.name), spelled(one.key)}:
                return one
        raise NotFoundError("profile_missing")

    def usable_called(self, name: str) -> Profile:
        """Return the profile of that name; raise what is wrong with its file where it cannot be used."""
        return usable(self._renewed(self.called(name)))

    def _renewed(self, shelved: Shelved) -> Shelved:
        """Learn a profile of an earlier program anew, in its place, where that can be done.

        It stays the same revision: nobody taught anything, and what came before can still be gone back to.
        """
        profile, path = shelved.profile, self._path(shelved.key)
        if profile is None or not (shelved.is_outdated and shelved.samples) or (path, str(profile)) in _TRIED:
            return shelved
        _TRIED.add((path, str(profile)))
        with suppress(SagradaError):  # then it stays as it is
            learned = learn(profile.name, self._samples(shelved.key, profile), profile)
            with self._changing():
                if learned.adopted and self.get(shelved.key).profile == profile:
                    write_whole(path, str(replace(learned.profile, revision=profile.revision)).encode())
            return self.get(shelved.key)
        return shelved

    # --- Learning --------------------------------------------------------------------------------

    def teach(
        self,
        name: str,
        sample: Sample,
        *,
        keep: bool | None = None,
        instead: tuple[str, int] | None = None,
        by_itself: bool = False,
    ) -> Taught:
        """Learn from named dice: improve the profile of that name, or make it.

        Nothing is changed unless dice held back are read at least as well. When somebody else teaches the
        same profile meanwhile, this lesson is learned on top of that one.

        Parameters
        ----------
        name
            What the profile is called.
        sample
            The dice.
        keep
            Whether their pictures may be kept, to learn from them again. It is remembered for all profiles;
            None leaves it as it was.
        instead
            The key and the revision that an earlier lesson from the same photo made: when it is the last one
            of this profile, this lesson takes its place.
        by_itself
            Whether nobody asked for it: then pictures have to be kept and the profile has to be there.

        Raises
        ------
        ProfileError, VisionError
            As for `calibration.profiles.learn`; or the profile of that name cannot be used.
        InputError, NotFoundError
            Nobody asked, and no pictures may be kept, or there is no such profile (any more).
        """
        name = checked_name(name)
        for _ in range(TRIES):
            try:
                before: Shelved | None = self.called(name)
            except NotFoundError:
                before = None
            if by_itself and before is None:
                raise NotFoundError("profile_missing")
            now = usable(before) if before else None
            seen = self._without(before, instead) if before else None
            kept = self._samples(before.key, seen) if before and seen else []
            samples = [one for one in kept if (one.how, one.when) != (sample.how, sample.when)]
            learned = learn(seen.name if seen else name, [*samples, sample], seen)
            lesson = replace(_lesson(learned, len(samples), sample), by_itself=by_itself)
            with self._changing():
                if self._again(name) != now:
                    continue
                if by_itself and not self.settings().keeps:
                    raise InputError("pictures_not_kept")
                if keep is not None:
                    self._put(replace(self.settings(), keeps=keep))
                if not learned.adopted:
                    return Taught(lesson, before)
                key = before.key if before else self._free_key(name)
                self._keep(key, learned.profile, seen, sample if self.settings().keeps else None)
                return Taught(lesson, self._shelved(key))
        raise busy()

    def _without(self, shelved: Shelved, instead: tuple[str, int] | None) -> Profile:
        """Return the profile, or what it was before its last lesson where that is the one to be replaced."""
        profile = usable(shelved)
        if instead != (shelved.key, profile.revision) or not shelved.can_undo:
            return profile
        content = self._file(shelved.key, "before", profile.revision).read_bytes()
        return parsed(content).renamed(profile.name) if content else profile

    def undo(self, key: str, revision: int | None = None) -> Shelved | None:
        """Go back to what the profile was before its last lesson, and return that.

        With a ``revision`` only where that lesson made it.

        Returns
        -------
        Shelved or None
            None where that was the first lesson: then the profile is gone.
        """
        with self._changing():
            now = self.get(key)
            profile = usable(now)
            if not now.can_undo or revision not in {None, profile.revision}:
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

    def _again(self, name: str) -> Profile | None:
        try:
            return self.called(name).profile
        except NotFoundError:
            return None

    # --- Changing --------------------------------------------------------------------------------

    def rename(self, key: str, name: str) -> Shelved:
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

    def choose(self, key: str) -> Shelved:
        """Make a profile the default one."""
        with self._changing():
            usable(self.get(key))
            self._put(replace(self.settings(), default=key))
            return self.get(key)

    def take_in(self, text: str) -> Shelved:
        """Add the profile of an exported file.

        The same as one that is here changes nothing; another one of the same name is refused
        (``profile_name_taken``).
        """
        profile = Profile.parse(text)
        with self._changing():
            for one in self.all():
                if one.profile == profile:
                    return one
                if spelled(one.name) == spelled(profile.name):
                    raise InputError("profile_name_taken")
            key = self._free_key(profile.name)
            write_whole(self._path(key), str(profile).encode())
            return self._shelved(key)

    def delete(self, key: str) -> None:
        """Delete a profile with all that it was learned from, also one that cannot be used."""
        with self._changing():
            self._remove(self.get(key).key)


def default_profiles() -> ProfileStore:
    """Return the profiles of this computer's user, which the page shows too."""
    return ProfileStore(default_folder() / FOLDER_NAME)


def _lesson(learned: Learned, number: int, sample: Sample) -> Lesson:
    """Return what came of learning from a sample, the one with that number."""
    odd = tuple(cell for which, cell in learned.odd if which == number)
    profile, is_loose = learned.profile, sample.how is How.LOOSE
    return Lesson(profile.name, learned.adopted, profile.quality or Quality(0, 0, 0), odd, loose=is_loose)
