"""Vectors on disk: exact enough, never half written, never lost by folding, and gone when taken out."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

np = pytest.importorskip("numpy", reason="the extra embed is not installed")

from gitmem.embed.embedder import unit_rows
from gitmem.embed.segment import SUFFIX
from gitmem.embed.vectors import MOST_SEGMENTS, VectorStore
from gitmem.errors import OutsideFailure
from gitmem.model.ids import blob_id_of, blob_key
from gitmem.platform import FileLock
from tests.faults.forked import forked

if TYPE_CHECKING:
    from gitmem.embed.embedder import Matrix

DIMENSIONS = 48


def blob(number: int) -> str:
    return blob_id_of(b"%d" % number)


def rows(number: int, count: int = 3, dimensions: int = DIMENSIONS) -> Matrix:
    chance = np.random.default_rng(number)
    return unit_rows(chance.standard_normal((count, dimensions)).astype(np.float32))


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    return VectorStore(tmp_path / "vectors" / "words-1")


def files(store: VectorStore) -> list[Path]:
    return sorted(store.folder.glob(f"*{SUFFIX}"))


def known(store: VectorStore, most: int = 200) -> set[int]:
    found = store.read().has(map(blob, range(most)))
    return {number for number in range(most) if blob(number) in found}


def cosine(store: VectorStore, number: int, query: Matrix) -> float:
    vectors = store.read()
    place = vectors.places(np.array([blob_key(blob(number))]))[0]
    assert place >= 0
    return float(vectors.cosines(query)[place])


def test_the_best_passage_stands_for_a_memory(store: VectorStore) -> None:
    """Within what one byte a number can say; of every segment, whatever its order."""
    for start in range(0, 40, 10):
        store.append({blob(number): rows(number, 1 + number % 4) for number in range(start, start + 10)})
    query = rows(1_000, 1)[0]
    for number in range(40):
        exact = float((rows(number, 1 + number % 4) @ query).max())
        assert cosine(store, number, query) == pytest.approx(exact, abs=0.01)


def test_a_vector_is_nearest_to_itself(store: VectorStore) -> None:
    store.append({blob(number): rows(number) for number in range(100)})
    vectors = store.read()
    place = vectors.places(np.array([blob_key(blob(7))]))[0]
    assert int(np.argmax(vectors.cosines(rows(7)[1]))) == place


def test_a_memory_without_a_passage_is_known_and_like_nothing(store: VectorStore) -> None:
    store.append({blob(1): np.zeros((0, DIMENSIONS), dtype=np.float32), blob(2): rows(2)})
    store.append({blob(3): np.zeros((0, DIMENSIONS), dtype=np.float32)})
    assert known(store) == {1, 2, 3}
    assert cosine(store, 1, rows(2)[0]) == cosine(store, 3, rows(2)[0]) == -1
    assert cosine(store, 2, rows(2)[0]) > 0.98


def test_nothing_is_there_before_anything_was_made(store: VectorStore) -> None:
    vectors = store.read()
    assert vectors.has([blob(1)]) == set()
    assert vectors.places(np.array([1, 2])).tolist() == [-1, -1]
    assert len(vectors.cosines(rows(1)[0])) == 0
    assert store.remove([blob(1)]) == 0
    assert not store.folder.exists()


def test_many_small_files_are_put_together_and_nothing_is_lost(store: VectorStore) -> None:
    for number in range(40):
        store.append({blob(number): rows(number)})
        assert len(files(store)) <= MOST_SEGMENTS + 1
    assert known(store) == set(range(40))
    for number in (0, 20, 39):
        assert cosine(store, number, rows(number)[2]) > 0.98


def test_putting_together_again_and_again_changes_no_vector(
    store: VectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.embed.vectors.MOST_SEGMENTS", 2)
    store.append({blob(0): rows(0)})
    before = next(iter(store._segments())).vectors()[blob(0)].copy()
    for number in range(1, 30):
        store.append({blob(number): rows(number)})
    found = [each.vectors()[blob(0)] for each in store._segments() if blob(0) in each.vectors()]
    assert np.abs(found[0] - before).max() < 1e-6


def test_what_is_taken_out_is_in_no_file(store: VectorStore) -> None:
    """Also where two processes had embedded it; the others stay as they are."""
    store.append({blob(number): rows(number) for number in range(20)})
    store.append({blob(number): rows(number) for number in range(10, 30)})
    assert store.remove([blob(15), blob(3), blob(150)]) == 2
    assert known(store) == set(range(30)) - {3, 15}
    for path in store.folder.iterdir():
        assert bytes.fromhex(blob(15)) not in path.read_bytes()
    assert cosine(store, 16, rows(16)[1]) > 0.98


def test_the_last_vector_can_be_taken_out(store: VectorStore) -> None:
    store.append({blob(1): rows(1)})
    assert store.remove([blob(1)]) == 1
    assert files(store) == []


def test_taking_out_never_says_done_while_another_process_writes(
    store: VectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.embed.vectors._REMOVAL_SECONDS", 0.05)
    store.append({blob(1): rows(1)})
    with FileLock(store.folder / "turn"), pytest.raises(OutsideFailure, match="being written"):
        store.remove([blob(1)])
    assert known(store) == {1}


@pytest.mark.parametrize("point", ["vectors.segment-written", "vectors.before-removal"])
def test_a_kill_leaves_each_memory_embedded_or_not(
    store: VectorStore, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every passage of the point, in the middle of appending and putting together."""
    monkeypatch.setattr("gitmem.embed.vectors.MOST_SEGMENTS", 2)
    for passage in range(1, 4):
        done = known(store)

        def work(done: set[int] = done) -> None:
            for number in range(len(done), len(done) + 15):
                store.append({blob(number): rows(number)})

        assert forked(work, fault=f"{point}:{passage}").was_killed
        after = known(store)
        assert after >= done
        assert after == set(range(len(after)))
        for number in after:
            assert cosine(store, number, rows(number)[0]) > 0.98
    store.append({blob(number): rows(number) for number in range(100, 120)})
    assert {*range(100, 120)} <= known(store)


def test_a_kill_in_the_middle_of_taking_out_can_be_repeated(store: VectorStore) -> None:
    store.append({blob(number): rows(number) for number in range(10)})
    assert forked(lambda: store.remove([blob(4)]), fault="vectors.before-removal").was_killed
    store.remove([blob(4)])
    assert known(store) == set(range(10)) - {4}


def test_a_full_disk_is_told_and_leaves_what_was_there(store: VectorStore) -> None:
    store.append({blob(1): rows(1)})
    outcome = forked(lambda: store.append({blob(2): rows(2)}), fault="vectors.segment-written:1:ENOSPC")
    assert outcome.error == "OutsideFailure"
    assert "vectors cannot be written" in (outcome.message or "")
    assert known(store) == {1}
    assert [path.name for path in store.folder.iterdir() if path.suffix == ".part"] == []


@pytest.mark.parametrize("harm", ["cut", "empty", "text", "header"])
def test_a_damaged_file_is_dropped_and_its_memories_are_missing(store: VectorStore, harm: str) -> None:
    store.append({blob(1): rows(1)})
    store.append({blob(2): rows(2)})
    hurt = files(store)[0]
    data = hurt.read_bytes()
    hurt.write_bytes(
        {
            "cut": data[:-1],
            "empty": b"",
            "text": b"gitmem vectors 1\nnonsense",
            "header": data.replace(b'"rows": 3', b'"rows":-3'),
        }[harm]
    )
    assert len(known(store)) == 1
    assert not hurt.exists()


def test_vectors_of_another_length_are_of_no_use_and_give_way(store: VectorStore) -> None:
    store.append({blob(1): rows(1)})
    vectors = store.read()
    assert np.isnan(vectors.cosines(rows(9, 1, 12)[0])).all()
    store.append({blob(2): rows(2, 3, 12)})
    assert known(store) == {2}


def _append_some(folder: Path, start: int) -> None:
    for number in range(start, start + 15):
        VectorStore(folder).append({blob(number): rows(number)})
        VectorStore(folder).append({blob(number % 5): rows(number % 5)})


def test_several_processes_append_and_lose_nothing(store: VectorStore) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_append_some, args=(store.folder, 15 * each)) for each in range(3)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        seen = known(store)
        vectors = store.read()
        assert len(vectors.cosines(rows(1)[0])) >= len(seen)
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert known(store) == set(range(45))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="a folder stops only others than root")
def test_a_folder_that_cannot_be_written_is_told(store: VectorStore) -> None:
    store.folder.parent.mkdir(parents=True)
    store.folder.parent.chmod(0o500)
    with pytest.raises(OutsideFailure, match="cannot be written"):
        store.append({blob(1): rows(1)})
