"""The gate: no commit is made before what is new in it was judged by the privacy rules of the store.

All writes pass here, since all pass `apply`. What a plan composes is judged by its files and by its message:

    block    the write is refused, and nothing is written
    redact   a placeholder takes the place of the value, before anything is written
    warn     the write is made, and said to hold it
What comes in as it is, with a merge, cannot be rewritten here: see `screen_incoming`. What has stood in the
store before, and is moved or brought back, is not judged again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.errors import Damaged, Refused
from gitmem.flows.screening.rules import Screening, is_judged, text_of
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.document import encode
from gitmem.model.place import owner_of
from gitmem.model.proposal import PROPOSALS, is_proposal
from gitmem.model.sensitive import Action
from gitmem.privacy.judge import Judge, Sighting
from gitmem.privacy.memory_text import Examined, examine, examine_text
from gitmem.privacy.wording import counted, placed
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

NOT_JUDGED = frozenset({"Reviewed-by", "Proposed-by", "Memory-Id"})
"""Trailers that say who acted, by an identity that the policy names."""
NAMED_BY_PATH = frozenset({"import", "commit", "edit"})
"""Operations whose new files a person has named."""
FEW_WRITES = 20
REFUSAL_HINT = (
    "take it out; if it belongs there, a person can allow the kind under [privacy] in .gitmem/config.toml"
)


class Screened(Struct, frozen=True):
    """A plan as it may be carried out, and what is to be said of that."""

    plan: Plan
    notices: tuple[str, ...] = ()


def screen(place: Place, snapshot: Snapshot, plan: Plan, *, branch: str) -> Screened:
    """Judges what is new in `plan`, and redacts. Raises `Refused` naming kind and place."""
    screening = Screening(place)
    if not screening.is_needed:
        return Screened(plan)
    came = plan.brings or plan.merges
    if came is not None:
        from gitmem.flows.screening.incoming import screen_incoming

        known = [tip for tip in (snapshot.commit, place.tip(place.main)) if tip]
        notices = screen_incoming(screening, came, known)
        said: list[Sighting] = []
        plan = _with_message(screening, plan, said)
        _refuse(said)
        return Screened(plan, (*notices, *told_of(said)))
    gate = _Gate(screening, snapshot, plan)
    writes = plan.writes if plan.has_stood else gate.writes()
    plan = _with_message(screening, replace(plan, writes=writes), gate.sightings)
    if is_proposal(branch) and snapshot.commit is not None:
        _refuse_name(screening.judge(), branch)
    _refuse(gate.sightings)
    return Screened(plan, (*gate.notices, *told_of(gate.sightings)))


def screen_edits(place: Place, snapshot: Snapshot, plan: Plan) -> Screened:
    """Judges the files of `plan`, which git will commit as they are in the worktree: none is changed.

    Raises `Refused` for what is blocked and what would be redacted: the files are theirs to change.
    """
    screening = Screening(place)
    if not screening.is_needed:
        return Screened(plan)
    gate = _Gate(screening, snapshot, plan)
    gate.writes()
    strict = [
        replace(each, action=Action.BLOCK)
        for each in gate.sightings
        if each.action.strictness >= Action.REDACT.strictness
    ]
    _refuse(strict)
    said: list[Sighting] = []
    plan = _with_message(screening, plan, said)
    _refuse(said)
    return Screened(plan, (*gate.notices, *told_of([*gate.sightings, *said])))


class ExaminedFile(Struct, frozen=True):
    """The bytes of a file with what is to be redacted redacted, and what was found in it."""

    data: bytes
    sightings: Sequence[Sighting] = ()
    is_cut: bool = False


def examine_file(
    judge: Judge, data: bytes, before: Sequence[str], screening: Screening, *, is_memory: bool
) -> ExaminedFile:
    """Judges what is new in a file against what stood there `before`; one that is no text passes."""
    text = text_of(data)
    if text is None:
        return ExaminedFile(data)
    look: Callable[..., Examined] = examine if is_memory else examine_text
    examined = look(judge, text.text, before, screening.hide)
    new = data if examined.text == text.text else encode(examined.text) + text.rest
    return ExaminedFile(new, examined.sightings, text.is_cut)


class _Gate(Struct):
    """The files of one plan, judged one after the other."""

    screening: Screening
    snapshot: Snapshot
    plan: Plan
    sightings: list[Sighting] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def writes(self) -> list[FileWrite]:
        """The writes with what is to be redacted redacted; those that then change nothing are left out."""
        shared = self._shared()
        count = sum(write.data is not None for write in self.plan.writes)
        done: list[FileWrite] = []
        for number, write in enumerate(self.plan.writes, 1):
            if write.data is None or write.blob is not None or not is_judged(write.path):
                done.append(write)
                continue
            where = self._name(write, number, count)
            before = shared if len(self.plan.writes) <= FEW_WRITES else [*shared, *self._old(write)]
            judge = self.screening.judge(write.path, write.data)
            if write.old is None:
                self._judge_name(judge, write.path)
            data = self._judged(judge, write, before, where)
            if data is write.data or self._is_new(write, data):
                done.append(write if data is write.data else replace(write, data=data))
        return done

    def _judged(self, judge: Judge, write: FileWrite, before: Sequence[str], where: str) -> bytes:
        assert write.data is not None, "checked by the caller"
        is_memory = self.snapshot.is_memory_path(write.path)
        found = examine_file(judge, write.data, before, self.screening, is_memory=is_memory)
        self.sightings += [replace(each, place=f"{each.place} of {where}") for each in found.sightings]
        if found.is_cut:
            self.notices.append(f"{where} is too large to be looked through: only its beginning was judged")
        return found.data

    def _is_new(self, write: FileWrite, data: bytes) -> bool:
        return self.screening.place.repository.blob_id_of(data) != write.old

    def _shared(self) -> list[str]:
        """What stood in files that the plan takes away, as in a renaming, or in any of a small plan."""
        writes = self.plan.writes
        chosen = [
            each for each in writes if len(writes) <= FEW_WRITES or (each.data is None and each.blob is None)
        ]
        return [text for each in chosen for text in self._old(each)]

    def _old(self, write: FileWrite) -> list[str]:
        if write.old is None or not is_judged(write.path):
            return []
        try:
            found = text_of(self.screening.place.repository.read_blob(write.old))
        except Damaged:
            return []
        return [] if found is None else [found.text]

    def _judge_name(self, judge: Judge, path: str) -> None:
        """A new name cannot be redacted: links and ids go by it. So what would be is refused.

        A folder that is there already is no new name.
        """
        where = "the path of a new file"
        if self.plan.operation in NAMED_BY_PATH:
            where = f"the path {judge.hidden(path, self.screening.hide)}"
        parts = path.removesuffix(".md").split("/")
        for depth, part in enumerate(parts, 1):
            for found in judge.find(part):
                if self.snapshot.occupied("/".join(parts[:depth])):
                    continue
                sighting = judge.sighting(found, part, where)
                is_strict = sighting.action.strictness >= Action.REDACT.strictness
                self.sightings.append(replace(sighting, action=Action.BLOCK) if is_strict else sighting)

    def _name(self, write: FileWrite, number: int, count: int) -> str:
        """How a file is called in a message: not by a new path, which can be made from what is refused."""
        if write.old is not None or self.plan.operation in NAMED_BY_PATH:
            return write.path
        if owner_of(write.path) is not None:
            # A name with something in it is refused by itself.
            name = write.path.rpartition("/")[2]
            return "the attachment" if self.screening.judge().find(name) else f"the attachment {name}"
        return "the memory" if count == 1 else f"memory {number} of {count}"


def _with_message(screening: Screening, plan: Plan, sightings: list[Sighting]) -> Plan:
    """The plan with a message that may be written; what a caller said in it is judged like a text.

    The subject is a title, which is judged where it stands; here it is only redacted.
    """
    judge = screening.judge()

    def said(place: str, text: str) -> str:
        examined = examine_text(judge, text, (), screening.hide)
        sightings.extend(replace(each, place=place) for each in examined.sightings)
        return examined.text

    origin = plan.origin
    given = {
        name: value for name in ("agent", "session", "source", "reason") if (value := getattr(origin, name))
    }
    return replace(
        plan,
        subject=judge.hidden(plan.subject, screening.hide),
        origin=Origin(**{name: said(f"the {name}", value) for name, value in given.items()}),
        body=said("the description", plan.body) if plan.body else "",
        trailers=[
            (name, value if name in NOT_JUDGED else said(f"the {name.lower()}", value))
            for name, value in plan.trailers
        ],
    )


def _refuse_name(judge: Judge, branch: str) -> None:
    for found in judge.find(branch.removeprefix(PROPOSALS)):
        sighting = judge.sighting(found, branch.removeprefix(PROPOSALS), "the name of the proposal")
        _refuse([replace(sighting, action=Action.BLOCK)])


def _refuse(sightings: Sequence[Sighting]) -> None:
    blocked = [each for each in sightings if each.action is Action.BLOCK]
    if blocked:
        raise Refused(f"{placed(blocked)}: nothing was written", hint=REFUSAL_HINT)


def told_of(sightings: Sequence[Sighting]) -> list[str]:
    """One notice of what was redacted, and one of what is there all the same."""
    redacted = [each for each in sightings if each.action is Action.REDACT]
    warned = [each for each in sightings if each.action is Action.WARN]
    said = [f"{counted(redacted)} redacted before writing"] if redacted else []
    return said + ([f"written as it is: {placed(warned)}"] if warned else [])
