"""What every index must do. A second implementation is a subclass that gives `make_index`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import pytest

from gitmem.model.ids import CommitId
from gitmem.model.memory import MemoryType
from gitmem.recall.where import Where
from tests.index.memory_source import MemorySource, note


class IndexPort(Protocol):
    """What gitmem asks of an index: a view of exactly one commit, and to forget what it knows."""

    def view(self, commit: CommitId) -> AbstractContextManager[Any]: ...

    def search(self, view: Any, query: str, where: Where | None = None, limit: int = 10) -> Any: ...

    def forget(self) -> None:
        """Throws away everything the index has kept."""


FILES = {
    "semantic/people/alice/reports.md": note("m1", "Alice wants monthly reports by e-mail", tags="[reports]"),
    "semantic/people/bob/reports.md": note(
        "m2", "Bob wants reports on paper, monthly", tags="[reports, paper]"
    ),
    "episodic/2026/11/29/1530-call.md": note(
        "m3", "Alice called about billing", created="2026-11-29T15:30:00Z"
    ),
    "git/note.md": "# Renaming\n\nUse git branch -m to rename\n",
    "zh.md": note("zh", "用户对花生过敏，住在杭州市。"),
}


class IndexConformance:
    """Views, filters and answers, from a source that is held in memory."""

    def make_index(self, folder: Path, source: MemorySource) -> IndexPort:
        raise NotImplementedError("a subclass gives the implementation")

    @pytest.fixture
    def source(self) -> MemorySource:
        return MemorySource()

    @pytest.fixture
    def index(self, tmp_path: Path, source: MemorySource) -> IndexPort:
        return self.make_index(tmp_path / "index", source)

    @pytest.fixture
    def ask(self, index: IndexPort, source: MemorySource) -> Iterator[Callable[..., list[str]]]:
        commit = source.commit(FILES)

        def ask(query: str, where: Where | None = None, limit: int = 10) -> list[str]:
            with index.view(commit) as view:
                return [hit.record.path for hit in index.search(view, query, where, limit).hits]

        yield ask

    def test_a_view_shows_exactly_its_commit(self, index: IndexPort, source: MemorySource) -> None:
        """Forwards and backwards, whatever was asked before."""
        first = source.commit({"a.md": note("a", "kestrel")})
        second = source.commit({"a.md": note("a", "otter"), "b.md": note("b", "kestrel nest")})
        third = source.commit({"c.md": note("b", "kestrel egg")})
        wanted = {first: ["a.md"], second: ["b.md"], third: ["c.md"]}
        for commit in (first, second, third, second, first, third):
            with index.view(commit) as view:
                assert [hit.record.path for hit in index.search(view, "kestrel").hits] == wanted[commit]
                assert view.count == len(source.snapshots[commit])

    def test_an_index_that_was_forgotten_answers_the_same(
        self, index: IndexPort, source: MemorySource
    ) -> None:
        commit = source.commit(FILES)
        for _ in range(2):
            with index.view(commit) as view:
                answer = index.search(view, "reports alice monthly")
                hits = [(hit.record.id, hit.score) for hit in answer.hits]
            index.forget()
            with index.view(commit) as view:
                again = index.search(view, "reports alice monthly")
            assert [(hit.record.id, hit.score) for hit in again.hits] == hits

    def test_memories_are_found_by_id_prefix_and_path(self, index: IndexPort, source: MemorySource) -> None:
        with index.view(source.commit(FILES)) as view:
            assert [record.path for record in view.by_id("M1")] == ["semantic/people/alice/reports.md"]
            assert [record.id for record in view.ids_with_prefix("m")] != []
            assert view.by_path("zh.md").id == "zh"
            assert view.by_path("nosuch.md") is None
            assert view.by_id("nosuch") == []

    @pytest.mark.parametrize(
        ("where", "count"),
        [
            (Where(), 5),
            (Where(type=MemoryType.EPISODIC), 1),
            (Where(namespace="people"), 2),
            (Where(namespace="people/alice"), 1),
            (Where(tags=("REPORTS",)), 2),
            (Where(tags=("reports", "paper")), 1),
            (Where(since="2026-11-29"), 1),
            (Where(until="2026-11-28"), 0),
            (Where(tags=("nosuch",)), 0),
        ],
    )
    def test_filters_hold_for_listing(
        self, index: IndexPort, source: MemorySource, where: Where, count: int
    ) -> None:
        with index.view(source.commit(FILES)) as view:
            assert len(list(view.records(where))) == count

    def test_filters_apply_before_the_cut(self, index: IndexPort, source: MemorySource) -> None:
        files = {f"n{number}.md": note(f"n{number}", "badger badger badger") for number in range(40)}
        files["rare.md"] = note("rare", "one badger, far away", tags="[field trip]")
        with index.view(source.commit(files)) as view:
            hits = index.search(view, "badger", Where(tags=("Field Trip",)), 3).hits
            assert [hit.record.id for hit in hits] == ["rare"]

    @pytest.mark.parametrize(
        ("query", "first"),
        [
            ("How does Alice want her reports?", "semantic/people/alice/reports.md"),
            ("report paper", "semantic/people/bob/reports.md"),
            ("rename a branch", "git/note.md"),
            ("m3", "episodic/2026/11/29/1530-call.md"),
            ("花生", "zh.md"),
            ("杭州", "zh.md"),
        ],
    )
    def test_the_best_answer_comes_first(self, ask: Callable[..., list[str]], query: str, first: str) -> None:
        assert ask(query)[0] == first

    @pytest.mark.parametrize(
        "query",
        ["", "?", "*", "NOT NOT x", '"open', "AND (", "title:", "[TO]", "\\", "\x00", "🙂", "a" * 10_000],
    )
    def test_any_text_is_a_query(self, ask: Callable[..., list[str]], query: str) -> None:
        assert isinstance(ask(query), list)

    def test_no_hits_where_none_are_wanted(self, ask: Callable[..., list[str]]) -> None:
        assert ask("reports", limit=0) == []
        assert ask("xylophone") == []
