"""The verbs that write: each is one commit, or one on each of two branches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    from gitmem.model.change import Origin
    from gitmem.model.memory import Json


class WriteVerbs(Handle):
    """What can be done to a store. Raises `Refused` on a handle of the past."""

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

        self._refuse_learning_again(text)
        return update(
            self._for(reference, origin),
            reference,
            text,
            fields or {},
            anchors=anchors,
            expect=expect,
            origin=origin or no_origin(),
        )

    def _refuse_learning_again(self, text: str | None) -> None:
        """Raises `BadInput` where an agent gives back what it was given; a person may quote it."""
        if text is not None and not self._work.identity.is_person:
            from gitmem.flows.judging.policy import refuse_injected_text

            refuse_injected_text(text)

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

        self._refuse_learning_again(text)
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

    def unlink(
        self,
        reference: str,
        to: str,
        *,
        relation: str | None = None,
        expect: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Takes links to another memory, which may be gone, out of a memory: in one relation, or in any."""
        from gitmem.flows.refile import unlink

        return unlink(
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
        from gitmem.flows.writing.given import refuse_lone_texts

        refuse_lone_texts(files=files)
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
        self,
        folder: str | Path,
        *,
        namespace: str | None = None,
        force: bool = False,
        origin: Origin | None = None,
    ) -> Imported:
        """Takes in the Markdown files of a plain folder; may be repeated without doubles.

        With `force` also those whose text a memory elsewhere in the namespace has.
        """
        from gitmem.flows.takein import import_folder

        return import_folder(
            self._for_new([origin or no_origin()]),
            Path(folder),
            namespace=namespace,
            force=force,
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
