"""The verbs that take out for good."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import BadInput
from gitmem.store.handle import Handle

if TYPE_CHECKING:
    from gitmem.flows.forgetting.elsewhere import Pushed
    from gitmem.flows.forgetting.values import ForgetPlan, Receipt
    from gitmem.flows.heal import Healed
    from gitmem.flows.tombstones import Buried
    from gitmem.flows.work import Work
    from gitmem.privacy.targets import Wanted

SHORTEST_CHARACTERS = 3
"""What is shorter stands in nearly every text; what is empty, in all of them."""


def wish_of(ids: Sequence[str], subject: str | None, match: str | None) -> Wanted:
    """What is to be forgotten. Raises `BadInput` for more than one kind of wish, or for too short a text."""
    from gitmem.flows.writing.given import refuse_lone_texts
    from gitmem.privacy.targets import Wanted

    refuse_lone_texts(ids=ids)
    ids = tuple(ids)
    if bool(ids) + (subject is not None) + (match is not None) > 1:
        raise BadInput("give exactly one of ID..., --subject, --match", field="id")
    for name, value in (("subject", subject), ("match", match)):
        if value is not None and len(value.strip()) < SHORTEST_CHARACTERS:
            raise BadInput(f"--{name}: {value!r} is too short to be told from other text", field=name)
    return Wanted(ids, subject, match)


class ForgetVerbs(Handle):
    """What people can do, and agents cannot. Raises `Refused` on a handle of the past."""

    def plan_forget(
        self,
        ids: Sequence[str] = (),
        *,
        subject: str | None = None,
        match: str | None = None,
        mentions: bool = False,
    ) -> ForgetPlan:
        """What `forget` would do; changes nothing. Without a wish: what one that was broken off has to do."""
        from gitmem.flows.forgetting.plan import plan_forget

        wish = wish_of(ids, subject, match)
        return plan_forget(self._all_of_it("forget"), wish, redacts_mentions=mentions)

    def forget(
        self,
        ids: Sequence[str] = (),
        *,
        subject: str | None = None,
        match: str | None = None,
        mentions: bool = False,
        remote: str | None = None,
    ) -> Receipt:
        """Takes memories out of every version, branch, tag, note, log and cache here, and proves it.

        With `mentions` what other memories say of them goes too; with `remote` the rewritten history is
        pushed there, with leases. Raises `Refused` for an agent, `NotFound` where there is nothing of it,
        `BadInput` for a wish that is not clear.
        """
        from gitmem.flows.forget import Answer, forget

        wish = wish_of(ids, subject, match)
        return forget(self._all_of_it("forget"), wish, Answer(mentions, remote))

    def _all_of_it(self, verb: str) -> Work:
        """The work of whoever has all rights here. Raises `Refused` where they do not."""
        from gitmem.flows.rights.apart import require_all_rights

        work = self._writable()
        require_all_rights(work.place, verb)
        return work

    def require_person(self, verb: str) -> None:
        """Raises `Refused` where an agent is about to do what only a person may."""
        from gitmem.flows.rights.acting import require_person

        require_person(self._work.identity, verb)

    def is_forgetting(self) -> bool:
        """Whether a forget was broken off here."""
        from gitmem.flows.forgetting.journal import read_entry

        return read_entry(self.place) is not None

    def push_forgotten(self, remote: str) -> Pushed:
        """Pushes history that was rewritten here, a lease for each ref. Raises `Refused` for an agent."""
        from gitmem.flows.forgetting.elsewhere import push_forgotten

        return push_forgotten(self._all_of_it("forget"), remote)

    def heal(self, remote: str | None = None, *, dry_run: bool = False) -> Healed:
        """Puts this clone's own work on the rewritten history of a remote, and lets go of the old one.

        Raises `Refused` for an agent, `NotFound` where nothing here is old.
        """
        from gitmem.flows.heal import heal

        return heal(self._all_of_it("heal"), remote, is_dry_run=dry_run)

    def tombstones(self) -> Buried:
        """How much was forgotten, and whether the keys are here that tell it again."""
        from gitmem.flows.tombstones import tombstones

        return tombstones(self._work)

    def export_tombstone_key(self, file: Path) -> None:
        """Writes the keys of this clone to a new file that only its owner may read. Raises `Conflict`."""
        from gitmem.flows.tombstones import export_key

        export_key(self._work, file)

    def import_tombstone_key(self, text: str) -> list[str]:
        """Takes in the keys that another clone exported; their names. Raises `BadInput`, `Refused`."""
        from gitmem.flows.tombstones import import_key

        return import_key(self._writable(), text)
