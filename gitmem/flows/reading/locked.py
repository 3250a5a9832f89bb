"""Encrypted memories as a verb meets them: those that can be read here, and those whose key is not here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gitmem.errors import Damaged, Refused
from gitmem.flows.work import Work
from gitmem.flows.writing.sealing import is_named_by_id
from gitmem.model.memory import Memory, MemoryType
from gitmem.model.partition import filed_under
from gitmem.model.reading import START_BYTES
from gitmem.model.sealed import is_sealed
from gitmem.model.visible import memories_text
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.versions.audit import Finding

MOST_NAMED = 3


def opened(work: Work, snapshot: Snapshot) -> list[Memory]:
    """The encrypted memories of `snapshot` that can be read here, decrypted."""
    return [memory for memory in _encrypted(work, snapshot) if memory.locked_by is None]


def locked_notes(work: Work, snapshot: Snapshot) -> tuple[str, ...]:
    """What an answer says of the memories that it could not look into; nothing where it could."""
    if not is_encrypting(work.place):
        return ()
    found = list(_encrypted(work, snapshot))
    if work.is_past and found:
        return (f"encrypted memories are not searched in the past: {memories_text(len(found))}",)
    locked = [memory for memory in found if memory.locked_by is not None]
    return (locked_note(work.place, locked),) if locked else ()


def is_encrypting(place: Place) -> bool:
    """Whether memories of the store are encrypted, or were: then there are keys."""
    return place.config.policy.encrypts or place.keyring.is_there


def locked_note(place: Place, memories: Sequence[Memory]) -> str:
    """Which memories cannot be read, and what they wait for."""
    named = ", ".join(memory.id for memory in memories[:MOST_NAMED])
    if len(memories) > MOST_NAMED:
        named += f" and {len(memories) - MOST_NAMED} more"
    keys = ", ".join(dict.fromkeys(str(memory.locked_by) for memory in memories[:MOST_NAMED]))
    reason = place.keyring.problem or "'gitmem keys' shows which keys are here"
    return f"{memories_text(len(memories))} cannot be read here: {named} (encrypted with {keys}; {reason})"


def refuse_locked(memory: Memory) -> None:
    """Raises `Refused` where the memory is encrypted and its key cannot be used here."""
    if memory.locked_by is not None:
        raise Refused(
            f"{memory.id} is encrypted with the key {memory.locked_by}, which cannot be used here",
            hint="'gitmem keys import' takes in a key, git config gitmem.ageIdentity says who reads",
        )


def refuse_plain(place: Place, memories: Sequence[Memory]) -> None:
    """Raises `Refused` where a file would come into git in the clear that has to be encrypted."""
    for memory in memories:
        partition = place.config.policy.partition_of(memory.path, memory.type)
        if partition is not None and partition.encryption and memory.locked_by is None:
            raise Refused(
                f"{memory.path}: memories of the partition {partition.name} are encrypted, this file is not",
                hint="'gitmem update' or 'gitmem remember' takes the text in encrypted; then remove the file",
            )


def plain_findings(place: Place, memory: Memory) -> Iterator[Finding]:
    """That a memory stands in the clear where it should be encrypted."""
    from gitmem.versions.audit import Finding

    partition = place.config.policy.partition_of(memory.path, memory.type)
    if partition is None or not partition.encryption:
        return
    if not is_sealed(place.as_stored.repository.read_start(memory.blob, START_BYTES)):
        message = f"memories of the partition {partition.name} are encrypted, and this one is not"
        yield Finding("error", "not-encrypted", memory.path, message)
    if not is_named_by_id(memory.path, memory.id):
        message = f"in the partition {partition.name} the name of a file should be its id alone"
        yield Finding("warning", "telling-name", memory.path, message)


def _encrypted(work: Work, snapshot: Snapshot) -> Iterator[Memory]:
    """The memories of encrypted partitions whose files are encrypted, as far as they can be read here."""
    place = work.place
    stored, policy = place.as_stored.repository, place.config.policy
    encrypted = {partition.name for partition in policy.partitions if partition.encryption}
    # What a partition held that is encrypted no longer may stand anywhere.
    is_anywhere = any(key.partition not in encrypted for key in place.keyring.held())
    known: dict[str, bool] = {}
    for path, blob in snapshot.files():
        filed = filed_under(path)
        if filed not in known:
            partitions = [policy.partition_of(path, each) for each in MemoryType]
            known[filed] = is_anywhere or any(each is not None and each.encryption for each in partitions)
        if not known[filed]:
            continue
        try:
            if is_sealed(stored.read_start(blob, START_BYTES)):
                yield snapshot.read(path, blob)
        except Damaged:
            # Whoever reads the memory itself says what is wrong.
            continue
