"""Shared uses: `refs/gitmem/usage`, a commit with one file a clone, which any two repositories can merge.

Its history is of its own and touches no branch. Two states merge file by file: a clone's file by the
larger of each number, files of different clones side by side. So whatever order states are merged in, and
however often, they come to the same tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime

from gitmem.git.commits import make_commit
from gitmem.git.modes import REGULAR_MODES
from gitmem.git.repository import Repository
from gitmem.git.side_refs import read_side_ref, side_refs_below
from gitmem.git.tree_edit import tree_with
from gitmem.model.usage import Uses, counts_text, merged, parse_counts

USAGE_REF = "refs/gitmem/usage"
FETCHED = "refs/gitmem/from/"
"""What was fetched from a remote stands at `refs/gitmem/from/REMOTE/usage`."""
MOST_FILE_BYTES = 16 * 1024 * 1024
MOST_CLONES = 10_000
_FILE = re.compile(r"([0-9a-f]{16})\.txt")

Files = dict[str, dict[str, Uses]]
"""The counts of each clone, by its name."""


def read_files(repository: Repository, commit: str | None) -> Files:
    """The counts that a state holds; files that are not a clone's are passed over."""
    if commit is None:
        return {}
    files: Files = {}
    for entry in repository.walk(commit):
        match = _FILE.fullmatch(entry.path)
        if match is None or entry.mode not in REGULAR_MODES or len(files) >= MOST_CLONES:
            continue
        if repository.blob_size(entry.oid) <= MOST_FILE_BYTES:
            files[match[1]] = parse_counts(repository.read_blob(entry.oid).decode("utf-8", "replace"))
    return files


def merged_files(states: Iterable[Files]) -> Files:
    """All states as one."""
    files: Files = {}
    for state in states:
        for clone, counts in state.items():
            files[clone] = merged(files.get(clone, {}), counts)
    return files


def fetched_tips(repository: Repository) -> list[str]:
    """The states that were fetched from remotes."""
    found = side_refs_below(repository, FETCHED)
    return sorted({commit for name, commit in found.items() if name.endswith("/usage")})


def next_state(
    repository: Repository, own: Mapping[str, Mapping[str, Uses]], now: datetime
) -> tuple[str | None, str, Files]:
    """The state that is here, the commit that merges it with `own` and all that was fetched, and its files.

    The commit is one that is there already where that says the same.
    """
    here = read_side_ref(repository, USAGE_REF)
    tips = [tip for tip in fetched_tips(repository) if here is None or not repository.is_ancestor(tip, here)]
    states = [read_files(repository, tip) for tip in (here, *tips) if tip]
    files = merged_files([*states, {clone: dict(counts) for clone, counts in own.items()}])
    blobs = {
        f"{clone}.txt": repository.write_blob(counts_text(counts).encode("utf-8", "replace"))
        for clone, counts in files.items()
    }
    tree = tree_with(repository, None, blobs)
    parents = _heads(repository, [tip for tip in (here, *tips) if tip])
    if len(parents) == 1 and repository.commit(parents[0]).tree == tree:
        return here, parents[0], files
    message = f"usage: what {len(files)} clones counted\n"
    return here, make_commit(repository, tree=tree, parents=parents, message=message, when=now), files


def _heads(repository: Repository, tips: list[str]) -> list[str]:
    """The tips that no other of them has in its history."""
    return [
        tip
        for tip in dict.fromkeys(tips)
        if not any(other != tip and repository.is_ancestor(tip, other) for other in tips)
    ]
