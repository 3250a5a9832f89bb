"""A batch: JSON lines, each an object whose keys are the names of the options of `remember`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gitmem.errors import BadInput
from gitmem.flows.work import Progress
from gitmem.flows.writing.drafting import Request, checked
from gitmem.model.change import Origin
from gitmem.model.strict_json import parse_json

BATCH_KEYS = frozenset(
    "text title type in namespace tags entities fields importance confidence id path created valid_from"
    " valid_until supersedes anchors subject source session agent reason".split()
)
IN_FULL = {"tag": "tags", "entity": "entities", "field": "fields", "anchor": "anchors"}
"""Options that may be repeated, and what they are called in a line, which names each key once."""


def requests_from_jsonl(text: str, *, name: str, defaults: Origin, progress: Progress) -> list[Request]:
    """The memories that the lines of `text` ask for; blank lines are passed over.

    Raises `BadInput` naming `name` and the line of the first that cannot be used.
    """
    # Not `splitlines`: a text may hold characters that it takes for line ends.
    lines = text.removeprefix("\ufeff").split("\n")
    requests = []
    for number, line in enumerate(lines, 1):
        if number % 500 == 0:
            progress("reading", number, len(lines) + 1)
        if line.strip():
            requests.append(_request(line, where=f"{name}:{number}", defaults=defaults))
    if not requests:
        raise BadInput(f"--batch: {name} holds no memories", field="batch")
    return requests


def _request(line: str, *, where: str, defaults: Origin) -> Request:
    try:
        value = parse_json(line)
    except ValueError as error:
        raise BadInput(f"{where}: not JSON: {error}", field="batch") from error
    if not isinstance(value, dict):
        raise BadInput(f"{where}: not a JSON object", field="batch")
    unknown = sorted(set(value) - BATCH_KEYS)
    if unknown:
        name = unknown[0]
        hint = f"here it is {IN_FULL[name]!r}" if name in IN_FULL else 'own fields go under "fields"'
        raise BadInput(f"{where}: unknown key {name!r}", field=name, hint=hint)
    try:
        return checked(_Line(value).request(defaults))
    except BadInput as error:
        raise BadInput(f"{where}: {error.message}", field=error.field, hint=error.hint) from error


class _Line:
    """One object of a batch; null is the same as leaving a key out."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self._values = {key: item for key, item in value.items() if item is not None}

    def request(self, defaults: Origin) -> Request:
        fields = self._values.get("fields", {})
        if not isinstance(fields, dict):
            raise BadInput("fields must be an object", field="fields")
        return Request(
            text=self._text("text") or "",
            title=self._text("title"),
            type=self._text("type"),
            namespace=self._text("in") or self._text("namespace"),
            tags=self._texts("tags"),
            entities=self._texts("entities"),
            fields=fields,
            importance=self._number("importance"),
            confidence=self._number("confidence"),
            id=self._text("id"),
            path=self._text("path"),
            created=self._text("created"),
            valid_from=self._text("valid_from"),
            valid_until=self._text("valid_until"),
            supersedes=self._texts("supersedes"),
            anchors=self._texts("anchors"),
            subject=self._text("subject"),
            origin=self._origin(defaults),
        )

    def _origin(self, defaults: Origin) -> Origin:
        return Origin(
            agent=self._text("agent") or defaults.agent,
            session=self._text("session") or defaults.session,
            source=self._text("source") or defaults.source,
            reason=self._text("reason") or defaults.reason,
        )

    def _text(self, key: str) -> str | None:
        item = self._values.get(key)
        if item is not None and not isinstance(item, str):
            raise BadInput(f"{key} must be text, not {item!r}", field=key)
        return item

    def _texts(self, key: str) -> list[str]:
        item = self._values.get(key, [])
        items = [item] if isinstance(item, str) else item
        if not isinstance(items, list) or not all(isinstance(part, str) for part in items):
            raise BadInput(f"{key} must be a list of texts", field=key)
        return items

    def _number(self, key: str) -> float | None:
        item = self._values.get(key)
        if item is not None and (isinstance(item, bool) or not isinstance(item, int | float)):
            raise BadInput(f"{key} must be a number, not {item!r}", field=key)
        return item
