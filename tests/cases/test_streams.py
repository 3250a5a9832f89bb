"""The command with odd streams, odd settings and odd input: one line, the right code, strict JSON."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gitmem.errors import BadInput
from gitmem.flows.writing.drafting import Request
from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import assert_sound, git, gitmem

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
SOURCE = str(Path(__file__).parents[2])


def shell(folder: Path, line: str, timeout: float = 30) -> subprocess.CompletedProcess[bytes]:
    """One line of shell with `gm` as the command."""
    script = f'gm() {{ {" ".join(COMMAND)} "$@"; }}\n{line}\n'
    env = {**os.environ, "PYTHONPATH": SOURCE, "PYTHONUNBUFFERED": "1"}
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, env=env, capture_output=True, timeout=timeout, check=False
    )


@pytest.fixture
def full(store: Store) -> Store:
    """Three hundred memories that all answer to one word."""
    store.remember_all([Request(f"finch {number} " + "a" * 1500, id=f"z{number}") for number in range(300)])
    return store


@pytest.mark.parametrize(
    "command",
    [
        "recall finch --limit 300",
        "list --limit 300",
        "list --json --limit 300",
        "show z1 --raw",
        "log",
        "--help",
        "recall --help",
    ],
)
def test_a_reader_that_stops_early_is_no_error(full: Store, folder: Path, command: str) -> None:
    """The exit code is 0 or that of a broken pipe, and nothing is said."""
    for reader in ("head -c 5", "true"):
        done = shell(
            folder, f'gm {command} 2>err | {reader}; echo " ${{PIPESTATUS[0]}}"; cat err >&2; rm err'
        )
        assert done.stdout.split()[-1] in (b"0", b"141")
        assert done.stderr == b""


@pytest.mark.parametrize(
    "command", ["recall finch", "list", "status --json", "show z1 --raw", "--help", "--version", "remember x"]
)
@pytest.mark.parametrize("target", ["> /dev/full", ">&-"])
def test_output_that_cannot_be_written_is_one_line(
    store: Store, folder: Path, command: str, target: str
) -> None:
    """A full device and a closed stream are outside failures; a write that came before them is whole."""
    store.remember("finch", id="z1")
    done = shell(folder, f"gm {command} {target}")
    assert done.returncode == 8
    assert done.stderr.count(b"\n") == 1 and b"standard output" in done.stderr
    assert_sound(folder)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_an_interrupt_while_the_command_is_loaded_is_no_traceback(folder: Path, tmp_path: Path) -> None:
    """Whoever presses Ctrl-C in a loop of commands mostly meets one that is just beginning."""
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    done = shell(folder, f'PYTHONPATH="{tmp_path}:$PYTHONPATH" gm list')
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_what_cannot_be_said_changes_no_exit_code(store: Store, folder: Path) -> None:
    """A line that standard error does not take is dropped: what was done is done, and fails as it failed."""
    git(folder, "switch", "--quiet", "--create", "elsewhere")
    done = shell(folder, "gm remember --id a 'with a notice' --json 2> /dev/full")
    assert done.returncode == 0 and b'"id": "a"' in done.stdout
    assert shell(folder, "gm show nosuch 2> /dev/full").returncode == 3
    assert shell(folder, "gm list --nosuch 2> /dev/full").returncode == 2
    assert store.show("a").memory.body == "with a notice\n"


def test_wrong_use_names_the_help_of_the_command(folder: Path) -> None:
    assert b"see 'gitmem list --help'\n" in shell(folder, "gm list --nosuch").stderr
    assert b"Missing argument 'ID'; see 'gitmem show --help'\n" in shell(folder, "gm show").stderr
    assert b"No such command 'nosuch'; see 'gitmem --help'\n" in shell(folder, "gm nosuch").stderr


def test_streams_that_are_closed_do_no_harm(store: Store, folder: Path) -> None:
    """No file of the store gets the number of a closed stream; what can be done is done."""
    assert shell(folder, "gm remember --id a alpha <&- >&- 2>&-").returncode == 8
    assert shell(folder, "gm remember --id b beta 2>&-").returncode == 0
    assert shell(folder, "gm show nosuch 2>&-").returncode == 3
    done = shell(folder, "gm remember - <&-")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert store.show("a").memory.body == "alpha\n"
    assert_sound(folder)


def test_an_input_that_never_ends_is_not_waited_for(store: Store, folder: Path, tmp_path: Path) -> None:
    """An open pipe is read only where `-` asks for it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    holder = os.open(pipe, os.O_RDWR)
    began = time.monotonic()
    codes = [
        shell(folder, f"gm {command} < {pipe}").returncode
        for command in ("recall anything", "remember 'text as argument'", "remember", "update x", "list")
    ]
    os.close(holder)
    assert codes == [0, 0, 2, 2, 0]
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (b"from a pipe\n", 0),
        (b"", 2),
        (b"   \n", 2),
        ("\u200b\ufeff\u00a0\n".encode(), 2),
        (b"a\x00b", 2),
        (b"\xff\xfe", 2),
        (b"\xef\xbb\xbfwith a mark\n", 0),
        (b"a" * 17_000_000, 2),
    ],
    ids=["text", "nothing", "blanks", "no width", "nul", "bytes", "mark", "huge"],
)
def test_what_comes_in_is_text_or_refused(store: Store, folder: Path, given: bytes, code: int) -> None:
    """Only text makes a commit."""
    before = git(folder, "rev-list", "--count", "HEAD")
    ran = gitmem(folder, "remember", "-", input=given)
    assert ran.code == code and ran.err.count("\n") == (1 if code else 0)
    assert (git(folder, "rev-list", "--count", "HEAD") == before) == bool(code)
    assert_sound(folder)


@pytest.mark.parametrize("name", ["/dev/zero", "fifo", "."])
def test_only_a_regular_file_can_be_attached(store: Store, tmp_path: Path, name: str) -> None:
    """A device, a pipe or a folder is refused at once."""
    os.mkfifo(tmp_path / "fifo")
    store.remember("x", id="a")
    with pytest.raises(BadInput):
        store.attach("a", [tmp_path / name])


PERSONAL = {
    "color.ui": "always",
    "log.showSignature": "true",
    "core.pager": "less -R",
    "diff.noprefix": "true",
    "log.date": "relative",
    "status.short": "true",
    "core.quotePath": "true",
    "status.showUntrackedFiles": "no",
}


def test_json_is_strict_whatever_is_configured_and_whatever_goes_wrong(store: Store, folder: Path) -> None:
    """No colour, warning or translation gets into it; an error is an object too, with its code."""
    store.remember("plain finch", id="col")
    for name, value in PERSONAL.items():
        git(folder, "config", name, value)
    env = {
        "LANGUAGE": "de",
        "LC_ALL": "de_DE.UTF-8",
        "FORCE_COLOR": "1",
        "CLICOLOR_FORCE": "1",
        "PYTHONWARNINGS": "always",
    }
    expected = {
        "recall finch": 0,
        "recall nosuchword": 0,
        "log col": 0,
        "status": 0,
        "show nosuchid": 3,
        "show col@v9": 3,
        "recall": 2,
        "nosuchcommand": 2,
        "recall x --limit -1": 2,
        "list --since notadate": 2,
        "-C /nonexistent status": 7,
        "remember x --field a": 2,
    }
    for command, code in expected.items():
        ran = gitmem(folder, *command.split(), "--json", env=env)
        assert (ran.code, "\x1b" in ran.out) == (code, False), command
        assert ("error" in ran.json) == bool(code)
    assert gitmem(folder, "log", "col", "--json").json["entries"][0]["date"].endswith("Z")
    assert "\x1b" not in gitmem(folder, "recall", "finch", env=env).out


@pytest.mark.parametrize("target", ["x", "x.jsonl", "hooks"])
def test_an_export_into_the_git_directory_is_refused(store: Store, folder: Path, target: str) -> None:
    """The git directory holds what git put there."""
    store.remember("x", id="a")
    with pytest.raises(BadInput, match="git directory"):
        store.export(folder / ".git" / target)
    assert not (folder / ".git/x").exists() and not (folder / ".git/x.jsonl.part").exists()


def test_a_notice_is_said_once(store: Store, folder: Path, sealed_environment: Path) -> None:
    """A move makes two commits, and both would say that git knows no name."""
    store.remember("finch", id="z1")
    (sealed_environment / ".gitconfig").write_text("[init]\n\tdefaultBranch = main\n")
    assert shell(folder, "gm archive z1").stderr.count(b"git knows no name") == 1
