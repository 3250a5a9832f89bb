"""What kinds of entries a tree of git has, by their modes."""

from __future__ import annotations

TREE_MODE = 0o040000
FILE_MODE = 0o100644
EXECUTABLE_MODE = 0o100755
SYMLINK_MODE = 0o120000
GITLINK_MODE = 0o160000
REGULAR_MODES = frozenset({FILE_MODE, EXECUTABLE_MODE, 0o100664})
"""Those of files, with the one that git wrote for files of a group long ago."""
