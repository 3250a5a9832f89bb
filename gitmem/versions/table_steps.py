"""The versions of one memory along one chain, by looking them up in the version table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from gitmem.git.repository import CommitInfo
from gitmem.model.ids import CommitId
from gitmem.versions.table import Span, VersionTable
from gitmem.versions.table_files import UnusableTable
from gitmem.versions.walk import Step, Walk

_SPANS_AT_ONCE = 64


def steps_by_table(table: VersionTable, walk: Walk) -> Iterator[Step]:
    """The steps of `walk` from where it stands, looked up.

    Wherever the table says less than git, `walk` is left standing there, to go on by itself: where the
    branch was rewritten meanwhile, or the table turns out to be damaged.
    """
    start = walk.commit
    if start is None:
        return
    try:
        ordinal = table.ordinal_of(CommitId(start.id))
        if ordinal is not None:
            yield from _steps(table, walk, start, ordinal)
    except UnusableTable:
        return


def _steps(table: VersionTable, walk: Walk, start: CommitInfo, ordinal: int) -> Iterator[Step]:
    before = ordinal + 1
    while walk.commit is not None:
        spans = _spans(table, walk.path, CommitId(start.id), before)
        span = next(spans, None)
        if span is None or span.ended < before:
            return
        for older in chain(spans, (None,)):
            commit = walk.repository.commit(span.commit)
            if older is None or older.ended < span.began:
                break
            if older.blob != span.blob:
                walk.go_to(walk.parent_of(commit))
                yield Step(commit, walk.path, span.blob)
            span = older
        walk.go_to(commit)
        before = span.began
        can_be_renamed = table.has_removed(span.commit)
        yield walk.beginning(commit, walk.parent_of(commit), span.blob, can_be_renamed=can_be_renamed)


def _spans(table: VersionTable, path: str, start: CommitId, before: int) -> Iterator[Span]:
    """The spans of `path` below an ordinal, newest first, fetched as they are asked for."""
    found: list[Span] = []
    while not found or len(found) == _SPANS_AT_ONCE:
        found = table.spans(path, start, before, _SPANS_AT_ONCE)
        if not found:
            return
        yield from found
        before = found[-1].began
