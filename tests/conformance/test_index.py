"""The Whoosh index of gitmem conforms."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from gitmem.index.branch_index import BranchIndex
from gitmem.index.view import IndexView
from gitmem.model.ids import CommitId
from gitmem.recall.search import search
from gitmem.recall.where import Where
from tests.conformance.index import IndexConformance, IndexPort
from tests.index.memory_source import MemorySource


class WhooshPort:
    def __init__(self, folder: Path, source: MemorySource) -> None:
        self._folder = folder
        self._index = BranchIndex(folder / "main", source)

    def view(self, commit: CommitId) -> IndexView:
        return self._index.view(commit)

    def search(self, view: IndexView, query: str, where: Where | None = None, limit: int = 10) -> Any:
        return search(view, query, where, limit)

    def forget(self) -> None:
        shutil.rmtree(self._folder)


class TestWhooshIndex(IndexConformance):
    def make_index(self, folder: Path, source: MemorySource) -> IndexPort:
        return WhooshPort(folder, source)
