"""A clone is a fork: it works at once, knows where it came from, and how far both have gone apart."""

from __future__ import annotations

import base64
import functools
import threading
import time
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import BadInput, Conflict, NotAStore, NotFound, OutsideFailure
from gitmem.git.talk import parted, redacted, telling_line
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git, gitmem
from tests.flows.clones import top
from tests.flows.test_sync import ids


@pytest.fixture
def hub(store: Store, folder: Path, tmp_path: Path) -> Path:
    """A bare repository with an active and an archived memory, pushed from `store`."""
    store.remember("Office is in Lyon.", id="office")
    store.remember("Retired.", id="old")
    store.archive(["old"])
    git(tmp_path, "init", "-q", "--bare", "hub.git")
    git(folder, "remote", "add", "origin", str(tmp_path / "hub.git"))
    store.sync()
    return tmp_path / "hub.git"


def opened(folder: Path) -> Store:
    return Store.open(folder, clock=FixedClock(NOW))


def test_a_plain_clone_works_at_once_and_says_once_what_is_not_set_up(hub: Path, tmp_path: Path) -> None:
    """The first command builds the index and tells the way; the second says nothing of it, status always does."""
    git(tmp_path, "clone", "-q", "hub.git", "plain")
    first = gitmem(tmp_path / "plain", "recall", "Lyon")
    assert first.code == 0 and "office" in first.out
    assert first.err == (
        f"gitmem: this is a clone of {hub}; hooks and merge driver are not set up in it, since git does not carry "
        "them along; 'gitmem init' sets them up\n"
    )
    second = gitmem(tmp_path / "plain", "recall", "Lyon")
    assert second.out == first.out and second.err == ""
    status = opened(tmp_path / "plain").status()
    assert status.fork is not None and status.fork.url == str(hub)
    assert status.fork.commit == git(hub, "rev-parse", "main").strip()
    assert any("gitmem init" in note for note in status.notes)


def test_what_is_not_set_up_is_said_once_also_where_nothing_is_indexed(hub: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "hub.git", "plain")
    said: list[str] = []
    for _ in range(2):
        Store.open(tmp_path / "plain", notice=said.append)
    assert len(said) == 1


def test_the_fork_point_outlives_the_log_of_git(hub: Path, tmp_path: Path) -> None:
    """Git cuts its logs after some months."""
    git(tmp_path, "clone", "-q", "hub.git", "plain")
    before = opened(tmp_path / "plain").status().fork
    git(tmp_path / "plain", "reflog", "expire", "--expire=all", "--all")
    assert before is not None and opened(tmp_path / "plain").status().fork == before


def test_a_store_that_was_never_cloned_is_no_fork(store: Store, hub: Path) -> None:
    assert store.status().fork is None
    with pytest.raises(NotFound, match="no clone"):
        store.since_fork()


def test_clone_sets_everything_up_in_one_step(hub: Path, tmp_path: Path) -> None:
    """Hooks, merge driver, index, fork point, agent; nothing is left to say at the first use."""
    ran = gitmem(tmp_path, "clone", str(hub), "scout", "--agent", "scout")
    assert ran.code == 0 and ran.err == ""
    folder = tmp_path / "scout"
    store = opened(folder)
    status = store.status()
    assert status.hooks.installed and status.driver.is_installed and status.index_is_current
    assert status.fork is not None and not status.notes
    written = store.remember("By the fork.", id="fork")
    assert store.show("fork").memory.agent == "scout"
    assert "Agent: scout" in git(folder, "log", "-1", "--format=%B", written.version)
    store.append("office", "More.")
    assert "Agent: scout" in git(folder, "log", "-1", "--format=%B")
    named = gitmem(folder, "remember", "By a person.", "--agent", "ann", "--id", "ann")
    assert named.code == 0 and named.err == "" and store.show("ann").memory.agent == "ann"
    assert_sound(folder)


def test_active_only_leaves_the_archive_behind_at_each_sync_too(
    store: Store, hub: Path, tmp_path: Path
) -> None:
    """It is not fetched, and an answer about it says so. Once something is archived here, it has to be."""
    Store.clone(f"file://{hub}", tmp_path / "light", active_only=True)
    store.remember("Second.", id="second")
    store.archive(["second"])
    store.remember("Third.", id="third")
    store.sync()
    light = opened(tmp_path / "light")
    light.remember("Light.", id="light")
    light.sync()
    assert ids(light) == ["light", "office", "third"]
    assert "archive" not in git(top(light), "for-each-ref")
    archived = git(hub, "rev-parse", "archive").strip()
    assert git(top(light), "cat-file", "-t", archived, check=False) == ""
    ran = gitmem(top(light), "recall", "retired", "--archived")
    assert "was left behind" in ran.err
    light.archive(["third"])
    assert any("was fetched" in notice for notice in light.sync().notices)
    store.sync()
    assert ids(store, "archive") == ["old", "second", "third"] and ids(store) == ["light", "office"]


def test_status_tells_how_far_both_are_apart_in_memories(store: Store, hub: Path, tmp_path: Path) -> None:
    """As of the last fetch; a rename is one memory."""
    Store.clone(str(hub), tmp_path / "other")
    other = opened(tmp_path / "other")
    other.remember("There.", id="there")
    other.rename("office", "Another title")
    other.sync()
    store.remember("One.", id="one")
    store.update("one", "Two.")
    git(top(store), "fetch", "-q")
    distance = store.status().distance
    assert distance is not None
    assert (distance.ahead, distance.behind) == (1, 2)


def test_since_fork_tells_what_changed_on_either_side(store: Store, hub: Path, tmp_path: Path) -> None:
    """Added, changed, archived, removed; what both have is told once."""
    store.remember("To go.", id="gone")
    store.sync()
    Store.clone(str(hub), tmp_path / "fork")
    fork = opened(tmp_path / "fork")
    fork.remember("Both.", id="both")
    fork.sync()
    store.sync()
    store.append("office", "Lease.")
    git(top(store), "rm", "-q", store.show("gone").memory.path)
    git(top(store), "commit", "-qm", "gone")
    store.sync()
    fork.archive(["office"])
    git(top(fork), "fetch", "-q")
    since = fork.since_fork()
    assert {(each.side, str(each.change.what), each.change.id) for each in since.changes} == {
        ("both", "added", "both"),
        ("here", "archived", "office"),
        ("there", "changed", "office"),
        ("there", "removed", "gone"),
    }
    ran = gitmem(top(fork), "log", "--since-fork")
    assert ran.code == 0 and "here alone: 1 memory, 1 archived" in ran.out


@pytest.mark.parametrize(
    "url", ["ext::sh -c touch% x", "--upload-pack=x", "-u", "", "fd::3", "ftp://x/y", "ssh://-x/y"]
)
def test_what_is_no_address_is_refused(url: str, tmp_path: Path, person: None) -> None:
    """Options and helper programs never come to git."""
    with pytest.raises(BadInput):
        Store.clone(url, tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_and_a_repository_without_memories_are_refused(hub: Path, tmp_path: Path) -> None:
    """What is in the folder stays; the clone of something else stays too, and the way is told."""
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "file").write_text("mine")
    with pytest.raises(Conflict, match="is there already"):
        Store.clone(str(hub), tmp_path / "used")
    git(tmp_path, "init", "-q", "code")
    git(tmp_path / "code", "commit", "-q", "--allow-empty", "-m", "x")
    with pytest.raises(NotAStore, match="is not a gitmem store"):
        Store.clone(str(tmp_path / "code"), tmp_path / "copy")
    with pytest.raises(OutsideFailure, match=r"does not exist|not a git repository|not found"):
        Store.clone(str(tmp_path / "nothing"), tmp_path / "copy2")


def test_a_clone_of_an_empty_repository_becomes_a_store_at_the_first_write(
    tmp_path: Path, person: None
) -> None:
    git(tmp_path, "init", "-q", "--bare", "empty.git")
    cloned = Store.clone(str(tmp_path / "empty.git"), below=tmp_path)
    assert cloned.folder == tmp_path / "empty" and cloned.fork is None
    store = opened(cloned.folder)
    store.remember("First.", id="first")
    store.sync()
    assert "first" in git(tmp_path / "empty.git", "ls-tree", "-r", "--name-only", "main")


class Guarded(SimpleHTTPRequestHandler):
    """Files for those who know the password."""

    def do_GET(self) -> None:
        wanted = base64.b64encode(b"ann:hunter2").decode()
        if self.headers.get("Authorization") != f"Basic {wanted}":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="memories"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        super().do_GET()

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing."""


@pytest.fixture
def guarded(hub: Path) -> Iterator[str]:
    """The address, without user and password, of a server that asks for them."""
    git(hub, "update-server-info")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Guarded, directory=str(hub.parent)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_port}/hub.git"
    server.shutdown()
    thread.join()


def test_a_password_in_the_address_opens_the_door_and_is_kept_nowhere(guarded: str, tmp_path: Path) -> None:
    """Not in the config, not in a log, not in what is printed; without it git does not get in, and says so."""
    ran = gitmem(tmp_path, "clone", f"http://ann:hunter2@{guarded}", "fork")
    assert ran.code == 0, ran.err
    assert "hunter2" not in ran.out + ran.err and "kept nowhere" in ran.out
    for file in (tmp_path / "fork" / ".git").rglob("*"):
        assert not file.is_file() or b"hunter2" not in file.read_bytes(), file
    assert git(tmp_path / "fork", "remote", "get-url", "origin").strip() == f"http://{guarded}"
    with pytest.raises(OutsideFailure, match="does not know who you are"):
        opened(tmp_path / "fork").sync()
    wrong = gitmem(tmp_path, "clone", f"http://ann:wrong@{guarded}", "other")
    assert wrong.code == 8 and "wrong" not in wrong.err and len(wrong.err.splitlines()) == 1


def test_a_password_that_git_keeps_is_not_shown(store: Store, hub: Path, tmp_path: Path) -> None:
    """Of a plain clone with a token in its address."""
    git(tmp_path, "clone", "-q", "hub.git", "plain")
    git(
        tmp_path / "plain",
        "remote",
        "set-url",
        "origin",
        "https://ghp_token@127.0.0.1:9/x.git?private_token=abc",
    )
    ran = gitmem(tmp_path / "plain", "status")
    assert "https://127.0.0.1:9/x.git" in ran.out and "token" not in ran.out + ran.err


@pytest.mark.parametrize(
    ("given", "public"),
    [
        ("https://ann:pw@host/x", "https://host/x"),
        ("https://token@host/x", "https://host/x"),
        ("ssh://git@host/x", "ssh://git@host/x"),
        ("ssh://git:pw@host/x", "ssh://git@host/x"),
        ("git@host:x.git", "git@host:x.git"),
        ("../hub.git", "../hub.git"),
        ("https://host/x?private_token=abc", "https://host/x"),
    ],
)
def test_an_address_is_shown_without_its_secret(given: str, public: str) -> None:
    assert parted(given).public == public
    assert (
        redacted(f"fatal: unable to access '{given}/': no") == f"fatal: unable to access '{public}/': no"
        or "?" in given
    )


def test_a_secret_is_looked_for_in_one_pass() -> None:
    """Quadratic work on 200,000 characters without a blank would take minutes."""
    long = "x" * 200_000
    began = time.monotonic()
    assert redacted(f"{long}://ann:pw@host") == f"{long}://host"
    assert redacted(long) == long
    assert time.monotonic() - began < 5


def test_the_line_that_tells_is_chosen() -> None:
    """Git's last lines are the same for everything."""
    talk = (
        "ssh: connect to host x port 22: Connection refused\nfatal: Could not read from remote repository.\n\n"
        "Please make sure you have the correct access rights\nand the repository exists.\n"
    )
    assert telling_line(talk) == "ssh: connect to host x port 22: Connection refused"
    assert telling_line("") == ""
