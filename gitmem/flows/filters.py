"""A filter as a person or program spells it, checked and made into a `Where`."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import BadInput
from gitmem.flows.checking import check_date, parse_type
from gitmem.model.memory import Status
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
    fields: Sequence[tuple[str, str]] = (),
) -> Where:
    """The filter that these texts describe. Raises `BadInput` naming the option."""
    check_date("since", since)
    check_date("until", until)
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
        fields=tuple(fields),
    )
