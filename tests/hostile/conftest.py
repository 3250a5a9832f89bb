"""What must not be touched, read or run, and the proof that it was not."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SECRET = "quetzal"
"""A word that stands in files outside the store and nowhere else: no answer may hold it."""


@dataclass
class Outside:
    """A folder beside the store. Its files and their times are remembered when it is sealed."""

    folder: Path
    tells_reads: bool
    _seen: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def seal(self) -> None:
        """Remembers everything as it is; from now on nothing may be read, written, made or removed here."""
        for file in self.folder.rglob("*"):
            if file.is_file() and not file.is_symlink():
                # Older than the last change, so that the system notes the next reading.
                os.utime(file, ns=(1, file.stat().st_mtime_ns))
        self._seen = self._look()

    def assert_untouched(self) -> None:
        assert self._seen, "seal() comes first"
        assert self._look() == self._seen

    def _look(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for file in sorted(self.folder.rglob("*")):
            status = file.lstat()
            read_ns = status.st_atime_ns if self.tells_reads and file.is_file() else 0
            facts = (
                status.st_mode,
                status.st_ino,
                status.st_nlink,
                status.st_size,
                status.st_mtime_ns,
                read_ns,
            )
            found[file.relative_to(self.folder).as_posix()] = facts
        return found


@pytest.fixture
def outside(tmp_path: Path) -> Outside:
    """A folder with a secret in it, beside the store."""
    folder = tmp_path / "outside"
    (folder / "notes").mkdir(parents=True)
    for name in ("secret.md", "notes/secret.md", "secret.txt"):
        (folder / name).write_text(f"---\nid: secret\n---\n{SECRET}\n")
    probe = tmp_path / "probe"
    probe.write_text("x")
    os.utime(probe, ns=(1, probe.stat().st_mtime_ns))
    probe.read_text()
    made = Outside(folder, tells_reads=probe.stat().st_atime_ns != 1)
    made.seal()
    return made


@dataclass(frozen=True)
class Program:
    """A program that leaves a trace where it runs."""

    file: Path
    trace: Path

    def assert_never_ran(self) -> None:
        assert not self.trace.exists(), self.trace.read_text()


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program that must not run. It hands on what it gets, so that git is content with it as a filter."""
    file, trace = tmp_path / "program", tmp_path / "trace"
    file.write_text(f'#!/bin/sh\necho "$0 $@" >> {trace}\ncat\n')
    file.chmod(0o755)
    return Program(file, trace)
