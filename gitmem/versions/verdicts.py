"""Verdicts on anchors, kept below the git directory, so that a recall compares nothing twice.

A verdict holds for as long as the anchor, the commit it notes, and the file that stands at its path now are
the same; of a file that is gone, as long as the code repository is at the same commit.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from gitmem.git.beneath import read_regular, replace_regular
from gitmem.model.anchors import Anchor, Verdict
from gitmem.platform import make_private_directory
from gitmem.versions.staleness import Judge

FORMAT = 1
MOST_KEPT = 5_000


class Verdicts:
    """Judges each anchor once; `file` keeps what had to be compared, and may be deleted at any time."""

    def __init__(self, judge: Judge, file: Path) -> None:
        self._judge = judge
        self._file = file
        self._kept: dict[str, list[str | None]] | None = None
        self._has_new = False
        self._now: dict[str, Verdict] = {}

    def of(self, text: str, anchor: Anchor) -> Verdict:
        """What became of the anchor that a header writes as `text`."""
        verdict = self._now.get(text)
        if verdict is None:
            verdict = self._now[text] = self._kept_or_new(text, anchor)
        return verdict

    def save(self) -> None:
        """Keeps what is new. Where that cannot be written, it is found out again the next time."""
        if not self._has_new or self._kept is None:
            return
        newest = dict(list(self._kept.items())[-MOST_KEPT:])
        with suppress(OSError):
            make_private_directory(self._file.parent)
            text = json.dumps({"format": FORMAT, "verdicts": newest}, ensure_ascii=True)
            replace_regular(self._file, text.encode("ascii"))
        self._has_new = False

    def _kept_or_new(self, text: str, anchor: Anchor) -> Verdict:
        plain = self._judge.plain(text, anchor)
        if plain is not None:
            return plain
        if self._kept is None:
            self._kept = _read(self._file)
        name = f"{self._judge.key(anchor)} {anchor}"
        kept = self._kept.get(name)
        if kept is not None:
            state, reason, path = kept
            return Verdict(text, state or "", reason or "", path)
        verdict = self._judge.verdict(text, anchor)
        if verdict.state != "unknown":
            self._kept[name] = [verdict.state, verdict.reason, verdict.path]
            self._has_new = True
        return verdict


def _read(file: Path) -> dict[str, list[str | None]]:
    """What is kept; nothing where the file is missing or damaged."""
    try:
        values = json.loads(read_regular(file) or b"")
        kept = values["verdicts"] if values["format"] == FORMAT else {}
        return {
            name: [state, reason, path]
            for name, (state, reason, path) in kept.items()
            if isinstance(state, str) and isinstance(reason, str) and isinstance(path, str | None)
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
