"""What every git layer must do. A second implementation is a subclass that gives `make_port`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import pytest

from gitmem.errors import Damaged, NotFound

WHEN = datetime(2026, 11, 29, 15, 30, tzinfo=UTC)
TEXT = b"a memory\n"


class RepositoryPort(Protocol):
    """What gitmem asks of a git layer, whoever provides it.

    `publish` moves a branch by compare-and-set and raises `moved` where the branch is elsewhere.
    `changes` are (path, old blob, new blob); None where a file is absent.
    """

    repository: Any
    moved: type[Exception]

    def tree_with(self, base: str | None, changes: Mapping[str, str | None]) -> str: ...

    def make_commit(self, tree: str, parents: Sequence[str], message: str) -> str: ...

    def publish(
        self,
        branch: str,
        expected: str | None,
        commit: str,
        changes: Sequence[tuple[str, str | None, str | None]],
    ) -> object: ...


class RepositoryConformance:
    """Objects, trees, commits, refs and differences, on a real repository in a temporary folder."""

    def make_port(self, folder: Path) -> RepositoryPort:
        raise NotImplementedError("a subclass gives the implementation")

    @pytest.fixture
    def port(self, person: None, tmp_path: Path) -> RepositoryPort:
        return self.make_port(tmp_path / "repo")

    @pytest.fixture
    def write(self, port: RepositoryPort) -> Callable[..., str]:
        """Commits files on main, given as path to bytes (None removes), and returns the commit."""

        def write(files: Mapping[str, bytes | None], message: str = "change") -> str:
            repository = port.repository
            tip = repository.local_tip("main")
            blobs = {
                path: None if data is None else repository.write_blob(data) for path, data in files.items()
            }
            changes = []
            for path, blob in blobs.items():
                old = repository.entry(tip, path) if tip else None
                changes.append((path, old.oid if old else None, blob))
            tree = port.tree_with(tip, blobs)
            commit = port.make_commit(tree, [tip] if tip else [], message)
            port.publish("main", tip, commit, changes)
            return commit

        return write

    def test_a_blob_reads_back_and_has_its_id_without_being_written(self, port: RepositoryPort) -> None:
        blob = port.repository.write_blob(TEXT)
        assert port.repository.read_blob(blob) == TEXT
        assert port.repository.blob_id_of(TEXT) == blob
        assert port.repository.blob_size(blob) == len(TEXT)

    def test_an_object_that_is_missing_is_damage_not_emptiness(self, port: RepositoryPort) -> None:
        with pytest.raises(Damaged):
            port.repository.read_blob("1" * 40)

    def test_an_unborn_branch_has_no_tip(self, port: RepositoryPort) -> None:
        assert port.repository.is_unborn()
        assert port.repository.tip("main") is None
        assert port.repository.head_branch() == "main"

    def test_a_commit_holds_what_was_written(self, port: RepositoryPort, write: Callable[..., str]) -> None:
        commit = write({"a/b.md": TEXT, "c.md": b"c\n"}, "first")
        info = port.repository.commit(commit)
        assert (info.message, list(info.parents)) == ("first", [])
        assert port.repository.tip("main") == commit
        assert [entry.path for entry in port.repository.walk(commit)] == ["a/b.md", "c.md"]
        assert [entry.path for entry in port.repository.walk(commit, "a")] == ["a/b.md"]
        assert port.repository.read_blob(port.repository.entry(commit, "a/b.md").oid) == TEXT
        assert port.repository.entry(commit, "a/x.md") is None

    def test_names_of_any_bytes_survive(self, port: RepositoryPort, write: Callable[..., str]) -> None:
        names = ["größe.md", "日本語.md", 'say "hi".md', "sp ace.md", "latin-\udcf6.md"]
        commit = write(dict.fromkeys(names, TEXT))
        assert sorted(entry.path for entry in port.repository.walk(commit)) == sorted(names)

    def test_emptied_folders_vanish(self, port: RepositoryPort, write: Callable[..., str]) -> None:
        write({"a/b/c.md": TEXT, "d.md": TEXT})
        commit = write({"a/b/c.md": None})
        assert [entry.path for entry in port.repository.walk(commit)] == ["d.md"]
        assert port.repository.entry(commit, "a") is None

    def test_differences_are_the_files_that_differ(
        self, port: RepositoryPort, write: Callable[..., str]
    ) -> None:
        old = write({"same.md": TEXT, "changed.md": b"1\n", "gone/x.md": b"x\n"})
        new = write({"changed.md": b"2\n", "gone/x.md": None, "new/y.md": b"y\n"})
        changes = port.repository.diff_trees(old, new)
        assert [(each.path, bool(each.old), bool(each.new)) for each in changes] == [
            ("changed.md", True, True),
            ("gone/x.md", True, False),
            ("new/y.md", False, True),
        ]
        assert port.repository.diff_trees(old, new, without_added=True) == changes[:2]
        assert port.repository.diff_trees(new, new) == []
        assert len(port.repository.diff_trees(None, new)) == 3

    def test_a_branch_moves_only_from_where_it_was_seen(
        self, port: RepositoryPort, write: Callable[..., str]
    ) -> None:
        """The loser of a race changes nothing."""
        first = write({"a.md": TEXT})
        second = write({"b.md": TEXT})
        late = port.make_commit(port.tree_with(first, {}), [first], "late")
        with pytest.raises(port.moved):
            port.publish("main", first, late, [])
        with pytest.raises(port.moved):
            port.publish("main", None, late, [])
        assert port.repository.tip("main") == second

    def test_first_parents_go_back_to_the_root(self, port: RepositoryPort, write: Callable[..., str]) -> None:
        commits = [write({f"{n}.md": TEXT}, str(n)) for n in range(4)]
        side = port.make_commit(port.tree_with(commits[0], {}), [commits[0]], "side")
        merged = port.make_commit(port.tree_with(commits[3], {}), [commits[3], side], "merge")
        port.publish("main", commits[3], merged, [])
        chain: Iterator[Any] = port.repository.first_parents(merged)
        assert [info.id for info in chain] == [merged, *reversed(commits)]
        assert port.repository.is_ancestor(side, merged)
        assert not port.repository.is_ancestor(merged, side)

    def test_a_revision_is_found_or_not_found_never_an_option(
        self, port: RepositoryPort, write: Callable[..., str]
    ) -> None:
        commit = write({"a.md": TEXT})
        for revision in ("main", "HEAD", commit, commit[:10]):
            assert port.repository.resolve_commit(revision) == commit
        for revision in ("nosuch", "--all", "", "main~5", "main:a.md"):
            with pytest.raises(NotFound):
                port.repository.resolve_commit(revision)
