"""History that was rewritten to forget something does not come back by a sync.

old there   the remote still has it: known before anything is fetched where its tip was one of ours, else
            by the commits that our tombstones name. What was fetched is taken off the disk again
old here    the tombstones of the remote name commits of ours, or commits that ours are copies of: this clone
            has to heal
"""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.errors import Refused
from gitmem.flows.forgetting.forgotten import old_commits, tombstones_of
from gitmem.flows.forgetting.tombstones import old_tips
from gitmem.flows.syncing.progress import Syncing
from gitmem.git.ancestry import commits_beyond
from gitmem.git.purge import purge
from gitmem.git.refs import NOTHING
from gitmem.git.repository import Repository
from gitmem.git.side_refs import move_side_ref, remove_side_ref
from gitmem.model.ids import CommitId
from gitmem.model.tombstones import Tombstones

LOCK_SECONDS = 30.0


def refuse_known_tips(state: Syncing, heads: Mapping[str, str]) -> None:
    """Raises `Refused` where a branch of the remote stands where one of ours stood before a rewrite."""
    known = old_tips(state.work.place)
    for branch, commit in heads.items():
        # What is here still was not taken off: a rewrite that was broken off, which tombstones tell about.
        if commit in known and not state.work.place.repository.has_object(commit):
            raise Refused(
                f"{state.revision(branch)} still holds what was forgotten here, so nothing was fetched",
                hint=f"'gitmem forget --remote {state.remote}' pushes the rewritten history",
            )


def refuse_old_history(state: Syncing, known: Mapping[str, str | None]) -> None:
    """Raises `Refused` for old history on either side. `known` is where remote-tracking refs stood before."""
    place = state.work.place
    ours = tombstones_of(place)
    for branch, tip in state.theirs.items():
        found = old_commits(place, tip, ours)
        if found and tip != known.get(branch):
            _take_back(state, known)
            raise Refused(
                f"{state.revision(branch)} holds what was forgotten on {ours.commits[found[0]]}; "
                "what was fetched is taken away again",
                hint="whoever pushed it runs 'gitmem heal'; 'gitmem forget --remote "
                f"{state.remote}' puts the history of now there",
            )
    main = state.theirs.get(state.main)
    theirs = tombstones_of(place, main) if main else ours
    for branch in place.repository.branch_names():
        found = old_commits(place, place.repository.local_tip(branch) or NOTHING, theirs)
        if found:
            raise Refused(
                f"{branch} holds history that was forgotten on {theirs.commits[found[0]]}, as "
                f"{state.revision(state.main)} says; nothing was merged or pushed",
                hint=f"'gitmem heal {state.remote}' brings what was made here onto the history of now",
            )
    _refuse_copies(state, theirs)


def _refuse_copies(state: Syncing, theirs: Tombstones) -> None:
    """Raises `Refused` where a commit made here repeats one that was forgotten, as a rebase copies it."""
    repository = state.work.place.repository
    tip, main = repository.local_tip(state.main), state.theirs.get(state.main)
    known = {_authored(repository, oid): oid for oid in theirs.commits if repository.has_object(oid)}
    if not known or tip is None or main is None:
        return
    for oid in commits_beyond(repository, [tip], [main]):
        old = known.get(_authored(repository, oid))
        if old is not None:
            raise Refused(
                f"{state.main} repeats in {oid[:10]} what was forgotten on {theirs.commits[old]}, as after a "
                "rebase of old history; nothing was merged or pushed",
                hint=f"'gitmem heal {state.remote}' brings what was made here onto the history of now",
            )


def _authored(repository: Repository, oid: str) -> tuple[object, ...]:
    """What a rebase leaves of a commit: author, time and message."""
    commit = repository.commit(oid)
    return commit.author_name, commit.author_email, commit.author_time, commit.message


def _take_back(state: Syncing, known: Mapping[str, str | None]) -> None:
    """Lets remote-tracking refs stand where they stood, and removes the objects that came."""
    repository = state.work.place.repository
    for branch in state.theirs:
        name = f"refs/remotes/{state.remote}/{branch}"
        now, before = repository.remote_tip(state.remote, branch), known.get(branch)
        if now is None or now == before:
            continue
        if before is None:
            remove_side_ref(repository, name, expected=now)
        else:
            move_side_ref(repository, name, CommitId(before), expected=now)
        (repository.common_dir / "logs" / name).unlink(missing_ok=True)
    with state.work.place.turn("write.guard", timeout_seconds=LOCK_SECONDS):
        purge(repository)
