"""The brief as a file: kept in the git directory, and as MEMORY.md where a person asked for it.

MEMORY.md is written only where nothing stands, or what gitmem wrote before, and git does not know it: one
that a person keeps is an ordinary memory. Both files are for agents, and hold what an agent may see.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from gitmem.errors import GitmemError, OutsideFailure, Refused
from gitmem.flows.brief import MARK, Brief, brief, shows
from gitmem.flows.work import BRIEF, Work
from gitmem.git.beneath import NotRegular, open_regular, read_regular, replace_regular, write_new_file
from gitmem.git.environment import run_git
from gitmem.model.identity import UNATTENDED
from gitmem.platform import make_private_directory

NAME = "MEMORY.md"
EXCLUDE_LINE = f"/{NAME}"


def write_brief(work: Work) -> tuple[Brief, Path]:
    """Writes the brief to MEMORY.md at the top of the worktree, listed in `info/exclude`; may be repeated."""
    top = work.place.repository.worktree
    if top is None:
        raise Refused("this is a bare repository, so there is no place for a MEMORY.md")
    file = top / NAME
    why = _why_not_ours(file)
    if why is not None:
        raise Refused(f"{NAME}: {why}; it is left as it is", hint="'gitmem brief' prints the brief")
    written = brief(_for_agents(work))
    try:
        _exclude(work)
        data = written.text.encode("utf-8", "replace")
        (replace_regular if os.path.lexists(file) else write_new_file)(file, data)
    except FileExistsError as error:
        raise Refused(f"{NAME}: somebody wrote it just now; it is left as it is") from error
    except OSError as error:
        raise OutsideFailure(f"{file}: {error.strerror or error}") from error
    keep_brief(work, written)
    return written, file


def keep_brief(work: Work, written: Brief | None = None) -> None:
    """Keeps the brief in the git directory for those who start sessions; what cannot be kept is left out."""
    text = (written or brief(_for_agents(work))).text
    with suppress(OSError):
        make_private_directory(work.place.home)
        replace_regular(work.place.home / BRIEF, text.encode("utf-8", "replace"))


def current_brief(work: Work) -> str:
    """The brief for agents: the kept one where it shows what main is now, else made anew and kept."""
    tip = work.place.tip(work.branch)
    with suppress(OSError):
        kept = (read_regular(work.place.home / BRIEF) or b"").decode("utf-8", "replace")
        if tip and shows(kept, work.branch, tip):
            return kept
    made = brief(_for_agents(work))
    keep_brief(work, made)
    return made.text


def refresh_brief(work: Work) -> None:
    """Brings the kept brief, and a MEMORY.md of ours, up to date; where none is kept, does nothing."""
    if work.branch != work.place.main:
        return
    top = work.place.repository.worktree
    with suppress(OSError, GitmemError):
        if not (work.place.home / BRIEF).is_file():
            return
        if top is not None and _is_ours(top / NAME) and _why_not_ours(top / NAME) is None:
            write_brief(work)
        else:
            keep_brief(work)


def _for_agents(work: Work) -> Work:
    """As an agent without a name sees it: whoever comes reads the file."""
    return replace(work, claimed=UNATTENDED).guarded()


def _why_not_ours(file: Path) -> str | None:
    """Why the file may not be written; None where it may."""
    tracked = run_git(["ls-files", "-z", "--", f":(top,icase){NAME}"], cwd=file.parent)
    if tracked:
        return "git keeps it, so it is a person's"
    if os.path.lexists(file) and not _is_ours(file):
        return "gitmem did not write it"
    return None


def _is_ours(file: Path) -> bool:
    data = read_regular(file, max_bytes=len(MARK.encode()))
    return data == MARK.encode()


def _exclude(work: Work) -> None:
    """Lets git ignore the file in all worktrees of this repository; what the list holds stays."""
    file = work.place.repository.common_dir / "info" / "exclude"
    data = read_regular(file)
    if data is None and os.path.lexists(file):
        raise NotRegular(0, "not a regular file", str(file))
    lines = (data or b"").splitlines()
    if EXCLUDE_LINE.encode() in lines:
        return
    file.parent.mkdir(exist_ok=True)
    start = b"" if not data or data.endswith(b"\n") else b"\n"
    with os.fdopen(open_regular(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), "ab") as opened:
        opened.write(start + EXCLUDE_LINE.encode() + b"\n")
