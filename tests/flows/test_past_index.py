"""The index of the past: whatever happened, it answers like a fresh index of the commit alone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from msgspec.structs import replace
from whoosh.index import open_dir

from gitmem.clock import FixedClock
from gitmem.flows.reading.indexed import index_view
from gitmem.flows.reading.past import catch_up_past, forget_past, past_folder, past_view
from gitmem.flows.reading.source import SnapshotSource
from gitmem.flows.work import Work
from gitmem.index.branch_index import BranchIndex
from gitmem.index.opening import open_generation
from gitmem.index.place import IndexPlace, UnusablePlace, newest_generation
from gitmem.index.scope import scope_of
from gitmem.index.stamp import Totals
from gitmem.index.storage import open_writer
from gitmem.index.view import IndexView
from gitmem.model.ids import CommitId
from gitmem.recall.question import Question
from gitmem.recall.relevance import Relevance
from gitmem.recall.search import search
from gitmem.recall.stages import Asked
from gitmem.recall.where import Where
from gitmem.versions.table_files import table_file
from tests.versions.histories import Story, stories

NOW = datetime(2026, 11, 29, tzinfo=UTC)
QUERIES = (
    "kestrel nest",
    "egg owl",
    "alpha-beta merlin",
    "Title two",
    "n3",
    '"kestrel egg" nest',
    "egg in February",
)
FILTERS = (Where(), Where(tags=("red",)), Where(since="2024-02-01"), Where(valid_at="2024-02"))


def state_of(view: IndexView) -> object:
    """Everything a view can say, as one value."""
    answers: list[object] = []
    for query in QUERIES:
        for where in FILTERS:
            answer = search(view, query, where, 4, now=NOW)
            answers.append((answer.total, answer.notes, answer.terms))
            for hit in answer.hits:
                reasons = [(reason.stage, reason.text, round(reason.factor, 9)) for reason in hit.reasons]
                answers.append((hit.record, hit.score, hit.relevance, reasons, hit.labels, hit.superseded_by))
    ids = [[record.path for record in view.by_id(f"n{number}")] for number in range(6)]
    return answers, list(view.records()), view.known_tags(), view.count, ids


def scores_of(view: IndexView, query: str) -> dict[str, float]:
    """What each memory that the words reach gets, before anything is rounded for people."""

    def ask(content: Any) -> dict[str, float]:
        asked = Asked(content, Question.parse(query), scope_of(content, Where()), NOW)
        scores = Relevance(asked).scores
        return {content.record(document).path: score for document, score in scores.items()}

    return view.read(ask)


def work_of(story: Story) -> Work:
    def notice(text: str) -> None:
        raise AssertionError(text)

    return Work(story.place, "main", clock=FixedClock(NOW), notice=notice)


def assert_like_fresh(work: Work, commit: CommitId, folder: Path) -> None:
    """The past at `commit` is what an index of that commit alone says."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    snapshot = work.place.snapshot(commit)
    fresh = BranchIndex(folder / "index" / "main", SnapshotSource(work.place))
    with fresh.view(commit) as expected, past_view(work, snapshot) as view:
        assert view is not None
        assert state_of(view) == state_of(expected)
        for query in QUERIES:
            assert scores_of(view, query) == pytest.approx(scores_of(expected, query), abs=2e-9)


REVERTED = [
    (("commit", [("write", 1, ("", "owl")), ("attach", 1, "merlin")]), 0),
    (("commit", [("attach", 1, "egg")]), 1),
    (("commit", [("write", 1, ("", "kestrel"))]), -5),
    (("commit", [("revert", 1, 1)]), 1),
    (("reset", 2), 1),
    (("amend", [("write", 3, ("tags: [red]\n", "owl"))]), 1),
]


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(REVERTED)
@given(stories)
def test_the_past_answers_like_a_fresh_index_of_the_commit(
    person: None, tmp_path_factory: pytest.TempPathFactory, told: list[Any]
) -> None:
    """Merges, reverts, renames, moves, resets, amends, clocks that ran backwards: each leaves no trace."""
    folder = tmp_path_factory.mktemp("story")
    story = Story.begin(folder)
    for number, (event, pause) in enumerate(told):
        story.tell(event, pause)
        chain = story.chain()
        if chain and number % 3 == 2:
            assert_like_fresh(work_of(story), chain[number % len(chain)], folder / "fresh")
    for commit in story.chain()[-4:]:
        assert_like_fresh(work_of(story), commit, folder / "fresh")


@pytest.fixture
def grown(person: None, tmp_path: Path) -> Story:
    """Forty commits, each of which writes one of five memories."""
    story = Story.begin(tmp_path)
    for number in range(40):
        text = ("tags: [red]\n" * (number % 2), f"kestrel owl {number} " * (number % 3 + 1))
        story.tell(("commit", [("write", number % 5, text)]), 60)
    return story


def hits(work: Work, commit: CommitId, query: str = "kestrel owl") -> list[tuple[str, float]]:
    with past_view(work, work.place.snapshot(commit)) as view:
        assert view is not None
        return [(hit.record.path, hit.score) for hit in search(view, query).hits]


def counted(work: Work) -> int:
    """How many documents the index holds live."""
    folder = current(work)
    content = open_generation(folder, newest_generation(folder), Totals())
    try:
        return content.counted()
    finally:
        content.close()


def current(work: Work) -> Path:
    folder = past_folder(work)
    return folder / (folder / "CURRENT").read_text().strip()


def test_what_is_new_is_added_in_small_segments_that_are_folded(grown: Story, tmp_path: Path) -> None:
    """Their number grows with the logarithm of the number of questions."""
    work = work_of(grown)
    chain = grown.chain()
    for number in range(40):
        story_at = Work(work.place, "main", clock=work.clock)
        grown.repository.raw.references.create("refs/heads/main", chain[number], force=True)
        hits(story_at, chain[number])
    assert len(list(current(work).glob("*.seg"))) <= 16
    for commit in chain[::13]:
        assert_like_fresh(work, commit, tmp_path / "fresh")


def test_what_no_commit_has_any_more_leaves_the_index(grown: Story, tmp_path: Path) -> None:
    """After a reset the next addition takes the lost versions out; going back brings them in again."""
    work = work_of(grown)
    tip = grown.tip()
    assert tip is not None
    hits(work, tip)
    assert counted(work) == 40
    grown.tell(("reset", 5), 1)
    assert_like_fresh(work, grown.chain()[-1], tmp_path / "fresh")
    grown.tell(("commit", [("write", 1, ("", "new owl"))]), 1)
    assert_like_fresh(work, grown.chain()[-1], tmp_path / "fresh")
    assert counted(work) == 36
    grown.repository.raw.references.create("refs/heads/main", tip, force=True)
    assert_like_fresh(work, tip, tmp_path / "fresh")
    assert_like_fresh(work, grown.chain()[20], tmp_path / "fresh")


def test_a_commit_beside_the_chain_has_no_view_here(grown: Story) -> None:
    """Whoever asks takes the index of single commits instead."""
    work = work_of(grown)
    lost = grown.tip()
    assert lost is not None
    grown.tell(("reset", 1), 1)
    with past_view(work, work.place.snapshot(lost)) as view:
        assert view is None
    with index_view(replace(work, commit=lost), work.place.snapshot(lost)) as view:
        assert view is not None and view.count == 5


@pytest.mark.parametrize("damage", ["stamp", "segment", "table of contents", "everything", "current"])
def test_a_damaged_index_of_the_past_comes_back(grown: Story, damage: str) -> None:
    """With a notice where something was there that could not be read; a table is read by writers only."""
    notices: list[str] = []
    work = replace(work_of(grown), notice=notices.append)
    commit = grown.chain()[20]
    expected = hits(work, commit)
    folder = current(work)
    match damage:
        case "stamp":
            next(folder.glob("stamp-*.json")).unlink()
        case "segment":
            next(folder.glob("*.seg")).write_bytes(b"\0" * 99)
        case "table of contents":
            next(folder.glob("*.toc")).write_bytes(b"nonsense")
        case "everything":
            shutil.rmtree(past_folder(work))
        case "current":
            (past_folder(work) / "CURRENT").write_text("77\n")
    assert hits(work, commit) == expected
    assert hits(work, grown.chain()[3])
    assert len(notices) <= 1
    assert bool(notices) == (damage in ("segment", "current"))


def test_a_held_writer_delays_nobody(grown: Story, tmp_path: Path) -> None:
    """While another process writes, what is missing is read into memory, exactly and soon."""
    work = work_of(grown)
    hits(work, grown.chain()[10])
    grown.tell(("commit", [("write", 1, ("", "new owl")), ("attach", 2, "merlin")]), 1)
    writer = open_writer(open_dir(current(work)))
    assert_like_fresh(work, grown.chain()[-1], tmp_path / "fresh")
    writer.cancel()
    assert counted(work) == 40
    assert_like_fresh(work, grown.chain()[-1], tmp_path / "fresh")
    assert counted(work) == 42


def test_a_folder_that_cannot_be_written_is_done_without(grown: Story) -> None:
    """The answer is the same, and says how it was made."""
    expected = hits(work_of(grown), grown.chain()[20])
    notices: list[str] = []
    work = replace(work_of(grown), notice=notices.append)
    shutil.rmtree(work.place.home / "index")
    (work.place.home / "index").write_text("in the way")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gitmem.index.place.IndexPlace.prepare", _refuse)
        assert hits(work, grown.chain()[20]) == expected
    assert len(notices) == 1 and "cannot be kept on disk" in notices[0]


def _refuse(place: IndexPlace) -> None:
    raise UnusablePlace("read-only file system")


_ASK = """
import sys
from pathlib import Path
from gitmem.flows.reading.past import catch_up_past, forget_past, past_folder, past_view
from gitmem.flows.work import Work
from gitmem.git.repository import Repository
from gitmem.index import version_writing
from gitmem.recall.search import search
from gitmem.versions.config import StoreConfig
from gitmem.versions.place import Place
version_writing.SEGMENT_WORDS = 60
notices = []
work = Work(Place(Repository(Path(sys.argv[1])), StoreConfig()), "main", notice=notices.append)
for commit in sys.argv[2:]:
    with past_view(work, work.place.snapshot(commit)) as view:
        for hit in search(view, "kestrel owl").hits:
            print(hit.record.path, hit.score)
assert not notices, notices
"""


@pytest.mark.parametrize(
    "fault",
    ["versions.stamped:2", "versions.committed:1", "index.before-swap"],
)
def test_whoever_is_killed_leaves_an_index_that_holds(grown: Story, fault: str) -> None:
    """The next question is answered in full, and nothing is said to be damaged."""
    commit = grown.chain()[30]
    command = [sys.executable, "-c", _ASK, str(grown.repository.git_dir), commit]
    killed = subprocess.run(
        command, check=False, capture_output=True, env={**os.environ, "GITMEM_FAULT": fault}
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    asked = subprocess.run(command, check=True, capture_output=True, text=True)
    expected = hits(work_of(grown), commit)
    assert asked.stdout.splitlines() == [f"{path} {score}" for path, score in expected]
    shutil.rmtree(past_folder(work_of(grown)))
    assert hits(work_of(grown), commit) == expected


def test_several_processes_ask_for_the_past_at_once(grown: Story) -> None:
    """Each is answered as if it were alone."""
    chain = grown.chain()
    asked = [[chain[number], chain[-1 - number]] for number in (3, 9, 17, 30)]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _ASK, str(grown.repository.git_dir), *commits],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for commits in asked
    ]
    answers = [process.communicate() for process in processes]
    work = work_of(grown)
    for commits, (out, err) in zip(asked, answers, strict=True):
        assert err == ""
        expected = [f"{path} {score}" for commit in commits for path, score in hits(work, commit)]
        assert out.splitlines() == expected


def test_the_hooks_keep_up_a_past_that_was_asked_for(grown: Story) -> None:
    """And begin none: the table of versions is kept, the index only where it was wanted once."""
    work = work_of(grown)
    catch_up_past(work)
    assert not past_folder(work).exists()
    hits(work, grown.chain()[3])
    grown.tell(("commit", [("write", 1, ("", "new owl"))]), 1)
    catch_up_past(work)
    assert counted(work) == 41
    forget_past(work)
    assert not past_folder(work).exists()
    assert not table_file(work.place, "main").exists()
    assert len(hits(work, grown.chain()[3])) == 4
