"""The partitions of a store as its policy names them.

[partitions.people]
namespaces = ["people/*", "hr"]     # left out: any
types = ["episodic"]                # left out: any
read = ["person:*", "support-bot"]  # each left out: everybody; see `model/access.py`
write = ["person:*"]
propose = ["support-bot"]           # who may write may propose too
approve = ["person:alice"]
encrypt = true                      # memories are encrypted for the recipients (age)
recipients = ["age1..."]
readable = ["created"]              # fields that stay readable beside id and type

[partitions.people.privacy]
email = "allow"                     # here only; other kinds are as [privacy] has them
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gitmem.errors import StoreProblem
from gitmem.model.access import Access, Act, is_pattern
from gitmem.model.memory import MemoryType
from gitmem.model.partition import Encryption, Partition
from gitmem.model.sealed import NOT_READABLE
from gitmem.model.sensitive import Action

MAX_PARTITIONS = 200
_RECIPIENT = re.compile(r"age1[02-9ac-hj-np-z]{58}")
_FIELD = re.compile(r"[A-Za-z_][\w-]{0,63}")
MAX_PATTERNS = 200


def parse_partitions(values: Mapping[str, Any], *, where: str) -> tuple[Partition, ...]:
    """The partitions in the config `values`, in the order of the file.

    Raises `StoreProblem` naming the setting that is wrong.
    """
    tables = values.get("partitions", {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise StoreProblem(f"{where}: partitions must be tables, [partitions.NAME]")
    if len(tables) > MAX_PARTITIONS:
        raise StoreProblem(f"{where}: partitions has more than {MAX_PARTITIONS} tables")
    return tuple(_partition(name, table, f"{where}: partitions.{name}") for name, table in tables.items())


def _partition(name: str, table: Mapping[str, Any], where: str) -> Partition:
    namespaces = texts(table, "namespaces", where)
    types = texts(table, "types", where)
    if not all(pattern.strip("/") for pattern in namespaces):
        raise StoreProblem(f"{where}.namespaces has an empty pattern")
    for each in types:
        if each not in set(MemoryType):
            raise StoreProblem(f"{where}.types must be types of memories, not {each!r}")
    return Partition(
        name=name,
        namespaces=tuple(pattern.strip("/") for pattern in namespaces),
        types=frozenset(map(MemoryType, types)),
        privacy=parse_actions(table.get("privacy", {}), where=f"{where}.privacy"),
        access=Access({act: _identities(table, act, where) for act in Act if act in table}),
        encryption=_encryption(table, where),
    )


def _encryption(table: Mapping[str, Any], where: str) -> Encryption | None:
    """For whom memories are encrypted. Raises `StoreProblem` where that is nobody."""
    wanted = table.get("encrypt", False)
    if not isinstance(wanted, bool):
        raise StoreProblem(f"{where}.encrypt must be true or false, not {wanted!r}")
    recipients, readable = (texts(table, key, where) for key in ("recipients", "readable"))
    for each in recipients:
        if not _RECIPIENT.fullmatch(each):
            hint = "'age-keygen' makes one: age1..."
            raise StoreProblem(f"{where}.recipients: {each!r} is no public key of age", hint=hint)
    for each in readable:
        if each in NOT_READABLE or not _FIELD.fullmatch(each):
            raise StoreProblem(f"{where}.readable: {each!r} cannot stay readable")
    if not wanted:
        return None
    if not recipients:
        raise StoreProblem(f"{where}.encrypt is true, but recipients names nobody who could read it")
    return Encryption(recipients, readable)


def _identities(table: Mapping[str, Any], act: Act, where: str) -> tuple[str, ...]:
    """The patterns of who may do `act`; an empty list is nobody. Raises `StoreProblem`."""
    found = table[act]
    if not isinstance(found, list) or len(found) > MAX_PATTERNS:
        raise StoreProblem(f"{where}.{act} must be a list of at most {MAX_PATTERNS} identities")
    for each in found:
        if not isinstance(each, str) or not is_pattern(each):
            raise StoreProblem(
                f"{where}.{act}: {each!r} is not an identity",
                hint='write "person:NAME", "agent:NAME", "NAME", "person:*", "agent:*" or "*"',
            )
    return tuple(found)


def texts(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """The list of texts `key` of a table; empty where it is left out. Raises `StoreProblem`."""
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise StoreProblem(f"{where}.{key} must be a list of texts")
    if key in table and not found:
        raise StoreProblem(f"{where}.{key} is empty; leave it out to mean any")
    if len(found) > MAX_PATTERNS:
        raise StoreProblem(f"{where}.{key} has more than {MAX_PATTERNS} entries")
    return tuple(found)


def parse_actions(table: object, *, where: str) -> dict[str, Action]:
    """What is done about each kind that the table names. Raises `StoreProblem` naming the kind."""
    if not isinstance(table, dict):
        raise StoreProblem(f"{where} must be a table")
    for kind, action in table.items():
        if not isinstance(action, str) or action not in set(Action):
            allowed = ", ".join(f'"{choice}"' for choice in Action)
            raise StoreProblem(f"{where}.{kind} must be one of {allowed}, not {action!r}")
    return {kind: Action(action) for kind, action in table.items()}
