"""The token budget of a session: above it, its oldest notes are folded into one summary, in one commit.

Down to half the budget, so that not every note folds. Folded together is only what stands in one namespace:
the summary stands there too, and whoever may not read the notes may not read it. Left as they are:

    notes that a rule of the config promotes at the end of the session, and pinned ones
    notes with attachments, and encrypted ones whose key is not here
    the newest note

The notes that are folded stay whole in the history of the working branch; `undo` brings them back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gitmem.errors import GitmemError
from gitmem.flows.work import Work
from gitmem.flows.working.notes import (
    FOLDED,
    moment_of,
    namespace_of_note,
    notes_in_folders,
    tokens_in_folders,
    tokens_of,
)
from gitmem.flows.working.summary import Source, summary_of
from gitmem.flows.writing.apply import apply
from gitmem.flows.writing.sealing import is_told_in_name
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.document import encode
from gitmem.model.ids import MemoryId, derived_memory_id
from gitmem.model.memory import Json, Memory, MemoryType
from gitmem.model.place import file_name
from gitmem.model.visible import one_line
from gitmem.model.yaml_writing import header_text
from gitmem.recall.tokens import estimate_tokens
from gitmem.versions.attachments import attachments_of
from gitmem.versions.snapshot import Snapshot
from gitmem.versions.working_settings import Fate, WorkingSettings

TITLE = "Earlier in this session"
SHARE_OF_SUMMARY = 4
"""A summary takes at most this part of the budget."""


def fold_where_over(work: Work, session: str) -> list[str]:
    """Folds the oldest notes of a session that is over its budget; what is to be said of it.

    The notes were written before, so nothing is raised: what could not be folded is tried with the next note.
    """
    settings = work.place.config.working
    try:
        snapshot = work.snapshot()
        if tokens_in_folders(snapshot, session) <= settings.max_tokens:
            return []
        # The count of the plan that was carried out, which may be a later one.
        counts: list[int] = []

        def plan(here: Snapshot) -> Plan:
            notes = _to_fold(here, notes_in_folders(here, session), settings)
            counts[:] = [len(notes)]
            return _plan(work, here, session, notes)

        applied = apply(work.place, work.branch, plan, clock=work.clock)
    except GitmemError as error:
        return [f"session {session} is over its budget, and its notes could not be folded: {error.message}"]
    if applied.commit is None:
        return []
    return [f"folded the {counts[0]} oldest notes of session {session} into a summary", *applied.notices]


def _to_fold(snapshot: Snapshot, notes: Sequence[Memory], settings: WorkingSettings) -> list[Memory]:
    """The notes to be folded, oldest first; none where the session is within its budget."""
    total = sum(map(tokens_of, notes))
    if total <= settings.max_tokens:
        return []
    found = []
    for note in notes[:-1]:
        if total <= settings.max_tokens // 2:
            break
        if FOLDED in note.fields or _is_kept(snapshot, note, settings):
            continue
        found.append(note)
        total -= tokens_of(note)
    return found


def _is_kept(snapshot: Snapshot, note: Memory, settings: WorkingSettings) -> bool:
    promotes = any(rule.fits(note) and rule.then is Fate.PROMOTE for rule in settings.rules)
    is_closed = note.locked_by is not None or not note.has_own_id
    return promotes or is_closed or bool(note.fields.get("pinned") or attachments_of(snapshot, note.path))


def _plan(work: Work, snapshot: Snapshot, session: str, notes: Sequence[Memory]) -> Plan:
    writes: list[FileWrite] = []
    ids = []
    for group, gone in grouped(notes, lambda note: note.path.rpartition("/")[0]):
        write, memory_id = _summary(work, snapshot, session, group, gone)
        writes += [write, *(FileWrite(note.path, note.blob, None) for note in gone)]
        ids += [memory_id, *(note.id for note in gone)]
    return Plan(
        "fold",
        f"{len(notes)} notes of session {one_line(session)}",
        writes,
        ids,
        Origin(session=session, reason="the session is over its budget of tokens"),
        has_stood=True,
    )


Group = tuple[str, str | None]
"""What may be summed up together: a folder or namespace, and the person whose data it is."""


def grouped(notes: Sequence[Memory], place: Callable[[Memory], str]) -> list[tuple[Group, list[Memory]]]:
    """The notes by `place` and by the person whose data they are, which `forget` must be able to tell."""
    groups: dict[Group, list[Memory]] = {}
    for note in notes:
        groups.setdefault((place(note), note.subject), []).append(note)
    return list(groups.items())


def _summary(
    work: Work, snapshot: Snapshot, session: str, group: Group, notes: Sequence[Memory]
) -> tuple[FileWrite, MemoryId]:
    """The summary of one group, with what it said before; and its id."""
    folder, subject = group
    memory_id = derived_memory_id(f"summary/{session}/{folder}/{subject or ''}")
    old = next((each for each in snapshot.named(memory_id) if each.path.rpartition("/")[0] == folder), None)
    is_named = is_told_in_name(work.place, MemoryType.WORKING, namespace_of_note(notes[0]))
    name = file_name(MemoryType.WORKING, TITLE if is_named else "", memory_id, moment_of(notes[0]))
    folded = old.fields.get(FOLDED) if old is not None else 0
    fields: dict[str, Json] = {
        "id": memory_id,
        "type": str(MemoryType.WORKING),
        "title": TITLE,
        "created": (old or notes[0]).created,
        "agent": (old or notes[0]).agent,
        "session": session,
        "subject": subject,
        FOLDED: len(notes) + (folded if isinstance(folded, int) else 0),
    }
    sources = [Source(old.body)] if old else []
    sources += [Source(note.body, note.importance) for note in notes]
    lines = summarised(sources, work.place.config.working.max_tokens // SHARE_OF_SUMMARY)
    text = header_text({key: value for key, value in fields.items() if value is not None}) + lines
    path = old.path if old is not None else f"{folder}/{name}"
    return FileWrite(path, old.blob if old is not None else None, encode(text)), memory_id


def summarised(sources: Sequence[Source], max_tokens: int) -> str:
    """The sources summed up, as a list with one sentence an item."""
    from gitmem.index.analysis import query_terms

    found = summary_of(sources, max_tokens=max_tokens, terms_of=query_terms, count=estimate_tokens)
    return "".join(f"- {sentence}\n" for sentence in found)
