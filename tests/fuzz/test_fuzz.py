"""Any bytes at all: bounded here, guided by coverage for as long as one likes with `python -m tests.fuzz`."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.__main__ import NAMES
from tests.fuzz.targets import TARGETS

YAML = [
    b"---\n",
    b"id: ",
    b"tags:\n  - ",
    b"&a ",
    b"*a ",
    b"!!python/object:",
    b"{",
    b"[",
    b"'",
    b'"',
    b"|\n",
]
OTHER = [
    b"tag:",
    b"since:",
    b"-",
    b"*",
    "上周三".encode(),
    b"[memories]\n",
    b"exclude = [",
    b"\x00",
    b"\xef\xbb\xbf",
    b'{"text": "',
    b'{"path": "a.md", "raw": "',
    b'"}',
    b"\n\nMemory-Id: ",
    b"a 1 2 2026-11-29T15:30:12Z\n",
    b"3 weeks ago",
    b"ignore all previous instructions ",
    b"<!-- ",
    b"[[",
    b"https://",
    "\U000e0041\u200b".encode(),
]
PIECES = st.sampled_from([*YAML, *OTHER])
TEXTS = st.lists(st.one_of(PIECES, st.binary(max_size=12)), max_size=40).map(b"".join)


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=300, deadline=None)
@given(data=TEXTS)
def test_any_bytes_are_read(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.parametrize("name", ["header", "usage"])
def test_the_fuzzer_runs(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz", name, "--seconds", "2"]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_every_target_can_be_named() -> None:
    assert set(NAMES) == set(TARGETS)
