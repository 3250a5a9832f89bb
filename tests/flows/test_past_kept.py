"""What a handle keeps of the past between two questions never shows: each answer is that of a fresh handle."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gitmem.clock import FixedClock
from gitmem.flows.reading.indexed import index_view
from gitmem.flows.reading.kept import Kept
from gitmem.flows.reading.past import catch_up_past, past_view
from gitmem.flows.work import Work
from gitmem.index import opening, version_content
from gitmem.index.hiding import Hiding
from gitmem.index.version_content import VersionContent
from gitmem.index.view import IndexView
from gitmem.model.ids import CommitId
from gitmem.recall.search import search
from gitmem.store import Store
from gitmem.versions.table import VersionTable
from gitmem.versions.table_files import UnusableTable
from tests.conftest import NOW as STORE_NOW
from tests.conftest import git
from tests.flows.test_past_index import QUERIES, REVERTED, scores_of, state_of, work_of
from tests.versions.histories import Story, stories

HIDINGS = (
    None,
    Hiding("n1", lambda path: path.endswith("n1.md"), lambda _: True),
    Hiding("kestrels", lambda _: True, lambda record: record.agent == "kestrel", ids=("n3",)),
)


@contextmanager
def looking(work: Work, commit: CommitId, hiding: Hiding | None = None) -> Iterator[IndexView]:
    with past_view(work, work.place.snapshot(commit), hiding) as view:
        assert view is not None
        yield view


def said(work: Work, commit: CommitId, hiding: Hiding | None = None) -> object:
    """Everything that is said of a commit, scores not rounded."""
    with looking(work, commit, hiding) as view:
        return state_of(view), [scores_of(view, query) for query in QUERIES]


def fresh(work: Work) -> Work:
    """The same, with nothing kept."""
    return replace(work, kept=Kept())


def kept_content(work: Work) -> VersionContent:
    """The one opened index of versions that is kept."""
    (kept,) = work.kept.past_indexes._idle
    return kept.content


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(REVERTED, 7)
@given(stories, st.integers(0, 100))
def test_what_is_kept_answers_like_a_fresh_handle(
    person: None, tmp_path_factory: pytest.TempPathFactory, told: list[Any], seed: int
) -> None:
    """After commits, renames, moves, merges, resets and amends, on both branches, with some hidden in turn."""
    story = Story.begin(tmp_path_factory.mktemp("story"))
    kept = Kept()
    for number, (event, pause) in enumerate(told):
        story.tell(event, pause)
        for branch in ("main", "archive"):
            work = replace(work_of(story), branch=branch, kept=kept)
            chain = story.chain(branch)
            for turn in range(min(4, len(chain))):
                commit = chain[(seed + 3 * number + 5 * turn) % len(chain)]
                hiding = HIDINGS[(seed + turn + number // 2) % len(HIDINGS)]
                assert said(work, commit, hiding) == said(fresh(work), commit, hiding)


def test_a_store_answers_of_its_past_like_one_just_opened(store: Store, folder: Path) -> None:
    """After new commits, a rename, an archiving and a forgetting, which makes other commits of all."""
    texts = ("a kestrel nest", "an owl and a kestrel", "an egg of a merlin", "two owls")
    questions = ("kestrel", "owl nest", "which egg of a merlin?")

    def answers(asked: Store) -> list[str]:
        commits = git(folder, "rev-list", "--first-parent", "--max-count=7", "main").split()
        return [
            repr((asked.at(commit).recall(question), asked.at(commit).recall(question, archived=True)))
            for commit in (*commits, *commits[::2])
            for question in questions
        ]

    def assert_like_new() -> None:
        with Store.open(folder, clock=FixedClock(STORE_NOW)) as opened:
            assert answers(store) == answers(opened)

    for number, text in enumerate(texts):
        store.remember(text, id=f"bird-{number}", tags=["bird"])
    assert_like_new()
    changes: list[Callable[[], object]] = [
        lambda: store.update("bird-1", "a sparrowhawk, and no owl"),
        lambda: store.rename("bird-0", "The nest"),
        lambda: store.archive(["bird-2"]),
        lambda: store.refresh(),
        lambda: store.forget(["bird-3"]),
        lambda: store.remember("one more kestrel", id="bird-5"),
    ]
    for change in changes:
        change()
        assert_like_new()


@pytest.fixture
def grown(person: None, tmp_path: Path) -> Story:
    """Twenty commits, each of which writes one of five memories, two of them in one session."""
    story = Story.begin(tmp_path)
    for number in range(20):
        header = "created: 2024-02-05T10:00:00Z\nsession: one\n" * (number % 5 < 2)
        story.tell(("commit", [("write", number % 5, (header, f"kestrel owl {number}"))]), 60)
    return story


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was opened, read from a table or counted, by its name."""
    done: list[str] = []

    def noted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            done.append(name)
            return real(*arguments)

        return run

    monkeypatch.setattr(opening, "open_state", noted("index", opening.open_state))
    monkeypatch.setattr(VersionTable, "all_spans", noted("table", VersionTable.all_spans))
    monkeypatch.setattr(VersionContent, "show", noted("commit", VersionContent.show))
    return done


def test_a_commit_is_looked_into_once(grown: Story, opened: list[str]) -> None:
    """Files and table are read for the first commit, what another has is told from the same."""
    work, chain = work_of(grown), grown.chain()
    said(work, chain[3])
    opened.clear()
    said(work, chain[3])
    assert opened == []
    said(work, chain[12])
    assert opened == ["commit"]
    said(work, chain[3])
    said(work, chain[12])
    assert opened == ["commit"]


def test_a_new_commit_costs_no_commit_that_was_asked(grown: Story, opened: list[str]) -> None:
    """As long as the index is the same; one that was caught up is opened anew."""
    work, chain = work_of(grown), grown.chain()
    before = said(work, chain[3])
    grown.tell(("commit", [("write", 1, ("", "new owl"))]), 1)
    opened.clear()
    assert said(work, chain[3]) == before
    assert opened == []
    content = kept_content(work)
    catch_up_past(work)
    opened.clear()
    assert said(work, chain[3]) == before
    assert opened == ["table", "index", "commit"]
    assert content.content.leaves == []
    assert said(work, grown.chain()[-1]) == said(fresh(work), grown.chain()[-1])


def test_a_changed_index_is_let_go_by_whoever_asks_for_the_present(store: Store, folder: Path) -> None:
    """What another process forgot is not held until somebody asks for the past again."""
    store.remember("a kestrel nest", id="nest")
    store.remember("a merlin", id="merlin")
    store.at("HEAD~1").recall("kestrel")
    content = kept_content(store._work)
    store.recall("kestrel")
    assert kept_content(store._work) is content
    with Store.open(folder, clock=FixedClock(STORE_NOW)) as other:
        other.forget(["nest"])
    assert not store.recall("kestrel").hits
    assert not store._work.kept.past_indexes._idle
    assert content.content.leaves == []


def test_of_many_commits_the_last_are_kept(
    grown: Story, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that was not asked for long is looked up again."""
    work, chain = work_of(grown), grown.chain()
    monkeypatch.setattr(version_content, "KEPT_COMMITS", 3)
    for commit in chain:
        said(work, commit)
    assert len(kept_content(work)._shown) == 3
    opened.clear()
    for commit in chain[-3:]:
        said(work, commit)
    assert opened == []
    said(work, chain[0])
    assert opened == ["commit"]


def test_what_is_kept_is_given_back(grown: Story) -> None:
    """Closing lets go of files, columns and commits; what is asked later is read again."""
    work, chain = work_of(grown), grown.chain()
    before = said(work, chain[3])
    content = kept_content(work)
    work.kept.close()
    assert content.content.leaves == [] and not content._shown
    assert not work.kept.past_indexes._idle and not work.kept.lifetimes._kept
    assert said(work, chain[3]) == before


def test_threads_ask_for_different_commits(grown: Story) -> None:
    """Each gets the whole answer of its own commit, and what they opened beyond two is closed."""
    work, chain = work_of(grown), grown.chain()
    expected = {commit: said(fresh(work), commit) for commit in chain[::4]}
    wrong: list[object] = []

    def ask(number: int) -> None:
        try:
            own = work_of(grown)
            own = replace(own, kept=work.kept)
            for turn in range(8):
                commit = chain[::4][(number + turn) % len(expected)]
                if said(own, commit) != expected[commit]:
                    wrong.append(commit)
        except BaseException as error:  # noqa: BLE001  shown below
            wrong.append(error)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(work.kept.past_indexes._idle) <= 2


def test_a_view_of_one_commit_is_not_turned_by_another(grown: Story) -> None:
    """Two that are open at once have an index each."""
    work, chain = work_of(grown), grown.chain()
    expected = [said(fresh(work), commit) for commit in (chain[4], chain[15])]
    said(work, chain[4])
    with looking(work, chain[4]) as one, looking(work, chain[15]) as other:
        assert state_of(other) == expected[1][0]  # type: ignore[index]
        assert state_of(one) == expected[0][0]  # type: ignore[index]


def test_other_excludes_are_another_past(grown: Story) -> None:
    """What is no memory any more is in no answer of a handle that asked before."""
    work, commit = work_of(grown), grown.chain()[-1]
    with looking(work, commit) as view:
        assert view.count == 5
    config = replace(work.place.config, exclude=("semantic/n1*",))
    other = replace(work, place=replace(work.place, config=config))
    with looking(other, commit) as view:
        assert view.count == 4
    with looking(work, commit) as view:
        assert view.count == 5


def test_postings_are_let_go_where_there_are_many(grown: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two questions; the next one reads its own again."""
    work, chain = work_of(grown), grown.chain()
    before = said(work, chain[3])
    leaves = kept_content(work).content.leaves
    assert any(leaf.postings.kept for leaf in leaves)
    monkeypatch.setattr(version_content, "MOST_POSTINGS_KEPT", 1)
    assert said(work, chain[3]) == before
    assert not any(leaf.postings.kept for leaf in leaves)
    assert said(work, chain[3]) == before


def test_where_no_table_can_be_read_single_commits_are_indexed(
    grown: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it fails only when the versions of a commit are looked up."""
    work, commit = replace(work_of(grown), commit=grown.chain()[3]), grown.chain()[3]
    expected = said(work, commit)

    def fail(table: VersionTable) -> object:
        raise UnusableTable(f"{table.file} is locked")

    monkeypatch.setattr(VersionTable, "all_spans", fail)
    other = fresh(work)
    with past_view(other, other.place.snapshot(commit)) as view:
        assert view is None
    with index_view(other, other.place.snapshot(commit)) as view:
        assert view is not None
        assert (state_of(view), [scores_of(view, query) for query in QUERIES]) == expected
    assert said(work, commit) == expected


def test_what_could_not_be_read_is_looked_for_again(grown: Story) -> None:
    """A commit with an unreadable memory is not kept: the next question finds what came back."""
    work, commit = work_of(grown), grown.chain()[3]
    folder = grown.repository.git_dir / "objects"
    oid = work.place.snapshot(commit).blob("semantic/n1.md")
    assert oid is not None
    object_file, aside = folder / oid[:2] / oid[2:], folder / "aside"
    object_file.rename(aside)
    with looking(work_of(grown), commit) as view:
        assert len(search(view, "kestrel owl").hits) == 3
    with looking(work, commit) as view:
        assert len(search(view, "kestrel owl").hits) == 3
    assert not work.kept.past_indexes._idle
    said(work, grown.chain()[12])
    aside.rename(object_file)
    for _ in range(2):
        with looking(work, commit) as view:
            assert len(search(view, "kestrel owl").hits) == 4
