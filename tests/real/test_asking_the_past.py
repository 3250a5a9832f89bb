"""What was known about a topic in 2016, in 2020 and today, on notes kept in git since 2015."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.store import Store
from tests.conftest import git, gitmem
from tests.real.test_real_input import data, notes, pytestmark

__all__ = ["data", "notes", "pytestmark"]

TOPICS = ("switch git branches", "docker", "rename a column in postgres", "vim registers", '"last commit"')


@pytest.mark.timeout(900)
def test_the_past_is_what_a_fresh_clone_of_it_says(notes: Path, data: Path, tmp_path: Path) -> None:
    """The same notes in the same order with the same scores as a clone checked out at that commit."""
    store = Store.init(notes)
    for year in ("2016", "2020", "2026"):
        began = time.process_time()
        then = store.at(year)
        answers = {topic: then.recall(topic, limit=20) for topic in TOPICS}
        seconds = time.process_time() - began
        assert then.commit is not None
        newest = git(notes, "log", "-1", "--format=%cs", then.commit).strip()
        assert newest.startswith(year)
        clone = tmp_path / f"til-{year}"
        git(tmp_path, "clone", "-q", str(data / "til.bundle"), clone.name)
        is_adopted = git(notes, "log", "-1", "--format=%s", then.commit).startswith("init: ")
        commit = git(notes, "rev-parse", f"{then.commit}~1").strip() if is_adopted else then.commit
        git(clone, "checkout", "-q", "-B", "then", commit)
        moment = then._work.moment
        assert moment is not None
        fresh = Store.init(clone, clock=FixedClock(moment))
        assert fresh.list().total == then.list().total
        for topic, answer in answers.items():
            expected = fresh.recall(topic, limit=20)
            assert [(each.hit, each.snippet) for each in answer.hits] == [
                (each.hit, each.snippet) for each in expected.hits
            ]
            assert answer.total == expected.total
        print(f"\nas of {year}: {then.list().total} notes, {seconds:.2f} s CPU for {len(TOPICS)} questions")


@pytest.mark.timeout(900)
def test_docker_was_unknown_in_2016(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the command: nothing then, one note in 2020, several today; before 2015 there is no store.

    Histories are looked up from then on, and miss no commit that git names.
    """
    assert gitmem(notes, "init").code == 0
    found = {
        year: gitmem(notes, "recall", "docker", "--as-of", year, "--json", timeout=300).json["total"]
        for year in ("2016", "2020", "2026")
    }
    assert found["2016"] == 0
    assert found["2020"] == 1
    assert found["2026"] > 5
    (note,) = gitmem(notes, "recall", "docker", "--as-of", "2020", "--json").json["results"]
    assert note["path"] == "devops/ssh-into-a-docker-container.md"
    assert "SSH" in gitmem(notes, "show", note["path"], "--as-of", "2020").out
    assert gitmem(notes, "show", note["path"], "--as-of", "2016").code == 3
    ran = gitmem(notes, "recall", "docker", "--as-of", "2014")
    assert ran.code == 3
    assert "the store begins at 2015-02-07T03:50:36Z" in ran.err
    monkeypatch.setattr("gitmem.versions.history.WALKED_COMMITS", 0)
    store = Store.open(notes)
    paths = [path for path, _ in store.place.snapshot_of(store.branch).files()][::20]
    began = time.process_time()
    logs = {path: [entry.commit for entry in store.log(path).entries] for path in paths}
    milliseconds = (time.process_time() - began) * 1000 / len(paths)
    for path in paths[::9]:
        log = git(notes, "log", "--first-parent", "-m", "--format=%H", "--", path).split()
        assert set(logs[path]) >= set(log)
    print(f"\nlog of one note: {milliseconds:.1f} ms CPU over {len(paths)} notes")
