"""What the policy of a store says about `check`: limits, hosts, and how bad a kind of finding is.

[check]
max_bytes = 65536            # the largest memory
max_changes = 50             # the most memories that one change may touch
hosts = ["example.com", "*.example.org"]   # links may lead there, and nowhere else

[check.severity]
near-duplicate = "error"     # error, warning, note, or off
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct, field

from gitmem.errors import StoreProblem

OFF = "off"
SEVERITY_CHOICES = ("error", "warning", "note", OFF)
MAX_HOSTS = 1_000


class CheckSettings(Struct, frozen=True):
    """The settings; None is no limit. Without `hosts`, links may lead anywhere."""

    max_bytes: int | None = None
    max_changes: int | None = None
    hosts: tuple[str, ...] | None = None
    severities: Mapping[str, str] = field(default_factory=dict)

    def allows(self, host: str) -> bool:
        """Whether a link to `host` is in the list, or there is none; `*.example.org` is its subdomains."""
        name = host.casefold().rstrip(".")
        return self.hosts is None or any(fnmatchcase(name, pattern) for pattern in self.hosts)


def parse_check_settings(values: Mapping[str, Any], *, where: str) -> CheckSettings:
    """The table `check` of the config `values`. Raises `StoreProblem` naming the setting that is wrong."""
    table = values.get("check", {})
    if not isinstance(table, dict):
        raise StoreProblem(f"{where}: check must be a table")
    hosts = table.get("hosts")
    if hosts is not None and (
        not isinstance(hosts, list) or not all(isinstance(each, str) for each in hosts)
    ):
        raise StoreProblem(f"{where}: check.hosts must be a list of host names")
    if hosts is not None and len(hosts) > MAX_HOSTS:
        raise StoreProblem(f"{where}: check.hosts has more than {MAX_HOSTS} names")
    severities = table.get("severity", {})
    if not isinstance(severities, dict):
        raise StoreProblem(f"{where}: check.severity must be a table")
    for code, severity in severities.items():
        if severity not in SEVERITY_CHOICES:
            allowed = ", ".join(f'"{choice}"' for choice in SEVERITY_CHOICES)
            raise StoreProblem(f"{where}: check.severity.{code} must be one of {allowed}, not {severity!r}")
    return CheckSettings(
        max_bytes=_limit(table, "max_bytes", where),
        max_changes=_limit(table, "max_changes", where),
        hosts=None if hosts is None else tuple(each.casefold().rstrip(".") for each in hosts),
        severities=dict(severities),
    )


def _limit(table: Mapping[str, Any], key: str, where: str) -> int | None:
    value = table.get(key)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise StoreProblem(f"{where}: check.{key} must be a whole number from 1, not {value!r}")
    return value
