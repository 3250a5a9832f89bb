"""The memories that may matter for a task, and what of them goes into a context."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from gitmem.errors import Damaged, NotFound
from gitmem.evolve.claims import Reading
from gitmem.evolve.duplicates import says_the_same
from gitmem.flows.reading.filters import make_where
from gitmem.flows.reading.recollection import Recalled, Recollection
from gitmem.flows.recall import list_memories, uncounted
from gitmem.flows.work import Work
from gitmem.flows.working.notes import UNNAMED
from gitmem.index.analysis import query_terms
from gitmem.model.document import decode
from gitmem.model.ids import CommitId, id_key
from gitmem.model.memory import Memory, MemoryType, Status
from gitmem.model.merge.settle import disputes_of
from gitmem.recall.composing import Candidate
from gitmem.versions.history import Step, history
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.recall.where import Where

MOST_TOGETHER, MOST_OF_A_TYPE = 40, 12
"""How many memories are looked at, in all and of each type."""
LEAST_SHARE = 0.35
"""What has less than this share of the relevance of the best is not worth its room."""
DISPUTED_WHOLE_CHARACTERS = 1_500
LIKE_SHARE = 0.5
"""Of the fewer words, so many must be the other's too before the two are read closely."""
READ_CHARACTERS = 4_000
"""So much of a memory is compared with others; one that is longer is the same only as its own copy."""
SECTION_OF = {
    MemoryType.WORKING: "working",
    MemoryType.REFLECTIVE: "warnings",
    MemoryType.PROCEDURAL: "howto",
    MemoryType.SEMANTIC: "knowledge",
    MemoryType.EPISODIC: "episodes",
}
MOST_STEPS = 20
"""So many versions are looked through for the one that is shown."""
UNDATED = "undated"
PAST = (Status.SUPERSEDED, Status.EXPIRED)


class Wanted(Struct, frozen=True):
    """Whose memories may matter, and whose working memories are those of now."""

    agent: str | None = None
    namespace: str | None = None
    session: str | None = None

    def where(self, type: MemoryType | None = None, *, session: str | None = None) -> Where:
        """The filter for memories of one type, or of all, and of one session, or of all."""
        return make_where(type=type, agent=self.agent, namespace=self.namespace, session=session)


def mattering(work: Work, snapshot: Snapshot, task: str, wanted: Wanted) -> tuple[list[Found], list[str]]:
    """The working memories of the session, then what is relevant to the task, each memory once.

    And what is to be said of memories that were not looked at, or not shown.
    """
    kept: dict[str, Found] = {}
    relevant, notes = _relevant(work, snapshot, task, wanted)
    for each in (*_of_session(work, wanted), *relevant):
        kept.setdefault(id_key(each.memory.id), each)
    return list(kept.values()), notes


class Found(Struct, frozen=True, dict=True):
    """A memory that may matter, and where it was found."""

    work: Work
    snapshot: Snapshot
    memory: Memory
    score: float
    labels: tuple[str, ...] = ()

    @cached_property
    def candidate(self) -> Candidate:
        memory = self.memory
        sides = self._sides()
        return Candidate(
            section=SECTION_OF[memory.type],
            id=memory.id,
            stamp=lambda: self.version,
            title=memory.title,
            text=_without_title(memory) if sides is None else sides,
            type=str(memory.type),
            namespace=memory.namespace,
            labels=self.labels,
            score=self.score,
            terms=self._terms,
            is_whole=sides is not None,
        )

    @cached_property
    def _terms(self) -> frozenset[str]:
        return frozenset(query_terms(self.memory.body[:READ_CHARACTERS]))

    @cached_property
    def _reading(self) -> Reading:
        return Reading(self.memory, self.memory.body[:READ_CHARACTERS])

    def says_the_same(self, other: Found) -> bool:
        """Whether both say the same; one that is disputed says it with nobody."""
        if Status.DISPUTED in (self.memory.status, other.memory.status):
            return False
        if self.memory.body.strip() == other.memory.body.strip():
            return True
        if max(len(self.memory.body), len(other.memory.body)) > READ_CHARACTERS:
            return False
        fewer = min(len(self._terms), len(other._terms))
        is_like = len(self._terms & other._terms) >= LIKE_SHARE * fewer
        return is_like and says_the_same(self._reading, other._reading)

    @cached_property
    def version(self) -> tuple[str, str]:
        """The commit of the last change, shortened, and a day: of that change, or the memory's own.

        Its own counts where it says what happened, and where it never changed: an import has a day too.
        """
        created = (self.memory.created or "")[:10] or UNDATED
        if self.snapshot.commit is None or self.snapshot.blob(self.memory.path) is None:
            return "uncommitted", created
        step = self._step(self.snapshot.commit)
        if step is None:
            return "uncommitted", created
        is_own = created != UNDATED and (step.is_born or self.memory.type is MemoryType.EPISODIC)
        return step.commit.id[:10], created if is_own else step.commit.committer_time.date().isoformat()

    def _step(self, commit: CommitId) -> Step | None:
        """The newest version that says this, or the newest: an edit that is not committed stands on that."""
        newest: Step | None = None
        steps = history(self.work.place, commit, self.memory.path)
        for step in islice((step for step in steps if not step.is_move), MOST_STEPS):
            newest = newest or step
            if step.blob == self.memory.blob:
                return step
        return newest

    def _sides(self) -> str | None:
        """All versions of what is disputed; None where nothing is."""
        if self.memory.status is not Status.DISPUTED:
            return None
        try:
            text, _ = decode(self.work.place.repository.read_blob(self.memory.blob))
        except (Damaged, NotFound):
            return self.memory.body
        disputes = disputes_of(text)
        is_short = len(self.memory.body) <= DISPUTED_WHOLE_CHARACTERS
        lines = [self.memory.body.strip()] if is_short else []
        for dispute in disputes:
            if is_short and dispute.line:
                continue
            lines += [
                f"Disputed {dispute.field}, version {', '.join(option.names)}: {option.text.strip()}"
                for option in dispute.options
            ]
        return "\n".join(lines)


def _of_session(work: Work, wanted: Wanted) -> Iterator[Found]:
    """The working memories of a session, the newest best; where none is named, those written without one.

    Whose they are and where they belong makes no difference: they are what is being done.
    """
    where = make_where(type=MemoryType.WORKING, session=wanted.session or UNNAMED)
    for here in _with_working(work):
        snapshot = here.snapshot()
        for place, record in enumerate(list_memories(here, where, limit=MOST_OF_A_TYPE).records):
            memory = snapshot.memory(record.path)
            if memory is not None and memory.blob == record.blob:
                yield Found(here, snapshot, memory, 1.0 - place / (2 * MOST_OF_A_TYPE))


def _with_working(work: Work) -> list[Work]:
    working = work.beside(work.place.config.branches["working"])
    return [work] if working is None or working.branch == work.branch else [work, working]


def _relevant(work: Work, snapshot: Snapshot, task: str, wanted: Wanted) -> tuple[list[Found], list[str]]:
    """What is relevant to the task: the best of all, and of each type; none where nothing is relevant.

    With a session, the working memories of others stay out; those on the working branch always do.
    """
    best = uncounted(work, task, wanted.where(), snapshot, limit=MOST_TOGETHER, min_relevance=None)
    types = [each for each in MemoryType if wanted.session is None or each is not MemoryType.WORKING]
    asked = [(work, snapshot, best)]
    for type in types if best.hits else ():
        asked.append((work, snapshot, _of_type(work, snapshot, task, wanted.where(type))))
    least = LEAST_SHARE * max((each.hit.relevance for each in best.hits), default=1.0)
    found = [
        Found(here, there, memory, each.hit.relevance, _labels(each, memory))
        for here, there, answer in asked
        for each in answer.hits
        # What the search saw: it may be an edit, or an older version where signatures are required.
        if (memory := each.memory) is not None
        and memory.type in types
        and each.hit.relevance >= least
        and memory.status not in PAST
        and not each.hit.superseded_by
        and not memory.is_unreadable
    ]
    notes = list(dict.fromkeys((*best.notes, *best.unreadable)))
    return sorted(found, key=lambda each: -each.score), notes


def _of_type(work: Work, snapshot: Snapshot, task: str, where: Where) -> Recollection:
    return uncounted(work, task, where, snapshot, limit=MOST_OF_A_TYPE, min_relevance=0.0)


def _labels(recalled: Recalled, memory: Memory) -> tuple[str, ...]:
    own = (str(memory.status),) if memory.status is not Status.ACTIVE else ()
    return tuple(dict.fromkeys((*own, *recalled.hit.labels)))


def _without_title(memory: Memory) -> str:
    """The text without the heading that its title was taken from."""
    head, _, rest = memory.body.lstrip().partition("\n")
    if head.startswith("#") and head.lstrip("# ").strip() == memory.title:
        return rest.strip("\n")
    return memory.body.strip("\n")
