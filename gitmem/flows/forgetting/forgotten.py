"""What was forgotten does not come in again: the tombstones of main, asked before anything is written.

    text      an id, a whole text, a sentence or an attachment that a tombstone marks, where its key is here
    history   a commit that a tombstone names, without any key
Both are refused with the day, and never with what it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from gitmem.errors import Busy, Refused
from gitmem.git.objects import LIBGIT2_ERRORS
from gitmem.git.repository import Repository
from gitmem.model.change import Plan
from gitmem.model.document import decode
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import Memory
from gitmem.model.place import owner_of
from gitmem.model.reading import MAX_MEMORY_BYTES, read_memory
from gitmem.model.tombstones import MAX_BYTES, TOMBSTONES_PATH, Tombstones, parse_tombstones
from gitmem.versions.place import Place

if TYPE_CHECKING:
    from gitmem.privacy.tombstones import Checker
    from gitmem.versions.audit import Finding

NOTHING = Tombstones()
FORGETTING = "forgetting"
"""Folder below `Place.home` of a forget that is under way, or was broken off."""


def refuse_while_forgetting(place: Place) -> None:
    """Raises `Busy` while memories are being forgotten: what is written meanwhile could go with the rest."""
    if (place.home / FORGETTING).exists():
        raise Busy("memories are being forgotten here, so nothing was written", hint="run the command again")


def tombstones_of(place: Place, commit: str | None = None) -> Tombstones:
    """The tombstones of a commit, else of main as it stands."""
    tip = commit or place.tip(place.main)
    entry = place.repository.entry(tip, TOMBSTONES_PATH) if tip else None
    if entry is None or place.repository.blob_size(entry.oid) > MAX_BYTES:
        return NOTHING
    return _parsed(entry.oid, place.repository.read_blob(entry.oid))


@lru_cache(maxsize=4)
def _parsed(_oid: str, data: bytes) -> Tombstones:
    return parse_tombstones(data)


def checker_of(place: Place) -> Checker:
    """What tells of texts whether they were forgotten; false where no key is here, or nothing to know."""
    from gitmem.privacy.tombstones import Checker, Keys

    tombstones = tombstones_of(place)
    return Checker(tombstones, Keys(place.home).all() if tombstones.marks else {})


def missing_keys(place: Place) -> list[str]:
    """The names of keys that tombstones were made with and that are not here: what they mark is not known."""
    from gitmem.privacy.tombstones import Keys

    return sorted(tombstones_of(place).keys - Keys(place.home).all().keys())


def refuse_forgotten(place: Place, plans: Iterable[Plan]) -> None:
    """Raises `Refused` where a plan writes what was forgotten, or brings history that was rewritten."""
    tombstones = tombstones_of(place)
    if not tombstones.lines:
        return
    checker = checker_of(place)
    for plan in plans:
        if plan.merges is not None:
            refuse_old_history(place, plan.merges, tombstones, "this history")
        for write in plan.writes if checker else ():
            data = write.data
            if data is None and write.blob is not None and write.blob != write.old:
                data = _bytes_of(place.repository, write.blob)
            if data is not None:
                _refuse_file(place, checker, write.path, data, is_merged=plan.merges is not None)


def refuse_forgotten_files(place: Place, files: Iterable[tuple[str, bytes]]) -> None:
    """Raises `Refused` where one of the files, given as path and bytes, says what was forgotten."""
    checker = checker_of(place)
    for path, data in files if checker else ():
        _refuse_file(place, checker, path, data)


def _bytes_of(repository: Repository, blob: str) -> bytes | None:
    return repository.load_blob(blob) if repository.blob_size(blob) <= MAX_MEMORY_BYTES else None


def _refuse_file(place: Place, checker: Checker, path: str, data: bytes, *, is_merged: bool = False) -> None:
    why = why_forgotten(place, checker, path, data)
    if why is not None:
        there = (
            "it was written there without the key that tells: with it, 'gitmem check' finds it there and "
            "'gitmem forget ID --remote NAME' takes it out"
        )
        raise Refused(f"{why}, and does not come in again", hint=there if is_merged else None)


def why_forgotten(place: Place, checker: Checker, path: str, data: bytes) -> str | None:
    """What of a memory or an attachment was forgotten, and on which day; None where nothing was."""
    if place.config.is_memory_path(path):
        return why_memory_forgotten(checker, read_memory(path, BlobId("0" * 40), data))
    if owner_of(path) is not None:
        day = checker.file(data) or (None if b"\0" in data else checker.text(decode(data)[0]))
    else:
        day = None
    return None if day is None else f"what this says was forgotten on {day}"


def why_memory_forgotten(checker: Checker, memory: Memory) -> str | None:
    """The same of a memory."""
    day = checker.id(memory.id)
    if day is not None:
        return f"a memory of the id {memory.id} was forgotten on {day}"
    day = checker.text(memory.body) or checker.text(memory.title)
    return None if day is None else f"what this says was forgotten on {day}"


def forgotten_findings(checker: Checker, memory: Memory) -> Iterator[Finding]:
    """That a memory stands here again that was forgotten, as plain git may bring one."""
    from gitmem.versions.audit import Finding

    why = why_memory_forgotten(checker, memory) if checker else None
    if why is not None:
        yield Finding("error", "forgotten", memory.path, why, id=memory.id)


def refuse_old_history(place: Place, commit: str, tombstones: Tombstones, name: str) -> None:
    """Raises `Refused` where the commit has a history that was rewritten since."""
    found = old_commits(place, commit, tombstones)
    if found:
        raise Refused(
            f"{name} holds what was forgotten on {tombstones.commits[found[0]]}; nothing of it was taken in",
            hint="whoever has it runs 'gitmem heal' there, which brings new work onto the history of now",
        )


def old_commits(place: Place, commit: str, tombstones: Tombstones) -> list[CommitId]:
    """The commits that tombstones name among those from `commit` on, without those of main."""
    if not tombstones.commits:
        return []
    raw = place.repository.raw
    known = [oid for oid in tombstones.commits if oid in raw]
    return [CommitId(oid) for oid in known if _is_from(place.repository, oid, commit)]


def _is_from(repository: Repository, oid: str, commit: str) -> bool:
    try:
        return repository.is_ancestor(oid, commit)
    except LIBGIT2_ERRORS:
        return False
