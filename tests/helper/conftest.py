"""A store with a helper beside it, as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import pytest

from gitmem.store import Store
from tests.commands import COMMAND

SOURCE = str(Path(__file__).parents[2])
ALONE = {"GITMEM_SERVE": "off"}
"""Variables with which a command asks no helper."""
LONG_AGO = "2001-02-03"
"""A day from which on seconds change no score."""


class Serving:
    """A helper that runs; `stop` ends it as a person would and gives what it said."""

    def __init__(self, folder: Path, *options: str, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "serve", *options],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": SOURCE, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @cached_property
    def first_line(self) -> str:
        """The line with which it says that it listens, or why not."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def said(self) -> str:
        """What it says, after the first line if that was read, until it ends by itself."""
        assert self.process.stdout is not None
        # A line that came together with the first lies in the buffer, where `communicate` does not look.
        said = self.process.stdout.read()
        self.process.wait()
        return said

    def stop(self) -> str:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.said()

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def helped(folder: Path, *options: str, env: dict[str, str] | None = None) -> Iterator[Serving]:
    """A helper for the store at `folder`, ended in any case."""
    serving = Serving(folder, *options, env=env)
    try:
        assert "listening" in serving.first_line, serving.first_line + serving.stop()
        yield serving
    finally:
        serving.kill()


@pytest.fixture
def serving(folder: Path) -> Iterator[Serving]:
    """A helper for the store of the test."""
    with helped(folder) as serving:
        yield serving


@pytest.fixture
def filled(store: Store, folder: Path) -> Path:
    """A store with a few memories, and its index."""

    store.remember(
        "the kestrel hovers over the field",
        id="kestrel",
        tags=["birds"],
        namespace="nature",
        created=LONG_AGO,
    )
    store.remember("张三喜欢用邮件收报告，不喜欢聊天", id="zhang", type="episodic", created=LONG_AGO)
    store.remember(
        "the heron stands in the water and waits\n\nfor fish", id="heron", title="A heron", created=LONG_AGO
    )
    store.refresh()
    return folder
