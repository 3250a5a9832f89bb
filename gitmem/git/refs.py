"""Branches as they stand now, whatever other processes are doing to them."""

from __future__ import annotations

import contextlib
import os
import re
import stat as modes
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pygit2
from msgspec import Struct
from pygit2.enums import ObjectType

from gitmem.errors import BadInput, Damaged, NotFound, UnsupportedRepository
from gitmem.git.beneath import open_regular, read_regular
from gitmem.git.objects import LIBGIT2_ERRORS
from gitmem.git.opening import common_directory, head_text
from gitmem.git.rights import refuse_unreadable

_T = TypeVar("_T")
_ATTEMPTS = 8
_BROKEN = "broken"
_MAX_PART_BYTES = 240
"""Of a name, between two slashes: it is the name of a file, and that of its lock is longer."""
_PACKED_REFS = re.compile(rb"(?:#[^\n]*\n|[0-9a-f]{40} [^\n\0]+\n|\^[0-9a-f]{40}\n)*")
_REMEDY = "'gitmem doctor' tells which commit belongs there, and with --fix puts it back"
NOTHING = "0" * 40
"""What a log writes for "no commit"."""


def ref_name(branch: str) -> str:
    """The full name of a branch. Raises `BadInput` where it cannot be one."""
    name = f"refs/heads/{branch}"
    # The library reads a name up to its first NUL.
    if branch.startswith("-") or branch == "HEAD" or "\0" in branch or not _is_valid(name):
        raise BadInput(f"{branch!r} cannot be the name of a branch", field="branch")
    return name


def is_branch_name(branch: str) -> bool:
    """Whether a branch can have this name."""
    try:
        return bool(ref_name(branch))
    except BadInput:
        return False


def _is_valid(name: str) -> bool:
    try:
        is_too_long = any(len(part.encode()) > _MAX_PART_BYTES for part in name.split("/"))
        return not is_too_long and bool(pygit2.reference_is_valid_name(name))
    except UnicodeError:
        return False


def read_head(git_dir: Path) -> tuple[str | None, str | None]:
    """(branch, commit) of a HEAD file: the branch may be unborn, the commit stands alone when detached."""
    text = ""
    for attempt in range(_ATTEMPTS):
        try:
            text = head_text(git_dir)
        except OSError:
            text = ""
        if text:
            break
        time.sleep(0.001 * attempt)
    if text.startswith("ref:"):
        target = text[4:].strip()
        return (target.removeprefix("refs/heads/") if target.startswith("refs/heads/") else None), None
    return None, text if len(text) == 40 else None


def patiently(question: Callable[[], _T], otherwise: _T) -> _T:
    """The answer, asked again while another process is in the middle of renaming what it reads."""
    for attempt in range(_ATTEMPTS):
        try:
            return question()
        except LIBGIT2_ERRORS:
            time.sleep(0.001 * attempt)
    return otherwise


def target_of(repo: pygit2.Repository, name: str) -> str | None:
    """The commit that the ref `name` stands at, None where there is no such ref. Raises `Damaged`."""
    common_dir = common_directory(Path(repo.path))
    _refuse_pipe(common_dir, name)
    broken: str | None = _BROKEN

    def ask() -> str | None:
        try:
            return str(repo.lookup_reference(name).resolve().target)
        except KeyError:
            _refuse_damaged_list(common_dir, name)
            return None

    return _commit(repo, _whole(common_dir, name, lambda: patiently(ask, broken)), name)


def branch_target(repo: pygit2.Repository, branch: str) -> str | None:
    """The commit of a local branch. Raises `UnsupportedRepository` for a symbolic one, `Damaged`."""
    name = ref_name(branch)
    common_dir = common_directory(Path(repo.path))
    _refuse_pipe(common_dir, name)
    broken: str | None = _BROKEN

    def ask() -> str | None:
        try:
            found = repo.lookup_reference(name)
        except KeyError:
            _refuse_damaged_list(common_dir, name)
            return None
        if isinstance(found.target, str):
            raise UnsupportedRepository(f"the branch {branch} is only another name for {found.target}")
        return str(found.target)

    return _commit(repo, _whole(common_dir, name, lambda: patiently(ask, broken)), name)


def _refuse_damaged_list(common_dir: Path, name: str) -> None:
    """Raises `Damaged` where a ref that is not there could be in a list that cannot be read."""
    place = common_dir / "packed-refs"
    data = read_regular(place)
    if data and not _PACKED_REFS.fullmatch(data):
        raise Damaged(f"{name} is not known: the list of packed refs is damaged: {place}", hint=_REMEDY)


def _refuse_pipe(common_dir: Path, name: str) -> None:
    """Raises `Damaged` where the file of the ref is no file: who opens a pipe waits for ever."""
    try:
        mode = (common_dir / name).stat().st_mode
    except (OSError, ValueError):
        return
    if not modes.S_ISREG(mode) and not modes.S_ISDIR(mode):
        raise Damaged(f"{name}: what stands in the place of this ref is not a file")


def _commit(repo: pygit2.Repository, target: str | None, name: str) -> str | None:
    """`target`, unless the ref stands at a tree, blob or tag."""
    kind = None
    if target is not None:
        with contextlib.suppress(*LIBGIT2_ERRORS):
            kind = repo.odb.read_header(target)[0]
    if kind not in (None, ObjectType.COMMIT):
        raise Damaged(
            f"{name} stands at a {ObjectType(kind).name.lower()}, not at a commit",
            hint=_REMEDY,
        )
    return target


def _whole(common_dir: Path, name: str, ask: Callable[[], str | None]) -> str | None:
    """What `ask` answers. Raises `Damaged` for a ref that is broken or lost: that is more than no ref."""
    target, is_lost = ask(), False
    for attempt in range(_ATTEMPTS):
        is_lost = target is None and _was_lost(common_dir, name)
        if not is_lost:
            break
        # Git may be in the middle of deleting or packing it.
        time.sleep(0.002 * attempt)
        target = ask()
    else:
        is_lost = target is None and _was_lost(common_dir, name)
    if target == _BROKEN or target is None:
        for file in (common_dir / name, common_dir / "packed-refs"):
            refuse_unreadable(file)
    if target == _BROKEN:
        raise Damaged(f"{name}: the file of this ref is damaged", hint=_REMEDY)
    if is_lost:
        raise Damaged(f"{name} is missing, though its log is there", hint=_REMEDY)
    return target


def _was_lost(common_dir: Path, name: str) -> bool:
    """Whether a branch that is not there has a log: git takes that away with the branch, accidents do not."""
    if not name.startswith("refs/heads/"):
        return False
    lines = log_lines(common_dir, name, at_most=1)
    return bool(lines) and lines[-1].new != NOTHING


class LogLine(Struct, frozen=True):
    """One move of a ref, as its log tells: from the commit `old` to `new`."""

    old: str
    new: str


def log_lines(common_dir: Path, name: str, *, at_most: int | None = None) -> list[LogLine]:
    """The moves of the ref `name`, the oldest first; lines that are damaged are left out."""
    try:
        with os.fdopen(open_regular(common_dir / "logs" / name), "rb") as file:
            if at_most is not None:
                file.seek(0, os.SEEK_END)
                file.seek(max(0, file.tell() - 4096 - 512 * at_most))
            data = file.read()
    except OSError:
        return []
    found = []
    for line in data.split(b"\n"):
        words = line.split(b" ", 2)[:2]
        if len(words) == 2 and all(len(word) == 40 and word.isalnum() for word in words):
            found.append(LogLine(words[0].decode("ascii", "replace"), words[1].decode("ascii", "replace")))
    return found if at_most is None else found[-at_most:]


def branch_names(repo: pygit2.Repository) -> list[str]:
    """The local branches, sorted."""
    return sorted(name[11:] for name in all_names(repo) if name.startswith("refs/heads/"))


def branches_below(repo: pygit2.Repository, prefix: str) -> list[str]:
    """The branches whose names begin with `prefix`, here or at a remote as last fetched, sorted."""
    names = {name.removeprefix("refs/heads/") for name in all_names(repo) if name.startswith("refs/heads/")}
    for remote in remote_names(repo):
        below = f"refs/remotes/{remote}/"
        names |= {name.removeprefix(below) for name in all_names(repo) if name.startswith(below)}
    return sorted(name for name in names if name.startswith(prefix))


def remote_names(repo: pygit2.Repository) -> list[str]:
    """The configured remotes, `origin` first."""
    nothing: list[str] = []
    names = patiently(lambda: [name for name in repo.remotes.names() if name], nothing)
    return sorted(names, key=lambda name: (name != "origin", name))


def all_names(repo: pygit2.Repository) -> list[str]:
    """All refs, listed until two listings agree: one that is being packed can be missed by the first."""
    nothing: list[str] = []
    names = patiently(repo.listall_references, nothing)
    for _ in range(_ATTEMPTS):
        again = patiently(repo.listall_references, nothing)
        if again == names:
            break
        names = sorted({*names, *again})
    return names


def tip(repo: pygit2.Repository, branch: str) -> str | None:
    """The commit of the local branch, else of the same branch at a remote, `origin` first."""
    local = target_of(repo, ref_name(branch))
    if local is not None:
        return local
    for remote in remote_names(repo):
        found = target_of(repo, f"refs/remotes/{remote}/{branch}")
        if found is not None:
            return found
    return None


def remote_tips(repo: pygit2.Repository, branch: str) -> list[str]:
    """The commits of the branch at the remotes, as last fetched, `origin` first."""
    found = (target_of(repo, f"refs/remotes/{remote}/{branch}") for remote in remote_names(repo))
    return [tip for tip in found if tip is not None]


def default_remote_branch(repo: pygit2.Repository) -> str | None:
    """The branch that `origin` calls its own, as the clone noted it."""

    def ask() -> str | None:
        try:
            target = repo.lookup_reference("refs/remotes/origin/HEAD").target
        except KeyError:
            return None
        prefix = "refs/remotes/origin/"
        return target[len(prefix) :] if isinstance(target, str) and target.startswith(prefix) else None

    return patiently(ask, None)


def resolve_commit(repo: pygit2.Repository, rev: str) -> str:
    """The commit that a revision expression means. Raises `NotFound`; an option is never one."""
    if not rev or rev.startswith("-") or "\0" in rev:
        raise NotFound(f"{rev!r} names no commit", name=rev)
    try:
        return str(repo.revparse_single(rev).peel(pygit2.Commit).id)
    except (*LIBGIT2_ERRORS, UnicodeError) as error:
        raise NotFound(f"{rev!r} names no commit", name=rev) from error
