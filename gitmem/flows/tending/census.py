"""The facts of all memories of a branch that policies look at: one pass over index, usage log and history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from gitmem.flows.reading.recollection import Listing
from gitmem.flows.reading.uses import find_reader, is_counting
from gitmem.flows.recall import list_memories
from gitmem.flows.tending.working import session_ends
from gitmem.flows.work import Work
from gitmem.index.moments import LAST_MOMENT, micros_of, parse_moment, span_of
from gitmem.lifecycle.life import Life, confirmations, days_between, idle_days
from gitmem.lifecycle.strength import weighed_uses
from gitmem.model.access import Act
from gitmem.model.ids import CommitId, id_key
from gitmem.model.memory import MemoryType, Status
from gitmem.model.pin import is_pinned
from gitmem.model.summary import is_summary
from gitmem.model.usage import NEVER, Uses
from gitmem.versions.last_changes import last_changes

if TYPE_CHECKING:
    from gitmem.index.record import Record

NO_USES = "no use was noted in this clone yet, so idle counts from the last change"
NOT_COUNTED = "uses are not counted here, so idle counts from the last change"


class Census(Struct, frozen=True):
    """The memories of one branch at `commit`: their records, their lives in the same order, and notes."""

    work: Work
    commit: CommitId | None
    records: Sequence[Record]
    lives: Sequence[Life]
    notes: Sequence[str] = ()


def census(work: Work, type: MemoryType | None = None) -> Census:
    """All memories of the branch of `work`, or those of one type, as they are now."""
    from gitmem.recall.where import Where

    return census_of(work, list_memories(work, Where(type=type), limit=None))


def census_of(work: Work, listing: Listing) -> Census:
    """The memories of a listing of the branch of `work` as it is now, which has to be whole."""
    if listing.commit is None:
        return Census(work, None, (), ())
    changed = last_changes(
        work.place, work.branch, listing.commit, {record.path for record in listing.records}
    )
    facts = _Facts(
        work,
        changed,
        listing.uses or {},
        {path: ", ".join(labels) for path, labels in listing.labels.items() if labels},
        session_ends(work, listing.records, changed),
        {
            id_key(old): record.id
            for record in listing.records
            for old in record.supersedes
            if id_key(old) != id_key(record.id)
        },
    )
    lives = [facts.life(record) for record in listing.records]
    return Census(work, listing.commit, listing.records, lives, [*listing.notes, *_uses_note(work)])


def _uses_note(work: Work) -> list[str]:
    if not is_counting(work):
        return [NOT_COUNTED]
    return [NO_USES] if find_reader(work) is None else []


class _Facts(Struct, frozen=True):
    """What is known of all memories of a branch, by path or id."""

    work: Work
    changed: Mapping[str, datetime]
    uses: Mapping[str, Uses]
    labels: Mapping[str, str]
    ended: Mapping[str, datetime]
    superseded_by: Mapping[str, str]

    def life(self, record: Record) -> Life:
        uses = self.uses.get(record.id, NEVER)
        created = parse_moment(record.created)
        successor = self.superseded_by.get(id_key(record.id))
        return Life(
            id=record.id,
            path=record.path,
            blob=record.blob,
            title=record.title,
            type=record.type,
            branch=self.work.branch,
            namespace=record.namespace,
            tags=record.tags,
            created=record.created,
            subject=record.subject,
            importance=record.importance,
            idle_days=idle_days(
                self.work.now(), self.changed.get(record.path) or created, parse_moment(uses.last)
            ),
            age_days=None if created is None else days_between(created, self.work.now()),
            ended_days=days_between(self.ended[record.path], self.work.now())
            if record.path in self.ended
            else None,
            uses=weighed_uses(recalled=uses.recalled, shown=uses.shown),
            confirmed=confirmations(record.fields),
            is_pinned=is_pinned(record.fields),
            is_superseded=record.status is Status.SUPERSEDED or successor is not None,
            superseded_by=successor,
            is_expired=record.status is Status.EXPIRED or _is_past(record.valid_until, self.work.now()),
            is_summary=is_summary(record.fields),
            in_the_way=self._in_the_way(record),
        )

    def _in_the_way(self, record: Record) -> str | None:
        rights = self.work.place.rights
        if rights is not None and not rights.may(Act.WRITE, record.path, record.type):
            return f"{rights.identity} may not write there"
        label = self.labels.get(record.path)
        return f"it is marked: {label}" if label else None


def _is_past(text: str | None, now: datetime) -> bool:
    """Whether all of the date that `text` names lies behind `now`."""
    span = span_of(text)
    return span is not None and span[1] != LAST_MOMENT and span[1] < micros_of(now)
