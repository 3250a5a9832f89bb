"""What is over its limit is a finding, what could not be looked at too; each says what to do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from gitmem.errors import StoreProblem
from gitmem.flows.wellbeing.findings import RULES, findings_of
from gitmem.flows.wellbeing.measures import NOT_READ, Health, Latency, Outlook, Tending, Troubles
from gitmem.store import Store
from gitmem.versions.health_settings import SETTINGS, HealthSettings, parse_health_settings
from tests.conftest import NOW, git, gitmem
from tests.wellbeing.sample import Sample

EMPTY = Health(branch="main", commit=None, moment=NOW, name="team")


def configure(folder: Path, *lines: str) -> None:
    """Commits limits by plain git."""
    config = folder / ".gitmem/config.toml"
    config.write_text("\n".join([config.read_text(), "[health]", *lines, ""]))
    git(folder, "commit", "-qam", "limits")


def test_every_setting_has_a_rule_and_every_rule_a_setting() -> None:
    assert set(RULES) == set(SETTINGS)


@pytest.mark.parametrize(("limit", "is_over"), [(3, False), (2, True), (0, True), (None, False)])
def test_only_more_than_the_limit_is_over(sample: Sample, limit: int | None, is_over: bool) -> None:
    """At the limit all is well; without one, always."""
    health = sample.open().health()
    assert health.troubles is not None
    links = health.troubles.broken_links
    three = replace(health, troubles=replace(health.troubles, broken_links=(*links, links[0])))
    found = [
        each.code for each in findings_of(three, HealthSettings(broken_headers=None, broken_links=limit))
    ]
    assert found == (["broken_links"] if is_over else [])


@pytest.mark.parametrize("name", SETTINGS)
def test_every_limit_can_be_exceeded(sample: Sample, name: str) -> None:
    """Each measure reaches its rule: a limit below what the sample has is a finding that names it."""
    health = replace(sample.open().health(), unfinished_writes=2)
    assert health.objects is not None
    health = replace(health, objects=replace(health.objects, pack_bytes=3 * 2**20))
    index = replace(health.indexes[0], commits_behind=3, seconds_behind=3 * 86_400.0)
    tending = Tending({"archive": 2, "cold": 5}, 0, 9)
    health = replace(health, indexes=[index], outlook=Outlook({}, tending))
    nothing = HealthSettings(**dict.fromkeys(SETTINGS))
    assert not list(findings_of(health, nothing))
    (finding,) = findings_of(health, replace(nothing, **{name: 0}))
    assert (finding.code, finding.limit) == (name, 0)
    assert finding.value is not None and finding.value > 0
    assert f"{finding.value:,.0f}, more than 0" in finding.message
    assert finding.hint


def test_few_recalls_are_no_finding(sample: Sample) -> None:
    """The first of a process is always slow."""
    slow = Latency(recalls=19, p50=9.0, p95=9.0, p99=9.0, slowest=9.0)
    assert not list(findings_of(replace(EMPTY, latency=slow), HealthSettings()))
    many = replace(slow, recalls=20)
    assert [each.code for each in findings_of(replace(EMPTY, latency=many), HealthSettings())] == [
        "recall_ms"
    ]


def test_what_was_not_measured_is_over_no_limit() -> None:
    assert not list(findings_of(EMPTY, HealthSettings(**dict.fromkeys(SETTINGS, 0))))
    assert not list(findings_of(replace(EMPTY, troubles=Troubles()), HealthSettings()))


def test_limits_come_from_the_committed_config(own_sample: Sample) -> None:
    configure(
        own_sample.folder, "broken_headers = 1", "disputes = 0", "packs = false", "loose_objects = false"
    )
    health = own_sample.open().health()
    assert [each.code for each in health.findings] == ["disputes"]
    assert not health.is_well


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"health": {"packs": -1}}, "health.packs must be a whole number from 0"),
        ({"health": {"packs": True}}, "health.packs must be"),
        ({"health": {"packs": "many"}}, "health.packs must be"),
        ({"health": {"packs": 1.5}}, "health.packs must be"),
        ({"health": {"packs": 10**16}}, "health.packs must be"),
        ({"health": 3}, "health must be a table"),
    ],
)
def test_a_limit_that_is_none_is_named(table: dict[str, object], said: str) -> None:
    with pytest.raises(StoreProblem, match=said):
        parse_health_settings(table, where="main:.gitmem/config.toml")


def test_settings_that_are_not_known_are_left_alone() -> None:
    read = parse_health_settings({"health": {"mood": "fine", "packs": 7, "disputes": False}}, where="x")
    assert read == HealthSettings(packs=7, disputes=None)


@pytest.mark.parametrize("is_indexed", [True, False])
def test_a_memory_that_cannot_be_read_is_named_and_the_rest_is_told(
    counting: None, store: Store, folder: Path, is_indexed: bool
) -> None:
    store.remember("Alice wants reports.", id="alice", title="Reports")
    store.remember("Tea at four.", id="tea", title="Tea")
    if is_indexed:
        store.recall("tea")
    path = store.show("tea").memory.path
    oid = git(folder, "rev-parse", f"main:{path}").strip()
    (folder / ".git/objects" / oid[:2] / oid[2:]).unlink()
    store = Store.open(folder, clock=store._work.clock)
    health = store.health()
    assert {each.code for each in health.findings} == {NOT_READ}
    assert all(path in each.message and "doctor" in each.hint for each in health.findings)
    assert health.size is not None
    assert health.size.memories == 2
    assert health.troubles is not None
    ran = gitmem(folder, "health", "--json")
    assert ran.code == 1
    assert {each["part"] for each in ran.json["not_looked_at"]} == {"sizes on main", "memories"}
    assert 'gitmem_health_unread{part="memories"} 1' in gitmem(folder, "health", "--prometheus").out


def test_anchors_that_nobody_can_look_at_are_no_good_anchors(own_sample: Sample) -> None:
    git(own_sample.folder, "config", "gitmem.codeRepository", "/nowhere/at/all")
    health = own_sample.open().health()
    assert any("anchors were not looked at" in each.message for each in health.findings)


def test_a_log_that_may_not_be_read_is_a_finding(own_sample: Sample) -> None:
    """Not zero recalls."""
    log = own_sample.folder / ".git/gitmem/usage/log"
    if os.geteuid() == 0:
        pytest.skip("root may read everything; see the stores of other users")
    log.chmod(0)
    health = own_sample.open().health()
    assert health.latency is None
    assert any(each.part == "recall times" for each in health.unread)


def test_health_changes_nothing(own_sample: Sample) -> None:
    """No ref, no index, no file of the worktree; what it found out of anchors may be kept."""

    def state() -> tuple[str, set[tuple[str, int]]]:
        home = own_sample.folder / ".git"
        kept = {
            (str(file.relative_to(home)), file.stat().st_mtime_ns)
            for file in home.rglob("*")
            if file.is_file() and file.name not in ("anchors.json", "index") and "versions" not in file.parts
        }
        return git(own_sample.folder, "for-each-ref") + git(own_sample.folder, "status", "--porcelain"), kept

    before = state()
    first = own_sample.open().health()
    assert state() == before
    assert own_sample.open().health() == first
