"""The values of a merged header, with `status` and `disputed` as what is left open demands.

    status: disputed
    disputed:
      - {field: title, values: {"3f9a1c7204": Office in Lyon, "8b1c22d0aa": Office in Paris}}
      - {field: status, value: superseded}

An entry with `values` is a field of which several versions are kept, by the names of the versions; null is a
field that is not there. An entry with `value` is what `status` was, and will be again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from msgspec import Struct

from gitmem.model.memory import Json, Status
from gitmem.model.merge.dispute import Option, merged_options
from gitmem.model.merge.fields import ABSENT, Absent, Fields, Ruling, Value, decision_of, get, ruled
from gitmem.model.merge.outcome import Case, Decision

DISPUTED = "disputed"
STATUS = "status"


class ForeignField(Exception):
    """A field `disputed` that gitmem did not write."""


class HeaderSide(Struct, frozen=True):
    """The header of one side: its fields, the name of its version, and whether its text holds disputes."""

    fields: Fields
    name: str = ""
    has_disputed_text: bool = False


class MergedValues(Struct, frozen=True):
    """The fields of the merged header, in no order, and what was decided."""

    fields: dict[str, Json]
    decisions: tuple[Decision, ...]
    is_disputed: bool


def disputed_fields(fields: Fields) -> dict[str, tuple[Option, ...]]:
    """The versions kept of each disputed field, values as JSON. Raises `ForeignField`."""
    found: dict[str, tuple[Option, ...]] = {}
    for entry in _entries(fields):
        values = entry.get("values")
        if isinstance(values, dict):
            by_value: dict[str, list[str]] = {}
            for name, value in values.items():
                by_value.setdefault(json.dumps(value), []).append(name)
            found[str(entry["field"])] = tuple(
                Option(tuple(sorted(names)), (value,)) for value, names in by_value.items()
            )
    return found


def former_status(fields: Fields) -> Value:
    """What `status` was before the memory was disputed. Raises `ForeignField`."""
    for entry in _entries(fields):
        if entry["field"] == STATUS and "value" in entry:
            return entry["value"]
    return ABSENT


def _entries(fields: Fields) -> Sequence[Mapping[str, Json]]:
    value = fields.get(DISPUTED)
    if value is None:
        return ()
    entries = [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
    is_ours = isinstance(value, list) and len(entries) == len(value)
    if not is_ours or not all(
        isinstance(entry.get("field"), str) and (isinstance(entry.get("values"), dict) or "value" in entry)
        for entry in entries
    ):
        raise ForeignField
    return entries


def merged_values(
    base: HeaderSide | None,
    first: HeaderSide,
    second: HeaderSide,
    *,
    preferred: tuple[int, Case] | None,
    has_disputed_text: bool,
) -> MergedValues:
    """The fields that both sides come to. Raises `ForeignField`."""
    merge = _Values(base, first, second, preferred)
    sides = (base.fields if base else {}, first.fields, second.fields)
    for key in dict.fromkeys([*first.fields, *second.fields, *merge.disputed_keys()]):
        if key not in (STATUS, DISPUTED):
            merge.take(key, sides[0] if base else None, sides[1], sides[2])
    statuses = [_only_status(side) for side in (base, first, second)]
    merge.take(STATUS, statuses[0] if base else None, statuses[1], statuses[2])
    return merge.result(has_disputed_text=has_disputed_text)


def _only_status(side: HeaderSide | None) -> Fields:
    """The status that a side would have without its disputes."""
    if side is None:
        return {}
    value = get(side.fields, STATUS)
    if value == Status.DISPUTED and (side.has_disputed_text or _entries(side.fields)):
        value = former_status(side.fields)
    return {} if isinstance(value, Absent) else {STATUS: value}


class _Values:
    """The merged fields as they grow."""

    def __init__(
        self,
        base: HeaderSide | None,
        first: HeaderSide,
        second: HeaderSide,
        preferred: tuple[int, Case] | None,
    ) -> None:
        self._disputes = [disputed_fields(side.fields) if side else {} for side in (base, first, second)]
        self._names = ("", first.name, second.name)
        self._preferred = preferred
        self._fields: dict[str, Json] = {}
        self._open: dict[str, tuple[Option, ...]] = {}
        self._decisions: list[Decision] = []

    def disputed_keys(self) -> list[str]:
        return [key for disputes in self._disputes for key in disputes]

    def take(self, key: str, base: Fields | None, first: Fields, second: Fields) -> None:
        """One field of the merged header."""
        if any(key in disputes for disputes in self._disputes):
            sides = (base or {}, first, second)
            options = merged_options(*(self._options(key, n, sides[n]) for n in range(3)))
            self._settle(key, options)
            return
        ruling = ruled(key, base, first, second, preferred=self._preferred)
        decision = decision_of(key, ruling)
        self._decisions += [decision] if decision else []
        if ruling.case is Case.DISPUTED:
            self._keep(key, merged_options((), self._options(key, 1, first), self._options(key, 2, second)))
        elif not isinstance(ruling.value, Absent):
            self._fields[key] = ruling.value

    def _options(self, key: str, number: int, fields: Fields) -> tuple[Option, ...]:
        known = self._disputes[number].get(key)
        value = get(fields, key)
        plain = json.dumps(None if isinstance(value, Absent) else value)
        return known or (Option((self._names[number],), (plain,)),)

    def _settle(self, key: str, options: tuple[Option, ...]) -> None:
        if len(options) > 1:
            self._keep(key, options)
            return
        value: Json = json.loads(options[0].text)
        if value is not None:
            self._fields[key] = value
        self._decisions.append(Decision(key, Case.SETTLED, "the dispute is settled"))

    def _keep(self, key: str, options: tuple[Option, ...]) -> None:
        self._open[key] = options
        values = [json.loads(option.text) for option in options]
        standing = next((value for value in values if value is not None), None)
        if standing is not None:
            self._fields[key] = standing

    def result(self, *, has_disputed_text: bool) -> MergedValues:
        fields = dict(self._fields)
        is_disputed = has_disputed_text or bool(self._open)
        if is_disputed:
            entries: list[Json] = [
                {"field": key, "values": _by_name(options)} for key, options in self._open.items()
            ]
            status = fields.get(STATUS)
            if status is not None and status != Status.DISPUTED and STATUS not in self._open:
                entries.append({"field": STATUS, "value": status})
            fields[STATUS] = str(Status.DISPUTED)
            if entries:
                fields[DISPUTED] = entries
        return MergedValues(fields, tuple(self._decisions), is_disputed)


def _by_name(options: Sequence[Option]) -> dict[str, Json]:
    named: dict[str, Json] = {name: json.loads(option.text) for option in options for name in option.names}
    return {name: named[name] for name in sorted(named)}


__all__ = ["ForeignField", "HeaderSide", "MergedValues", "Ruling", "disputed_fields", "merged_values"]
