"""reindex and the hooks: bringing the index up to date, from nothing or by what changed."""

from __future__ import annotations

import os
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import BadInput, Damaged, OutsideFailure
from gitmem.flows.embeddings import catch_up_vectors
from gitmem.flows.judging.texts import keep_texts_up
from gitmem.flows.reading.indexed import index_of, index_view
from gitmem.flows.reading.past import catch_up_past, forget_past
from gitmem.flows.running.background import keep_repository_up
from gitmem.flows.running.hooks import HOOKS
from gitmem.flows.work import BRIEF, REFRESH_WANTED, Work
from gitmem.git.recover import recover
from gitmem.model.ids import CommitId

TURN_SECONDS = 60.0


class Indexed(Struct, frozen=True):
    """What the index shows now, and how many memories it holds."""

    commit: CommitId | None
    memories: int
    unreadable: tuple[str, ...] = ()
    """Files whose header is broken, as `path:line: reason`; they are indexed by their text."""


def reindex(work: Work) -> Indexed:
    """Builds the index anew beside the old one and swaps it in."""
    snapshot = work.snapshot()
    if snapshot.commit is None:
        return Indexed(None, 0)
    try:
        index_of(work).rebuild(snapshot.commit)
        forget_past(work)
    except OSError as error:
        raise OutsideFailure(f"the index cannot be written: {error}") from error
    keep_texts_up(work, is_anew=True)
    return _indexed(work)


def hook(work: Work, name: str) -> Indexed:
    """What the git hook `name` asks for, then the upkeep of the repository where that is due.

    Raises `BadInput` where gitmem has no such hook.
    """
    if name not in HOOKS:
        raise BadInput(f"{name!r} is none of the hooks {', '.join(HOOKS)}", field="name")
    indexed = refresh(work)
    # Behind the lock of the refresh, so that the next one need not wait for it.
    keep_repository_up(work)
    return indexed


def refresh(work: Work) -> Indexed:
    """Finishes interrupted writes and brings the index to the head of the branch, as the hooks ask for.

    One at a time: while one waits for its turn its wish stands on the disk, and the hooks start no other.
    """
    with work.place.turn("refresh.guard", timeout_seconds=TURN_SECONDS):
        with suppress(OSError):
            (work.place.home / REFRESH_WANTED).unlink()
        recover(work.place.repository)
        indexed = _indexed(work)
    keep_texts_up(work)
    stored = replace(work, place=work.place.as_stored)
    catch_up_past(stored)
    catch_up_vectors(stored)
    if os.path.lexists(work.place.home / BRIEF):
        from gitmem.flows.agents.brief_file import refresh_brief

        refresh_brief(work)
    return indexed


def _indexed(work: Work) -> Indexed:
    snapshot = work.snapshot()
    with index_view(work, snapshot) as view:
        if view is None:
            return Indexed(None, 0)
        broken = []
        for record in view.with_problems():
            if set(record.problem_codes) - {"field"}:
                try:
                    memory = snapshot.read(record.path, record.blob)
                except Damaged as error:
                    work.notice(f"{error.message}; only its name is indexed")
                    continue
                broken += [
                    f"{memory.path}:{problem.line}: {problem.message}"
                    for problem in memory.problems
                    if problem.code != "field"
                ]
        return Indexed(snapshot.commit, view.count, tuple(broken))
