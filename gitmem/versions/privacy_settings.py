"""What the policy of a store says about secrets and personal data.

[privacy]
email = "redact"                # block, redact, warn, or allow
ip = "warn"

[[privacy.patterns]]            # a kind of the store's own
name = "staff-number"
pattern = 'E\\d{6}'
action = "redact"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gitmem.errors import BadInput, StoreProblem
from gitmem.model.own_pattern import bounded_pattern
from gitmem.model.partition import Partition
from gitmem.model.sensitive import DEFAULT_ACTIONS, Action, OwnPattern, PrivacyRules
from gitmem.versions.partitions import parse_actions

PRIVACY_SETTING = "gitmem.privacy"
MAX_OWN_PATTERNS = 50
_NAME = re.compile(r"[a-z][a-z0-9_\-]{0,39}")


def parse_privacy(
    values: Mapping[str, Any], partitions: tuple[Partition, ...], *, where: str
) -> PrivacyRules:
    """The table `privacy` of the config `values`. Raises `StoreProblem` naming the setting that is wrong.

    Kinds that a partition names are looked at too.
    """
    table = values.get("privacy", {})
    if not isinstance(table, dict):
        raise StoreProblem(f"{where}: privacy must be a table")
    patterns = _patterns(table.get("patterns", []), where)
    actions = parse_actions(
        {kind: action for kind, action in table.items() if kind != "patterns"}, where=f"{where}: privacy"
    )
    known = {**DEFAULT_ACTIONS, **{pattern.name: pattern.action for pattern in patterns}}
    _refuse_unknown(actions, known, f"{where}: privacy")
    for partition in partitions:
        _refuse_unknown(partition.privacy, known, f"{where}: partitions.{partition.name}.privacy")
    return PrivacyRules({**known, **actions}, patterns)


def _refuse_unknown(actions: Mapping[str, Action], known: Mapping[str, Action], where: str) -> None:
    for kind in actions:
        if kind not in known:
            raise StoreProblem(
                f"{where}.{kind}: no such kind", hint=f"the kinds are {', '.join(sorted(known))}"
            )


def _patterns(tables: object, where: str) -> tuple[OwnPattern, ...]:
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise StoreProblem(f"{where}: privacy.patterns must be tables, [[privacy.patterns]]")
    if len(tables) > MAX_OWN_PATTERNS:
        raise StoreProblem(f"{where}: privacy.patterns has more than {MAX_OWN_PATTERNS} tables")
    found: dict[str, OwnPattern] = {}
    for table in tables:
        name, source = table.get("name"), table.get("pattern")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise StoreProblem(
                f"{where}: privacy.patterns: name must be small letters, digits, - and _, not {name!r}"
            )
        label = f"{where}: privacy.patterns: {name}"
        if name in DEFAULT_ACTIONS or name in found:
            raise StoreProblem(f"{label}: the name is taken")
        if not isinstance(source, str):
            raise StoreProblem(f"{label}: pattern must be a text")
        try:
            bounded_pattern(source)
        except ValueError as error:
            raise StoreProblem(f"{label}: pattern: {error}") from error
        actions = parse_actions({"action": table.get("action", "redact")}, where=label)
        found[name] = OwnPattern(name, source, actions["action"])
    return tuple(found.values())


def parse_own_actions(text: str) -> dict[str, Action]:
    """What `gitmem.privacy` of git's config asks for: `ip=warn email=block`. Raises `BadInput`."""
    found: dict[str, Action] = {}
    for part in re.split(r"[\s,]+", text.strip()):
        kind, _, action = part.partition("=")
        if action not in set(Action):
            raise BadInput(
                f"{PRIVACY_SETTING}: {part!r} is not KIND=ACTION",
                field=PRIVACY_SETTING,
                hint="such as 'email=block ip=warn'; it can only be stricter than the policy of the store",
            )
        found[kind] = Action(action)
    return found
