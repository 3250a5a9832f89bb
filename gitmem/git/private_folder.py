"""What stands in the `gitmem` folder of the git directory and is not what gitmem puts there.

A repository can come as an archive, with links, pipes and devices below its git directory. So whoever opens
a store looks at the kind of everything in that folder first: what is of another kind than gitmem makes at its
place is moved to `gitmem/aside`, unread, and never deleted. After that a path below the folder leads nowhere
else. The single files are read by `git/beneath.py` alone, which follows nothing either.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from gitmem.errors import StoreProblem
from gitmem.platform import make_private_directory

_FOLDERS = re.compile(
    r"(?:apart|aside|crossings|forgetting|index|index-maps|journal|keys|moves|names|texts|usage|vectors|versions)"
    r"|index/(?!anchor$|seal\.json$)[^/]+(?<!\.part)"
    r"|index/[^/]+/(?:\d+|building-[^/]+)"
    r"|journal/[^/]+(?:/[^/]+\.sparse)?|vectors/[^/]+"
)
_FILES = re.compile(
    r"anchors\.json|brief\.md|commit-graph-at|forgotten-tips|privacy\.key|refresh-wanted|tombstone-keys|[^/]+\.guard"
    r"|index/(?:anchor|seal\.json|[^/]+/(?:CURRENT|building\.guard|\d+/[^/]+))"
    r"|journal/[^/]+/[^/]+(?<!\.sparse)|journal/[^/]+/[^/]+/[^/]+"
    r"|(?:apart|crossings|forgetting|index-maps|keys|moves|names|texts|usage|versions)/[^/]+|vectors/[^/]+/[^/]+"
)
_UNREAD = "aside"


class Stranger(Struct, frozen=True):
    """Something at `path` that is `kind`, where gitmem keeps `wanted`: both in words."""

    path: Path
    kind: str
    wanted: str

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return f"{self.path} is {self.kind} where gitmem keeps {self.wanted}; it was not followed"


def find_strangers(common_dir: Path) -> list[Stranger]:
    """What is not of its kind in the folder of gitmem, the folder itself included; opens no file.

    Below something that is found, nothing is looked at, nor in a folder of another user that this one may not
    list. Raises `StoreProblem` where a folder cannot be read for another reason.
    """
    home = common_dir / "gitmem"
    try:
        if home.is_symlink() or not home.is_dir():
            return [Stranger(home, _kind_at(home), "a folder")] if os.path.lexists(home) else []
        return sorted(_below(home, ""), key=lambda each: each.path)
    except OSError as error:
        raise StoreProblem(
            f"{error.filename or home} cannot be looked into: {error.strerror}",
            hint="make it yours, or move it away: gitmem makes it anew",
        ) from error


def put_aside(common_dir: Path, stranger: Stranger) -> Path:
    """Moves a stranger out of the way, as it is; where it is now. Raises `StoreProblem`."""
    home = common_dir / "gitmem"
    try:
        if stranger.path == home or stranger.path == home / _UNREAD:
            kept = stranger.path.with_name(f"{stranger.path.name}.aside-{time.time_ns()}")
        else:
            make_private_directory(home / _UNREAD)
            name = "-".join(stranger.path.relative_to(home).parts)
            kept = home / _UNREAD / f"{name}.{time.time_ns()}"
        stranger.path.rename(kept)
    except OSError as error:
        raise StoreProblem(
            f"{stranger.message}, and it cannot be moved: {error.strerror or error}",
            hint=f"move {stranger.path} away yourself",
        ) from error
    return kept


def clear(common_dir: Path) -> list[str]:
    """Moves all strangers out of the way; a sentence for each. Raises `StoreProblem`."""
    said = []
    for stranger in find_strangers(common_dir):
        if not os.path.lexists(stranger.path):
            continue
        kept = put_aside(common_dir, stranger)
        said.append(f"{stranger.message}, and stands at {kept} now: look at it, then delete it")
    return said


def _below(folder: Path, name: str) -> Iterator[Stranger]:
    try:
        entries = os.scandir(folder)
    except (PermissionError, FileNotFoundError, NotADirectoryError):
        # What another user keeps to himself is not for this one; what another command just removed is gone.
        return
    with entries:
        for entry in entries:
            path = f"{name}{entry.name}"
            is_folder = entry.is_dir(follow_symlinks=False)
            is_plain = is_folder or entry.is_file(follow_symlinks=False)
            wanted = _wanted(path)
            if wanted is None:
                continue
            if not is_plain or is_folder != (wanted == "a folder"):
                yield Stranger(Path(entry.path), _kind_at(Path(entry.path)), wanted)
            elif is_folder and path != _UNREAD:
                yield from _below(Path(entry.path), path + "/")


def _wanted(path: str) -> str | None:
    """What gitmem keeps at `path` below its folder; None where it keeps nothing, or either."""
    if _FOLDERS.fullmatch(path):
        return "a folder"
    return "a file" if _FILES.fullmatch(path) else None


def _kind_at(path: Path) -> str:
    for test, words in (
        (Path.is_symlink, "a symbolic link"),
        (Path.is_dir, "a folder"),
        (Path.is_file, "a file"),
        (Path.is_fifo, "a named pipe"),
        (Path.is_socket, "a socket"),
    ):
        if test(path):
            return words
    return "a device"
