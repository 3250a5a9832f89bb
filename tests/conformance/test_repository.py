"""The git layer of gitmem conforms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gitmem.git.commits import make_commit
from gitmem.git.publish import FileChange, RefMoved, publish
from gitmem.git.repository import Repository
from gitmem.git.tree_edit import tree_with
from tests.conformance.repository import WHEN, RepositoryConformance, RepositoryPort


class Pygit2Port:
    moved: type[Exception] = RefMoved

    def __init__(self, folder: Path) -> None:
        self.repository = Repository.create(folder)

    def tree_with(self, base: str | None, changes: Mapping[str, str | None]) -> str:
        return tree_with(self.repository, base, changes)

    def make_commit(self, tree: str, parents: Sequence[str], message: str) -> str:
        return make_commit(self.repository, tree=tree, parents=parents, message=message, when=WHEN)

    def publish(
        self,
        branch: str,
        expected: str | None,
        commit: str,
        changes: Sequence[tuple[str, str | None, str | None]],
    ) -> object:
        files = [FileChange(*change) for change in changes]
        return publish(
            self.repository, branch, expected=expected, commit=commit, changes=files, label="test", now=WHEN
        )


class TestPygit2Repository(RepositoryConformance):
    def make_port(self, folder: Path) -> RepositoryPort:
        return Pygit2Port(folder)
