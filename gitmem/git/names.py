"""Names in a tree that lead somewhere else than they say, or that no worktree can hold.

Git refuses to check such a name out (`verify_path` in its read-cache.c), so nothing that was ever in a
worktree has one. What stands under one is not read, not written, and stays in a tree that is written anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

MAX_DEPTH = 200
"""Of folders in folders; git's own recursion ends a few thousand further down."""
MAX_PATH_BYTES = 4096
"""Of a path from the root: what the longest system call takes."""

# Invisible on HFS+, so `.g\u200cit` would be `.git` there.
_IGNORED_BY_HFS = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF], None
)
# Whatever could be refused: looked for in all names of a tree at once, since hardly any tree has one.
_SUSPICIOUS = re.compile(rb"(?i)(?:\A|\0)(?:\.\.?)?(?:\0|\Z)|/|git|\xe2\x80|\xe2\x81|\xef\xbb\xbf")


@lru_cache(4096)
def why_refused(name: bytes) -> str | None:
    """Why nothing below this name of a tree is read; None for every name that git would check out."""
    if name in (b"", b".", b".."):
        return "it is empty, '.' or '..'"
    if b"/" in name or b"\0" in name:
        return "a name holds a slash"
    if is_git_folder(name.decode("utf-8", "surrogateescape")):
        return "it names git's own files"
    return None


def is_git_folder(name: str) -> bool:
    """Whether some file system takes `name` for `.git`: by case, short name, stream, invisible characters."""
    pieces = name.translate(_IGNORED_BY_HFS).casefold().split("\\")
    return any(piece.partition(":")[0].rstrip(". ") in (".git", "git~1") for piece in pieces)


def are_suspicious(names: Iterable[bytes]) -> bool:
    """Whether one of `names` may have to be refused; False is certain."""
    return _SUSPICIOUS.search(b"\0".join(names)) is not None
