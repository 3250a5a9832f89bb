"""What is to be written, as values: drafts of memories, changes of files, plans, and where they come from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from gitmem.model.document import encode
from gitmem.model.ids import BlobId, CommitId, MemoryId
from gitmem.model.memory import Json, MemoryType
from gitmem.model.visible import one_line, printable
from gitmem.model.yaml_writing import header_text

MAX_SUBJECT_CHARACTERS = 72
MAX_IDS_IN_MESSAGE = 100


class Origin(Struct, frozen=True):
    """Who put something there and why. It is recorded with the commit and gives no rights."""

    agent: str | None = None
    session: str | None = None
    source: str | None = None
    reason: str | None = None


class FileWrite(Struct, frozen=True):
    """One file of a plan: its new bytes (None removes it), and the blob it must have now (None: no file).

    A file that is there keeps its mode; `is_executable` is that of a new one, `mode` is set where it may
    change. `blob` stands for the new bytes where the repository has them already.
    """

    path: str
    old: BlobId | None
    data: bytes | None
    blob: BlobId | None = None
    mode: int | None = None
    is_executable: bool = False


class Plan(Struct, frozen=True):
    """Everything one commit will do; nothing has happened yet.

    `trailers` are further lines for the commit message, as (name, value), `body` the paragraphs between its
    subject and the trailers. `witness`, where there is one, is
    another branch and the commit at which it must still stand when this one moves. `merges` is a commit
    that becomes the second parent; with `is_made` it is the commit itself, which the branch has to reach.
    `is_record`: a commit is made though no file changes. `brings` is a commit whose texts come in as they
    are; with `has_stood` the texts of the files have stood in the store before.
    """

    operation: str
    subject: str
    writes: Sequence[FileWrite]
    memory_ids: Sequence[MemoryId] = ()
    origin: Origin = field(default_factory=Origin)
    trailers: Sequence[tuple[str, str]] = ()
    witness: tuple[str, str | None] | None = None
    merges: CommitId | None = None
    is_made: bool = False
    body: str = ""
    is_record: bool = False
    brings: CommitId | None = None
    has_stood: bool = False


class Draft(Struct, frozen=True):
    """A memory that does not exist yet: where it will stand and what its file will say."""

    id: MemoryId
    type: MemoryType
    path: str
    fields: Mapping[str, Json]
    body: str

    @property
    def data(self) -> bytes:
        """The bytes of the file; a body that does not end its last line gets the line end."""
        body = self.body if self.body.endswith(("\n", "\r")) or not self.body else self.body + "\n"
        return encode(header_text(self.fields) + body)


def commit_message(plan: Plan, operation_id: str) -> str:
    """Subject and trailers of the commit that carries out `plan`."""
    named = plan.memory_ids[:MAX_IDS_IN_MESSAGE]
    ids: list[tuple[str, str | None]] = [("Memory-Id", memory_id) for memory_id in named]
    if len(plan.memory_ids) > MAX_IDS_IN_MESSAGE:
        ids.append(("Memory-Count", str(len(plan.memory_ids))))
    origin = plan.origin
    trailers = [
        *ids,
        ("Operation", plan.operation),
        ("Operation-Id", operation_id),
        ("Agent", origin.agent),
        ("Session", origin.session),
        ("Source", origin.source),
        ("Reason", origin.reason),
        *plan.trailers,
    ]
    lines = [f"{name}: {one_line(value)}" for name, value in trailers if value]
    subject = one_line(f"{plan.operation}: {plan.subject}")
    if len(subject) > MAX_SUBJECT_CHARACTERS:
        subject = subject[: MAX_SUBJECT_CHARACTERS - 1].rstrip() + "…"
    paragraphs = [subject, *([body] if (body := _paragraphs(plan.body)) else []), "\n".join(lines)]
    return "\n\n".join(paragraphs) + "\n"


def _paragraphs(text: str) -> str:
    """`text` as lines that command no terminal, without blanks at either end."""
    return "\n".join(printable(line).rstrip() for line in text.strip().splitlines()).strip()


def trailers_of(message: str) -> dict[str, list[str]]:
    """The trailers in the last paragraph of a commit message; empty where there are none."""
    paragraphs = message.rstrip().split("\n\n")
    found: dict[str, list[str]] = {}
    if len(paragraphs) < 2:
        return found
    for line in paragraphs[-1].splitlines():
        name, colon, value = line.partition(": ")
        if colon and re.fullmatch(r"[A-Za-z][A-Za-z-]*", name):
            found.setdefault(name, []).append(value.strip())
    return found
