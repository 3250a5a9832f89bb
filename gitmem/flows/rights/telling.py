"""What verbs that work on the whole of a branch may tell of it: merge, sync, accept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from gitmem.errors import Conflict, GitmemError
from gitmem.flows.syncing.values import Finding, FindingKind, Synced
from gitmem.model.ids import MemoryId, id_key
from gitmem.model.proposal import is_proposal, proposal_name
from gitmem.versions.memory_changes import MemoryChange
from gitmem.versions.merge_values import TreeLine
from gitmem.versions.place import Place
from gitmem.versions.proposals import find_proposal
from gitmem.versions.veil import VeiledRepository

_WORD = re.compile(r"[^\s'\",;()]+")


def lines_for(place: Place, report: Sequence[TreeLine]) -> Sequence[TreeLine]:
    """The lines of a merge's report that whoever acts may read."""
    veil = _veil_now(place)
    if veil is None:
        return report
    return tuple(line for line in report if not veil.hides_named(line.path, line.id))


def ids_for(place: Place, ids: Sequence[MemoryId], report: Sequence[TreeLine]) -> Sequence[MemoryId]:
    """Those of `ids` that whoever acts may read; `report` says where their memories stand."""
    veil = _veil_now(place)
    if veil is None:
        return ids
    hidden = {id_key(line.id) for line in report if veil.hides_named(line.path, line.id)}
    return tuple(each for each in ids if id_key(each) not in hidden | veil.hidden_ids)


def sync_for(place: Place, synced: Synced) -> Synced:
    """What a sync did, as far as whoever acts may read it."""
    veil = _veil_now(place)
    if veil is None:
        return synced

    def changes(all_of_them: Sequence[MemoryChange]) -> list[MemoryChange]:
        return [each for each in all_of_them if not veil.hides_named(each.path, each.id)]

    return replace(
        synced,
        came=changes(synced.came),
        went=changes(synced.went),
        disputed=ids_for(place, synced.disputed, synced.report),
        report=lines_for(place, synced.report),
        branches=[each for each in synced.branches if _is_seen(place, each.name)],
        findings=[
            _finding(veil, each) for each in synced.findings if _is_seen(place, each.message.split()[0])
        ],
        notices=notices_for(place, synced.notices),
    )


def notices_for(place: Place, notices: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the notices that name nothing that is hidden from whoever acts."""
    veil = _veil_now(place) if notices else None
    return notices if veil is None else tuple(each for each in notices if not _speaks_of_hidden(veil, each))


@contextmanager
def told_to(place: Place) -> Iterator[None]:
    """Lets what is raised inside say nothing of what whoever acts may not read."""
    try:
        yield
    except GitmemError as error:
        veil = _veil_now(place)
        if veil is None or not _speaks_of_hidden(veil, f"{error.message} {error.hint or ''}"):
            raise
        assert place.rights is not None, "there is a veil"
        raise Conflict(
            f"something that {place.rights.identity} may not read is in the way",
            hint="somebody who may read it can settle it",
        ) from None


def _is_seen(place: Place, branch: str) -> bool:
    """Whether a branch may be named: not that of a proposal which whoever acts may not read."""
    return not is_proposal(branch) or find_proposal(place, proposal_name(branch)) is not None


def _finding(veil: VeiledRepository, finding: Finding) -> Finding:
    if finding.kind is not FindingKind.PROPOSAL or not _speaks_of_hidden(veil, finding.message):
        return finding
    return replace(finding, message=finding.message.partition(":")[0])


def _speaks_of_hidden(veil: VeiledRepository, text: str) -> bool:
    words = [word.strip(".:") for word in _WORD.findall(text)]
    is_hidden_path = any("/" in word and veil.hides_named(word, "") for word in words)
    return is_hidden_path or not veil.hidden_ids.isdisjoint(map(id_key, words))


def _veil_now(place: Place) -> VeiledRepository | None:
    """What is hidden as the store stands by now; None where nothing is."""
    if place.veil is None or place.rights is None:
        return None
    return place.seen_by(place.rights.identity).veil
