"""The handle that all verbs share: a place, and a branch or a moment of it."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from gitmem.errors import Refused
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.versions.place import Place

if TYPE_CHECKING:
    from gitmem.flows.writing.drafting import Request
    from gitmem.model.change import Origin


class Handle:
    """Memories on one branch of a repository, or as they were at one commit."""

    def __init__(self, work: Work) -> None:
        self._work = work

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

    def close(self) -> None:
        """Gives back the files of the index that the handle keeps open between questions.

        May be repeated. Handles made with `on` and `at` share them. Whatever is asked later opens them
        again.
        """
        self._work.kept.close()

    def start_helper(self) -> None:
        """Starts the helper of the store where git config `gitmem.serve` wants one and none runs."""
        from gitmem.flows.running.helping import start_helper

        start_helper(self.place)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _writable(self) -> Work:
        if self._work.is_past:
            raise Refused(
                "the past is read-only", hint="write to a branch: Store.open(...) or Store.on(branch)"
            )
        return self._work

    def _for_new(self, origins: Sequence[Origin], requests: Sequence[Request] = ()) -> Work:
        """Where new memories go: here, or where the policy lets them wait."""
        work = self._writable()
        if not work.place.config.policy.routes:
            return work
        from gitmem.flows.writing.routing import for_new

        return for_new(work, origins, requests)

    def _for(self, reference: str | Sequence[str], origin: Origin | None) -> Work:
        """Where a change of a memory goes, or of several."""
        work = self._writable()
        if not work.place.config.policy.routes:
            return work
        from gitmem.flows.writing.routing import for_change

        references = [reference] if isinstance(reference, str) else reference
        return for_change(work, references, origin or no_origin())

    def _directly(self, verb: str) -> Work:
        """Where `verb` works, which cannot be proposed. Raises `Refused` for who can only propose."""
        work = self._writable()
        if work.place.config.policy.routes:
            from gitmem.flows.writing.routing import refuse_proposing

            refuse_proposing(work, verb)
        return work


def no_origin() -> Origin:
    """Where a change comes from that says nothing of it."""
    from gitmem.model.change import Origin

    return Origin()
