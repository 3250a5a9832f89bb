"""From memories and policies to a plan: what becomes of each, and why; nothing has happened yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field

from gitmem.lifecycle.life import Life
from gitmem.lifecycle.policies import Action, LifePolicy
from gitmem.model.visible import one_line

Holders = Mapping[str, Mapping[str, str]]
"""By key of a memory, the keys of those that depend on it, and how: `m3d8h1zc is related to it`."""


class Step(Struct, frozen=True):
    """What becomes of one memory, by which policy, and why."""

    life: Life
    action: Action
    policy: str
    reason: str


class Kept(Struct, frozen=True):
    """A memory that a policy is about and that stays all the same: `why`."""

    life: Life
    action: Action
    policy: str
    why: str


class LifePlan(Struct, frozen=True):
    """What is to be done, by branch and path, and what stays although a policy is about it."""

    steps: Sequence[Step] = ()
    kept: Sequence[Kept] = ()

    def of(self, *actions: Action) -> list[Step]:
        """The steps with one of these actions."""
        return [step for step in self.steps if step.action in actions]


class _Sorted(Struct):
    steps: dict[tuple[str, str], Step] = field(default_factory=dict)
    kept: list[Kept] = field(default_factory=list)

    def keep(self, step: Step, why: str) -> None:
        self.steps.pop((step.life.branch, step.life.key), None)
        self.kept.append(Kept(step.life, step.action, step.policy, why))

    def plan(self) -> LifePlan:
        return LifePlan(
            sorted(self.steps.values(), key=lambda step: (step.life.branch, step.life.path)),
            sorted(self.kept, key=lambda kept: (kept.life.branch, kept.life.path)),
        )


def judge(life: Life, policies: Sequence[LifePolicy]) -> Step | None:
    """What the first policy that is about `life` says of it; None where none is, or that one keeps it."""
    for policy in policies:
        reasons = policy.reasons(life)
        if reasons is not None:
            is_kept = policy.action is Action.KEEP
            return None if is_kept else Step(life, policy.action, policy.name, ", ".join(reasons))
    return None


def plan(
    lives: Iterable[Life],
    policies: Sequence[LifePolicy],
    find_holders: Callable[[Sequence[Step]], Holders] = lambda _: {},
) -> LifePlan:
    """The plan for `lives`.

    What is pinned, edited, or needed by a memory that stays is kept: two that refer to each other may go
    together. `find_holders` is asked once, with the steps that take memories away; not at all where none
    would.
    """
    found = _Sorted()
    for life in lives:
        step = judge(life, policies)
        if step is None:
            continue
        if life.is_pinned:
            found.keep(step, "it is pinned")
        elif life.in_the_way is not None and step.action.moves:
            found.keep(step, life.in_the_way)
        else:
            found.steps[(life.branch, life.key)] = step
    leaving = [step for step in found.steps.values() if step.action.moves]
    if leaving:
        _keep_what_is_needed(found, leaving, find_holders(leaving))
    return found.plan()


def _keep_what_is_needed(found: _Sorted, leaving: Sequence[Step], holders: Holders) -> None:
    """Keeps what a memory depends on that stays, and then what that one depends on, and so on."""
    by_key: dict[str, list[Step]] = {}
    needs: dict[str, set[str]] = {}
    for step in leaving:
        by_key.setdefault(step.life.key, []).append(step)
        for holder in holders.get(step.life.key, {}):
            needs.setdefault(holder, set()).add(step.life.key)
    staying = [holder for holder in needs if holder not in by_key]
    while staying:
        holder = staying.pop()
        for key in sorted(needs.get(holder, ())):
            for step in by_key.pop(key, ()):
                found.keep(step, one_line(holders[key][holder]))
                staying.append(key)
