"""A damaged, foreign or unwritable index: healed or done without, never believed, never an empty answer."""

from __future__ import annotations

import os
import pickle
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.index.branch_index import DAMAGED_NOTICE, BranchIndex
from gitmem.index.place import IndexPlace
from gitmem.index.segment_file import SegmentFile
from tests.index.memory_source import MemorySource, found, note


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "git").mkdir()
    return tmp_path / "git" / "gitmem" / "index" / "main"


@pytest.fixture
def source() -> MemorySource:
    source = MemorySource()
    files: dict[str, str] = {}
    for number in range(3):
        files[f"c{number}.md"] = note(f"c{number}", f"heron {number}")
        source.commit(files)
    return source


def _each(folder: Path, pattern: str, change: Callable[[Path], object]) -> None:
    for path in folder.glob(pattern):
        change(path)


def _make_anew(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "MAIN_WRITELOCK").touch()


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def _make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], None]] = {
    "empty toc": lambda folder: _each(folder, "_*.toc", lambda path: path.write_bytes(b"")),
    "zeroed toc": lambda folder: _each(folder, "_*.toc", lambda path: path.write_bytes(bytes(200))),
    "random toc": lambda folder: _each(folder, "_*.toc", lambda path: path.write_bytes(os.urandom(300))),
    "short toc": lambda folder: _each(
        folder, "_*.toc", lambda path: path.write_bytes(path.read_bytes()[:60])
    ),
    "no toc": lambda folder: _each(folder, "_*.toc", Path.unlink),
    "no segments": lambda folder: _each(folder, "*.seg", Path.unlink),
    "short segments": lambda folder: _each(folder, "*.seg", lambda path: os.truncate(path, 10)),
    "half segments": lambda folder: _each(
        folder, "*.seg", lambda path: os.truncate(path, path.stat().st_size // 2)
    ),
    "zeroed segments": lambda folder: _each(
        folder, "*.seg", lambda path: path.write_bytes(bytes(path.stat().st_size))
    ),
    "zeroed start": lambda folder: _each(
        folder, "*.seg", lambda path: path.write_bytes(bytes(400) + path.read_bytes()[400:])
    ),
    "random segments": lambda folder: _each(
        folder, "*.seg", lambda path: path.write_bytes(os.urandom(path.stat().st_size))
    ),
    "no stamps": lambda folder: _each(folder, "stamp-*", Path.unlink),
    "odd stamps": lambda folder: _each(folder, "stamp-*", lambda path: path.write_text("[[]")),
    "wrong count": lambda folder: _each(
        folder,
        "stamp-*",
        lambda path: path.write_text(path.read_text().replace('"documents": ', '"documents": 1')),
    ),
    "no folder": shutil.rmtree,
    "new folder": _make_anew,
    "odd CURRENT": lambda folder: _write(folder.parent / "CURRENT", b"\xff../../etc"),
    "CURRENT ahead": lambda folder: _write(folder.parent / "CURRENT", b"77\n"),
    "no CURRENT": lambda folder: (folder.parent / "CURRENT").unlink(),
    "CURRENT is a folder": lambda folder: _make_folder(folder.parent / "CURRENT"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("is_behind", [False, True], ids=["at head", "behind"])
def test_damage_heals_on_the_next_use(
    directory: Path, source: MemorySource, damage: Callable[[Path], None], is_behind: bool
) -> None:
    """All three are found each time, after at most one notice; afterwards there is none."""
    notices: list[str] = []
    index = BranchIndex(directory, source, notice=notices.append)
    for commit in list(source.snapshots)[: 2 if is_behind else 3]:
        index.view(commit).close()
    damage(directory / (directory / "CURRENT").read_text().strip())
    head = list(source.snapshots)[-1]
    start = time.monotonic()
    for fresh in (BranchIndex(directory, source, notice=notices.append), index):
        with fresh.view(head) as view:
            assert sorted(found(view, "heron")) == ["c0", "c1", "c2"]
            assert len(list(view.records())) == 3
        assert len(notices) <= 1
    assert index.stamp() == head
    assert time.monotonic() - start < 5


def test_damage_found_while_reading_heals(directory: Path, source: MemorySource) -> None:
    """Postings overwritten inside a segment give the right answer and one notice."""
    notices: list[str] = []
    head = list(source.snapshots)[-1]
    index = BranchIndex(directory, source, notice=notices.append)
    index.view(head).close()
    for segment in (directory / "1").glob("*.seg"):
        data = segment.read_bytes()
        begin, length, _ = SegmentFile(data)._parts["terms/text"]
        postings = length - 60
        segment.write_bytes(data[:begin] + b"\xff" * postings + data[begin + postings :])
    with index.view(head) as view:
        assert sorted(found(view, "heron")) == ["c0", "c1", "c2"]
    assert notices == [DAMAGED_NOTICE]


def test_an_index_that_was_not_made_here_is_never_opened(
    directory: Path, source: MemorySource, tmp_path: Path
) -> None:
    """A copied folder is moved away unread, even where every file in it would run code."""
    head = list(source.snapshots)[-1]
    BranchIndex(directory, source).view(head).close()
    root = directory.parent
    shutil.move(root, tmp_path / "packed")
    shutil.copytree(tmp_path / "packed", root)
    proof = tmp_path / "ran"

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.system, (f"touch {proof}",)

    for path in (root / "main" / "1").iterdir():
        path.write_bytes(pickle.dumps(Evil()))
    index = BranchIndex(directory, source)
    assert index.stamp() is None
    with index.view(head) as view:
        assert sorted(found(view, "heron")) == ["c0", "c1", "c2"]
    assert not proof.exists()
    assert index.stamp() == head


def test_a_link_in_the_place_of_the_index_is_not_followed(
    directory: Path, source: MemorySource, tmp_path: Path
) -> None:
    """What it points to stays as it is."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "keep").write_text("mine")
    directory.parent.parent.mkdir()
    directory.parent.symlink_to(elsewhere)
    with BranchIndex(directory, source).view(list(source.snapshots)[-1]) as view:
        assert len(found(view, "heron")) == 3
    assert (elsewhere / "keep").read_text() == "mine"
    assert not directory.parent.is_symlink()


@pytest.mark.parametrize("level", ["gitmem", "index", "main"])
def test_a_file_in_the_place_of_the_index_is_moved_aside(
    directory: Path, source: MemorySource, level: str
) -> None:
    """The file is kept under another name, and the index is made."""
    place = {"gitmem": directory.parent.parent, "index": directory.parent, "main": directory}[level]
    if level == "main":
        IndexPlace(directory.with_name("other")).prepare()
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("junk")
    index = BranchIndex(directory, source)
    with index.view(list(source.snapshots)[-1]) as view:
        assert len(found(view, "heron")) == 3
    assert index.stamp() == list(source.snapshots)[-1]
    assert place.with_name(f"{place.name}.aside-1").read_text() == "junk"


def test_folders_are_private(directory: Path, source: MemorySource) -> None:
    """Nobody else can read or write what is unpickled."""
    BranchIndex(directory, source).view(list(source.snapshots)[-1]).close()
    for folder in (directory.parent.parent, directory.parent, directory, directory / "1"):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_an_index_of_another_user_is_neither_used_nor_touched(
    directory: Path, source: MemorySource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer comes from memory, with a notice."""
    head = list(source.snapshots)[-1]
    BranchIndex(directory, source).view(head).close()
    before = sorted(path.name for path in directory.parent.rglob("*"))
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    notices: list[str] = []
    with BranchIndex(directory, source, notice=notices.append).view(head) as view:
        assert len(found(view, "heron")) == 3
    assert len(notices) == 1
    assert sorted(path.name for path in directory.parent.rglob("*")) == before


@pytest.mark.parametrize("number", ["ENOSPC", "EROFS"])
def test_a_disk_that_cannot_be_written_does_not_stop_recall(
    directory: Path, source: MemorySource, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    """A first build and a catch-up are both done in memory."""
    import errno

    from gitmem.index import writing

    def refuse(*_: object, **__: object) -> None:
        raise OSError(getattr(errno, number), os.strerror(getattr(errno, number)))

    first, _, head = source.snapshots
    notices: list[str] = []
    index = BranchIndex(directory, source, notice=notices.append)
    monkeypatch.setattr(writing, "build", refuse)
    with index.view(first) as view:
        assert found(view, "heron") == ["c0"]
    assert len(notices) == 1
    monkeypatch.undo()
    index.view(first).close()
    monkeypatch.setattr(writing, "catch_up", refuse)
    with index.view(head) as view:
        assert len(found(view, "heron")) == 3
    assert index.stamp() == first


def test_a_killed_build_is_invisible(directory: Path, source: MemorySource) -> None:
    """What was half built is never read, and its folder goes away in time."""
    head = list(source.snapshots)[-1]
    index = BranchIndex(directory, source)
    index.view(head).close()
    half = directory / "building-1-dead"
    half.mkdir()
    (half / "_MAIN_1.toc").write_bytes(b"half")
    os.utime(half, (1, 1))
    index.rebuild(head)
    with index.view(head) as view:
        assert len(found(view, "heron")) == 3
    assert not half.exists()
