"""The verbs by which a store learns, and what it has learned of mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from gitmem.errors import BadInput
from gitmem.store.handle import Handle, no_origin

if TYPE_CHECKING:
    from gitmem.flows.judging.consult import Consulted
    from gitmem.flows.judging.foresee import Foreseen
    from gitmem.flows.remember import Written
    from gitmem.flows.writing.drafting import Request
    from gitmem.model.change import Origin
    from gitmem.model.memory import Json


class Said(TypedDict, total=False):
    """What can be said of a memory besides its text, as `remember` takes it."""

    title: str | None
    type: str | None
    namespace: str | None
    tags: Sequence[str]
    entities: Sequence[str]
    fields: Mapping[str, Json]
    importance: float | None
    confidence: float | None
    id: str | None
    path: str | None
    created: str | None
    valid_from: str | None
    valid_until: str | None
    supersedes: Sequence[str]
    anchors: Sequence[str]
    subject: str | None
    origin: Origin | None


def _request_fields(said: Said) -> dict[str, Any]:
    return {**said, "fields": said.get("fields") or {}, "origin": said.get("origin") or no_origin()}


class RememberVerbs(Handle):
    """What is known already is judged before it is written. Raises `Refused` on a handle of the past."""

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
        force: bool = False,
        judge: bool | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Writes one memory and commits it; returns its id, path and version.

        What is known already, text and title, is not written again: the memory that says it is confirmed, and
        `outcome` of what is returned says so. With `force` nothing is compared. `judge` says whether a memory
        that the new one contradicts is marked as superseded or disputed, or only told; None leaves that to
        the policy of the store, which marks what agents write.

        Raises `BadInput` naming what cannot be written, `Conflict` where the id or path is in use,
        `NearDuplicate` where a memory says all of it in other words; then nothing is written.
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
        return self._remember([request], force=force, judge=judge)[0]

    def remember_all(self, requests: Iterable[Request], *, force: bool = False) -> list[Written]:
        """Writes all memories in one commit, or none. The same text as a known one counts as confirming it.

        Near-duplicates and contradictions are not looked for; with `force` nothing is compared.
        """
        return self._remember(list(requests), is_bulk=True, force=force)

    def _remember(
        self, requests: list[Request], *, is_bulk: bool = False, force: bool, judge: bool | None = None
    ) -> list[Written]:
        from gitmem.flows.judging.policy import judging_for, refuse_injected
        from gitmem.flows.remember import remember

        if not force:
            refuse_injected(requests)
        if any(request.type == "working" for request in requests):
            return self._noted(requests)
        work = self._for_new([request.origin for request in requests], requests)
        return remember(work, requests, judging_for(work, is_bulk=is_bulk, is_forced=force, marks=judge))

    def foresee(
        self, text: str, *, force: bool = False, judge: bool | None = None, **said: Unpack[Said]
    ) -> Foreseen:
        """What `remember` would do with the same arguments now. Nothing is written; raises what it raises.

        Raises `BadInput` for a working memory.
        """
        from gitmem.flows.writing.drafting import Request

        return self._foresee([Request(text, **_request_fields(said))], force=force, judge=judge)[0]

    def foresee_jsonl(
        self, text: str, *, name: str = "batch", force: bool = False, origin: Origin | None = None
    ) -> list[Foreseen]:
        """What `remember_jsonl` would do with the same arguments now."""
        return self._foresee(self._requests(text, name, origin), force=force, is_bulk=True)

    def _foresee(
        self, requests: list[Request], *, is_bulk: bool = False, force: bool, judge: bool | None = None
    ) -> list[Foreseen]:
        from gitmem.flows.judging.foresee import foresee
        from gitmem.flows.judging.policy import judging_for, refuse_injected

        if any(request.type == "working" for request in requests):
            raise BadInput("type: what becomes of a working memory is not foreseen", field="type")
        work = self._for_new([request.origin for request in requests], requests)
        if not force:
            refuse_injected(requests)
        return foresee(work, requests, judging_for(work, is_bulk=is_bulk, is_forced=force, marks=judge))

    def reflect(
        self,
        situation: str,
        mistake: str,
        better: str,
        *,
        title: str | None = None,
        confidence: float | None = None,
        namespace: str | None = None,
        tags: Sequence[str] = (),
        force: bool = False,
        origin: Origin | None = None,
    ) -> Written:
        """Keeps a lesson as a reflective memory: when it applies, what went wrong, what to do instead.

        `consult` and `context` give it where it applies. Raises what `remember` raises.
        """
        from gitmem.flows.judging.reflect import lesson

        request = lesson(
            situation,
            mistake,
            better,
            title=title,
            confidence=confidence,
            namespace=namespace,
            tags=tags,
            origin=origin or no_origin(),
        )
        return self._remember([request], force=force)[0]

    def remember_jsonl(
        self, text: str, *, name: str = "batch", force: bool = False, origin: Origin | None = None
    ) -> list[Written]:
        """Writes one memory for each JSON line of `text`, in one commit, or none; as `remember_all` does.

        Raises `BadInput` naming `name` and the line that cannot be used.
        """
        return self.remember_all(self._requests(text, name, origin), force=force)

    def _requests(self, text: str, name: str, origin: Origin | None) -> list[Request]:
        from gitmem.flows.writing.batch import requests_from_jsonl

        work = self._writable()
        return requests_from_jsonl(text, name=name, defaults=origin or no_origin(), progress=work.progress)

    def consult(self, task: str, *, namespace: str | None = None, limit: int = 5) -> Consulted:
        """The lessons and procedures that apply to `task`, at most `limit` of each, above the cut-off."""
        from gitmem.flows.judging.consult import consult

        return consult(self._work, task, namespace=namespace, limit=limit)
