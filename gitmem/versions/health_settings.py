"""What the policy of a store says about `health`: from which number on something needs looking after.

[health]
stale_anchors = 10       # more than so many is over
packs = false            # however many, it is fine
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from gitmem.errors import StoreProblem

MOST = 10**15


class HealthSettings(Struct, frozen=True):
    """The largest value of each measure that is fine; None where any is."""

    memories: int | None = None
    broken_headers: int | None = 0
    broken_links: int | None = 10
    stale_anchors: int | None = 10
    disputes: int | None = 10
    duplicates: int | None = 10
    untended: int | None = 1_000
    folder_files: int | None = 1_000
    open_proposals: int | None = 20
    proposal_days: int | None = 14
    unfinished_writes: int | None = 0
    index_commits: int | None = 1_000
    index_days: int | None = 30
    recall_ms: int | None = 1_000
    loose_objects: int | None = 10_000
    packs: int | None = 50
    repository_mib: int | None = None


SETTINGS = HealthSettings.__struct_fields__


def parse_health_settings(values: Mapping[str, Any], *, where: str) -> HealthSettings:
    """The table `health` of the config `values`. Raises `StoreProblem` naming the setting that is wrong.

    A name that is not known is left alone, as anywhere in the config.
    """
    table = values.get("health", {})
    if not isinstance(table, dict):
        raise StoreProblem(f"{where}: health must be a table")
    return HealthSettings(**{name: _limit(name, table[name], where) for name in SETTINGS if name in table})


def _limit(name: str, value: object, where: str) -> int | None:
    if value is False:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST:
        return value
    raise StoreProblem(
        f"{where}: health.{name} must be a whole number from 0, or false for no limit, not {value!r}"
    )
