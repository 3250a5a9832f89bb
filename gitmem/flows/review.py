"""review: a proposal as memories, beside what the store says already; changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.errors import Refused
from gitmem.flows.checks.change import check_change
from gitmem.flows.merge import PolicyChange, merged_trees
from gitmem.flows.recall import similar
from gitmem.flows.work import Work
from gitmem.model.diff import FieldChange, diff_memories
from gitmem.model.ids import MemoryId, id_key
from gitmem.model.memory import Memory
from gitmem.model.proposal import Proposal
from gitmem.model.proposal_change import ChangeKind, MemoryChange, ProposalChanges
from gitmem.model.sentences import SentenceChange, changed_sentences
from gitmem.versions.audit import Finding
from gitmem.versions.proposal_changes import changes_of
from gitmem.versions.proposals import get_proposal, proposals_of

MOST_BESIDE = 3
WORDS_ASKED = 20
RELEVANT = 0.35
"""From this relevance on a memory is shown beside another; the question is its title and first words."""
TOLD_OTHERWISE = frozenset({"deleted", "policy-changed"})
"""What `check` finds and a review says in words of its own."""
NOT_COMPARED = frozenset({"id"})


class Beside(Struct, frozen=True):
    """A memory of main that is about the same; `is_same_text`: its text is that of the proposed one."""

    id: MemoryId
    title: str
    path: str
    snippet: str
    is_same_text: bool


class ReviewedMemory(Struct, frozen=True):
    """One memory of a proposal: what changes by field and by sentence, and what main has beside it.

    `is_disputed`: main changed it too, and what both wrote contradicts; accepting keeps both versions.
    """

    change: MemoryChange
    fields: Sequence[FieldChange]
    sentences: Sequence[SentenceChange]
    beside: Sequence[Beside] = ()
    is_disputed: bool = False


class Review(Struct, frozen=True):
    """A proposal to be read. `policy` are files below `.gitmem/`, which a person has to look at.

    `obstacle` says why it cannot be accepted as it stands, `findings` what `check` finds in what it changes,
    the worst first.
    """

    proposal: Proposal
    memories: Sequence[ReviewedMemory]
    files: Sequence[str]
    policy: Sequence[str]
    obstacle: str | None = None
    findings: Sequence[Finding] = ()

    def count(self, kind: ChangeKind) -> int:
        """How many memories are changed in this way."""
        return sum(1 for each in self.memories if each.change.kind is kind)


def proposals(work: Work, *, settled: bool) -> list[tuple[Proposal, ProposalChanges]]:
    """The open proposals, with `settled` the accepted and rejected ones too, the newest first."""
    found = [each for each in proposals_of(work.place) if settled or each.is_open]
    return [(each, changes_of(work.place, each)) for each in found]


def review(work: Work, name: str) -> Review:
    """The proposal of this name. Raises `NotFound`."""
    proposal = get_proposal(work.place, name)
    changes = changes_of(work.place, proposal)
    main = work.on(work.place.main)
    disputed: set[str] = set()
    obstacle = None
    if proposal.is_open:
        try:
            ours = main.place.tip(main.branch)
            assert ours is not None, "a proposal begins at main"
            merged = merged_trees(main.whole, ours, proposal.tip, PolicyChange.LEAVE, proposal.branch)
            disputed = {id_key(memory_id) for memory_id in merged.disputed}
        except Refused as error:
            obstacle = error.message
    memories = [
        _reviewed(main, each, is_disputed=id_key(each.id) in disputed, looks=proposal.is_open)
        for each in changes.memories
    ]
    findings = _findings(main, proposal) if proposal.is_open and proposal.base is not None else []
    return Review(proposal, memories, changes.files, changes.policy, obstacle, findings)


def _findings(main: Work, proposal: Proposal) -> list[Finding]:
    tip = main.place.tip(main.branch)
    assert tip is not None, "a proposal begins at main"
    checked = check_change(main.on(proposal.branch), tip)
    return [each for each in checked.findings if each.code not in TOLD_OTHERWISE]


def _reviewed(main: Work, change: MemoryChange, *, is_disputed: bool, looks: bool) -> ReviewedMemory:
    old, new = change.old, change.new
    fields: list[FieldChange] = []
    if old is not None and new is not None:
        fields = list(diff_memories(old, new).fields)
    elif new is not None:
        fields = [FieldChange(name, None, value) for name, value in new.fields.items()]
    sentences = changed_sentences(old.body if old else "", new.body) if new is not None else []
    beside = _beside(main, new) if looks and new is not None and (sentences or old is None) else []
    return ReviewedMemory(
        change, [f for f in fields if f.field not in NOT_COMPARED], sentences, beside, is_disputed
    )


def _beside(main: Work, memory: Memory) -> list[Beside]:
    """What main has about the same, texts that are the same first."""
    text = " ".join(memory.body.split())
    question = " ".join(dict.fromkeys(f"{memory.title} {text}".split()[:WORDS_ASKED]))
    found = []
    for each, other in similar(main, question, limit=MOST_BESIDE + 1):
        is_same = " ".join(other.body.split()) == text
        if id_key(other.id) == id_key(memory.id) or not (is_same or each.hit.relevance >= RELEVANT):
            continue
        found.append(Beside(other.id, other.title, other.path, each.snippet.text, is_same))
    return sorted(found, key=lambda each: not each.is_same_text)[:MOST_BESIDE]
