"""Changes of another author to small stores: each fault is named by its kind, and what is clean is left alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pygit2
import pytest

from gitmem.clock import FixedClock
from gitmem.flows.check import Finding
from gitmem.store import Store
from tests.conftest import NOW
from tests.review.test_fixtures import rows

CODES = {
    "schema": {"field", "header"},
    "duplicate_id": {"duplicate-id"},
    "changed_hands": {"id-changed"},
    "broken_link": {"broken-link"},
    "near_duplicate": {"near-duplicate"},
    "contradiction": {"contradiction"},
    "deletion": {"deleted"},
    "oversize": {"size"},
}
LEAST_FOUND = {
    "schema": 10,
    "duplicate_id": 12,
    "changed_hands": 8,
    "broken_link": 13,
    "near_duplicate": 7,
    "contradiction": 12,
    "deletion": 10,
    "oversize": 10,
}
SHRUNK = 40
"""Texts over the limit are made so many times shorter, and so is the limit: a megabyte takes seconds."""
MAX_BYTES = 20_000
AUTHOR = pygit2.Signature("Lea", "lea@example.com", 1_750_000_000, 0)


class Changes:
    """One store of which main and the commit that is checked out are set anew for each change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        Store.open(folder, clock=FixedClock(NOW)).close()
        self._repository = pygit2.Repository(str(folder))
        config = folder / ".gitmem" / "config.toml"
        text = f"{config.read_text('utf-8')}\n[check]\nmax_bytes = {MAX_BYTES}\n"
        tree = self._tree(
            self._repository.head.peel(pygit2.Tree), [{"path": ".gitmem/config.toml", "content": text}]
        )
        self._start = self._commit(tree, self._repository.head.peel(pygit2.Commit).id)

    def judged(self, row: dict[str, Any]) -> list[Finding]:
        """What is found in the change of a row, from what was known on main."""
        known = self._commit(self._tree(self._tree_of(self._start), row["known"]), self._start)
        changed = self._commit(self._tree(self._tree_of(known), row["change"]), known)
        self._repository.references.create("refs/heads/main", known, force=True)
        self._repository.set_head(changed)
        with Store.open(self._folder, clock=FixedClock(NOW), is_mended=False) as store:
            return list(store.check("main").findings)

    def _tree_of(self, commit: pygit2.Oid) -> pygit2.Tree:
        return self._repository[commit].peel(pygit2.Tree)

    def _tree(self, tree: pygit2.Tree, files: list[dict[str, Any]]) -> pygit2.Oid:
        index = pygit2.Index()
        index.read_tree(tree)
        for each in files:
            if each.get("delete"):
                index.remove(each["path"])
                continue
            text = each["content"] + each.get("repeat", "") * (each.get("times", 0) // SHRUNK)
            blob = self._repository.create_blob(text.encode())
            index.add(pygit2.IndexEntry(each["path"], blob, pygit2.enums.FileMode.BLOB))
        return index.write_tree(self._repository)

    def _commit(self, tree: pygit2.Oid, parent: pygit2.Oid) -> pygit2.Oid:
        return self._repository.create_commit(None, AUTHOR, AUTHOR, "a change", tree, [parent])


@pytest.fixture
def changes(folder: Path) -> Changes:
    return Changes(folder)


def test_faults_are_named_by_their_kind(changes: Changes, capsys: pytest.CaptureFixture[str]) -> None:
    """What is missed: dates that are none, texts that share a word with the old one, and other words."""
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for row in rows("faults"):
        total[row["kind"]] += 1
        found[row["kind"]] += any(each.code in CODES[row["kind"]] for each in changes.judged(row))
    with capsys.disabled():
        print("\nfaults:", ", ".join(f"{kind} {found[kind]}/{count}" for kind, count in total.items()))
    reached = {kind: found[kind] >= least for kind, least in LEAST_FOUND.items()}
    assert all(reached.values()), found


def test_clean_changes_are_left_alone(changes: Changes) -> None:
    """Nothing that is worse than a note is found in any of them."""
    reported = {}
    for row in rows("clean_changes"):
        findings = [each for each in changes.judged(row) if each.severity != "note"]
        if findings:
            reported[row["note"]] = [f"{each.code}: {each.message}" for each in findings]
    assert reported == {}
