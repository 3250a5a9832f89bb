"""Two at one memory, while one of them moves it between the branches: it ends on one branch, with every text."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Conflict, GitmemError, NotFound
from gitmem.flows.moving import carriage
from gitmem.flows.writing import apply as applying
from gitmem.git.publish import publish
from gitmem.store import Store
from tests.conftest import assert_sound, git

Meanwhile = Callable[[Callable[[], object]], None]


@pytest.fixture
def doc(store: Store, folder: Path) -> Store:
    """A memory with an archived neighbour, so that both branches are there."""
    store.remember("retired", id="old")
    store.archive(["old"])
    store.remember("rev A", id="doc")
    return store


@pytest.fixture
def after_arrival(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Lets something happen once, after a move has arrived and before it leaves."""

    def arrange(what: Callable[[], object]) -> None:
        waiting = [what]

        def point(name: str) -> None:
            if name == "move.arrived" and waiting:
                waiting.pop()()

        monkeypatch.setattr(carriage, "point", point)

    return arrange


@pytest.fixture
def before_publication(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Callable[[], object]], None]:
    """Lets something happen between the planning of the n-th commit and the moving of its branch."""

    def arrange(number: int, what: Callable[[], object]) -> None:
        monkeypatch.setattr(applying, "WRITER_LOCK_SECONDS", 0.01)
        commits = 0

        def delayed(*arguments: object, **named: object) -> object:
            nonlocal commits
            commits += 1
            if commits == number:
                what()
            return publish(*arguments, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(applying, "publish", delayed)

    return arrange


def places(store: Store, memory_id: str) -> dict[str, str]:
    """The branches on which a memory stands, each with its text there."""
    return {
        branch: memory.body
        for branch in ("main", "archive")
        for path, blob in store.place.snapshot_of(branch).files()
        if (memory := store.place.snapshot_of(branch).read(path, blob)).id == memory_id
    }


def test_a_text_that_changes_while_it_is_archived_is_archived_as_it_is_now(
    doc: Store, folder: Path, after_arrival: Meanwhile
) -> None:
    """The copy that arrived first is stale: it must neither stay nor win."""
    after_arrival(lambda: Store.open(folder).update("doc", "rev B"))
    doc.archive(["doc"])
    assert places(doc, "doc") == {"archive": "rev B\n"}
    assert_sound(folder)


def test_an_attachment_that_comes_while_its_memory_is_archived_goes_along(
    doc: Store, folder: Path, tmp_path: Path, after_arrival: Meanwhile
) -> None:
    (tmp_path / "late.txt").write_text("late\n")
    after_arrival(lambda: Store.open(folder).attach("doc", [tmp_path / "late.txt"]))
    doc.archive(["doc"])
    assert "late.txt" not in git(folder, "ls-tree", "-r", "--name-only", "main")
    assert "late.txt" in git(folder, "ls-tree", "-r", "--name-only", "archive")


def test_a_text_that_changes_while_it_is_restored_is_on_main_alone(
    doc: Store, folder: Path, after_arrival: Meanwhile
) -> None:
    """The update was acknowledged: the archived copy goes, though it is not equal any more."""
    doc.archive(["doc"])
    after_arrival(lambda: Store.open(folder).update("doc", "rev B"))
    doc.restore(["doc"])
    assert places(doc, "doc") == {"main": "rev B\n"}


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(("verb", "other"), [("archive", "restore"), ("restore", "archive")])
def test_moves_in_opposite_directions_never_lose_the_memory(
    doc: Store,
    folder: Path,
    verb: str,
    other: str,
    number: int,
    before_publication: Callable[[int, Callable[[], object]], None],
) -> None:
    """Each relies on the copy that the other is about to take away."""
    if verb == "restore":
        doc.archive(["doc"])

    def meanwhile() -> None:
        with contextlib.suppress(Conflict, NotFound):
            getattr(Store.open(folder), other)(["doc"])

    before_publication(number, meanwhile)
    with contextlib.suppress(Conflict, NotFound):
        getattr(doc, verb)(["doc"])
    assert len(places(doc, "doc")) == 1, places(doc, "doc")
    assert_sound(folder)


def test_an_undo_that_is_refused_half_way_changes_nothing(
    doc: Store, folder: Path, after_arrival: Meanwhile
) -> None:
    """The memory that came back to archive is taken back; a later undo of the same move is not in the way."""
    doc.archive(["doc"])
    doc.restore(["doc"])
    operation = doc.log().entries[0].operation_id
    assert operation is not None
    after_arrival(lambda: Store.open(folder).update("doc", "rev B"))
    with pytest.raises(Conflict):
        doc.undo(operation)
    assert places(doc, "doc") == {"main": "rev B\n"}
    doc.undo()
    assert places(doc, "doc") == {"main": "rev A\n"}
    doc.undo(operation)
    assert places(doc, "doc") == {"archive": "rev A\n"}


def test_a_move_that_is_refused_takes_back_what_arrived_and_nothing_else(
    doc: Store, folder: Path, after_arrival: Meanwhile
) -> None:
    """What was written to the copy meanwhile was acknowledged: it stays."""
    doc.archive(["doc"])

    def meanwhile() -> None:
        other = Store.open(folder)
        other.update("doc", "rev B")
        raise Conflict("refused for the test")

    after_arrival(meanwhile)
    with pytest.raises(GitmemError):
        doc.restore(["doc"])
    assert places(doc, "doc")["main"] == "rev B\n"


def test_a_move_that_the_disk_refuses_half_way_takes_back_what_arrived(
    doc: Store, folder: Path, after_arrival: Meanwhile
) -> None:
    index = folder / ".git/index"

    def meanwhile() -> None:
        index.rename(folder / ".git/index.away")
        index.mkdir()

    after_arrival(meanwhile)
    with pytest.raises(OSError, match="index"):
        doc.archive(["doc"])
    index.rmdir()
    (folder / ".git/index.away").rename(index)
    assert places(doc, "doc") == {"main": "rev A\n"}
    assert_sound(folder)


def test_a_reader_finds_a_memory_that_moves_while_it_looks(
    doc: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not on main yet, not in the archive any more: that is no reason to say that it is nowhere."""
    from gitmem.flows.reading import find, locate

    doc.archive(["doc"])
    found, looked = find.get_memory, []

    def slow(work: object, snapshot: object, reference: str) -> object:
        try:
            return found(work, snapshot, reference)  # type: ignore[arg-type]
        finally:
            looked.append(reference)
            if len(looked) == 1:
                Store.open(folder).restore(["doc"])

    monkeypatch.setattr(locate, "get_memory", slow)
    assert Store.open(folder).show("doc").memory.body == "rev A\n"


def test_recall_over_both_branches_finds_a_moving_memory_once(
    doc: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both branches are read as they were at one moment."""
    from gitmem.flows import recall as recalling

    doc.archive(["doc"])
    recall_on, looked = recalling._recall_on, []

    def slow(*arguments: object) -> object:
        try:
            return recall_on(*arguments)  # type: ignore[arg-type]
        finally:
            looked.append(arguments)
            if len(looked) == 1:
                Store.open(folder).restore(["doc"])

    monkeypatch.setattr(recalling, "_recall_on", slow)
    hits = Store.open(folder).recall("rev", archived=True).hits
    assert [each.hit.record.id for each in hits] == ["doc"]


def test_a_memory_in_the_middle_of_a_move_is_recalled_once(
    doc: Store, folder: Path, after_arrival: Meanwhile
) -> None:
    seen: list[list[str]] = []

    def look() -> None:
        hits = Store.open(folder).recall("rev", archived=True).hits
        seen.append([each.hit.record.id for each in hits])

    after_arrival(look)
    doc.archive(["doc"])
    assert seen == [["doc"]]
