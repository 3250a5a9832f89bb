"""A command that the tests fork is like one that is started: its exit code, streams, folder and environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.store import Store
from tests.commands import Finished, run_command, script_of_command, server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="commands are started there")


def both(folder: Path, *arguments: str, data: bytes = b"", **variables: str) -> Finished:
    """What the command does in a fork, which is what it does in an interpreter of its own."""
    environment = {**os.environ, **variables}
    forked, started = (
        run_command(list(arguments), folder, environment, data=data, timeout=60, anew=anew)
        for anew in (False, True)
    )
    assert server() is not None
    assert forked == started
    return forked


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--version"], 0),
        (["recall", "otter"], 0),
        (["list", "--json"], 0),
        (["show", "one"], 0),
        (["show", "nothing"], 3),
        (["no-such-command"], 2),
    ],
)
def test_exit_code_and_both_streams_are_the_same(
    store: Store, folder: Path, arguments: list[str], code: int
) -> None:
    store.remember("an otter \u2013 \u718a\u732b", id="one")
    done = both(folder, *arguments)
    assert done.code == code and (done.err if code else done.out)


def test_folder_and_variables_are_those_of_the_command(store: Store, folder: Path, tmp_path: Path) -> None:
    store.remember("an otter", id="one")
    assert both(tmp_path, "show", "one").code != 0
    assert both(tmp_path, "show", "one", GITMEM_STORE=str(folder)).code == 0
    assert both(folder, "list", NO_COLOR="1", TZ="Asia/Tokyo", COLUMNS="40").code == 0


def test_what_is_typed_comes_in(store: Store, folder: Path) -> None:
    done = both(folder, "remember", "-", "--dry-run", "--id", "in", data="from afar \u718a".encode())
    assert done.code == 0


def test_a_death_is_told(store: Store, folder: Path) -> None:
    """Of a command that is killed, and of one that takes too long."""
    environment = {**os.environ, "GITMEM_FAULT": "publish.before-ref"}
    assert run_command(["remember", "x"], folder, environment, data=b"", timeout=60).code == -9
    with pytest.raises(subprocess.TimeoutExpired):
        run_command(["serve"], folder, dict(os.environ), data=b"", timeout=2)


def test_a_script_has_the_streams_of_its_shell(store: Store, folder: Path, tmp_path: Path) -> None:
    script = tmp_path / "gitmem"
    script.write_text(script_of_command(), "utf-8")
    script.chmod(0o755)
    line = f"echo an otter | {script} remember - --id one; {script} show one --raw | tail -n 1; {script} show no 2>&1"
    done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, check=False)
    assert b"an otter\n" in done.stdout and done.stdout.splitlines()[-1] != b"an otter"
    assert (done.returncode, done.stderr) == (3, b"")
