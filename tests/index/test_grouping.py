"""Sessions are looked up one by one, and are those that going through all memories would find."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from unittest.mock import patch

import pytest

from gitmem.index.branch_index import BranchIndex
from gitmem.index.columns import GROUP, NO_GROUP
from gitmem.index.content import IndexContent
from gitmem.index.grouping import Grouping, grouping_of
from gitmem.index.record import RecordFilter
from gitmem.index.schema import PATH
from gitmem.index.scope import scope_of
from gitmem.index.sessions import sessions_of
from gitmem.recall.where import Where
from tests.index.memory_source import MemorySource, note


def _expected(content: IndexContent) -> dict[int, list[int]]:
    found = defaultdict[int, list[int]](list)
    group_of = content.numbers(GROUP)
    for document in content.all_documents():
        found[group_of[document]].append(document)
    return dict(found)


def _assert_right(content: IndexContent) -> None:
    expected = _expected(content)
    alone = len(expected.pop(NO_GROUP, []))
    grouping = grouping_of(content)
    assert {group: grouping.members(group) for group in expected} == expected
    for looked_up_or_counted in (0, 1_000_000):
        with patch("gitmem.index.grouping._COUNTED_AS_FAST_AS_LOOKED_UP", looked_up_or_counted):
            sizes = Grouping(content).sizes(expected.keys())
        assert {group: sizes[group] for group in expected} == {
            group: len(members) for group, members in expected.items()
        }
    assert grouping.counted() == (len(expected), content.documents - alone)
    assert grouping.members(4711) == []
    everything: RecordFilter = Where()
    scope = scope_of(content, everything)
    counted = Counter(len(members) for members in expected.values())
    assert (scope.count, scope.groups) == (content.documents, counted.total())
    mean = sum(map(len, expected.values())) / len(expected) if expected else 0.0
    assert scope.mean_group_size == mean


@pytest.mark.parametrize("many_dead", [0.0, 1.0])
def test_sessions_over_segments_with_deleted_and_hidden_memories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many_dead: float
) -> None:
    """In several segments, after changes, and with some hidden; a session may lose all its memories.

    Both where all sessions are counted and where those of dead memories are looked up.
    """
    monkeypatch.setattr("gitmem.index.grouping._MANY_DEAD", many_dead)
    (tmp_path / "git").mkdir()
    directory = tmp_path / "git" / "gitmem" / "index" / "main"
    source = MemorySource()
    files = {f"m{n}.md": note(f"m{n}", f"heron {n}", session=f"s{n % 6}") for n in range(30)}
    files |= {f"x{n}.md": note(f"x{n}", "alone") for n in range(4)}
    index = BranchIndex(directory, source)
    with index.view(source.commit(files)) as view:
        view.read(_assert_right)
    for number in (0, 6, 12, 18, 24):
        del files[f"m{number}.md"]
    files["m1.md"] = note("m1", "heron moved", session="s2")
    files["new.md"] = note("new", "heron new", session="s9")
    with index.view(source.commit(files)) as view:
        view.read(_assert_right)

        def hide_some(content: IndexContent) -> None:
            content.mask(f"m{number}.md" for number in (2, 3, 9, 15, 21, 27))
            _assert_right(content)

        view.read(hide_some)
        assert view.read(lambda content: content.documents_with(PATH, "m3.md")) == []


def test_memories_of_one_moment_stand_in_natural_order(tmp_path: Path) -> None:
    """By their ids; two with the same id by their paths."""
    (tmp_path / "git").mkdir()
    source = MemorySource()
    day = {"session": "s", "created": "2026-01-05"}
    files = {f"{10 - n}.md": note(f"d-{n}", "heron", **day) for n in range(9, 12)}
    files |= {"b.md": note("d-2", "heron", **day), "a.md": note("d-2", "heron", **day)}
    with BranchIndex(tmp_path / "git" / "gitmem" / "index" / "main", source).view(
        source.commit(files)
    ) as view:

        def ordered(content: IndexContent) -> list[str]:
            sessions = sessions_of(content)
            first = content.documents_with(PATH, "a.md")[0]
            return [content.record(n).path for n in sessions._in_order(sessions.group_of[first])]

        assert view.read(ordered) == ["a.md", "b.md", "1.md", "0.md", "-1.md"]
