"""The past: the same verbs, at a date, a commit or a tag."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import BadInput, NotFound, Refused
from gitmem.model.ids import CommitId
from gitmem.store import Store
from tests.conftest import git, gitmem


def at(folder: Path, moment: str) -> Store:
    return Store.open(folder, clock=FixedClock(datetime.fromisoformat(moment)))


@pytest.fixture
def aged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """What was known about the harbor changed in January, February and March, one commit a month."""
    for moment in ("2026-01-15T10:00:00Z",):
        monkeypatch.setenv("GIT_COMMITTER_DATE", moment)
    git(folder, "commit", "-q", "--amend", "--no-edit", "--date", "2026-01-15T10:00:00Z")
    at(folder, "2026-01-15T10:00:01Z").remember("The harbor is deployed on Fridays", id="deploy")
    at(folder, "2026-02-15T10:00:00Z").update("deploy", "The harbor is deployed on Tuesdays")
    git(folder, "tag", "moved-to-tuesday")
    at(folder, "2026-02-20T10:00:00Z").remember("The harbor has a crane", id="crane", valid_until="2026-03")
    at(folder, "2026-03-15T10:00:00Z").archive(["deploy"])
    return at(folder, "2026-11-29T15:30:12Z")


def known(store: Store, query: str = "harbor deployed") -> list[str]:
    return [each.hit.record.id for each in store.recall(query).hits]


WHENS = [
    ("2026-01-15", "Fridays"),
    ("2026-01", "Fridays"),
    ("2026-02-15T09:59:59Z", "Fridays"),
    ("2026-02-15T10:59:59+01:00", "Fridays"),
    ("2026-02-15T10:00:00Z", "Tuesdays"),
    ("2026-02-15", "Tuesdays"),
    ("moved-to-tuesday", "Tuesdays"),
    ("moved-to-tuesday~1", "Fridays"),
    (date(2026, 2, 14), "Fridays"),
    (date(2026, 2, 15), "Tuesdays"),
    (datetime(2026, 2, 15, 9), "Fridays"),
    (datetime(2026, 2, 15, 10, tzinfo=UTC), "Tuesdays"),
]


@pytest.mark.parametrize(("when", "day"), WHENS)
def test_a_date_commit_or_tag_names_a_moment(aged: Store, when: str | date, day: str) -> None:
    """A date means its last moment, in UTC where it does not say otherwise."""
    past = aged.at(when)
    assert day in past.show("deploy").memory.body
    assert [record.id for record in past.list().records] == ["deploy"]
    (hit,) = past.recall("harbor").hits
    assert day in hit.snippet.text
    assert past.recall("harbor").commit == past.commit


def test_a_commit_is_named_by_any_part_of_its_id(aged: Store) -> None:
    commit = aged.at("moved-to-tuesday").commit
    assert commit is not None
    assert aged.at(commit).commit == aged.at(commit[:8]).commit == commit
    assert aged.at(CommitId(commit)).list().total == 1


def test_before_the_first_commit_nothing_is_known(aged: Store, folder: Path) -> None:
    """It is said when the store begins; an answer of nothing would be a lie."""
    with pytest.raises(NotFound, match="the store begins at 2026-01-15T10:00:00Z"):
        aged.at("2026-01-14")
    ran = gitmem(folder, "recall", "harbor", "--as-of", "2025")
    assert (ran.code, ran.out) == (3, "")
    assert "begins" in ran.err


@pytest.mark.parametrize("when", ["nosuch", "2026-13", "last-of-all", "--all", "2026-02-30"])
def test_what_names_nothing_is_not_found(aged: Store, when: str) -> None:
    with pytest.raises(NotFound):
        aged.at(when)


def test_an_empty_name_is_wrong_use(aged: Store) -> None:
    with pytest.raises(BadInput, match="--as-of"):
        aged.at(" ")


def test_an_unborn_store_has_no_past(person: None, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    with pytest.raises(NotFound, match="no commit yet"):
        Store.open(tmp_path).at("2026")


def test_the_future_is_the_present(aged: Store) -> None:
    """Nothing is known of it; what expires until then has not expired."""
    aged.remember("The crane is insured", id="insured", valid_until="2027-01")
    (hit, _) = aged.at("2030").recall("crane insured").hits
    assert (hit.hit.record.id, hit.hit.labels) == ("insured", ())
    assert known(aged.at("2030"), "crane") == known(aged, "crane")
    (hit,) = aged.at("2026-03-31").recall("crane").hits
    assert hit.hit.labels == ()
    (hit,) = aged.at("2026-04-01").recall("crane").hits
    assert hit.hit.labels == ("expired",)


def test_the_past_is_read_only(aged: Store) -> None:
    """One line says so, and what to do."""
    past = aged.at("2026-02-15")
    for write in (
        lambda: past.remember("x"),
        lambda: past.update("deploy", "x"),
        lambda: past.archive(["deploy"]),
        lambda: past.undo(),
    ):
        with pytest.raises(Refused, match="the past is read-only"):
            write()


def test_history_goes_on_in_the_past(aged: Store) -> None:
    """log, diff, blame and versions end at the moment."""
    past = aged.at("moved-to-tuesday")
    assert [entry.number for entry in past.log("deploy").entries] == [2, 1]
    assert past.show("deploy@v1").number == 1
    assert len(past.diff("deploy").difference.lines) > 0
    assert {line.entry.number for line in past.blame("deploy").lines} == {1, 2}
    assert len(aged.at("2026-01-15").log("deploy").entries) == 1
    with pytest.raises(NotFound):
        aged.at("2026-01-15").show("crane")


def test_the_archive_has_the_same_past(aged: Store) -> None:
    """What was archived later still stands on the branch; what was archived by then is found when asked for."""
    assert known(aged) == ["crane"]
    assert sorted(known(aged.at("2026-03-14"))) == ["crane", "deploy"]
    then = aged.at("2026-03-15").recall("harbor deployed", archived=True)
    assert {each.hit.record.id: each.hit.labels for each in then.hits} == {
        "deploy": ("archived",),
        "crane": (),
    }
    before = aged.at("2026-03-14").recall("harbor deployed", archived=True)
    assert {each.hit.record.id: each.hit.labels for each in before.hits} == {"deploy": (), "crane": ()}
    shown = aged.at("2026-03-15").show("deploy")
    assert shown.is_archived
    assert aged.on("archive").at("2026-03-15").list().total == 1
    with pytest.raises(NotFound, match="archive begins"):
        aged.on("archive").at("2026-03-14")


def test_a_side_branch_means_its_tree(aged: Store, folder: Path) -> None:
    """Work that was merged is known from its merge on; the commits beside the chain can be named."""
    git(folder, "checkout", "-qb", "side", "moved-to-tuesday")
    (folder / "dock.md").write_text("---\nid: dock\n---\nThe harbor has a dock\n")
    git(folder, "add", "dock.md")
    git(folder, "commit", "-qm", "a dock", "--date", "2026-02-16T00:00:00Z")
    side = git(folder, "rev-parse", "HEAD").strip()
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "-m", "merge", "side")
    assert sorted(known(aged.at(side))) == ["deploy", "dock"]
    assert sorted(known(aged.at("side"))) == ["deploy", "dock"]
    assert known(aged.at("2026-02-16")) == ["deploy"]
    assert sorted(known(aged.at("2026-12"))) == ["crane", "dock"]


def test_filters_and_both_clocks_go_together(aged: Store) -> None:
    """What was known then about what was valid then."""
    past = aged.at("2026-02-20")
    assert past.list(Store.where(valid_at="2026-04")).total == 1
    assert past.list(Store.where(valid_at="2026-03")).total == 2
    assert past.recall("harbor", Store.where(valid_at="2026-04")).total == 1
    assert past.recall("harbor", Store.where(until="2026-02-01")).total == 1


def test_the_commands_look_back(aged: Store, folder: Path) -> None:
    """recall, list and show, in text and JSON."""
    recalled = gitmem(folder, "recall", "harbor", "--as-of", "2026-01", "--json").json
    assert [each["id"] for each in recalled["results"]] == ["deploy"]
    assert recalled["commit"] == aged.at("2026-01").commit
    assert gitmem(folder, "list", "--as-of", "2026-02-20", "--json").json["total"] == 2
    assert gitmem(folder, "list", "--as-of", "2026-02-20", "--valid-at", "2027", "--json").json["total"] == 1
    assert "Fridays" in gitmem(folder, "show", "deploy", "--as-of", "moved-to-tuesday~1").out
    raw = gitmem(folder, "show", "deploy", "--raw", "--as-of", "2026-02-15").out
    assert raw == git(folder, "show", "moved-to-tuesday:" + aged.at("2026-02-15").show("deploy").memory.path)
    assert gitmem(folder, "show", "deploy", "--as-of", "yesteryear").code == 3
    assert gitmem(folder, "recall", "harbor", "--valid-at", "soon").code == 2


def test_status_tells_how_fresh_the_past_is(aged: Store, folder: Path) -> None:
    """Asking changes nothing."""
    assert gitmem(folder, "status", "--json").json["past"] == {"commit": None, "current": False}
    aged.at("2026-01").recall("harbor")
    assert gitmem(folder, "status", "--json").json["past"] == {"commit": aged.commit, "current": True}
    assert "past      current" in gitmem(folder, "status").out
    aged.remember("more")
    assert not gitmem(folder, "status", "--json").json["past"]["current"]
    assert "past      behind" in gitmem(folder, "status").out


def test_a_clock_that_ran_backwards_hides_nothing(store: Store, folder: Path) -> None:
    """What a commit holds is known from the latest time before it on."""
    at(folder, "2026-12-05T00:00:00Z").remember("first harbor", id="one")
    at(folder, "2026-12-01T00:00:00Z").remember("second harbor", id="two")
    at(folder, "2026-12-09T00:00:00Z").remember("third harbor", id="three")
    assert sorted(known(store.at("2026-12-05"))) == ["one", "two"]
    with pytest.raises(NotFound, match="no memory 'one'"):
        store.at("2026-12-04").show("one")
