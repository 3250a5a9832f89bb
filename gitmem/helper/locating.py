"""Where the store of a folder is, told from a few files. Loaded by each command that a helper may answer.

Only where the helper is looked for depends on it: what is not plain is left to the command, which asks git.
"""

from __future__ import annotations

import os


def common_directory(start: str) -> str | None:
    """The git directory that all worktrees share, as `git rev-parse --git-common-dir` gives it."""
    try:
        at = os.path.realpath(start)
        while not (git_dir := _git_dir(at)):
            above = os.path.dirname(at)  # noqa: PTH120
            if above == at:
                return None
            at = above
        named = _first_line(git_dir + "/commondir")
        common = git_dir if named is None else os.path.normpath(os.path.join(git_dir, named))  # noqa: PTH118
        if os.path.exists(common + "/gitmem"):  # noqa: PTH110
            return common
        pointed = _pointed_from(common)
        return common if pointed is None else common_directory(pointed)
    except (OSError, ValueError):
        return None


def _pointed_from(common: str) -> str | None:
    """The folder that `gitmem.store` names in the config of a repository, where it is written plainly.

    The rest (quotes, includes, the user's own config) is left to the command, which asks git.
    """
    is_ours = False
    for line in (_start_of(common + "/config") or "").splitlines():
        words = line.strip()
        if words.startswith("["):
            is_ours = words.lower() == "[gitmem]"
        name, _, value = words.partition("=")
        value = value.strip()
        if is_ours and name.strip().lower() == "store" and value:
            if any(character in value for character in '"\\#;'):
                return None
            return os.path.join(os.path.dirname(common), os.path.expanduser(value))  # noqa: PTH118, PTH120, PTH111
    return None


def _git_dir(folder: str) -> str | None:
    below = folder + "/.git"
    if os.path.isdir(below):  # noqa: PTH112
        return below
    named = _first_line(below)
    if named is not None and named.startswith("gitdir: "):
        return os.path.normpath(os.path.join(folder, named[8:]))  # noqa: PTH118
    parts = ("/HEAD", "/objects", "/refs")
    return folder if all(os.path.exists(folder + part) for part in parts) else None  # noqa: PTH110


def _first_line(path: str) -> str | None:
    text = _start_of(path, 4096)
    return text and text.rstrip("\r\n")


def _start_of(path: str, most_bytes: int = 65_536) -> str | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return os.fsdecode(os.read(descriptor, most_bytes))
    finally:
        os.close(descriptor)
