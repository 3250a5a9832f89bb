"""What becomes of one file of an import, beside what was imported last and what stands on the branch."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from gitmem.flows.judging.bodies import Bodies
from gitmem.flows.reading.source_folder import Item
from gitmem.flows.work import Work
from gitmem.model.change import FileWrite
from gitmem.model.ids import BlobId, id_key
from gitmem.model.place import name_key, owner_of
from gitmem.model.reading import read_memory
from gitmem.versions.snapshot import Snapshot

Decision = tuple[str, FileWrite | None, str | None]
"""An outcome, what writes it, and why it is so where that needs a look."""


class Known(Struct):
    """What an item is compared with: what was imported last, and what stands on the branch."""

    bases: Mapping[str, str]
    ids: dict[str, str]
    bodies: Bodies
    names: dict[str, str]
    owners: Collection[str | None]
    """The memories of the source that have attachments in it."""

    def decided(self, work: Work, snapshot: Snapshot, item: Item, items: Sequence[Item]) -> Decision:
        """What becomes of an item; its id and name are taken from then on."""
        outcome, write, reason = self._compared(work, snapshot, item, items)
        if outcome == "new" and item.path not in self.owners and (holder := _holder(self.bodies, item)):
            return "known", None, f"{holder} says this already"
        if write is not None:
            twin = self.names.setdefault(name_key(write.path), write.path)
            if twin != write.path:
                return "occupied", None, f"some systems take its name for that of {twin}"
        return outcome, write, reason

    def _compared(self, work: Work, snapshot: Snapshot, item: Item, items: Sequence[Item]) -> Decision:
        new = work.place.repository.blob_id_of(item.data)
        path = item.path
        if owner_of(path) is None:
            memory = read_memory(path, BlobId(new), item.data)
            # What was renamed here has the id that it had by its path.
            is_named = memory.has_own_id or snapshot.blob(path) is None
            holder = self.ids.get(id_key(memory.id)) if is_named else None
            if holder is not None and holder != path:
                is_known = path in self.bases or (holder in self.bases and holder.startswith(item.top))
                is_moved = is_known and all(each.path != holder for each in items)
                if not is_moved and snapshot.blob(holder) != new:
                    return "occupied", None, f"its id {memory.id} is that of {holder}"
                path = holder
            self.ids[id_key(memory.id)] = path
        now, base = snapshot.blob(path), self.bases.get(path) or self.bases.get(item.path)
        if now == new:
            return "same", None, None
        if now is None:
            if base is not None:
                return "gone", None, "was imported before and taken out of the store since"
            return "new", FileWrite(path, None, item.data), None
        if base is None:
            return "occupied", None, f"{path} holds another text that was not imported"
        if base == new:
            return "kept", None, None
        if base == now:
            return "changed", FileWrite(path, now, item.data), None
        return "conflict", None, f"{path} was changed here and in the source; the text here stays"


def _holder(bodies: Bodies, item: Item) -> str | None:
    if owner_of(item.path) is not None:
        return None
    return bodies.holder_of(read_memory(item.path, BlobId(""), item.data))
