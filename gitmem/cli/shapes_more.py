"""The JSON of the commands that compare, move and mend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape, entry_shape

if TYPE_CHECKING:
    from gitmem.flows.commit import Committed
    from gitmem.flows.compare import Blamed, Compared
    from gitmem.flows.doctor import Ailment
    from gitmem.flows.embeddings import Embedded
    from gitmem.flows.export import Exported
    from gitmem.flows.move import Moved
    from gitmem.flows.revert import Undone
    from gitmem.flows.takein import Imported


def committed_shape(committed: Committed) -> Shape:
    return {
        "version": committed.commit,
        "memories": [
            {"id": edit.id, "path": edit.path, "kind": edit.kind, "title": edit.title}
            for edit in committed.edits
        ],
    }


def compared_shape(compared: Compared) -> Shape:
    difference = compared.difference
    return {
        "id": compared.id,
        "old": compared.old,
        "new": compared.new,
        "path": {"old": difference.old_path, "new": difference.new_path},
        "fields": [{"field": each.field, "old": each.old, "new": each.new} for each in difference.fields],
        "text": list(difference.lines),
    }


def blamed_shape(blamed: Blamed) -> Shape:
    return {
        "id": blamed.id,
        "path": blamed.path,
        "complete": blamed.is_complete,
        "lines": [
            {
                "line": line.line,
                "text": line.text,
                **_without(entry_shape(line.entry), "path", "renamed_from"),
            }
            for line in blamed.lines
        ],
    }


def _without(shape: Shape, *names: str) -> Shape:
    return {key: value for key, value in shape.items() if key not in names}


def undone_shape(undone: Undone) -> Shape:
    return {
        "operation_id": undone.operation_id,
        "operation": undone.operation,
        "subject": undone.subject,
        "commits": dict(undone.commits),
        "files": undone.files,
        "notices": list(undone.notices),
    }


def moved_shape(moved: Moved) -> Shape:
    return {
        "source": moved.source,
        "destination": moved.destination,
        "left": moved.left,
        "version": moved.arrived,
        "notices": list(moved.notices),
        "memories": [
            {"id": memory_id, "path": path} for memory_id, path in zip(moved.ids, moved.paths, strict=True)
        ],
    }


def imported_shape(imported: Imported) -> Shape:
    return {
        "version": imported.commit,
        "counts": imported.counts,
        "notices": list(imported.notices),
        "files": [
            {"file": name, "outcome": outcome, "reason": imported.reasons.get(name)}
            for name, outcome in imported.files.items()
        ],
    }


def exported_shape(exported: Exported) -> Shape:
    return {
        "target": str(exported.target),
        "memories": exported.memories,
        "attachments": exported.attachments,
        "skipped": list(exported.skipped),
        "reasons": dict(exported.reasons),
    }


def doctor_shape(ailments: Sequence[Ailment]) -> Shape:
    return {
        "well": all(ailment.is_fixed for ailment in ailments),
        "findings": [
            {
                "code": ailment.code,
                "message": ailment.message,
                "fixed": ailment.is_fixed,
                "hint": ailment.hint,
            }
            for ailment in ailments
        ],
    }


def embedded_shape(embedded: Embedded) -> Shape:
    return {
        "encoder": embedded.encoder,
        "commit": embedded.commit,
        "memories": embedded.memories,
        "made": embedded.made,
    }
