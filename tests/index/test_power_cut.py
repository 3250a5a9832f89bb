"""What a power cut may leave of an index: files cut off, empty, or with zeros in them. None of it is believed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.index import sums
from gitmem.index.branch_index import BranchIndex
from gitmem.index.view import IndexView
from gitmem.model.ids import CommitId
from gitmem.recall.search import search
from tests.index.memory_source import MemorySource, note

WORDS = ("heron", "otter", "walrus", "puffin", "stoat")
PLACES = 20
"""At how many places of each file a few bytes are zeroed, one place at a time."""


def damaged(data: bytes) -> Iterator[tuple[str, bytes]]:
    """What may be left of a file, with a name for it."""
    yield "empty", data[:0]
    yield "cut off", data[: len(data) // 2]
    yield "zeros", bytes(len(data))
    yield "zeros at the end", data[: len(data) - len(data) // 3] + bytes(len(data) // 3)
    for at in range(0, len(data), max(1, len(data) // PLACES)):
        yield f"zeros at {at}", data[:at] + bytes(len(data[at : at + 16])) + data[at + 16 :]


@pytest.fixture
def source() -> MemorySource:
    source = MemorySource()
    files: dict[str, str] = {}
    for number in range(12):
        files[f"m{number}.md"] = note(f"m{number}", " ".join(WORDS[: number % 5 + 1]) + f" number{number}")
        source.commit(files)
    return source


@pytest.fixture
def directory(tmp_path: Path, source: MemorySource) -> Path:
    """An index that was built once and caught up three times, so that it has several segments."""
    (tmp_path / "git").mkdir()
    directory = tmp_path / "git" / "gitmem" / "index" / "main"
    for commit in list(source.snapshots)[8:]:
        BranchIndex(directory, source).view(commit).close()
    return directory


def started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after the machine was started again."""
    monkeypatch.setattr(sums, "boot_id", lambda: "another")


def answers(view: IndexView) -> list[object]:
    found = [[(hit.record.id, hit.score) for hit in search(view, word, limit=50).hits] for word in WORDS]
    return [*found, list(view.records()), view.known_tags(), [view.by_id(f"m{n}") for n in range(12)]]


def test_every_damage_of_every_file_is_found_after_a_new_start(
    directory: Path, source: MemorySource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file in turn, in many ways: the answers are those of an index that was built from nothing."""
    head = list(source.snapshots)[-1]
    with BranchIndex(tmp_path / "git" / "fresh" / "index" / "main", source).view(head) as view:
        expected = answers(view)
    started_anew(monkeypatch)
    state = directory / (directory / "CURRENT").read_text().strip()
    files = [file for file in state.iterdir() if file.is_file() and file.stat().st_size]
    assert len([file for file in files if file.suffix == ".seg"]) > 1
    whole = {file: file.read_bytes() for file in files}
    said: list[str] = []
    for file in [*files, directory / "CURRENT"]:
        for name, data in damaged(whole.get(file, b"1\n")):
            file.write_bytes(data)
            with BranchIndex(directory, source, notice=said.append).view(head) as view:
                assert answers(view) == expected, (file.name, name)
            put_back(directory, state, whole)


def put_back(directory: Path, state: Path, whole: dict[Path, bytes]) -> None:
    """The index as it was, under the number that it had."""
    state.mkdir(exist_ok=True)
    for file in state.iterdir():
        if file not in whole:
            file.unlink()
    for file, data in whole.items():
        file.write_bytes(data)
    (directory / "CURRENT").write_text(f"{state.name}\n")


def test_a_sound_index_is_kept_over_a_new_start(
    directory: Path, source: MemorySource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is summed up once, and not built again."""
    started_anew(monkeypatch)
    source.reads = 0
    summed: list[Path] = []
    sum_of = sums._sum_of

    def counting(file: Path) -> tuple[int, int]:
        summed.append(file)
        return sum_of(file)

    monkeypatch.setattr(sums, "_sum_of", counting)
    head = list(source.snapshots)[-1]
    for _ in range(2):
        with BranchIndex(directory, source).view(head) as view:
            assert search(view, "heron", limit=1).total == 12
    assert source.reads == 0
    assert len(summed) == len(set(summed)) > 1


def test_nothing_is_summed_up_while_the_machine_runs_on(
    directory: Path, source: MemorySource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "_sum_of", lambda file: pytest.fail(f"{file} was summed up"))
    BranchIndex(directory, source).view(list(source.snapshots)[-1]).close()


def test_where_the_system_tells_no_start_sizes_are_compared(
    directory: Path, source: MemorySource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "boot_id", lambda: "")
    head = list(source.snapshots)[-1]
    said: list[str] = []
    BranchIndex(directory, source).rebuild(head)
    state = directory / (directory / "CURRENT").read_text().strip()
    for segment in state.glob("*.seg"):
        os.truncate(segment, segment.stat().st_size - 1)
    with BranchIndex(directory, source, notice=said.append).view(head) as view:
        assert search(view, "heron", limit=1).total == 12
    assert len(said) == 1


def test_what_a_dead_writer_of_whoosh_left_goes_with_the_next_write(
    directory: Path, source: MemorySource
) -> None:
    state = directory / (directory / "CURRENT").read_text().strip()
    (state / "_MAIN_99.toc.1796010048.5").write_bytes(b"half")
    commit = source.commit({"new.md": note("new", "heron")})
    with BranchIndex(directory, source).view(CommitId(commit)) as view:
        assert search(view, "heron", limit=1).total == 1
    assert not list(state.glob("*.toc.*"))
