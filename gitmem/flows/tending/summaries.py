"""Summaries: of the memories of one month that leave main, one memory stays that says what they were.

The first sentence of each is taken as it stands, so that nothing is said which nobody wrote; each line has
the id, by which the whole text is found on the archive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from gitmem.flows.screening.rules import Screening
from gitmem.flows.work import Work
from gitmem.flows.working.notes import FOLDED
from gitmem.flows.writing.drafting import Request, TakenIds, draft_of
from gitmem.lifecycle.life import Life
from gitmem.lifecycle.plan import Step
from gitmem.model.change import Draft, Origin
from gitmem.model.cutting import character_end
from gitmem.model.ids import CommitId
from gitmem.model.memory import Json, MemoryType
from gitmem.model.sentences import sentences_of
from gitmem.model.summary import SUMMARISES
from gitmem.model.visible import memories_text, one_line
from gitmem.versions.naming import Naming
from gitmem.versions.snapshot import Snapshot

TAG = "summary"
MOST_IN_A_SUMMARY = 200
MOST_LINE_CHARACTERS = 240
NO_MONTH = "undated"


class _Group(Struct, frozen=True):
    """Memories of one month, namespace, type and person, that become one summary."""

    month: str
    namespace: str
    type: MemoryType
    subject: str | None
    lives: Sequence[Life]

    @property
    def title(self) -> str:
        about = f" in {self.namespace}" if self.namespace else ""
        return f"Summary of {self.month}{about}: {memories_text(len(self.lives))}"


def summaries_of(
    work: Work, commits: Mapping[str, CommitId], steps: Sequence[Step], origin: Origin
) -> list[Draft]:
    """Drafts of the summaries of what the steps take off main, which is read as it was in `commits`.

    Of encrypted memories none is made: its title would tell what nobody may read.
    """
    groups = list(_groups(work, steps))
    if not groups:
        return []
    snapshot = work.place.snapshot(commits[work.branch])
    naming, taken, screening = Naming(snapshot), TakenIds(snapshot), Screening(work.place)
    now = work.clock.now()
    return [
        draft_of(_request(group, snapshot, origin), naming, now, taken, screening.title) for group in groups
    ]


def _groups(work: Work, steps: Sequence[Step]) -> Iterator[_Group]:
    found: dict[tuple[str, str, MemoryType, str | None], list[Life]] = {}
    for step in steps:
        life = step.life
        partition = work.place.config.policy.partition_of(life.path, life.type)
        if life.branch != work.branch or (partition is not None and partition.encryption):
            continue
        month = (life.created or NO_MONTH)[:7]
        found.setdefault((month, life.namespace, life.type, life.subject), []).append(life)
    for (month, namespace, kind, subject), lives in sorted(found.items(), key=lambda each: str(each[0])):
        lives.sort(key=lambda life: (life.created or "", life.path))
        for start in range(0, len(lives), MOST_IN_A_SUMMARY):
            yield _Group(month, namespace, kind, subject, lives[start : start + MOST_IN_A_SUMMARY])


def _request(group: _Group, snapshot: Snapshot, origin: Origin) -> Request:
    related: list[Json] = [{"to": life.id, "relation": SUMMARISES} for life in group.lives]
    return Request(
        text="\n".join(_line(life, snapshot) for life in group.lives) + "\n",
        title=group.title,
        type=str(group.type),
        namespace=group.namespace or None,
        tags=[TAG],
        fields={FOLDED: len(group.lives), "related": related},
        created=max((life.created or "" for life in group.lives), default="") or None,
        subject=group.subject,
        origin=Origin(agent=origin.agent, session=origin.session),
    )


def _line(life: Life, snapshot: Snapshot) -> str:
    """The day, the title, and the first sentence of the memory, with its id."""
    memory = snapshot.read(life.path, life.blob)
    title = one_line(life.title)
    sentences = (one_line(each).lstrip("# ") for each in sentences_of(memory.body))
    first = next((each for each in sentences if each and each != title), "")
    day = (life.created or "")[:10]
    text = title if title.startswith(first) else f"{title}: {first}"
    if len(text) > MOST_LINE_CHARACTERS:
        text = text[: character_end(text, MOST_LINE_CHARACTERS - 1)].rstrip() + "…"
    return f"- {day + ' ' if day else ''}{text} ({life.id})"
