"""A full disk and a store that may not be written: one line, nothing lost, nothing half-written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem

SOURCE = str(Path(__file__).parents[2])


@pytest.fixture
def small_disk(person: None, tmp_path: Path) -> Iterator[Path]:
    """A file system of 6 MB with a store on it; needs the right to mount."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("mounting a small file system is not allowed here")
    try:
        store = Store.init(disk / "mem")
        store.remember("precious", id="precious")
        store.remember("rev A", id="doc")
        store.recall("precious")
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(disk: Path, left_bytes: int) -> Path:
    """Fills the disk until `left_bytes` are free."""
    filler = disk / "filler"
    status = os.statvfs(disk)
    free = status.f_bavail * status.f_frsize
    with open(filler, "wb") as file:
        file.write(b"\0" * max(0, free - left_bytes))
    return filler


@pytest.mark.parametrize("left_kib", [0, 4, 12, 24, 40, 72])
@pytest.mark.parametrize("verb", ["remember", "update", "archive"])
def test_a_full_disk_costs_no_memory(small_disk: Path, verb: str, left_kib: int) -> None:
    folder = small_disk / "mem"
    filler = fill(small_disk, left_kib * 1024)
    arguments = {
        "remember": ["remember", "-"],
        "update": ["update", "doc", "-"],
        "archive": ["archive", "doc"],
    }[verb]
    text = ("a long text " * 1000 + "\n").encode() * 5
    done = gitmem(folder, *arguments, input=text)
    assert "Traceback" not in done.err
    if done.code:
        assert done.code == 8, done
        assert len(done.err.strip().splitlines()) == 1, done.err
    found = gitmem(folder, "recall", "precious", "--json")
    assert found.json["results"][0]["id"] == "precious", found
    filler.unlink()
    store = Store.open(folder)
    assert store.show("precious").memory.body == "precious\n"
    assert store.show("doc").memory.body in ("rev A\n", text.decode())
    if verb == "remember":
        assert store.list().total == (2 if done.code else 3)
    assert_sound(folder)
    store.remember("works again")
    assert_sound(folder)


AS_NOBODY = """
import importlib, json, os, pkgutil, sys, tempfile
import gitmem
for module in pkgutil.walk_packages(gitmem.__path__, "gitmem."):
    if "_hooks" not in module.name:
        importlib.import_module(module.name)
from gitmem.cli.run import run
kept = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
for warm_up in (["recall", "warm-up"], ["show", "one"], ["log", "one"], ["status"], ["check"], ["list"]):
    run(warm_up)
os.dup2(kept, 1)
said = []
for arguments in json.loads(sys.argv[1]):
    streams = [tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")]
    child = os.fork()
    if child == 0:
        code = 70
        try:
            for number, stream in enumerate(streams, 1):
                os.dup2(stream.fileno(), number)
            os.setgroups([]); os.setgid(65534); os.setuid(65534)
            code = run(arguments)
            sys.stdout.flush(); sys.stderr.flush()
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    for stream in streams:
        stream.seek(0)
    said.append([code, *[stream.read() for stream in streams]])
print(json.dumps(said))
"""
"""Runs commands, each in a process of another user, who may not look where the package lies."""


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="needs the right to act as another user")
def test_a_store_that_may_not_be_written_can_still_be_read(
    store: Store, folder: Path, tmp_path: Path, sealed_environment: Path
) -> None:
    """Another user's store: recall, list, show and log answer; a write is refused in one line."""
    store.remember("readable", id="one")
    store.recall("readable")
    for place in (sealed_environment, *sealed_environment.parents, tmp_path, *tmp_path.parents):
        if len(place.parts) > 2:
            place.chmod(0o755)
    (sealed_environment / ".gitconfig").write_text(f"[safe]\n\tdirectory = {folder}\n")
    before = git(folder, "rev-parse", "HEAD")

    reads = [["recall", "readable"], ["list"], ["show", "one"], ["log", "one"], ["status"], ["check"]]
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, json.dumps([*reads, ["remember", "not allowed"]])],
        cwd=folder,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": SOURCE},
        text=True,
        check=True,
    )
    *answers, refused = json.loads(done.stdout)
    for arguments, (code, out, err) in zip(reads, answers, strict=True):
        assert code == 0, (arguments, err)
        assert "one" in out or arguments[0] not in ("recall", "list", "show"), (arguments, out)
    code, _, err = refused
    assert code in (7, 8), err
    assert len(err.strip().splitlines()) == 1, err
    assert git(folder, "rev-parse", "HEAD") == before
    assert_sound(folder)


def test_a_read_only_file_system_can_be_read(store: Store, folder: Path, tmp_path: Path) -> None:
    store.remember("readable", id="one")
    mounted = tmp_path / "ro"
    mounted.mkdir()
    for options in (["--bind", str(folder), str(mounted)], ["-o", "remount,bind,ro", str(mounted)]):
        if subprocess.run(["mount", *options], capture_output=True, check=False).returncode:
            pytest.skip("mounting is not allowed here")
    try:
        found = gitmem(mounted, "recall", "readable", "--json")
        assert [hit["id"] for hit in found.json["results"]] == ["one"], found
        assert gitmem(mounted, "show", "one").code == 0
        done = gitmem(mounted, "remember", "not allowed")
        assert (done.code, len(done.err.strip().splitlines())) == (8, 1), done.err
    finally:
        subprocess.run(["umount", "-l", str(mounted)], check=True)
    assert_sound(folder)
