"""Encrypting what a plan writes on its way into git, and keeping its words out of what git shows.

a memory      in a partition that is encrypted becomes an encrypted file; one whose text did not change
              keeps the blob that it has
an attachment becomes an encrypted file in the same way
a commit      that writes any of these is told by the ids alone: no title, no reason, no source
a file name   is the id, without a title
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import Refused
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.document import decode, parse_document
from gitmem.model.ids import BlobId
from gitmem.model.memory import Memory, MemoryType
from gitmem.model.partition import Partition
from gitmem.model.place import owner_of
from gitmem.model.proposal import TITLE
from gitmem.model.reading import read_memory
from gitmem.model.sealed import is_sealed, key_of_attachment, sealed_text
from gitmem.model.visible import memories_text
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

_TIME = re.compile(r"^\d{4}-")


class Sealing(Struct, frozen=True):
    """The encryption of one plan; `place` is whole, and so is `snapshot`, the branch as it is."""

    place: Place
    snapshot: Snapshot
    plan: Plan

    def sealed(self, write: FileWrite) -> FileWrite:
        """The write as it goes into git. Raises `OutsideFailure` where it cannot be encrypted."""
        if write.data is None or write.blob is not None:
            return write
        found = self._partition(write)
        if found is None or is_sealed(write.data) or key_of_attachment(write.data):
            return write
        memory, partition = found
        same = self._same(write.data)
        if same is not None:
            return replace(write, data=None, blob=same)
        keyring = self.place.keyring
        key = keyring.for_subject(memory.subject or f"partition:{partition.name}", partition)
        if owner_of(write.path) is not None:
            return replace(write, data=keyring.attachment(key, write.data))
        assert partition.encryption is not None, "only such partitions are found"
        fields = parse_document(decode(write.data)[0]).fields
        text = sealed_text(fields, partition.encryption.readable, keyring.block(key, write.data))
        return replace(write, data=text.encode("utf-8"))

    def told_by_ids(self) -> Plan:
        """The plan with nothing but ids in what it says, if it writes anything that is encrypted."""
        if not any(self._partition(write) for write in self.plan.writes):
            return self.plan
        ids = self.plan.memory_ids
        subject = ids[0] if len(ids) == 1 else memories_text(len(ids))
        origin = Origin(self.plan.origin.agent, self.plan.origin.session)
        trailers = [
            (name, f"Changes of {subject}" if name == TITLE else value) for name, value in self.plan.trailers
        ]
        return replace(self.plan, subject=subject, origin=origin, body="", trailers=trailers)

    def refuse_telling_names(self) -> None:
        """Raises `Refused` where the name of a new file would say what the file does not."""
        for write in self.plan.writes if self.plan.merges is None else ():
            # What others named so, or what is only moved, is told by `check` and stops nobody.
            if write.old is not None or write.data is None or write.blob is not None:
                continue
            found = self._partition(write) if owner_of(write.path) is None else None
            if found is not None and not is_named_by_id(write.path, found[0].id):
                raise Refused(
                    f"{write.path}: in the partition {found[1].name} a file is named by its id alone",
                    hint=f"call it {found[0].id}.md",
                )

    def _partition(self, write: FileWrite) -> tuple[Memory, Partition] | None:
        """The memory that a write is about, and its partition; None where that is not encrypted."""
        path = owner_of(write.path) or write.path
        if not self.place.config.is_memory_path(path):
            return None
        memory = self._memory(path)
        partition = self.place.config.policy.partition_of(path, memory.type) if memory else None
        return (memory, partition) if memory and partition and partition.encryption else None

    def _memory(self, path: str) -> Memory | None:
        """The memory at `path` after the plan, else before it."""
        write = next((write for write in self.plan.writes if write.path == path), None)
        if write is not None and write.blob is not None:
            return self.place.snapshot(None).read(path, write.blob)
        if write is not None and write.data is not None:
            return read_memory(path, BlobId(""), write.data)
        return self.snapshot.memory(path)

    def _same(self, data: bytes) -> BlobId | None:
        """The encrypted blob of a file that the plan replaces or moves, and that says the same."""
        stored = self.place.as_stored.repository
        for write in self.plan.writes:
            if write.old is None or self.place.repository.read_blob(write.old) != data:
                continue
            kept = stored.read_blob(write.old)
            if is_sealed(kept) or key_of_attachment(kept) is not None:
                return write.old
        return None


def is_named_by_id(path: str, memory_id: str) -> bool:
    """Whether a file name is an id, behind the time of day where it is an episode."""
    name = path.rpartition("/")[2].removesuffix(".md").casefold()
    return _TIME.sub("", name).removeprefix("m-") == memory_id.casefold()


def sealed_plan(place: Place, snapshot: Snapshot, plan: Plan) -> Plan:
    """The plan with what has to be encrypted encrypted; as it is where nothing in the store is.

    Raises `Refused` for the name of a file that says too much, `OutsideFailure` where encrypting fails.
    """
    if not place.config.policy.encrypts or plan.is_made:
        return plan
    sealing = Sealing(place, snapshot, plan)
    sealing.refuse_telling_names()
    return replace(sealing.told_by_ids(), writes=[sealing.sealed(write) for write in plan.writes])


def is_told_in_name(place: Place, memory_type: MemoryType, namespace: str) -> bool:
    """Whether the name of a new file there may have the title of the memory."""
    path = "/".join(filter(None, (memory_type, namespace, "new.md")))
    partition = place.config.policy.partition_of(path, memory_type)
    return partition is None or partition.encryption is None
