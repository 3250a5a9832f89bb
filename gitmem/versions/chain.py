"""Moments on the first-parent chain of a branch: which commit stood at its tip at a time.

A commit counts from the running maximum of committer times up to it, so that a clock that ran
backwards hides nothing; merged work counts from its merge on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import accumulate

from msgspec import Struct

from gitmem.model.ids import CommitId
from gitmem.versions.place import Place
from gitmem.versions.table_files import UnusableTable
from gitmem.versions.tables import CHEAP_COMMITS, table_of


class Standing(Struct, frozen=True):
    """Where a branch stood at a moment: `commit`, or None before `began`, its first commit."""

    commit: CommitId | None
    began: datetime


def tips_at(place: Place, branch: str, moments: Sequence[datetime]) -> list[CommitId | None]:
    """Where `branch` stood at each of `moments`, which grow; None before its first commit.

    Looked up in the version table where that is to be had cheaply, else read from the chain in one walk.
    """
    place = place.whole
    tip = place.tip(branch)
    if tip is None:
        return [None for _ in moments]
    return _tips_by_table(place, branch, tip, moments) or _tips_by_walk(place, tip, moments)


def _tips_by_table(
    place: Place, branch: str, tip: CommitId, moments: Sequence[datetime]
) -> list[CommitId | None] | None:
    with table_of(place, branch, tip, most_commits=CHEAP_COMMITS) as table:
        if table is None:
            return None
        try:
            ordinals = [table.ordinal_by(moment) for moment in moments]
            return [None if each is None else table.commit_at(each) for each in ordinals]
        except UnusableTable:
            return None


def _tips_by_walk(place: Place, tip: CommitId, moments: Sequence[datetime]) -> list[CommitId | None]:
    chain = [(commit.id, commit.committer_time) for commit in place.repository.first_parents(tip)][::-1]
    latest = list(accumulate((time for _, time in chain), max))
    found = [bisect_right(latest, moment) for moment in moments]
    return [CommitId(chain[number - 1][0]) if number else None for number in found]


def standing_at(place: Place, branch: str, moment: datetime) -> Standing | None:
    """Where `branch` stood at `moment`; None where it has no commit at all."""
    place = place.whole
    tip = place.tip(branch)
    if tip is None:
        return None
    return _by_table(place, branch, tip, moment) or _by_walk(place, tip, moment)


def _by_table(place: Place, branch: str, tip: CommitId, moment: datetime) -> Standing | None:
    with table_of(place, branch, tip, most_commits=CHEAP_COMMITS) as table:
        if table is None:
            return None
        try:
            ordinal = table.ordinal_by(moment)
            commit = None if ordinal is None else table.commit_at(ordinal)
            began = table.seconds_of(0)
        except UnusableTable:
            return None
    if began is None or (commit is None and ordinal is not None):
        return None
    return Standing(commit, datetime.fromtimestamp(began, UTC))


def _by_walk(place: Place, tip: CommitId, moment: datetime) -> Standing:
    chain = [(commit.id, commit.committer_time) for commit in place.repository.first_parents(tip)][::-1]
    found: CommitId | None = None
    for commit, time in chain:
        # Behind the first that is later, the running maximum is later too.
        if time > moment:
            break
        found = CommitId(commit)
    return Standing(found, chain[0][1])
