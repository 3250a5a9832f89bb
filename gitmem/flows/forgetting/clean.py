"""What is left of forgotten memories beside history: worktrees, indexes, and all that was derived."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.flows.forgetting.look import Look, without_lines_of
from gitmem.flows.work import BRIEF, Work
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.git.objects import blob_id_of
from gitmem.git.repository import Repository
from gitmem.git.trees import encode_path
from gitmem.git.worktree_forget import clean_index, remove_file
from gitmem.git.worktrees import Worktree
from gitmem.model.ids import BlobId, derived_memory_id, id_key
from gitmem.model.place import attachment_folder
from gitmem.model.reading import read_memory
from gitmem.privacy.pieces import Piece, Sought

DERIVED = (
    "apart",
    "index",
    "index-maps",
    "names",
    "versions",
    "signed.json",
    "anchors.json",
    "aside",
    "refresh-wanted",
)
"""What is made again when it is needed; and damaged files, which nobody can search."""


def clean_worktrees(work: Work, look: Look, blobs: frozenset[str], removed: Counter[str]) -> None:
    """Takes the memories, and what was staged of them, out of every worktree."""
    repository = work.place.repository
    cleaning = _Cleaning(work, look, blobs)
    for worktree in repository.worktrees():
        seen = Repository.discover(worktree.path)
        removed["entries of git's index"] += clean_index(
            seen, worktree, lambda path, oid: cleaning.replaced(path, oid)
        )
        removed["files in worktrees"] += cleaning.remove_files(worktree)


class _Cleaning:
    def __init__(self, work: Work, look: Look, blobs: frozenset[str]) -> None:
        self._work = work
        self._look = look
        self._blobs = blobs
        self._ids = look.targets.ids.keys()
        self._paths = {path for versions in look.targets.versions.values() for path, _ in versions}
        self._folders = tuple(attachment_folder(path) for path in self._paths)
        self._named = Sought(Piece(key.encode("utf-8", "surrogateescape"), True) for key in self._ids)

    def replaced(self, path: str, oid: str) -> str | None:
        """What belongs in the place of a staged blob."""
        rule = self._look.files.get(encode_path(path), {})
        if oid in rule:
            return rule[oid]
        with suppress(GitmemError):
            if self._is_ours(path, self._work.place.repository.read_blob(oid)):
                return None
        return oid

    def remove_files(self, worktree: Worktree) -> int:
        """Removes files that are a forgotten memory, edited or not, or attached to one; how many."""
        found = [path for path in self._paths if self._is_file_ours(worktree, path)]
        for folder in self._folders:
            top = worktree.path / folder
            if top.is_dir() and not top.is_symlink() and folder[:-7] + ".md" in found:
                found += [str(file.relative_to(worktree.path).as_posix()) for file in top.rglob("*")]
        return sum(remove_file(worktree, path) for path in found)

    def _is_file_ours(self, worktree: Worktree, path: str) -> bool:
        try:
            data = read_regular(worktree.path / path)
        except OSError:
            return False
        return data is not None and self._is_ours(path, data)

    def _is_ours(self, path: str, data: bytes) -> bool:
        """Whether a file at `path` is a forgotten memory or belongs to one."""
        is_placed = path in self._paths or path.startswith(self._folders or ("\0",))
        if is_placed and blob_id_of(data) in self._blobs:
            return True
        if path not in self._paths and not self._named.found_in(data):
            return False
        if not self._work.place.config.is_memory_path(path):
            return False
        memory = read_memory(path, BlobId("0" * 40), data)
        key = id_key(memory.id)
        return key in self._ids or (path in self._paths and key == id_key(derived_memory_id(path)))


def clean_derived(work: Work, look: Look, blobs: frozenset[str], removed: Counter[str]) -> None:
    """Takes away what is made again when it is needed, and out of the rest what speaks of the memories."""
    home = work.place.home
    work.kept.close()
    for name in DERIVED:
        path = home / name
        if path.is_dir() and not path.is_symlink():
            removed["damaged files in gitmem/aside" if name == "aside" else "derived files"] += sum(
                file.is_file() for file in path.rglob("*")
            )
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()
            removed["derived files"] += 1
    for left in home.glob("index-*"):
        _remove(left)
    removed["vectors"] += _vectors(home, blobs)
    removed["lines of uses"] += _uses(home, look)
    if (home / BRIEF).is_file():
        from gitmem.flows.agents.brief_file import refresh_brief

        refresh_brief(work)


def _vectors(home: Path, blobs: frozenset[str]) -> int:
    folders = [folder for folder in (home / "vectors").glob("*") if folder.is_dir()]
    if not folders:
        return 0
    try:
        from gitmem.embed.vectors import VectorStore

        return sum(VectorStore(folder).remove(blobs) for folder in folders)
    except ImportError:
        # Without numpy they cannot be taken apart; they are made again.
        shutil.rmtree(home / "vectors")
        return len(folders)


def _uses(home: Path, look: Look) -> int:
    """Counts of uses stand one a line behind the id; a line of the log names several."""
    count = 0
    for file in (home / "usage").glob("*"):
        if file.name == "clone" or file.name.endswith(".guard"):
            continue
        data = read_regular(file) or b""
        made = without_ids(without_lines_of(data, look.targets.ids), look.targets.ids)
        if made != data:
            count += 1
            replace_regular(file, made, flush=True)
    return count


def without_ids(data: bytes, keys: object) -> bytes:
    """Lines of a log of uses without the ids among their words."""
    gone = {str(key).encode("utf-8", "surrogateescape") for key in keys}  # type: ignore[attr-defined]
    if not gone:
        return data
    lines = []
    for line in data.splitlines(keepends=True):
        words = line.rstrip(b"\n").split(b" ")
        kept = [word for word in words if word.lower() not in gone]
        lines.append(line if kept == words else b" ".join(kept) + b"\n")
    return b"".join(lines)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
