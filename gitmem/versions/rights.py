"""What one identity may do in the partitions of a store: the one place where that is decided."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.model.access import Act
from gitmem.model.identity import Identity
from gitmem.model.memory import MemoryType
from gitmem.model.partition import Partition, filed_under, partition_of

_Allowed = tuple[Partition | None, ...]
_TYPES = tuple(MemoryType)


class Rights(Struct, frozen=True, eq=False):
    """The rights of `identity`; `doing` is the act that its writes count as.

    Of what is outside all partitions everybody may do everything.
    """

    identity: Identity
    partitions: tuple[Partition, ...]
    doing: Act = Act.WRITE
    _known: dict[tuple[Act, str], _Allowed] = field(default_factory=dict)

    def may(self, act: Act, path: str, memory_type: MemoryType) -> bool:
        """Whether the identity may do this to the memory of `memory_type` at `path`, attachments included."""
        return self.barrier(act, path, memory_type) is None

    def barrier(self, act: Act, path: str, memory_type: MemoryType) -> Partition | None:
        """The partition whose rules forbid it; None where nothing does."""
        return self._barriers(act, path)[_TYPES.index(memory_type)]

    def depends_on_type(self, act: Act, path: str) -> bool:
        """Whether it is allowed for memories of some types at `path`, and not for others."""
        return len({barrier is None for barrier in self._barriers(act, path)}) > 1

    def barrier_of_some(self, act: Act, path: str) -> Partition | None:
        """The partition that forbids it for memories of any type at `path`; None where all are free."""
        return next((barrier for barrier in self._barriers(act, path) if barrier is not None), None)

    def barrier_of_file(self, act: Act, path: str) -> Partition | None:
        """The same for a file that is no memory: forbidden where it is for memories of every type."""
        barriers = self._barriers(act, path)
        return None if path.startswith(".git") or None in barriers else barriers[0]

    @property
    def unreadable(self) -> tuple[Partition, ...]:
        """The partitions in which the identity may not read."""
        return tuple(each for each in self.partitions if not each.access.allows(Act.READ, self.identity))

    @property
    def reading(self) -> tuple[tuple[object, ...], ...]:
        """All that decides what the identity may read, as a value that can be compared."""
        return tuple(
            (each.name, each.namespaces, tuple(sorted(each.types)), each not in self.unreadable)
            for each in self.partitions
        )

    @property
    def proposes(self) -> bool:
        """Whether there is a partition in which the identity may propose and not write."""
        who = self.identity
        return any(
            each.access.allows(Act.PROPOSE, who) and not each.access.allows(Act.WRITE, who)
            for each in self.partitions
        )

    @property
    def as_approver(self) -> Rights:
        """The rights of whoever takes in what others wrote: its writes count as approving it."""
        return replace(self, doing=Act.APPROVE)

    def _barriers(self, act: Act, path: str) -> _Allowed:
        """By type, the partition that forbids it. Nothing of a path counts but what it is filed under."""
        key = (act, filed_under(path))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = tuple(self._barrier(act, path, each) for each in _TYPES)
        return known

    def _barrier(self, act: Act, path: str, memory_type: MemoryType) -> Partition | None:
        partition = partition_of(self.partitions, path, memory_type)
        if partition is None or partition.access.allows(act, self.identity):
            return None
        return partition


def rights_of(identity: Identity, partitions: Sequence[Partition]) -> Rights | None:
    """The rights of `identity`; None where the policy says nothing about who may do what."""
    if not any(partition.access.lists for partition in partitions):
        return None
    return Rights(identity, tuple(partitions))
