"""Every damaged or half-way state that an accident leaves: reported without a change, and mended or explained."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gitmem.errors import Damaged, GitmemError
from gitmem.flows.doctoring.ailment import Ailment
from gitmem.git.marks import process_mark
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem
from tests.faults.forked import forked
from tests.faults.operations import prepare, prepared, state
from tests.founded import NewStores


@dataclass(frozen=True, slots=True)
class Ill:
    """A state: what makes it, the code that doctor reports, and what a person reads where it is not mended.

    `opens`: whether the store can be used while it is so. `after`: what must be true when it is mended.
    """

    make: Callable[[Path], object]
    code: str
    by_a_person: str | None = None
    opens: bool = True
    is_sound_after: bool = True


def died(work: Callable[[Store], object], point: str) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        assert forked(lambda: work(Store.open(folder)), fault=point).was_killed

    return make


def on_another_machine(folder: Path) -> None:
    died(lambda store: store.update("doc", "rev C"), "publish.after-ref")(folder)
    (entry,) = (folder / ".git" / "gitmem" / "journal").glob("*/entry.json")
    host = entry.read_text().partition('"host": "')[2].partition('"')[0]
    entry.write_text(entry.read_text().replace(host, "elsewhere"))


def ref(content: bytes | None, branch: str = "main") -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        file = folder / ".git" / "refs" / "heads" / branch
        file.unlink()
        if content is not None:
            file.write_bytes(content)

    return make


def packed_refs_of_zeros(folder: Path) -> None:
    git(folder, "pack-refs", "--all")
    file = folder / ".git" / "packed-refs"
    file.write_bytes(b"\0" * file.stat().st_size)


def empty_object(revision: str) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        oid = git(folder, "rev-parse", revision).strip()
        file = folder / ".git" / "objects" / oid[:2] / oid[2:]
        file.chmod(0o644)
        file.write_bytes(b"")

    return make


def no_log(make: Callable[[Path], object]) -> Callable[[Path], object]:
    def without(folder: Path) -> None:
        make(folder)
        (folder / ".git" / "logs" / "refs" / "heads" / "main").unlink()
        (folder / ".git" / "logs" / "HEAD").unlink()

    return without


def index_behind(folder: Path) -> None:
    index = folder / ".git" / "index"
    before = index.read_bytes()
    store = Store.open(folder)
    store.remember("not to be dropped", id="late")
    store.update("doc", "rev C")
    store.archive(["kept"])
    index.write_bytes(before)


def index_of(content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / ".git" / "index").write_bytes(content)


def both_branches(text: str) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        path = Store.open(folder).show("old").memory.path
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        content = git(folder, "show", f"archive:{path}").replace("retired", text)
        (folder / path).write_text(content)
        git(folder, "add", path)
        git(folder, "commit", "-qm", "as after a merge")

    return make


def note(content: bytes, name: str = "note.md") -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        (folder / name).write_bytes(content)
        git(folder, "add", name)
        git(folder, "commit", "-qm", "by hand")

    return make


def search_index(change: Callable[[Path], object]) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        state_in_use = folder / ".git" / "gitmem" / "index" / "main"
        state_in_use = state_in_use / (state_in_use / "CURRENT").read_text().strip()
        for segment in state_in_use.glob("*.seg"):
            change(segment)

    return make


def dead_mark() -> str:
    return f"{process_mark().rpartition('-')[0]}-{forked_pid()}"


def forked_pid() -> int:
    """The number of a process that has ended."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def leftovers(folder: Path) -> None:
    home, dead = folder / ".git" / "gitmem", dead_mark()
    (home / "index" / "main" / f"building-{dead}-00000000").mkdir()
    (home / "index" / "main" / f"CURRENT.{dead}.00000000.part").touch()
    (home / "moves" / f"20260101T000000-00000000.{dead}.new").touch()
    (folder / "semantic" / f".gitmem-00000000000000000001-{forked_pid()}-00000000-index-0.tmp").touch()


def old_lock(name: str) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        (folder / ".git" / name).touch()
        os.utime(folder / ".git" / name, (time.time() - 3600,) * 2)

    return make


STATES: dict[str, Ill] = {
    "a write that died before the ref moved": Ill(
        died(lambda store: store.update("doc", "rev C"), "publish.ref-locked"), "write"
    ),
    "a write that died behind it": Ill(
        died(lambda store: store.update("doc", "rev C"), "publish.after-ref"), "write"
    ),
    "a write of another machine": Ill(on_another_machine, "write", "--dead", is_sound_after=False),
    "an archive that died half way": Ill(died(lambda store: store.archive(["doc"]), "move.arrived"), "move"),
    "an undo of a move that died half way": Ill(
        lambda folder: (
            Store.open(folder).archive(["doc"]),
            died(lambda store: store.undo(), "move.arrived")(folder),
        ),
        "move",
    ),
    "an empty ref": Ill(ref(b""), "ref", opens=False),
    "a ref of zeros": Ill(ref(b"\0" * 41), "ref", opens=False),
    "a garbled ref": Ill(ref(b"\xff\xfenonsense\n"), "ref", opens=False),
    "a ref to nothing": Ill(ref(b"1" * 40 + b"\n"), "ref", opens=False),
    "a missing ref": Ill(ref(None), "ref", opens=False),
    "a missing ref of the archive": Ill(ref(None, "archive"), "ref"),
    "an empty ref of the archive": Ill(ref(b"", "archive"), "ref"),
    "an empty ref without a log": Ill(
        no_log(ref(b"")), "ref", "git update-ref", opens=False, is_sound_after=False
    ),
    "packed refs of zeros": Ill(packed_refs_of_zeros, "ref", opens=False),
    "an empty commit object": Ill(empty_object("main"), "ref", opens=False, is_sound_after=False),
    "an empty tree object": Ill(empty_object("main^{tree}"), "ref", opens=False),
    "an empty file object": Ill(empty_object("main:semantic/do/rev-a-doc.md"), "object"),
    "a git index behind the branch": Ill(index_behind, "git-index"),
    "an empty git index": Ill(index_of(b""), "git-index"),
    "a git index of zeros": Ill(index_of(b"\0" * 400), "git-index"),
    "a memory on both branches": Ill(both_branches("retired"), "doubled"),
    "a newer text than on archive": Ill(both_branches("another text"), "doubled"),
    "two memories of one id": Ill(note(b"---\nid: doc\n---\ntwice\n"), "duplicate-id", "take the line 'id:'"),
    "a broken header": Ill(note(b"---\nid: x\ntags: [a\n---\ntext\n"), "header", "mend the header by hand"),
    "a conflict marker": Ill(note(b"<<<<<<< main\na\n=======\nb\n>>>>>>> side\n"), "merge"),
    "a file that is no text": Ill(note(b"a\0b"), "binary", "NUL bytes"),
    "a file in another encoding": Ill(note("Grüße".encode("latin-1")), "encoding", "UTF-8"),
    "a segment cut off": Ill(search_index(lambda file: os.truncate(file, file.stat().st_size // 2)), "index"),
    "a segment of zeros": Ill(
        search_index(lambda file: file.write_bytes(b"\0" * file.stat().st_size)), "index"
    ),
    "zeros in a segment": Ill(
        search_index(
            lambda file: file.write_bytes(file.read_bytes()[:-200] + b"\0" * 100 + file.read_bytes()[-100:])
        ),
        "index",
    ),
    "files of dead processes": Ill(leftovers, "leftover"),
    "an old lock of git's index": Ill(
        old_lock("index.lock"), "lock", "delete that file", is_sound_after=False
    ),
    "an old lock of a ref": Ill(
        old_lock("refs/heads/main.lock"), "lock", "delete that file", is_sound_after=False
    ),
    "a hook that is gone": Ill(lambda folder: (folder / ".git" / "hooks" / "post-merge").unlink(), "hooks"),
}


def contents(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything in a folder: mode, time of change and bytes of each file, and the folders."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in folder.rglob("*")
    }


def codes(ailments: list[Ailment]) -> set[str]:
    return {ailment.code for ailment in ailments}


@pytest.mark.parametrize("name", STATES)
def test_a_state_is_reported_unchanged_and_then_mended_or_explained(
    new_stores: NewStores, person: None, tmp_path: Path, name: str
) -> None:
    ill, folder = STATES[name], tmp_path / "mem"
    before = state(prepared(new_stores, folder))
    ill.make(folder)
    left = contents(folder)

    try:
        Store.open(folder, is_mended=False).check()
    except Damaged as error:
        assert not ill.opens or ill.code == "ref", error
        assert "\n" not in error.message and "refs/heads/" in error.message + str(error.hint), error
    else:
        assert ill.opens
    reported = list(Store.diagnose(folder))
    assert contents(folder) == left, "looking changed something"
    assert ill.code in codes(reported), reported
    assert not any(ailment.is_fixed for ailment in reported)
    assert all(ailment.hint for ailment in reported), reported

    mended = [ailment for ailment in Store.diagnose(folder, fix=True) if ailment.code == ill.code]
    assert mended
    again = [ailment for ailment in Store.diagnose(folder) if ailment.code == ill.code]
    if ill.by_a_person is not None:
        assert any(ill.by_a_person in (ailment.hint or "") for ailment in mended + again), mended
    else:
        assert again == [], again
        assert any(ailment.is_fixed for ailment in mended), mended
        healed = Store.open(folder)
        assert set(before) <= set(state(healed))
        assert healed.recall("kept", archived=True).hits
    if ill.is_sound_after:
        assert_sound(folder)


def test_a_lost_branch_is_never_begun_anew(store: Store, folder: Path) -> None:
    """What looks like a store without a commit is one that lost its branch: nothing is written to it."""
    prepare(store)
    ref(None)(folder)
    ref(None, "archive")(folder)
    with pytest.raises(Damaged, match="refs/heads/main"):
        Store.open(folder).remember("into the void")
    assert not (folder / ".git" / "refs" / "heads" / "main").exists()


def test_what_was_damaged_is_kept(store: Store, folder: Path) -> None:
    prepare(store)
    ref(b"precious garbage")(folder)
    Store.diagnose(folder, fix=True)
    kept = list((folder / ".git" / "gitmem" / "aside").iterdir())
    assert [file.read_bytes() for file in kept] == [b"precious garbage"]


def test_a_write_of_another_machine_is_finished_once_a_person_says_that_it_is_over(
    store: Store, folder: Path
) -> None:
    prepare(store)
    on_another_machine(folder)
    (found,) = [ailment for ailment in Store.diagnose(folder, fix=True) if ailment.code == "write"]
    operation = (found.hint or "").rpartition("--dead ")[2].strip("'")
    done = gitmem(folder, "doctor", "--fix", "--dead", operation)
    assert done.code == 0 and "fixed: finished a write" in done.out, done
    assert_sound(folder)
    assert gitmem(folder, "doctor", "--dead", operation).code == 2


def test_a_commit_that_was_lost_is_taken_in_again_from_the_worktree(store: Store, folder: Path) -> None:
    """Of a commit whose object a power cut emptied, the files are still there: they show as edits."""
    prepare(store)
    store.remember("written just before the power went", id="last")
    empty_object("main")(folder)
    with pytest.raises(GitmemError):
        Store.open(folder)
    Store.diagnose(folder, fix=True)
    healed = Store.open(folder)
    assert healed.show("last").edit
    healed.commit_edits()
    assert healed.show("last").memory.body == "written just before the power went\n"
    assert git(folder, "status", "--porcelain") == ""


def test_an_archive_that_was_removed_is_put_back(store: Store, folder: Path, tmp_path: Path) -> None:
    """`git branch -D` of all but main takes the archived memories along; a clone without them is no case."""
    store.remember("alpha", id="a")
    store.remember("beta", id="b")
    store.archive(["a"])
    store.archive(["b"])
    archive = git(folder, "rev-parse", "archive").strip()
    git(folder, "branch", "-qD", "archive")
    (found,) = store.doctor()
    assert not found.is_fixed and archive[:10] in (found.hint or "")
    (fixed,) = store.doctor(fix=True)
    assert fixed.is_fixed and git(folder, "rev-parse", "archive").strip() == archive
    assert store.doctor() == []
    store.restore(["a"])
    git(tmp_path, "clone", "-q", "--single-branch", str(folder), "part")
    gitmem(tmp_path / "part", "init")
    assert Store.open(tmp_path / "part").doctor() == []
    git(folder, "branch", "-qD", "archive")
    git(folder, "gc", "-q", "--prune=now")
    (found,) = store.doctor(fix=True)
    assert not found.is_fixed and "refs/heads/archive is missing" in found.message
