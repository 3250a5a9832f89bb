"""One line of a batch: a JSON object whose keys are the names of the options."""

from __future__ import annotations

from gitmem.errors import BadInput
from gitmem.flows.drafting import Request, checked
from gitmem.model.change import Origin

BATCH_KEYS = frozenset(
    "text title type in namespace tags entities fields importance confidence id path created valid_from"
    " valid_until supersedes subject source session agent reason".split()
)


def request_from_json(value: object, *, where: str, defaults: Origin) -> Request:
    """One line of a batch as a request. Raises `BadInput` beginning with `where`."""
    if not isinstance(value, dict):
        raise BadInput(f"{where}: not a JSON object", field="batch")
    unknown = sorted(set(value) - BATCH_KEYS)
    if unknown:
        raise BadInput(
            f"{where}: unknown key {unknown[0]!r}", field=unknown[0], hint='own fields go under "fields"'
        )
    values = {key: item for key, item in value.items() if item is not None}

    def text(key: str) -> str | None:
        item = values.get(key)
        if item is not None and not isinstance(item, str):
            raise BadInput(f"{where}: {key} must be text, not {item!r}", field=key)
        return item

    def texts(key: str) -> list[str]:
        item = values.get(key, [])
        items = [item] if isinstance(item, str) else item
        if not isinstance(items, list) or not all(isinstance(part, str) for part in items):
            raise BadInput(f"{where}: {key} must be a list of texts", field=key)
        return items

    def number(key: str) -> float | None:
        item = values.get(key)
        if item is not None and (isinstance(item, bool) or not isinstance(item, int | float)):
            raise BadInput(f"{where}: {key} must be a number, not {item!r}", field=key)
        return item

    fields = values.get("fields", {})
    if not isinstance(fields, dict):
        raise BadInput(f"{where}: fields must be an object", field="fields")
    request = Request(
        text=text("text") or "",
        title=text("title"),
        type=text("type"),
        namespace=text("in") or text("namespace"),
        tags=texts("tags"),
        entities=texts("entities"),
        fields=fields,
        importance=number("importance"),
        confidence=number("confidence"),
        id=text("id"),
        path=text("path"),
        created=text("created"),
        valid_from=text("valid_from"),
        valid_until=text("valid_until"),
        supersedes=texts("supersedes"),
        subject=text("subject"),
        origin=Origin(
            agent=text("agent") or defaults.agent,
            session=text("session") or defaults.session,
            source=text("source") or defaults.source,
            reason=text("reason") or defaults.reason,
        ),
    )
    try:
        return checked(request)
    except BadInput as error:
        raise BadInput(f"{where}: {error.message}", field=error.field, hint=error.hint) from error
