"""Counting uses: every recall and show notes what it gave, in this clone, and never fails because of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gitmem.flows.work import Work
from gitmem.model.usage import Uses
from gitmem.surroundings import environ
from gitmem.versions.usage_log import UsageLog, UsageReader

SETTING = "gitmem.usage"
VARIABLE = "GITMEM_USAGE"
_OFF = frozenset(("off", "0", "false", "no"))


def is_counting(work: Work) -> bool:
    """Whether uses are counted: unless `GITMEM_USAGE=off` or git config `gitmem.usage` says no.

    What is asked of the past is neither counted nor ranked by it.
    """
    if work.is_past or environ().get(VARIABLE, "").strip().casefold() in _OFF:
        return False
    return work.place.repository.config_bool(SETTING, True)


def usage_log(work: Work) -> UsageLog:
    return UsageLog(work.place.home)


def find_reader(work: Work) -> UsageReader | None:
    """The uses so far; None where nothing is counted."""
    reader = usage_log(work).reader() if is_counting(work) else None
    return None if reader is None or reader.is_empty else reader


def note_uses(work: Work, kind: str, ids: Iterable[str], *, seconds: float | None = None) -> None:
    """Notes that these memories were given, and how long it took; what cannot be noted is left out."""
    if is_counting(work):
        took = None if seconds is None else round(seconds * 1_000_000)
        usage_log(work).record(kind, list(ids), work.clock.now(), microseconds=took)


def uses_of(work: Work, ids: Collection[str]) -> dict[str, Uses] | None:
    """The uses of each of `ids`; None where uses are not counted."""
    if not is_counting(work):
        return None
    return usage_log(work).reader().find_all(ids)


def why_not_counted(work: Work) -> str | None:
    """Why uses cannot be noted although they should be; None where all is well."""
    return usage_log(work).why_not() if is_counting(work) else None
