"""Keeping what was damaged: nothing that a repair replaces is thrown away."""

from __future__ import annotations

import time
from pathlib import Path

from gitmem.git import journal
from gitmem.git.repository import Repository
from gitmem.platform import make_private_directory


def set_aside(repo: Repository, file: Path) -> Path | None:
    """Moves a damaged file to `gitmem/aside`, by a name that says what it was; None where there is none."""
    if not file.is_file():
        return None
    folder = journal.private_directory(repo.common_dir) / "aside"
    make_private_directory(folder)
    name = "-".join(file.relative_to(repo.common_dir).parts)
    kept = folder / f"{name}.{time.time_ns()}"
    file.replace(kept)
    return kept
