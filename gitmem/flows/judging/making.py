"""What one commit of `remember` holds: new files, and what their coming changes in the headers of others."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from gitmem.flows.judging.marking import Marks
from gitmem.flows.judging.verdicts import Judging, Verdict, verdicts
from gitmem.flows.work import Work
from gitmem.flows.writing.drafting import Request
from gitmem.flows.written import Judged
from gitmem.model.change import Draft, FileWrite
from gitmem.model.ids import MemoryId
from gitmem.versions.snapshot import Snapshot

UNJUDGED = Judging(exact=False, near=False, contradictions=False, marks=False, weighs=False)
"""Everything is written as it is asked for."""


class Made(Struct):
    """The verdicts on the requests of one commit, what each is told, its draft, and confirmations."""

    verdicts: Sequence[Verdict]
    told: Sequence[Sequence[Judged]]
    drafts: list[Draft | None] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    marks: Sequence[FileWrite] = ()
    marked: Sequence[MemoryId] = ()

    @property
    def new(self) -> list[Draft]:
        """The drafts of what is new."""
        return [draft for draft in self.drafts if draft is not None]

    @property
    def writes(self) -> list[FileWrite]:
        """All files of the commit."""
        return [*(FileWrite(draft.path, None, draft.data) for draft in self.new), *self.marks]

    @property
    def ids(self) -> list[MemoryId]:
        """The memories of the commit, the new ones first."""
        return [*(draft.id for draft in self.new), *self.marked]


def judge(
    work: Work, snapshot: Snapshot, requests: Sequence[Request], judging: Judging, marks: Marks
) -> Made:
    """The verdicts on `requests`, with what cannot be marked left as it is. Raises `NearDuplicate`."""
    prepared = [marks.prepared(verdict) for verdict in verdicts(work, snapshot, requests, judging)]
    return Made([verdict for verdict, _ in prepared], [told for _, told in prepared])
