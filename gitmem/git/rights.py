"""Telling what this user may not read from what is damaged or not there."""

from __future__ import annotations

import os
from pathlib import Path

from gitmem.errors import Damaged

HINT = "ask its owner for the right to read it; 'git config core.sharedRepository group' gives it in future"


def refuse_unreadable(file: Path) -> None:
    """Raises `Damaged` naming `file`, or the folder on the way to it, that is there and may not be read."""
    closed = _closed_on_the_way(file)
    if closed is not None:
        raise Damaged(f"{closed} may not be read by this user", hint=HINT)


def _closed_on_the_way(file: Path) -> Path | None:
    for folder in reversed(file.absolute().parents):
        if not folder.is_dir():
            return None
        if not os.access(folder, os.X_OK):
            return folder
    return file if os.path.lexists(file) and not os.access(file, os.R_OK) else None


def closed_repository_above(start: Path) -> Path | None:
    """The nearest `.git` upwards from `start`, or folder on the way, that this user may not look into."""
    for folder in (start.absolute(), *start.absolute().parents):
        git_dir = folder / ".git"
        if not os.access(folder, os.X_OK):
            if _is_folder(folder):
                return folder
        elif os.path.lexists(git_dir):
            return None if os.access(git_dir, os.R_OK | os.X_OK) or git_dir.is_file() else git_dir
    return None


def _is_folder(path: Path) -> bool:
    """Whether it is a folder, as far as this user can see: no, for what lies in a closed one."""
    try:
        return path.is_dir()
    except OSError:
        return False
