"""A partition: the part of a store, by namespace and type, that has rules of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct, field

from gitmem.model.access import Access
from gitmem.model.memory import MemoryType
from gitmem.model.place import name_key, namespace_of, owner_of
from gitmem.model.sensitive import Action


class Encryption(Struct, frozen=True):
    """Keys are wrapped for `recipients` (age); of a header the fields `readable` are not encrypted."""

    recipients: tuple[str, ...]
    readable: tuple[str, ...] = ()


class Partition(Struct, frozen=True):
    """One partition of the policy.

    Without `namespaces` it holds memories of any namespace, without `types` those of any type; where both are
    given, both must match. `privacy` says what is done about some kinds here, and leaves the others as they
    are elsewhere.
    """

    name: str
    namespaces: tuple[str, ...] = ()
    types: frozenset[MemoryType] = frozenset()
    privacy: Mapping[str, Action] = field(default_factory=dict)
    access: Access = field(default_factory=Access)
    """Who may read here, write, propose and approve."""
    encryption: Encryption | None = None
    """For whom its memories are encrypted; None where they are not."""

    def holds(self, path: str, memory_type: MemoryType) -> bool:
        """Whether the memory of `memory_type` at `path`, or what is attached to it, belongs here.

        A pattern is read as the shell reads it and case apart. It covers what lies below, too: `hr` is also
        `hr/berlin`, `people/*` is each of `people` with all its folders, but not `people` itself.
        """
        if self.types and memory_type not in self.types:
            return False
        if not self.namespaces:
            return True
        names = list(_namespaces(name_key(owner_of(path) or path)))
        return any(fnmatchcase(name, name_key(pattern)) for pattern in self.namespaces for name in names)


def partition_of(partitions: Sequence[Partition], path: str, memory_type: MemoryType) -> Partition | None:
    """The partition of the memory of `memory_type` at `path`: the first that holds it; None outside all."""
    return next((each for each in partitions if each.holds(path, memory_type)), None)


def filed_under(path: str) -> str:
    """All of `path` that decides, beside the type, which partition it is in."""
    return next(_namespaces(name_key(owner_of(path) or path)))


def _namespaces(path: str) -> Iterator[str]:
    """The namespace of the memory at the folded `path` and each one above it: `a/b`, `a`."""
    namespace = namespace_of(path, _shard(path))
    yield namespace
    while "/" in namespace:
        namespace = namespace.rpartition("/")[0]
        yield namespace


def _shard(path: str) -> str:
    """The last folder of `path` where it can be the first two characters of an id that ends the file name."""
    folder, _, name = path.rpartition("/")
    last = folder.rpartition("/")[2]
    is_shard = len(last) == 2 and (name.startswith(last) or f"-{last}" in name)
    return last if is_shard else "\0\0"
