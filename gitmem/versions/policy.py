"""The policy of a store: what its committed main says about who may do what, and whom to trust.

    [identities.support-bot]
    kind = "agent"           # whoever acts under this name is an agent, whatever they say
    review = "required"      # can only propose
    trust = "quarantine"     # what it writes waits on quarantine

    [identities."*"]         # every agent that has no table of its own
    review = "required"

    [trust]
    quarantine = ["https://*", "tool:*"]   # sources whose memories wait on quarantine
    require_signed = true                  # show only versions in commits that git can verify

    [partitions.people]                    # a part of the store with rules of its own
    namespaces = ["people/*"]

    [privacy]                              # secrets and personal data, see `privacy_settings`
    email = "redact"

Nothing outside that file can loosen it: not the worktree, another branch, the environment, or git config.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct, field

from gitmem.errors import StoreProblem
from gitmem.model.identity import Identity, Kind
from gitmem.model.memory import MemoryType
from gitmem.model.partition import Partition, partition_of
from gitmem.model.sensitive import PrivacyRules
from gitmem.versions.partitions import parse_partitions
from gitmem.versions.privacy_settings import parse_privacy

ANY_AGENT = "*"


class Rules(Struct, frozen=True):
    """What holds for one identity."""

    kind: Kind | None = None
    must_propose: bool = False
    is_quarantined: bool = False


class Policy(Struct, frozen=True):
    """The rules of a store; the default restricts nobody."""

    identities: Mapping[str, Rules] = field(default_factory=dict)
    untrusted_sources: tuple[str, ...] = ()
    require_signed: bool = False
    partitions: tuple[Partition, ...] = ()
    """In the order of the file."""
    privacy: PrivacyRules = field(default_factory=PrivacyRules)

    @property
    def routes(self) -> bool:
        """Whether a write may have to go elsewhere than to the branch that was asked for."""
        return bool(self.identities or self.untrusted_sources or self.has_access_rules)

    @property
    def has_access_rules(self) -> bool:
        """Whether some may do in a partition what others may not."""
        return any(partition.access.lists for partition in self.partitions)

    @property
    def encrypts(self) -> bool:
        """Whether memories of some partition are encrypted."""
        return any(partition.encryption for partition in self.partitions)

    def rules_for(self, identity: Identity) -> Rules:
        """The rules that bind `identity`: those of its name, else for an agent those of `*`."""
        named = self.identities.get(identity.name)
        if named is not None:
            return named
        return Rules() if identity.is_person else self.identities.get(ANY_AGENT, Rules())

    def partition_of(self, path: str, memory_type: MemoryType) -> Partition | None:
        """The partition of the memory of `memory_type` at `path`; None outside all."""
        return partition_of(self.partitions, path, memory_type)

    def is_untrusted(self, source: str | None) -> bool:
        """Whether a memory learned from `source` waits on quarantine."""
        text = (source or "").strip().casefold()
        return any(fnmatchcase(text, pattern.casefold()) for pattern in self.untrusted_sources)


def parse_policy(values: Mapping[str, Any], *, where: str) -> Policy:
    """The policy among the settings `values`. Raises `StoreProblem` naming the setting that is wrong."""
    identities = _table(values, "identities", where)
    trust = _table(values, "trust", where)
    sources = trust.get("quarantine", [])
    if not isinstance(sources, list) or not all(isinstance(source, str) for source in sources):
        raise StoreProblem(f"{where}: trust.quarantine must be a list of patterns")
    signed = trust.get("require_signed", False)
    if not isinstance(signed, bool):
        raise StoreProblem(f"{where}: trust.require_signed must be true or false, not {signed!r}")
    partitions = parse_partitions(values, where=where)
    return Policy(
        identities={
            name: _rules(_table(identities, name, f"{where}: identities"), f"{where}: identities.{name}")
            for name in identities
        },
        untrusted_sources=tuple(sources),
        require_signed=signed,
        partitions=partitions,
        privacy=parse_privacy(values, partitions, where=where),
    )


def _rules(values: Mapping[str, Any], where: str) -> Rules:
    kind = _choice(values, "kind", [*Kind], where)
    review = _choice(values, "review", ["required", "none"], where)
    trust = _choice(values, "trust", ["quarantine", "full"], where)
    return Rules(
        kind=Kind(kind) if kind else None,
        must_propose=review == "required",
        is_quarantined=trust == "quarantine",
    )


def _choice(values: Mapping[str, Any], key: str, choices: list[str], where: str) -> str | None:
    value = values.get(key)
    if value is not None and value not in choices:
        allowed = " or ".join(f'"{choice}"' for choice in choices)
        raise StoreProblem(f"{where}.{key} must be {allowed}, not {value!r}")
    return value


def _table(values: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    table = values.get(key, {})
    if not isinstance(table, dict):
        raise StoreProblem(f"{where}: {key} must be a table")
    return table
