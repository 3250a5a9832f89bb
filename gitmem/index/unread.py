"""Memories that could not be read when they were indexed: an exact key tells them, so that none is forgotten.

Such a memory stands in the index by its path alone. Whoever opens the index asks whether it can be read by
now, as after a fetch into a partial clone or a repair, and has it indexed anew.
"""

from __future__ import annotations

from gitmem.index.content import IndexContent
from gitmem.index.record import UNREADABLE_KEY, Record
from gitmem.index.schema import KEYS
from gitmem.index.source import DocumentSource, FileDelta


def unread_records(content: IndexContent) -> list[Record]:
    """The memories of which no text, or not all of it, is in the index, in the order of their paths."""
    found = [content.record(document) for document in content.documents_with(KEYS, UNREADABLE_KEY)]
    return sorted(found, key=lambda record: record.path)


def readable_again(content: IndexContent, source: DocumentSource) -> list[FileDelta]:
    """Those of them that `source` can read now, as changes from what the index shows."""
    return [
        FileDelta(record.path, record.blob, record.blob)
        for record in unread_records(content)
        if source.is_readable(record.path, record.blob)
    ]
