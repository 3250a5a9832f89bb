"""entities suggest: proposals to make one of two entities that may be the same; a person decides."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.errors import BadInput, Conflict, Damaged
from gitmem.evolve.entities import Known, Merge, merges
from gitmem.evolve.relations import Standing
from gitmem.flows.propose import Content, Proposed, propose
from gitmem.flows.reading.locked import refuse_locked
from gitmem.flows.relations.entities import known_entities
from gitmem.flows.relations.looking import Relations, ask
from gitmem.flows.review import proposals
from gitmem.flows.work import Work
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.document import decode, encode, parse_document
from gitmem.model.header_edit import REMOVED, edit_header
from gitmem.model.memory import Memory
from gitmem.model.visible import one_line
from gitmem.model.wiki_links import aliases_in
from gitmem.versions.attachments import attachments_of
from gitmem.versions.snapshot import Snapshot

MOST_PROPOSED = 20
"""So many proposals at once are as many as a person looks through."""


class Suggested(Struct, frozen=True):
    """Two entities that may be one, and the proposal about it; None where none was made."""

    kept: Known
    other: Known
    reason: str
    proposal: Proposed | None = None
    is_known: bool = False
    """Whether a proposal about the two was made before, open or decided: then there is no other."""


class Suggestions(Struct, frozen=True):
    """What was suggested, and how many more there would be."""

    suggested: Sequence[Suggested]
    left: int
    notes: Sequence[str] = ()


class _Pair(Struct, frozen=True):
    """A merge with the paths of the memories; the other is None where it is but a name."""

    merge: Merge
    kept_path: str
    other_path: str | None

    @property
    def mark(self) -> str:
        """By which a proposal about the two is known again."""
        return f"Entities: {self.merge.kept.key} {self.merge.other.key}"


def suggest(work: Work, *, limit: int, is_dry: bool, origin: Origin) -> Suggestions:
    """Proposes each merge that was not proposed before, at most `limit`, one proposal for each.

    Where it `is_dry`, says what would be proposed and writes nothing. Raises what `propose` raises.
    """
    if not 0 <= limit <= MOST_PROPOSED:
        raise BadInput(f"--limit: {limit} is not from 0 to {MOST_PROPOSED}", field="limit")
    pairs, notes = ask(work, _pairs)
    known = "\n".join(proposal.body for proposal, _ in proposals(work, settled=True)).splitlines()
    found: list[Suggested] = []
    made = 0
    for pair in pairs:
        merge = pair.merge
        is_known = pair.mark in known
        done = None
        if not is_known and made < limit and not is_dry:
            done = _propose(work, pair, origin)
        if not is_known:
            made += 1
        if made <= limit:
            found.append(Suggested(merge.kept, merge.other, merge.reason, done, is_known))
    return Suggestions(found, max(0, made - limit), notes)


def _pairs(relations: Relations | None) -> list[_Pair]:
    found = []
    for merge in merges(known_entities(relations)) if relations is not None else ():
        assert relations is not None, "there is something to merge"
        kept, other = relations.node(merge.kept.key), relations.node(merge.other.key)
        assert isinstance(kept, Standing), "a memory is kept"
        found.append(
            _Pair(merge, kept.record.path, other.record.path if isinstance(other, Standing) else None)
        )
    return found


def _propose(work: Work, pair: _Pair, origin: Origin) -> Proposed:
    merge = pair.merge
    if _is_encrypted(work, pair):
        # Title and body are read by those too who have no key.
        title, body = "Merge two entities", pair.mark
    else:
        title = f"Merge {one_line(merge.other.title)} into {one_line(merge.kept.title)}"
        body = f"{one_line(merge.reason)}.\n\n{pair.mark}"
    content = Content(planned=lambda snapshot: _plan(snapshot, pair, title, origin))
    return propose(work, content, title=title, body=body, origin=origin)


def _is_encrypted(work: Work, pair: _Pair) -> bool:
    snapshot, policy = work.snapshot(), work.place.config.policy
    for path in filter(None, (pair.kept_path, pair.other_path)):
        memory = snapshot.memory(path)
        partition = None if memory is None else policy.partition_of(path, memory.type)
        if partition is not None and partition.encryption:
            return True
    return False


def _plan(snapshot: Snapshot, pair: _Pair, title: str, origin: Origin) -> Plan:
    """The kept memory with all names and texts; the other is taken off, and archived on acceptance."""
    kept = _memory(snapshot, pair.kept_path)
    other = None if pair.other_path is None else _memory(snapshot, pair.other_path)
    names = pair.merge.other.names if other is None else (other.title, *aliases_in(other.fields))
    text = _merged(snapshot, kept, other, names)
    writes = [FileWrite(kept.path, kept.blob, encode(text))]
    if other is not None:
        gone = [other.path, *(path for path, _ in attachments_of(snapshot, other.path))]
        writes += [FileWrite(path, snapshot.blob(path), None) for path in gone]
    ids = [kept.id, *([] if other is None else [other.id])]
    return Plan("edit", title, writes, ids, origin)


def _memory(snapshot: Snapshot, path: str) -> Memory:
    memory = snapshot.memory(path)
    if memory is None:
        raise Conflict(f"{path} is no longer there", hint="run the command again")
    if memory.is_unreadable:
        raise Damaged(f"{path} cannot be read")
    refuse_locked(memory)
    return memory


def _merged(snapshot: Snapshot, kept: Memory, other: Memory | None, names: Sequence[str]) -> str:
    """The text of the kept memory with the names of the other, and below its own text that of the other."""
    text, _ = decode(snapshot.data(kept.path))
    own = aliases_in(kept.fields)
    known = {name.casefold() for name in (kept.title, *own)}
    new = [name for name in names if name.casefold() not in known]
    fields: dict[str, object] = {"aliases": [*own, *new]}
    if "alias" in kept.fields:
        fields["alias"] = REMOVED
    if other is not None:
        fields["supersedes"] = list(dict.fromkeys((*kept.supersedes, str(other.id))))
    text = edit_header(text, fields)
    added = "" if other is None else other.body.strip()
    if not added or added in kept.body:
        return text
    newline = parse_document(text).newline
    return text.rstrip() + 2 * newline + added.replace("\r\n", "\n").replace("\n", newline) + newline
