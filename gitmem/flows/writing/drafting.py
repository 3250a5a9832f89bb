"""What a caller asks to be remembered, checked and made into the draft of a file."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field

from gitmem.clock import iso_seconds
from gitmem.errors import BadInput
from gitmem.flows.writing.given import check_date, parse_type, refuse_lone_texts
from gitmem.model.anchors import parse_anchor
from gitmem.model.change import Draft, Origin
from gitmem.model.document import parse_document
from gitmem.model.ids import MemoryId, id_key, new_memory_id, parse_memory_id
from gitmem.model.memory import DEFAULT_CONFIDENCE, DEFAULT_IMPORTANCE, Json, MemoryType
from gitmem.model.place import folder_for, parse_memory_path, parse_namespace
from gitmem.model.reading import MAX_MEMORY_BYTES, derived_title
from gitmem.model.visible import is_blank
from gitmem.model.yaml_writing import header_text
from gitmem.versions.naming import Naming
from gitmem.versions.snapshot import Snapshot

KNOWN_FIELDS = frozenset(
    "id type title created tags entities importance confidence status valid_from valid_until source agent"
    " session subject related supersedes attachments anchors anchor".split()
)
_SURROGATE = re.compile("[\ud800-\udfff]")


class Request(Struct, frozen=True):
    """One memory to be written. Everything but the text has a default."""

    text: str
    title: str | None = None
    type: str | None = None
    namespace: str | None = None
    tags: Sequence[str] = ()
    entities: Sequence[str] = ()
    fields: Mapping[str, Json] = field(default_factory=dict)
    importance: float | None = None
    confidence: float | None = None
    id: str | None = None
    path: str | None = None
    created: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    supersedes: Sequence[str] = ()
    anchors: Sequence[str] = ()
    subject: str | None = None
    origin: Origin = field(default_factory=Origin)


def checked(request: Request) -> Request:
    """`request`, if everything in it can be written. Raises `BadInput` naming the option."""
    for name in ("tags", "entities", "supersedes", "anchors"):
        refuse_lone_texts(**{name: getattr(request, name)})
    if is_blank(request.text):
        raise BadInput("the text is empty, so there is nothing to remember", field="text")
    if len(request.text.encode("utf-8", "replace")) > MAX_MEMORY_BYTES - 2**16:
        raise BadInput(f"the text is larger than {MAX_MEMORY_BYTES // 2**20} MiB", field="text")
    if "\x00" in request.text:
        raise BadInput("the text holds a NUL character", field="text")
    for name, value in _texts(request):
        refuse_bad_text(name, value)
    for name in ("importance", "confidence"):
        check_share(name, getattr(request, name))
    for name in ("created", "valid_from", "valid_until"):
        check_date(name, getattr(request, name))
    for key, own_value in request.fields.items():
        _check_field(key, own_value)
    for anchor in request.anchors:
        refuse_bad_text("anchor", anchor)
        parse_anchor(anchor)
    parse_type(request.type)
    if request.namespace is not None:
        parse_namespace(request.namespace)
    if request.path is not None:
        parse_memory_path(request.path)
    if request.id is not None:
        parse_memory_id(request.id)
    return request


def filed_as(request: Request) -> tuple[str, MemoryType]:
    """Where a new memory will belong: a path in its folder, and its type. Raises `BadInput`."""
    memory_type = parse_type(request.type)
    return request.path or "/".join(filter(None, (memory_type, request.namespace, "new.md"))), memory_type


class TakenIds:
    """The ids that no new memory may get, as keys: those of files by their names, and those handed out."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._given: set[str] = set()

    def take(self, key: str) -> None:
        """Marks an id as handed out, by its key."""
        self._given.add(key)

    def fresh(self) -> MemoryId:
        """An id that nothing has; it is taken from then on."""
        while True:
            memory_id = new_memory_id()
            key = id_key(memory_id)
            if key not in self._given and not self._snapshot.names_ending_in(key):
                self._given.add(key)
                return memory_id


def draft_of(
    request: Request,
    naming: Naming,
    now: datetime,
    taken_ids: TakenIds,
    shown: Callable[[str, str], str],
    *,
    is_named: bool = True,
) -> Draft:
    """The draft of a checked request; its id and path are marked as taken.

    `shown` is a title as it may stand in a file name, for a memory at a path such as the one it is given. The
    name of its file has the title where it `is_named` so.
    """
    memory_type = parse_type(request.type)
    memory_id = MemoryId(request.id) if request.id is not None else taken_ids.fresh()
    created = request.created or iso_seconds(now)
    title = _given_title(request) or derived_title(request.text)
    if request.path is not None:
        path = request.path
        naming.take(path)
    else:
        namespace = parse_namespace(request.namespace) if request.namespace else ""
        path = naming.path_for(
            memory_type=memory_type,
            namespace=namespace,
            title=shown(title or "", f"{folder_for(memory_type, namespace, now)}/{memory_id}.md")
            if is_named
            else "",
            memory_id=memory_id,
            created=_moment(created, now),
        )
    fields = _fields(request, memory_id, memory_type, created)
    _check_readable(fields)
    return Draft(memory_id, memory_type, path, fields, request.text)


def _check_readable(fields: Mapping[str, Json]) -> None:
    """Raises `BadInput` where a header of these fields could not be read back."""
    header = parse_document(header_text(fields))
    if header.error is not None:
        raise BadInput(f"the fields cannot be written: {header.error.reason}", field="field")
    for name, value in fields.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise BadInput(f"--field: {name}: {value} is not a number that JSON knows", field=name)


def _fields(request: Request, memory_id: MemoryId, memory_type: MemoryType, created: str) -> dict[str, Json]:
    """The header in the order of the format; what has its default value is left out."""
    origin = request.origin
    candidates: dict[str, Json] = {
        "id": memory_id,
        "type": str(memory_type),
        "title": _given_title(request),
        "created": created,
        "tags": list(unique(request.tags)),
        "entities": list(unique(request.entities)),
        "importance": None if request.importance == DEFAULT_IMPORTANCE else request.importance,
        "confidence": None if request.confidence == DEFAULT_CONFIDENCE else request.confidence,
        "valid_from": request.valid_from,
        "valid_until": request.valid_until,
        "source": origin.source,
        "agent": origin.agent,
        "session": origin.session,
        "subject": request.subject,
        "supersedes": list(unique(request.supersedes)),
        "anchors": list(dict.fromkeys(request.anchors)),
    }
    fields = {key: value for key, value in candidates.items() if value is not None and value != []}
    return {**fields, **request.fields}


def unique(values: Iterable[str]) -> list[str]:
    """The values without blanks at their ends, each once, case apart, in order."""
    return list({value.strip().casefold(): value.strip() for value in reversed(list(values))}.values())[::-1]


def _moment(created: str, now: datetime) -> datetime:
    """The wall-clock time that `created` shows, for folders and names."""
    try:
        return datetime.fromisoformat(created)
    except ValueError:
        return now


def _given_title(request: Request) -> str | None:
    return None if request.title is None or is_blank(request.title) else request.title


def _texts(request: Request) -> Iterable[tuple[str, str]]:
    yield "text", request.text
    for name in ("title", "subject"):
        if (value := getattr(request, name)) is not None:
            yield name, value
    for name, values in (
        ("tag", request.tags),
        ("entity", request.entities),
        ("supersedes", request.supersedes),
    ):
        for value in values:
            if not value.strip():
                raise BadInput(f"--{name}: an empty value", field=name)
            if not value.isprintable():
                raise BadInput(f"--{name}: {value!r} holds a control character", field=name)
            yield name, value
    for name in ("agent", "session", "source", "reason"):
        if (value := getattr(request.origin, name)) is not None:
            yield name, value


def refuse_bad_text(name: str, value: str) -> None:
    """Raises `BadInput` where `value` holds what UTF-8 cannot."""
    if _SURROGATE.search(value):
        raise BadInput(f"{name}: not valid UTF-8", field=name)


def check_share(name: str, value: object) -> None:
    """Raises `BadInput` where `value` is neither None nor a number from 0 to 1."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is not None and not (is_number and 0 <= value <= 1):  # type: ignore[operator]
        raise BadInput(f"--{name}: {value!r} is not a number from 0 to 1", field=name)


def _check_field(key: str, value: Json) -> None:
    if key in KNOWN_FIELDS:
        raise BadInput(f"--field: {key!r} has an option of its own", field=key)
    if not key.strip() or not key.isprintable() or len(key) > 100:
        raise BadInput(f"--field: {key!r} cannot be a field name", field="field")
    if not re.search(r"\w", key):
        raise BadInput(f"--field: {key!r} cannot be a field name", field="field")
    for text in _strings_in(value):
        refuse_bad_text(f"--field {key}", text)


def _strings_in(value: Json) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings_in(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _strings_in(item)
