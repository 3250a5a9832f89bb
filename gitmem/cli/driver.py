"""merge-driver: what git calls for a memory that both sides of a merge changed.

    merged      the file is merged by meaning, in place of ours; exit code 0, also where it is disputed
    no memory   a README, an excluded note: git's own merge of lines
    too large   git's own merge of lines, as a conflict
    failed      whatever it was: git's own conflict, exit code 1; our file is never left half written

Reads no standard input and asks no repository but that of the merge, so it works in a rebase, a cherry-pick
and a stash as well. Without the rest of gitmem it starts faster: `main` hands its arguments straight here.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from gitmem.model.merge.outcome import Merged

CONFLICT_EXIT = 1
GIT_SECONDS = 60
MARKER_SIZE = 7
_SIDE = re.compile(r"GITHEAD_([0-9a-f]{40})")


class Task(Struct, frozen=True):
    """The files that git hands over: the base, ours (which becomes the result) and theirs, and their name."""

    base: Path
    ours: Path
    theirs: Path
    path: str
    marker_size: int = MARKER_SIZE


def run_driver(arguments: Sequence[str]) -> int:
    """The exit code of `merge-driver` for the arguments behind its name, as git gives them."""
    base, ours, theirs, path, *size = arguments
    return merge_files(Task(Path(base), Path(ours), Path(theirs), path, _number(size)))


def _number(size: Sequence[str]) -> int:
    return int(size[0]) if size and size[0].isdecimal() else MARKER_SIZE


def merge_files(task: Task, *, as_json: bool = False) -> int:
    """Merges the files of `task` into ours. Never raises; the exit code that git expects."""
    try:
        if not _is_memory(task.path):
            return _merge_lines(task)
        merged = _merged(task)
        _write_whole(task.ours, merged.text)
    except Exception as error:  # noqa: BLE001  whatever fails, git must get its own conflict and an intact file
        _say(f"{task.path}: not merged by meaning ({error}); git's own merge is left")
        _merge_lines(task)
        return CONFLICT_EXIT
    if as_json:
        _print_json(task, merged)
    elif merged.is_disputed:
        _say(f"{task.path}: disputed, both versions are kept; 'gitmem conflicts' lists it")
    return 0


def _merged(task: Task) -> Merged:
    from gitmem.model.document import decode
    from gitmem.model.merge.file import merge_texts
    from gitmem.model.merge.outcome import MAX_MERGED_BYTES, CannotMerge, Side

    files = (task.base, task.ours, task.theirs)
    if sum(file.stat().st_size for file in files) > 2 * MAX_MERGED_BYTES:
        raise CannotMerge("the versions are too large")
    base, ours, theirs = (decode(file.read_bytes())[0] for file in files)
    moments = _moments(task.path) if "working" in ours[:4096] else (None, None)
    sides = (Side(ours, moments[0]), Side(theirs, moments[1]))
    return merge_texts(base or None, *sides, path=task.path)


def _is_memory(path: str) -> bool:
    """Whether the file is a memory, by its name and by what the config of the branch excludes."""
    from gitmem.model.place import is_memory_path

    if not is_memory_path(path):
        return False
    try:
        memories = tomllib.loads(_git("cat-file", "blob", "HEAD:.gitmem/config.toml").decode()).get(
            "memories"
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return True
    patterns = memories.get("exclude", []) if isinstance(memories, dict) else []
    return is_memory_path(path, [pattern for pattern in patterns if isinstance(pattern, str)])


def _moments(path: str) -> tuple[datetime | None, datetime | None]:
    """When ours and theirs last changed the file; None where git does not say whom it merges."""
    others = [match[1] for name in os.environ if (match := _SIDE.fullmatch(name))]
    if len(others) != 1:
        return None, None
    return _moment("HEAD", path), _moment(others[0], path)


def _moment(revision: str, path: str) -> datetime | None:
    try:
        answer = _git("log", "-1", "--format=%ct", revision, "--", f":(top,literal){path}")
        return datetime.fromtimestamp(int(answer), UTC)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def _git(*arguments: str) -> bytes:
    """What git prints in the repository of the merge. Raises `CalledProcessError`."""
    done = subprocess.run(
        ["git", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=GIT_SECONDS,
        check=True,
    )
    return done.stdout


def _write_whole(file: Path, text: str) -> None:
    """Puts `text` in place of the file, all of it or nothing."""
    from gitmem.model.document import encode

    beside = file.with_name(file.name + ".gitmem-new")
    try:
        with open(beside, "wb") as new:
            new.write(encode(text))
        beside.chmod(file.stat().st_mode & 0o777)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def _merge_lines(task: Task) -> int:
    """Git's own merge of lines, with its markers where the sides meet; 0 where they do not."""
    command = ["git", "merge-file", "--quiet", f"--marker-size={task.marker_size}"]
    for label in ("ours", "base", "theirs"):
        command += ["-L", label]
    try:
        done = subprocess.run(
            [*command, str(task.ours), str(task.base), str(task.theirs)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return CONFLICT_EXIT
    return 0 if done.returncode == 0 else CONFLICT_EXIT


def _say(message: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write("gitmem: " + " ".join(message.split()) + "\n")


def _print_json(task: Task, merged: Merged) -> None:
    from gitmem.cli.session import write_out
    from gitmem.cli.shapes import json_text
    from gitmem.cli.shapes_merge import decision_shape

    shape = {
        "path": task.path,
        "disputed": merged.is_disputed,
        "decisions": [decision_shape(decision) for decision in merged.decisions],
    }
    write_out(json_text(shape))
