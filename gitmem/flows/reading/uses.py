"""Counting uses: every recall and show notes what it gave, in this clone, and never fails because of it."""

from __future__ import annotations

from collections.abc import Iterable

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


def note_uses(work: Work, kind: str, ids: Iterable[str]) -> None:
    """Notes that these memories were given; what cannot be noted is left out."""
    if is_counting(work):
        usage_log(work).record(kind, list(ids), work.clock.now())


def uses_of(work: Work, ids: Iterable[str]) -> dict[str, Uses] | None:
    """The uses of each of `ids`; None where uses are not counted."""
    if not is_counting(work):
        return None
    reader = usage_log(work).reader()
    return {memory_id: reader.find(memory_id) for memory_id in ids}


def why_not_counted(work: Work) -> str | None:
    """Why uses cannot be noted although they should be; None where all is well."""
    return usage_log(work).why_not() if is_counting(work) else None
