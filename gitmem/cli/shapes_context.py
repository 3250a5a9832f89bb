"""The JSON of `context` and `brief`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.flows.brief import Brief
    from gitmem.flows.context import Context


def context_shape(found: Context) -> dict[str, Any]:
    return {
        "commit": found.commit,
        "tokens": found.tokens,
        "max_tokens": found.max_tokens,
        "counted_by": found.counted_by,
        "notes": list(found.notes),
        "text": found.text,
        "same": [{"id": one, "as": other} for one, other in found.same.items()],
        "left_out": list(found.left_out),
        "memories": [
            {
                "id": each.id,
                "version": each.version,
                "section": each.section,
                "title": each.title,
                "characters": each.characters,
                "total_characters": each.total_characters,
            }
            for each in found.memories
        ],
    }


def brief_shape(found: Brief, file: Path | None) -> dict[str, Any]:
    return {
        "commit": found.commit,
        "memories": found.memories,
        "disputed": found.disputed,
        "proposals": found.proposals,
        "file": None if file is None else str(file),
        "text": found.text,
    }
