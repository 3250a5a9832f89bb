"""The helper's beginning and end, and what happens when either comes at a bad moment."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gitmem.helper import wire
from gitmem.platform import is_same_user, listen_at
from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import assert_sound, git, gitmem
from tests.helper.conftest import SOURCE, Serving, helped


def answers(folder: Path) -> None:
    """The command works, whoever answers."""
    done = gitmem(folder, "recall", "kestrel", "--json")
    assert [hit["id"] for hit in done.json["results"]] == ["kestrel"], done


def socket_of(folder: Path) -> Path:
    return folder / ".git" / "gitmem" / wire.SOCKET


def test_its_socket_is_for_its_owner_alone(filled: Path, serving: Serving) -> None:
    assert socket_of(filled).stat().st_mode & 0o777 == 0o600
    assert socket_of(filled).parent.stat().st_mode & 0o777 == 0o700


def test_it_ends_when_nobody_asks(filled: Path) -> None:
    with helped(filled, "--idle", "0.2") as serving:
        assert "nobody asked" in serving.said()
    assert not socket_of(filled).exists()
    answers(filled)


def test_it_ends_when_told(filled: Path, serving: Serving) -> None:
    assert gitmem(filled, "serve", "--stop", "--json").json == {"ended": True}
    assert "another version" in serving.said()
    assert "no helper" in gitmem(filled, "serve", "--stop").out


def test_it_ends_when_it_holds_too_much(filled: Path) -> None:
    with helped(filled, "--max-memory", "1") as serving:
        assert "memory" in serving.said()


def test_a_socket_left_behind_does_no_harm(filled: Path, serving: Serving) -> None:
    serving.kill()
    assert socket_of(filled).exists()
    answers(filled)
    with helped(filled) as second:
        answers(filled)
        assert "answered 1," in second.stop()


def test_one_store_has_one_helper(filled: Path) -> None:
    """However many are started at the same moment."""
    all_of_them = [Serving(filled) for _ in range(3)]
    try:
        first = [one.first_line for one in all_of_them]
        assert sum("listening" in line for line in first) == 1, first
        assert sum("runs already" in line for line in first) == 2, first
        answers(filled)
        refused = [one for one in all_of_them if "runs already" in one.first_line]
        assert [one.process.wait(timeout=30) for one in refused] == [6, 6]
    finally:
        for one in all_of_them:
            one.kill()


def test_another_version_ends_it(filled: Path, serving: Serving, tmp_path: Path) -> None:
    """And does the work by itself."""
    other = tmp_path / "elsewhere"
    shutil.copytree(Path(SOURCE) / "gitmem", other / "gitmem", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [*COMMAND, "recall", "kestrel"],
        cwd=filled, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(other)}, check=True,
    )  # fmt: skip
    assert "kestrel" in done.stdout
    assert "another version" in serving.said()


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_it_ends_with_its_store(filled: Path, serving: Serving, how: str) -> None:
    """Another store at the same path is never answered for by it."""
    if how == "replaced":
        aside = filled.with_name("aside")
        filled.rename(aside)
        Store.init(filled).remember("another kestrel", id="other")
        # As if the folder of the helper had come along.
        socket_of(aside).rename(socket_of(filled))
        hits = gitmem(filled, "recall", "kestrel", "--json").json["results"]
        assert [hit["id"] for hit in hits] == ["other"]
    else:
        shutil.rmtree(filled)
    assert "left" in serving.said()


def test_a_path_that_is_too_long_for_a_socket(person: None, tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["a-folder-with-a-long-name"] * 6)
    Store.init(deep).remember("kestrel", id="kestrel")
    with helped(deep) as serving:
        answers(deep)
        assert "answered 1," in serving.stop()


def test_a_worktree_is_answered_by_the_same_helper(filled: Path, serving: Serving) -> None:
    linked = filled.parent / "linked"
    git(filled, "worktree", "add", "-q", "-b", "side", str(linked))
    answers(linked)
    assert "answered 1," in serving.stop()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may be somebody else")
def test_a_socket_of_another_user_is_not_used(filled: Path) -> None:
    """Whoever listens there could answer anything."""
    (filled / ".git" / "gitmem").chmod(0o777)
    script = (
        "import os, socket, sys; os.setgid(65534); os.setuid(65534); s = socket.socket(socket.AF_UNIX);"
        "s.bind(sys.argv[1]); os.chmod(sys.argv[1], 0o777); s.listen(); print(flush=True);"
        "s.settimeout(20); c, _ = s.accept(); c.settimeout(20); print(len(c.recv(1)), flush=True)"
    )
    for above in filled.parents:
        if above.stat().st_mode & 0o005 != 0o005 and str(above).startswith("/dev/shm/"):
            above.chmod(0o755)
    filled.chmod(0o755)
    (filled / ".git").chmod(0o755)
    with subprocess.Popen(
        [sys.executable, "-c", script, str(socket_of(filled))], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "\n"
        answers(filled)
        assert process.stdout.readline() == "0\n", "the command told it something"


def test_who_is_at_the_other_end_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = socket.socketpair()
    with one, other:
        assert is_same_user(one)
        monkeypatch.setattr(os, "geteuid", lambda: 4711)
        assert not is_same_user(one) or not hasattr(socket, "SO_PEERCRED")


def test_one_that_does_not_answer_is_left(filled: Path) -> None:
    """A socket where somebody listens and says nothing costs seconds, not the answer."""
    with listen_at(socket_of(filled).parent, wire.SOCKET):
        answers(filled)


def test_nonsense_at_the_socket_does_no_harm(filled: Path, serving: Serving) -> None:
    """Whatever is sent, or not sent: the next command is answered."""
    good = [b"0"] * len(wire.FIELDS)
    for data in (
        b"",
        b"\x00",
        b"\xff\xff\xff\xff",
        b"GET / HTTP/1.1\r\n\r\n",
        wire.packed([]),
        wire.packed([*good[:-1], b"much"]),
        (9).to_bytes(4, "big") + b"\x00\x00\x00\x99abcde",
    ):
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(str(socket_of(filled)))
            # It may have hung up already.
            with contextlib.suppress(ConnectionError):
                one.sendall(data)
                one.shutdown(socket.SHUT_WR)
                assert one.recv(100) == b""
    answers(filled)
    assert "answered 1, left 0" in serving.stop()


def test_a_command_that_goes_away_is_not_waited_for(filled: Path, serving: Serving) -> None:
    """It may leave before it said go: then nothing is done."""
    before = git(filled, "rev-parse", "HEAD")
    for _ in range(3):
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(str(socket_of(filled)))
            here = (filled / ".git").stat()
            head = [
                wire.program_key(), f"{here.st_dev}:{here.st_ino}".encode(), str(_umask()).encode(), b"000", b"0",
                b"utf-8\nutf-8 strict\nutf-8 strict\nutf-8 strict", os.fsencode(filled), b".", b"0", b"", b"2",
            ]  # fmt: skip
            variables = [name + b"=" + value for name, value in os.environb.items()]
            path = b"PYTHONPATH=" + os.fsencode(SOURCE)
            one.sendall(wire.packed([*head, b"remember", b"never said go", *variables, path]))
            assert one.recv(1) == wire.READY
    assert "answered 0, left 0" in serving.stop()
    assert git(filled, "rev-parse", "HEAD") == before


def _umask() -> int:
    umask = os.umask(0o77)
    os.umask(umask)
    return umask


@pytest.mark.parametrize(
    "fault", ["publish.after-entry", "publish.before-ref", "publish.after-ref", "publish.after-index"]
)
def test_a_write_is_done_once_when_the_helper_dies_in_it(filled: Path, fault: str) -> None:
    before = int(git(filled, "rev-list", "--count", "HEAD"))
    with helped(filled, env={"GITMEM_FAULT": fault}) as serving:
        done = gitmem(filled, "remember", "written once and for all", "--json")
        assert serving.process.wait(timeout=30) == -9, "it was to die in the middle"
    assert done.code == 0, done
    assert int(git(filled, "rev-list", "--count", "HEAD")) == before + 1
    assert done.json["version"] == git(filled, "rev-parse", "HEAD").strip()
    assert git(filled, "cat-file", "-e", f"HEAD:{done.json['path']}") == ""
    assert done.json["id"] in done.json["path"]
    assert_sound(filled)


def test_a_question_is_answered_when_the_helper_dies_in_it(filled: Path) -> None:
    (filled / "new.md").write_text("a kestrel nobody indexed\n")
    git(filled, "add", ".")
    git(filled, "commit", "-qm", "x")
    with helped(filled, env={"GITMEM_FAULT": "index.added"}) as serving:
        done = gitmem(filled, "recall", "nobody indexed", "--json")
        assert serving.process.wait(timeout=30) == -9, "it was to die in the middle"
    assert [hit["path"] for hit in done.json["results"]] == ["new.md"]


def test_a_helper_comes_when_the_config_asks_for_one(filled: Path) -> None:
    git(filled, "config", "gitmem.serve", "true")
    answers(filled)
    deadline = time.monotonic() + 30
    while not socket_of(filled).exists():
        assert time.monotonic() < deadline, "none came"
        time.sleep(0.05)
    answers(filled)
    assert gitmem(filled, "serve", "--stop", "--json").json == {"ended": True}


def test_none_comes_unasked(filled: Path) -> None:
    answers(filled)
    git(filled, "config", "gitmem.serve", "true")
    gitmem(filled, "recall", "kestrel", env={"GITMEM_SERVE": "off"})
    time.sleep(0.3)
    assert not (socket_of(filled).with_name("helper.guard")).exists()
