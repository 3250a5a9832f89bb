"""What is over its limit, in words, and what to do about it: rules without a look at anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gitmem.flows.wellbeing.measures import NOT_READ, Finding, Health
from gitmem.versions.health_settings import HealthSettings

_DAY_SECONDS, _MIB = 86_400, 2**20
LEAST_RECALLS = 20
"""Of fewer recalls a percentile says nothing: the first of a process, or of a new index, is always slow."""


class Rule(NamedTuple):
    """How a measure is had, None where that is not known; what it counts; what to do about too much."""

    value: Callable[[Health], float | None]
    counts: str
    hint: str


def _troubles(name: str) -> Callable[[Health], float | None]:
    return lambda health: None if health.troubles is None else len(getattr(health.troubles, name))


RULES: dict[str, Rule] = {
    "memories": Rule(
        lambda health: None if health.size is None else health.size.memories,
        "memories",
        "'gitmem archive' puts memories out of the way",
    ),
    "broken_headers": Rule(
        _troubles("broken_headers"),
        "memories with a header or text that cannot be read",
        "'gitmem check' names file and line; mend the header, then 'gitmem commit'",
    ),
    "broken_links": Rule(
        _troubles("broken_links"),
        "links that lead to no memory",
        "'gitmem check' lists them; 'gitmem link' sets another, 'gitmem restore' brings a memory back",
    ),
    "stale_anchors": Rule(
        _troubles("stale_anchors"),
        "memories with stale anchors",
        "'gitmem check' lists them; 'gitmem confirm ID' where one still holds, 'gitmem update ID' where not",
    ),
    "disputes": Rule(
        _troubles("disputes"),
        "disputed memories",
        "'gitmem conflicts' shows the versions, 'gitmem resolve ID' settles one",
    ),
    "duplicates": Rule(
        _troubles("duplicates"),
        "memories with exactly the text of another",
        "'gitmem health --json' names them; 'gitmem archive ID' puts one out of the way",
    ),
    "untended": Rule(
        lambda health: (
            None
            if health.outlook is None or health.outlook.tending is None
            else health.outlook.tending.leaving
        ),
        "memories that the policies would archive",
        "'gitmem tend --dry-run' says which and why, 'gitmem tend' does it",
    ),
    "folder_files": Rule(
        lambda health: health.folders[0].files if health.folders else None,
        "files in the fullest folder, which each commit there writes anew",
        "'gitmem rename ID --in NAMESPACE' moves memories elsewhere; new ones find subfolders by themselves",
    ),
    "open_proposals": Rule(
        lambda health: None if health.proposals is None else len(health.proposals),
        "proposals that wait for a person",
        "'gitmem proposals' lists them, 'gitmem review NAME' shows one",
    ),
    "proposal_days": Rule(
        lambda health: (
            None if health.proposals is None else max((p.days for p in health.proposals), default=0)
        ),
        "days that the oldest proposal has waited",
        "'gitmem review NAME', then 'gitmem accept NAME' or 'gitmem reject NAME'",
    ),
    "unfinished_writes": Rule(
        lambda health: health.unfinished_writes,
        "writes that were interrupted",
        "any other command finishes them; 'gitmem doctor' tells of those that stay",
    ),
    "index_commits": Rule(
        lambda health: max((lag.commits_behind for lag in health.indexes), default=None),
        "commits that the search index is behind",
        "any recall brings it up to date; 'gitmem init' puts hooks in that do it after each commit",
    ),
    "index_days": Rule(
        lambda health: max((lag.seconds_behind // _DAY_SECONDS for lag in health.indexes), default=None),
        "days that the search index has been behind",
        "any recall brings it up to date; 'gitmem init' puts hooks in that do it after each commit",
    ),
    "recall_ms": Rule(
        lambda health: (
            None
            if health.latency is None or health.latency.recalls < LEAST_RECALLS
            else round(health.latency.p95 * 1_000)
        ),
        "milliseconds within which nineteen of twenty recalls answer",
        "'gitmem reindex' builds the index anew; git config gitmem.serve true keeps it open between commands",
    ),
    "loose_objects": Rule(
        lambda health: None if health.objects is None else health.objects.loose,
        "loose objects in git",
        "'git gc' packs them; gitmem does where git config gitmem.upkeep is not false",
    ),
    "packs": Rule(
        lambda health: None if health.objects is None else health.objects.packs,
        "packs in git",
        "'git gc' joins them; gitmem does where git config gitmem.upkeep is not false",
    ),
    "repository_mib": Rule(
        lambda health: None if health.objects is None else health.objects.bytes // _MIB,
        "MiB that git's objects take",
        "'git gc' packs them; large attachments stay in history until 'gitmem forget' takes them out",
    ),
}
"""By setting, in the order in which they are told."""


def findings_of(health: Health, settings: HealthSettings) -> Iterator[Finding]:
    """What needs looking after: what could not be read first, then what is over its limit."""
    for each in health.unread:
        yield Finding(
            NOT_READ,
            f"{each.part} could not be looked at: {each.reason}",
            "'gitmem doctor' tells what can be done",
        )
    for name, rule in RULES.items():
        value, limit = rule.value(health), getattr(settings, name)
        if value is not None and limit is not None and value > limit:
            message = f"{rule.counts}: {value:,.0f}, more than {limit:,}"
            yield Finding(name, message, rule.hint, value, limit)
