"""What a forget here does not reach: remotes, clones, backups; and the push of a rewrite, with leases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from gitmem.errors import NotFound, OutsideFailure, Refused
from gitmem.flows.forgetting.forgotten import old_commits, tombstones_of
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
    """Raises `Refused` where the remote has commits that are not here: they would stay on the old history.

    Nor may main there have any that main here has not: what is pushed would be without the tombstones, and
    the next clone to sync would bring the old history back.
    """
    repository = work.place.repository
    check_remote(repository, remote)
    tip = work.place.tip(work.place.main)
    for name, oid in remote_refs(repository, remote).items():
        if not name.startswith("refs/heads/"):
            continue
        branch = name.removeprefix("refs/heads/")
        if not repository.has_object(oid):
            raise Refused(
                f"{remote} has commits on {branch} that are not here",
                hint=f"'gitmem sync {remote}' and 'git fetch {remote}' bring them, then repeat the command",
            )
        if branch == work.place.main and tip is not None and not repository.is_ancestor(oid, tip):
            raise Refused(
                f"{remote} has commits on {branch} that {branch} here has not",
                hint=f"'gitmem sync {remote}' brings them, then repeat the command; where that is refused, "
                f"forget without --remote, then 'gitmem forget --remote {remote}'",
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
        why = _why_left(work, remote, name, was, known)
        if why is not None:
            left.append((name, why))
        elif was in known:
            moves[name] = (was, _newest(work, name, known[was]))
    rejections = replace_refs(repository, remote, moves) if moves else []
    if rejections:
        first = rejections[0]
        said = f": {first.said}" if first.said else ""
        raise OutsideFailure(
            f"{remote} does not let {first.branch} go: {first.reason}{said}",
            hint="a guard or a protected branch refuses it there: let it pass for once, or forget there",
        )
    return Pushed(remote, sorted(moves), left)


def _why_left(work: Work, remote: str, name: str, was: str, known: Mapping[str, str]) -> str | None:
    """Why a ref of the remote has to stay as it is, and the way on; None where it may move or need not."""
    repository = work.place.repository
    if not name.startswith("refs/heads/"):
        return None
    if was in known:
        tip = work.place.tip(work.place.main)
        if name != f"refs/heads/{work.place.main}" or tip is None or repository.is_ancestor(known[was], tip):
            return None
        return (
            f"{work.place.main} here has not all of it, so what was forgotten would come back: "
            f"'gitmem merge {remote}/{work.place.main}', then repeat the command"
        )
    again = f"forget the same once more, then 'gitmem forget --remote {remote}'"
    if not repository.has_object(was):
        return f"it has commits that are not here: 'git fetch {remote}', {again}"
    if old_commits(work.place, was, tombstones_of(work.place)):
        return f"it has commits on what was forgotten: {again}"
    return None


def _newest(work: Work, name: str, new: str) -> str:
    """What the local ref of that name has, where that goes on from `new`: tombstones and later work."""
    if name.startswith("refs/heads/"):
        tip = work.place.repository.local_tip(name.removeprefix("refs/heads/"))
        if tip is not None and work.place.repository.is_ancestor(new, tip):
            return tip
    return new
