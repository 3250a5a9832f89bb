"""Histories as people and programs make them, drawn by Hypothesis and written straight into a repository.

Commits, merges of two kinds, reverts, renames with and without edits, moves between branches, resets, amends,
attachments, files that become folders; each commit at its own time, also earlier than the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from gitmem.git.commits import make_commit, tree_with
from gitmem.git.repository import Repository
from gitmem.model.ids import CommitId
from gitmem.versions.config import StoreConfig
from gitmem.versions.place import Place

BODIES = (
    "kestrel nest",
    "kestrel egg nest nest",
    "egg and alpha-beta\nsecond line\nthird line",
    "egg and alpha-beta\nsecond line\nother line",
    "owl",
    "# Title two\n\nkestrel",
    "owl egg " * 12,
)
HEADERS = (
    "",
    "tags: [red]\n",
    "tags: [red, blue]\ncreated: 2024-01-05\n",
    "created: 2024-02-05T10:00:00Z\nsession: one\n",
    "created: 2024-02-06\nsession: one\nimportance: 0.9\n",
    "supersedes: [n1]\nconfidence: 0.2\n",
    "related: [{to: n2, relation: see}]\nagent: kestrel\n",
    "status: disputed\nvalid_until: 2024-03-01\n",
)

numbers = st.integers(0, 5)
texts = st.tuples(st.sampled_from(HEADERS), st.sampled_from(BODIES))
changes = st.one_of(
    st.tuples(st.just("write"), numbers, texts),
    st.tuples(st.just("write"), numbers, texts),
    st.tuples(st.just("delete"), numbers),
    st.tuples(st.just("rename"), numbers, numbers, st.booleans()),
    st.tuples(st.just("folder"), numbers),
    st.tuples(st.just("attach"), numbers, st.sampled_from(["merlin", "kestrel merlin", "egg"])),
    st.tuples(st.just("readme"), st.sampled_from(BODIES)),
    st.tuples(st.just("revert"), numbers, numbers),
)
events = st.one_of(
    st.tuples(st.just("commit"), st.lists(changes, min_size=1, max_size=3)),
    st.tuples(st.just("commit"), st.lists(changes, min_size=1, max_size=3)),
    st.tuples(st.just("amend"), st.lists(changes, min_size=1, max_size=2)),
    st.tuples(st.just("reset"), numbers),
    st.tuples(st.just("merge"), numbers, st.lists(changes, min_size=1, max_size=3), st.booleans()),
    st.tuples(st.just("archive"), numbers),
    st.tuples(st.just("restore"), numbers),
)
pauses = st.sampled_from([0, 1, 60, 86_400, 86_400 * 30, -5, -86_400 * 3, -86_400 * 400])
stories = st.lists(st.tuples(events, pauses), min_size=1, max_size=12)

Files = dict[str, bytes]


@dataclass
class Story:
    """A repository in which a drawn story is told, event by event."""

    repository: Repository
    time: datetime = datetime(2024, 1, 1, tzinfo=UTC)
    count: int = 0
    trees: dict[str, Files] = field(default_factory=dict)
    """The files of every commit."""

    @classmethod
    def begin(cls, folder: Path) -> Story:
        """An empty store in a bare repository below `folder`."""
        return cls(Repository.create(folder / "story.git", bare=True))

    @property
    def place(self) -> Place:
        return Place(Repository(self.repository.git_dir), StoreConfig())

    def tip(self, branch: str = "main") -> CommitId | None:
        tip = self.repository.local_tip(branch)
        return CommitId(tip) if tip else None

    def files(self, branch: str = "main") -> Files:
        tip = self.tip(branch)
        return dict(self.trees[tip]) if tip else {}

    def chain(self, branch: str = "main") -> list[CommitId]:
        """The first-parent chain, oldest first."""
        tip = self.tip(branch)
        return [CommitId(each.id) for each in self.repository.first_parents(tip)][::-1] if tip else []

    def tell(self, event: tuple[Any, ...], pause: int) -> None:
        """Lets one event happen, `pause` seconds after the one before."""
        self.time = max(self.time + timedelta(seconds=pause), datetime(1990, 1, 1, tzinfo=UTC))
        kind, *rest = event
        getattr(self, f"_{kind}")(*rest)

    def _commit(self, changes: list[tuple[Any, ...]]) -> None:
        self._write(self._changed(self.files(), changes), self._parents())

    def _amend(self, changes: list[tuple[Any, ...]]) -> None:
        tip = self.tip()
        if tip is not None:
            self._write(self._changed(self.files(), changes), list(self.repository.commit(tip).parents))

    def _reset(self, back: int) -> None:
        chain = self.chain()
        if chain:
            self._point("main", chain[max(0, len(chain) - 1 - back)])

    def _merge(self, back: int, changes: list[tuple[Any, ...]], is_turned: bool) -> None:
        """A side branch from some commits back is merged; turned round, the side becomes the first parent."""
        chain = self.chain()
        if not chain:
            return
        base = chain[max(0, len(chain) - 1 - back)]
        side_files = self._changed(dict(self.trees[base]), changes)
        side = self._write(side_files, [base], branch=None)
        both = {**self.files(), **side_files}
        parents = [side, chain[-1]] if is_turned else [chain[-1], side]
        self._write(_without_clashes(both), parents)

    def _archive(self, number: int) -> None:
        self._move(number, "main", "archive")

    def _restore(self, number: int) -> None:
        self._move(number, "archive", "main")

    def _move(self, number: int, source: str, target: str) -> None:
        here, there, tip = self.files(source), self.files(target), self.tip(source)
        paths = [path for path in here if path.endswith(".md") and path != "README.md"]
        if not paths or tip is None:
            return
        path = paths[number % len(paths)]
        moved = _without_clashes({**there, path: here.pop(path)})
        self._write(moved, self._parents(target), branch=target, message=f"move\n\nMoved-From: {tip}\n")
        self._write(here, [tip], branch=source, message="moved away")

    def _parents(self, branch: str = "main") -> list[str]:
        tip = self.tip(branch)
        return [tip] if tip else []

    def _write(
        self, files: Files, parents: Sequence[str], *, branch: str | None = "main", message: str = ""
    ) -> CommitId:
        self.count += 1
        blobs: dict[str, str | None] = {
            path: self.repository.write_blob(data) for path, data in files.items()
        }
        commit = CommitId(
            make_commit(
                self.repository,
                tree=tree_with(self.repository, None, blobs),
                parents=parents,
                message=message or f"number {self.count}",
                when=self.time,
            )
        )
        self.trees[commit] = files
        if branch is not None:
            self._point(branch, commit)
        return commit

    def _point(self, branch: str, commit: str) -> None:
        self.repository.raw.references.create(f"refs/heads/{branch}", commit, force=True)

    def _changed(self, files: Files, changes: list[tuple[Any, ...]]) -> Files:
        for kind, *rest in changes:
            files = getattr(self, f"_do_{kind}")(files, *rest)
        return _without_clashes(files)

    def _do_write(self, files: Files, number: int, text: tuple[str, str]) -> Files:
        others = {path: data for path, data in files.items() if not path.startswith(f"{_path(number)}/")}
        return {**others, _path(number): _text(number, *text)}

    def _do_delete(self, files: Files, number: int) -> Files:
        return {path: data for path, data in files.items() if path != _path(number)}

    def _do_rename(self, files: Files, old: int, new: int, is_edited: bool) -> Files:
        data = files.pop(_path(old), None)
        if data is None:
            return files
        return {**files, f"other/x{new}.md": data + b"one more line\n" * is_edited}

    def _do_folder(self, files: Files, number: int) -> Files:
        data = files.pop(_path(number), None)
        return files if data is None else {**files, f"{_path(number)}/inside.md": data}

    def _do_attach(self, files: Files, number: int, text: str) -> Files:
        return {**files, f"semantic/n{number}.files/deep/text.txt": text.encode()}

    def _do_readme(self, files: Files, text: str) -> Files:
        return {**files, "README.md": text.encode()}

    def _do_revert(self, files: Files, number: int, back: int) -> Files:
        chain = self.chain()
        if not chain:
            return files
        older = self.trees[chain[max(0, len(chain) - 1 - back)]].get(_path(number))
        return files if older is None else {**files, _path(number): older}


def _path(number: int) -> str:
    return f"semantic/n{number}.md"


def _text(number: int, header: str, body: str) -> bytes:
    own_id = f"id: n{number}\n" if number % 2 else ""
    head = f"---\n{own_id}{header}---\n" if own_id or header else ""
    return f"{head}{body}\n".encode()


def _without_clashes(files: Files) -> Files:
    """`files` without those that stand where a folder has to be."""
    folders = {path.rpartition("/")[0] for path in files}
    return {path: data for path, data in files.items() if path not in folders}
