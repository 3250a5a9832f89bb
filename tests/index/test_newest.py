"""The newest memories of a filter, told from a column, are those that sorting all records gives."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gitmem.index.branch_index import BranchIndex
from gitmem.index.moments import micros_of, parse_moment
from gitmem.index.record import Record
from gitmem.recall.where import Where
from tests.index.memory_source import MemorySource, note

# The first four are two moments, written in two ways each.
DATES = (
    *(
        "2026-05-01T00:00:00Z",
        "2026-05-01T02:00:00+02:00",
        "2026-05-01T01:00:00Z",
        "2026-04-30T23:00:00-02:00",
    ),
    *("2026-04-30T23:59:59Z", "2025-12-31", "0001-01-02", "9999-12-31T23:59:59Z", "yesterday", ""),
)
CONDITIONS = (Where(), Where(tags=("x",)), Where(since="2026-01-01"), Where(fields=(("mood", "calm"),)))


def _order(record: Record) -> tuple[int, str]:
    return -micros_of(parse_moment(record.created)), record.path


@pytest.mark.parametrize("seed", range(3))
def test_the_newest_are_those_that_sorting_all_gives(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    (tmp_path / "git").mkdir()
    source, files = MemorySource(), {}
    index = BranchIndex(tmp_path / "git" / "gitmem" / "index" / "main", source)
    for _ in range(4):
        for number in chance.sample(range(60), 15):
            tags = "[x]" if chance.random() < 0.5 else "[]"
            mood = chance.choice(("calm", "brisk"))
            name = f"m{number:02}"
            files[f"{name}.md"] = note(name, "heron", created=chance.choice(DATES), tags=tags, mood=mood)
        with index.view(source.commit(files)) as view:
            for where in CONDITIONS:
                expected = sorted(view.records(where), key=_order)
                for limit in (None, *range(len(expected) + 2)):
                    assert view.newest(where, limit) == (expected[:limit], len(expected))
