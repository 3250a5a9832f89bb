"""A user of the command line, who stands in a folder and acts as somebody."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from gitmem.cli.run import run
from tests.conftest import Ran, git, gitmem

IN_A_PROCESS_OF_THEIR_OWN = frozenset({"clone", "sync"})
"""The others are given to the command line in this process, where they need not start anew each time."""


class User:
    """Runs commands in one folder."""

    def __init__(self, folder: Path, identity: str = "person:tester") -> None:
        self.folder = folder
        self._identity = identity

    def run(self, *arguments: str) -> Ran:
        """What a command gives, whatever its exit code."""
        if arguments[0] in IN_A_PROCESS_OF_THEIR_OWN:
            return gitmem(self.folder, *arguments, env={"GITMEM_IDENTITY": self._identity})
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setenv("GITMEM_IDENTITY", self._identity)
            patch.chdir(self.folder)
            code = run(arguments)
        texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
        return Ran(code, *texts)

    def do(self, *arguments: str) -> str:
        """What a command prints; it has to succeed."""
        ran = self.run(*arguments)
        assert ran.code == 0, f"gitmem {' '.join(arguments)}: {ran.code}\n{ran.out}{ran.err}"
        return ran.out

    def json(self, *arguments: str) -> Any:
        """The JSON of a command that succeeds."""
        return json.loads(self.do(*arguments, "--json"))

    def git(self, *arguments: str) -> str:
        """What plain git prints."""
        return git(self.folder, *arguments)

    def do_batch(self, memories: Iterable[Mapping[str, str]], *arguments: str) -> str:
        """What a command prints that takes new memories with `--batch`; it has to succeed."""
        batch = self.folder.parent / f"{self.folder.name}.jsonl"
        batch.write_text("".join(f"{json.dumps(memory)}\n" for memory in memories), "utf-8")
        return self.do(*arguments, "--batch", str(batch))


def happened(listed: Iterable[Mapping[str, str]]) -> set[tuple[str, str]]:
    """What came or went, as what happened and to which memory."""
    return {(each["what"], each["id"]) for each in listed}
