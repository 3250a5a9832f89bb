"""One operation that writes to several branches: files that are to leave one branch arrive on others first.

    1  what it is about to do is written down under the git directory
    2  the first branch gets what it is to get, in one commit
    3  the others do, in the order of the legs; the last one loses what has arrived
    4  what was written down is removed

Killed before 2 was done, nothing happened. Killed after it, files stand on two branches, never on none, and
the next command makes the commits that are missing. Where a file was changed meanwhile, it stays.
Each branch gets one commit; all carry the same operation id, by which `undo` takes them back together.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import GitmemError, OutsideFailure, SigningFailed
from gitmem.flows.work import CROSSINGS, Work
from gitmem.flows.working.notes import FOLDED
from gitmem.flows.writing.apply import Applied, Drafts, MakePlan, apply, rehearse
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.git.faults import point
from gitmem.git.marks import is_mark_of_dead, process_mark
from gitmem.model.change import FileWrite, Plan, trailers_of
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.place import owner_of
from gitmem.model.visible import one_line
from gitmem.platform import fsync_directory, make_private_directory
from gitmem.versions.snapshot import Snapshot

MOST_COMMITS_SINCE = 10_000
_MAX_BYTES = 64 * 1024 * 1024
_GIVEN_UP = "given-up"
Blob = str | None


class Leg(Struct, frozen=True):
    """What happens on one branch: the blob of each path before and after, None where there is no file.

    `tip` is where the branch stood. The first leg needs no writes here: it is never made up for.
    """

    branch: str
    tip: CommitId | None
    writes: Sequence[tuple[str, Blob, Blob]] = ()


class Crossing(Struct, frozen=True):
    """An operation as it is written down; `subject` and `trailers` are those of its commits."""

    file: Path
    operation: str
    operation_id: str
    subject: str
    trailers: Sequence[tuple[str, str]]
    legs: Sequence[Leg]

    def _save(self) -> None:
        """Puts it on the disk. Raises `OutsideFailure`."""
        values: dict[str, Any] = {key: getattr(self, key) for key in _KEYS}
        values["legs"] = [[leg.branch, leg.tip, list(leg.writes)] for leg in self.legs]
        folder = self.file.parent
        try:
            make_private_directory(folder.parent)
            make_private_directory(folder)
            replace_regular(self.file, json.dumps(values, ensure_ascii=True).encode("ascii"), flush=True)
            fsync_directory(folder)
        except OSError as error:
            raise OutsideFailure(f"the store cannot be written: {error}") from error

    def run(self, work: Work, plans: Mapping[str, MakePlan]) -> dict[str, Applied]:
        """Makes the commits, by branch, as the `plans` say. Raises what they raise; nothing was changed then.

        Where a branch fails behind the first, the next command goes on with it. All are signed before one is
        published.
        """
        drafts: Drafts = {}
        for branch in plans if len(plans) > 1 else ():
            self._rehearse(work, branch, plans[branch], drafts)
        self._save()
        point("crossing.written")
        done: dict[str, Applied] = {}
        try:
            for branch, plan in plans.items():
                done[branch] = apply(
                    work.place, branch, plan, clock=work.clock, operation_id=self.operation_id, drafts=drafts
                )
                point("crossing.arrived")
            point("crossing.left")
        except GitmemError as error:
            # What failed in git may have failed behind the commit: the next command looks.
            is_open = bool(done) or (
                isinstance(error, OutsideFailure) and not isinstance(error, SigningFailed)
            )
            self._give_up() if is_open else self.remove()
            raise
        except BaseException:
            self._give_up()
            raise
        self.remove()
        return done

    def _rehearse(self, work: Work, branch: str, plan: MakePlan, drafts: Drafts) -> None:
        rehearse(work.place, branch, plan, clock=work.clock, operation_id=self.operation_id, drafts=drafts)

    def finish(self, work: Work) -> int | None:
        """Makes the commits that are missing; how many. None where the first was never made."""
        if not _is_published(work, self.legs[0], self.operation_id):
            return None
        missing = [leg for leg in self.legs[1:] if not _is_published(work, leg, self.operation_id)]
        made = 0
        for leg in missing:
            applied = apply(
                work.place,
                leg.branch,
                lambda here, leg=leg: self._rest(work, here, leg),  # type: ignore[misc]
                clock=work.clock,
                operation_id=self.operation_id,
            )
            made += applied.commit is not None
        return made

    def _rest(self, work: Work, here: Snapshot, leg: Leg) -> Plan:
        """What of a leg is still to do: what was changed since, or stands nowhere else, stays."""
        writes = []
        for path, old, new in leg.writes:
            is_as_it_was = here.blob(path) == old and (old is not None or not here.occupied(path))
            if is_as_it_was and (new is not None or self._is_elsewhere(work, here, leg, path)):
                writes.append(FileWrite(path, _blob(old), None, _blob(new)))
        return Plan(self.operation, self.subject, writes, trailers=self.trailers, has_stood=True)

    def _is_elsewhere(self, work: Work, here: Snapshot, leg: Leg, path: str) -> bool:
        """Whether what stands at `path` may go: another branch has the memory it is, or is attached to.

        A summary goes where its notes come back, and a record of a session is no memory.
        """
        memory = here.memory(owner_of(path) or path)
        if memory is None or FOLDED in memory.fields:
            return True
        others = [other.branch for other in self.legs if other is not leg]
        if any(work.place.snapshot_of(branch).blob(path) == here.blob(path) for branch in others):
            return True
        return any(work.place.snapshot_of(branch).named(memory.id) for branch in others)

    def _give_up(self) -> None:
        """Says that this process does no more about it, so that the next command finishes it."""
        with contextlib.suppress(OSError):
            self.file.replace(self.file.with_name(f"{self.operation_id}.{_GIVEN_UP}.json"))

    def remove(self) -> None:
        """Forgets it; may be repeated."""
        self.file.unlink(missing_ok=True)


_KEYS = ("operation", "operation_id", "subject", "trailers")


def crossing_of(
    work: Work,
    operation: str,
    operation_id: str,
    subject: str,
    legs: Sequence[Leg],
    trailers: Sequence[tuple[str, str]] = (),
) -> Crossing:
    """A crossing of this process, which nobody knows of before it runs."""
    file = work.place.home / CROSSINGS / f"{operation_id}.{process_mark()}.json"
    return Crossing(file, operation, operation_id, one_line(subject), list(trailers), list(legs))


def unfinished_crossings(work: Work) -> list[Crossing]:
    """The crossings whose process died or gave up, the oldest first."""
    folder = work.place.home / CROSSINGS
    try:
        if folder.is_symlink() or folder.parent.is_symlink():
            return []
        files = sorted(folder.glob("*.json"))
    except OSError:
        return []
    left = [file for file in files if _is_left(file.name.removesuffix(".json").partition(".")[2])]
    return [crossing for file in left if (crossing := _read(work, file))]


def finish_crossings(work: Work) -> list[str]:
    """Carries interrupted crossings to their end; one sentence for each. May be repeated."""
    said = []
    for crossing in unfinished_crossings(work):
        try:
            made = crossing.finish(work)
        except GitmemError as error:
            said.append(
                f"the {crossing.operation} that was interrupted cannot be finished yet: {error.message}"
            )
            continue
        if made is not None:
            said.append(f"finished the {crossing.operation} that was interrupted: {crossing.subject}")
        crossing.remove()
    return said


def _is_left(mark: str) -> bool:
    return mark == _GIVEN_UP or is_mark_of_dead(mark)


def _is_published(work: Work, leg: Leg, operation_id: str) -> bool:
    tip = work.place.tip(leg.branch)
    commits = work.place.repository.first_parents(tip) if tip else iter(())
    for commit in islice(commits, MOST_COMMITS_SINCE):
        if commit.id == leg.tip:
            return False
        if operation_id in trailers_of(commit.message).get("Operation-Id", []):
            return True
    return False


def _blob(oid: Blob) -> BlobId | None:
    return None if oid is None else BlobId(oid)


def _read(work: Work, file: Path) -> Crossing | None:
    """The crossing in `file`, which may have come with the repository; None where it is none.

    It moves memories between branches of the store, and records of sessions, no more.
    """
    try:
        values = json.loads(read_regular(file, max_bytes=_MAX_BYTES) or b"")
        legs = [
            Leg(branch, tip, [(path, old, new) for path, old, new in writes])
            for branch, tip, writes in values["legs"]
        ]
        trailers = [(name, value) for name, value in values["trailers"]]
        known = {key: values[key] for key in _KEYS}
        found = replace(Crossing(file, legs=legs, **known), trailers=trailers)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return found if _is_sound(work, found) else None


def _is_sound(work: Work, crossing: Crossing) -> bool:
    config = work.place.config
    branches = {config.main, *config.branches.values()}
    texts = [crossing.operation, crossing.operation_id, crossing.subject]
    texts += [text for pair in crossing.trailers for text in pair]
    return (
        all(isinstance(text, str) and text and one_line(text) == text for text in texts)
        and bool(crossing.legs)
        and all(leg.branch in branches and isinstance(leg.tip, str | None) for leg in crossing.legs)
        and all(
            isinstance(path, str)
            and not path.startswith((".git", "/"))
            and isinstance(old, str | None)
            and isinstance(new, str | None)
            for leg in crossing.legs
            for path, old, new in leg.writes
        )
    )
