"""A clone of a store is a fork of it: where it came from, and how far the two have gone apart since.

Git notes in the log of a branch that it was cloned, and from which commit; a log is cut after some months,
so what it says is kept in git's config at the first use.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from msgspec import Struct

from gitmem.errors import BadInput, GitmemError, NotFound, OutsideFailure
from gitmem.flows.merging.driver import installed_driver
from gitmem.flows.running.hooks import installed_hooks
from gitmem.flows.work import Work
from gitmem.git.ancestry import merge_bases
from gitmem.git.reflog import cloned_at
from gitmem.git.refs import remote_names
from gitmem.git.remotes import address_of, check_remote
from gitmem.model.ids import CommitId
from gitmem.platform import make_private_directory
from gitmem.versions.fork_settings import FORK_COMMIT, FORKED_FROM
from gitmem.versions.memory_changes import MemoryChange, memory_changes
from gitmem.versions.place import Place

ORIGIN = "origin"


class Fork(Struct, frozen=True):
    """Where a clone came from: the address without secrets, and the commit of main at that time."""

    url: str
    commit: CommitId


class Distance(Struct, frozen=True):
    """How far main and that of a remote are apart, in memories, as of the last fetch."""

    remote: str
    commit: CommitId
    ahead: int
    behind: int


class SideChange(Struct, frozen=True):
    """A memory that differs from the fork point: `here`, `there`, or alike on `both` sides."""

    side: str
    change: MemoryChange


class SinceFork(Struct, frozen=True):
    """What changed on either side since the fork; `there` is the commit that was fetched last, if any."""

    fork: Fork
    remote: str | None
    here: CommitId | None
    there: CommitId | None
    changes: Sequence[SideChange]


def fork_of(place: Place) -> Fork | None:
    """Where this clone came from; None where it is no clone, or nothing tells any more."""
    repository = place.repository
    url, commit = repository.config(FORKED_FROM), repository.config(FORK_COMMIT)
    if url and commit:
        return Fork(url, CommitId(commit))
    address = address_of(repository, ORIGIN)
    found = cloned_at(repository, place.main)
    return Fork(address, CommitId(found)) if address and found else None


def note_fork(place: Place) -> Fork | None:
    """Keeps in git's config where this clone came from. Where that cannot be written nothing is lost yet."""
    fork = fork_of(place)
    if fork is not None and not place.repository.config(FORK_COMMIT):
        with contextlib.suppress(OutsideFailure, BadInput):
            place.repository.set_config(FORKED_FROM, fork.url)
            place.repository.set_config(FORK_COMMIT, fork.commit)
    return fork


def greet_fork(work: Work) -> None:
    """At the first use of a clone: keeps where it came from, and says once what is not set up in it."""
    place = work.place
    try:
        make_private_directory(place.home)
    except OSError:
        # It could not be said once only; `status` says it.
        return
    fork = note_fork(place)
    missing = missing_parts(place)
    if fork is not None and missing:
        work.notice(
            f"this is a clone of {fork.url}; {' and '.join(missing)} not set up in it, "
            "since git does not carry them along; 'gitmem init' sets them up"
        )


def missing_parts(place: Place) -> list[str]:
    """What `init` would set up in this clone, as the beginning of a sentence."""
    repository = place.repository
    hooks = installed_hooks(repository)
    is_without_hooks = not hooks.installed and not hooks.reason and not repository.is_bare
    is_without_driver = not installed_driver(repository).is_installed
    if is_without_hooks and is_without_driver:
        return ["hooks", "merge driver are"]
    return ["hooks are"] if is_without_hooks else ["the merge driver is"] if is_without_driver else []


def remote_of(place: Place, named: str | None) -> str:
    """The remote that is meant: the one named, else `origin`, else the only one.

    Raises `NotFound` where there is none, `BadInput` where it is none or several could be meant.
    """
    if named is not None:
        return check_remote(place.repository, named)
    names = remote_names(place.repository.raw)
    if not names:
        raise NotFound(
            "this store has no remote to sync with",
            name=ORIGIN,
            hint="'git remote add origin ADDRESS' names one",
        )
    if names[0] != ORIGIN and len(names) > 1:
        raise BadInput(f"say which remote: {', '.join(names)}", field="remote")
    return check_remote(place.repository, names[0])


def distance(work: Work) -> Distance | None:
    """How far main is from the remote's, as last fetched; None where none was fetched."""
    place = work.place
    try:
        remote = remote_of(place, None)
    except GitmemError:
        return None
    theirs, ours = place.repository.remote_tip(remote, place.main), place.tip(place.main)
    if theirs is None or ours is None:
        return None
    bases = merge_bases(place.repository, ours, theirs)
    base = CommitId(bases[0]) if bases else None
    return Distance(
        remote,
        CommitId(theirs),
        len(memory_changes(place, base, ours)),
        len(memory_changes(place, base, CommitId(theirs))),
    )


def since_fork(work: Work) -> SinceFork:
    """What changed since the fork, here and there. Raises `NotFound` where this is no fork."""
    place = work.place
    fork = fork_of(place)
    if fork is None:
        raise NotFound(
            "this store is no clone, or nothing tells any more of what",
            name="fork",
            hint="'gitmem log' shows all of its history",
        )
    remotes = remote_names(place.repository.raw)
    remote = ORIGIN if ORIGIN in remotes else next(iter(remotes), None)
    archive = place.config.branches["archive"]
    archives = [place.tip(archive), *map(CommitId, place.repository.remote_tips(archive))]
    here = place.tip(place.main)
    found = place.repository.remote_tip(remote, place.main) if remote else None
    there = CommitId(found) if found else None
    place.repository.commit(fork.commit)
    ours = memory_changes(place, fork.commit, here, archives=archives)
    theirs = memory_changes(place, fork.commit, there, archives=archives) if there else []
    both = set(ours) & set(theirs)
    changes = [SideChange("both" if change in both else "here", change) for change in ours]
    changes += [SideChange("there", change) for change in theirs if change not in both]
    return SinceFork(fork, remote, here, there, changes)
