"""The commits that end a session: what they write, planned on each branch as it stands then.

A note that somebody changed after it was read stays on the working branch as it is, and what arrived of it
elsewhere is taken back. A note that came in meanwhile stays too: it has been read by nobody.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.clock import iso_seconds
from gitmem.errors import Conflict
from gitmem.flows.screening.rules import Screening
from gitmem.flows.work import Work
from gitmem.flows.working.crossing import Leg, crossing_of
from gitmem.flows.working.folding import SHARE_OF_SUMMARY, grouped, summarised
from gitmem.flows.working.notes import (
    FOLDED,
    Record,
    Session,
    moment_of,
    namespace_of_note,
    record_of,
    record_path,
    text_of,
)
from gitmem.flows.working.summary import Source
from gitmem.flows.working.undoing import SESSION_END
from gitmem.flows.writing.apply import Applied, MakePlan, apply, new_operation_id
from gitmem.flows.writing.drafting import Request, TakenIds, draft_of
from gitmem.flows.writing.sealing import is_told_in_name
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.document import encode
from gitmem.model.header_edit import edit_header
from gitmem.model.ids import BlobId, CommitId, MemoryId
from gitmem.model.memory import Memory, MemoryType
from gitmem.model.place import attachment_folder
from gitmem.model.visible import one_line
from gitmem.versions.attachments import attachments_of
from gitmem.versions.history import MOVED_FROM
from gitmem.versions.naming import Naming
from gitmem.versions.snapshot import Snapshot
from gitmem.versions.working_settings import Fate

OPERATION = SESSION_END


class Decision(Struct, frozen=True):
    """What becomes of one note, and the type it gets where it is promoted."""

    note: Memory
    fate: Fate
    becomes: MemoryType


class Arrived(Struct, frozen=True):
    """A memory at the place where it stands now."""

    id: MemoryId
    type: MemoryType
    path: str
    title: str


class Settled(Struct, frozen=True):
    """What was done; `kept` are the notes that stay on the working branch."""

    record: Record
    operation_id: str | None
    promoted: Sequence[Arrived]
    summaries: Sequence[Arrived]
    archived: Sequence[Arrived]
    kept: Sequence[MemoryId]
    commits: dict[str, CommitId]
    notices: tuple[str, ...]


class Settling(Struct):
    """The end of one session: `work` is main, `there` the working branch."""

    work: Work
    there: Work
    session: Session
    decisions: Sequence[Decision]
    origin: Origin
    is_ended: bool = True
    """Whether the session counts as ended then; that of those who name none goes on."""
    _promoted: list[Arrived] = field(default_factory=list)
    _summaries: list[Arrived] = field(default_factory=list)
    _stayed: set[str] = field(default_factory=set)

    def run(self, snapshot: Snapshot) -> Settled:
        """Makes the commits; the session was read in `snapshot` of the working branch. Raises `Conflict`."""
        plans: dict[str, MakePlan] = {}
        promoted, archived = self._of(Fate.PROMOTE), self._of(Fate.ARCHIVE, Fate.SUMMARY)
        if promoted or self._of(Fate.SUMMARY):
            plans[self.work.place.main] = lambda here: self._to_main(here, snapshot)
        archive = self.work.place.config.branches["archive"]
        if archived:
            plans[archive] = lambda here: self._to_archive(here, snapshot)
        plans[self.there.branch] = self._off_working
        gone = [(path, blob) for each in (*promoted, *archived) for path, blob in _files(snapshot, each.note)]
        kept_on_archive = [file for each in archived for file in _files(snapshot, each.note)]
        writes: dict[str, list[tuple[str, str | None, str | None]]] = {
            archive: [(path, None, blob) for path, blob in kept_on_archive],
            self.there.branch: [(path, blob, None) for path, blob in gone],
        }
        operation_id = new_operation_id(self.work.clock)
        if len(plans) == 1:
            place, branch = self.there.place, self.there.branch
            applied = apply(place, branch, plans[branch], clock=self.work.clock, operation_id=operation_id)
            done = {branch: applied}
        else:
            record = self._ending(snapshot)
            path = record_path(self.session.name)
            if record.data != self.session.record.data:
                blob = self.work.place.repository.write_blob(record.data)
                writes[self.there.branch].append((path, snapshot.blob(path), blob))
            legs = [Leg(name, self.work.place.tip(name), writes.get(name, [])) for name in plans]
            trailers = [("Session", one_line(self.session.name))]
            crossing = crossing_of(self.work, OPERATION, operation_id, self._subject(), legs, trailers)
            done = crossing.run(self.work, plans)
        notices = [notice for applied in done.values() for notice in applied.notices]
        return self._settled(done, operation_id, [*notices, *self._taken_back()])

    def _of(self, *fates: Fate) -> list[Decision]:
        return [each for each in self.decisions if each.fate in fates]

    def _subject(self) -> str:
        return f"session {self.session.name}"

    def _plan(
        self, writes: Sequence[FileWrite], ids: Sequence[MemoryId], source: str | None, *, has_stood: bool
    ) -> Plan:
        trailers = [(MOVED_FROM, source)] if source else []
        return Plan(OPERATION, self._subject(), writes, ids, self.origin, trailers, has_stood=has_stood)

    def _to_main(self, here: Snapshot, source: Snapshot) -> Plan:
        naming = Naming(here)
        self._promoted, self._summaries = [], []
        writes = [
            write for each in self._of(Fate.PROMOTE) for write in self._promotion(here, source, naming, each)
        ]
        taken = TakenIds(here)
        notes = [each.note for each in self._of(Fate.SUMMARY)]
        for (namespace, subject), group in grouped(notes, namespace_of_note):
            writes.append(self._summary(naming, taken, namespace, subject, group))
        ids = [each.id for each in (*self._promoted, *self._summaries)]
        return self._plan(writes, ids, source.commit, has_stood=False)

    def _promotion(
        self, here: Snapshot, source: Snapshot, naming: Naming, decision: Decision
    ) -> list[FileWrite]:
        """The files of one promoted note on main. Raises `Conflict` where main has its id."""
        note, becomes = decision.note, decision.becomes
        if there := here.named(note.id):
            raise Conflict(
                f"{there[0].path} stands on {self.work.place.main} already, with the id of note {note.id}",
                hint="keep or archive the note: 'gitmem session end --then archive'",
            )
        namespace = namespace_of_note(note)
        title = Screening(self.work.place).title(note.title, note.path)
        path = naming.path_for(
            memory_type=becomes,
            namespace=namespace,
            title=title if is_told_in_name(self.work.place, becomes, namespace) else "",
            memory_id=note.id,
            created=moment_of(note),
        )
        self._promoted.append(Arrived(note.id, becomes, path, note.title))
        text = edit_header(text_of(source, note), {"id": note.id, "type": str(becomes)})
        old, new = attachment_folder(note.path), attachment_folder(path)
        return [
            FileWrite(path, None, encode(text)),
            *(
                FileWrite(new + attached.removeprefix(old), None, source.data(attached))
                for attached, _ in attachments_of(source, note.path)
            ),
        ]

    def _summary(
        self, naming: Naming, taken: TakenIds, namespace: str, subject: str | None, notes: Sequence[Memory]
    ) -> FileWrite:
        sources = [Source(note.body, note.importance) for note in notes]
        most = self.work.place.config.working.max_tokens // SHARE_OF_SUMMARY
        counts = [count for note in notes if isinstance(count := note.fields.get(FOLDED), int)]
        request = Request(
            summarised(sources, most),
            title=f"Session {self.session.name} of {self.session.started.date().isoformat()}",
            type=str(MemoryType.EPISODIC),
            namespace=namespace or None,
            fields={FOLDED: len(notes) - len(counts) + sum(counts)},
            created=iso_seconds(self.session.started),
            subject=subject,
            origin=Origin(self.origin.agent or self.session.agent, self.session.name),
        )
        is_named = is_told_in_name(self.work.place, MemoryType.EPISODIC, namespace)
        shown = Screening(self.work.place).title
        draft = draft_of(request, naming, self.work.clock.now(), taken, shown, is_named=is_named)
        self._summaries.append(Arrived(draft.id, draft.type, draft.path, request.title or ""))
        return FileWrite(draft.path, None, draft.data)

    def _to_archive(self, here: Snapshot, source: Snapshot) -> Plan:
        writes = []
        decisions = self._of(Fate.ARCHIVE, Fate.SUMMARY)
        for path, blob in (file for each in decisions for file in _files(source, each.note)):
            before = here.blob(path)
            if before not in (None, blob):
                raise Conflict(
                    f"{path} stands on the archive already, with another text",
                    hint="keep or promote the note",
                )
            if before is None:
                writes.append(FileWrite(path, None, None, blob))
        ids = [each.note.id for each in decisions]
        return self._plan(writes, ids, source.commit, has_stood=True)

    def _off_working(self, here: Snapshot) -> Plan:
        """What has arrived leaves, and the record says when; what was changed since stays."""
        self._stayed = set()
        writes, ids = [], []
        for each in self._of(Fate.PROMOTE, Fate.ARCHIVE, Fate.SUMMARY):
            note = each.note
            if here.blob(note.path) not in (None, note.blob):
                self._stayed.add(note.path)
                continue
            ids.append(note.id)
            writes += [FileWrite(path, blob, None) for path, blob in _files(here, note)]
        record, path = self._ending(here), record_path(self.session.name)
        if record != record_of(here, self.session.name) and self.is_ended:
            writes.append(FileWrite(path, here.blob(path), record.data))
        return self._plan(writes, ids, None, has_stood=True)

    def _ending(self, here: Snapshot) -> Record:
        """The record of the session as it is to be: the first end counts."""
        known = record_of(here, self.session.name) or Record(
            self.session.name, self.session.agent, iso_seconds(self.session.started)
        )
        if known.ended is not None or not self.is_ended:
            return known
        return replace(known, ended=iso_seconds(self.work.clock.now()))

    def _taken_back(self) -> list[str]:
        """Withdraws what arrived of notes that stay. What is to be said of them."""
        if not self._stayed:
            return []
        ids = {each.note.id for each in self.decisions if each.note.path in self._stayed}
        for branch in (self.work.place.main, self.work.place.config.branches["archive"]):
            if self.work.place.tip(branch) is not None:
                apply(
                    self.work.place, branch, lambda here: self._withdrawal(here, ids), clock=self.work.clock
                )
        self._promoted = [each for each in self._promoted if each.id not in ids]
        return [f"{path} was changed meanwhile, and stays" for path in sorted(self._stayed)]

    def _withdrawal(self, here: Snapshot, ids: set[MemoryId]) -> Plan:
        arrived = {each.path for each in self._promoted} | self._stayed
        found = [memory for each in sorted(ids) for memory in here.named(each) if memory.path in arrived]
        writes = [FileWrite(path, blob, None) for memory in found for path, blob in _files(here, memory)]
        return self._plan(writes, [memory.id for memory in found], None, has_stood=True)

    def _settled(self, done: dict[str, Applied], operation_id: str, notices: Sequence[str]) -> Settled:
        commits = {branch: each.commit for branch, each in done.items() if each.commit is not None}
        archived = [
            Arrived(each.note.id, each.note.type, each.note.path, each.note.title)
            for each in self._of(Fate.ARCHIVE, Fate.SUMMARY)
            if each.note.path not in self._stayed
        ]
        kept = [e.note.id for e in self.decisions if e.fate is Fate.KEEP or e.note.path in self._stayed]
        record = record_of(self.there.snapshot(), self.session.name) or self.session.record
        return Settled(
            record,
            operation_id if commits else None,
            tuple(self._promoted),
            tuple(self._summaries),
            archived,
            kept,
            commits,
            tuple(notices),
        )


def _files(snapshot: Snapshot, note: Memory) -> list[tuple[str, BlobId]]:
    """The file of a note and those attached to it, as far as they stand in the snapshot."""
    blob = snapshot.blob(note.path)
    return [] if blob is None else [(note.path, blob), *attachments_of(snapshot, note.path)]
