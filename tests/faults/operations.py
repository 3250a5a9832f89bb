"""Everything that writes to a store, as one table: what it does, what the store holds after it, what it passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gitmem.clock import FixedClock
from gitmem.flows.writing import apply as applying
from gitmem.flows.writing.drafting import Request
from gitmem.git.packs import FEWEST_PACKED
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git
from tests.faults.points import BUILD, CATCH_UP, MOVE, PACK, PUBLISH
from tests.faults.soak.proof import index_is_right, leftovers
from tests.founded import NewStores

State = Mapping[str, tuple[str, str]]
"""For each memory the branch and the text."""

PUBLISHED = PUBLISH[PUBLISH.index("publish.after-ref") :]
NO_WORKTREE = (
    "publish.before-entry",
    "publish.after-entry",
    "publish.prepared",
    "publish.ref-locked",
    "publish.before-ref",
    "publish.after-ref",
    "publish.before-cleanup",
    "journal.removing",
)
"""What a commit on a branch that is checked out nowhere passes."""
REMOVAL = (
    *NO_WORKTREE,
    "publish.index-locked",
    "publish.file",
    "publish.files-written",
    "publish.before-stat",
    "publish.before-index",
    "publish.index-replaced",
    "publish.after-index",
)
"""What a commit passes that takes a file out of a worktree."""
WRITE = (*REMOVAL, "publish.file-placed")


def twice(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """The points of two commits after each other; a second passage is `point:2`."""
    passages: Counter[str] = Counter()
    found = []
    for name in (*first, *second):
        passages[name] += 1
        found.append(name if passages[name] == 1 else f"{name}:{passages[name]}")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: what does it, what changes (None: the memory is gone), and the points on its way."""

    do: Callable[[Store], object]
    after: Mapping[str, tuple[str, str] | None]
    points: tuple[str, ...]
    prepare: Callable[[Store], object] = id
    first: int | None = None
    """Of a move: how many of the points are passed before it has arrived."""

    def is_there(self, point: str) -> bool:
        """Whether the operation is whole, or will be made whole, if the process dies at `point`."""
        if self.first is not None and self.points.index(point) >= self.first:
            return True
        return point.partition(":")[0] in PUBLISHED

    def expected(self, before: State) -> State:
        changed = {**before, **self.after}
        return {key: place for key, place in changed.items() if place is not None}


def _batch(store: Store) -> object:
    return store.remember_all([Request(f"new {n}", id=f"new{n}") for n in range(3)])


def _large_batch(store: Store) -> object:
    return store.remember_all([Request(f"new {n}", id=f"new{n}") for n in range(FEWEST_PACKED)])


def _under_lock(store: Store) -> object:
    """As after three lost races: the plan is made anew while the branch is locked."""
    applying.OPTIMISTIC_ATTEMPTS = 0
    return store.update("doc", "rev C")


def _merged(store: Store) -> None:
    """A branch with a new memory and another text was merged by plain git; the index does not know it yet."""
    folder = store.place.repository.worktree
    assert folder is not None
    store.recall("kept")
    git(folder, "checkout", "-q", "-b", "side")
    (folder / "side.md").write_text("---\nid: side\n---\nmerged in\n")
    file = folder / store.show("doc").memory.path
    file.write_text(file.read_text().replace("rev B", "rev M"))
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "side")
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "-m", "merge", "side")


OPERATIONS: dict[str, Operation] = {
    "remember": Operation(lambda store: store.remember("new", id="new"), {"new": ("main", "new\n")}, WRITE),
    "batch": Operation(
        _batch,
        {f"new{n}": ("main", f"new {n}\n") for n in range(3)},
        (*WRITE, "publish.file:2", "publish.file-placed:2"),
    ),
    "large batch": Operation(
        _large_batch,
        {f"new{n}": ("main", f"new {n}\n") for n in range(FEWEST_PACKED)},
        (*PACK, "publish.after-ref", "publish.file-placed:20"),
    ),
    "update": Operation(lambda store: store.update("doc", "rev C"), {"doc": ("main", "rev C\n")}, WRITE),
    "update under lock": Operation(_under_lock, {"doc": ("main", "rev C\n")}, (*WRITE, "publish.remade")),
    "append": Operation(
        lambda store: store.append("doc", "more"), {"doc": ("main", "rev B\nmore\n")}, ("publish.after-ref",)
    ),
    "tag": Operation(lambda store: store.tag("doc", add=["x"]), {}, ("publish.after-ref",)),
    "rename": Operation(
        lambda store: store.rename("doc", "Another title"),
        {},
        ("publish.before-ref", "publish.after-ref", "publish.file:2", "publish.file-placed"),
    ),
    "revert": Operation(lambda store: store.revert("doc", "v1"), {"doc": ("main", "rev A\n")}, WRITE),
    "undo": Operation(lambda store: store.undo(), {"doc": ("main", "rev A\n")}, WRITE),
    "archive": Operation(
        lambda store: store.archive(["doc"]),
        {"doc": ("archive", "rev B\n")},
        (MOVE[0], *twice(NO_WORKTREE, REMOVAL), *MOVE[1:]),
        first=1 + len(NO_WORKTREE),
    ),
    "restore": Operation(
        lambda store: store.restore(["old"]),
        {"old": ("main", "retired\n")},
        (MOVE[0], *twice(WRITE, NO_WORKTREE), *MOVE[1:]),
        first=1 + len(WRITE),
    ),
    "undo of a move": Operation(
        lambda store: store.undo(),
        {"doc": ("main", "rev B\n")},
        (MOVE[0], *twice(WRITE, NO_WORKTREE), *MOVE[1:]),
        first=1 + len(WRITE),
        prepare=lambda store: store.archive(["doc"]),
    ),
    "reindex": Operation(lambda store: store.reindex(), {}, BUILD),
    "merge into the index": Operation(lambda store: store.recall("merged"), {}, CATCH_UP, prepare=_merged),
}


def prepare(store: Store) -> None:
    """A memory that stays, an archived one, and one with two versions; the index is up to date."""
    store.remember("kept", id="kept")
    store.remember("retired", id="old")
    store.archive(["old"])
    store.remember("rev A", id="doc")
    store.update("doc", "rev B")
    store.recall("kept", archived=True)


def prepared(new_stores: NewStores, folder: Path, name: str = "") -> Store:
    """A store in `folder` as it is before the operation of that name."""

    def as_before(store: Store) -> None:
        prepare(store)
        if name:
            OPERATIONS[name].prepare(store)

    return new_stores.at(folder, FixedClock(NOW), name=f"before {name}", prepare=as_before)


def state(store: Store) -> State:
    """Every memory on either branch; none stands on both."""
    found: dict[str, tuple[str, str]] = {}
    for branch in ("main", "archive"):
        snapshot = store.place.snapshot_of(branch)
        for path, blob in snapshot.files():
            memory = snapshot.read(path, blob)
            assert memory.id not in found, f"{memory.id} stands twice"
            found[memory.id] = (branch, memory.body)
    return found


def assert_whole(folder: Path) -> Store:
    """The store, opened by the next command: nothing half there, nothing left over, the index right."""
    store = Store.open(folder)
    store.recall("kept", archived=True)
    assert_sound(folder)
    journal = [problem for problem in leftovers(folder) if "left in the journal" not in problem]
    assert journal == [], journal
    assert not list((folder / ".git" / "gitmem" / "journal").glob("*/entry.json"))
    for branch in ("main", "archive"):
        assert list(index_is_right(store, branch)) == []
    return store
