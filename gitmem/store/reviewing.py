"""The verbs of proposals: changes that wait for a person, and what the person decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.model.proposal import proposal_branch
from gitmem.store.handle import Handle, no_origin

if TYPE_CHECKING:
    from gitmem.flows.accept import Accepted
    from gitmem.flows.propose import Content, Proposed
    from gitmem.flows.reject import Rejected
    from gitmem.flows.review import Review
    from gitmem.model.change import Origin
    from gitmem.model.proposal import Proposal
    from gitmem.model.proposal_change import ProposalChanges


class ReviewVerbs(Handle):
    """What proposals can be done. Raises `Refused` on a handle of the past."""

    def propose(
        self,
        references: Sequence[str] = (),
        *,
        batch: str | None = None,
        batch_name: str = "batch",
        source: str | None = None,
        title: str | None = None,
        body: str = "",
        origin: Origin | None = None,
    ) -> Proposed:
        """Begins a proposal: the hand edits of the memories named, the lines of `batch`, or another branch.

        Main stays as it is. Raises `BadInput` unless exactly one of the three is given.
        """
        from gitmem.flows.propose import propose

        content = self._content(references, batch, batch_name, source, origin)
        return propose(self._writable(), content, title=title, body=body, origin=origin or no_origin())

    def propose_archive(
        self,
        references: Sequence[str],
        *,
        title: str | None = None,
        body: str = "",
        origin: Origin | None = None,
    ) -> Proposed:
        """Begins a proposal to archive memories: they stay where they are until a person accepts it."""
        from gitmem.flows.propose import Content, propose

        content = Content(archived=references)
        return propose(self._writable(), content, title=title, body=body, origin=origin or no_origin())

    def amend(
        self,
        name: str,
        references: Sequence[str] = (),
        *,
        batch: str | None = None,
        batch_name: str = "batch",
        source: str | None = None,
        origin: Origin | None = None,
    ) -> Proposed:
        """Puts more changes onto an open proposal, given as for `propose`."""
        from gitmem.flows.propose import amend

        content = self._content(references, batch, batch_name, source, origin)
        if self.place.config.policy.routes:
            from gitmem.flows.writing.routing import for_change

            for_change(self._writable().on(proposal_branch(name)), (), origin or no_origin())
        return amend(self._writable(), name, content, origin=origin or no_origin())

    def proposals(self, *, settled: bool = False) -> list[tuple[Proposal, ProposalChanges]]:
        """The open proposals and what they change, newest first; with `settled` the others too."""
        from gitmem.flows.review import proposals

        return proposals(self._work, settled=settled)

    def review(self, name: str) -> Review:
        """A proposal memory by memory, beside what main says about the same. Raises `NotFound`."""
        from gitmem.flows.review import review

        return review(self._work, name)

    def accept(
        self,
        name: str,
        *,
        only: Sequence[str] = (),
        expect: str | None = None,
        takes_policy: bool = False,
        origin: Origin | None = None,
    ) -> Accepted:
        """Merges a proposal, whole or the memories in `only`, into main. Raises `Refused` for an agent."""
        from gitmem.flows.accept import accept

        return accept(
            self._writable(),
            name,
            only=only,
            expect=expect,
            takes_policy=takes_policy,
            origin=origin or no_origin(),
        )

    def reject(self, name: str, reason: str, *, origin: Origin | None = None) -> Rejected:
        """Ends a proposal with a commit that says why. Raises `Refused` for an agent."""
        from gitmem.flows.reject import reject

        return reject(self._writable(), name, reason, origin=origin or no_origin())

    def _content(
        self,
        references: Sequence[str],
        batch: str | None,
        batch_name: str,
        source: str | None,
        origin: Origin | None,
    ) -> Content:
        from gitmem.flows.propose import Content
        from gitmem.flows.writing.batch import requests_from_jsonl

        work, defaults = self._writable(), origin or no_origin()
        requests = []
        if batch is not None:
            requests = requests_from_jsonl(batch, name=batch_name, defaults=defaults, progress=work.progress)
        if work.place.config.policy.routes:
            from gitmem.flows.writing.routing import refuse_untrusted

            refuse_untrusted(work, [defaults, *(request.origin for request in requests)])
        return Content(references, requests, source)
