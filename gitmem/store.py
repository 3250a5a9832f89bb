"""Store: the library's face. A handle on a branch, or on the past; one line per verb."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.clock import Clock, SystemClock
from gitmem.errors import Refused
from gitmem.flows.drafting import Request
from gitmem.flows.work import Notice, Progress, Work, log_notice, no_progress
from gitmem.git.recover import recover
from gitmem.model.change import Origin
from gitmem.model.ids import CommitId
from gitmem.model.memory import Json
from gitmem.versions.place import Place, find_place, get_branch

if TYPE_CHECKING:
    from gitmem.flows.check import Checked
    from gitmem.flows.commit import Committed
    from gitmem.flows.compare import Blamed, Compared
    from gitmem.flows.doctor import Ailment
    from gitmem.flows.export import Exported
    from gitmem.flows.found import Founded
    from gitmem.flows.log import Log
    from gitmem.flows.move import Moved
    from gitmem.flows.recall import Listing, Recollection
    from gitmem.flows.remember import Written
    from gitmem.flows.revert import Undone
    from gitmem.flows.show import Shown
    from gitmem.flows.status import StoreStatus
    from gitmem.flows.takein import Imported
    from gitmem.flows.upkeep import Indexed
    from gitmem.recall.where import Where


class Store:
    """Memories on one branch of a git repository, or as they were at one commit (read-only).

    `Store.open` finds the store that a folder lies in, `Store.init` makes one. `on` and `at` give
    the same type for another branch and for the past. A handle keeps no state of its own: each
    call sees the repository as it is then, and several processes may hold one each.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    @classmethod
    def open(
        cls,
        folder: str | Path = ".",
        *,
        clock: Clock | None = None,
        notice: Notice = log_notice,
        progress: Progress = no_progress,
    ) -> Store:
        """The store that `folder` lies in, on its main branch. Raises `NotAStore`, `NewerFormat`.

        Finishes what an interrupted write left behind, and says so to `notice`.
        """
        place = find_place(Path(folder))
        work = Work(place, place.main, None, clock or SystemClock(), notice, progress)
        for sentence in recover(place.repository):
            notice(sentence)
        if (place.home / "moves").is_dir():
            from gitmem.flows.move import finish_moves

            for sentence in finish_moves(work):
                notice(sentence)
        return cls(work)

    @classmethod
    def init(
        cls,
        folder: str | Path = ".",
        *,
        bare: bool = False,
        clock: Clock | None = None,
        notice: Notice = log_notice,
    ) -> Store:
        """Makes `folder` a store, new or adopted, and opens it; may be repeated."""
        cls.found(folder, bare=bare, clock=clock)
        return cls.open(folder, clock=clock, notice=notice)

    @staticmethod
    def found(folder: str | Path = ".", *, bare: bool = False, clock: Clock | None = None) -> Founded:
        """Like `init`, but says what was done instead of opening the store."""
        from gitmem.flows.found import init

        return init(Path(folder), clock=clock or SystemClock(), bare=bare)

    def uninit(self) -> Founded:
        """Takes back what `init` did; the memories stay as plain files."""
        from gitmem.flows.found import uninit

        return uninit(self._work.place, clock=self._work.clock)

    @property
    def place(self) -> Place:
        """The repository and config behind this handle."""
        return self._work.place

    @property
    def branch(self) -> str:
        """The branch this handle reads and writes."""
        return self._work.branch

    @property
    def commit(self) -> CommitId | None:
        """The commit this handle reads now; None while the branch is unborn."""
        return self._work.snapshot().commit

    def on(self, branch: str) -> Store:
        """The same store on another branch. Raises `NotFound`."""
        return Store(self._work.on(get_branch(self._work.place, branch)))

    def at(self, revision: str) -> Store:
        """The store as it was at a commit, tag or other git revision, read-only. Raises `NotFound`."""
        return Store(replace(self._work, commit=self._work.place.commit_named(revision)))

    def remember(
        self,
        text: str,
        *,
        title: str | None = None,
        type: str | None = None,
        namespace: str | None = None,
        tags: Sequence[str] = (),
        entities: Sequence[str] = (),
        fields: Mapping[str, Json] | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        id: str | None = None,
        path: str | None = None,
        created: str | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        supersedes: Sequence[str] = (),
        subject: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Writes one memory and commits it; returns its id, path and version.

        Raises `BadInput` naming what cannot be written, `Conflict` where the id or path is in use.
        """
        request = Request(
            text=text,
            title=title,
            type=type,
            namespace=namespace,
            tags=tags,
            entities=entities,
            fields=fields or {},
            importance=importance,
            confidence=confidence,
            id=id,
            path=path,
            created=created,
            valid_from=valid_from,
            valid_until=valid_until,
            supersedes=supersedes,
            subject=subject,
            origin=origin or Origin(),
        )
        return self.remember_all([request])[0]

    def remember_all(self, requests: Iterable[Request]) -> list[Written]:
        """Writes all memories in one commit, or none."""
        from gitmem.flows.remember import remember

        return remember(self._writable(), list(requests))

    def show(self, reference: str) -> Shown:
        """The memory with this id, beginning of an id, or path. Raises `NotFound`, `Ambiguous`."""
        from gitmem.flows.show import show

        return show(self._work, reference)

    def list(self, where: Where | None = None, *, limit: int | None = None) -> Listing:
        """The memories that pass `where`, newest first."""
        from gitmem.flows.recall import list_memories
        from gitmem.recall.where import Where

        return list_memories(self._work, where or Where(), limit=limit)

    def recall(
        self, query: str, where: Where | None = None, *, limit: int = 10, archived: bool = False
    ) -> Recollection:
        """The memories that answer `query`, best first, each with its reasons. Any text is a query.

        With `archived`, those on the archive branch too, labelled.
        """
        from gitmem.flows.recall import recall
        from gitmem.recall.where import Where

        return recall(self._work, query, where or Where(), limit=limit, archived=archived)

    def log(self, reference: str | None = None, *, limit: int | None = None) -> Log:
        """The commits of the branch, or the versions of one memory across renames, newest first."""
        from gitmem.flows.log import log, log_of

        return (
            log(self._work, limit=limit) if reference is None else log_of(self._work, reference, limit=limit)
        )

    def update(
        self,
        reference: str,
        text: str | None = None,
        *,
        fields: Mapping[str, Json | object] | None = None,
        expect: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Replaces the text, sets fields (`REMOVED` takes one out), or both, as a new version.

        `expect` is the version that was read; raises `StaleVersion` with both texts if it is not the
        newest any more, `Conflict` where the file holds an edit that is not committed.
        """
        from gitmem.flows.edit import update

        return update(
            self._writable(), reference, text, fields or {}, expect=expect, origin=origin or Origin()
        )

    def append(
        self, reference: str, text: str, *, expect: str | None = None, origin: Origin | None = None
    ) -> Written:
        """Adds `text` at the end of a memory."""
        from gitmem.flows.edit import append

        return append(self._writable(), reference, text, expect=expect, origin=origin or Origin())

    def tag(
        self,
        reference: str,
        *,
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
        expect: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Adds and removes tags."""
        from gitmem.flows.edit import tag

        return tag(
            self._writable(), reference, add=add, remove=remove, expect=expect, origin=origin or Origin()
        )

    def rename(
        self,
        reference: str,
        title: str | None = None,
        *,
        namespace: str | None = None,
        path: str | None = None,
        expect: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Gives a memory another title, namespace or path; its id, attachments and history stay."""
        from gitmem.flows.edit import rename

        return rename(
            self._writable(),
            reference,
            title=title,
            namespace=namespace,
            path=path,
            expect=expect,
            origin=origin or Origin(),
        )

    def link(
        self,
        reference: str,
        to: str,
        *,
        relation: str = "related",
        expect: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Records that one memory stands in a relation to another."""
        from gitmem.flows.edit import link

        return link(
            self._writable(), reference, to, relation=relation, expect=expect, origin=origin or Origin()
        )

    def attach(
        self,
        reference: str,
        files: Sequence[str | Path],
        *,
        replace: bool = False,
        expect: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Copies files beside a memory; they go where it goes."""
        from gitmem.flows.attach import attach

        paths = [Path(file) for file in files]
        return attach(
            self._writable(), reference, paths, replace=replace, expect=expect, origin=origin or Origin()
        )

    def commit_edits(self, references: Sequence[str] = (), *, origin: Origin | None = None) -> Committed:
        """Takes hand edits of the worktree in as versions: those of the memories named, or all."""
        from gitmem.flows.commit import commit_edits

        return commit_edits(self._writable(), references, origin=origin or Origin())

    def diff(self, reference: str, old: str | None = None, new: str | None = None) -> Compared:
        """How two versions of a memory differ; the newest and the one before it if none is named."""
        from gitmem.flows.compare import compare

        return compare(self._work, reference, old, new)

    def blame(self, reference: str) -> Blamed:
        """Every line of a memory with the version that brought it in."""
        from gitmem.flows.compare import blame

        return blame(self._work, reference)

    def revert(
        self, reference: str, to: str, *, expect: str | None = None, origin: Origin | None = None
    ) -> Written:
        """Brings an earlier version (`v3`, commit or date) back as a new one."""
        from gitmem.flows.revert import revert

        return revert(self._writable(), reference, to, expect=expect, origin=origin or Origin())

    def undo(self, operation_id: str | None = None, *, origin: Origin | None = None) -> Undone:
        """Takes the caller's last operation back, or the one named, as a whole.

        Raises `Conflict` where a later commit touched the same files; then nothing is changed.
        """
        from gitmem.flows.revert import undo

        return undo(self._writable(), operation_id, origin=origin or Origin())

    def archive(self, references: Sequence[str], *, origin: Origin | None = None) -> Moved:
        """Takes memories off the branch and puts them on archive, with attachments and history."""
        from gitmem.flows.move import archive

        return archive(self._writable(), references, origin=origin or Origin())

    def restore(self, references: Sequence[str], *, origin: Origin | None = None) -> Moved:
        """Brings archived memories back."""
        from gitmem.flows.move import restore

        return restore(self._writable(), references, origin=origin or Origin())

    def import_folder(
        self, folder: str | Path, *, namespace: str | None = None, origin: Origin | None = None
    ) -> Imported:
        """Takes in the Markdown files of a plain folder; may be repeated without doubles."""
        from gitmem.flows.takein import import_folder

        return import_folder(self._writable(), Path(folder), namespace=namespace, origin=origin or Origin())

    def import_jsonl(self, file: str | Path, *, origin: Origin | None = None) -> Imported:
        """Takes in what `export` wrote as JSON lines."""
        from gitmem.flows.takein import import_jsonl

        return import_jsonl(self._writable(), Path(file), origin=origin or Origin())

    def export(self, target: str | Path) -> Exported:
        """Writes all memories as files below a folder, or as JSON lines where `target` ends in .jsonl."""
        from gitmem.flows.export import export_folder, export_jsonl

        path = Path(target)
        return (export_jsonl if path.suffix == ".jsonl" else export_folder)(self._work, path)

    def doctor(self, *, fix: bool = False) -> Sequence[Ailment]:
        """What an accident left behind in the store; with `fix`, the mending of it."""
        from gitmem.flows.doctor import doctor

        return doctor(self._writable(), fix=fix)

    def check(self) -> Checked:
        """What is wrong with the memories of the branch; changes nothing."""
        from gitmem.flows.check import check

        return check(self._work)

    def status(self) -> StoreStatus:
        """Where the store is and how it stands; changes nothing."""
        from gitmem.flows.status import status

        return status(self._work)

    def reindex(self) -> Indexed:
        """Builds the search index anew beside the old one and swaps it in."""
        from gitmem.flows.upkeep import reindex

        return reindex(self._work)

    def refresh(self) -> Indexed:
        """Brings the search index to the head of the branch, as the hooks do."""
        from gitmem.flows.upkeep import refresh

        return refresh(self._work)

    def _writable(self) -> Work:
        if self._work.is_past:
            raise Refused(
                "the past is read-only", hint="write to a branch: Store.open(...) or Store.on(branch)"
            )
        return self._work
