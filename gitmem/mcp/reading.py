"""The tools that read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from gitmem.mcp.answers import (
    ContextAnswer,
    EntryAnswer,
    HitAnswer,
    LogAnswer,
    RecallAnswer,
    RelationAnswer,
    ShownAnswer,
    SourceAnswer,
)
from gitmem.mcp.bounds import (
    MOST_CONTENT_BYTES,
    MOST_NAMES,
    fitting,
    line,
    names,
    page_end,
    sendable,
    size_bytes,
)
from gitmem.mcp.calls import Call

if TYPE_CHECKING:
    from gitmem.flows.log import LogEntry
    from gitmem.flows.reading.recollection import Recalled
    from gitmem.flows.show import Shown
    from gitmem.index.record import Record
    from gitmem.model.memory import Memory

HITS_BYTES = MOST_CONTENT_BYTES - 8_000
MOST_FIELDS_BYTES = 4_000
MOST_OFFSET = 100_000
MOST_CONTEXT_TOKENS = 3_000
CONTEXT_LISTS_BYTES = 14_000
"""What stands beside the text of a context."""
TypeName = Literal["working", "episodic", "semantic", "procedural", "reflective"]
StatusName = Literal["active", "superseded", "disputed", "expired"]
MemoryId = Annotated[
    str, Field(min_length=1, max_length=500, description="An id, a unique beginning of one, or a path.")
]
Offset = Annotated[
    int, Field(ge=0, le=MOST_OFFSET, description="Where to go on: next_offset of the page before.")
]
Namespace = Annotated[
    str | None, Field(max_length=500, description="Only this namespace and what is below it: projects/beta.")
]
Moment = Annotated[str | None, Field(max_length=100)]


def recall(
    call: Call,
    query: Annotated[
        str,
        Field(max_length=10_000, description="What you want to know, in plain words. Left out: the newest."),
    ] = "",
    type: Annotated[TypeName | None, Field(description="Only memories of this type.")] = None,
    namespace: Namespace = None,
    tags: Annotated[Sequence[str], Field(max_length=20, description="Only memories with all of these.")] = (),
    entities: Annotated[
        Sequence[str], Field(max_length=20, description="Only memories about all of these.")
    ] = (),
    status: Annotated[StatusName | None, Field(description="Only memories of this status.")] = None,
    since: Annotated[Moment, Field(description="Created then or later: 2026-11-29, 'last week'.")] = None,
    until: Annotated[Moment, Field(description="Created then or earlier.")] = None,
    archived: Annotated[bool, Field(description="Look into the archive too.")] = False,
    as_of: Annotated[Moment, Field(description="As the store was at a date, commit or tag.")] = None,
    limit: Annotated[int, Field(ge=1, le=60, description="How many hits at most.")] = 10,
    offset: Offset = 0,
) -> RecallAnswer:
    """Find the memories that answer a question, best first, with the part of each that answers best.

    Where none answers it well there are no hits, but the closest: look whether one of those is an answer.
    Look here before you say that you do not know, and before you remember something that may be known.
    Nothing in the query is an operator. `show` gives a memory whole; next_offset gives the next page.
    """
    store = call.store.at(as_of) if as_of else call.store
    where = store.where(
        type=type, namespace=namespace, tags=tags, entities=entities, status=status, since=since, until=until
    )
    closest: list[HitAnswer] = []
    held_back = None
    if query.strip():
        answer = store.recall(
            query, where, limit=limit, offset=offset, fits=_room, archived=archived, session=call.session
        )
        hits = [_hit(each) for each in answer.hits]
        total, notes, commit = answer.total, answer.notes, answer.commit
        closest = [_hit(each) for each in answer.held[:limit]]
        held_back = answer.held_back or None
    else:
        listing = store.list(where, limit=offset + limit)
        hits = [_listed(each, listing.labels.get(each.path, ())) for each in listing.records[offset:]]
        total, notes, commit = listing.total, listing.notes, listing.commit
    shown = fitting([hit.model_dump(exclude_defaults=True) for hit in hits], HITS_BYTES)
    end = offset + shown
    return RecallAnswer(
        total=total,
        offset=offset,
        hits=hits[:shown],
        next_offset=end if end < total and shown else None,
        commit=commit,
        held_back=held_back,
        closest=closest,
        notes=call.told(*notes),
    )


def show(
    call: Call,
    id: Annotated[
        str,
        Field(
            min_length=1,
            max_length=500,
            description="An id, a unique beginning of one, or a path; ID@v2 is version 2.",
        ),
    ],
    offset: Annotated[
        int, Field(ge=0, description="At which character to go on: next_offset of the page before.")
    ] = 0,
) -> ShownAnswer:
    """Read one memory, whole, with its version. A long text comes in pages: go on with next_offset."""
    shown = call.store.show(id)
    memory = shown.memory
    fields, left_out = _own_fields(memory)
    answer = ShownAnswer(
        id=memory.id,
        title=line(memory.title) or "",
        type=str(memory.type),
        path=line(memory.path, 1_000) or "",
        branch=shown.branch,
        namespace=line(memory.namespace) or None,
        version=shown.version,
        number=shown.number,
        changed=shown.changed,
        status=str(memory.status),
        created=line(memory.created),
        tags=names(memory.tags),
        entities=names(memory.entities),
        importance=memory.importance,
        confidence=memory.confidence,
        valid_from=line(memory.valid_from),
        valid_until=line(memory.valid_until),
        source=line(memory.source),
        agent=line(memory.agent),
        session=line(memory.session),
        related=[
            RelationAnswer(to=line(each.to, 120) or "", relation=line(each.relation, 120) or "")
            for each in memory.related[:MOST_NAMES]
        ],
        supersedes=names(memory.supersedes),
        labels=_labels(shown),
        fields=fields,
        text="",
        offset=min(offset, len(memory.body)),
        total_characters=len(memory.body),
        notes=call.told(*left_out),
    )
    return _with_page(answer, memory.body)


def context(
    call: Call,
    task: Annotated[str, Field(min_length=1, max_length=20_000, description="What is to be done, in words.")],
    max_tokens: Annotated[
        int, Field(ge=50, le=MOST_CONTEXT_TOKENS, description="How much the text may take.")
    ] = 2_000,
    namespace: Namespace = None,
) -> ContextAnswer:
    """Get what is worth knowing for a task, as one text: warnings, ways to do it, facts, what happened.

    Call it when a task begins. Each memory stands there with id and version; `show` gives it whole.
    """
    for tokens in (max_tokens, max_tokens // 2, max_tokens // 4):
        found = call.store.context(task, max_tokens=tokens, namespace=namespace, session=call.session)
        if size_bytes(found.text) <= MOST_CONTENT_BYTES - CONTEXT_LISTS_BYTES:
            break
    return ContextAnswer(
        text=found.text,
        tokens=found.tokens,
        memories=[
            SourceAnswer(
                id=each.id,
                version=each.version,
                section=each.section,
                title=line(each.title, 120) or "",
                is_whole=each.characters >= each.total_characters,
            )
            for each in found.memories[:MOST_NAMES]
        ],
        left_out=len(found.left_out),
        commit=found.commit,
        notes=call.told(*found.notes),
    )


def log(
    call: Call,
    id: Annotated[
        str | None, Field(max_length=500, description="The versions of this memory; left out: all commits.")
    ] = None,
    limit: Annotated[int, Field(ge=1, le=100, description="How many entries at most.")] = 20,
    offset: Offset = 0,
) -> LogAnswer:
    """See what happened, newest first: to one memory across renames and moves, or to the whole store."""
    found = call.store.log(id, limit=offset + limit + 1)
    entries = [_entry(each) for each in found.entries[offset : offset + limit]]
    shown = fitting([entry.model_dump(exclude_defaults=True) for entry in entries], HITS_BYTES)
    end = offset + shown
    return LogAnswer(
        id=found.id,
        branch=found.branch,
        entries=entries[:shown],
        offset=offset,
        next_offset=end if end < len(found.entries) and shown else None,
        complete=found.is_complete,
        notes=call.told(),
    )


def _hit(recalled: Recalled) -> HitAnswer:
    hit = recalled.hit
    answer = _listed(hit.record, hit.labels)
    answer.snippet = line(recalled.snippet.text)
    answer.relevance = round(hit.relevance, 3)
    answer.superseded_by = names(hit.superseded_by)[:5]
    return answer


def _room(hits: Sequence[Recalled]) -> int:
    """How many of the hits an answer holds."""
    return fitting([_hit(each).model_dump(exclude_defaults=True) for each in hits], HITS_BYTES)


def _listed(record: Record, labels: Any) -> HitAnswer:
    return HitAnswer(
        id=record.id,
        title=line(record.title, 200) or "",
        type=str(record.type),
        namespace=line(record.namespace, 200) or None,
        created=line(record.created, 60),
        status=None if record.status == "active" else str(record.status),
        labels=[line(label, 60) or "" for label in list(labels)[:6]],
    )


def _labels(shown: Shown) -> list[str]:
    labels = ["archived"] if shown.is_archived else []
    labels += [shown.edit] if shown.edit else []
    return labels + [f"stale: {line(each.reason)}" for each in shown.verdicts if each.is_stale][:5]


def _own_fields(memory: Memory) -> tuple[dict[str, Any], list[str]]:
    """The fields of a header that gitmem gives no meaning, and what is to be said where they are too many."""
    own = {key: value for key, value in memory.fields.items() if key not in ShownAnswer.model_fields}
    own = {
        key: value for key, value in own.items() if key not in ("attachments", "anchors", "anchor", "subject")
    }
    if size_bytes(own) <= MOST_FIELDS_BYTES:
        return sendable(own), []
    return {}, [f"{len(own)} further fields of the header are left out: they are too large"]


def _with_page(answer: ShownAnswer, body: str) -> ShownAnswer:
    room = MOST_CONTENT_BYTES - size_bytes(answer.model_dump(exclude_none=True)) - 200
    end = page_end(body, answer.offset, max(room, 1_000))
    answer.text = body[answer.offset : end]
    if end < len(body):
        answer.next_offset = end
        answer.notes = [
            f"characters {answer.offset:,} to {end:,} of {len(body):,}: go on with offset {end}",
            *answer.notes,
        ]
    return answer


def _entry(entry: LogEntry) -> EntryAnswer:
    return EntryAnswer(
        version=entry.commit,
        date=entry.date,
        author=line(entry.author, 120),
        subject=line(entry.subject),
        number=entry.number,
        agent=line(entry.agent, 120),
        session=line(entry.session, 120),
        source=line(entry.source),
        reason=line(entry.reason),
        path=line(entry.path),
    )
