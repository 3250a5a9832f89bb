"""What a memory is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct, field

from gitmem.model.ids import BlobId, MemoryId

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def as_text(value: Json) -> str | None:
    """A scalar as the text a person would write; None for nothing, lists and mappings."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return None


class MemoryType(StrEnum):
    """What kind of knowledge a memory is; it decides the folder and how the memory changes."""

    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    REFLECTIVE = "reflective"


class Status(StrEnum):
    """Whether a memory still holds."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DISPUTED = "disputed"
    EXPIRED = "expired"


DEFAULT_TYPE = MemoryType.SEMANTIC
DEFAULT_IMPORTANCE = 0.5
DEFAULT_CONFIDENCE = 1.0


UNREADABLE = "damaged"
"""The code of the problem that an object of a memory, or of its attachments, cannot be read."""


class Problem(Struct, frozen=True):
    """Something about a memory file that `check` reports; `line` counts from 1, 0 is the whole file."""

    code: str
    message: str
    line: int = 0


class Relation(Struct, frozen=True):
    """One entry of `related`: this memory stands in `relation` to the memory `to`."""

    to: str
    relation: str


class Memory(Struct, frozen=True):
    """One memory file as read: typed fields with their defaults, and everything else in `fields`.

    `fields` holds the whole header as plain JSON values in the order of the file. A file whose
    header is missing or broken is a memory too; `problems` says what was found. `header_text` is
    the header where it is broken, `attached_text` what can be searched in the attachments.
    """

    id: MemoryId
    type: MemoryType
    title: str
    body: str
    path: str
    blob: BlobId
    namespace: str = ""
    has_own_id: bool = True
    fields: Mapping[str, Json] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    created: str | None = None
    importance: float = DEFAULT_IMPORTANCE
    confidence: float = DEFAULT_CONFIDENCE
    status: Status = Status.ACTIVE
    valid_from: str | None = None
    valid_until: str | None = None
    source: str | None = None
    agent: str | None = None
    session: str | None = None
    subject: str | None = None
    related: tuple[Relation, ...] = ()
    supersedes: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    header_text: str = ""
    attached_text: str = ""
    problems: tuple[Problem, ...] = ()
    locked_by: str | None = None
    """The name of the key without which the rest of it cannot be read; None where it is not encrypted."""

    @property
    def is_unreadable(self) -> bool:
        """Whether an object of it, or of its attachments, could not be read."""
        return any(problem.code == UNREADABLE for problem in self.problems)
