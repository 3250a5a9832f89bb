"""How long a recall took stands beside its uses: for those who know of it, and in nobody's way."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.clock import iso_seconds
from gitmem.model.usage import Took, counts_of_events, durations_in, event_line, parse_event
from gitmem.store import Store
from gitmem.versions.usage_log import FULL_LOG_BYTES, UsageLog
from tests.conftest import NOW

MOMENT = "2026-11-29T15:30:12Z"


def test_every_recall_is_timed_also_one_that_finds_nothing(
    counting: None, store: Store, folder: Path
) -> None:
    store.remember("Alice wants reports.", id="alice")
    store.recall("reports")
    store.recall("nothing of the kind")
    store.list()
    store.show("alice")
    log = (folder / ".git/gitmem/usage/log").read_text("ascii")
    durations = durations_in(log)
    assert [took.moment for took in durations] == [MOMENT, MOMENT]
    assert all(took.microseconds > 0 for took in durations)
    latency = store.health().latency
    assert latency is not None
    assert latency.recalls == 2


def test_where_uses_are_not_counted_nothing_is_timed(store: Store, folder: Path) -> None:
    """And health says so, instead of zero."""
    store.remember("Alice wants reports.", id="alice")
    store.recall("reports")
    assert not (folder / ".git/gitmem/usage").exists()
    health = store.health()
    assert (health.latency, health.is_counting, health.findings) == (None, False, ())


def test_a_version_that_knows_no_durations_passes_over_them() -> None:
    """Its rule for a line that is an event: a moment, `recall` or `show`, ids, a dot."""
    line = Took(MOMENT, 18_250).line()
    assert parse_event(line.strip()) is None
    text = event_line("recall", ["alice"], MOMENT) + line + event_line("show", ["bob"], MOMENT)
    assert sorted(counts_of_events(text)) == ["alice", "bob"]
    assert durations_in(text) == [Took(MOMENT, 18_250)]


@pytest.mark.parametrize(
    "line",
    [
        f"{MOMENT} took 12",
        f"{MOMENT} took -1 .",
        f"{MOMENT} took 1.5 .",
        f"{MOMENT} took {'9' * 13} .",
        f"{MOMENT} took ١٢ .",
        "yesterday took 12 .",
        f"{MOMENT} recall took 12 .",
    ],
)
def test_a_line_that_is_cut_short_or_odd_is_passed_over(line: str) -> None:
    assert durations_in(f"\n{line}\n{MOMENT} took 7 .") == [Took(MOMENT, 7)]


def fill(log: UsageLog, number: int) -> None:
    for each in range(number):
        log.record("recall", ["alice", "bob"], NOW + timedelta(seconds=each), microseconds=each)


def test_durations_outlive_the_log_they_were_in_each_once(tmp_path: Path) -> None:
    log = UsageLog(tmp_path)
    fill(log, 1000)
    assert not (tmp_path / "usage/log").stat().st_size > FULL_LOG_BYTES
    assert [took.microseconds for took in log.durations()] == list(range(1000))
    assert log.own()["alice"].recalled == 1000


def test_no_duration_counts_twice_after_a_kill(tmp_path: Path) -> None:
    """Durations are kept before uses are: killed between, the next fold finds them kept."""
    log = UsageLog(tmp_path)
    fill(log, 400)
    kept = (tmp_path / "usage/counts").read_bytes() if (tmp_path / "usage/counts").exists() else None
    waiting = sorted((tmp_path / "usage").glob("log-*"))
    assert waiting
    from gitmem.versions.usage_durations import keep_durations

    keep_durations(tmp_path / "usage", waiting)
    assert len(log.durations()) == 400
    keep_durations(tmp_path / "usage", waiting)
    assert len(log.durations()) == 400
    fill(log, 400)
    assert len(log.durations()) == 800
    assert kept is None or (tmp_path / "usage/counts").read_bytes() != kept
    assert log.own()["alice"].recalled == 800


def test_the_newest_few_thousand_are_kept(tmp_path: Path) -> None:
    log = UsageLog(tmp_path)
    fill(log, 3_000)
    durations = log.durations()
    assert len(durations) == 2_000
    assert durations[-1] == Took(iso_seconds(NOW + timedelta(seconds=2_999)), 2_999)


def test_old_recalls_and_those_of_a_clock_ahead_are_left_out(
    counting: None, store: Store, folder: Path
) -> None:
    usage = folder / ".git/gitmem/usage"
    usage.mkdir(parents=True)
    moments = ["2026-10-30T15:30:11Z", "2026-10-30T15:30:12Z", MOMENT, "2026-11-29T15:30:13Z"]
    (usage / "log").write_text("".join(Took(moment, 1000).line() for moment in moments))
    latency = store.health().latency
    assert latency is not None
    assert [day for day, *_ in latency.by_day] == ["2026-10-30", "2026-11-29"]
    assert latency.recalls == 2
