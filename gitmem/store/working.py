"""The verbs of working memory: notes of a session, and its beginning and end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gitmem.store.handle import Handle, no_origin

if TYPE_CHECKING:
    from gitmem.flows.remember import Written
    from gitmem.flows.working.ending import Ended
    from gitmem.flows.working.session import SessionList, Started
    from gitmem.model.change import Origin


class WorkingVerbs(Handle):
    """What is kept while a session goes on, on the working branch; main does not grow by it."""

    def note(
        self,
        text: str,
        *,
        title: str | None = None,
        namespace: str | None = None,
        tags: Sequence[str] = (),
        importance: float | None = None,
        subject: str | None = None,
        session: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Writes one working memory of a session: the one named, else that of `origin`, else `unnamed`.

        The same as `remember` with the type `working`. Raises `BadInput` naming what cannot be written,
        `Conflict` where the session has ended, `Refused` for who is not trusted.
        """
        from gitmem.flows.judging.policy import refuse_injected
        from gitmem.flows.writing.drafting import Request

        given = origin or no_origin()
        request = Request(
            text,
            title=title,
            type="working",
            namespace=namespace,
            tags=tags,
            importance=importance,
            subject=subject,
            origin=given if session is None else replace(given, session=session),
        )
        refuse_injected([request], hint="")
        return self._noted([request])[0]

    def start_session(self, name: str | None = None, *, origin: Origin | None = None) -> Started:
        """Begins a session, under a new name where none is given, or goes on with one that is known."""
        from gitmem.flows.working.session import start_session

        return start_session(self._writable(), name, origin=origin or no_origin())

    def end_session(
        self,
        name: str,
        *,
        then: str | None = None,
        promote: Sequence[str] = (),
        becomes: str | None = None,
        origin: Origin | None = None,
    ) -> Ended:
        """Ends a session: each note is kept, promoted, archived or summed up, in one commit on each branch.

        `then` is one of `keep`, `promote`, `archive` and `summary`, for all notes; the rules of the config
        decide where it is None. `promote` are ids of notes that go to main all the same, as the type
        `becomes`. May be repeated. Raises `BadInput`, `NotFound`, `Refused`, `Conflict`, `Busy`; then nothing
        is changed.
        """
        from gitmem.flows.working.ending import end_session, parse_wishes

        wishes = parse_wishes(then, promote, becomes)
        return end_session(self._writable(), name, wishes, origin=origin or no_origin())

    def sessions(self) -> SessionList:
        """The sessions that have notes or a record: those that go on first, then the latest first."""
        from gitmem.flows.working.session import list_sessions

        return list_sessions(self._work)
