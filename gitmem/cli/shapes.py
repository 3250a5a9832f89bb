"""The JSON that commands print: one object a command, see docs/reference/json.md; it only ever grows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gitmem.cli.shapes_marks import uses_shape, verdict_shape
from gitmem.model.anchors import anchor_texts
from gitmem.model.memory import Memory
from gitmem.model.visible import escaped_in_json

if TYPE_CHECKING:
    from gitmem.errors import GitmemError
    from gitmem.flows.found import Founded
    from gitmem.flows.log import Log, LogEntry
    from gitmem.flows.reading.recollection import Listing, Recalled, Recollection
    from gitmem.flows.remember import Written
    from gitmem.flows.show import Shown
    from gitmem.flows.upkeep import Indexed
    from gitmem.index.record import Record

Shape = dict[str, Any]
TYPED_FIELDS = frozenset(
    "id type title created tags entities importance confidence status valid_from valid_until source agent"
    " session subject related supersedes attachments anchors anchor".split()
)


def json_text(shape: Mapping[str, Any]) -> str:
    """`shape` as strict JSON; the items of a top-level list stand one a line."""
    parts = []
    for key, value in shape.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = ",\n".join(_dumped(item) for item in value)
            parts.append(f"{_dumped(key)}: [\n{items}\n]")
        else:
            parts.append(f"{_dumped(key)}: {_dumped(value)}")
    return "{" + ",\n".join(parts) + "}\n"


def _dumped(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return escaped_in_json(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def error_shape(error: GitmemError) -> Shape:
    shape = {"kind": error.kind, "message": error.message, "exit_code": error.exit_code, **error.facts()}
    if error.hint:
        shape["hint"] = error.hint
    return {"error": shape}


def written_shape(written: Written) -> Shape:
    return {
        "id": written.id,
        "path": written.path,
        "title": written.title,
        "version": written.version,
        "branch": written.branch,
        "notices": list(written.notices),
    }


def batch_shape(written: list[Written]) -> Shape:
    first = written[0] if written else None
    return {
        "count": len(written),
        "version": first.version if first else None,
        "branch": first.branch if first else None,
        "notices": list(first.notices) if first else [],
        "memories": [
            {"id": each.id, "path": each.path, "title": each.title, "outcome": each.outcome}
            for each in written
        ],
    }


def record_shape(record: Record) -> Shape:
    return {
        "id": record.id,
        "path": record.path,
        "title": record.title,
        "type": str(record.type),
        "namespace": record.namespace,
        "status": str(record.status),
        "created": record.created,
        "tags": list(record.tags),
        "entities": list(record.entities),
        "importance": record.importance,
        "confidence": record.confidence,
        "agent": record.agent,
        "session": record.session,
        "source": record.source,
        "valid_from": record.valid_from,
        "valid_until": record.valid_until,
        "anchors": anchor_texts(record.fields),
        "fields": {key: value for key, value in record.fields.items() if key not in TYPED_FIELDS},
    }


def hit_shape(recalled: Recalled) -> Shape:
    hit = recalled.hit
    shape = record_shape(hit.record)
    return {
        **{key: shape[key] for key in ("id", "path", "title")},
        "score": hit.score,
        "relevance": hit.relevance,
        "snippet": recalled.snippet.text,
        "labels": list(hit.labels),
        "reasons": [
            {
                "stage": reason.stage,
                "text": reason.text,
                "factor": round(reason.factor, 6),
                "added": round(reason.added, 6),
            }
            for reason in hit.reasons
        ],
        "verdicts": [verdict_shape(verdict) for verdict in recalled.verdicts],
        **shape,
    }


def recollection_shape(answer: Recollection, branch: str) -> Shape:
    return {
        "query": answer.query,
        "branch": branch,
        "commit": answer.commit,
        "total": answer.total,
        "period": None if answer.period is None else {"first": answer.period[0], "last": answer.period[1]},
        "cutoff": answer.cutoff,
        "held_back": answer.held_back,
        "legs": list(answer.legs),
        "closest": hit_shape(answer.closest) if answer.closest else None,
        "notes": list(answer.notes),
        "results": [hit_shape(recalled) for recalled in answer.hits],
    }


def listing_shape(listing: Listing, branch: str) -> Shape:
    return {
        "branch": branch,
        "commit": listing.commit,
        "total": listing.total,
        "notes": list(listing.notes),
        "results": [
            {
                **record_shape(record),
                "labels": list(listing.labels.get(record.path, ())),
                "uses": uses_shape(listing.uses.get(record.id) if listing.uses is not None else None),
                "strength": None
                if (found := listing.strengths.get(record.path)) is None
                else round(found, 4),
            }
            for record in listing.records
        ],
    }


def shown_shape(shown: Shown) -> Shape:
    memory = shown.memory
    return {
        "id": memory.id,
        "path": memory.path,
        "version": shown.version,
        "title": memory.title,
        "body": memory.body,
        "branch": shown.branch,
        "archived": shown.is_archived,
        "changed": shown.changed,
        "number": shown.number,
        "uncommitted": shown.edit,
        "uses": uses_shape(shown.uses),
        "strength": None if shown.strength is None else round(shown.strength, 4),
        "verdicts": [verdict_shape(verdict) for verdict in shown.verdicts],
        **_memory_fields(memory),
    }


def _memory_fields(memory: Memory) -> Shape:
    return {
        "type": str(memory.type),
        "namespace": memory.namespace,
        "status": str(memory.status),
        "created": memory.created,
        "tags": list(memory.tags),
        "entities": list(memory.entities),
        "importance": memory.importance,
        "confidence": memory.confidence,
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
        "source": memory.source,
        "agent": memory.agent,
        "session": memory.session,
        "subject": memory.subject,
        "related": [{"to": relation.to, "relation": relation.relation} for relation in memory.related],
        "supersedes": list(memory.supersedes),
        "anchors": list(memory.anchors),
        "fields": {key: value for key, value in memory.fields.items() if key not in TYPED_FIELDS},
        "problems": [
            {"code": problem.code, "line": problem.line, "message": problem.message}
            for problem in memory.problems
        ],
    }


def edited_shape(written: Written) -> Shape:
    return {**written_shape(written), "changed": written.replaced is not None, "replaced": written.replaced}


def log_shape(log: Log) -> Shape:
    shape: Shape = {"branch": log.branch, "complete": log.is_complete}
    if log.id is not None:
        moves = [entry_shape(entry) for entry in log.moves]
        shape = {"id": log.id, "path": log.path, **shape, "moves": moves}
    return {**shape, "entries": [entry_shape(entry) for entry in log.entries]}


def entry_shape(entry: LogEntry) -> Shape:
    shape: Shape = {
        "version": entry.commit,
        "number": entry.number,
        "date": entry.date,
        "author": entry.author,
        "subject": entry.subject,
        "operation": entry.operation,
        "operation_id": entry.operation_id,
        "agent": entry.agent,
        "session": entry.session,
        "source": entry.source,
        "reason": entry.reason,
    }
    if entry.path is not None:
        shape |= {"path": entry.path, "renamed_from": entry.renamed_from}
    return shape


def founded_shape(founded: Founded) -> Shape:
    return {
        "folder": str(founded.folder),
        "main": founded.main,
        "created": founded.created,
        "adopted": founded.adopted,
        "memories": founded.memories,
        "uncommitted_notes": founded.loose_notes,
        "hooks": {
            "folder": str(founded.hooks.folder),
            "installed": list(founded.hooks.installed),
            "kept": list(founded.hooks.kept),
            "reason": founded.hooks.reason,
        },
        "merge_driver": {"installed": founded.driver.is_installed, "reason": founded.driver.reason},
    }


def init_shape(founded: Founded) -> Shape:
    ci = founded.ci and {"path": str(founded.ci.path), "written": founded.ci.is_written}
    return founded_shape(founded) | {"ci": ci}


def indexed_shape(indexed: Indexed) -> Shape:
    return {
        "commit": indexed.commit,
        "memories": indexed.memories,
        "unreadable_headers": list(indexed.unreadable),
    }
