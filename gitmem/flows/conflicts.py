"""conflicts: the memories of which several versions are kept, and who wrote each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from gitmem.clock import iso_seconds
from gitmem.errors import Damaged, OutsideFailure
from gitmem.flows.reading.find import get_memory
from gitmem.flows.reading.indexed import index_view
from gitmem.flows.work import Work
from gitmem.git.environment import run_git
from gitmem.git.identity import author_of
from gitmem.git.reflog import made_here
from gitmem.git.repository import CommitInfo
from gitmem.model.change import trailers_of
from gitmem.model.document import decode
from gitmem.model.ids import CommitId, MemoryId
from gitmem.model.memory import Memory, Status
from gitmem.model.merge.settle import Dispute, disputes_of
from gitmem.versions.history import last_step
from gitmem.versions.snapshot import Snapshot
from gitmem.versions.version_origin import origins_of


class VersionOrigin(Struct, frozen=True):
    """Who wrote a version and when; all but the name is None where no commit here holds it.

    `is_ours`: this clone made the commit; None where that cannot be told.
    """

    name: str
    commit: CommitId | None = None
    date: str | None = None
    author: str | None = None
    agent: str | None = None
    is_ours: bool | None = None


class Disputed(Struct, frozen=True):
    """A disputed memory: what is open in it, and where its versions come from, by name.

    `disputes` is empty where a person or agent marked it as disputed and no versions are kept.
    """

    id: MemoryId
    path: str
    title: str
    version: CommitId
    text: str
    disputes: Sequence[Dispute]
    versions: Mapping[str, VersionOrigin]


class Conflicts(Struct, frozen=True):
    """The disputed memories of a branch at a commit, by path."""

    branch: str
    commit: CommitId | None
    memories: Sequence[Disputed]


def conflicts(work: Work) -> Conflicts:
    """The memories of the branch that are disputed."""
    snapshot = work.snapshot()
    found: list[Disputed] = []
    with index_view(work, snapshot) as view:
        records = [] if view is None else [each for each in view.records() if each.status is Status.DISPUTED]
    for record in sorted(records, key=lambda each: each.path):
        try:
            found.append(_disputed(work, snapshot, snapshot.read(record.path, record.blob)))
        except Damaged:
            continue
    return Conflicts(work.branch, snapshot.commit, found)


def disputed(work: Work, reference: str) -> Disputed:
    """One memory as `conflicts` shows it, whether or not it is disputed. Raises `NotFound`."""
    snapshot = work.snapshot()
    return _disputed(work, snapshot, get_memory(work, snapshot, reference))


def _disputed(work: Work, snapshot: Snapshot, memory: Memory) -> Disputed:
    assert snapshot.commit is not None, "a memory was found, so there is a commit"
    text = decode(work.place.repository.read_blob(memory.blob))[0]
    disputes = disputes_of(text)
    names = {name for each in disputes for option in each.options for name in option.names}
    step = last_step(work.place, snapshot.commit, memory.path)
    version = CommitId(step.commit.id) if step else snapshot.commit
    origins = _origins(work, snapshot.commit, memory, names)
    return Disputed(memory.id, memory.path, memory.title, version, text, disputes, origins)


def _origins(
    work: Work, commit: CommitId, memory: Memory, names: Collection[str]
) -> dict[str, VersionOrigin]:
    commits = origins_of(work.place, commit, memory.path, memory.id, names)
    ours = ours_of(work, commits)
    found = {}
    for name in sorted(names):
        info = commits.get(name)
        if info is None:
            found[name] = VersionOrigin(name)
            continue
        agent = trailers_of(info.message).get("Agent", [None])[0]
        is_ours = None if ours is None else name in ours
        found[name] = VersionOrigin(
            name, CommitId(info.id), iso_seconds(info.author_time), info.author_name, agent, is_ours
        )
    return found


def ours_of(
    work: Work, commits: Mapping[str, CommitInfo], *, agent: str | None = None
) -> frozenset[str] | None:
    """The versions that are ours, by name; None where it cannot be told.

    Asked in turn, and the first that tells some from others decides: which commits name the agent, which were
    made in this clone, which have the author that commits would have here.
    """
    here = made_here(work.place.repository, work.branch)
    me = author_of(work.place.repository)
    for is_ours in (
        lambda info: agent is not None and agent in trailers_of(info.message).get("Agent", []),
        lambda info: info.id in here,
        lambda info: info.author_email == me.email,
    ):
        ours = frozenset(name for name, info in commits.items() if is_ours(info))
        if ours and len(ours) < len(commits):
            return ours
    return None


def editor_of(work: Work) -> str | None:
    """The editor that git would open here; None where it has none."""
    repository = work.place.repository
    try:
        answer = run_git(["var", "GIT_EDITOR"], cwd=repository.worktree or repository.git_dir)
    except OutsideFailure:
        return None
    return answer.decode("utf-8", "replace").strip() or None
