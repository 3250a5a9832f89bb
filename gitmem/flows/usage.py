"""usage: how often memories are used, and sharing that with other clones."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from msgspec import Struct

from gitmem.errors import Busy, OutsideFailure
from gitmem.flows.reading.bounds import refuse_negative
from gitmem.flows.reading.indexed import index_view
from gitmem.flows.reading.uses import is_counting, usage_log, why_not_counted
from gitmem.flows.rights.apart import require_sight
from gitmem.flows.work import Work
from gitmem.git.remotes import check_remote
from gitmem.git.side_refs import (
    fetch_side_refs,
    move_side_ref,
    push_side_ref,
    read_side_ref,
)
from gitmem.model.usage import Uses, summed
from gitmem.versions.usage_log import UsageLog
from gitmem.versions.usage_ref import FETCHED, USAGE_REF, Files, next_state

ATTEMPTS = 20


class Used(Struct, frozen=True):
    """One memory and its uses; title and path are None where no memory of the branch has the id."""

    id: str
    uses: Uses
    title: str | None = None
    path: str | None = None


class Usage(Struct, frozen=True):
    """The memories used most, and whether uses are counted; `problem` says why they cannot be."""

    memories: Sequence[Used]
    total: int
    is_counting: bool
    problem: str | None = None


class Shared(Struct, frozen=True):
    """The state of `refs/gitmem/usage` after a share: its commit, how many clones and memories it has."""

    commit: str
    clones: int
    memories: int
    remote: str | None
    is_new: bool


def usage(work: Work, *, limit: int) -> Usage:
    """The memories used most, in this clone and in those that shared theirs; shown counts before recalled."""
    refuse_negative(limit=limit)
    counts = usage_log(work).total()
    order = sorted(counts, key=lambda name: (-counts[name].shown, -counts[name].recalled, name))
    with index_view(work, work.snapshot()) as view:
        if work.place.veil is not None:
            # Of what is not here for whoever acts, nobody says whether it was ever there.
            order = [name for name in order if view is not None and view.by_id(name)]
        found = []
        for name in order[:limit]:
            record = next(iter(view.by_id(name)), None) if view else None
            if record is None:
                found.append(Used(name, counts[name]))
            else:
                found.append(Used(record.id, counts[name], record.title, record.path))
    return Usage(found, len(order), is_counting(work), why_not_counted(work))


def share_usage(work: Work, remote: str | None) -> Shared:
    """Puts this clone's counts into `refs/gitmem/usage`, merged with what was fetched, and takes theirs.

    With `remote` it fetches first and pushes afterwards, again where another was faster. No branch
    and no file of the worktree changes. Raises `BadInput`, `OutsideFailure`, `Busy`.
    """
    require_sight(work.place, "usage --share")
    log = usage_log(work)
    if remote is not None:
        check_remote(work.place.repository, remote)
        _fetch(work, remote)
    for attempt in range(ATTEMPTS):
        shared = _share_here(work, log, remote)
        if shared is not None and (remote is None or _is_pushed(work, remote, shared.commit)):
            return shared
        time.sleep(random.uniform(0, min(1.0, 0.01 * 2**attempt)))
    raise Busy(f"{USAGE_REF} kept moving ({ATTEMPTS} tries)", hint="run the command again")


def _fetch(work: Work, remote: str) -> None:
    fetch_side_refs(work.place.repository, remote, USAGE_REF, f"{FETCHED}{remote}/usage")


def _is_pushed(work: Work, remote: str, commit: str) -> bool:
    """Whether the remote took the commit; False where another clone was faster, whose state is here then."""
    repository = work.place.repository
    try:
        push_side_ref(repository, remote, USAGE_REF)
    except OutsideFailure:
        _fetch(work, remote)
        theirs = read_side_ref(repository, f"{FETCHED}{remote}/usage")
        if theirs is None or repository.is_ancestor(theirs, commit):
            raise
        return False
    return True


def _share_here(work: Work, log: UsageLog, remote: str | None) -> Shared | None:
    """Merges what is here; None where another process moved the ref meanwhile."""
    repository = work.place.repository
    try:
        clone = log.clone_name()
        own = log.own()
    except OSError as error:
        raise OutsideFailure(f"{log.folder} cannot be written: {error.strerror or error}") from error
    here, commit, files = next_state(repository, {clone: own} if own else {}, work.clock.now())
    if commit != here and not move_side_ref(repository, USAGE_REF, commit, expected=here):
        return None
    _take(log, clone, files)
    return Shared(commit, len(files), len(summed(files.values())), remote, commit != here)


def _take(log: UsageLog, clone: str, files: Files) -> None:
    """Keeps what other clones counted where recall finds it."""
    try:
        log.write_others(summed(counts for name, counts in files.items() if name != clone))
    except OSError as error:
        raise OutsideFailure(f"{log.folder} cannot be written: {error.strerror or error}") from error
