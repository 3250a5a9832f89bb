"""An opened index is asked again only while it shows what is asked, from files that are still the same."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.index import opening
from gitmem.index.branch_index import BranchIndex
from gitmem.index.content import IndexContent
from gitmem.index.pool import IndexPool
from gitmem.index.source import FileDelta
from gitmem.model.ids import BlobId
from gitmem.recall.search import search
from gitmem.recall.where import Where
from tests.index.memory_source import MemorySource, found, note


class Kept:
    """An index with a pool, and how often files of it were opened."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.directory = folder / "gitmem" / "index" / "main"
        self.source = MemorySource()
        self.pool: IndexPool[IndexContent] = IndexPool()
        self.opened = 0
        real = opening.open_state

        def counted(path: Path, rules: str) -> object:
            self.opened += 1
            return real(path, rules)

        monkeypatch.setattr(opening, "open_state", counted)

    def index(self) -> BranchIndex:
        return BranchIndex(self.directory, self.source, notice=lambda _: None, pool=self.pool)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    return Kept(tmp_path, monkeypatch)


def test_the_second_question_opens_nothing(kept: Kept) -> None:
    """Also through another handle on the same pool."""
    commit = kept.source.commit({"a.md": note("a", "kestrel")})
    with kept.index().view(commit) as view:
        assert found(view, "kestrel") == ["a"]
    before = kept.opened
    for _ in range(3):
        with kept.index().view(commit) as view:
            assert found(view, "kestrel") == ["a"]
    assert kept.opened == before


def test_another_commit_is_never_answered_from_what_is_kept(kept: Kept) -> None:
    first = kept.source.commit({"a.md": note("a", "kestrel")})
    second = kept.source.commit({"b.md": note("b", "kestrel")})
    for commit, ids in ((first, ["a"]), (second, ["b"]), (first, ["a"]), (second, ["b"])):
        with kept.index().view(commit) as view:
            assert found(view, "kestrel") == ids


def test_edits_are_part_of_what_is_shown(kept: Kept) -> None:
    """The same commit with and without edits, and with other edits, in turn."""
    commit = kept.source.commit({"a.md": note("a", "kestrel"), "b.md": note("b", "merlin")})
    blob = BlobId("e" * 40)
    kept.source.contents[blob] = note("a", "merlin").encode()
    edits = [FileDelta("a.md", kept.source.snapshots[commit]["a.md"], blob)]
    gone = [FileDelta("a.md", kept.source.snapshots[commit]["a.md"], None)]
    for _ in range(2):
        for shown, ids in (((), {"b"}), (edits, {"a", "b"}), (gone, {"b"})):
            with kept.index().view(commit, edits=shown) as view:
                assert set(found(view, "merlin")) == ids


def _truncate(directory: Path) -> None:
    for file in directory.rglob("*.seg"):
        os.truncate(file, 10)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "cut off": _truncate,
    "gone": shutil.rmtree,
    "all gone": lambda directory: shutil.rmtree(directory.parent.parent),
    "seal gone": lambda directory: (directory.parent / "seal.json").unlink(),
    "pointer gone": lambda directory: (directory / "CURRENT").unlink(),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_an_index_that_was_touched_is_opened_anew(kept: Kept, name: str) -> None:
    """Reading on in a file that was cut off would end the process."""
    commit = kept.source.commit({f"{n}.md": note(f"n{n}", "kestrel") for n in range(5)})
    with kept.index().view(commit) as view:
        assert len(found(view, "kestrel")) == 5
    before = kept.opened
    DAMAGES[name](kept.directory)
    with kept.index().view(commit) as view:
        assert len(found(view, "kestrel")) == 5
    assert kept.opened > before


def test_an_index_is_lent_to_one_asker_at_a_time(kept: Kept) -> None:
    commit = kept.source.commit({"a.md": note("a", "kestrel")})
    with kept.index().view(commit) as one, kept.index().view(commit) as other:
        assert one._content is not other._content
        assert found(one, "kestrel") == found(other, "kestrel") == ["a"]


def test_threads_share_a_pool(kept: Kept) -> None:
    """Each gets whole answers, whatever the others ask."""
    commits = [
        kept.source.commit({f"{n}.md": note(f"n{n}", "kestrel") for n in range(size)}) for size in (3, 7)
    ]
    wrong: list[object] = []

    def ask(number: int) -> None:
        try:
            for turn in range(15):
                size = (number + turn) % 2
                with kept.index().view(commits[size]) as view:
                    if len(found(view, "kestrel")) != (3, 7)[size]:
                        wrong.append(number)
        except BaseException as error:  # noqa: BLE001  shown below
            wrong.append(error)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_closing_gives_the_files_back(kept: Kept) -> None:
    commit = kept.source.commit({"a.md": note("a", "kestrel")})
    with kept.index().view(commit) as view:
        content = view._content
    kept.pool.close()
    kept.pool.close()
    assert content.leaves == []
    with kept.index().view(commit) as view:
        assert found(view, "kestrel") == ["a"]


def test_what_is_kept_of_one_filter_does_not_answer_for_another(kept: Kept) -> None:
    """Frequencies are kept by word and scope: the same question in each namespace, and again, as if new."""
    files = {
        f"episodic/{space}/{number}.md": note(f"{space}{number}", text, session="s")
        for space, size in (("one", 3), ("two", 4))
        for number, text in enumerate(("a film by the sea", "the movie was long", "movie", "tea")[:size])
    }
    commit = kept.source.commit(files)
    wheres = [Where(namespace="one"), Where(namespace="two"), Where(), Where(until="1999-01-01")]
    questions = ["which movie was long", "which film did they see", "movie"]
    asked = [(question, where) for question in questions for where in wheres] * 2

    def answers(*, close: bool) -> list[object]:
        given: list[object] = []
        for question, where in asked:
            with kept.index().view(commit) as view:
                given.append([(hit.record.id, hit.score) for hit in search(view, question, where).hits])
            if close:
                kept.pool.close()
        return given

    assert answers(close=False) == answers(close=True)
    assert any(answers(close=False))
