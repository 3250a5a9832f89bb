"""The last resort: both files whole, header and all, in one valid file, each as a version of a dispute.

For files that cannot be merged by field: a header that is broken on one side, two memories under one path, a
header that could not be put together. The new header holds what can be read of id, type and title; every byte
of both files stands in the quotes and comes back when the dispute is settled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gitmem.model.document import encode, parse_document
from gitmem.model.ids import BlobId, id_key
from gitmem.model.memory import Json, Memory, Status
from gitmem.model.merge.blocks import Kind, blocks_of
from gitmem.model.merge.dispute import Option, dispute_lines, merged_options, read_dispute
from gitmem.model.merge.form import lines_of
from gitmem.model.merge.outcome import Case, Decision, Merged, Side
from gitmem.model.reading import read_memory
from gitmem.model.yaml_writing import header_text

NAMING = ("id", "type", "title")
_NOT_UTF8 = re.compile("[\ud800-\udfff]")


def kept_whole(base: Side | None, first: Side, second: Side, reason: str) -> Merged:
    """One file that keeps both."""
    older = options_of(base) if base is not None else ()
    options = merged_options(older, options_of(first), options_of(second))
    if len(options) == 1:
        return Merged(options[0].text, (Decision("file", Case.SETTLED, "the dispute is settled"),))
    fields = _naming_fields([_read(side.text) for side in (first, second)])
    text = header_text({**fields, "status": str(Status.DISPUTED)}) + "".join(dispute_lines(options))
    message = f"{reason}; both files are kept whole"
    return Merged(text, (Decision("file", Case.WHOLE, message),), is_disputed=True)


def options_of(side: Side) -> tuple[Option, ...]:
    """The versions of a whole file: those it keeps already, else itself."""
    document = parse_document(side.text)
    found = blocks_of(lines_of(document.body))
    is_ours = document.fields.keys() <= {*NAMING, "status"} and [b.kind for b in found.blocks] == [
        Kind.DISPUTE
    ]
    if is_ours and document.has_header:
        dispute = read_dispute(found.blocks[0].lines, 0)
        if dispute and all(option.is_file for option in dispute[0]):
            return dispute[0]
    return (Option((side.name,), tuple(lines_of(side.text)), is_file=True),)


def _read(text: str) -> Memory:
    return read_memory("", BlobId(""), encode(text))


def _naming_fields(memories: Sequence[Memory]) -> dict[str, Json]:
    """Id, type and title of the memory that comes first by its id, then by what else it is called."""

    def rank(memory: Memory) -> tuple[bool, str, bool, str]:
        title = memory.fields.get("title")
        return (not memory.has_own_id, id_key(memory.id), not isinstance(title, str), str(title))

    chosen: dict[str, Json] = {}
    for memory in sorted(memories, key=rank):
        for key in NAMING:
            value: Json = memory.id if key == "id" and memory.has_own_id else memory.fields.get(key)
            if key == "id" and not memory.has_own_id:
                continue
            if isinstance(value, str) and not _NOT_UTF8.search(value):
                chosen.setdefault(key, value)
    return {key: chosen[key] for key in NAMING if key in chosen}
