"""The verbs that write: each is one commit, or one on each of two branches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.store.handle import Handle, no_origin

if TYPE_CHECKING:
    from gitmem.flows.commit import Committed
    from gitmem.flows.confirm import Confirmed
    from gitmem.flows.doctor import Ailment
    from gitmem.flows.remember import Written
    from gitmem.flows.revert import Undone
    from gitmem.flows.takein import Imported
    from gitmem.flows.writing.drafting import Request
    from gitmem.model.change import Origin
    from gitmem.model.memory import Json


class WriteVerbs(Handle):
    """What can be done to a store. Raises `Refused` on a handle of the past."""

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
        anchors: Sequence[str] = (),
        subject: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Writes one memory and commits it; returns its id, path and version.

        Raises `BadInput` naming what cannot be written, `Conflict` where the id or path is in use.
        """
        from gitmem.flows.writing.drafting import Request

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
            anchors=anchors,
            subject=subject,
            origin=origin or no_origin(),
        )
        return self.remember_all([request])[0]

    def remember_all(self, requests: Iterable[Request]) -> list[Written]:
        """Writes all memories in one commit, or none."""
        from gitmem.flows.remember import remember

        wanted = list(requests)
        return remember(self._for_new([request.origin for request in wanted], wanted), wanted)

    def remember_jsonl(
        self, text: str, *, name: str = "batch", origin: Origin | None = None
    ) -> list[Written]:
        """Writes one memory for each JSON line of `text`, in one commit, or none.

        Raises `BadInput` naming `name` and the line that cannot be used.
        """
        from gitmem.flows.writing.batch import requests_from_jsonl

        work = self._writable()
        requests = requests_from_jsonl(
            text, name=name, defaults=origin or no_origin(), progress=work.progress
        )
        return self.remember_all(requests)

    def update(
        self,
        reference: str,
        text: str | None = None,
        *,
        fields: Mapping[str, Json | object] | None = None,
        anchors: Sequence[str] = (),
        expect: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Replaces the text, sets fields (`REMOVED` takes one out) and anchors, as a new version.

        `expect` is the version that was read; raises `StaleVersion` with both texts if it is not the
        newest any more, `Conflict` where the file holds an edit that is not committed.
        """
        from gitmem.flows.edit import update

        return update(
            self._for(reference, origin),
            reference,
            text,
            fields or {},
            anchors=anchors,
            expect=expect,
            origin=origin or no_origin(),
        )

    def confirm(
        self,
        reference: str,
        anchors: Sequence[str] = (),
        *,
        expect: str | None = None,
        origin: Origin | None = None,
    ) -> Confirmed:
        """Says that a memory still holds: its anchors, or those named, count from the code as it is now.

        Raises `Refused` where it has none, where there is no code repository, and for a file that is gone.
        """
        from gitmem.flows.confirm import confirm

        return confirm(
            self._for(reference, origin),
            reference,
            anchors,
            expect=expect,
            origin=origin or no_origin(),
        )

    def append(
        self, reference: str, text: str, *, expect: str | None = None, origin: Origin | None = None
    ) -> Written:
        """Adds `text` at the end of a memory."""
        from gitmem.flows.edit import append

        return append(
            self._for(reference, origin), reference, text, expect=expect, origin=origin or no_origin()
        )

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
            self._for(reference, origin),
            reference,
            add=add,
            remove=remove,
            expect=expect,
            origin=origin or no_origin(),
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
        from gitmem.flows.refile import rename

        return rename(
            self._for(reference, origin),
            reference,
            title=title,
            namespace=namespace,
            path=path,
            expect=expect,
            origin=origin or no_origin(),
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
        from gitmem.flows.refile import link

        return link(
            self._for(reference, origin),
            reference,
            to,
            relation=relation,
            expect=expect,
            origin=origin or no_origin(),
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
            self._for(reference, origin),
            reference,
            paths,
            replace=replace,
            expect=expect,
            origin=origin or no_origin(),
        )

    def commit_edits(self, references: Sequence[str] = (), *, origin: Origin | None = None) -> Committed:
        """Takes hand edits of the worktree in as versions: those of the memories named, or all."""
        from gitmem.flows.commit import commit_edits

        return commit_edits(self._directly("commit"), references, origin=origin or no_origin())

    def revert(
        self, reference: str, to: str, *, expect: str | None = None, origin: Origin | None = None
    ) -> Written:
        """Brings an earlier version (`v3`, commit or date) back as a new one."""
        from gitmem.flows.revert import revert

        return revert(
            self._for(reference, origin), reference, to, expect=expect, origin=origin or no_origin()
        )

    def undo(self, operation_id: str | None = None, *, origin: Origin | None = None) -> Undone:
        """Takes the caller's last operation back, or the one named, as a whole.

        Raises `Conflict` where a later commit touched the same files; then nothing is changed.
        """
        from gitmem.flows.revert import undo

        return undo(self._directly("undo"), operation_id, origin=origin or no_origin())

    def import_folder(
        self, folder: str | Path, *, namespace: str | None = None, origin: Origin | None = None
    ) -> Imported:
        """Takes in the Markdown files of a plain folder; may be repeated without doubles."""
        from gitmem.flows.takein import import_folder

        return import_folder(
            self._for_new([origin or no_origin()]),
            Path(folder),
            namespace=namespace,
            origin=origin or no_origin(),
        )

    def import_jsonl(self, file: str | Path, *, origin: Origin | None = None) -> Imported:
        """Takes in what `export` wrote as JSON lines."""
        from gitmem.flows.takein import import_jsonl

        return import_jsonl(self._for_new([origin or no_origin()]), Path(file), origin=origin or no_origin())

    def doctor(self, *, fix: bool = False) -> Sequence[Ailment]:
        """What an accident left behind in the store; with `fix`, the mending of it.

        A store that cannot be opened is for `Store.diagnose`.
        """
        from gitmem.flows.doctor import doctor
        from gitmem.flows.rights.apart import require_sight

        require_sight(self.place, "doctor")
        return doctor(self._writable(), fix=fix)
