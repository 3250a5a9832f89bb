"""Which commits of a chain changed a path, as git tells it: by filters in its commit graph."""

from __future__ import annotations

import re
from collections.abc import Generator

from gitmem.errors import OutsideFailure
from gitmem.git.environment import reading_git
from gitmem.git.repository import Repository

_WITHOUT_FILTERS = ("-c", "commitGraph.readChangedPaths=false")
_LINE = re.compile(rb"([0-9a-f]{40})\n")


def commits_touching(repository: Repository, start: str, path: str) -> Generator[str, None, None]:
    """The commits on the first-parent chain from `start` that changed what stands at `path`, newest first.

    Also those that changed something below it, or its mode. Ends early where git fails, which is not told.
    """
    # Git before 2.45 made filters of such paths that another kind of processor reads differently.
    options = () if path.isascii() else _WITHOUT_FILTERS
    arguments = [*options, "rev-list", "--first-parent", start, "--", f":(literal){path}"]
    try:
        with reading_git(arguments, cwd=repository.git_dir) as output:
            for line in output:
                found = _LINE.fullmatch(line)
                if found is None:
                    return
                yield found[1].decode("ascii")
    except OutsideFailure:
        return
