"""brief: an overview of the store for the beginning of a session: what it is, what matters, what is open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from gitmem.flows.recall import list_memories
from gitmem.flows.review import proposals
from gitmem.flows.tending.cold import cold_paths
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId, id_key
from gitmem.model.injected import BRIEF_EXPLAINED
from gitmem.model.memory import MemoryType, Status
from gitmem.model.usage import NEVER, Uses
from gitmem.model.visible import memories_text

if TYPE_CHECKING:
    from gitmem.index.record import Record
    from gitmem.recall.overview import Part

MARK = "<!-- gitmem brief: made by gitmem, which replaces it; edit the memories instead -->"
IMPORTANT = 0.8
"""From this importance on, a memory stands among the most important."""
MOST_IMPORTANT = 25
MOST_NAMESPACES = 12
MOST_OF_A_NAMESPACE = 7
MOST_OPEN = 15
MOST_NOTES = 5
HEAD_LINES = 5
"""The last of them says what is shown."""
NO_NAMESPACE = "Without a namespace"
SHORT_NAMES = {
    MemoryType.REFLECTIVE: "warning",
    MemoryType.PROCEDURAL: "how to",
    MemoryType.EPISODIC: "happened",
    MemoryType.WORKING: "working on",
}


class Brief(Struct, frozen=True):
    """The overview as Markdown, and what it counts. `commit` is what it shows."""

    text: str
    commit: CommitId | None
    memories: int
    disputed: int
    proposals: int


def brief(work: Work) -> Brief:
    """The overview of the branch; the same memories at the same time give the same text."""
    from gitmem.recall.overview import overview
    from gitmem.recall.where import Where

    listing = list_memories(work, Where(), limit=None)
    cold = cold_paths(work, listing)
    corrected = {id_key(name) for each in listing.records for name in each.supersedes}
    records = [
        each
        for each in listing.records
        if each.status not in (Status.SUPERSEDED, Status.EXPIRED)
        and id_key(each.id) not in corrected
        and each.path not in cold
    ]
    disputed = [each for each in records if each.status is Status.DISPUTED]
    open_proposals = [] if work.is_past else proposals(work, settled=False)
    alive = _most_alive(work, records, listing.uses or {})
    important = [each for each in alive if each.importance >= IMPORTANT]
    named = {each.path for each in important[:MOST_IMPORTANT]}
    notes = [*listing.notes, *([_cold_note(len(cold))] if cold else [])]
    head = _head(work, listing.records, listing.commit, notes)
    text = overview(
        head,
        [
            _most_important(important),
            *_by_namespace([each for each in alive if each.path not in named]),
            _part("Disputed: two versions are kept, a person settles it", disputed, MOST_OPEN),
            _waiting([(each.name, each.title, len(changes.memories)) for each, changes in open_proposals]),
        ],
        _foot(),
    )
    return Brief(text, listing.commit, len(listing.records), len(disputed), len(open_proposals))


def _cold_note(count: int) -> str:
    return (
        f"{memories_text(count)} {'is' if count == 1 else 'are'} cold and not named here; recall finds them"
    )


def _head(work: Work, records: Sequence[Record], commit: CommitId | None, notes: Sequence[str]) -> list[str]:
    from gitmem.recall.overview import shortened

    repository = work.place.repository
    name = shortened((repository.worktree or repository.common_dir).name)
    counts = Counter(str(each.type) for each in records)
    kinds = ", ".join(f"{counts[kind]:,} {kind}" for kind in map(str, MemoryType) if counts[kind])
    holds = f"{memories_text(len(records))} ({kinds})" if kinds else memories_text(len(records))
    return [
        MARK,
        f"# Memories of {name}",
        "",
        "This is a gitmem store: memories that last from one session to the next, versioned in git.",
        f"It holds {holds}. {shown_at(work.branch, commit)}",
        "",
        *(f"Note: {shortened(note)}." for note in notes[:MOST_NOTES]),
        BRIEF_EXPLAINED,
    ]


def shows(text: str, branch: str, commit: CommitId) -> bool:
    """Whether `text` is a brief that shows this commit, as its head says."""
    head = text.split("\n", HEAD_LINES)
    return len(head) > HEAD_LINES and head[0] == MARK and head[-2].endswith(shown_at(branch, commit))


def shown_at(branch: str, commit: CommitId | None) -> str:
    """What a brief shows, as its head says it."""
    at = f" at {commit[:10]}" if commit else ", which has no commit yet"
    return f"Shown is {branch}{at}."


def _foot() -> list[str]:
    return [
        "## More",
        "",
        '- `gitmem recall "a question in plain words"` finds memories, `gitmem show ID` reads one.',
        '- `gitmem context "the task"` gives what matters for a task, within a budget of tokens.',
        '- `gitmem remember "..."` keeps something for later sessions; look first whether it is known.',
    ]


def _most_alive(work: Work, records: Iterable[Record], uses: Mapping[str, Uses]) -> list[Record]:
    """The records, the most alive first: by importance, age and use, as recall weighs them."""
    from gitmem.index.moments import parse_moment
    from gitmem.recall.factors import recency_factor
    from gitmem.recall.use import UseFactor
    from gitmem.recall.weights import SWING

    now = work.now()
    use = UseFactor(lambda memory_id: uses.get(memory_id, NEVER), now)

    def strength(record: Record) -> float:
        moment = parse_moment(record.created)
        days = 0.0 if moment is None else (now - moment).total_seconds() / 86_400
        reason = use.reason(record.id)
        importance = 1 + SWING * (2 * record.importance - 1)
        recency = 1.0 if moment is None else recency_factor(days)
        return importance * recency * (1.0 if reason is None else reason.factor)

    return sorted(records, key=lambda each: (-strength(each), each.path))


def _most_important(important: Sequence[Record]) -> Part:
    return _part("Most important", important, MOST_IMPORTANT)


def _by_namespace(alive: Sequence[Record]) -> Iterator[Part]:
    """The most alive of each namespace, by its first two parts; the largest namespaces first.

    What stands among the most important is not named again.
    """
    by_name: dict[str, list[Record]] = {}
    for record in alive:
        name = "/".join(record.namespace.split("/")[:2]) or NO_NAMESPACE
        by_name.setdefault(name, []).append(record)
    names = sorted(by_name, key=lambda name: (name == NO_NAMESPACE, -len(by_name[name]), name))
    for name in names[:MOST_NAMESPACES]:
        records = by_name[name]
        yield _part(f"{name} ({len(records):,})", records, MOST_OF_A_NAMESPACE)
    rest = names[MOST_NAMESPACES:]
    if rest:
        from gitmem.recall.overview import Part, shortened

        lines = [shortened(f"{name} ({len(by_name[name]):,})") for name in rest[:MOST_NAMESPACES]]
        yield Part("Other namespaces", lines, len(rest))


def _part(heading: str, records: Sequence[Record], most: int) -> Part:
    from gitmem.recall.overview import Part, shortened

    lines = []
    for record in records[:most]:
        kind = SHORT_NAMES.get(record.type)
        created = (record.created or "")[:10]
        beside = ", ".join(filter(None, (kind, created if record.type is MemoryType.EPISODIC else "")))
        lines.append(f"[{record.id}] {shortened(record.title)}" + (f" ({beside})" if beside else ""))
    return Part(shortened(heading), lines, len(records))


def _waiting(found: Sequence[tuple[str, str, int]]) -> Part:
    from gitmem.recall.overview import Part, shortened

    lines = [
        f"{name}: {shortened(title)} ({memories_text(count)})" for name, title, count in found[:MOST_OPEN]
    ]
    return Part("Proposed: waits until a person reviews it", lines, len(found))
