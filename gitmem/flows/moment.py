"""From what a person writes behind `--as-of` to one commit of the past."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time

from gitmem.clock import iso_seconds
from gitmem.errors import BadInput, NotFound
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.versions.chain import standing_at

When = str | date | datetime


def as_of(work: Work, when: When) -> Work:
    """The same branch as it was at a date, or as a commit, tag or other git revision has it.

    A date means its last moment, in UTC where it has no offset: the last commit of the branch by
    then. Raises `NotFound` where there is none, or nothing is named so.
    """
    moment = _moment_of(when, work.clock.now())
    if moment is not None:
        return _at_moment(work, moment, str(when).strip())
    assert isinstance(when, str)
    commit = _commit_named(work, when.strip())
    return replace(work, commit=commit, moment=work.place.repository.commit(commit).committer_time)


def last_moment_of(text: str, now: datetime) -> datetime | None:
    """The last moment of the date that `text` names: a year, a month, a day, a time; None if none."""
    from gitmem.index.moments import moment_of, span_of

    del now
    # Eight digits may be the beginning of a commit's id, so they are no date here.
    if text.isdigit() and len(text) != 4:
        return None
    span = span_of(text)
    return None if span is None else moment_of(span[1])


def _moment_of(when: When, now: datetime) -> datetime | None:
    if isinstance(when, str):
        if not when.strip():
            raise BadInput("--as-of: it is empty", field="as_of", hint="write a date, a commit or a tag")
        return last_moment_of(when.strip(), now)
    if isinstance(when, datetime):
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return datetime.combine(when, time.max, UTC)


def _commit_named(work: Work, text: str) -> CommitId:
    try:
        return work.place.commit_named(text)
    except NotFound as error:
        raise NotFound(
            f"{text!r} is no date and names no commit or tag",
            name=text,
            hint="write 2026-11-29, 2026-11, 2026-11-29T15:30:00Z, a commit or a tag",
        ) from error


def _at_moment(work: Work, moment: datetime, text: str) -> Work:
    found = standing_at(work.place, work.branch, moment)
    if found is None:
        raise NotFound(f"{work.branch} has no commit yet, so it has no past", name=text)
    if found.commit is None:
        what = "the store" if work.branch == work.place.main else work.branch
        is_cut = work.place.repository.is_shallow()
        hint = "this is a shallow clone: 'git fetch --unshallow' brings what came before"
        raise NotFound(
            f"nothing is known as of {text}: {what} begins at {iso_seconds(found.began)}",
            name=text,
            hint=hint if is_cut else None,
        )
    return replace(work, commit=found.commit, moment=min(moment, work.clock.now()))
