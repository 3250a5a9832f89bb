"""From what a person writes behind `--as-of` to one commit of the past."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from msgspec.structs import replace

from gitmem.clock import from_wall_time, iso_seconds, wall_time
from gitmem.errors import BadInput, NotFound
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.versions.chain import standing_at

When = str | date | datetime


def as_of(work: Work, when: When) -> Work:
    """The same branch as it was at a date, or as a commit, tag or other git revision has it.

    A date means its last moment, in UTC where it has no offset: the last commit of the branch by
    then. Words for a time (`last wednesday`, `昨天`) are read by the clock and zone of the store, where
    git knows no revision of that name. Raises `NotFound` where there is none, or nothing is named so.
    """
    named = _moment_or_commit(work, when)
    if isinstance(named, datetime):
        return _at_moment(work, named, str(when).strip())
    return replace(work, commit=named, moment=work.place.repository.commit(named).committer_time)


def last_moment_of(text: str) -> datetime | None:
    """The last moment of the date that `text` writes: a year, a month, a day, a time; None if none."""
    from gitmem.index.moments import moment_of, span_of

    # Eight digits may be the beginning of a commit's id, so they are no date here.
    if text.isdigit() and len(text) != 4:
        return None
    span = span_of(text)
    return None if span is None else moment_of(span[1])


def _moment_or_commit(work: Work, when: When) -> datetime | CommitId:
    if isinstance(when, datetime):
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    if isinstance(when, date):
        return datetime.combine(when, time.max, UTC)
    text = when.strip()
    if not text:
        raise BadInput("--as-of: it is empty", field="as_of", hint="write a date, a commit or a tag")
    moment = last_moment_of(text)
    if moment is not None:
        return moment
    try:
        return work.place.commit_named(text)
    except NotFound as error:
        meant = _moment_in_words(work, text)
        if meant is not None:
            return meant
        raise NotFound(
            f"{text!r} is no date and names no commit or tag",
            name=text,
            hint="write 2026-11-29, 2026-11, 2026-11-29T15:30:00Z, 'last wednesday', a commit or a tag",
        ) from error


def _moment_in_words(work: Work, text: str) -> datetime | None:
    """The last moment of the time that `text` names by its distance from now, such as `yesterday`."""
    from gitmem.recall.when import span_named

    zone = work.clock.zone
    span = span_named(text, wall_time(work.clock.now(), zone))
    if span is None:
        return None
    end = span.end if span.end.tzinfo else from_wall_time(span.end, zone)
    return end - timedelta(microseconds=1)


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
