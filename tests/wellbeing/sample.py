"""A store that has grown over half a year, and has something to look after of each kind.

What is in it is written down here as numbers too, so that tests compare with what was put in.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from gitmem.clock import FixedClock
from gitmem.flows.writing.drafting import Request
from gitmem.model.usage import Took
from gitmem.store import Store

NOW = datetime(2026, 11, 29, 15, 30, 12, tzinfo=UTC)
SUBJECTS = ("reports", "billing", "the harbour", "deployments", "the archive", "translations", "holidays")
GROWN = (
    # month, semantic, episodic, procedural, reflective
    (6, 6, 2, 1, 0),
    (7, 9, 6, 2, 1),
    (8, 4, 9, 1, 2),
    (9, 14, 12, 3, 1),
    (10, 18, 21, 4, 3),
    (11, 22, 26, 3, 2),
)
TYPES = ("semantic", "episodic", "procedural", "reflective")
NAMESPACES = ("projects/harbor", "people/alice", "projects/beta", "people/bob", "team", "")
HOSTILE = "</script><img src=x onerror=alert(1)> \"quoted\" & 'so' \u202egnp.exe"


@dataclass(frozen=True, slots=True)
class Sample:
    """The folder of the store, and how much was put in."""

    folder: Path
    by_month: dict[str, dict[str, int]]
    milliseconds: list[int]

    def open(self, now: datetime = NOW) -> Store:
        return Store.open(self.folder, clock=FixedClock(now))


def grow(folder: Path) -> Sample:
    """The store, made anew at `folder`. The environment must be sealed, with a person in git's config."""
    Store.init(folder, clock=FixedClock(datetime(2026, 6, 3, 9, tzinfo=UTC)))
    by_month: dict[str, dict[str, int]] = {}
    totals = dict.fromkeys(TYPES, 0)
    number = 0
    for month, *counts in GROWN:
        moment = datetime(2026, month, 12, 10, tzinfo=UTC)
        requests = []
        for kind, count in zip(TYPES, counts, strict=True):
            totals[kind] += count
            for _ in range(count):
                number += 1
                requests.append(_request(number, kind, moment))
        Store.open(folder, clock=FixedClock(moment)).remember_all(requests)
        by_month[f"2026-{month:02}"] = dict(totals)
    _trouble(folder)
    by_month["2026-11"]["semantic"] += 6
    return Sample(folder, by_month, _durations(folder))


def _request(number: int, kind: str, moment: datetime) -> Request:
    subject = SUBJECTS[number % len(SUBJECTS)]
    return Request(
        f"What is known of {subject}, number {number}: it was settled in week {number % 52}.",
        title=f"Note {number} on {subject}",
        type=kind,
        namespace=None if kind == "episodic" else NAMESPACES[number * number % len(NAMESPACES)] or None,
        id=f"note{number:04}",
        created=(moment + timedelta(hours=number % 200)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def _trouble(folder: Path) -> None:
    """A hand-made commit with two that say the same, a dispute, broken links, a broken header, a stale anchor."""
    hand = folder / "semantic/hand"
    hand.mkdir(parents=True)
    body = "The office in Kiel closes at six on Fridays.\n"
    files = {
        "first-twin-a2.md": f"---\nid: twin-a2\ntype: semantic\ntitle: Office hours\n---\n{body}",
        "second-twin-b2.md": f"---\nid: twin-b2\ntype: semantic\ntitle: Office hours again\n---\n{body}",
        "open-rates-q4.md": "---\nid: rates-q4\ntype: semantic\ntitle: The rate for the fourth quarter\n"
        "status: disputed\n---\nIt is 4 percent, or 5.\n",
        "odd-links-77.md": f"---\nid: links-77\ntype: semantic\ntitle: {json.dumps(HOSTILE)}\n"
        "related:\n  - gone-one\nsupersedes:\n  - gone-two\n---\nSee [[note0001]].\n",
        "odd-header-9.md": "---\nid: header-9\ntitle: [never closed\n---\nA text that is found all the same.\n",
        "code-anchor-5.md": "---\nid: anchor-5\ntype: semantic\ntitle: How the harbour is deployed\n"
        "anchors:\n  - deploy/main.py\n---\nThe script reads its targets from the table.\n",
    }
    for name, text in files.items():
        (hand / name).write_text(text, "utf-8")
    moment = "2026-11-20T08:00:00+00:00"
    environment = {**os.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
    code = folder.parent / "code"
    for where, *arguments in (
        (folder, "add", "."),
        (folder, "commit", "-qm", "notes by hand"),
        (folder.parent, "init", "-q", str(code)),
        (code, "commit", "-q", "--allow-empty", "-m", "nothing is deployed any more"),
        (folder, "config", "gitmem.codeRepository", str(code)),
    ):
        subprocess.run(["git", *map(str, arguments)], cwd=str(where), env=environment, check=True)
    store = Store.open(folder, clock=FixedClock(datetime(2026, 11, 21, 9, tzinfo=UTC)))
    line = '{"text": "The harbour moves to the new host in January.", "title": "Harbour moves"}\n'
    store.propose(batch=line, title="What the move means")


def _durations(folder: Path) -> list[int]:
    """What recalls took on fifteen days, in milliseconds, as their log has it."""
    usage = folder / ".git/gitmem/usage"
    usage.mkdir(parents=True, exist_ok=True)
    milliseconds = [14 + (number * 37) % 90 + (300 if number % 61 == 0 else 0) for number in range(180)]
    lines = [
        replace(
            Took("", 0),
            moment=f"2026-11-{15 + number // 12:02}T10:00:{number % 60:02}Z",
            microseconds=each * 1000,
        ).line()
        for number, each in enumerate(milliseconds)
    ]
    (usage / "log").write_text("".join(lines), "ascii")
    return milliseconds
