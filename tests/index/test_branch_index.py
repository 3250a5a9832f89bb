"""The index of a branch: caught up, complete, the same however it came about."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from whoosh.index import open_dir

from gitmem.index import branch_index, writing
from gitmem.index.branch_index import BranchIndex
from gitmem.index.content import IndexContent
from gitmem.index.place import IndexPlace
from gitmem.index.pool import IndexPool
from gitmem.index.storage import open_writer
from gitmem.index.view import IndexView
from gitmem.index.writing import to_fold
from gitmem.model.ids import CommitId
from gitmem.recall.search import search
from gitmem.recall.where import Where
from tests.index.counting_source import CountingSource
from tests.index.memory_source import MemorySource, found, note


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "git" / "gitmem" / "index" / "main"


@pytest.fixture(autouse=True)
def _git_directory(tmp_path: Path) -> None:
    (tmp_path / "git").mkdir()


def state_of(view: IndexView) -> object:
    """Everything a view can say, as one value."""
    queries = ["kestrel nest", "egg", "alpha-beta", "Title two", "n3", '"kestrel egg" nest', "owl 2024"]
    answers = [
        [(hit.record, hit.score, hit.reasons, hit.labels) for hit in answer.hits]
        + [answer.total, answer.notes]
        for query in queries
        for where in (Where(), Where(tags=("red",)), Where(since="2024-02-01"))
        for answer in [search(view, query, where, 3)]
    ]
    return answers, list(view.records()), view.known_tags(), view.count


BODIES = st.sampled_from(
    [
        "kestrel nest",
        "kestrel egg nest nest",
        "egg and alpha-beta",
        "owl",
        "",
        "# Title two\n\nkestrel",
        "owl egg " * 30,
    ]
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "tags": st.sampled_from(["[red]", "[red, blue]", "[]"]),
        "created": st.sampled_from(["2024-01-05", "2024-02-05T10:00:00Z", "2024-02-05T10:00:00Z"]),
        "importance": st.sampled_from(["0.1", "0.9"]),
        "supersedes": st.sampled_from(["[n1]", "[n2, n3]"]),
        "status": st.sampled_from(["superseded", "disputed"]),
        "agent": st.sampled_from(["kestrel", "bot"]),
        "session": st.sampled_from(["one", "two"]),
        "related": st.sampled_from(["[{to: n1, type: see}]", "[{to: n2, type: see}]"]),
        "confidence": st.sampled_from(["0.2", "0.8"]),
    },
)
NUMBERS = st.integers(0, 7)
CHANGES = st.one_of(
    st.tuples(st.just("write"), NUMBERS, BODIES, FIELDS),
    st.tuples(st.just("delete"), NUMBERS),
    st.tuples(st.just("rename"), NUMBERS, NUMBERS),
    st.tuples(st.just("reset"), NUMBERS),
)


def _changed(
    files: dict[str, str], change: tuple[object, ...], history: list[dict[str, str]]
) -> dict[str, str]:
    match change:
        case ("write", number, body, dict() as fields):
            return {**files, f"semantic/n{number}.md": note(f"n{number}", str(body), **fields)}
        case ("delete", number):
            return {path: text for path, text in files.items() if path != f"semantic/n{number}.md"}
        case ("rename", old, new):
            text = files.get(f"semantic/n{old}.md")
            rest = {path: text for path, text in files.items() if path != f"semantic/n{old}.md"}
            return rest if text is None else {**rest, f"episodic/x{new}.md": text}
        case ("reset", int() as number):
            return history[number % len(history)]
    raise AssertionError(change)


_CORRECTS = {"status": "superseded", "created": "2024-01-05", "supersedes": "[n2, n3]"}
_EQUAL_CORRECTIONS = [
    [("write", 0, "kestrel nest", {})],
    [("delete", 0), ("write", 6, "kestrel nest", _CORRECTS)],
    [("write", 0, "kestrel nest", _CORRECTS)],
    [("write", 2, "owl egg", {})],
]
"""Two that correct the same and stand equally high, added in the other order than that of their names."""


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example([(changes, False) for changes in _EQUAL_CORRECTIONS])
@given(st.lists(st.tuples(st.lists(CHANGES, min_size=1, max_size=4), st.booleans()), min_size=1, max_size=9))
def test_an_index_kept_up_answers_like_a_fresh_one(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[list[tuple[object, ...]], bool]]
) -> None:
    """Adds, edits, deletes, renames and resets leave no trace: the same hits, scores and order."""
    folder = tmp_path_factory.mktemp("kept")
    source = MemorySource()
    kept = BranchIndex(folder / "gitmem" / "index" / "main", source)
    files: dict[str, str] = {}
    history: list[dict[str, str]] = [{}]
    for number, (changes, is_locked) in enumerate(steps):
        for change in changes:
            files = _changed(files, change, history)
        history.append(files)
        commit = source.commit(files)
        fresh = BranchIndex(folder / f"fresh{number}" / "index" / "main", source)
        (folder / f"fresh{number}").mkdir()
        lock = _writer_lock(folder) if is_locked else None
        with kept.view(commit) as view, fresh.view(commit) as expected:
            assert state_of(view) == state_of(expected)
        if lock is not None:
            lock.cancel()


def _writer_lock(folder: Path) -> Any:
    place = folder / "gitmem" / "index" / "main"
    if not (place / "CURRENT").exists():
        return None
    return open_writer(open_dir(place / (place / "CURRENT").read_text().strip()))


def test_small_segments_are_folded(directory: Path) -> None:
    """The number of segments grows with the logarithm of the number of commits."""
    source = MemorySource()
    index = BranchIndex(directory, source)
    files: dict[str, str] = {}
    for number in range(70):
        files[f"a/n{number}.md"] = note(f"n{number}", f"kestrel {number}")
        with index.view(source.commit(files)) as view:
            assert view.count == number + 1
    folder = directory / (directory / "CURRENT").read_text().strip()
    assert len(list(folder.glob("*.seg"))) <= 16
    assert source.reads < 70 * 4
    with index.view(CommitId(f"{70:040x}")) as view:
        assert len(found(view, "kestrel", limit=100)) == 70


def test_a_large_build_is_written_in_several_segments(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each holds some of the documents, and together they answer like one."""
    source = MemorySource()
    commit = source.commit(
        {f"a/{number}.md": note(f"n{number}", f"kestrel {number}") for number in range(30)}
    )
    steps: list[tuple[int, int]] = []
    index = BranchIndex(directory, source, progress=lambda done, total: steps.append((done, total)))
    monkeypatch.setattr(writing, "SEGMENT_WORDS", 40)
    with index.view(commit) as view:
        assert len(found(view, "kestrel")) == view.count == 30
        several = state_of(view)
    assert 2 < len(list((directory / "1").glob("*.seg"))) < 30
    assert steps == [(number, 30) for number in range(1, 31)]
    monkeypatch.undo()
    index.rebuild(commit)
    assert len(list((directory / "2").glob("*.seg"))) == 1
    with index.view(commit) as view:
        assert state_of(view) == several


def test_folding_takes_everything_below_the_highest_full_tier() -> None:
    """A tier is a power of eight; it is full with eight segments."""
    assert to_fold([1] * 7) == []
    assert to_fold([1] * 8) == list(range(8))
    assert to_fold([100, *[9] * 8, 1]) == list(range(1, 10))
    assert to_fold([]) == []


def test_head_may_move_back_and_forth(directory: Path) -> None:
    """After a reset the lost memory is gone; after the way back it is there again."""
    source = MemorySource()
    one = source.commit({"a.md": note("r1", "kestrel nest")})
    two = source.commit({"a.md": note("r1", "kestrel nest"), "b.md": note("r2", "kestrel egg")})
    index = BranchIndex(directory, source)
    for commit, expected in [(two, ["r1", "r2"]), (one, ["r1"]), (two, ["r1", "r2"])]:
        with index.view(commit) as view:
            assert sorted(found(view, "kestrel")) == expected
            assert index.stamp() == commit


def test_a_commit_without_memories_only_moves_the_stamp(directory: Path) -> None:
    """Nothing is read again, and the index still says which commit it shows."""
    source = MemorySource()
    files = {"a.md": note("r1", "kestrel")}
    index = BranchIndex(directory, source)
    index.view(source.commit(files)).close()
    reads = source.reads
    second = source.commit(files)
    assert index.lag(second) == 0
    with index.view(second) as view:
        assert found(view, "kestrel") == ["r1"]
    assert index.stamp() == second
    assert source.reads == reads


def test_an_unknown_old_commit_means_a_rebuild(directory: Path) -> None:
    """Where the source cannot say what changed, everything is read anew."""
    source = MemorySource()
    first = source.commit({"a.md": note("r1", "kestrel")})
    second = source.commit({"b.md": note("r2", "kestrel")})
    index = BranchIndex(directory, source)
    index.view(first).close()
    del source.snapshots[first]
    with index.view(second) as view:
        assert found(view, "kestrel") == ["r2"]
    assert [path.name for path in directory.iterdir() if path.name.isdigit()] == ["2"]


def test_a_closed_view_does_not_answer(directory: Path) -> None:
    """An empty answer would be a lie."""
    source = MemorySource()
    view = BranchIndex(directory, source).view(source.commit({"a.md": "kestrel"}))
    view.close()
    view.close()
    with pytest.raises(ValueError, match="closed"):
        search(view, "kestrel")


def test_a_large_gap_means_a_rebuild(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a quarter of the documents, and more than 500 (here 5): everything is built anew."""
    monkeypatch.setattr(branch_index, "_MAX_GAP_DOCUMENTS", 5)
    source = MemorySource()
    index = BranchIndex(directory, source)
    files = {f"{number}.md": note(f"n{number}", "kestrel") for number in range(8)}
    folders = []
    for last in (8, 13, 19):
        files.update({f"{number}.md": note(f"n{number}", "kestrel") for number in range(last)})
        with index.view(source.commit(files)) as view:
            assert search(view, "kestrel").total == last
        folders.append((directory / "CURRENT").read_text().strip())
    assert folders == ["1", "1", "2"]


def test_views_leave_no_file_open(directory: Path) -> None:
    """A resident process may open any number of them."""
    source = MemorySource()
    index = BranchIndex(directory, source)
    files: dict[str, str] = {}
    counts = []
    for number in range(20):
        files[f"{number}.md"] = note(f"n{number}", "kestrel")
        with index.view(source.commit(files)) as view:
            found(view, "kestrel")
        descriptors = Path("/proc/self/fd")
        counts.append(len(list(descriptors.iterdir())) if descriptors.is_dir() else 0)
    assert counts[-1] <= counts[4] + 2


def test_an_empty_branch_has_an_empty_index(directory: Path) -> None:
    """No memories, no hits, no error; and all memories may go again."""
    source = MemorySource()
    index = BranchIndex(directory, source)
    for files in ({}, {"a.md": note("a", "kestrel")}, {}):
        with index.view(source.commit(files)) as view:
            assert view.count == len(files) == len(found(view, "kestrel"))
            assert view.by_path("a.md") is None or files


def test_paths_of_any_kind_are_kept(directory: Path) -> None:
    """Umlauts, quotes, backslashes, and bytes that are no UTF-8."""
    names = ["größe.md", "日本語メモ.md", 'say "hi".md', "back\\slash.md", "sp ace.md", "by\udcfftes.md"]
    source = MemorySource()
    index = BranchIndex(directory, source)
    with index.view(source.commit({name: f"---\ntitle: t\n---\nmarmot {name}\n" for name in names})) as view:
        hits = search(view, "marmot").hits
        assert sorted(hit.record.path for hit in hits) == sorted(names)
    with index.view(source.commit({"new name.md": "marmot"})) as view:
        assert [hit.record.path for hit in search(view, "marmot").hits] == ["new name.md"]


def test_a_held_writer_delays_nobody(directory: Path) -> None:
    """While another process writes, the gap is answered from memory, exactly and soon."""
    source = MemorySource()
    index = BranchIndex(directory, source)
    first = source.commit({"a.md": note("a", "kestrel"), "b.md": note("b", "kestrel")})
    index.view(first).close()
    writer = open_writer(open_dir(directory / "1"))
    second = source.commit({"b.md": note("b", "merlin"), "c.md": note("c", "kestrel")})
    start = time.monotonic()
    with index.view(second) as view:
        assert found(view, "kestrel") == ["c"]
        assert view.by_id("a") == []
        assert view.count == 2
    assert time.monotonic() - start < 2
    assert index.stamp() == first
    writer.cancel()
    index.view(second).close()
    assert index.stamp() == second


STEPS = ("prepare", "current", "generation", "state", "turn", "new_folder", "publish")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("begins_with", ["nothing", "an older commit", "the commit"])
def test_an_index_may_be_deleted_while_it_is_read_or_built(
    directory: Path, monkeypatch: pytest.MonkeyPatch, step: str, begins_with: str
) -> None:
    """Behind each step, the first time and each time after; the answer is whole all the same."""
    source = MemorySource()
    older = source.commit({"a.md": note("one", "kestrel nest")})
    newer = source.commit({"a.md": note("one", "kestrel nest"), "b.md": note("two", "kestrel egg")})

    def count(pool: IndexPool[IndexContent] | None) -> int:
        with BranchIndex(directory, source, notice=lambda _: None, pool=pool).view(newer) as view:
            return len(found(view, "kestrel"))

    for times in (1, 1000):
        if begins_with != "nothing":
            BranchIndex(directory, source).rebuild(older if begins_with == "an older commit" else newer)
        real, left = getattr(IndexPlace, step), times

        def deleting(*given: Any, real: Any = real) -> Any:
            nonlocal left
            try:
                return real(*given)
            finally:
                if left:
                    left -= 1
                    shutil.rmtree(directory.parent, ignore_errors=True)

        with monkeypatch.context() as patch:
            patch.setattr(IndexPlace, step, deleting)
            assert [count(None), count(IndexPool())] == [2, 2]
        assert count(IndexPool()) == 2


def test_readers_go_on_while_the_index_is_replaced(directory: Path) -> None:
    """An open view keeps answering after rebuilds and catch-ups by others."""
    source = MemorySource()
    index = BranchIndex(directory, source)
    first = source.commit({"a.md": note("a", "kestrel")})
    view = index.view(first)
    for number in range(3):
        commit = source.commit({"b.md": note("b", f"merlin {number}")})
        index.rebuild(commit)
    assert found(view, "kestrel") == ["a"]
    assert view.by_id("A")[0].path == "a.md"
    view.close()


def _read_along(directory: Path, head: Path, seconds: float, failures: multiprocessing.Queue[str]) -> None:
    notices: list[str] = []
    index = BranchIndex(directory, CountingSource(), notice=notices.append)
    end = time.monotonic() + seconds
    rounds = 0
    try:
        while time.monotonic() < end:
            number = int(head.read_text())
            with index.view(CommitId(f"{number:040d}")) as view:
                answer = search(view, "puffin", limit=1)
                last = search(view, f"number{number - 1}", limit=1)
                if (view.count, answer.total, last.total) != (number, number, 1):
                    failures.put(f"{number}: {view.count} {answer.total} {last.total}")
                    return
            rounds += 1
    except BaseException as error:
        failures.put(repr(error))
        raise
    if notices or not rounds:
        failures.put(f"{notices} in {rounds} rounds")


def test_several_processes_read_and_catch_up_while_the_head_moves(directory: Path, tmp_path: Path) -> None:
    """No error, no notice, no missing posting: each answer is exactly that of its commit."""
    head = tmp_path / "head"
    head.write_text("5")
    context = multiprocessing.get_context("spawn")
    failures: multiprocessing.Queue[str] = context.Queue()
    readers = [context.Process(target=_read_along, args=(directory, head, 6.0, failures)) for _ in range(4)]
    for reader in readers:
        reader.start()
    for number in range(6, 60):
        beside = head.with_suffix(".new")
        beside.write_text(str(number if number % 7 else number - 4))
        os.replace(beside, head)  # noqa: PTH105
        time.sleep(0.1)
    for reader in readers:
        reader.join(60)
    assert failures.empty(), failures.get()
    assert [reader.exitcode for reader in readers] == [0] * 4
