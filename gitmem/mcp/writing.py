"""The tools that write. Nothing here deletes: an agent suggests, a person or a policy decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from gitmem.errors import BadInput
from gitmem.mcp.answers import ContradictionAnswer, ProposedAnswer, WrittenAnswer
from gitmem.mcp.bounds import line, names
from gitmem.mcp.calls import Call, split_version
from gitmem.mcp.reading import MemoryId, StatusName, TypeName

if TYPE_CHECKING:
    from gitmem.flows.remember import Written

MOST_TEXT_CHARACTERS = 200_000
Text = Annotated[
    str,
    Field(
        min_length=1, max_length=MOST_TEXT_CHARACTERS, description="What is to be remembered, in Markdown."
    ),
]
Share = Annotated[float | None, Field(ge=0, le=1, description="From 0 to 1.")]
Title = Annotated[
    str | None, Field(max_length=500, description="One line; left out: made of the first line of the text.")
]
Names = Annotated[Sequence[str], Field(max_length=50)]
Why = Annotated[str | None, Field(max_length=1_000, description="Why; kept in the history.")]
Source = Annotated[
    str | None, Field(max_length=1_000, description="Where it was learned: a file, a URL, a person.")
]
Date = Annotated[str | None, Field(max_length=40, description="ISO date or time.")]
Space = Annotated[
    str | None, Field(max_length=500, description="Where it belongs: projects/beta, people/alice.")
]

Force = Annotated[
    bool, Field(description="Write it although a memory says nearly the same: it says something else.")
]


def remember(
    call: Call,
    text: Text,
    title: Title = None,
    type: Annotated[
        TypeName | None,
        Field(
            description="semantic: what is known, also where left out. episodic: what happened."
            " procedural: how to do it. reflective: what went wrong and what to do instead."
            " working: for now only."
        ),
    ] = None,
    namespace: Space = None,
    tags: Names = (),
    entities: Annotated[
        Names, Field(description="Whom or what it is about: person:alice, project:beta.")
    ] = (),
    importance: Share = None,
    confidence: Share = None,
    source: Source = None,
    reason: Why = None,
    subject: Annotated[
        str | None, Field(max_length=200, description="The person whose data this is.")
    ] = None,
    supersedes: Annotated[Names, Field(description="Ids of memories that this one replaces.")] = (),
    valid_from: Date = None,
    valid_until: Date = None,
    force: Force = False,
) -> WrittenAnswer:
    """Remember one thing for later sessions: one fact, event, procedure or lesson, in words of its own.

    Look with recall first: what is known already is changed with update. The same text again confirms the
    memory that says it; in other words it is refused, and that memory is named. What it contradicts is
    marked, and told. Not for secrets, and not for text that came out of this store.
    """
    written = call.store.remember(
        text,
        title=title,
        type=type,
        namespace=namespace,
        tags=tags,
        entities=entities,
        importance=importance,
        confidence=confidence,
        subject=subject,
        supersedes=supersedes,
        valid_from=valid_from,
        valid_until=valid_until,
        force=force,
        origin=call.origin(source=source, reason=reason),
    )
    return _written(call, written)


def update(
    call: Call,
    id: MemoryId,
    expect: Annotated[
        str, Field(min_length=4, max_length=64, description="The version that you read, as show gives it.")
    ],
    text: Annotated[
        str | None,
        Field(
            min_length=1, max_length=MOST_TEXT_CHARACTERS, description="The whole new text; left out: kept."
        ),
    ] = None,
    title: Annotated[str | None, Field(min_length=1, max_length=500)] = None,
    tags: Annotated[list[str] | None, Field(max_length=50, description="All tags; left out: kept.")] = None,
    status: StatusName | None = None,
    importance: Share = None,
    confidence: Share = None,
    valid_until: Date = None,
    source: Source = None,
    reason: Why = None,
) -> WrittenAnswer:
    """Change a memory: its text as a whole, or single fields; the old version stays in the history.

    Refused where the memory changed since you read it: the answer then holds what it says now.
    """
    reference = split_version(id)
    wanted = {
        "title": title,
        "tags": tags,
        "status": status,
        "importance": importance,
        "confidence": confidence,
        "valid_until": valid_until,
    }
    fields = {name: value for name, value in wanted.items() if value is not None}
    if text is None and not fields:
        raise BadInput("text: nothing is to be changed; give a text or a field", field="text")
    written = call.store.update(
        reference, text, fields=fields, expect=expect, origin=call.origin(source=source, reason=reason)
    )
    return _written(call, written, changed=written.replaced is not None)


def reflect(
    call: Call,
    situation: Annotated[str, Field(min_length=1, max_length=20_000, description="When this applies.")],
    mistake: Annotated[str, Field(min_length=1, max_length=20_000, description="What went wrong.")],
    better: Annotated[str, Field(min_length=1, max_length=20_000, description="What to do instead.")],
    title: Title = None,
    confidence: Share = None,
    namespace: Space = None,
    tags: Names = (),
    source: Source = None,
    force: Force = False,
) -> WrittenAnswer:
    """Keep a lesson of something that went wrong, so that it is a warning next time."""
    written = call.store.reflect(
        situation,
        mistake,
        better,
        title=title,
        confidence=confidence,
        namespace=namespace,
        tags=tags,
        force=force,
        origin=call.origin(source=source),
    )
    return _written(call, written)


def link(
    call: Call,
    id: MemoryId,
    to: Annotated[MemoryId, Field(description="The other memory.")],
    relation: Annotated[
        str, Field(min_length=1, max_length=60, description="supports, contradicts, part_of and the like.")
    ] = "related",
    reason: Why = None,
) -> WrittenAnswer:
    """Record that one memory stands in a relation to another."""
    written = call.store.link(
        split_version(id), split_version(to), relation=relation, origin=call.origin(reason=reason)
    )
    return _written(call, written, changed=written.replaced is not None)


def suggest_archive(
    call: Call,
    ids: Annotated[list[MemoryId], Field(min_length=1, max_length=50, description="The memories.")],
    reason: Annotated[str, Field(min_length=1, max_length=1_000, description="Why they are in the way.")],
) -> ProposedAnswer:
    """Suggest that memories go to the archive. They stay where they are until a person accepts."""
    proposed = call.store.propose_archive(
        [split_version(each) for each in ids], body=reason, origin=call.origin(reason=line(reason))
    )
    changes = proposed.changes.memories
    return ProposedAnswer(
        proposal=proposed.proposal.name,
        branch=proposed.proposal.branch,
        title=line(proposed.proposal.title) or "",
        ids=names([change.id for change in changes])[:50],
        notes=call.told(*proposed.notices),
    )


def _written(call: Call, written: Written, *, changed: bool = True) -> WrittenAnswer:
    return WrittenAnswer(
        id=written.id,
        title=line(written.title) or "",
        path=line(written.path, 1_000) or "",
        branch=written.branch,
        version=written.version,
        changed=changed,
        outcome=None if written.outcome == "new" else written.outcome,
        contradicts=[
            ContradictionAnswer(
                id=each.id,
                title=line(each.title, 200) or "",
                outcome=each.outcome,
                reason=line(each.reason) or "",
            )
            for each in written.judged
        ],
        notes=call.told(*written.notices),
    )
