"""Lines in the logs of refs, as git itself would write them."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from pathlib import Path

from gitmem.git.beneath import link_on_the_way, open_regular, read_regular
from gitmem.git.commits import git_time
from gitmem.git.identity import committer_of
from gitmem.git.refs import NOTHING, log_lines
from gitmem.git.repository import Repository

_MADE = (b"commit", b"gitmem:", b"cherry-pick", b"revert", b"rebase", b"am:")
_FIRST_BYTES = 4096
"""More than the part of a log's first line that says what it is."""


def append(
    repo: Repository, logs: list[Path], *, old: str | None, new: str, message: str, when: datetime
) -> None:
    """Add one line to each log that git would write here. A log that cannot be written stops nothing."""
    who = committer_of(repo)
    text = " ".join(message.split())
    line = f"{old or NOTHING} {new} {who.name} <{who.email}> {git_time(when)}\t{text}\n"
    makes_new = _makes_new(repo)
    for log in logs:
        with contextlib.suppress(OSError):
            if link_on_the_way(repo.common_dir, log.relative_to(repo.common_dir).as_posix()):
                continue
            if makes_new:
                log.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT if makes_new else 0)
            descriptor = open_regular(log, flags)
            try:
                # One write, so that lines of other processes never stand inside this one.
                os.write(descriptor, line.encode("utf-8", "replace"))
            finally:
                os.close(descriptor)


def recent_tips(repo: Repository, branch: str, count: int) -> list[str]:
    """The commits that a branch stood at lately, newest first, at most `count`; as its log tells."""
    lines = log_lines(repo.common_dir, f"refs/heads/{branch}", at_most=count)
    tips = [tip for line in reversed(lines) for tip in (line.new, line.old)]
    return [tip for tip in dict.fromkeys(tips) if tip != NOTHING][:count]


def made_here(repo: Repository, branch: str) -> frozenset[str]:
    """The commits of a branch that were made in this clone, as far as its log goes; not those it fetched."""
    log = repo.common_dir / "logs" / "refs" / "heads" / branch
    try:
        lines = (read_regular(log) or b"").splitlines()
    except OSError:
        return frozenset()
    made = set()
    for line in lines:
        head, _, message = line.partition(b"\t")
        parts = head.split(b" ")
        if len(parts) > 1 and message.startswith(_MADE) and not message.endswith(b", fast-forward"):
            made.add(parts[1].decode("ascii", "replace"))
    return frozenset(made)


def cloned_at(repo: Repository, branch: str) -> str | None:
    """The commit at which `git clone` made the branch, as its log tells; None where it does not tell."""
    for name in (f"refs/heads/{branch}", "HEAD"):
        try:
            start = read_regular(repo.common_dir / "logs" / name, max_bytes=_FIRST_BYTES) or b""
        except OSError:
            continue
        head, _, message = start.partition(b"\n")[0].partition(b"\t")
        parts = head.split(b" ")
        if message.startswith(b"clone: from ") and len(parts) > 1 and len(parts[1]) == 40:
            return parts[1].decode("ascii", "replace")
    return None


def _makes_new(repo: Repository) -> bool:
    setting = repo.config("core.logAllRefUpdates")
    if setting is not None and setting.lower() == "always":
        return True
    return repo.config_bool("core.logAllRefUpdates", not repo.config_bool("core.bare", False))
