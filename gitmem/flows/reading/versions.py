"""From what a person writes behind `@` or `--to` to one version of a memory: `v3`, a commit, or a date."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from gitmem.clock import iso_seconds
from gitmem.errors import BadInput, NotFound
from gitmem.flows.reading.locate import Located, locate
from gitmem.flows.work import Work
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import Memory
from gitmem.versions.history import Step, history

_NUMBER = re.compile(r"v?([1-9]\d{0,8})")
_COMMIT = re.compile(r"[0-9a-f]{4,40}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}.*")


class Version(Struct, frozen=True):
    """One version of a memory: the commit that made it, and where and what it was then.

    `number` counts from 1, the oldest; None where a shallow clone hides how many there were.
    """

    number: int | None
    commit: CommitId
    date: str
    path: str
    blob: BlobId
    step: Step


def versions_of(work: Work, memory: Memory, start: CommitId) -> tuple[list[Version], bool]:
    """All versions, newest first, and whether the oldest is really the first.

    Moves between branches are no versions: the memory was the same before and after.
    """
    steps = [step for step in history(work.place, start, memory.path) if not step.is_move]
    is_complete = not (steps and steps[-1].is_cut)
    count = len(steps)
    found = [
        Version(
            count - position if is_complete else None,
            CommitId(step.commit.id),
            iso_seconds(step.commit.committer_time),
            step.path,
            step.blob,
            step,
        )
        for position, step in enumerate(steps)
    ]
    return found, is_complete


def get_version(work: Work, versions: Sequence[Version], text: str, *, is_complete: bool = True) -> Version:
    """The version that `text` names: `v3` or `3`, a commit, or the newest one on or before a date.

    Raises `NotFound` where there is none, saying so where a shallow clone may hide it.
    """
    hint = None if is_complete else "this is a shallow clone: 'git fetch --unshallow' brings older versions"
    wanted = text.strip()
    if number := _NUMBER.fullmatch(wanted):
        for version in versions:
            if version.number == int(number.group(1)):
                return version
        if len(wanted) < 4 or wanted.startswith("v"):
            have = f"it has {len(versions)}" if is_complete else "the numbers of versions are not known here"
            raise NotFound(f"no version {wanted} of this memory; {have}", name=wanted, hint=hint)
    if _DATE.fullmatch(wanted):
        moment = wanted + "T23:59:59Z" if len(wanted) == 10 else wanted
        found = next((version for version in versions if version.date <= moment), None)
        if found is None:
            raise NotFound(f"this memory is younger than {wanted}", name=wanted, hint=hint)
        return found
    if _COMMIT.fullmatch(wanted):
        found = next((version for version in versions if version.commit.startswith(wanted)), None)
        if found is not None:
            return found
    return _at_commit(work, versions, wanted, hint)


def _at_commit(work: Work, versions: Sequence[Version], revision: str, hint: str | None) -> Version:
    """The version that the memory had at some commit, which need not have changed it."""
    commit = work.place.commit_named(revision)
    for version in versions:
        entry = work.place.repository.entry(commit, version.path)
        if entry is not None and entry.oid == version.blob:
            return version
    raise NotFound(f"commit {commit[:10]} holds no version of this memory", name=revision, hint=hint)


def split_reference(reference: str) -> tuple[str, str | None]:
    """`m7k2q9xw@v3` taken apart; the version is None where there is none. What ends in `.md` is a path."""
    base, at, version = reference.rpartition("@")
    if not at or "/" in version or version.endswith(".md"):
        return reference, None
    return base, version


def locate_version(work: Work, reference: str) -> tuple[Located, str | None]:
    """The memory that `reference` names, `ID` or `ID@VERSION`, and the version, None for the newest.

    Where no memory has the name before the `@`, one whose file has all of it is meant: `@smith2020`. Raises
    `NotFound`, `Ambiguous`, `BadInput` for half of a reference.
    """
    base, version = split_reference(reference)
    if version is None:
        return locate(work, base), None
    try:
        if base.strip() and version.strip():
            return locate(work, base), version
        raise BadInput(f"{reference!r}: write ID@VERSION, such as m7k2q9xw@v3", field="id")
    except (NotFound, BadInput) as error:
        try:
            return locate(work, reference), None
        except NotFound:
            raise error from None
