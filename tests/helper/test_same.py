"""With a helper, a command prints and returns byte for byte what it does by itself."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.conftest import COMMAND, git
from tests.helper.conftest import ALONE, SOURCE, Serving, helped

READS: list[tuple[list[str], dict[str, str]]] = [
    (["recall", "kestrel", "--json"], {}),
    (["recall", "张三怎么收报告？"], {}),
    (["recall", "--explain", "what does the heron do", "-n", "1"], {}),
    (["recall", "zzz", "--fail-empty"], {}),
    (["recall", "kestrel", "--since", "last week", "--explain"], {"TZ": "Asia/Tokyo"}),
    (["recall", "--", "-x", "--json"], {}),
    (["recall", "kestrel", "--tag", "birds", "--in", "nature"], {"COLUMNS": "40"}),
    (["recall", "kestrel", "--branch", "nosuch"], {}),
    (["recall", "kestrel", "--frob"], {}),
    (["recall", "x", "--limit", "much", "--json"], {}),
    (["recall", "kestrel", "--as-of", "1999"], {}),
    (["recall", "k\udcff"], {}),
    (["recall", "kestrel"], {"LC_ALL": "C", "NO_COLOR": "1"}),
    (["recall", "kestrel"], {"GITMEM_IDENTITY": "nonsense"}),
    (["-C", "nature", "recall", "kestrel"], {}),
    (["recall", "kestrel"], {"GITMEM_STORE": "nosuch"}),
    (["recall", "--help"], {}),
    (["hook", "post-commit", "--json"], {}),
]
WRITES: list[tuple[list[str], bytes, dict[str, str]]] = [
    (["remember", "a new fact", "--id", "fact"], b"", {}),
    (["remember", "a new fact", "--id", "fact"], b"", {}),
    (["remember", "-", "--id", "piped", "--json"], "管道里的文字\n".encode(), {}),
    (["remember", "-", "--id", "bad"], b"\xff\xfe", {}),
    (
        ["remember", "by somebody", "--id", "who"],
        b"",
        {"GIT_AUTHOR_NAME": "Anna", "GIT_AUTHOR_EMAIL": "a@x.y"},
    ),
    (["remember", "x", "--in", "../x", "--json"], b"", {}),
    (
        ["remember", "x", "--path", "notes/x.md", "--id", "pathy", "--agent", "bot", "--reason", "因为"],
        b"",
        {},
    ),
    (["remember", "x", "--supersedes", "nosuch"], b"", {}),
]


def run(
    folder: Path, arguments: list[str], env: dict[str, str], input: bytes = b""
) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        input=input,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": SOURCE, **env},
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_reads(filled: Path, serving: Serving) -> None:
    (filled / "nature").mkdir(exist_ok=True)
    for arguments, env in READS:
        helped_one = run(filled, arguments, env)
        alone = run(filled, arguments, {**env, **ALONE})
        assert helped_one == alone, arguments
    assert int(re.findall(r"answered (\d+)", serving.stop())[0]) >= 12


def test_writes(filled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / filled.name
    shutil.copytree(filled, other, symlinks=True)
    with helped(filled) as serving:
        for arguments, data, env in WRITES:
            one = run(filled, arguments, env, data)
            two = run(other, arguments, {**env, **ALONE}, data)
            assert [part if part == one[0] else _without_commits(part, filled) for part in one] == [
                part if part == two[0] else _without_commits(part, other) for part in two
            ], arguments
        assert int(re.findall(r"answered (\d+)", serving.stop())[0]) >= 7
    shown = ["log", "--format=%an %ae %s%n%(trailers:unfold)", "--name-status"]
    histories = [re.sub(r"Operation-Id: \S+", "", git(folder, *shown)) for folder in (filled, other)]
    assert histories[0] == histories[1]
    assert git(filled, "status", "--porcelain") == ""


def _without_commits(part: bytes | int, folder: Path) -> bytes:
    assert isinstance(part, bytes)
    text = re.sub(rb"[0-9a-f]{40}", b"COMMIT", part).replace(os.fsencode(folder), b"FOLDER")
    return re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"TIME", text)


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"COLUMNS": "33"}], ids=str)
def test_a_terminal_gets_its_colours_and_width(filled: Path, serving: Serving, env: dict[str, str]) -> None:
    """On a real terminal of 50 columns, with the input from it too."""
    outputs = [_at_terminal(filled, {**env, **how}) for how in ({}, ALONE)]
    assert outputs[0] == outputs[1] != b""
    assert (b"\x1b[" in outputs[0]) == ("NO_COLOR" not in env and env.get("TERM") != "dumb")
    assert "answered 1," in serving.stop()


def _at_terminal(folder: Path, env: dict[str, str]) -> bytes:
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 50, 0, 0))
    variables = {**os.environ, "PYTHONPATH": SOURCE, "TERM": "xterm", **env}
    process = subprocess.Popen(
        [*COMMAND, "recall", "where does the heron stand?"],
        cwd=folder, stdin=follower, stdout=follower, stderr=follower, env=variables,
    )  # fmt: skip
    process.wait(timeout=60)
    os.close(follower)
    parts = []
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    os.close(leader)
    return b"".join(parts)


def test_who_acts_is_told_by_the_one_who_asks(filled: Path, serving: Serving) -> None:
    """A helper that was started with an identity lends it to nobody."""
    for env in ({"GITMEM_IDENTITY": "agent:bot"}, {"CLAUDECODE": "1", "GITMEM_IDENTITY": ""}):
        assert run(filled, ["recall", "kestrel"], env) == run(filled, ["recall", "kestrel"], {**env, **ALONE})


def test_output_that_cannot_be_written_gives_the_same_code(filled: Path, serving: Serving) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no device that is always full")
    codes = []
    for env in ({}, ALONE):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [*COMMAND, "recall", "kestrel"],
                cwd=filled, stdout=full, stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": SOURCE, **env}, check=False,
            )  # fmt: skip
        codes.append((done.returncode, done.stderr))
    assert codes[0] == codes[1]
    assert codes[0][0] == 8


def test_input_that_is_large_is_read_whole(filled: Path, serving: Serving) -> None:
    """What the helper does not take, the command reads by itself, from its beginning."""
    text = ("a line of text\n" * 400_000).encode()
    code, out, err = run(filled, ["remember", "-", "--id", "large", "--title", "large"], {}, text)
    assert (code, err) == (0, b"")
    assert git(filled, "show", f"HEAD:{out.split()[1].decode()}").endswith(text.decode())


def test_the_command_loads_next_to_nothing(filled: Path, serving: Serving) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "gitmem.cli.main", "recall", "kestrel"],
        cwd=filled,
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=True,
    )
    names = set(re.findall(r"^import time:.*\| +(\S+)$", done.stderr, re.MULTILINE))
    assert "gitmem.helper.client" in names
    loaded = {
        "typer",
        "pygit2",
        "pathlib",
        "dataclasses",
        "json",
        "re",
        "socket",
        "gitmem.cli.run",
        "gitmem.errors",
    }
    # `python -m` itself loads some; what it loads for a module that does nothing is no fault of ours.
    bare = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "gitmem.helper"],
        cwd=filled, env={**os.environ, "PYTHONPATH": SOURCE}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    by_python = set(re.findall(r"^import time:.*\| +(\S+)$", bare.stderr, re.MULTILINE))
    assert not loaded & (names - by_python)
