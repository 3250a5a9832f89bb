"""What `health` measures, as values. Sizes are in bytes, times in seconds, moments aware and in UTC.

A part that could not be looked at is None, or empty, and stands in `Health.unread` with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field

from gitmem.git.object_counts import ObjectCounts
from gitmem.model.ids import CommitId, MemoryId


class Size(Struct, frozen=True):
    """How many memories, and how large their files are together; attachments count beside them."""

    memories: int = 0
    bytes: int = 0
    attachments: int = 0
    attachment_bytes: int = 0

    def plus(self, other: Size) -> Size:
        return Size(
            self.memories + other.memories,
            self.bytes + other.bytes,
            self.attachments + other.attachments,
            self.attachment_bytes + other.attachment_bytes,
        )


class Namespace(Struct, frozen=True):
    """The memories of one type and namespace, `name` as in `semantic/people/alice`.

    `grown` is how many more there are than 30 days ago; None where that is not known.
    """

    name: str
    size: Size
    grown: int | None = None


class Folder(Struct, frozen=True):
    """A folder of the tree, and how many files stand directly in it."""

    path: str
    files: int


class Branch(Struct, frozen=True):
    """A branch of the store; `role` is main, archive, working or quarantine."""

    name: str
    role: str
    commit: CommitId
    size: Size


class Month(Struct, frozen=True):
    """How many memories the branch had at the end of a month, or has now, by type."""

    month: str
    commit: CommitId
    by_type: Mapping[str, int]

    @property
    def memories(self) -> int:
        return sum(self.by_type.values())


class IndexLag(Struct, frozen=True):
    """How far the index of a branch is behind: in commits, and since when the first of them waits.

    `commit` is what it shows; None where there is none yet. Every read brings it up to date.
    """

    branch: str
    commit: CommitId | None
    commits_behind: int
    seconds_behind: float

    @property
    def is_current(self) -> bool:
        return self.commit is not None and self.commits_behind == 0


class Latency(Struct, frozen=True):
    """How long the recalls of the last 30 days took in this clone, of the newest few thousand.

    Percentiles by nearest rank: the smallest duration that so many percent do not exceed. Zero, where there
    was none. The start of a process is not in it.
    """

    recalls: int
    p50: float = 0.0
    p95: float = 0.0
    p99: float = 0.0
    slowest: float = 0.0
    by_day: Sequence[tuple[str, int, float, float]] = ()
    """Day, number of recalls, p50 and p95, for each day that had any."""


class Trouble(Struct, frozen=True):
    """A memory that needs somebody: where it stands, and what is wrong with it."""

    id: MemoryId
    path: str
    title: str
    what: str


class Troubles(Struct, frozen=True):
    """What is wrong with single memories, by kind. A duplicate is named once for each that came later."""

    broken_headers: Sequence[Trouble] = ()
    broken_links: Sequence[Trouble] = ()
    stale_anchors: Sequence[Trouble] = ()
    disputes: Sequence[Trouble] = ()
    duplicates: Sequence[Trouble] = ()


class Waiting(Struct, frozen=True):
    """A proposal that waits for a person."""

    name: str
    title: str
    memories: int
    created: datetime
    days: int


STRENGTH_STEPS = 10
"""Into so many equal parts the strengths from 0 to 1 are counted."""


class Tending(Struct, frozen=True):
    """What `tend` would do now: how many memories of the branch and of working each action is about.

    `kept` are those that a policy is about and that stay all the same. With `is_proposed` whoever acts cannot
    archive, so that a proposal would.
    """

    by_action: Mapping[str, int]
    kept: int
    looked_at: int
    is_proposed: bool = False

    @property
    def leaving(self) -> int:
        """The memories that would be archived, or proposed for it."""
        return sum(count for action, count in self.by_action.items() if action != "cold")


class Outlook(Struct, frozen=True):
    """How alive memories are, and what becomes of them.

    `strengths` are counts by type: of the memories whose strength is below 0.1, from there below 0.2, and so
    on. `not_told` says why there is no `tending` although nothing is wrong: it speaks of the whole store, and
    whoever acts may not see all of it.
    """

    strengths: Mapping[str, Sequence[int]]
    tending: Tending | None
    not_told: str | None = None


class Unread(Struct, frozen=True):
    """A part of the store that could not be looked at, and why."""

    part: str
    reason: str


class Finding(Struct, frozen=True):
    """Something that needs looking after: `value` is over `limit`, what that means, and what to do.

    `code` is the setting in the table `health` of the config. It is `not-read` where a part could not be
    looked at: no limit makes that well.
    """

    code: str
    message: str
    hint: str
    value: float | None = None
    limit: int | None = None


NOT_READ = "not-read"


class Health(Struct, frozen=True):
    """How a branch of a store is doing at `moment`; nothing was changed to find out."""

    branch: str
    commit: CommitId | None
    moment: datetime
    name: str
    """What the folder of the store is called."""
    size: Size | None = None
    by_type: Mapping[str, Size] = field(default_factory=dict)
    namespaces: Sequence[Namespace] = ()
    folders: Sequence[Folder] = ()
    """The largest folders, the fullest first."""
    branches: Sequence[Branch] = ()
    months: Sequence[Month] = ()
    indexes: Sequence[IndexLag] = ()
    latency: Latency | None = None
    is_counting: bool = True
    """Whether uses are counted, as the settings say; without, there is no latency."""
    troubles: Troubles | None = None
    outlook: Outlook | None = None
    proposals: Sequence[Waiting] | None = None
    unfinished_writes: int | None = None
    objects: ObjectCounts | None = None
    unread: Sequence[Unread] = ()
    findings: Sequence[Finding] = ()

    @property
    def is_well(self) -> bool:
        """Whether nothing is over its limit, and everything could be looked at."""
        return not self.findings
