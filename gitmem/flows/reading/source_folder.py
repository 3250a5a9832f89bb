"""The files of a folder that is imported, each with its place in the store, the same in every run."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Container, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gitmem.flows.attach import MAX_ATTACHMENT_BYTES
from gitmem.flows.work import Work
from gitmem.git.beneath import read_regular
from gitmem.model.place import owner_of, safe_path
from gitmem.model.reading import MAX_MEMORY_BYTES
from gitmem.versions.naming import MAX_FOLDER_ENTRIES

NOT_A_MEMORY = "not a memory"
THE_STORE_ITSELF = "the store itself"


class Unread(NamedTuple):
    """A folder of the source that is not looked into, and why."""

    path: Path
    reason: str


class Item(Struct, frozen=True):
    """One file of the source: its path there, its path in the store, its bytes, and what all go below."""

    name: str
    path: str
    data: bytes
    top: str = ""


def files_below(
    work: Work, folder: Path, prefix: str, reasons: dict[str, str], only: Path | None = None
) -> list[Item]:
    """The memories below `folder` and what is attached to them; with `only`, that file and what is its own.

    They go below `prefix`. Why others are left out is added to `reasons`.
    """
    return list(_spread(_items(work, folder, prefix, reasons, only)))


def _items(
    work: Work, folder: Path, prefix: str, reasons: dict[str, str], only: Path | None
) -> Iterator[Item]:
    """The files below `folder`; with `only`, that file and what is attached to it."""
    unread: list[Unread] = []
    own = {worktree.path.resolve() for worktree in work.place.repository.worktrees()}
    found = list(_below(folder if only is None else only.with_suffix(".files"), own, unread))
    for file in sorted(found if only is None else [only, *found]):
        name = file.relative_to(folder).as_posix()
        try:
            reason = _why_not(work, file, folder, prefix + name)
            data = None if reason else read_regular(file)
        except OSError as error:
            reason, data = f"cannot be read: {error.strerror}", None
        if data is None:
            reasons[name] = reason or "not a regular file"
        else:
            yield Item(name, safe_path(prefix + name), data, prefix)
    reasons.update((each.path.relative_to(folder).as_posix(), each.reason) for each in unread)


def _below(folder: Path, own: Container[Path], unread: list[Unread]) -> Iterator[Path]:
    """All that lies below `folder` and is no folder; links are not followed.

    Folders that cannot be read are added to `unread`, and so are those in `own`, the worktrees of the store.
    """

    def note(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            unread.append(Unread(Path(error.filename), f"cannot be read: {error.strerror}"))

    for place, folders, files in os.walk(folder, onerror=note):
        here = Path(place)
        yield from (here / name for name in files)
        for name in list(folders):
            if (here / name).is_symlink():
                yield here / name
            elif (here / name).resolve() in own:
                unread.append(Unread(here / name, THE_STORE_ITSELF))
                folders.remove(name)


def _why_not(work: Work, file: Path, folder: Path, path: str) -> str | None:
    """Why a file of the source is not taken in; None if it is."""
    if any(part.is_symlink() for part in (file, *file.parents) if folder in part.parents):
        return "a link"
    if not file.is_file():
        return "not a regular file"
    owner = owner_of(file.relative_to(folder).as_posix())
    is_memory = work.place.config.is_memory_path(path) if owner is None else (folder / owner).is_file()
    if not is_memory:
        return NOT_A_MEMORY
    largest = MAX_MEMORY_BYTES if owner is None else MAX_ATTACHMENT_BYTES
    return f"larger than {largest // 2**20} MiB" if file.stat().st_size > largest else None


def _spread(items: Iterator[Item]) -> Iterator[Item]:
    """Items with folders of more than 1,000 files spread over subfolders, the same way in every run."""
    found = list(items)
    sizes = Counter(item.path.rpartition("/")[0] for item in found)
    for item in found:
        folder, _, name = item.path.rpartition("/")
        if sizes[folder] <= MAX_FOLDER_ENTRIES or owner_of(item.path):
            yield item
            continue
        shard = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:2]
        yield replace(item, path=f"{folder}/{shard}/{name}".lstrip("/"))
