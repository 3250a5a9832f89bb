"""The numbers of `health` are those that git, the files and `check` give when they are counted anew."""

from __future__ import annotations

import shutil
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.cli.render_health import health_text
from gitmem.clock import FixedClock
from gitmem.flows.wellbeing.latency import percentile, summary
from gitmem.flows.wellbeing.measures import STRENGTH_STEPS
from gitmem.model.identity import Identity, Kind
from gitmem.model.usage import Took
from gitmem.store import Store
from tests.conftest import git
from tests.wellbeing.sample import NOW, TYPES, Sample


def listed(folder: Path, revision: str) -> dict[str, int]:
    """Size by path of every Markdown file in a folder of a type, as plain git lists them."""
    sizes = {}
    for line in git(folder, "ls-tree", "-r", "-l", "-z", revision).split("\0"):
        head, _, path = line.partition("\t")
        if path.endswith(".md") and path.split("/")[0] in TYPES:
            sizes[path] = int(head.split()[3])
    return sizes


def test_counts_and_sizes_are_those_of_git(sample: Sample) -> None:
    health = sample.open().health()
    sizes = listed(sample.folder, "main")
    assert health.size is not None
    assert (health.size.memories, health.size.bytes) == (len(sizes), sum(sizes.values()))
    by_type = Counter(path.split("/")[0] for path in sizes)
    assert {kind: size.memories for kind, size in health.by_type.items()} == by_type
    assert sum(each.size.memories for each in health.namespaces) == len(sizes)
    assert sum(each.size.bytes for each in health.namespaces) == sum(sizes.values())
    named = {each.name: each.size.memories for each in health.namespaces}
    for name in ("people/alice", "projects/harbor", "team"):
        listing = sample.open().list()
        there = [record for record in listing.records if record.namespace == name]
        assert sum(named.get(f"{kind}/{name}", 0) for kind in TYPES) == len(there) > 0
    files = Counter(
        path.rpartition("/")[0] for path in git(sample.folder, "ls-tree", "-r", "--name-only", "main").split()
    )
    assert health.folders[0].files == max(files.values())
    assert files[health.folders[0].path] == health.folders[0].files


def test_attachments_count_beside_memories(store: Store, tmp_path: Path) -> None:
    store.remember("Alice wants reports.", id="alice", namespace="people/alice")
    (tmp_path / "a.txt").write_bytes(b"x" * 1234)
    store.attach("alice", [tmp_path / "a.txt"])
    health = store.health()
    assert health.size is not None
    assert (health.size.memories, health.size.attachments, health.size.attachment_bytes) == (1, 1, 1234)
    assert [(each.name, each.size.attachments) for each in health.namespaces] == [
        ("semantic/people/alice", 1)
    ]


@pytest.mark.parametrize("has_table", [True, False])
def test_growth_by_month_is_what_was_written_in_each(
    sample: Sample, has_table: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same with the table of versions and without it."""
    if not has_table:
        monkeypatch.setattr("gitmem.versions.chain.CHEAP_COMMITS", 0)
        shutil.rmtree(sample.folder / ".git/gitmem/versions", ignore_errors=True)
    health = sample.open().health()
    assert {month.month: dict(month.by_type) for month in health.months} == {
        month: {kind: count for kind, count in counts.items() if count}
        for month, counts in sample.by_month.items()
    }
    then = git(sample.folder, "rev-list", "-1", "--before=2026-10-30T15:30:12Z", "main").strip()
    before, now = (Counter(_namespace(path) for path in listed(sample.folder, at)) for at in (then, "main"))
    grown = {each.name: each.grown for each in health.namespaces if each.name.count("/")}
    assert grown == {name: now[name] - before[name] for name in {*before, *now} if name.count("/")}
    assert sum(each.grown or 0 for each in health.namespaces) == now.total() - before.total()


def _namespace(path: str) -> str:
    """Type and namespace where there is one; episodes and shards have none."""
    parts = path.split("/")[:-1]
    is_sharded = len(parts) == 2 and len(parts[1]) == 2
    return parts[0] if parts[0] == "episodic" or is_sharded else "/".join(parts)


def test_growth_counts_what_went_away_and_moved(store: Store) -> None:
    """An archived memory is none of the branch any more, and a renamed one is no new one."""
    store.remember("Alice wants reports.", id="alice", namespace="people/alice")
    store.remember("Bob wants tea.", id="bob", namespace="people/bob")
    store.rename("alice", namespace="people/carol")
    store.archive(["bob"])
    health = store.health()
    assert [(month.month, month.memories) for month in health.months] == [("2026-11", 1)]
    assert [(each.name, each.size.memories, each.grown) for each in health.namespaces] == [
        ("semantic/people/carol", 1, 1)
    ]
    assert {each.role: each.size.memories for each in health.branches} == {"main": 1, "archive": 1}


def test_what_is_wrong_is_what_check_finds(sample: Sample) -> None:
    store = sample.open()
    troubles = store.health().troubles
    assert troubles is not None
    checked = store.check()
    for kind, codes in (
        ("broken_headers", {"header", "encoding", "binary", "too-large"}),
        ("broken_links", {"broken-link"}),
        ("stale_anchors", {"anchor-stale"}),
        ("disputes", {"disputed"}),
    ):
        found = sorted(each.path for each in getattr(troubles, kind))
        assert found == sorted(
            each.path for each in checked.findings if each.code in codes and each.severity != "note"
        )
        assert found, kind
    assert [(each.id, each.what) for each in troubles.duplicates] == [("twin-b2", "has the text of twin-a2")]


def test_the_files_say_the_same_as_the_index(own_sample: Sample) -> None:
    """Where the index is behind, each file is read instead, and the index stays as it is."""
    shutil.rmtree(own_sample.folder / ".git/gitmem/index", ignore_errors=True)
    store = own_sample.open()
    behind = store.health()
    assert [lag.is_current for lag in behind.indexes if lag.branch == "main"] == [False]
    store.recall("harbour")
    current = store.health()
    assert [lag.is_current for lag in current.indexes if lag.branch == "main"] == [True]
    assert current.troubles == behind.troubles


def test_a_link_into_the_archive_is_not_broken(store: Store) -> None:
    """And what is disputed only in its text is disputed."""
    store.remember("Tea is old.", id="oldtea")
    store.remember("Tea at four. See [[oldtea]] and [[zz99zz99]].", id="tea")
    store.link("tea", "oldtea")
    store.archive(["oldtea"])
    troubles = store.health().troubles
    assert troubles is not None
    assert [(each.id, each.what) for each in troubles.broken_links] == [
        ("tea", "[[zz99zz99]]: no memory 'zz99zz99'")
    ]


def test_an_index_is_behind_by_the_commits_it_does_not_show(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.remember("Tea at four.")
    (unbuilt,) = store.health().indexes
    assert (unbuilt.commit, unbuilt.commits_behind) == (None, 0)
    store.recall("tea")
    shown = git(folder, "rev-parse", "main").strip()
    for number in range(3):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2026-11-29T1{number}:00:00Z")
        (folder / f"semantic/n{number}.md").write_text(f"note {number}\n")
        git(folder, "add", ".")
        git(folder, "commit", "-qm", "by hand")
    first = int(git(folder, "log", "-1", "--format=%ct", "main~2"))
    (lag,) = store.health().indexes
    assert (lag.commit, lag.commits_behind) == (shown, 3)
    assert lag.seconds_behind == NOW.timestamp() - first == 5.5 * 3600 + 12
    git(folder, "reset", "-q", "--hard", "main~2")
    assert [each.commits_behind for each in store.health().indexes] == [1]


def test_recall_times_are_those_in_the_log(sample: Sample) -> None:
    latency = sample.open().health().latency
    assert latency is not None
    times = [milliseconds / 1000 for milliseconds in sample.milliseconds]
    assert latency.recalls == len(times)
    for percent, found in ((50, latency.p50), (95, latency.p95), (99, latency.p99)):
        share = sum(each <= found for each in times) / len(times)
        lower = sum(each < found for each in times) / len(times)
        assert lower < percent / 100 <= share
    assert latency.slowest == max(times)
    assert sum(count for _, count, _, _ in latency.by_day) == len(times)


@pytest.mark.parametrize(
    ("percent", "expected"), [(50, 5.0), (95, 10.0), (99, 10.0), (10, 1.0), (1, 1.0), (100, 10.0)]
)
def test_a_percentile_is_the_nearest_rank(percent: int, expected: float) -> None:
    assert percentile([float(number) for number in range(1, 11)], percent) == expected


def test_no_recall_has_no_percentiles() -> None:
    assert summary([]).recalls == 0
    assert summary([Took("2026-11-29T15:30:12Z", 1500)]).p99 == 0.0015


def test_git_holds_what_git_counts(sample: Sample) -> None:
    objects = sample.open().health().objects
    assert objects is not None
    database = sample.folder / ".git/objects"
    loose = [file for file in database.glob("??/*") if len(file.name) == 38]
    packs = list(database.glob("pack/*.pack"))
    assert (objects.loose, objects.packs) == (len(loose), len(packs))
    assert objects.packed == sum(
        len(git(sample.folder, "show-index", input=pack.with_suffix(".idx").read_bytes()).splitlines())
        for pack in packs
    )


def test_proposals_wait_since_they_were_made(sample: Sample) -> None:
    health = sample.open().health()
    assert health.proposals is not None
    assert [(each.name, each.memories, each.days) for each in health.proposals] == [
        ("what-the-move-means", 1, 8)
    ]


def _old(folder: Path) -> Store:
    """A store, 200 days after something was written to it for each thing that tend does."""
    Store.init(folder, clock=FixedClock(NOW))
    store = Store.open(folder, clock=FixedClock(NOW))
    store.remember("small talk", id="talk", type="episodic", importance=0.1)
    store.remember("more talk", id="held", type="episodic", importance=0.1)
    store.remember("See [[held]].", id="fact", importance=0.9)
    store.note("a thought", session="s-1")
    return Store.open(folder, clock=FixedClock(NOW + timedelta(days=200)))


@pytest.mark.parametrize("is_indexed", [False, True])
def test_what_tend_would_do_is_what_it_does(person: None, tmp_path: Path, is_indexed: bool) -> None:
    """By the index or without; and where there is none, none is built for it."""
    late = _old(tmp_path / "old")
    if is_indexed:
        late.list()
    before = {path.name for path in (tmp_path / "old/.git/gitmem").glob("index*/**/*")}
    outlook = late.health().outlook
    assert {path.name for path in (tmp_path / "old/.git/gitmem").glob("index*/**/*")} == before
    tended = late.tend(dry_run=True).plan
    assert outlook is not None and outlook.tending is not None
    assert outlook.tending.by_action == {"archive": 2, "summarise": 0, "propose": 0, "cold": 1}
    assert (outlook.tending.kept, outlook.tending.looked_at) == (1, 4)
    assert outlook.tending.leaving == len(tended.archived) == 2
    assert (len(tended.plan.kept), len(tended.cold), tended.looked_at) == (1, 1, 4)
    told = [0] * STRENGTH_STEPS
    for strength in late.list(with_strengths=True).strengths.values():
        told[min(STRENGTH_STEPS - 1, int(strength * STRENGTH_STEPS))] += 1
    assert [sum(counts) for counts in zip(*outlook.strengths.values(), strict=True)] == told
    assert late.list(with_strengths=True).strengths.keys() == {each.path for each in late.list().records}
    assert late.at("HEAD").list(with_strengths=True).strengths == late.list().strengths == {}


def test_what_tend_would_do_is_not_told_where_it_cannot_be(person: None, tmp_path: Path) -> None:
    """On another branch, or to who may not see all: that is said, and is no finding."""
    folder = tmp_path / "old"
    late = _old(folder)
    on_working = late.on("working").health()
    assert on_working.outlook is not None and on_working.outlook.tending is None
    assert "tend looks at main" in str(on_working.outlook.not_told)
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + '\n[partitions.p]\nnamespaces = ["p/*"]\nread = ["person:*"]\n')
    git(folder, "commit", "-qam", "apart")
    agent = Store.open(folder, clock=FixedClock(NOW), identity=Identity(Kind.AGENT, "bot")).health()
    assert agent.outlook is not None and agent.outlook.tending is None
    assert "may not read the partition p" in str(agent.outlook.not_told)
    assert agent.outlook.strengths and not agent.findings
    assert "tend      not told: tend speaks of the whole store" in health_text(agent)
