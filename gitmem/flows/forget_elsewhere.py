"""What a forget here does not reach: remotes, other clones, backups; and the push of a rewrite, with leases."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.flows.forget_rewrite import Rewritten
from gitmem.flows.forget_values import Elsewhere
from gitmem.flows.work import Work
from gitmem.git.refs import remote_names
from gitmem.git.remotes import address_of


def elsewhere(work: Work, pushed: Sequence[str]) -> list[Elsewhere]:
    """The places that may still hold it, each with what finishes it there."""
    repository = work.place.repository
    found = []
    for remote in remote_names(repository.raw):
        if remote not in pushed:
            address = address_of(repository, remote) or remote
            found.append(Elsewhere(f"{remote} ({address})", f"gitmem forget --remote {remote}"))
    if found or pushed:
        found.append(Elsewhere("other clones and forks", "gitmem heal"))
        found.append(Elsewhere("the host's caches and pull requests", "ask the host to remove them"))
    found.append(Elsewhere("backups and snapshots of the file system", "replace them"))
    return found


def push_rewrite(work: Work, remote: str, rewritten: Rewritten) -> Sequence[str]:
    raise NotImplementedError
