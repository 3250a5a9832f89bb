"""Memories that cannot be read now: named by every answer, never taken for empty, taken in when they can be read."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.store import Store
from tests.conftest import git

Lost = Callable[[str], Path]


@pytest.fixture
def lost(folder: Path, tmp_path: Path) -> Lost:
    """Takes the object of a path out of the repository; where it is kept."""

    def take(path: str) -> Path:
        oid = git(folder, "rev-parse", f"HEAD:{path}").strip()
        loose = folder / ".git/objects" / oid[:2] / oid[2:]
        kept = tmp_path / f"{oid[:2]}-{oid[2:]}"
        loose.rename(kept)
        return kept

    return take


def forget_index(folder: Path) -> None:
    shutil.rmtree(folder / ".git/gitmem/index", ignore_errors=True)


def bring_back(folder: Path, kept: Path) -> None:
    first, _, rest = kept.name.partition("-")
    kept.rename(folder / ".git/objects" / first / rest)


def hits(store: Store, query: str) -> list[str]:
    return [str(each.hit.record.id) for each in store.recall(query).hits]


@pytest.mark.parametrize("is_kept_open", [True, False])
def test_what_is_readable_again_is_found_again(
    store: Store, folder: Path, lost: Lost, is_kept_open: bool
) -> None:
    """The stamp of an index is no promise that all of it could be read."""
    one = store.remember("fine zebra", id="one", title="Stripes")
    store.remember("grey heron", id="two")
    kept = lost(one.path)
    (folder / one.path).unlink()
    git(folder, "update-index", "--assume-unchanged", one.path)
    forget_index(folder)
    reader = Store.open(folder)
    for _ in range(2):
        answer = reader.recall("zebra")
        assert not answer.hits
        assert [one.path in note and "could not be read" in note for note in answer.notes] == [True]
        assert hits(reader, "heron") == ["two"]
    bring_back(folder, kept)
    again = reader if is_kept_open else Store.open(folder)
    assert hits(again, "zebra") == ["one"]
    assert not again.recall("zebra").notes and not again.list().notes
    assert again.list().total == 2


def test_the_number_and_the_first_are_told(store: Store, folder: Path, lost: Lost) -> None:
    paths = sorted(store.remember(f"bird number {number}").path for number in range(3))
    for path in paths:
        lost(path)
        (folder / path).unlink()
        git(folder, "update-index", "--assume-unchanged", path)
    forget_index(folder)
    (note,) = Store.open(folder).recall("bird").notes
    assert note.startswith("3 memories on main could not be read")
    assert all(path in note for path in paths) and "doctor" in note


def test_an_answer_from_two_branches_tells_what_either_could_not_read(
    store: Store, folder: Path, lost: Lost
) -> None:
    one = store.remember("fine zebra", id="one")
    store.remember("grey heron", id="two")
    store.archive(["one"])
    oid = git(folder, "rev-parse", f"archive:{one.path}").strip()
    (folder / ".git/objects" / oid[:2] / oid[2:]).unlink()
    forget_index(folder)
    answer = Store.open(folder).recall("heron", archived=True)
    assert [hit.hit.record.id for hit in answer.hits] == ["two"]
    assert any(one.path in note for note in answer.notes)


def test_nothing_is_written_while_it_stays_unreadable(store: Store, folder: Path, lost: Lost) -> None:
    """A clone that lacks much does not write its index at every question."""
    one = store.remember("fine zebra", id="one")
    store.remember("grey heron", id="two")
    lost(one.path)
    (folder / one.path).unlink()
    git(folder, "update-index", "--assume-unchanged", one.path)
    forget_index(folder)
    Store.open(folder).recall("heron")
    place = folder / ".git/gitmem/index/main"
    before = sorted((str(file), file.stat().st_mtime_ns) for file in place.rglob("*.toc"))
    time.sleep(0.01)
    for _ in range(3):
        Store.open(folder).recall("heron")
    assert before == sorted((str(file), file.stat().st_mtime_ns) for file in place.rglob("*.toc"))


def test_an_attachment_that_is_missing_hides_no_memory(
    store: Store, folder: Path, tmp_path: Path, lost: Lost
) -> None:
    """The text of the memory is searched; that of the attachment is as soon as it is back."""
    store.remember("fine zebra", id="one")
    (tmp_path / "more.txt").write_text("quagga")
    path = store.attach("one", [tmp_path / "more.txt"]).path
    forget_index(folder)
    kept = lost(f"{path.removesuffix('.md')}.files/more.txt")
    reader = Store.open(folder)
    assert hits(reader, "zebra") == ["one"] and not hits(reader, "quagga")
    assert any("could not be read" in note for note in reader.recall("quagga").notes)
    bring_back(folder, kept)
    assert hits(Store.open(folder), "quagga") == ["one"]
    assert not Store.open(folder).recall("quagga").notes


def test_a_version_that_is_readable_again_is_found_in_the_past(
    store: Store, folder: Path, lost: Lost
) -> None:
    one = store.remember("fine zebra", id="one", title="Stripes")
    store.remember("grey heron", id="two")
    kept = lost(one.path)
    store.remember("third", id="three")
    forget_index(folder)
    past = Store.open(folder).at("HEAD~1")
    answer = past.recall("zebra")
    assert not answer.hits and any(one.path in note for note in answer.notes)
    assert hits(past, "heron") == ["two"]
    bring_back(folder, kept)
    past = Store.open(folder).at("HEAD~1")
    assert hits(past, "zebra") == ["one"] and not past.recall("zebra").notes


def test_an_index_of_the_past_without_its_sums_is_built_anew(store: Store, folder: Path) -> None:
    """What nothing proves is not believed, and not left lying there for ever either."""
    store.remember("fine zebra", id="one")
    store.remember("grey heron", id="two")
    assert hits(store.at("HEAD~1"), "zebra") == ["one"]
    place = folder / ".git/gitmem/index/@past-main"
    for sums in place.rglob("sums-*.json"):
        sums.unlink()
    said: list[str] = []
    assert hits(Store.open(folder, notice=said.append).at("HEAD~1"), "zebra") == ["one"]
    assert not said and list(place.rglob("sums-*.json"))
