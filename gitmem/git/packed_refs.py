"""`packed-refs`, the file in which git keeps refs that rarely move: what of it can be read."""

from __future__ import annotations

import re
from pathlib import Path

from gitmem.git.aside import set_aside
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.git.repository import Repository

_LINE = re.compile(rb"(#.*|\^[0-9a-f]{40}|[0-9a-f]{40} refs/[^\0 ]+)?")
_REF = re.compile(rb"[0-9a-f]{40} refs/[^\0 ]+")


def damaged_lines(repo: Repository) -> int:
    """How many lines of the file are none that git would write."""
    try:
        data = read_regular(repo.common_dir / "packed-refs") or b""
    except OSError:
        return 0
    return sum(_LINE.fullmatch(line) is None for line in data.split(b"\n"))


def keep_readable(repo: Repository) -> tuple[int, Path | None]:
    """Makes the file anew of the refs in it that can be read: how many, and where the damaged one is kept."""
    file = repo.common_dir / "packed-refs"
    # Without the heading and the peeled tags, git claims nothing about them and looks for itself.
    refs = [line for line in (read_regular(file) or b"").split(b"\n") if _REF.fullmatch(line)]
    kept = set_aside(repo, file)
    if refs:
        replace_regular(file, *(line + b"\n" for line in refs))
    return len(refs), kept
