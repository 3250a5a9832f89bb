"""Names for files and folders that are being made, and the removal of those whose maker died."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

from gitmem.git.marks import is_mark_of_dead, process_mark

_NAME = re.compile(r"(?:.*\.(?P<file>\w+-\d+)\.[0-9a-f]{8}\.part|building-(?P<folder>\w+-\d+)-[0-9a-f]{8})")
_ABANDONED_SECONDS = 3600
"""How long what cannot be proved dead is left alone: another machine may be at it."""


def unfinished_file(path: Path) -> Path:
    """A new name beside `path` for its next content."""
    return path.with_name(f"{path.name}.{process_mark()}.{os.urandom(4).hex()}.part")


def unfinished_folder(folder: Path) -> Path:
    """A new name in `folder` for an index that is being built."""
    return folder / f"building-{process_mark()}-{os.urandom(4).hex()}"


def leftovers(folder: Path) -> list[Path]:
    """What was begun in `folder` and will never be finished."""
    try:
        names = os.listdir(folder)  # noqa: PTH208  (this is on the way of every read)
    except OSError:
        return []
    found = []
    for name in names:
        if name.startswith("index.aside-") and (folder / name).is_dir() and not (folder / name).is_symlink():
            found.append(folder / name)
        elif name.endswith(".part") or name.startswith("building-"):
            match = _NAME.fullmatch(name)
            mark = match and (match["file"] or match["folder"])
            if (mark and is_mark_of_dead(mark)) or _is_old(folder / name):
                found.append(folder / name)
    return found


def sweep(folder: Path) -> None:
    """Removes what is left over in `folder`, as far as that is possible."""
    for path in leftovers(folder):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            try:
                path.unlink(missing_ok=True)
            except OSError:
                continue


def sweep_behind_writers(folder: Path) -> None:
    """Removes what Whoosh's dead writers began; only for who holds its lock, so that all of it is dead."""
    for path in folder.glob("_MAIN_*.toc.*"):
        try:
            path.unlink(missing_ok=True)
        except OSError:
            continue


def _is_old(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > _ABANDONED_SECONDS
    except OSError:
        return False
