"""What the config of a store says about old memories.

    [[policies]]
    name = "old-chatter"           # numbered if left out
    type = "episodic"              # or a list; the same for namespace and tag
    namespace = "support/*"
    idle_days = 30                 # not changed, recalled or shown for so long
    importance_below = 0.3
    action = "archive"             # archive, summarise, propose, cold, keep

A setting that is not known is an error here and not left alone: a condition that nobody looks at would make a
policy do more than it says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from msgspec.structs import replace

from gitmem.errors import StoreProblem
from gitmem.lifecycle.policies import DEFAULT_POLICIES, Action, LifePolicy
from gitmem.model.memory import MemoryType

MAX_POLICIES = 100
MAX_NAME_CHARACTERS = 60
SHARES = ("importance_below", "strength_below")
DURATIONS = ("idle_days", "age_days", "ended_hours")
MARKS = ("superseded", "expired")
MATCHES = ("type", "namespace", "tag")
KNOWN = frozenset(("name", "action", *MATCHES, *DURATIONS, *SHARES, *MARKS))


def parse_policies(values: Mapping[str, Any], *, where: str, notes_last: timedelta) -> tuple[LifePolicy, ...]:
    """The policies in the config `values`, or the defaults where it has none; an empty list is none at all.

    `notes_last` is how long working memories stay after their session ended, where a default says so. Raises
    `StoreProblem` naming the setting that is wrong.
    """
    tables = values.get("policies")
    if tables is None:
        hours = notes_last / timedelta(hours=1)
        return tuple(
            policy if policy.ended_hours is None else replace(policy, ended_hours=hours)
            for policy in DEFAULT_POLICIES
        )
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise StoreProblem(f"{where}: policies must be tables: [[policies]]")
    if len(tables) > MAX_POLICIES:
        raise StoreProblem(f"{where}: more than {MAX_POLICIES} policies")
    found = tuple(_policy(table, number, where) for number, table in enumerate(tables, 1))
    names = [policy.name for policy in found]
    for number, name in enumerate(names, 1):
        if name in names[: number - 1]:
            raise StoreProblem(f"{where}: policies[{number}].name: {name!r} is there twice")
    return found


def _policy(table: Mapping[str, Any], number: int, where: str) -> LifePolicy:
    here = f"{where}: policies[{number}]"
    for key in table:
        if key not in KNOWN:
            known = ", ".join(sorted(KNOWN))
            raise StoreProblem(f"{here}.{key}: no such setting", hint=f"a policy knows {known}")
    conditions: dict[str, Any] = {
        **{key: _duration(table, key, here) for key in DURATIONS},
        **{key: _share(table, key, here) for key in SHARES},
        **{key: _mark(table, key, here) for key in MARKS},
    }
    if not any(value is not None and value is not False for value in conditions.values()):
        needed = ", ".join((*DURATIONS, *SHARES, *MARKS))
        raise StoreProblem(
            f"{here} has no condition, so it would be about every memory", hint=f"give one of {needed}"
        )
    return LifePolicy(
        name=_name(table, number, here),
        action=_action(table, here),
        types=tuple(_type(name, here) for name in _texts(table, "type", here)),
        namespaces=tuple(text.strip("/") for text in _texts(table, "namespace", here)),
        tags=_texts(table, "tag", here),
        **conditions,
    )


def _name(table: Mapping[str, Any], number: int, here: str) -> str:
    name = table.get("name", f"policy {number}")
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise StoreProblem(f"{here}.name must be a text in one line, not {name!r}")
    if len(name) > MAX_NAME_CHARACTERS:
        raise StoreProblem(f"{here}.name is longer than {MAX_NAME_CHARACTERS} characters")
    return name


def _action(table: Mapping[str, Any], here: str) -> Action:
    action = table.get("action")
    if action not in list(Action):
        allowed = ", ".join(f'"{each}"' for each in Action)
        said = "is missing; it" if action is None else f"is {action!r}; it"
        raise StoreProblem(f"{here}.action {said} must be one of {allowed}")
    return Action(action)


def _type(name: str, here: str) -> MemoryType:
    if name not in list(MemoryType):
        allowed = ", ".join(f'"{each}"' for each in MemoryType)
        raise StoreProblem(f"{here}.type must be one of {allowed}, not {name!r}")
    return MemoryType(name)


def _texts(table: Mapping[str, Any], key: str, here: str) -> tuple[str, ...]:
    value = table.get(key, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) and text.strip() for text in texts):
        raise StoreProblem(f"{here}.{key} must be a text or a list of texts, not {value!r}")
    if key in table and not texts:
        raise StoreProblem(f"{here}.{key} is an empty list; leave it out to match any {key}")
    return tuple(texts)


def _duration(table: Mapping[str, Any], key: str, here: str) -> float | None:
    value = table.get(key)
    if value is not None and not (_is_number(value) and 0 <= value < math.inf):
        raise StoreProblem(f"{here}.{key} must be a number from 0, not {value!r}")
    return None if value is None else float(value)


def _share(table: Mapping[str, Any], key: str, here: str) -> float | None:
    value = table.get(key)
    if value is not None and not (_is_number(value) and 0 < value <= 1):
        raise StoreProblem(f"{here}.{key} must be a number above 0 and up to 1, not {value!r}")
    return None if value is None else float(value)


def _mark(table: Mapping[str, Any], key: str, here: str) -> bool:
    value = table.get(key, False)
    if key in table and value is not True:
        raise StoreProblem(f"{here}.{key} must be true or left out, not {value!r}")
    return bool(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
