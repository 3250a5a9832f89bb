"""What tend would do: the policies of the store over all its memories; changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.errors import BadInput
from gitmem.flows.rights.apart import require_sight
from gitmem.flows.tending.census import Census, census
from gitmem.flows.tending.holders import Holders, LookOnArchive, by_index
from gitmem.flows.work import Work
from gitmem.lifecycle import plan as lifecycle
from gitmem.lifecycle.plan import LifePlan, Step
from gitmem.lifecycle.policies import Action, LifePolicy
from gitmem.model.ids import CommitId
from gitmem.model.memory import MemoryType


class TendPlan(Struct, frozen=True):
    """The plan, the policies it goes by, and what it was made of.

    `commits` are what it shows of each branch that was looked at, `looked_at` counts their memories. With
    `is_proposed` whoever acts cannot archive, so that a proposal does, and a person decides.
    """

    plan: LifePlan
    policies: Sequence[LifePolicy]
    commits: dict[str, CommitId]
    looked_at: int
    is_proposed: bool
    notes: Sequence[str]

    @property
    def archived(self) -> list[Step]:
        """The steps that archive at once."""
        return [] if self.is_proposed else self.plan.of(Action.ARCHIVE, Action.SUMMARISE)

    @property
    def summarised(self) -> list[Step]:
        """Those of them of which a summary stays."""
        return [] if self.is_proposed else self.plan.of(Action.SUMMARISE)

    @property
    def proposed(self) -> list[Step]:
        """The steps that become a proposal."""
        actions = (Action.ARCHIVE, Action.SUMMARISE) if self.is_proposed else ()
        return self.plan.of(Action.PROPOSE, *actions)

    @property
    def cold(self) -> list[Step]:
        """The memories that are cold: nothing is done about them."""
        return self.plan.of(Action.COLD)


def plan_tending(work: Work) -> TendPlan:
    """What the policies of the store say of its memories now. Raises `Refused` for who may not see them all.

    Policies are those of the committed config of main. An agent, and whoever can only propose, gets a plan
    whose moves are a proposal; working memories wait for a person then.
    """
    require_tendable(work)
    notes = working_beside(work)
    censuses = [census(work), *([] if notes is None else [census(notes, MemoryType.WORKING)])]
    return plan_for(work, censuses, by_index)


def require_tendable(work: Work) -> None:
    """Raises `BadInput` on another branch than main, `Refused` for who may not see all of the store."""
    place = work.place
    if work.branch != place.main or work.is_past:
        raise BadInput(f"tend looks at {place.main} as it is now, not at {work.branch}", field="branch")
    require_sight(place, "tend")


def working_beside(work: Work) -> Work | None:
    """The branch of the working memories; None where there is none, or it is the one that is looked at."""
    branch = work.place.config.branches["working"]
    return None if branch == work.branch else work.beside(branch)


def plan_for(work: Work, censuses: Sequence[Census], look: LookOnArchive) -> TendPlan:
    """The plan for the memories of `censuses`, those of main first; `look` finds what is on the archive."""
    place, identity = work.place, work.identity
    rules = place.config.policy.rules_for(identity)
    is_proposed = not identity.is_person or rules.must_propose or rules.is_quarantined

    def find_holders(leaving: Sequence[Step]) -> dict[str, dict[str, str]]:
        lives = [step.life for step in leaving]
        holders = Holders(lives)
        for each in censuses:
            holders.add_memories(each)
        proposed = [step.life for step in leaving if is_proposed or step.action is Action.PROPOSE]
        for life in proposed:
            if life.branch != place.main:
                holders.add(life.key, f"{life.branch}:", f"what stands on {life.branch} cannot be proposed")
        holders.add_proposals(work, {life.key for life in proposed})
        holders.add_archive(work, lives, look)
        return holders.found

    lives = [life for each in censuses for life in each.lives]
    plan = lifecycle.plan(lives, place.config.policies, find_holders)
    return TendPlan(
        plan,
        place.config.policies,
        {each.work.branch: each.commit for each in censuses if each.commit is not None},
        len(lives),
        is_proposed,
        list(dict.fromkeys(note for each in censuses for note in each.notes)),
    )
