"""sync: main, archive and proposals of a remote come in, and ours go there, until neither has more.

    1  the remote is asked what it has, and what is new is fetched into `refs/remotes/REMOTE/`
    2  what came is judged by the privacy rules; what they block is taken back, and the sync refused
    3  where archive brings something, main is rehearsed: what is in the way is said before anything moves
    4  archive is merged, then main, then the proposals that are here; what contradicts becomes a dispute
    5  main and archive are pushed together, all or none, and never by force
    6  where somebody was faster, all over from 1

Each step can be repeated, so what dies on the way is finished by the next sync. `archive` comes first: what
was archived there stands on both for a moment, and a merge of main takes it off archive where it was edited.
What stands on both with two texts after that is united on main.

Cases of main:
    alike          nothing to do
    behind, ahead  a fast-forward here, or there
    both           a merge here, which is a fast-forward there
    rewound        commits that the remote had are gone from it: they are kept here, and come back
    policy there   files below `.gitmem/` changed there: see `sync_policy`
    policy here    they changed here, and an agent is at work: nothing is pushed until a person does it
"""

from __future__ import annotations

import random
import time

from gitmem.errors import Busy
from gitmem.flows.forgetting.forgotten import refuse_while_forgetting
from gitmem.flows.rights.telling import sync_for, told_to
from gitmem.flows.syncing.fetch import fetch
from gitmem.flows.syncing.fork import note_fork
from gitmem.flows.syncing.merge import look_at_main, merge_in, rehearse_main
from gitmem.flows.syncing.progress import Syncing
from gitmem.flows.syncing.push import may_push_main, push
from gitmem.flows.syncing.remote_for import remote_for
from gitmem.flows.syncing.screen import screen_fetched
from gitmem.flows.syncing.values import Synced
from gitmem.flows.work import Work
from gitmem.git.ancestry import merge_bases
from gitmem.model.change import Origin
from gitmem.model.ids import CommitId, id_key
from gitmem.versions.memory_changes import memory_changes

ATTEMPTS = 100
TURN_SECONDS = 60.0
MOST_WAIT_SECONDS = 0.4
"""Not much more than a round takes: who waits long is overtaken by those who just came."""


def sync(
    work: Work,
    remote: str | None = None,
    *,
    origin: Origin,
    is_pushing: bool = True,
    is_dry_run: bool = False,
) -> Synced:
    """Brings this store and a remote to the same memories. With `is_dry_run` it only fetches, and tells.

    `remote` is its name or its address; an address that is new becomes a remote.

    Raises `NotFound` and `BadInput` where there is no such remote, `OutsideFailure` where it cannot be
    reached or does not take what is pushed, `Conflict` where an edit that is not committed is in the way,
    `Refused` for unrelated histories and for what the privacy rules block, `UnsupportedRepository` where a
    shallow clone cannot tell, `Busy` where others were faster 100 times. Neither side has lost anything then.
    """
    seen, work = work.place, work.unguarded.on(work.place.main)
    with told_to(seen):
        return sync_for(seen, _sync(work, remote, origin, is_pushing=is_pushing, is_dry_run=is_dry_run))


def _sync(work: Work, remote: str | None, origin: Origin, *, is_pushing: bool, is_dry_run: bool) -> Synced:
    name = remote_for(work, remote)
    note_fork(work.place)
    syncing = Syncing(work, name, origin)
    with work.place.turn("sync.guard", timeout_seconds=TURN_SECONDS) as is_ours:
        if not is_ours:
            refuse_while_forgetting(work.place)
        for attempt in range(ATTEMPTS):
            syncing.rounds = attempt + 1
            fetch(syncing)
            screen_fetched(syncing)
            if is_dry_run:
                return _foreseen(syncing)
            merge_in(syncing)
            if not is_pushing or push(syncing):
                return syncing.done(is_pushed=is_pushing)
            time.sleep(random.uniform(0, min(MOST_WAIT_SECONDS, 0.02 * 2**attempt)))
    raise Busy(f"{name} kept moving ({ATTEMPTS} tries); what is here was not pushed", hint="sync again")


def _foreseen(state: Syncing) -> Synced:
    """What would come and go as things stand. Raises what would stand in the way."""
    look_at_main(state)
    rehearse_main(state)
    place = state.work.place
    ours, theirs = place.tip(state.main), state.theirs.get(state.main)
    may_push_main(state, ours)
    bases = merge_bases(place.repository, ours, theirs) if ours and theirs else []
    base = CommitId(bases[0]) if bases else None
    archives = state.archives()
    if theirs is not None:
        came = memory_changes(place, base, theirs, archives=archives)
        state.came = {id_key(change.id): change for change in came}
    state.went = memory_changes(place, base, ours, archives=archives)
    return state.done(is_pushed=False, is_dry_run=True)
