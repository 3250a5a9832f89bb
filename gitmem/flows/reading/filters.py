"""A filter as a person or program spells it, checked and made into a `Where`."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import BadInput
from gitmem.flows.writing.given import parse_type, refuse_lone_texts
from gitmem.index.moments import span_of
from gitmem.model.memory import Status
from gitmem.recall.when import is_time
from gitmem.recall.where import Where


def make_where(
    *,
    type: str | None = None,
    namespace: str | None = None,
    tags: Sequence[str] = (),
    entities: Sequence[str] = (),
    agent: str | None = None,
    session: str | None = None,
    status: str | None = None,
    since: str | None = None,
    until: str | None = None,
    before: str | None = None,
    after: str | None = None,
    fields: Sequence[tuple[str, str]] = (),
    valid_at: str | None = None,
) -> Where:
    """The filter that these texts describe. Raises `BadInput` naming the option."""
    refuse_lone_texts(tags=tags, entities=entities)
    for name, words in {"since": since, "until": until, "before": before, "after": after}.items():
        if words is not None and not is_time(words):
            raise BadInput(
                f"--{name}: {words!r} is not a date",
                field=name,
                hint="write 2026-11-29, 'last wednesday', '3 days ago', 'March 2025' or the like",
            )
    if valid_at is not None and span_of(valid_at) is None:
        raise BadInput(
            f"--valid-at: {valid_at!r} is not a date",
            field="valid_at",
            hint="write 2026, 2026-11, 2026-11-29 or 2026-11-29T15:30:00Z",
        )
    if status is not None and status not in list(Status):
        raise BadInput(f"--status: {status!r} is none of {', '.join(Status)}", field="status")
    return Where(
        type=parse_type(type) if type is not None else None,
        namespace=namespace.strip("/") if namespace else None,
        tags=tuple(tags),
        entities=tuple(entities),
        agent=agent,
        session=session,
        status=status,
        since=since,
        until=until,
        before=before,
        after=after,
        fields=tuple(fields),
        valid_at=valid_at,
    )
