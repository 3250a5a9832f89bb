"""How many objects a repository holds, in what form, and how large they are on the disk."""

from __future__ import annotations

from msgspec import Struct

from gitmem.errors import OutsideFailure
from gitmem.git.environment import run_git
from gitmem.git.repository import Repository

_KIB = 1024


class ObjectCounts(Struct, frozen=True):
    """What `git count-objects -v` tells; sizes are of the disk, in bytes, rounded up to KiB as git does."""

    loose: int
    loose_bytes: int
    packed: int
    packs: int
    pack_bytes: int
    garbage: int
    garbage_bytes: int

    @property
    def bytes(self) -> int:
        """All of it."""
        return self.loose_bytes + self.pack_bytes + self.garbage_bytes


def count_objects(repository: Repository) -> ObjectCounts:
    """The objects of the repository, those that it borrows from another left out. Raises `OutsideFailure`."""
    # From the worktree where there is one: that is what a person tells git to trust.
    where = repository.worktree or repository.git_dir
    output = run_git(["count-objects", "-v"], cwd=where).decode("utf-8", "replace")
    lines = dict(line.split(": ", 1) for line in output.splitlines() if ": " in line)
    try:
        number = {name: int(lines[name]) for name in _NAMES}
    except (KeyError, ValueError) as error:
        raise OutsideFailure(f"git count-objects said {output!r}, which gitmem cannot read") from error
    return ObjectCounts(
        loose=number["count"],
        loose_bytes=number["size"] * _KIB,
        packed=number["in-pack"],
        packs=number["packs"],
        pack_bytes=number["size-pack"] * _KIB,
        garbage=number["garbage"],
        garbage_bytes=number["size-garbage"] * _KIB,
    )


_NAMES = ("count", "size", "in-pack", "packs", "size-pack", "garbage", "size-garbage")
