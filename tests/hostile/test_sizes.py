"""Files and objects of any size: work and memory are bounded, and all the other memories are as quick as before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.errors import Damaged, Refused
from gitmem.git.objects import MAX_BLOB_BYTES
from gitmem.model import diff
from gitmem.model.reading import START_BYTES
from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import assert_sound, git
from tests.hostile.crafting import FILE, FOLDER, commit_with, huge_blob, memory, tree

LARGE = 100 * 2**20
CASES = {
    "header": b"---\nid: large\ntitle: a large one\ntags: [big]\n---\nwombat line of text\n",
    "one-line": b"wombat ",
    "binary": bytes(range(256)),
}


def large_text(start: bytes, size_bytes: int) -> bytes:
    """`start`, and its last line again and again."""
    line = start[start.rfind(b"\n", 0, -1) + 1 :]
    return (start + line * (size_bytes // len(line)))[:size_bytes]


MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
sys.stderr.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
sys.exit(code)
"""


def peak_mib(folder: Path, *arguments: str) -> tuple[int, str]:
    """The most memory that one run of the command took, git included, and what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *COMMAND, *arguments],
        cwd=folder,
        capture_output=True,
        env=environment,
    )
    assert done.returncode == 0, (arguments, done.stderr)
    return int(done.stderr.split()[-1]), done.stdout.decode("utf-8", "replace")


@pytest.fixture
def large(store: Store, folder: Path, request: pytest.FixtureRequest) -> Path:
    """A store with one file of 100 MB beside a memory, by way of plain git."""
    store.remember("fine zebra", id="ok")
    start = CASES[request.param]
    (folder / "large.md").write_bytes(large_text(start, LARGE))
    git(folder, "-c", "core.compression=1", "add", ".")
    git(folder, "commit", "-qm", "large")
    return folder


@pytest.mark.parametrize("large", CASES, indirect=True)
def test_a_file_of_100_megabytes_costs_little(large: Path, store: Store) -> None:
    """It is listed, known by its header, found by its beginning and named by `check`; memory stays small."""
    used, found = peak_mib(large, "recall", "zebra wombat 熊猫")
    assert used < 160, used
    assert "fine zebra" in found
    (finding,) = (finding for finding in store.check().findings if finding.code == "too-large")
    assert finding.path == "large.md" and "256 KiB" in finding.message
    assert len(store.show("large.md").memory.body) <= START_BYTES
    with pytest.raises(Refused, match="larger than 16 MiB"):
        store.tag("large.md", add=["x"])
    with pytest.raises(Refused, match="larger than 16 MiB"):
        store.blame("large.md")
    assert_sound(large)


@pytest.mark.parametrize("large", ["header"], indirect=True)
def test_a_large_file_keeps_its_identity_and_can_be_put_away(large: Path, store: Store) -> None:
    """Its id, title and tags are those of its header; it is moved, replaced and brought back byte for byte."""
    before = git(large, "rev-parse", "HEAD:large.md")
    assert store.recall("large", store.where(tags=["big"])).hits[0].hit.record.id == "large"
    store.archive(["large"])
    assert git(large, "rev-parse", "archive:large.md") == before
    store.restore(["large"])
    store.update("large", "small now")
    assert store.show("large").memory.body == "small now\n" and store.show("large").memory.tags == ("big",)
    store.revert("large", "v1")
    assert git(large, "rev-parse", "HEAD:large.md") == before
    assert_sound(large)


@pytest.mark.parametrize("large", ["one-line"], indirect=True)
def test_an_edit_of_a_large_file_is_seen_and_taken_in(large: Path, store: Store) -> None:
    """The worktree is read up to the bound, too."""
    with (large / "large.md").open("ab") as file:
        file.write(b"edited\n")
    (recalled,) = (each for each in store.recall("wombat").hits if each.hit.record.path == "large.md")
    assert recalled.hit.labels == ("changed, not committed",)
    store.commit_edits()
    assert_sound(large)


def test_a_blob_of_gigabytes_is_never_loaded(store: Store, folder: Path, tmp_path: Path) -> None:
    """A few kilobytes of a pack can be any number of bytes: as memory, attachment, and in an export."""
    store.remember("fine zebra", id="ok")
    oid = huge_blob(folder, MAX_BLOB_BYTES + 2**22)
    commit_with(
        folder,
        [
            (FOLDER, "note.files", tree(folder, [(FILE, "huge.txt", oid)])),
            (FILE, "note.md", memory(folder, "note", "marmot")),
            (FILE, "zz.md", oid),
        ],
    )
    used, _ = peak_mib(folder, "recall", "zebra")
    assert used < 160, used
    used, _ = peak_mib(folder, "list")
    assert used < 160, used
    with pytest.raises(Damaged, match="larger than 512 MiB"):
        store.show("zz.md")
    exported = store.export(tmp_path / "out")
    assert sorted(exported.reasons) == ["note.files/huge.txt", "zz.md"]
    assert store.export(tmp_path / "out.jsonl").memories == 2
    assert {finding.path for finding in store.check().findings if finding.code == "too-large"} == {"zz.md"}


@pytest.mark.parametrize(
    "text",
    [
        b"a." * 2**20,
        b"a" * 2**22,
        "熊猫".encode() * 2**18,
        ("e" + "\u0301" * 500).encode() * 2_000,
        b"\n" * 2**22,
    ],
    ids=["joined", "one-word", "one-run", "marks", "lines"],
)
def test_a_text_of_any_shape_is_indexed_in_bounded_memory(store: Store, folder: Path, text: bytes) -> None:
    """Chains, runs, marks and line ends without end; its first word and its last are found."""
    (folder / "a.md").write_bytes(b"wombat " + text + b" numbat")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "a large text")
    used, found = peak_mib(folder, "recall", "numbat")
    assert used < 250, used
    assert "wombat" in found
    store.append("a.md", "end")
    assert_sound(folder)


def test_comparing_versions_is_bounded() -> None:
    """Lines that are equal a million times over do not make a comparison of a million times a million."""
    for old, new in (
        (["a"] * 40_000, ["b", "a"] * 20_000),
        (["a"] * 200_000, ["a"] * 199_999 + ["b"]),
        (["x", *["a"] * 100_000, "y"], ["x", *["b"] * 100_000, "y"]),
    ):
        assert len(diff.inherited_lines(old, new)) == len(new)
    assert diff.inherited_lines(["a", "b", "c"], ["a", "x", "c"]) == [0, None, 2]


def test_a_very_long_message_of_a_commit_is_one_line(store: Store, folder: Path) -> None:
    """A log shows the beginning of what somebody wrote."""
    store.remember("fine zebra", id="ok")
    message = folder / ".git/message"
    message.write_text("x" * 1_000_000 + "\n\n" + "Reason: y\n" * 10_000)
    git(folder, "commit", "-q", "--allow-empty", "-F", str(message))
    done = subprocess.run([*COMMAND, "log"], cwd=folder, capture_output=True, check=True)
    assert len(done.stdout) < 2_000
    assert len(done.stdout.splitlines()) == 3
