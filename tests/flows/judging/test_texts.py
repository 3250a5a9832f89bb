"""The table of texts: however it came about, and whatever happened to it, a write is judged alike."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import NearDuplicate
from gitmem.evolve.exact import text_key
from gitmem.evolve.sought import sought_words
from gitmem.flows.judging import known, text_file, text_table, texts
from gitmem.flows.judging.text_table import Standing, Texts, sought_text
from gitmem.flows.judging.verdicts import Judging, verdicts
from gitmem.flows.writing.drafting import Request
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import MemoryType
from gitmem.platform import FileLock
from gitmem.store import Store
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot
from tests.conftest import NOW, git, gitmem
from tests.evolve.measure import HELD_OUT, PAIRS, pairs
from tests.faults.forked import forked
from tests.founded import NewStores

FACT = "The staging database is restored every night from production."
LABELLED = (*pairs(PAIRS), *pairs(HELD_OUT))
KNOWN = list(dict.fromkeys(pair.known for pair in LABELLED))
ASKED = list(
    dict.fromkeys(
        text
        for number, pair in enumerate(LABELLED)
        for text in (pair.new, f"  {pair.known.replace(' ', '  ')}\n" if number % 4 == 0 else pair.new)
    )
)
"""Whether they say the same, the contrary or something else is what is to be found out."""
JUDGING = Judging()


class Plain:
    """What a table is asked for, found by reading everything: the measure of all others."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._places: dict[int, Standing] = {}
        self._keys: dict[int, list[Standing]] = defaultdict(list)
        self._words: dict[int, list[int]] = defaultdict(list)
        for number, (path, blob) in enumerate(snapshot.files()):
            memory = snapshot.read(path, blob)
            if memory.type is MemoryType.WORKING:
                continue
            self._places[number] = Standing(path, blob)
            self._keys[text_key(memory.body)].append(Standing(path, blob))
            for word in sought_words(sought_text(memory.title, memory.body)):
                self._words[word].append(number)
        self.count = len(self._places)

    def with_key(self, key: int) -> list[Standing]:
        return self._keys.get(key, [])

    def having(self, word: int) -> Collection[int]:
        return self._words.get(word, [])

    def place(self, number: int) -> Standing | None:
        return self._places.get(number)


def judged(store: Store, asked: Collection[str] = ASKED) -> dict[str, object]:
    """What would become of each text."""
    work = store._work
    snapshot = work.snapshot()
    found: dict[str, object] = {}
    for text in asked:
        try:
            (verdict,) = verdicts(work, snapshot, [Request(text)], JUDGING)
        except NearDuplicate as error:
            found[text] = f"near {error.id}"
            continue
        confirms = None if verdict.confirms is None else verdict.confirms.id
        found[text] = confirms, [(each.memory.id, each.outcome, each.reason) for each in verdict.against]
    return found


def build(store: Store) -> None:
    """A store with a history: texts came in two batches, some of the first were changed or gone for a while."""
    folder = store.place.repository.worktree
    assert folder is not None
    half = len(KNOWN) // 2
    requests = [Request(text, id=f"known{number:03}") for number, text in enumerate(KNOWN)]
    changed, moved = range(0, half, 7), [f"known{number:03}" for number in range(4, half, 14)]
    store.remember_all(requests[:half], force=True)
    store.remember("A line of scratch", type="working")
    git(folder, "tag", "half")
    store.archive(moved)
    for number in changed:
        store.update(f"known{number:03}", f"Lamp number {number} stood here")
    git(folder, "tag", "changed")
    store.restore(moved)
    for number in changed:
        store.update(f"known{number:03}", KNOWN[number])
    store.remember_all(requests[half:], force=True)
    git(folder, "tag", "whole")


@pytest.fixture
def store(person: None, tmp_path: Path, new_stores: NewStores) -> Iterator[Store]:
    """A store that knows what stands in the labelled pairs, without a table."""
    made = new_stores.at(tmp_path / "mem", FixedClock(NOW), name="texts", prepare=build)
    shutil.rmtree(tmp_path / "mem/.git/gitmem/texts", ignore_errors=True)
    yield made


@pytest.fixture
def expected(store: Store, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """The verdicts on all texts where everything is read for each."""
    if not _EXPECTED:
        plain = Plain(store._work.snapshot())
        with monkeypatch.context() as patched:
            patched.setattr(
                known, "asked_of_texts", lambda _place, _snapshot, _branch, question, _: question(plain)
            )
            _EXPECTED.update(judged(store))
    return _EXPECTED


_EXPECTED: dict[str, object] = {}


def show(store: Store, tag: str) -> None:
    """Brings the table to a commit, as a write on it would."""
    commit = store.place.commit_named(tag)
    known.KnownTexts(store._work, store.place.snapshot(commit)).with_texts(["x"])


def by_rows(store: Store, _: pytest.MonkeyPatch) -> None:
    for commit in reversed(git(folder_of(store), "rev-list", "whole").split()):
        show(store, commit)


def by_rows_upon_a_run(store: Store, _: pytest.MonkeyPatch) -> None:
    for tag in ("half", "changed", "whole"):
        show(store, tag)


def by_runs(store: Store, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(text_table, "MANY", 3)
    by_rows_upon_a_run(store, patched)


def by_full_runs(store: Store, patched: pytest.MonkeyPatch) -> None:
    patched.setattr("gitmem.flows.judging.word_runs.MOST_PAIRS", 100)
    show(store, "whole")


def worn_out(store: Store, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(text_table, "MANY", 3)
    for tag in ("half", "changed") * 8:
        show(store, tag)
        with closing(sqlite3.connect(table_of(store))) as table:
            ((gone, count),) = table.execute(
                "SELECT (SELECT COUNT(*) FROM gone), (SELECT COUNT(*) FROM texts)"
            )
        assert gone < 2 * count


def by_upkeep(store: Store, _: pytest.MonkeyPatch) -> None:
    store.refresh()


def on_no_disk(_: Store, patched: pytest.MonkeyPatch) -> None:
    def refused(_: Path) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    patched.setattr(texts, "opened", refused)


def not_a_table(store: Store, _: pytest.MonkeyPatch) -> None:
    show(store, "half")
    table_of(store).write_bytes(b"no table at all" * 400)


def of_another_format(store: Store, _: pytest.MonkeyPatch) -> None:
    changed(store, "PRAGMA user_version = 1", "DELETE FROM texts")


def with_odd_pairs(store: Store, _: pytest.MonkeyPatch) -> None:
    changed(store, "UPDATE buckets SET pairs = CAST(pairs || x'00' AS BLOB)")


def with_odd_places(store: Store, _: pytest.MonkeyPatch) -> None:
    changed(store, "UPDATE texts SET path = CAST(path AS TEXT)")


def with_odd_runs(store: Store, _: pytest.MonkeyPatch) -> None:
    changed(store, "UPDATE runs SET bits = 'many'")


def killed_on_the_way(store: Store, patched: pytest.MonkeyPatch) -> None:
    patched.setattr("gitmem.flows.judging.word_runs.MOST_PAIRS", 500)
    with patched.context() as fatal:
        closed, count = Texts._close, iter(range(3))

        def close_or_die(self: Texts, *arguments: Any) -> None:
            closed(self, *arguments)
            if next(count) == 2:
                # As with a table that is larger than what SQLite holds in memory.
                self._connection.execute("PRAGMA cache_size = 1")
                self._connection.execute("UPDATE texts SET key = key")
                os.kill(os.getpid(), signal.SIGKILL)

        fatal.setattr(Texts, "_close", close_or_die)
        assert forked(lambda: show(store, "whole")).was_killed
    assert table_of(store).with_name("main.sqlite-journal").exists()


def changed(store: Store, *statements: str) -> None:
    """Whoever changes a table like that is not gitmem."""
    show(store, "whole")
    with closing(sqlite3.connect(table_of(store))) as connection, connection:
        for statement in statements:
            connection.execute(statement)


WAYS = (
    by_rows, by_rows_upon_a_run, by_runs, by_full_runs, worn_out, by_upkeep, on_no_disk, not_a_table,
    of_another_format, with_odd_pairs, with_odd_places, with_odd_runs, killed_on_the_way,
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.replace("_", " "))
def test_verdicts_are_those_of_reading_everything(
    store: Store,
    expected: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    way: Callable[[Store, pytest.MonkeyPatch], None],
) -> None:
    """On what says the same, the contrary and something else, in both languages."""
    way(store, monkeypatch)
    # Where nothing is kept, all is read for each of them.
    asked = ASKED[::10] if way is on_no_disk else ASKED
    assert judged(store, asked) == {text: expected[text] for text in asked}


def test_there_is_something_to_be_judged(expected: dict[str, object]) -> None:
    kinds = [
        "near" if isinstance(each, str) else "same" if each[0] else "contrary" if each[1] else "new"  # type: ignore[index]
        for each in expected.values()
    ]
    assert min(map(kinds.count, ("near", "same", "contrary", "new"))) >= 30


def test_a_word_has_the_same_texts_however_the_table_came_about(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Plain(store._work.snapshot())
    words = [word for text in KNOWN for word in sought_words(text)]
    holders = {
        word: {plain.place(number) for number in plain.having(word)} for word in [*words, 0, 2**32 - 1]
    }
    for way in (by_rows, by_rows_upon_a_run, by_runs, by_full_runs, worn_out):
        with monkeypatch.context() as patched:
            table_of(store).unlink(missing_ok=True)
            way(store, patched)
            show(store, "whole")
        with closing(Texts(text_file.opened(table_of(store)))) as table:
            assert {word: {table.place(each) for each in table.having(word)} for word in holders} == holders
            assert table.count == plain.count


@pytest.mark.parametrize("times", [1, 100], ids=["once", "each time"])
def test_a_table_that_is_moved_while_it_is_asked_lets_no_double_through(
    store: Store, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """By a process that looks at an older commit: a dry run, which waits for no writer."""
    bring_up, left = texts._bring_up, iter(range(times))

    def moved_at_once(table: Texts, place: Place, stored: Snapshot) -> None:
        bring_up(table, place, stored)
        if next(left, None) is not None:
            with monkeypatch.context() as patched:
                patched.setattr(texts, "_bring_up", bring_up)
                show(store, "half")

    show(store, "whole")
    monkeypatch.setattr(texts, "_bring_up", moved_at_once)
    assert store.remember(KNOWN[-1]).outcome == "confirmed"


def test_a_table_that_moves_on_is_not_given_the_changes_of_another_commit(
    store: Store, expected: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    differing = texts._differing

    def moved_meanwhile(stored: Snapshot, old: CommitId) -> list[tuple[str, BlobId | None]]:
        found = differing(stored, old)
        with monkeypatch.context() as patched:
            patched.setattr(texts, "_differing", differing)
            show(store, "changed")
        return found

    show(store, "half")
    monkeypatch.setattr(texts, "_differing", moved_meanwhile)
    show(store, "whole")
    monkeypatch.setattr(texts, "_differing", differing)
    assert judged(store) == expected


def test_of_processes_at_once_one_makes_the_table(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others wait for it, and find it made; what all of them say is written once."""
    made, fill = folder_of(store).parent / "made", Texts.fill

    def told_and_slow(self: Texts, *arguments: Any) -> None:
        with made.open("a") as file:
            file.write("x")
        time.sleep(0.3)
        fill(self, *arguments)

    def work(number: int) -> None:
        asked = Store.open(folder_of(store))
        assert asked.foresee(KNOWN[number]).outcome == "confirmed"
        asked.remember(FACT + " So we think.")

    monkeypatch.setattr(Texts, "fill", told_and_slow)
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=work, args=(number,)) for number in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4 and made.read_text() == "x"
    assert store.foresee(FACT + " So we think.").outcome == "confirmed"
    assert store.list(limit=1_000).total == len(KNOWN) + 1


def test_whoever_finds_the_table_locked_waits_for_who_makes_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite lets nobody read a table while much is written into it; to read all texts once more takes longer."""
    show(store, "whole")
    monkeypatch.setattr(text_file, "_WAIT_SECONDS", 0.05)
    monkeypatch.setattr(texts, "in_memory", None)
    with closing(sqlite3.connect(table_of(store), check_same_thread=False)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        guard = FileLock(folder_of(store) / ".git/gitmem/texts.guard")
        assert guard.acquire()

        def done() -> None:
            connection.rollback()
            guard.release()

        timer = threading.Timer(0.5, done)
        timer.start()
        assert store.foresee(KNOWN[0]).outcome == "confirmed"
        timer.join()


@pytest.mark.parametrize("way", ["reindex", "refresh", "hook", "clone"])
def test_no_write_waits_for_a_table_that_was_made_before(
    store: Store, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    folder = folder_of(store)
    if way == "clone":
        folder = Path(Store.clone(str(folder), folder.parent / "clone").folder)
        store = Store.open(folder)
    elif way == "hook":
        assert gitmem(folder, "hook", "post-merge").code == 0
    else:
        getattr(store, way)()
    monkeypatch.setattr(Texts, "fill", None)
    monkeypatch.setattr(texts, "in_memory", None)
    assert store.remember(KNOWN[-1]).outcome == "confirmed"
    assert store.remember(FACT + " So we think.").outcome == "new"


@pytest.mark.parametrize("is_followed", [True, False])
def test_a_text_whose_object_is_back_is_known_again(store: Store, folder: Path, is_followed: bool) -> None:
    """Whether it was missing when the table was made, or when it came to the table later."""
    if is_followed:
        store.remember("Somebody was here before.")
        store.remember("So the table is there.")
    (folder / "by-hand.md").write_text("---\nid: lost\n---\nReports go out on Monday.\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "by hand")
    blob = git(folder, "rev-parse", "HEAD:by-hand.md").strip()
    place = folder / ".git/objects" / blob[:2] / blob[2:]
    away = place.rename(place.with_name("away"))
    store.remember("Something else entirely.")
    away.rename(place)
    with pytest.raises(NearDuplicate, match="lost"):
        Store.open(folder).remember("Reports go out on Monday.")
    assert Store.open(folder).remember("Something else entirely.").outcome == "confirmed"


def test_reindex_makes_the_table_anew(store: Store) -> None:
    """It is what a person does who trusts nothing that was derived."""
    changed(store, "DELETE FROM texts")
    store.reindex()
    assert store.remember(KNOWN[-1]).outcome == "confirmed"


def folder_of(store: Store) -> Path:
    assert store.place.repository.worktree is not None
    return store.place.repository.worktree


def table_of(store: Store) -> Path:
    return folder_of(store) / ".git/gitmem/texts/main.sqlite"
