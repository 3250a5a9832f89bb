"""What a forget here does not reach: remotes, clones, backups; and the push of a rewrite, with leases."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.errors import NotFound, OutsideFailure, Refused
from gitmem.flows.forgetting.tombstones import old_tips
from gitmem.flows.forgetting.values import Elsewhere
from gitmem.flows.rights.acting import require_person
from gitmem.flows.work import Work
from gitmem.git.refs import remote_names
from gitmem.git.remotes import address_of, check_remote, remote_refs, replace_refs


class Pushed(Struct, frozen=True):
    """The refs of a remote that name the rewritten history now, and those that stay as they were, and why."""

    remote: str
    refs: Sequence[str]
    left: Sequence[tuple[str, str]]


def elsewhere(work: Work, pushed: Pushed | None) -> list[Elsewhere]:
    """The places that may still hold it, each with what finishes it there."""
    repository = work.place.repository
    remotes = remote_names(repository.raw)
    found = []
    for remote in remotes:
        if pushed is None or remote != pushed.remote or pushed.left:
            address = address_of(repository, remote) or remote
            found.append(Elsewhere(f"{remote} ({address})", f"gitmem forget --remote {remote}"))
    if pushed is not None:
        command = "git reflog expire --expire=now --all && git gc --prune=now, run there"
        found.append(Elsewhere(f"old objects on {pushed.remote}", command))
    if remotes:
        found.append(Elsewhere("other clones and forks", "gitmem heal"))
        found.append(Elsewhere("the host's caches, logs and pull requests", "ask the host to remove them"))
    found.append(Elsewhere("backups and snapshots of the disk", "replace them"))
    return found


def refuse_unknown_work(work: Work, remote: str) -> None:
    """Raises `Refused` where the remote has commits that are not here: they would stay on the old history."""
    check_remote(work.place.repository, remote)
    for name, oid in remote_refs(work.place.repository, remote).items():
        if name.startswith("refs/heads/") and not work.place.repository.has_object(oid):
            raise Refused(
                f"{remote} has commits on {name.removeprefix('refs/heads/')} that are not here",
                hint=f"'gitmem sync {remote}' and 'git fetch {remote}' bring them, then repeat the command",
            )


def push_forgotten(work: Work, remote: str) -> Pushed:
    """Lets all refs of the remote that stand at rewritten history name what stands for it now.

    Each moves only if it still is where it was seen. Raises `Refused` for an agent, `NotFound` where nothing
    was forgotten here, `OutsideFailure` where the remote does not take it.
    """
    require_person(work.identity, "forget --remote")
    repository = work.place.repository
    check_remote(repository, remote)
    known = old_tips(work.place)
    if not known:
        raise NotFound("nothing was forgotten in this clone", name=remote)
    moves: dict[str, tuple[str, str]] = {}
    left = []
    for name, was in remote_refs(repository, remote).items():
        if was in known:
            moves[name] = (was, _newest(work, name, known[was]))
        elif name.startswith("refs/heads/") and not repository.has_object(was):
            left.append((name, "it has commits that are not here: run 'gitmem heal' where they were made"))
    rejections = replace_refs(repository, remote, moves) if moves else []
    if rejections:
        first = rejections[0]
        said = f": {first.said}" if first.said else ""
        raise OutsideFailure(
            f"{remote} does not let {first.branch} go: {first.reason}{said}",
            hint="a guard or a protected branch refuses it there: let it pass for once, or forget there",
        )
    return Pushed(remote, sorted(moves), left)


def _newest(work: Work, name: str, new: str) -> str:
    """What the local ref of that name has, where that goes on from `new`: tombstones and later work."""
    if name.startswith("refs/heads/"):
        tip = work.place.repository.local_tip(name.removeprefix("refs/heads/"))
        if tip is not None and work.place.repository.is_ancestor(new, tip):
            return tip
    return new
