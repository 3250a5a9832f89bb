"""clone: a store of one's own in one step: cloned by git, with hooks, merge driver, index and fork point."""

from __future__ import annotations

import os
import re
from pathlib import Path

from msgspec import Struct

from gitmem.clock import Clock
from gitmem.errors import BadInput, Conflict, NotAStore
from gitmem.flows.merging.driver import DriverReport, install_driver
from gitmem.flows.rights.default_agent import AGENT_SETTING
from gitmem.flows.running.hooks import HookReport, install_hooks
from gitmem.flows.syncing.fork import Fork
from gitmem.flows.upkeep import reindex
from gitmem.flows.work import Notice, Progress, Work
from gitmem.git.remotes import check_out, check_url, remote_branches
from gitmem.git.remotes import clone as git_clone
from gitmem.git.repository import Repository
from gitmem.git.talk import parted
from gitmem.versions.fork_settings import ACTIVE_ONLY, FORK_COMMIT, FORKED_FROM
from gitmem.versions.place import Place, place_of


class Cloned(Struct, frozen=True):
    """A new clone. `fork` is None where the remote has no commit yet."""

    folder: Path
    fork: Fork | None
    main: str
    memories: int
    is_active_only: bool
    agent: str | None
    hooks: HookReport
    driver: DriverReport
    had_secret: bool
    """Whether the address carried a password or token, which is kept nowhere."""


def clone(
    url: str,
    folder: Path | None,
    *,
    below: Path,
    clock: Clock,
    notice: Notice,
    progress: Progress,
    is_active_only: bool = False,
    agent: str | None = None,
) -> Cloned:
    """Clones the store at `url` into `folder` below `below`, by default one of its name, and sets it up.

    With `is_active_only` archived memories stay behind, now and at each sync. `agent` is who new memories
    come from where nobody is named. Raises `BadInput` for what is no address, `Conflict` where the folder is
    in use, `OutsideFailure` with git's reason, `NotAStore` where it is no store; the clone stays then.
    """
    check_url(url)
    if Path(url).is_dir():
        # Git keeps a path as it is given.
        url = str(plain(Path(url)))
    address = parted(url)
    if agent is not None and (not agent.strip() or not agent.isprintable()):
        raise BadInput(f"--agent: {agent!r} cannot be the name of an agent", field="agent")
    target = plain(below / (folder or name_of(address.public)))
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Conflict(f"{target} is there already", hint="name another folder: gitmem clone URL DIR")
    repository = git_clone(url, target, is_single_branch=is_active_only)
    if agent is not None:
        repository.set_config(AGENT_SETTING, agent.strip())
    if is_active_only:
        repository.set_config(ACTIVE_ONLY, "true")
    if is_active_only and repository.is_unborn() and remote_branches(repository, "origin"):
        raise NotAStore(
            f"{target} is cloned, but HEAD of {address.public} names a branch that is not there",
            hint="'git symbolic-ref HEAD refs/heads/main' there mends it, or clone without --active-only",
        )
    place = _store_in(target, address.public)
    hooks, driver = install_hooks(repository), install_driver(repository)
    tip = place.tip(place.main)
    fork = Fork(_address(repository.config("remote.origin.url"), address.public), tip) if tip else None
    if fork is not None:
        repository.set_config(FORKED_FROM, fork.url)
        repository.set_config(FORK_COMMIT, fork.commit)
    indexed = reindex(Work(place, place.main, None, clock, notice, progress).guarded())
    return Cloned(
        target,
        fork,
        place.main,
        indexed.memories,
        is_active_only,
        agent.strip() if agent is not None else None,
        hooks,
        driver,
        address.secret is not None,
    )


def _store_in(target: Path, url: str) -> Place:
    """The store that was cloned into `target`, with main checked out where HEAD of the remote led nowhere."""
    repository = Repository.discover(target)
    try:
        place = place_of(repository)
        if place.is_new and repository.branches_below(""):
            raise NotAStore(f"no branch of {url} is a gitmem store")
    except NotAStore as error:
        raise NotAStore(
            f"{target} is cloned, but {url} is not a gitmem store",
            hint=f"'gitmem init {target}' makes it one",
        ) from error
    if repository.is_unborn() and place.tip(place.main) is not None:
        check_out(repository, place.main)
    return place


def plain(path: Path) -> Path:
    """The whole path, without `..`; links in it stay."""
    return Path(os.path.normpath(path.absolute()))


def _address(kept: str | None, given: str) -> str:
    """The address as git keeps it: of a folder, its whole path."""
    return parted(kept).public if kept else given


def name_of(url: str) -> str:
    """The folder that git would clone `url` into. Raises `BadInput` where it has no name."""
    path = re.sub(r"/\.git$", "", url.rstrip("/"))
    name = re.split(r"[/:\\]", path)[-1].removesuffix(".git")
    if not name or name in (".", "..") or name.startswith("-"):
        raise BadInput(f"{url!r} tells no name for the folder", field="dir", hint="gitmem clone URL DIR")
    return name
