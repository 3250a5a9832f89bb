"""The verbs that bring branches together and settle what they contradict each other in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.store.handle import Handle, no_origin

if TYPE_CHECKING:
    from gitmem.flows.merge import Merging
    from gitmem.flows.resolve import Resolved
    from gitmem.model.change import Origin


class MergeVerbs(Handle):
    """What merges can be done. Raises `Refused` on a handle of the past."""

    def merge(
        self,
        revision: str,
        *,
        policy: str = "refuse",
        is_commit_wanted: bool = False,
        origin: Origin | None = None,
    ) -> Merging:
        """Brings another branch or commit in, as one commit; what contradicts is kept as a dispute.

        `policy` says what to do with files below `.gitmem/` that changed there: `refuse`, `take` or `leave`.
        """
        from gitmem.flows.merge import PolicyChange, merge

        return merge(
            self._directly("merge"),
            revision,
            origin=origin or no_origin(),
            policy=PolicyChange(policy),
            is_commit_wanted=is_commit_wanted,
        )

    def resolve(
        self,
        reference: str,
        version: str | None = None,
        *,
        text: str | None = None,
        file: str | None = None,
        expect: str | None = None,
        origin: Origin | None = None,
    ) -> Resolved:
        """Settles a disputed memory: by `ours`, `theirs`, `first`, `second`, a version by name, or a text.

        `file` is the whole file as it shall be. Raises `BadInput` where the memory is not disputed.
        """
        from gitmem.flows.resolve import resolve

        return resolve(
            self._for(reference, origin),
            reference,
            version=version,
            text=text,
            file=file,
            expect=expect,
            origin=origin or no_origin(),
        )
