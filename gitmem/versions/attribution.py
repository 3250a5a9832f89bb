"""Which commit brought each line of a memory: blame that follows renames, moves, merges and reverts.

Cases for each version, from the oldest on; its lines come from
    born       the version itself
    changed    the version before, where that has them; the others from the version itself
    merged     each parent of the merge that has them, the first parent first; the others from the merge
    restored   an earlier version with the same bytes, which a revert or undo brought back
    moved      the version before: a move between branches changes nothing
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import Damaged
from gitmem.git.repository import CommitInfo
from gitmem.model.diff import inherited_lines
from gitmem.model.ids import BlobId, CommitId
from gitmem.versions.history import Step, history
from gitmem.versions.place import Place

MOST_NESTED_MERGES = 50
"""Merges of merges of merges are followed so deep; beyond, the merge itself counts as the origin."""


class LineOrigin(Struct, frozen=True):
    """The version that brought a line, and how it came from there to where it stands.

    `merges` are the merge commits that carried it, the one on the branch itself first; `restored_by`
    is the version that brought it back after it had gone.
    """

    step: Step
    merges: tuple[CommitInfo, ...] = ()
    restored_by: Step | None = None


class Attribution(Struct, frozen=True):
    """The lines of a memory, each with its origin, and the steps of its history, newest first.

    Not complete where a shallow clone hides older versions.
    """

    lines: Sequence[str]
    origins: Sequence[LineOrigin]
    steps: Sequence[Step]
    is_complete: bool

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each version on the branch, by its commit; empty where they are not known."""
        if not self.is_complete:
            return {}
        versions = [step for step in reversed(self.steps) if not step.is_move]
        return {step.commit.id: number for number, step in enumerate(versions, 1)}


def attribute(place: Place, start: CommitId, path: str) -> Attribution:
    """Where each line of the memory at `path` in commit `start` comes from."""
    steps = list(history(place, start, path))
    state = _Attributor(place).grown(steps, None, depth=0)
    is_complete = not any(step.is_cut for step in steps)
    if state is None:
        return Attribution((), (), steps, is_complete)
    return Attribution(state.lines, state.origins, steps, is_complete)


class _State(Struct, frozen=True):
    """A memory at one step: its lines with their origins. `number` counts the steps before it."""

    blob: BlobId
    path: str
    number: int
    chain: _Chain
    lines: list[str]
    origins: list[LineOrigin]


class _Chain:
    """The states of one history by blob, the oldest of each; it may go on from a state of another chain."""

    def __init__(self, base: _State | None) -> None:
        self._base = base
        self._states: dict[BlobId, _State] = {}

    def add(self, state: _State) -> None:
        self._states.setdefault(state.blob, state)

    def find(self, blob: BlobId) -> _State | None:
        """The oldest state with these bytes on the way to here."""
        chain, limit = self, float("inf")
        while True:
            found = chain._states.get(blob)
            if found is not None and found.number <= limit:
                return found
            base = chain._base
            if base is None:
                return None
            chain, limit = base.chain, min(limit, base.number)


class _Attributor:
    """Works a history up from its oldest step; each step is worked once, whichever way leads to it."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._known: dict[tuple[str, str], _State] = {}

    def grown(self, steps: Sequence[Step], state: _State | None, *, depth: int) -> _State | None:
        """The state after `steps`, which stand newest first, upon `state`."""
        chain = _Chain(state)
        for step in reversed(steps):
            state = self._after(step, state, chain, depth)
            chain.add(state)
            self._known[step.commit.id, step.path] = state
        return state

    def _at(self, start: CommitId, path: str, depth: int) -> _State | None:
        """The state of the file at `path` in commit `start`."""
        steps: list[Step] = []
        for step in history(self._place, start, path):
            known = self._known.get((step.commit.id, step.path))
            if known is not None:
                return self.grown(steps, known, depth=depth)
            steps.append(step)
        return self.grown(steps, None, depth=depth)

    def _after(self, step: Step, state: _State | None, chain: _Chain, depth: int) -> _State:
        data = self._place.repository.read_blob(step.blob)
        lines = data.decode("utf-8", "replace").splitlines()
        origins: list[LineOrigin | None] = [None] * len(lines)
        if state is not None:
            _inherit(state.lines, state.origins, lines, origins)
            older = chain.find(step.blob) if state.blob != step.blob else None
            if older is not None:
                again = [replace(origin, restored_by=step) for origin in older.origins]
                _inherit(older.lines, again, lines, origins)
        for side in self._sides(step, state, depth):
            carried = [replace(origin, merges=(step.commit, *origin.merges)) for origin in side.origins]
            _inherit(side.lines, carried, lines, origins)
        own = LineOrigin(step)
        number = state.number + 1 if state else 0
        return _State(step.blob, step.path, number, chain, lines, [origin or own for origin in origins])

    def _sides(self, step: Step, state: _State | None, depth: int) -> list[_State]:
        """What the other parents of a merge had in place of this file."""
        if step.is_move or len(step.commit.parents) < 2 or depth >= MOST_NESTED_MERGES:
            return []
        paths = dict.fromkeys([step.path, *([state.path] if state else [])])
        found = []
        for parent in step.commit.parents[1:]:
            path = next((path for path in paths if self._has(parent, path)), None)
            side = self._at(CommitId(parent), path, depth + 1) if path else None
            if side is not None:
                found.append(side)
        return found

    def _has(self, commit: str, path: str) -> bool:
        """Whether a file stands at `path`; no where a shallow clone lacks the commit."""
        try:
            return self._place.repository.entry(commit, path) is not None
        except Damaged:
            return False


def _inherit(
    old_lines: list[str], old: Sequence[LineOrigin], lines: list[str], origins: list[LineOrigin | None]
) -> None:
    """Gives the lines that have no origin yet that of the old lines which they are."""
    if None not in origins:
        return
    for position, inherited in enumerate(inherited_lines(old_lines, lines)):
        if inherited is not None and origins[position] is None:
            origins[position] = old[inherited]
