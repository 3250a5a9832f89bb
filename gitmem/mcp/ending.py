"""The tool that ends a session: its notes are settled, and leave the working branch or stay for a while."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from gitmem.errors import NotFound
from gitmem.mcp.answers import EndedAnswer, SettledAnswer
from gitmem.mcp.bounds import line, names
from gitmem.mcp.calls import Call
from gitmem.mcp.reading import MemoryId
from gitmem.mcp.writing import Why

if TYPE_CHECKING:
    from gitmem.flows.working.settling import Arrived

UNNAMED = "unnamed"
MOST_NAMED = 100
FateName = Literal["keep", "promote", "archive", "summary"]
LastingType = Literal["episodic", "semantic", "procedural", "reflective"]


def session_end(
    call: Call,
    then: Annotated[
        FateName | None,
        Field(
            description="What becomes of all notes. keep: they stay until their time is over. promote:"
            " they move to main. archive: they move to the archive. summary: they move there, and one"
            " episode on main says what they said. Left out: the rules of the store decide for each."
        ),
    ] = None,
    promote: Annotated[
        Sequence[MemoryId],
        Field(max_length=100, description="Notes that move to main, whatever is said of the others."),
    ] = (),
    becomes: Annotated[LastingType | None, Field(description="The type that promoted notes get.")] = None,
    reason: Why = None,
) -> EndedAnswer:
    """End this session: settle its notes, the memories of type working. It takes no more notes after that.

    Call it once, when the work is done, after what matters was remembered. No note is deleted.
    """
    name = call.session or UNNAMED
    try:
        ended = call.store.end_session(
            name, then=then, promote=promote, becomes=becomes, origin=call.origin(reason=reason)
        )
    except NotFound as error:
        if error.name != name or promote:
            raise
        return EndedAnswer(
            session=name, notes=["nothing was noted in this session, so nothing is to be settled"]
        )
    return EndedAnswer(
        session=ended.session,
        ended=ended.ended,
        was_ended=ended.was_ended,
        promoted=_settled(ended.promoted),
        summaries=_settled(ended.summaries),
        archived=_settled(ended.archived),
        kept=names(ended.kept)[:MOST_NAMED],
        operation=ended.operation_id,
        notes=call.told(*ended.notices, *_cut(len(ended.promoted), len(ended.archived), len(ended.kept))),
    )


def _settled(arrived: Sequence[Arrived]) -> list[SettledAnswer]:
    return [
        SettledAnswer(id=each.id, type=str(each.type), title=line(each.title, 200) or "")
        for each in arrived[:MOST_NAMED]
    ]


def _cut(*counts: int) -> list[str]:
    """What is to be said where more notes were settled than an answer names."""
    if max(counts) <= MOST_NAMED:
        return []
    return [f"{sum(counts)} notes were settled; of each kind the first {MOST_NAMED} are named"]
