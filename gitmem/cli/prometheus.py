"""`health` as metrics in the text format of Prometheus, version 0.0.4.

https://github.com/prometheus/docs/blob/main/docs/instrumenting/exposition_formats.md

Each family has its HELP and TYPE once, its samples stand together, and no two have the same labels. Nothing
is named that one memory alone is called: labels are branches, types, namespaces, percentiles and settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from gitmem.cli.render_health import TROUBLES

if TYPE_CHECKING:
    from gitmem.flows.wellbeing.measures import Health, Latency, Outlook

MOST_NAMESPACES = 100
"""So many namespaces have a series of their own; the smaller ones are added up as `(others)`."""
OTHERS = "(others)"
Labels = Mapping[str, str]


class Family(Struct):
    """A gauge with its samples by labels. What is added under the same labels is one sum."""

    name: str
    help: str
    samples: dict[tuple[tuple[str, str], ...], float] = field(default_factory=dict)

    def add(self, value: float, **labels: str) -> None:
        key = tuple((name, _utf8(text)) for name, text in labels.items())
        self.samples[key] = self.samples.get(key, 0) + value

    def text(self) -> str:
        """The lines of the family; none where it has no sample."""
        if not self.samples:
            return ""
        head = f"# HELP {self.name} {_escaped(self.help)}\n# TYPE {self.name} gauge\n"
        return head + "".join(
            f"{self.name}{_labels(key)} {_number(value)}\n" for key, value in self.samples.items()
        )


def health_metrics(health: Health) -> str:
    """Every number of `health`; what could not be looked at has no sample, and is counted as unread."""
    return "".join(family.text() for family in _families(health))


def _families(health: Health) -> Iterator[Family]:
    yield _one("gitmem_health_well", "1 if nothing needs looking after, else 0.", int(health.is_well))
    over = Family("gitmem_health_over", "1 for each setting in the table health that is exceeded.")
    unread = Family("gitmem_health_unread", "1 for each part that could not be looked at.")
    for finding in health.findings:
        if finding.limit is not None:
            over.add(1, setting=finding.code)
    for part in dict.fromkeys(each.part for each in health.unread):
        unread.add(1, part=part)
    yield from (over, unread)
    yield from _sizes(health)
    yield from _indexes(health)
    if health.latency is not None:
        yield from _latency(health.latency)
    yield from _states(health)


def _sizes(health: Health) -> Iterator[Family]:
    memories = Family("gitmem_memories", "Memories by branch.")
    sizes = Family("gitmem_memory_bytes", "Bytes of memory files by branch.")
    attached = Family("gitmem_attachment_bytes", "Bytes of attachments by branch.")
    for branch in health.branches:
        memories.add(branch.size.memories, branch=branch.name)
        sizes.add(branch.size.bytes, branch=branch.name)
        attached.add(branch.size.attachment_bytes, branch=branch.name)
    types = Family("gitmem_type_memories", "Memories of the branch that was looked at, by type.")
    for kind, size in health.by_type.items():
        types.add(size.memories, type=kind)
    namespaces = Family("gitmem_namespace_memories", "Memories by type and namespace.")
    namespace_bytes = Family("gitmem_namespace_bytes", "Bytes of memory files by type and namespace.")
    for number, each in enumerate(health.namespaces):
        name = each.name if number < MOST_NAMESPACES else OTHERS
        namespaces.add(each.size.memories, namespace=name)
        namespace_bytes.add(each.size.bytes, namespace=name)
    yield from (memories, sizes, attached, types, namespaces, namespace_bytes)
    grown = [each.grown for each in health.namespaces if each.grown is not None]
    if grown:
        yield _one("gitmem_memories_grown_30d", "Memories more than 30 days ago.", sum(grown))
    if health.folders:
        yield _one("gitmem_fullest_folder_files", "Files in the fullest folder.", health.folders[0].files)


def _indexes(health: Health) -> Iterator[Family]:
    built = Family("gitmem_index_built", "1 if the branch has a search index.")
    commits = Family("gitmem_index_behind_commits", "Commits that the search index does not show yet.")
    seconds = Family("gitmem_index_behind_seconds", "How long the first of them has waited.")
    for lag in health.indexes:
        built.add(int(lag.commit is not None), branch=lag.branch)
        if lag.commit is not None:
            commits.add(lag.commits_behind, branch=lag.branch)
            seconds.add(lag.seconds_behind, branch=lag.branch)
    yield from (built, commits, seconds)


def _latency(latency: Latency) -> Iterator[Family]:
    yield _one("gitmem_recalls_30d", "Recalls measured in the last 30 days.", latency.recalls)
    if latency.recalls:
        seconds = Family("gitmem_recall_seconds", "Duration of recalls in the last 30 days, by percentile.")
        for name, value in (("50", latency.p50), ("95", latency.p95), ("99", latency.p99)):
            seconds.add(value, percentile=name)
        yield seconds


def _states(health: Health) -> Iterator[Family]:
    if health.troubles is not None:
        for name, word in TROUBLES:
            yield _one(f"gitmem_{name}", f"Memories with a {word}.", len(getattr(health.troubles, name)))
    if health.outlook is not None:
        yield from _outlook(health.outlook)
    if health.proposals is not None:
        days = max((each.days for each in health.proposals), default=0)
        yield _one("gitmem_open_proposals", "Proposals that wait for a person.", len(health.proposals))
        yield _one("gitmem_oldest_proposal_days", "Whole days that the oldest has waited.", days)
    if health.unfinished_writes is not None:
        yield _one("gitmem_unfinished_writes", "Writes that were interrupted.", health.unfinished_writes)
    if health.objects is not None:
        yield _one("gitmem_git_loose_objects", "Loose objects in git.", health.objects.loose)
        yield _one("gitmem_git_packed_objects", "Objects in packs.", health.objects.packed)
        yield _one("gitmem_git_packs", "Packs in git.", health.objects.packs)
        yield _one("gitmem_git_object_bytes", "Bytes that git's objects take.", health.objects.bytes)


def _outlook(outlook: Outlook) -> Iterator[Family]:
    below = Family("gitmem_strength_memories", "Memories whose strength is in a tenth, by its upper end.")
    for counts in outlook.strengths.values():
        for number, count in enumerate(counts, 1):
            below.add(count, upto=f"{number / len(counts):.1f}")
    yield below
    if outlook.tending is not None:
        actions = Family("gitmem_tend_memories", "Memories that tend would do something about, by action.")
        for action, count in outlook.tending.by_action.items():
            actions.add(count, action=action)
        actions.add(outlook.tending.kept, action="stay")
        yield actions


def _one(name: str, help: str, value: float) -> Family:
    family = Family(name, help)
    family.add(value)
    return family


def _labels(labels: Iterable[tuple[str, str]]) -> str:
    pairs = [f'{name}="{_escaped(text, quotes=True)}"' for name, text in labels]
    return "{" + ",".join(pairs) + "}" if pairs else ""


def _escaped(text: str, *, quotes: bool = False) -> str:
    r"""`text` with `\` and line feeds escaped, and in a label `"` too, as the format wants it."""
    text = text.replace("\\", r"\\").replace("\n", r"\n")
    return text.replace('"', r"\"") if quotes else text


def _utf8(text: str) -> str:
    """`text` as it can be written in UTF-8, so that what looks the same there is the same here."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))
