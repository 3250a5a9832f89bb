"""A crafted `gitmem` folder in the git directory: index, journal, intents, locks and links that were not made here."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import shutil
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.structfile import StructFile
from whoosh.index import _CURRENT_TOC_VERSION, FileIndex
from whoosh.system import _FLOAT_SIZE, _INT_SIZE, _LONG_SIZE

from gitmem.errors import GitmemError
from gitmem.git import journal
from gitmem.git.objects import blob_id_of
from gitmem.git.recover import recover
from gitmem.index.whoosh_schema import schema
from gitmem.platform import FileLock, host_id
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.hostile.conftest import Outside, Program
from tests.hostile.crafting import FILE, FOLDER, blob, commit_with, memory, tree


def home(folder: Path) -> Path:
    return folder / ".git" / "gitmem"


def dead_entry(folder: Path, **changed: object) -> Path:
    """A journal entry of a process that has ended, with some of its facts replaced."""
    commit = git(folder, "rev-parse", "main").strip()
    facts: dict[str, object] = {
        "pid": 2**22 + 1,
        "start_time": None,
        "host": host_id(),
        "branch": "main",
        "old": git(folder, "rev-parse", "main~1").strip(),
        "commit": commit,
        "label": "crafted",
        "changes": [],
        "worktrees": [[str(folder), str(folder / ".git")]],
        "locks": [
            ["index-0", str(folder / ".git/index.lock")],
            ["ref", str(folder / ".git/refs/heads/main.lock")],
        ],
    }
    entry = home(folder) / "journal" / f"{time.time_ns():020d}-{2**22 + 1}-00000000"
    entry.mkdir(parents=True)
    (entry / "entry.json").write_text(json.dumps({**facts, **changed}))
    (entry / "index-0").write_text("gitmem\n")
    (entry / "ref").write_text(commit + "\n")
    return entry


LOCKS: list[Callable[[Path], list[Any]]] = [
    lambda victim: [["../../../../../outside/secret", str(victim)]],
    lambda victim: [["../../../../../outside/sec*", str(victim)]],
    lambda victim: [[str(victim), str(victim)]],
    lambda victim: [["ref", str(victim)]],
    lambda victim: [["index-0", str(victim)]],
    lambda victim: [["index-0/../../../../../../outside/secret.md", str(victim)]],
    lambda victim: [["**/*", str(victim)], ["*", str(victim)]],
]


@pytest.mark.parametrize("locks", LOCKS)
@pytest.mark.parametrize("commit", ["HEAD", "gone"])
def test_a_crafted_journal_removes_no_file(
    store: Store, folder: Path, outside: Outside, locks: Callable[[Path], list[Any]], commit: str
) -> None:
    """A lock is removed only where the branch and the worktrees say that it is one, whatever the journal says."""
    store.remember("one", id="one")
    victim = outside.folder / "secret.md"
    facts = {"locks": locks(victim)} | ({} if commit == "HEAD" else {"commit": "1" * 40})
    entry = dead_entry(folder, **facts)
    for name in ("ref", "index-0", "index-0.1"):
        (entry / name).unlink(missing_ok=True)
        os.link(victim, entry / name)
    outside.seal()
    store.remember("two", id="two")
    recover(store.place.repository)
    assert victim.exists()
    shutil.rmtree(home(folder) / "journal", ignore_errors=True)
    assert victim.read_text()
    assert_sound(folder)


@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret.md",
        "../outside/new.md",
        "/{outside}/secret.md",
        ".git/config",
        "a/../../outside/secret.md",
    ],
)
def test_a_crafted_journal_writes_and_removes_nothing_outside(
    store: Store, folder: Path, outside: Outside, path: str
) -> None:
    """Not even where a crafted tree has the path too."""
    store.remember("one", id="one")
    secret = (outside.folder / "secret.md").read_bytes()
    up = tree(
        folder,
        [
            (
                FOLDER,
                "outside",
                tree(folder, [(FILE, "new.md", blob(folder, "x")), (FILE, "secret.md", blob(folder, "y"))]),
            )
        ],
    )
    commit_with(folder, [(FOLDER, "..", up)])
    git(folder, "reset", "-q", "--soft", "HEAD")
    oid = blob_id_of(secret)
    dead_entry(folder, changes=[[path.format(outside=outside.folder), oid, None]])
    dead_entry(folder, changes=[[path.format(outside=outside.folder), None, oid]])
    outside.seal()
    recover(store.place.repository)
    store.remember("two", id="two")
    outside.assert_untouched()


ODD_FACTS: list[dict[str, object]] = [
    {"pid": "1"},
    {"pid": 10**30},
    {"pid": -1},
    {"pid": True},
    {"start_time": 5},
    {"host": None},
    {"branch": "../../outside"},
    {"branch": "-x"},
    {"branch": ["main"]},
    {"branch": "main\0"},
    {"old": "HEAD"},
    {"commit": "main"},
    {"commit": None},
    {"label": {"a": 1}},
    {"changes": {"a": "b"}},
    {"changes": [["a"]]},
    {"changes": [[None, None, None]]},
    {"changes": "abc"},
    {"worktrees": [["/", "/"]]},
    {"worktrees": [["/etc", "/etc"], ["/tmp", "/tmp/worktrees/x"]]},
    {"worktrees": 5},
    {"label": "\x1b[31m" * 10_000},
]


@pytest.mark.parametrize("facts", ODD_FACTS)
def test_a_journal_with_odd_facts_stops_nothing(store: Store, folder: Path, facts: dict[str, object]) -> None:
    """It is passed over: writes go on, and nothing is moved, locked or left behind by it."""
    store.remember("one", id="one")
    dead_entry(folder, **facts)
    Store.open(folder).remember("two", id="two")
    assert store.show("two").memory.body == "two\n"
    assert not list((folder / ".git").rglob("*.lock"))
    assert_sound(folder)


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 100, b"[" * 100_000, b"null", b"[]", b'"x"', b"\xff\xfe", b"9" * 5000]
)
def test_a_journal_that_is_no_json_stops_nothing(store: Store, folder: Path, content: bytes) -> None:
    """Whatever bytes stand where the journal or an intent is looked for."""
    store.remember("one", id="one")
    (dead_entry(folder) / "entry.json").write_bytes(content)
    (home(folder) / "moves").mkdir()
    (home(folder) / "moves/20260101T000000-deadbeef.json").write_bytes(content)
    assert Store.open(folder).recall("one").total == 1
    store.remember("two", id="two")
    assert store.doctor() is not None
    assert_sound(folder)


def test_a_link_in_the_journal_is_not_followed(store: Store, folder: Path, outside: Outside) -> None:
    """Neither a folder of the journal, nor a file in one, nor the journal itself."""
    store.remember("one", id="one")
    (outside.folder / "entry.json").write_text((dead_entry(folder) / "entry.json").read_text())
    (outside.folder / "index-0.sparse").mkdir()
    (outside.folder / "index-0.sparse/x").write_text("x")
    shutil.rmtree(home(folder) / "journal")
    name = f"{0:020d}-{2**22 + 1}-00000000"
    (home(folder) / "journal").mkdir(parents=True)
    (home(folder) / "journal" / name).symlink_to(outside.folder)
    linked = dead_entry(folder)
    (linked / "pending").symlink_to(outside.folder / "made")
    (linked / "index-0.sparse").mkdir()
    (linked / "index-0.sparse/sparse-index").symlink_to(outside.folder / "made-too")
    outside.seal()
    recover(store.place.repository)
    store.remember("two", id="two")
    outside.assert_untouched()
    shutil.rmtree(home(folder) / "journal")
    (home(folder) / "journal").symlink_to(outside.folder)
    recover(store.place.repository)
    store.remember("three", id="three")
    outside.assert_untouched()
    assert_sound(folder)


INTENTS: list[dict[str, object]] = [
    {"destination": "backup"},
    {"source": "backup", "destination": "main"},
    {"source": "../x"},
    {"destination": "main"},
    {"paths": ["../outside/secret.md"]},
    {"paths": [".gitmem/config.toml"]},
    {"paths": "semantic"},
    {"paths": [5]},
    {"pid": "x"},
    {"pid": None},
    {"started": 5},
    {"operation": "x\n\nOperation-Id: y"},
    {"operation": ""},
    {"operation_id": None},
]


@pytest.mark.parametrize("changed", INTENTS)
def test_a_crafted_intent_moves_nothing(
    store: Store, folder: Path, outside: Outside, changed: dict[str, object]
) -> None:
    """A move is finished only between the branches that the config knows, and only of memories."""
    one = store.remember("one", id="one")
    git(folder, "branch", "backup")
    intent = {
        "operation": "archive",
        "operation_id": "20260101T000000-deadbeef",
        "source": "main",
        "destination": "archive",
        "paths": [one.path],
        "pid": 2**22 + 1,
        "started": None,
    }
    (home(folder) / "moves").mkdir(parents=True, exist_ok=True)
    (home(folder) / "moves/x.json").write_text(json.dumps({**intent, **changed}))
    before = git(folder, "for-each-ref")
    outside.seal()
    assert Store.open(folder).recall("one").total == 1
    assert git(folder, "for-each-ref") == before
    outside.assert_untouched()
    store.doctor(fix=True)
    assert git(folder, "for-each-ref") == before


class Evil:
    """A pickle that runs a program where it is loaded."""

    def __init__(self, command: str) -> None:
        self._command = command

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.system, (self._command,)


def craft_toc(file: Path, program: Program) -> None:
    """Writes a table of contents that Whoosh reads without complaint, and that runs the program."""
    generation = int(file.stem.rpartition("_")[2])
    with open(file, "wb") as opened:
        stream = StructFile(opened)
        for size in (_INT_SIZE, _LONG_SIZE, _FLOAT_SIZE):
            stream.write_varint(size)
        stream.write_int(-12345)
        stream.write_int(_CURRENT_TOC_VERSION)
        for number in (2, 7, 4):
            stream.write_varint(number)
        stream.write_string(pickle.dumps(schema(), 2))
        stream.write_int(generation)
        stream.write_int(0)
        stream.write_pickle(Evil(str(program.file)))
        stream.flush()


def index_files(folder: Path) -> list[Path]:
    return [file for file in (home(folder) / "index").rglob("*") if file.is_file()]


@pytest.mark.parametrize("how", ["tables", "everything"])
def test_a_crafted_index_runs_nothing(
    store: Store, folder: Path, program: Program, tmp_path: Path, how: str
) -> None:
    """Files that came with the folder, in an archive or a copy, are never opened: they are pickles."""
    store.remember("fine zebra", id="ok")
    store.recall("zebra")
    place = home(folder) / "index"
    shutil.copytree(place, tmp_path / "copy")
    shutil.rmtree(place)
    shutil.copytree(tmp_path / "copy", place)
    for file in index_files(folder):
        if file.suffix == ".toc":
            craft_toc(file, program)
        elif how == "everything" and file.name not in ("seal.json", "CURRENT", "anchor"):
            file.write_bytes(pickle.dumps(Evil(str(program.file))))
    shutil.copytree(place, tmp_path / "again")
    assert Store.open(folder).recall("zebra").total == 1
    store.status()
    store.reindex()
    program.assert_never_ran()
    (toc,) = (tmp_path / "again").rglob("*.toc")
    with contextlib.suppress(Exception):
        FileIndex(FileStorage(str(toc.parent)))
    assert program.trace.exists(), "Whoosh itself runs what is in it"


@pytest.mark.parametrize("what", ["link", "dangling", "file", "pipe", "socket", "link-to-own-git"])
@pytest.mark.parametrize("name", ["", "index", "journal", "moves"])
def test_what_stands_in_the_place_of_a_private_folder_is_set_aside(
    store: Store, folder: Path, outside: Outside, what: str, name: str
) -> None:
    """A link, a file or a pipe there is neither followed nor filled; reading and writing go on."""
    store.remember("fine zebra", id="ok")
    store.recall("zebra")
    place = home(folder) / name if name else home(folder)
    if place.exists():
        shutil.rmtree(place)
    if what == "link":
        place.symlink_to(outside.folder)
    elif what == "dangling":
        place.symlink_to(outside.folder / "made")
    elif what == "file":
        place.write_text("junk")
    elif what == "pipe":
        os.mkfifo(place)
    elif what == "socket":
        monitor = socket.socket(socket.AF_UNIX)
        try:
            monitor.bind(os.path.relpath(place))
        except OSError:
            pytest.skip("the path is too long for a socket")
        monitor.close()
    else:
        place.symlink_to("../refs")
    outside.seal()
    refs = sorted(str(file) for file in (folder / ".git/refs").rglob("*"))
    assert Store.open(folder).recall("zebra").total == 1
    store.remember("new zebra", id="new")
    store.archive(["ok"])
    assert store.recall("zebra").total == 1
    outside.assert_untouched()
    added = set(map(str, (folder / ".git/refs").rglob("*"))) - set(refs)
    assert all("archive" in each for each in added)
    assert_sound(folder)


GUARDS = [
    "write.guard",
    "publish.guard",
    "recover.guard",
    "refresh.guard",
    "index-seal.guard",
    "index/main/building.guard",
]


@pytest.mark.parametrize("what", ["link", "dangling", "folder", "pipe"])
def test_a_lock_file_that_is_none_delays_nothing(
    store: Store, folder: Path, outside: Outside, what: str
) -> None:
    """Locks of gitmem only save work: where one cannot be had, the compare-and-set still holds."""
    store.remember("fine zebra", id="ok")
    store.recall("zebra")
    for name in GUARDS:
        guard = home(folder) / name
        guard.unlink(missing_ok=True)
        if what == "link":
            guard.symlink_to(outside.folder / "secret.txt")
        elif what == "dangling":
            guard.symlink_to(outside.folder / "made")
        elif what == "folder":
            guard.mkdir()
        else:
            os.mkfifo(guard)
    dead_entry(folder)
    outside.seal()
    store.append("ok", "more")
    store.reindex()
    store.refresh()
    store.archive(["ok"])
    assert store.on("archive").recall("zebra").total == 1
    outside.assert_untouched()
    assert_sound(folder)


@pytest.mark.parametrize("what", ["link", "folder"])
def test_gits_own_lock_that_is_a_link_is_not_followed(
    store: Store, folder: Path, outside: Outside, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`index.lock` and the lock of a ref belong to somebody: nothing is written through them or taken away."""
    store.remember("fine zebra", id="ok")
    for name in ("index.lock", "refs/heads/main.lock"):
        lock = folder / ".git" / name
        if what == "link":
            lock.symlink_to(outside.folder / "made")
        else:
            lock.mkdir()
    outside.seal()
    monkeypatch.setattr("gitmem.git.branch_lock.REF_LOCK_SECONDS", 0.1)
    monkeypatch.setattr("gitmem.git.publication.INDEX_LOCK_SECONDS", 0.1)
    with pytest.raises(GitmemError, match="locked"):
        store.append("ok", "more")
    outside.assert_untouched()
    for name in ("index.lock", "refs/heads/main.lock"):
        assert os.path.lexists(folder / ".git" / name)


def test_a_file_lock_on_something_else_is_not_acquired(tmp_path: Path) -> None:
    """A folder or a link says no, and makes nothing."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "made")
    for name in ("folder", "link"):
        with FileLock(tmp_path / name, timeout_seconds=0) as lock:
            assert not lock.acquired
    assert not (tmp_path / "made").exists()
    with FileLock(tmp_path / "lock", timeout_seconds=0) as lock:
        assert lock.acquired


def test_a_repository_that_moved_finishes_what_was_begun(store: Store, folder: Path, tmp_path: Path) -> None:
    """The journal is read by what this repository is, not by where it was: its locks are still proved its own."""
    store.remember("one", id="one")
    entry = dead_entry(folder, worktrees=[["/elsewhere/mem", "/elsewhere/mem/.git"]])
    os.link(entry / "index-0", folder / ".git/index.lock")
    moved = tmp_path / "moved"
    folder.rename(moved)
    assert journal.entries(moved / ".git")
    Store.open(moved).remember("two", id="two")
    assert not (moved / ".git/index.lock").exists()
    assert_sound(moved)
    assert memory(moved, "x", "y")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can give files away")
def test_an_index_of_another_user_is_not_opened(store: Store, folder: Path, program: Program) -> None:
    """Whoever owns the folder could have put anything into it."""
    store.remember("fine zebra", id="ok")
    store.recall("zebra")
    for file in index_files(folder):
        if file.suffix == ".toc":
            craft_toc(file, program)
    os.chown(home(folder) / "index", 12345, 12345)
    assert Store.open(folder).recall("zebra").total == 1
    program.assert_never_ran()
