"""Carrying memories between two branches, and finishing what died on the way; `carriage` has the steps."""

from __future__ import annotations

import contextlib

from gitmem.errors import GitmemError, OutsideFailure, SigningFailed
from gitmem.flows.moving.carriage import UNDOES, Blobs, Carriage, Carried, Guard, Load, blobs_of
from gitmem.flows.moving.intent import Intent, half_written, intents
from gitmem.flows.work import Work
from gitmem.git.faults import point
from gitmem.model.change import Origin, trailers_of
from gitmem.model.ids import CommitId
from gitmem.model.visible import memories_text

__all__ = ["UNDOES", "Load", "carry", "finish_moves", "unfinished_moves"]


def carry(source: Work, destination: Work, load: Load, *, operation_id: str, guard: Guard) -> Carried:
    """Carries `load` over. Raises what `guard` and `apply` raise; nothing was changed then."""
    try:
        intent = Intent.write(
            source,
            destination,
            operation=load.operation,
            operation_id=operation_id,
            paths=load.paths,
            destination_tip=destination.place.repository.local_tip(destination.branch),
            trailers=load.trailers,
        )
    except OSError as error:
        raise OutsideFailure(f"{source.branch} cannot be written: {error}") from error
    point("move.intent")
    try:
        carried = Carriage(source, destination, intent, load).run(guard)
    except SigningFailed:
        # Nothing was published, so nothing may come of it later.
        intent.remove()
        raise
    except OutsideFailure:
        # What failed may have failed behind the commit: the next command looks, and finishes or forgets.
        intent.give_up()
        raise
    except GitmemError:
        intent.remove()
        raise
    except BaseException:
        intent.give_up()
        raise
    intent.remove()
    return carried


def unfinished_moves(work: Work) -> list[Intent]:
    """The carriages whose process died before the end."""
    return [intent for intent in intents(work) if intent.is_abandoned]


def finish_moves(work: Work) -> list[str]:
    """Carries interrupted moves to their end; one sentence for each. May be repeated."""
    said = []
    for file in half_written(work):
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
    for intent in unfinished_moves(work):
        source, destination = work.on(intent.source), work.on(intent.destination)
        origin = Origin(reason="finishes an interrupted move")
        load = Load(intent.paths, intent.operation, "", (), origin, intent.trailers)
        carriage = Carriage(source, destination, intent, load)
        try:
            blobs, brought = _arrival(destination, intent)
            left = carriage.leave(blobs, is_broken_off=True)
            withdrawn = carriage.withdraw(brought)
        except GitmemError as error:
            said.append(
                f"the {intent.operation} that was interrupted cannot be finished yet: {error.message}"
            )
            continue
        if left.commit is not None:
            count = len(left.plan.memory_ids)
            said.append(f"finished the {intent.operation} of {memories_text(count)} that was interrupted")
        if withdrawn.commit is not None:
            count = len(withdrawn.plan.memory_ids)
            said.append(
                f"took back the {intent.operation} of {memories_text(count)} that was interrupted: "
                f"they were changed on {intent.source} since"
            )
        intent.remove()
    return said


def _arrival(destination: Work, intent: Intent) -> tuple[Blobs, Blobs]:
    """What a dead process carried, as the destination got it, and what of it was not there before.

    Where it made no commit there, what stands there counts as carried, and nothing as brought.
    """
    place = destination.place
    tip = place.tip(destination.branch)
    for commit in place.repository.first_parents(tip) if tip else ():
        if commit.id == intent.destination_tip:
            break
        if intent.operation_id in trailers_of(commit.message).get("Operation-Id", []):
            changes = place.repository.diff_trees(next(iter(commit.parents), None), commit.id)
            blobs = blobs_of(place.snapshot(CommitId(commit.id)), intent.paths)
            return blobs, {c.path: blobs[c.path] for c in changes if c.old is None and c.path in blobs}
    return blobs_of(destination.snapshot(), intent.paths), {}
