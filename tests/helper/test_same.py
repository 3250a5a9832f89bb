"""With a helper, a command prints and returns byte for byte what it does by itself."""

from __future__ import annotations

import fcntl
import json
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

from gitmem.helper.client import _reads_input
from tests.commands import COMMAND
from tests.conftest import assert_sound, git
from tests.helper.conftest import ALONE, SOURCE, Serving, helped

READS: list[tuple[list[str], dict[str, str]]] = [
    (["recall", "kestrel", "--json"], {}),
    (["recall", "张三怎么收报告？"], {"NO_COLOR": "1"}),
    (["recall", "--explain", "what does the heron do", "-n", "1"], {}),
    (["recall", "zzz", "--fail-empty"], {}),
    (["recall", "--", "-x", "--json"], {}),
    (["recall", "kestrel", "--tag", "birds", "--in", "nature", "--since", "last year"], {"COLUMNS": "40"}),
    (["recall", "kestrel", "--branch", "nosuch"], {}),
    (["recall", "kestrel", "--since", "someday", "--json"], {}),
    (["recall", "kestrel", "--as-of", "1999"], {}),
    (["recall", "k\udcff"], {}),
    (["recall", "kestrel"], {"GITMEM_IDENTITY": "nonsense"}),
    (["recall", "kestrel"], {"GITMEM_STORE": "nature"}),
    (["-C", "nature", "recall", "kestrel"], {}),
    (["hook", "post-commit", "--json"], {}),
    (["hook", "pre-push"], {}),
]
"""What the helper answers."""
LEFT: list[tuple[list[str], dict[str, str]]] = [
    (["recall", "kestrel", "--since", "last week"], {"TZ": "Asia/Tokyo"}),
    (["recall", "kestrel"], {"LC_ALL": "C"}),
    (["recall", "kestrel", "--frob"], {}),
]
"""What it leaves to the command."""
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


def alone(
    folder: Path, cases: list[tuple[list[str], dict[str, str], bytes]]
) -> list[tuple[int, bytes, bytes]]:
    """What each command does by itself."""
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("alone.py")],
        cwd=folder,
        input=json.dumps([[arguments, env, data.hex()] for arguments, env, data in cases]),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCE, **ALONE},
        check=True,
    )
    return [(code, bytes.fromhex(out), bytes.fromhex(err)) for code, out, err in json.loads(done.stdout)]


def test_reads(filled: Path, serving: Serving) -> None:
    (filled / "nature").mkdir(exist_ok=True)
    results = [run(filled, arguments, env) for arguments, env in READS]
    expected = alone(filled, [(arguments, env, b"") for arguments, env in READS])
    for (arguments, _), one, two in zip(READS, results, expected, strict=True):
        assert one == two, arguments
    assert f"answered {len(READS)}, left 0 " in serving.stop()


def test_what_is_left_to_the_command(filled: Path, serving: Serving) -> None:
    for arguments, env in LEFT:
        assert run(filled, arguments, env) == run(filled, arguments, {**env, **ALONE}), arguments
    assert f"answered 0, left {len(LEFT)} " in serving.stop()


def test_writes(filled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / filled.name
    shutil.copytree(filled, other, symlinks=True)
    with helped(filled) as serving:
        results = [run(filled, arguments, env, data) for arguments, data, env in WRITES]
        assert f"answered {len(WRITES)}, left 0 " in serving.stop()
    expected = alone(other, [(arguments, env, data) for arguments, data, env in WRITES])
    for (arguments, _, _), one, two in zip(WRITES, results, expected, strict=True):
        assert one[0] == two[0], arguments
        assert _without_commits(one[1], filled) == _without_commits(two[1], other), arguments
        assert _without_commits(one[2], filled) == _without_commits(two[2], other), arguments
    shown = ["log", "--format=%an %ae %s%n%(trailers:unfold)", "--name-status"]
    histories = [re.sub(r"Operation-Id: \S+", "", git(folder, *shown)) for folder in (filled, other)]
    assert histories[0] == histories[1]
    assert git(filled, "status", "--porcelain") == ""


def _without_commits(part: bytes, folder: Path) -> bytes:
    text = re.sub(rb"[0-9a-f]{40}", b"COMMIT", part).replace(os.fsencode(folder), b"FOLDER")
    return re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"TIME", text)


@pytest.mark.parametrize(
    "env", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"COLUMNS": " +33"}, {"COLUMNS": "-1"}], ids=str
)
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


@pytest.mark.parametrize(
    "arguments", [["x", "--title", "-"], ["x", "-"], ["--in", "-", "x"], ["--", "-x", "-"]]
)
def test_input_that_is_not_asked_for_is_not_read(
    filled: Path, serving: Serving, arguments: list[str]
) -> None:
    """Who waits for an input that never ends waits for ever."""
    with subprocess.Popen(
        [*COMMAND, "remember", *arguments],
        cwd=filled, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": SOURCE},
    ) as process:  # fmt: skip
        try:
            assert process.wait(timeout=30) in (0, 2)
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("arguments", "is_read"),
    [
        ("remember -", True),
        ("-C d remember - --json --title T", True),
        ("remember --title T --json --in=a/b -", True),
        ("remember - -", False),
        ("remember x -", False),
        ("remember --title -", False),
        ("remember -- -", False),
        ("remember -n -", False),
    ],
)
def test_where_the_text_comes_from(arguments: str, is_read: bool) -> None:
    assert _reads_input(arguments.split()) is is_read


def test_many_at_once_get_what_is_theirs(filled: Path, serving: Serving) -> None:
    """Questions and writes of several processes at the same moment."""

    def start(*arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*COMMAND, *arguments, "--json"], cwd=filled, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env={**os.environ, "PYTHONPATH": SOURCE, "GIT_AUTHOR_NAME": f"author {len(arguments)}"},
        )  # fmt: skip

    writes = [start("remember", f"a note about owl {n}", "--id", f"owl{n}") for n in range(8)]
    reads = [start("recall", word) for word in ("kestrel", "heron") * 4]
    for number, process in enumerate(writes):
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")
        assert json.loads(out)["id"] == f"owl{number}"
    for number, process in enumerate(reads):
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")
        assert json.loads(out)["results"][0]["id"] == ("kestrel", "heron")[number % 2]
    assert "answered 16," in serving.stop()
    assert git(filled, "log", "--format=%an", "-8").split("\n")[:8] == ["author 4"] * 8
    assert_sound(filled)


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
