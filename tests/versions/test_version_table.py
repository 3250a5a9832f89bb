"""The version table of a branch: whatever happened, it says what a walk through git says."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings

from gitmem.git.trees import decode_path
from gitmem.model.ids import CommitId
from gitmem.versions import following
from gitmem.versions.attachments import text_of_attachments
from gitmem.versions.chain import standing_at
from gitmem.versions.config import StoreConfig
from gitmem.versions.history import history
from gitmem.versions.lifetimes import Lifetimes
from gitmem.versions.place import Place
from gitmem.versions.table import OPEN, VersionTable
from gitmem.versions.table_files import table_file
from gitmem.versions.tables import table_of
from tests.versions.histories import Story, stories

PROPERTY = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@contextmanager
def _by_table_alone() -> Iterator[None]:
    """Histories open the table at once, instead of walking the newest commits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gitmem.versions.history.WALKED_COMMITS", 0)
        yield


@contextmanager
def _by_walk_alone() -> Iterator[None]:
    """No table is to be had."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gitmem.versions.history.table_holding", lambda *_: nullcontext(None))
        patch.setattr("gitmem.versions.history.steps_by_git", lambda _: iter(()))
        yield


def versions(place: Place, commit: CommitId, path: str) -> list[tuple[object, ...]]:
    return [
        (
            *(step.commit.id, step.path, step.blob, step.renamed_from),
            *(step.moved_from, step.is_move, step.is_born, step.is_cut),
        )
        for step in history(place, commit, path)
    ]


def keys_at(table: VersionTable, commit: CommitId) -> list[int] | None:
    """The keys of the memories that `commit` has; None where it is not on the chain."""
    ordinal = table.ordinal_of(commit)
    return None if ordinal is None else Lifetimes(*table.all_spans()).live(ordinal)


def paths_of(story: Story, commit: CommitId) -> list[str]:
    return [path for path in story.trees[commit] if path.endswith(".md")]


A_FOLDER_IN_BETWEEN = [
    (("commit", [("write", 0, ("", "owl"))]), 0),
    (("commit", [("folder", 0)]), 1),
    (("commit", [("write", 0, ("", "owl"))]), 1),
]


@PROPERTY
@example(A_FOLDER_IN_BETWEEN)
@given(stories)
def test_histories_by_table_are_those_by_walk(
    person: None, tmp_path_factory: pytest.TempPathFactory, told: list[Any]
) -> None:
    """After each event, for each file of the tips and of one commit of the past, on both branches."""
    story = Story.begin(tmp_path_factory.mktemp("story"))
    for event, pause in told:
        story.tell(event, pause)
        place = story.place
        for branch in ("main", "archive"):
            chain = story.chain(branch)
            for commit in dict.fromkeys((*chain[-1:], *chain[len(chain) // 2 :][:1])):
                for path in paths_of(story, commit):
                    with _by_walk_alone():
                        walked = versions(place, commit, path)
                    with _by_table_alone():
                        assert versions(place, commit, path) == walked
                    assert versions(place, commit, path) == walked


@PROPERTY
@given(stories)
def test_the_table_knows_every_snapshot_of_the_chain(
    person: None, tmp_path_factory: pytest.TempPathFactory, told: list[Any]
) -> None:
    """Paths, blobs and the text of attachments, for each commit, whatever was followed and cut back before."""
    story = Story.begin(tmp_path_factory.mktemp("story"))
    for event, pause in told:
        story.tell(event, pause)
        tip = story.tip()
        if tip is None:
            continue
        place = story.place
        with table_of(place, "main", tip) as table:
            assert table is not None
            for commit in story.chain():
                keys = keys_at(table, commit)
                assert keys is not None and len(set(keys)) == len(keys)
                documents = table.documents(keys)
                snapshot = place.snapshot(commit)
                assert sorted((decode_path(each.path), each.blob) for each in documents) == sorted(
                    snapshot.files()
                )
                for each in documents:
                    path = decode_path(each.path)
                    there = text_of_attachments(place.snapshot(each.commit), path)
                    assert there == text_of_attachments(snapshot, path)
                    assert each.has_attachments or not there
            others = set(story.trees) - set(story.chain())
            assert all(keys_at(table, CommitId(commit)) is None for commit in others)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@PROPERTY
@given(stories)
def test_a_date_means_the_last_commit_by_then(
    person: None, tmp_path_factory: pytest.TempPathFactory, told: list[Any]
) -> None:
    """By the running maximum of committer times; by table and by walk."""
    story = Story.begin(tmp_path_factory.mktemp("story"))
    for event, pause in told:
        story.tell(event, pause)
    chain = [story.repository.commit(commit) for commit in story.chain()]
    times = [commit.committer_time for commit in chain]
    for moment in {
        *times,
        *(time - timedelta(seconds=1) for time in times),
        datetime.max.replace(tzinfo=UTC),
    }:
        latest = [max(times[: number + 1]) for number in range(len(times))]
        by_then = [commit.id for commit, last in zip(chain, latest, strict=True) if last <= moment]
        expected = by_then[-1] if by_then else None
        for is_there in (False, True):
            if not is_there:
                _remove(story.place.home)
                story.place.home.write_text("no folder can be made here")
            else:
                _remove(story.place.home)
            found = standing_at(story.place, "main", moment)
            if not times:
                assert found is None
            else:
                assert found is not None
                assert (found.commit, found.began) == (expected, times[0])
        shutil.rmtree(story.place.home, ignore_errors=True)


@pytest.fixture
def told(person: None, tmp_path: Path) -> Story:
    """A store of 60 commits on one memory and a few others."""
    story = Story.begin(tmp_path)
    for number in range(60):
        text = ("", f"kestrel {number // 3}")
        story.tell(("commit", [("write", number % 4, text)]), 60)
    return story


def histories(story: Story) -> list[list[tuple[object, ...]]]:
    tip = story.tip()
    assert tip is not None
    return [versions(story.place, tip, path) for path in paths_of(story, tip)]


@pytest.mark.parametrize("damage", ["truncated", "garbage", "empty", "folder", "gone", "other format"])
def test_a_damaged_table_changes_no_answer(told: Story, damage: str) -> None:
    """It is built anew, or done without."""
    with _by_walk_alone():
        expected = histories(told)
    with _by_table_alone():
        assert histories(told) == expected
        file = table_file(told.place, "main")
        data = file.read_bytes()
        file.unlink()
        match damage:
            case "truncated":
                file.write_bytes(data[: len(data) // 2])
            case "garbage":
                file.write_bytes(data[:100] + b"\xff" * (len(data) - 100))
            case "empty":
                file.touch()
            case "folder":
                file.mkdir()
            case "other format":
                file.write_bytes(data)
                connection = sqlite3.connect(file)
                connection.execute("PRAGMA user_version = 77")
                connection.close()
        assert histories(told) == expected
        assert histories(told) == expected


def test_a_table_that_is_locked_or_read_only_is_done_without(told: Story) -> None:
    """Nobody waits long for what saves work only."""
    with _by_walk_alone():
        expected = histories(told)
    with _by_table_alone():
        assert histories(told) == expected
        told.tell(("commit", [("write", 0, ("", "owl"))]), 60)
        with _by_walk_alone():
            expected = histories(told)
        connection = sqlite3.connect(table_file(told.place, "main"), isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
        assert histories(told)[:1] == expected[:1]
        connection.execute("ROLLBACK")
        connection.close()
        assert histories(told) == expected


def test_a_cheap_caller_follows_only_a_little(told: Story) -> None:
    """What is far behind is left to who needs it, and nothing half done is seen."""
    tip = told.tip()
    assert tip is not None
    with table_of(told.place, "main", tip, most_commits=59) as table:
        assert table is None
    with table_of(told.place, "main", tip, most_commits=60) as table:
        assert table is not None
        assert table.tip() == (59, tip)


def test_a_rewritten_branch_is_read_from_where_it_parted(
    told: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five commits back and one new: one step is read, and nothing of the old end is left."""
    tip = told.tip()
    assert tip is not None
    with table_of(told.place, "main", tip):
        pass
    told.tell(("reset", 5), 1)
    told.tell(("commit", [("write", 9, ("", "new"))]), 1)
    steps: list[object] = []
    between = following.changes_between

    def counted(*arguments: Any) -> Any:
        steps.append(arguments)
        return between(*arguments)

    monkeypatch.setattr(following, "changes_between", counted)
    new = told.tip()
    assert new is not None
    with table_of(told.place, "main", new) as table:
        assert table is not None
        assert table.tip() == (55, new)
        assert table.ordinal_of(tip) is None
        assert [span.began for span in table.spans("semantic/n9.md", new, OPEN, 9)] == [55]
    assert len(steps) == 1


def test_attachments_make_another_document_but_no_version(told: Story) -> None:
    """What is searched of a memory differs, the memory does not."""
    keys = []
    for text in ("merlin", "egg", "merlin"):
        told.tell(("commit", [("attach", 1, text)]), 1)
        tip = told.tip()
        assert tip is not None
        with table_of(told.place, "main", tip) as table:
            assert table is not None
            keys.append(set(keys_at(table, tip) or ()))
    assert keys[0] == keys[2] != keys[1]
    before = versions(told.place, told.chain()[-4], "semantic/n1.md")
    with _by_table_alone():
        assert versions(told.place, told.chain()[-1], "semantic/n1.md") == before


def test_another_process_may_be_faster(told: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where locks do not work, the table moves between looking and writing, and is looked at again."""
    with table_of(told.place, "main", told.chain()[40]):
        pass
    real, is_first = following._gap, [True]

    def gap(table: VersionTable, *rest: Any) -> Any:
        found = real(table, *rest)
        if is_first.pop() if is_first else False:
            following.follow(table, told.repository, StoreConfig(), told.chain()[20])
        return found

    monkeypatch.setattr(following, "_gap", gap)
    tip = told.tip()
    assert tip is not None
    with table_of(told.place, "main", tip) as table:
        assert table is not None
        assert table.tip() == (59, tip)
    with _by_walk_alone():
        expected = histories(told)
    with _by_table_alone():
        assert histories(told) == expected


def test_other_excludes_mean_other_memories(told: Story) -> None:
    """The table follows the config."""
    tip = told.tip()
    assert tip is not None
    for exclude, count in (((), 4), (("semantic/n1*",), 3), ((), 4)):
        place = Place(told.repository, StoreConfig(exclude=exclude))
        with table_of(place, "main", tip) as table:
            assert table is not None
            assert len(keys_at(table, tip) or ()) == count


def test_a_clone_that_is_deepened_gets_its_history(told: Story, tmp_path: Path) -> None:
    """The border of a shallow clone is the end of every history, as long as it is there."""
    source = told.repository.git_dir
    run = ["git", "clone", "-q", "--bare", "--depth", "30", f"file://{source}", str(tmp_path / "shallow.git")]
    subprocess.run(run, check=True)
    shallow = Story.begin(tmp_path / "other")
    shallow.repository = type(told.repository)(tmp_path / "shallow.git")
    shallow.trees = told.trees
    for _ in range(2):
        with _by_walk_alone():
            expected = histories(shallow)
        with _by_table_alone():
            assert histories(shallow) == expected
        is_cut = expected[0][-1][-1]
        subprocess.run(["git", "fetch", "-q", "--unshallow"], cwd=tmp_path / "shallow.git", check=False)
    assert not is_cut
    assert histories(shallow) == histories(told)
    early = told.repository.commit(told.chain()[2]).committer_time
    for story in (shallow, told):
        found = standing_at(story.place, "main", early)
        assert found is not None and found.commit == told.chain()[2]


_FOLLOW = """
import sys
from pathlib import Path
from gitmem.git.repository import Repository
from gitmem.versions import following
from gitmem.versions.config import StoreConfig
from gitmem.versions.place import Place
from gitmem.versions.tables import table_of
following._CHUNK_COMMITS = 7
place = Place(Repository(Path(sys.argv[1])), StoreConfig())
with table_of(place, "main", place.tip("main")) as table:
    assert table is not None
"""


@pytest.mark.parametrize(
    "fault", ["table.filled:1", "table.filled:4", "table.filled-and-kept:1", "table.filled-and-kept:5"]
)
def test_whoever_is_killed_leaves_a_table_that_holds(
    told: Story, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was kept is kept, and the next one goes on from there."""
    with _by_walk_alone():
        expected = histories(told)
    monkeypatch.setenv("GITMEM_FAULT", fault)
    command = [sys.executable, "-c", _FOLLOW, str(told.repository.git_dir)]
    done = subprocess.run(command, check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    monkeypatch.delenv("GITMEM_FAULT")
    table = VersionTable(table_file(told.place, "main"))
    kept = table.tip()
    table.close()
    number = int(fault.rpartition(":")[2])
    assert (0 if kept is None else kept[0] + 1) == 7 * (number - ("filled:" in fault))
    with _by_table_alone():
        assert histories(told) == expected


def test_several_processes_build_one_table(told: Story) -> None:
    """Whoever comes second waits or goes on; the table is that of the tip."""
    command = [sys.executable, "-c", _FOLLOW, str(told.repository.git_dir)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(4)]
    assert [process.communicate()[1] for process in processes] == [b""] * 4
    tip = told.tip()
    assert tip is not None
    with _by_walk_alone():
        expected = histories(told)
    with _by_table_alone():
        assert histories(told) == expected
