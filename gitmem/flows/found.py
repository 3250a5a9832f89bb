"""init and uninit: a repository becomes a store, and stops being one."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from gitmem.clock import Clock
from gitmem.errors import NotAStore, Refused, StoreProblem
from gitmem.flows.ci import CiFile, require_ci_kind, write_ci
from gitmem.flows.merging.driver import DriverReport, install_driver, remove_driver
from gitmem.flows.rights.acting import acting_here
from gitmem.flows.rights.default_agent import AGENT_SETTING
from gitmem.flows.running.hooks import HookReport, install_hooks, remove_hooks
from gitmem.flows.writing.apply import apply
from gitmem.git.private_folder import clear
from gitmem.git.repository import Repository
from gitmem.model.change import FileWrite, Plan
from gitmem.model.proposal import is_proposal
from gitmem.versions.config import (
    ATTRIBUTES_PATH,
    CONFIG_PATH,
    FORMER_ATTRIBUTES,
    ROLES,
    SCHEMA_PATH,
    StoreConfig,
    attributes_text,
    config_text,
    schema_text,
)
from gitmem.versions.fork_settings import ACTIVE_ONLY, FORK_COMMIT, FORKED_FROM
from gitmem.versions.place import MAIN_SETTING, Place, place_of
from gitmem.versions.snapshot import Snapshot


class Founded(Struct, frozen=True):
    """What `init` did: `created` a repository, or `adopted` one; neither where it was a store already."""

    folder: Path
    main: str
    created: bool
    adopted: bool
    memories: int
    loose_notes: int
    hooks: HookReport
    driver: DriverReport
    ci: CiFile | None = None


def founding_writes(place: Place) -> list[FileWrite]:
    """The files that make an unborn repository a store."""
    return [
        FileWrite(CONFIG_PATH, None, config_text(place.main, place.config.branches).encode()),
        FileWrite(SCHEMA_PATH, None, schema_text().encode()),
        FileWrite(ATTRIBUTES_PATH, None, attributes_text().encode()),
    ]


def init(
    folder: Path, *, clock: Clock, bare: bool = False, is_guarded: bool = False, ci: str | None = None
) -> Founded:
    """Makes `folder` a store: a new repository, or the one that is there already.

    An existing repository gets one commit that adds only `.gitmem/`; its files, staged and
    unstaged work stay as they are. May be repeated: a store keeps its files, its hooks and merge driver
    are renewed. With `ci`, a file for that kind of build server is written into the worktree last, where
    no other file stands.
    """
    if ci is not None:
        require_ci_kind(ci)
    folder = folder.absolute()
    repository, created = _open_or_create(folder, bare=bare)
    place, adopted = _store_at(repository, created=created)
    if (place.is_new or adopted) and is_proposal(place.main):
        raise Refused(
            f"HEAD is on {place.main}, where a proposal stands and no store can have its main",
            hint="check out or begin another branch, such as main, then run 'gitmem init'",
        )
    clear(repository.common_dir)
    if place.is_new or adopted:
        commit_founding(place, adopted=adopted, clock=clock)
    hooks = install_hooks(repository, is_guarded=is_guarded)
    driver = install_driver(repository)
    memories = sum(1 for _ in _seen(place).snapshot_of(place.main).files())
    workflow = write_ci(repository, ci, place.main) if ci is not None else None
    loose = _loose_notes(place)
    return Founded(folder, place.main, created, adopted, memories, loose, hooks, driver, workflow)


def _open_or_create(folder: Path, *, bare: bool) -> tuple[Repository, bool]:
    if folder.exists() and not folder.is_dir():
        raise StoreProblem(f"{folder} is a file, not a folder")
    try:
        repository = Repository.discover(folder)
    except NotAStore:
        return Repository.create(folder, bare=bare), True
    top = repository.worktree or repository.git_dir
    if top.resolve() == folder.resolve() or repository.git_dir.resolve() == folder.resolve():
        return repository, False
    if folder.exists() and any(folder.iterdir()):
        raise Refused(
            f"{folder} belongs to the repository {top}",
            hint=f"run 'gitmem init {top}' to make that repository a store, or choose an empty folder",
        )
    return Repository.create(folder, bare=bare), True


def _store_at(repository: Repository, *, created: bool) -> tuple[Place, bool]:
    """The place, and whether the repository has commits but no config yet."""
    try:
        return place_of(Repository.discover(repository.worktree or repository.git_dir)), False
    except NotAStore:
        branch = repository.head_branch()
        if created or branch is None:
            raise Refused(
                "HEAD is detached, so there is no branch to make the store's main",
                hint="check out the branch that the memories are on, then run 'gitmem init'",
            ) from None
    branches = {role: _free_branch(repository, role) for role in ROLES}
    return Place(repository, StoreConfig(main=branch, branches=branches)), True


def _free_branch(repository: Repository, role: str) -> str:
    """`role` as a branch name, or `gitmem/role` where the repository uses that name already."""
    taken = any(name == role or name.startswith(role + "/") for name in repository.branch_names())
    return f"gitmem/{role}" if taken or repository.tip(role) else role


def commit_founding(place: Place, *, adopted: bool, clock: Clock) -> None:
    """Makes the repository a store, in one commit that adds what is not there yet."""

    def plan(snapshot: Snapshot) -> Plan:
        writes = [
            write
            for write in founding_writes(place)
            if not snapshot.occupied(write.path) and not (adopted and write.path == ATTRIBUTES_PATH)
        ]
        return Plan(operation="init", subject="make this repository a gitmem store", writes=writes)

    apply(place, place.main, plan, clock=clock)
    place.repository.set_config(MAIN_SETTING, place.main)


def _seen(place: Place) -> Place:
    """The place as whoever runs this process may see it."""
    return place.seen_by(acting_here(place)) if place.config.policy.has_access_rules else place


def _loose_notes(place: Place) -> int:
    """How many Markdown files of the worktree are in no commit, and not ignored by git."""
    if place.repository.worktree is None:
        return 0
    from gitmem.git.worktree_state import changed_by_git

    return sum(
        state[0] in "?A" and place.config.is_memory_path(path)
        for state, path in changed_by_git(place.repository)
    )


def uninit(place: Place, *, clock: Clock) -> Founded:
    """Takes back what `init` did: hooks, driver, derived files, in one commit `.gitmem/`. Memories stay."""
    repository = place.repository
    if place.keyring.held():
        raise Refused(
            "keys of encrypted memories are here, which would be gone",
            hint="'gitmem keys export FILE' keeps them, 'gitmem keys delete' takes them away",
        )

    def plan(snapshot: Snapshot) -> Plan:
        paths = (CONFIG_PATH, SCHEMA_PATH)
        writes = [FileWrite(path, blob, None) for path in paths if (blob := snapshot.blob(path))]
        attributes = snapshot.blob(ATTRIBUTES_PATH)
        ours = [text.encode() for text in (attributes_text(), *FORMER_ATTRIBUTES)]
        if attributes and snapshot.data(ATTRIBUTES_PATH) in ours:
            writes.append(FileWrite(ATTRIBUTES_PATH, attributes, None))
        return Plan(operation="uninit", subject="this repository is no longer a gitmem store", writes=writes)

    memories = sum(1 for _ in place.snapshot_of(place.main).files())
    if not place.is_new:
        apply(place, place.main, plan, clock=clock)
    hooks, driver = remove_hooks(repository), remove_driver(repository)
    for setting in (MAIN_SETTING, FORKED_FROM, FORK_COMMIT, ACTIVE_ONLY, AGENT_SETTING):
        repository.unset_config(setting)
    _remove_tree(place.home)
    folder = repository.worktree or repository.git_dir
    return Founded(folder, place.main, False, False, memories, 0, hooks, driver)


def _remove_tree(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
