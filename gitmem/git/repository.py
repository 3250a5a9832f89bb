"""A git repository as gitmem needs it: the present state of objects, refs and settings, never cached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.git import objects, opening, refs, settings, trees, worktrees
from gitmem.git.beneath import read_regular
from gitmem.git.objects import CommitInfo
from gitmem.git.tree_diff import PathChange, diff_trees
from gitmem.git.trees import TreeEntry
from gitmem.git.worktrees import Worktree

if TYPE_CHECKING:
    from gitmem.git.attributes import Attributes
    from gitmem.git.conversion import Conversion

__all__ = ["CommitInfo", "PathChange", "Repository", "TreeEntry", "Worktree"]


class Repository:
    """A handle on one repository, seen from one of its worktrees or from none.

    Cheap to make. Sees what other processes do at once. Not for use by several threads at a time.
    """

    def __init__(self, git_dir: str | Path, *, start: Path | None = None) -> None:
        self.raw = opening.open_repository(git_dir) if start is None else opening.open_from(start)
        self.trees = trees.TreeCache(self.raw)
        self.git_dir = Path(self.raw.path)
        self.common_dir = opening.common_directory(self.git_dir)
        self.is_bare = self.raw.is_bare
        self.worktree = opening.worktree_of(self.raw, is_found_from_inside=start is not None)

    def __repr__(self) -> str:
        return f"Repository({str(self.git_dir)!r})"

    @classmethod
    def discover(cls, start: Path) -> Repository:
        """The nearest repository upwards from `start`. Raises `NotAStore`, `UnsupportedRepository`."""
        return cls(opening.find(start), start=start)

    @classmethod
    def create(cls, path: Path, *, branch: str = "main", bare: bool = False) -> Repository:
        """A new empty repository at `path`, whose unborn branch is `branch`."""
        refs.ref_name(branch)
        opening.create(path, branch=branch, bare=bare)
        return cls.discover(path)

    # Refs

    def head_branch(self) -> str | None:
        """The branch checked out here, unborn or not, or None when HEAD is detached."""
        return refs.read_head(self.git_dir)[0]

    def head_commit(self) -> str | None:
        """The commit checked out here, or None on an unborn branch."""
        branch, commit = refs.read_head(self.git_dir)
        return commit if branch is None else self.local_tip(branch)

    def is_unborn(self) -> bool:
        """Whether the branch checked out here has no commit yet."""
        return self.head_commit() is None

    def branch_names(self) -> list[str]:
        """The local branches, sorted."""
        return refs.branch_names(self.raw)

    def branches_below(self, prefix: str) -> list[str]:
        """The branches whose names begin with `prefix`, here or at a remote as last fetched, sorted."""
        return refs.branches_below(self.raw, prefix)

    def local_tip(self, branch: str) -> str | None:
        """The commit of the local branch, or None where there is no such branch."""
        return refs.target_of(self.raw, refs.ref_name(branch))

    def refuse_alias(self, branch: str) -> None:
        """Raises `UnsupportedRepository` where the local branch is only another name for a ref."""
        refs.branch_target(self.raw, branch)

    def tip(self, branch: str) -> str | None:
        """The commit of the local branch, else of the same branch at a remote, `origin` first."""
        return refs.tip(self.raw, branch)

    def remote_tips(self, branch: str) -> list[str]:
        """The commits of the branch at the remotes, as last fetched, `origin` first."""
        return refs.remote_tips(self.raw, branch)

    def remote_tip(self, remote: str, branch: str) -> str | None:
        """The commit of the branch at one remote, as last fetched."""
        return refs.target_of(self.raw, f"refs/remotes/{remote}/{branch}")

    def default_remote_branch(self) -> str | None:
        """The branch that `origin` calls its own, as the clone noted it."""
        return refs.default_remote_branch(self.raw)

    def resolve_commit(self, rev: str) -> str:
        """The commit that a revision expression means. Raises `NotFound`."""
        return refs.resolve_commit(self.raw, rev)

    # Objects

    def commit(self, oid: str) -> CommitInfo:
        """The commit `oid`. Raises `NotFound` or `Damaged`."""
        return objects.read_commit(self.raw, oid)

    def first_parents(self, start: str) -> Iterator[CommitInfo]:
        """The commit `start`, its first parent, and so on to the root or the border of a shallow clone."""
        return objects.first_parents(self.raw, start)

    def is_shallow(self) -> bool:
        """Whether history ends early here because the clone was told so."""
        return (self.common_dir / "shallow").exists()

    def shallow_commits(self) -> frozenset[str]:
        """The commits at the border of a shallow clone, whose parents are not here."""
        try:
            return frozenset((read_regular(self.common_dir / "shallow") or b"").decode("ascii").split())
        except (OSError, UnicodeDecodeError):
            return frozenset()

    def grafts(self) -> list[str]:
        """The lines of `info/grafts`, which give commits other parents here than they were made with."""
        try:
            text = (self.common_dir / "info" / "grafts").read_text(encoding="ascii", errors="replace")
        except OSError:
            return []
        return [line for line in text.splitlines() if line and not line.startswith("#")]

    def has_replacements(self) -> bool:
        """Whether `git replace` puts other objects in the place of some here, which is not followed."""
        return any(name.startswith("refs/replace/") for name in refs.all_names(self.raw))

    def is_ancestor(self, a: str, b: str) -> bool:
        """Whether commit `a` is `b` or comes before it. False where one of them is not here."""
        if a == b:
            return True
        try:
            return self.raw.descendant_of(b, a)
        except objects.LIBGIT2_ERRORS:
            return False

    def has_object(self, oid: str) -> bool:
        """Whether the object `oid` is here, in whatever state, as far as packs are known; cheap."""
        try:
            return oid in self.raw
        except objects.LIBGIT2_ERRORS:
            return False

    def read_blob(self, oid: str) -> bytes:
        """The bytes of the blob `oid`. Raises `Damaged` naming it where it is missing or corrupt."""
        return objects.read_blob(self.raw, oid)

    def load_blob(self, oid: str) -> bytes:
        """The bytes of the blob `oid`, whose size the caller knows. Raises `Damaged`."""
        return objects.load_blob(self.raw, oid)

    def read_start(self, oid: str, size_bytes: int) -> bytes:
        """The first bytes of the blob `oid`, at most `size_bytes`, without loading a large one."""
        return objects.read_start(self.raw, oid, size_bytes)

    def see_objects_in(self, folder: Path) -> None:
        """Reads objects from `folder` too, where git keeps those of a push that is not taken yet."""
        self.raw.odb.add_disk_alternate(str(folder))

    def blob_size(self, oid: str) -> int:
        """The number of bytes in the blob `oid`."""
        return objects.blob_size(self.raw, oid)

    def write_blob(self, data: bytes) -> str:
        """The id of a blob of `data`, which is on disk when this returns."""
        return objects.write_blob(self.raw, data)

    @staticmethod
    def blob_id_of(data: bytes) -> str:
        """The id that a blob of `data` has, without writing it."""
        return objects.blob_id_of(data)

    # Trees

    def entry(self, tree_or_commit: str, path: str) -> TreeEntry | None:
        """What stands at `path`, a folder included, or None."""
        return trees.find_entries(self.raw, tree_or_commit, [path], self.trees).get(path)

    def names_in(self, tree_or_commit: str, folder: str = "") -> Mapping[bytes, tuple[int, str]]:
        """Mode and id of what stands directly in `folder`, by name; empty where there is no such folder."""
        return trees.names_in(self.raw, tree_or_commit, folder, self.trees)

    def top_names(self, tree_or_commit: str) -> list[str]:
        """The names in the top folder, files and folders."""
        return trees.top_names(self.raw, tree_or_commit)

    def walk(
        self, tree_or_commit: str, under: str = "", *, refused: list[tuple[str, str]] | None = None
    ) -> Iterator[TreeEntry]:
        """Every file below the folder `under`, of every mode, as git sorts; `refused` gets the others."""
        return trees.walk(self.raw, tree_or_commit, under, refused=refused)

    def diff_trees(
        self, old: str | None, new: str | None, *, without_added: bool = False
    ) -> list[PathChange]:
        """The files that differ between two commits or trees, sorted by path; maybe without those added."""
        return diff_trees(self.raw, old, new, self.trees, without_added=without_added)

    # Settings

    def config(self, name: str) -> str | None:
        """The value that git would use here for `name`, or None where it is not set."""
        return settings.read_config(self.raw, name)

    def config_bool(self, name: str, default: bool) -> bool:
        """The truth of `name` as git reads it."""
        return settings.read_config_bool(self.raw, name, default)

    def set_config(self, name: str, value: str) -> None:
        """Set `name` in the config of this repository alone."""
        settings.write_config(self.common_dir, name, value)

    def unset_config(self, name: str) -> None:
        """Take `name` out of the config of this repository; may be repeated."""
        settings.write_config(self.common_dir, name, None)

    def attribute(self, path: str, name: str) -> str | bool | None:
        """The attribute `name` of `path`: True, False, a text, or None where no rule speaks of it."""
        return settings.read_attribute(self.raw, path, name)

    def attributes(self) -> Attributes:
        """The attributes of paths in this worktree, for one operation. Not for a bare repository."""
        from gitmem.git.attributes import Attributes

        assert self.worktree is not None, "there is a worktree"
        return Attributes(self.raw, self.worktree)

    def filter_of(self, path: str) -> str | None:
        """The program that an attribute puts between the file at `path` and what git stores, by its name."""
        value = self.attribute(path, "filter")
        return value if isinstance(value, str) and value else None

    def without_filters(self) -> dict[str, str]:
        """Variables that make git run none of the filter programs that its config names."""
        return settings.without_filters(self.raw)

    def hooks_directory(self) -> Path:
        """The folder from which git runs hooks here, whether or not it exists."""
        return settings.hooks_directory(self.raw, self.common_dir)

    def hooks_path_is_foreign(self) -> bool:
        """Whether `core.hooksPath` sends git to a folder that is not this repository's own."""
        return settings.hooks_path_is_foreign(self.raw, self.common_dir)

    # Worktrees

    def worktrees(self) -> list[Worktree]:
        """The main worktree, unless bare, and the linked ones whose folder is there."""
        return worktrees.list_worktrees(self._main_worktree, self.common_dir)

    def operation_in_progress(self) -> str | None:
        """What git is in the middle of here: merge, rebase, am, cherry-pick, revert, bisect, or None."""
        return worktrees.operation_in_progress(self.git_dir)

    def rebasing_branches(self) -> list[str]:
        """The branches that a rebase, in any worktree, will put back when it ends."""
        git_dirs = [self.common_dir, *(tree.git_dir for tree in worktrees.linked_worktrees(self.common_dir))]
        return worktrees.rebasing_branches(git_dirs)

    def rewinding_operation(self, branch: str) -> str | None:
        """The `am`, cherry-pick or revert of several commits under way where `branch` is checked out."""
        found = (worktrees.operation_that_rewinds(t.git_dir) for t in self.worktrees() if t.branch == branch)
        return next((operation for operation in found if operation), None)

    def is_sparse(self) -> bool:
        """Whether this worktree holds only a part of the files."""
        return self.config_bool("core.sparseCheckout", False)

    def same_as_blob(self, worktree_path: Path, path: str, oid: str, rules: Conversion | None = None) -> bool:
        """Whether the file at `path` in a worktree is, after git's own conversion, the blob `oid`."""
        try:
            from gitmem.git.beneath import read_below

            data = read_below(worktree_path, path)
        except OSError:
            return False
        return data is not None and (rules or self.conversion(worktree_path)).equals_blob(path, data, oid)

    def conversion(self, worktree_path: Path) -> Conversion:
        """The conversion rules of a worktree."""
        from gitmem.git.conversion import Conversion

        if self.worktree is not None and worktree_path == self.worktree:
            return Conversion(self.raw, worktree_path)
        return Conversion(opening.open_from(worktree_path), worktree_path)

    @property
    def _main_worktree(self) -> Path | None:
        if self.git_dir == self.common_dir:
            return self.worktree
        return opening.worktree_of(opening.open_repository(self.common_dir), is_found_from_inside=False)
