"""Where a command works: the repository, its config, and the branches that play the roles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import Damaged, NotAStore, NotFound, OutsideFailure, StoreProblem
from gitmem.git.modes import REGULAR_MODES
from gitmem.git.refs import is_branch_name
from gitmem.git.repository import Repository
from gitmem.model.identity import Identity
from gitmem.model.ids import CommitId
from gitmem.model.proposal import is_proposal
from gitmem.platform import FileLock, make_private_directory
from gitmem.versions.config import CONFIG_PATH, MAX_CONFIG_BYTES, ROLES, StoreConfig, parse_config
from gitmem.versions.keyring import Keyring
from gitmem.versions.rights import Rights, rights_of
from gitmem.versions.snapshot import Snapshot
from gitmem.versions.unlocked import UnlockedRepository, as_stored
from gitmem.versions.veil import VeiledRepository, whole_of

MAIN_SETTING = "gitmem.main"
STORE_SETTING = "gitmem.store"
"""Where the memories of a project are that is no store itself."""
_ATTEMPTS = 50


class Place(Struct, frozen=True):
    """A repository that is a store, or an unborn one that the first write makes a store."""

    repository: Repository
    config: StoreConfig
    is_new: bool = False
    rights: Rights | None = None
    """What whoever acts may do here; None where everybody may do everything."""

    def seen_by(self, identity: Identity) -> Place:
        """The same place for `identity`: it may write what its rights allow, and sees what they let it."""
        rights = rights_of(identity, self.config.policy.partitions)
        if rights is None:
            return self
        repository = whole_of(self.repository)
        if rights.unreadable:
            repository = VeiledRepository(repository, self.config, rights)
        return replace(self, repository=repository, rights=rights)

    @property
    def veil(self) -> VeiledRepository | None:
        """What tells what is hidden here from whoever acts; None where nothing may be."""
        return self.repository if isinstance(self.repository, VeiledRepository) else None

    @property
    def whole(self) -> Place:
        """This place with nothing hidden, for those who keep what is everybody's; the rights stay."""
        return self if self.veil is None else replace(self, repository=self.veil.whole)

    @property
    def unlocked(self) -> Place:
        """This place with encrypted memories as whoever has their keys reads them."""
        keys = Keyring(self.repository)
        is_needed = self.config.policy.encrypts or keys.is_there
        return replace(self, repository=UnlockedRepository(self.repository, keys)) if is_needed else self

    @property
    def as_stored(self) -> Place:
        """The whole place as git has it, encrypted: for whatever is kept on the disk."""
        stored = as_stored(self.whole.repository)
        return self if stored is self.repository else replace(self, repository=stored)

    @property
    def keyring(self) -> Keyring:
        """The keys of this store."""
        repository = self.whole.repository
        return repository.keyring if isinstance(repository, UnlockedRepository) else Keyring(repository)

    @property
    def unguarded(self) -> Place:
        """The whole place, where writes count as nobody's: what others wrote is carried along."""
        return replace(self.whole, rights=None)

    @property
    def as_approver(self) -> Place:
        """The same place, where writes count as approving what others wrote."""
        return self if self.rights is None else replace(self, rights=self.rights.as_approver)

    @property
    def main(self) -> str:
        return self.config.main

    @property
    def home(self) -> Path:
        """The folder of everything derived: `gitmem` under the common git directory."""
        return self.repository.common_dir / "gitmem"

    def tip(self, branch: str) -> CommitId | None:
        """The commit `branch` stands at: the local one, else that of a remote; None if unborn."""
        tip = self.repository.tip(branch)
        return CommitId(tip) if tip else None

    def snapshot(self, commit: CommitId | None, *, branch: str | None = None) -> Snapshot:
        """The memories of `commit`; on the `branch` it is a tip of, names are found without a walk."""
        if self.veil is not None:
            self.veil.refresh()
        return Snapshot(
            self.repository,
            self.config,
            commit,
            names=None if branch is None else (self.home / "names", branch),
        )

    def snapshot_of(self, branch: str) -> Snapshot:
        """The memories of `branch` as it stands; a proposal without a commit yet has those of main."""
        tip = self.tip(branch)
        if tip is None and is_proposal(branch):
            branch, tip = self.main, self.tip(self.main)
        return self.snapshot(tip, branch=branch)

    def snapshots_of(self, branch: str, other: str) -> tuple[Snapshot, Snapshot]:
        """Both branches as they stood at one moment, so that what moves between them is on one at least.

        `other` is the one that moves less often.
        """
        here, there = self.tips_of(branch, other)
        return self.snapshot(here, branch=branch), self.snapshot(there, branch=other)

    def tips_of(self, branch: str, other: str) -> tuple[CommitId | None, CommitId | None]:
        """The commits of both branches at one moment; `other` is the one that moves less often."""
        for _ in range(_ATTEMPTS):
            there = self.tip(other)
            here = self.tip(branch)
            if self.tip(other) == there:
                break
        return here, there

    @contextmanager
    def turn(self, name: str, *, timeout_seconds: float) -> Iterator[bool]:
        """Waits, for a bounded time, until no other gitmem does the like; that saves work, and no more.

        Gives whether it is our turn.
        Raises `OutsideFailure` where the store may not be written.
        """
        lock = FileLock(self.home / name, timeout_seconds=timeout_seconds)
        try:
            make_private_directory(self.home)
            lock.acquire()
        except OSError as error:
            raise OutsideFailure(f"the store cannot be written: {error}") from error
        try:
            yield lock.acquired
        finally:
            lock.release()

    def commit_named(self, revision: str) -> CommitId:
        """The commit that `revision` names. Raises `NotFound`."""
        return CommitId(self.repository.resolve_commit(revision))


def find_place(start: Path) -> Place:
    """The store that `start` lies in: the nearest repository upwards, or the one its `gitmem.store` names.

    Raises `NotAStore`, also where the nearest repository has commits but no config: a repository
    of something else is never taken for a store, nor searched through to one further up.
    """
    return place_of(repository_of_store(start))


def place_of(repository: Repository) -> Place:
    """The store that the repository is, whatever its settings name. Raises `NotAStore`, `Damaged`."""
    found = _place_in(repository)
    if found is not None:
        return found
    if repository.is_unborn() and not repository.branch_names():
        return Place(repository, _new_config(repository.head_branch() or "main"), is_new=True)
    raise NotAStore(
        f"{repository.worktree or repository.git_dir} is a git repository but not a gitmem store",
        hint="run 'gitmem init' there to make it one, or name a store with -C DIR or GITMEM_STORE",
    )


def repository_of_store(start: Path) -> Repository:
    """The repository that `start` lies in; where that is no store, the one that its `gitmem.store` names.

    A path begins at the folder that holds the shared git directory, so that all worktrees of a project mean
    the same. Raises `NotAStore` where the setting names no store.
    """
    repository = Repository.discover(start)
    named = repository.config(STORE_SETTING)
    if not named or _is_store(repository):
        return repository
    there = repository.common_dir.parent / Path(named).expanduser()
    hint = f"'git config {STORE_SETTING} DIR' names another, --unset takes it out"
    try:
        pointed = Repository.discover(there)
    except NotAStore as error:
        raise NotAStore(f"{STORE_SETTING}: {error.message}", hint=hint) from error
    if pointed.common_dir == repository.common_dir or not _is_store(pointed):
        raise NotAStore(f"{STORE_SETTING}: {there} is not in a gitmem store", hint=hint)
    return pointed


def _new_config(main: str) -> StoreConfig:
    """What holds in a store that begins on `main`: no branch of its own may be in the way of that one."""
    taken = {role for role in ROLES if main == role or main.startswith(f"{role}/")}
    return StoreConfig(
        main=main, branches={role: f"gitmem/{role}" if role in taken else role for role in ROLES}
    )


def _is_store(repository: Repository) -> bool:
    """Whether the repository is a store, perhaps one that cannot be opened any more."""
    try:
        return _place_in(repository) is not None
    except StoreProblem:
        return True


def _place_in(repository: Repository) -> Place | None:
    """The store that the repository is; None where it is none. Raises `Damaged`."""
    for branch in _candidate_branches(repository):
        config = _config_on(repository, branch)
        if config is None:
            continue
        if config.main != branch:
            config = _config_of_main(repository, config, branch)
        return Place(repository, config)
    for branch in repository.branches_below("") if repository.is_unborn() else ():
        # A clone of a remote whose HEAD leads nowhere has nothing that names the branch.
        config = _config_on(repository, branch)
        if config is not None and config.main == branch:
            return Place(repository, config)
    named = repository.config(MAIN_SETTING)
    if named and repository.tip(named) is None:
        raise Damaged(
            f"refs/heads/{named} is missing, though git's config names it as the main branch (gitmem.main)",
            hint="'gitmem doctor' looks for it; if it was removed on purpose: git config --unset gitmem.main",
        )
    return None


def _candidate_branches(repository: Repository) -> list[str]:
    named = [
        repository.config(MAIN_SETTING),
        repository.head_branch(),
        repository.default_remote_branch(),
        "main",
        "master",
    ]
    return [branch for branch in dict.fromkeys(named) if branch and is_branch_name(branch)]


def _config_on(repository: Repository, branch: str) -> StoreConfig | None:
    return config_at(repository, repository.tip(branch), branch)


def config_at(repository: Repository, tip: str | None, branch: str) -> StoreConfig | None:
    """The config that the commit `tip` of `branch` has; None where it has none. Raises `StoreProblem`."""
    try:
        entry = repository.entry(tip, CONFIG_PATH) if tip else None
    except (Damaged, NotFound) as error:
        hint = error.hint or "'gitmem doctor' tells what can be done"
        raise Damaged(f"refs/heads/{branch} stands at {tip}: {error.message}", hint=hint) from error
    if entry is None:
        return None
    where = f"{branch}:{CONFIG_PATH}"
    if entry.mode not in REGULAR_MODES:
        raise StoreProblem(f"{where}: is not a regular file, so it is not followed")
    try:
        data = repository.read_start(entry.oid, MAX_CONFIG_BYTES + 1)
    except Damaged as error:
        hint = error.hint or "'gitmem doctor' tells what can be done"
        raise Damaged(f"{where}: {error.message}", hint=hint) from error
    return parse_config(data, where=where)


def _config_of_main(repository: Repository, found: StoreConfig, branch: str) -> StoreConfig:
    """What counts where the config `found` on `branch` names another branch as main: what that one says."""
    if repository.tip(found.main) is None:
        return replace(found, main=branch)
    own = _config_on(repository, found.main)
    return found if own is None else replace(own, main=found.main)


def get_branch(place: Place, branch: str) -> str:
    """`branch`, if it exists. Raises `NotFound`."""
    if place.tip(branch) is None and branch != place.main:
        raise NotFound(f"no branch {branch!r} in this store", name=branch)
    return branch
