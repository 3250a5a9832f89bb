"""Why memories that would go have to stay: others depend on them, or something is in the way elsewhere.

A memory depends on
    what it is `related` to
    what it names as `[[id]]` or `[[title]]` in its text
    the file of a memory that it has as an anchor
    what supersedes it: without that it would count again
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from gitmem.errors import Damaged, NotFound
from gitmem.flows.reading.indexed import index_view
from gitmem.flows.tending.census import Census
from gitmem.flows.work import Work
from gitmem.lifecycle.life import Life
from gitmem.model.anchors import FIELDS, readable_anchors
from gitmem.model.ids import BlobId, id_key
from gitmem.model.memory import Memory
from gitmem.model.proposal import ProposalState
from gitmem.model.proposal_change import ChangeKind
from gitmem.model.reading import MAX_MEMORY_BYTES
from gitmem.model.summary import SUMMARISES, is_summary, related_beside
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.index.record import Record

LookOnArchive = Callable[[Work, Snapshot, Sequence[Life]], "Iterable[Record]"]
"""Finds the memories of the archive that have the id of one of those that would go, perhaps with others."""
_LINK = re.compile(r"\[\[\s*([^\[\]|#\n]{1,200}?)\s*[\]|#]")


class Sought(Struct, frozen=True):
    """The memories that would go, by all that others may call them."""

    keys: frozenset[str]
    names: dict[str, frozenset[str]]
    """Titles and file names without `.md`, in lower case: the keys of those called so."""
    paths: dict[str, str]

    @classmethod
    def of(cls, lives: Sequence[Life]) -> Sought:
        names: dict[str, set[str]] = {}
        for life in lives:
            stem = life.path.rpartition("/")[2].removesuffix(".md")
            for name in (life.title, stem):
                names.setdefault(" ".join(name.casefold().split()), set()).add(life.key)
        return cls(
            frozenset(life.key for life in lives),
            {name: frozenset(keys) for name, keys in names.items()},
            {life.path: life.key for life in lives},
        )

    def linked(self, text: str) -> Iterator[str]:
        """The keys of those that `text` names in double brackets."""
        for name in set(_LINK.findall(text)):
            if id_key(name) in self.keys:
                yield id_key(name)
            else:
                yield from self.names.get(" ".join(name.casefold().split()), ())

    def anchored(self, memory: Record | Memory) -> Iterator[str]:
        """The keys of those whose file it has as an anchor."""
        if any(name in memory.fields for name in FIELDS):
            for anchor in readable_anchors(memory.fields).values():
                if anchor.path in self.paths:
                    yield self.paths[anchor.path]

    def needed_by(self, memory: Memory) -> set[str]:
        """The keys of those that `memory` depends on, but for what supersedes it."""
        related = {
            id_key(relation.to) for relation in memory.related if relation.relation.casefold() != SUMMARISES
        } & self.keys
        found = related | set(self.linked(memory.body)) | set(self.anchored(memory))
        return found - {id_key(memory.id)}


class Holders:
    """Collects, by key of a memory that would go, who holds it and how."""

    def __init__(self, lives: Sequence[Life]) -> None:
        self._sought = Sought.of(lives)
        self.found: dict[str, dict[str, str]] = {}

    def add(self, key: str, holder: str, how: str) -> None:
        if key != holder:
            self.found.setdefault(key, {}).setdefault(holder, how)

    def add_memories(self, census: Census) -> None:
        """Those that memories of the census depend on."""
        sought, ids = self._sought, {record.path: record.id for record in census.records}
        standing = {id_key(record.id) for record in census.records}
        for record in census.records:
            own = id_key(record.id)
            for to in _related(record):
                if id_key(to) in sought.keys:
                    self.add(id_key(to), own, f"{record.id} is related to it")
            for key in sought.anchored(record):
                self.add(key, own, f"{record.id} has it as an anchor")
            for old in record.supersedes if own in sought.keys else ():
                if id_key(old) in standing:
                    self.add(own, id_key(old), f"it supersedes {old}, which would count again")
        for path, text in _linking(census):
            name = ids.get(path, path)
            for key in sought.linked(text):
                self.add(key, id_key(name), f"{name} links to it")

    def add_proposals(self, work: Work, proposed: Collection[str]) -> None:
        """Those that a person decided not to archive; of `proposed` also what a proposal archives already."""
        from gitmem.versions.proposal_changes import changes_of
        from gitmem.versions.proposals import proposals_of

        for proposal in proposals_of(work.place):
            if proposal.state is ProposalState.ACCEPTED:
                continue
            for change in changes_of(work.place, proposal).memories:
                if change.kind is not ChangeKind.ARCHIVED or change.old is None:
                    continue
                if proposal.is_open and id_key(change.id) in proposed:
                    how = f"{proposal.branch} archives it already, and waits for a person"
                elif not proposal.is_open and _stands(work, change.old):
                    how = f"a person decided against {proposal.branch}, and it has not changed since"
                else:
                    continue
                self.add(id_key(change.id), proposal.branch, how)

    def add_archive(self, work: Work, lives: Sequence[Life], look: LookOnArchive) -> None:
        """Those whose path or id another text has on the archive, where `look` finds what may have it."""
        archive = work.place.config.branches["archive"]
        if work.place.tip(archive) is None:
            return
        there = work.on(archive)
        snapshot = there.snapshot()
        standing = dict(snapshot.files())
        found: dict[str, set[tuple[str, BlobId]]] = {}
        for record in look(there, snapshot, lives):
            found.setdefault(id_key(record.id), set()).add((record.path, record.blob))
        for life in lives:
            blobs = set(found.get(life.key, ()))
            if life.path in standing:
                blobs.add((life.path, standing[life.path]))
            if blobs - {(life.path, life.blob)}:
                self.add(life.key, f"{archive}:", f"another text has its id or path on {archive}")


def by_index(there: Work, snapshot: Snapshot, lives: Sequence[Life]) -> list[Record]:
    """The memories of the archive that have the id of one of `lives`, by its index."""
    with index_view(there, snapshot) as view:
        return [] if view is None else [record for life in lives for record in view.by_id(life.id)]


def _related(record: Record) -> Sequence[str]:
    """What it is related to. A summary does not need what it is a summary of."""
    return related_beside(record.fields) if is_summary(record.fields) else record.related


def _linking(census: Census) -> Iterator[tuple[str, str]]:
    """Path and text of the memory files that hold a link, one at a time."""
    repository = census.work.place.repository
    for path, blob in census.work.place.snapshot(census.commit).files():
        try:
            data = repository.read_start(blob, MAX_MEMORY_BYTES)
        except (Damaged, NotFound):
            # The notes of the census name what cannot be read.
            continue
        if b"[[" in data:
            yield path, data.decode("utf-8", "replace")


def _stands(work: Work, old: Memory) -> bool:
    return work.place.snapshot_of(work.place.main).blob(old.path) == old.blob
