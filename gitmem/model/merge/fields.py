"""The values of a header merged, field by field. Only a field that both sides changed needs a rule.

    one-side      the side that changed it
    united        tags, entities, related, supersedes, attachments: a set; what either added is in, what
                  either took out is out
    earlier       created
    later         any other field in which both sides have a date
    added-up      counters (`count`, `*_count`, `uses`, `successes`, `failures`, `confirmed`): both
                  differences are added, also where they are equal
    higher        importance and confidence
    earlier       agent, session and source of a memory created on both sides: those of the side created first
    more-certain  the text rule of the type goes by confidence: the field of that side
    newer         the text rule of the type goes by time: the field of that side
    disputed      all else: both values are kept in `disputed`, and the first stands in the field

`status` is `disputed` as long as anything is, and then what it would be without.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from msgspec import Struct

from gitmem.model.ids import id_key
from gitmem.model.memory import Json, as_text
from gitmem.model.merge.outcome import Case, Decision
from gitmem.model.merge.threeway import united
from gitmem.model.yaml_writing import is_date

Fields = Mapping[str, Json]

SETS = frozenset({"tags", "entities", "related", "supersedes", "attachments"})
IDS = frozenset({"supersedes"})
SHARES = frozenset({"importance", "confidence"})
PROVENANCE = frozenset({"agent", "session", "source"})
COUNTERS = frozenset({"count", "uses", "successes", "failures", "confirmed"})


class Absent:
    """Stands for the value of a field that is not there."""

    def __repr__(self) -> str:
        return "(none)"


ABSENT = Absent()
Value: TypeAlias = "Json | Absent"


class Ruling(Struct, frozen=True):
    """What becomes of one field. `value` is None with `case` DISPUTED where no rule settles it."""

    value: Value
    case: Case
    message: str


def same(one: Value, other: Value) -> bool:
    """Whether two values are one, `1` and `true` apart."""
    return one is other or (type(one) is type(other) and _plain(one) == _plain(other))


def _plain(value: Value) -> str:
    return "" if isinstance(value, Absent) else json.dumps(value, sort_keys=True)


def get(fields: Fields | None, key: str) -> Value:
    """The value of a field, or `ABSENT`."""
    return fields[key] if fields is not None and key in fields else ABSENT


def ruled(
    key: str, base: Fields | None, first: Fields, second: Fields, *, preferred: tuple[int, Case] | None
) -> Ruling:
    """What becomes of the field `key`. `preferred` is a side (0, 1) whose word counts, and why."""
    values = (get(base, key), get(first, key), get(second, key))
    older, one, other = values
    are_both_new = base is not None and not same(one, older) and not same(other, older)
    if same(one, other) and not (are_both_new and _is_counter(key)):
        return Ruling(one, Case.SAME if not same(one, older) else Case.UNCHANGED, "")
    if base is not None and not are_both_new:
        return Ruling(other if same(one, older) else one, Case.ONE_SIDE, "")
    if base is None and Absent in (type(one), type(other)):
        return Ruling(other if isinstance(one, Absent) else one, Case.ONE_SIDE, "")
    found = _by_kind(key, older, one, other, sides=(first, second), is_born=base is None)
    if found is not None:
        return found
    if same(one, other):
        return Ruling(one, Case.SAME, "")
    if preferred is not None:
        side, case = preferred
        value = (one, other)[side]
        why = "the more certain side has it so" if case is Case.MORE_CERTAIN else "the newer side has it so"
        return Ruling(value, case, f"{shown(value)}; {why}")
    return Ruling(None, Case.DISPUTED, f"{shown(one)} or {shown(other)}: both are kept")


def _by_kind(
    key: str, older: Value, one: Value, other: Value, *, sides: tuple[Fields, Fields], is_born: bool
) -> Ruling | None:
    if key in SETS:
        return _united(key, (older, one, other), is_born=is_born)
    if isinstance(one, Absent) or isinstance(other, Absent):
        return None
    numbers = [value for value in (one, other) if _is_number(value)]
    if key in SHARES and len(numbers) == 2:
        highest = max(numbers, key=lambda number: float(str(number)))
        return Ruling(highest, Case.HIGHER, f"{shown(highest)}, the higher of two")
    if _is_counter(key) and isinstance(one, int) and isinstance(other, int) and len(numbers) == 2:
        start = older if isinstance(older, int) and _is_number(older) else 0
        total = max(one, other) if is_born else one + other - start
        return Ruling(total, Case.ADDED_UP, f"{total}, both differences added")
    if key in PROVENANCE and is_born:
        return _of_the_earlier(key, sides)
    moments = [moment_of(value) for value in (one, other)]
    if moments[0] is not None and moments[1] is not None:
        return _by_date(key, (one, other), (moments[0], moments[1]))
    return None


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_counter(key: str) -> bool:
    return key in COUNTERS or key.endswith("_count")


def _by_date(key: str, values: tuple[Value, Value], moments: tuple[datetime, datetime]) -> Ruling:
    ordered = sorted(zip(moments, map(str, values), strict=True))
    is_earlier = key == "created"
    text = ordered[0 if is_earlier else -1][1]
    case = Case.EARLIER if is_earlier else Case.LATER
    return Ruling(text, case, f"{text}, the {case} of two")


def _of_the_earlier(key: str, sides: tuple[Fields, Fields]) -> Ruling | None:
    moments = [moment_of(get(side, "created")) for side in sides]
    if moments[0] is None or moments[1] is None or moments[0] == moments[1]:
        return None
    value = get(sides[0] if moments[0] < moments[1] else sides[1], key)
    return Ruling(value, Case.EARLIER, f"{shown(value)}; that side was created first")


def moment_of(value: Value) -> datetime | None:
    """The time that an ISO date or time names, in UTC where it says nothing else; None for all else."""
    if not isinstance(value, str) or not is_date(value):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _united(key: str, values: tuple[Value, Value, Value], *, is_born: bool) -> Ruling | None:
    """The set that both sides come to: in the order of the base, what is new behind it and sorted."""
    items: list[dict[str, Json]] = []
    for value in values:
        found = _items(value)
        if found is None:
            return None
        items.append({item_key(key, item): item for item in found})
    older, one, other = items
    left = united(None if is_born else list(older), list(one), list(other))
    keys = [key for key in older if key in left] + sorted(key for key in left if key not in older)
    respelled = {item: one[item] for item in one if one[item] != older.get(item)}
    spelled = {**older, **one, **other, **respelled}
    came = [spelled[item] for item in keys if item not in older]
    went = [older[item] for item in older if item not in keys]
    said = [f"added {_listed(came)}"] if came else []
    said += [f"took out {_listed(went)}"] if went else []
    is_gone = not keys and ABSENT in values[1:]
    value = ABSENT if is_gone else [spelled[item] for item in keys]
    return Ruling(value, Case.UNITED, "; ".join(said) or "united")


def _items(value: Value) -> Sequence[Json] | None:
    """The items of a set field: a list, a text with commas, or nothing; None for what is no set."""
    if value is None or isinstance(value, Absent):
        return ()
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value if isinstance(value, list) else None


def item_key(key: str, item: Json) -> str:
    """What makes two items of a set field the same: case does not count in tags, entities and ids."""
    if isinstance(item, dict) and isinstance(item.get("to"), str):
        rest = {name: value for name, value in item.items() if name != "to"}
        return json.dumps([id_key(str(item["to"])), rest], sort_keys=True)
    text = as_text(item)
    if text is None:
        return json.dumps(item, sort_keys=True)
    return text.strip() if key == "attachments" else text.strip().casefold()


def shown(value: Value) -> str:
    """A value as a sentence can name it."""
    if isinstance(value, Absent):
        return "nothing"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"


def _listed(items: Sequence[Json]) -> str:
    return ", ".join(shown(item) for item in items)


def decision_of(key: str, ruling: Ruling) -> Decision | None:
    """The decision to report, for a field that both sides changed."""
    if ruling.case in (Case.UNCHANGED, Case.ONE_SIDE, Case.SAME):
        return None
    return Decision(key, ruling.case, ruling.message)
