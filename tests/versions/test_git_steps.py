"""Where there is no version table, git says where to look: the history is that of a walk over all commits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from gitmem.git.environment import reading_git
from gitmem.git.folders import FolderReader
from gitmem.git.path_history import commits_touching
from gitmem.model.ids import CommitId
from gitmem.versions.history import history
from tests.conftest import git
from tests.versions.histories import Story, stories

PATH = "semantic/n1.md"


@contextmanager
def asking(*, git: bool) -> Iterator[pytest.MonkeyPatch]:
    """No table is to be had; git is asked from the first commit on, or never."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gitmem.versions.history.table_holding", lambda *_: nullcontext(None))
        patch.setattr("gitmem.versions.history.WALKED_COMMITS", 0)
        patch.setattr("gitmem.versions.history.WALKED_BEFORE", 0)
        if not git:
            patch.setattr("gitmem.versions.history.steps_by_git", lambda _: iter(()))
        yield patch


def told_of(story: Story, path: str, commit: CommitId | None = None) -> list[object]:
    start = commit or story.tip()
    assert start is not None
    return list(history(story.place, start, path))


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(stories)
def test_histories_by_git_are_those_by_walk(
    person: None, tmp_path_factory: pytest.TempPathFactory, told: list[Any]
) -> None:
    """Whatever happened, from every tip and from one commit of the past, on both branches."""
    story = Story.begin(tmp_path_factory.mktemp("story"))
    for event, pause in told:
        story.tell(event, pause)
    for branch in ("main", "archive"):
        chain = story.chain(branch)
        for commit in dict.fromkeys((*chain[-1:], *chain[len(chain) // 2 :][:1])):
            for path in [path for path in story.trees[commit] if path.endswith(".md")]:
                with asking(git=False):
                    walked = told_of(story, path, commit)
                with asking(git=True):
                    assert told_of(story, path, commit) == walked


@pytest.fixture
def long(person: None, tmp_path: Path) -> Story:
    """Sixty commits, of which each third writes the same memory; it was renamed once, and its folder grew."""
    story = Story.begin(tmp_path)
    for number in range(60):
        story.tell(("commit", [("write", number % 3, ("", f"owl {number}"))]), 60)
        if number == 30:
            story.tell(("commit", [("rename", 1, 1, True)]), 60)
    return story


@pytest.mark.parametrize("has_filters", [True, False])
def test_only_commits_that_git_names_are_compared(
    long: Story, monkeypatch: pytest.MonkeyPatch, has_filters: bool
) -> None:
    """With filters of changed paths in a commit graph, and without a graph."""
    if has_filters:
        git(long.repository.git_dir, "commit-graph", "write", "--reachable", "--changed-paths")
    looked: list[object] = []
    real = FolderReader.find_older

    def noted(reader: FolderReader, *arguments: Any) -> Any:
        looked.append(arguments)
        return real(reader, *arguments)

    monkeypatch.setattr(FolderReader, "find_older", noted)
    with asking(git=False):
        walked = told_of(long, PATH)
    assert len(looked) > 20
    looked.clear()
    with asking(git=True):
        assert told_of(long, PATH) == walked
    assert len(looked) <= len(walked) + 1


@pytest.mark.parametrize("fault", ["no git", "cut off", "another chain", "no hashes"])
def test_where_git_says_less_the_walk_goes_on(
    long: Story, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: str
) -> None:
    """A graph may be wrong, and git may die: no version is left out."""
    with asking(git=False):
        walked = told_of(long, PATH)
    chain = long.chain()

    def touching(repository: object, start: str, path: str) -> Iterator[str]:
        del repository, start, path
        yield chain[-4] if fault == "cut off" else chain[2]

    if fault == "no git":
        monkeypatch.setenv("PATH", str(tmp_path))
    elif fault == "no hashes":
        program = tmp_path / "git"
        program.write_text("#!/bin/sh\necho nothing of use\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    else:
        monkeypatch.setattr("gitmem.versions.git_steps.commits_touching", touching)
    with asking(git=True):
        assert told_of(long, PATH) == walked


def test_git_ends_with_the_question(long: Story) -> None:
    """Whoever asks for the newest version alone does not wait for the others."""
    tip = long.tip()
    assert tip is not None
    commits = commits_touching(long.repository, tip, PATH)
    assert next(commits) == long.chain()[-2]
    commits.close()
    with asking(git=True):
        assert len([next(history(long.place, tip, PATH))]) == 1
    assert list(commits_touching(long.repository, "0" * 40, PATH)) == []


def test_filters_of_paths_beyond_ascii_are_not_believed(
    person: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may have been made on a machine that reads them differently."""
    story = Story.begin(tmp_path)
    story.tell(("commit", [("write", 1, ("", "owl"))]), 60)
    tip, asked = story.tip(), []
    assert tip is not None

    def noted(arguments: list[str], *, cwd: Path) -> Any:
        asked.append("commitGraph.readChangedPaths=false" in arguments)
        return reading_git(arguments, cwd=cwd)

    monkeypatch.setattr("gitmem.git.path_history.reading_git", noted)
    assert list(commits_touching(story.repository, tip, PATH)) == [tip]
    assert list(commits_touching(story.repository, tip, "semantic/隼.md")) == []
    assert asked == [False, True]
