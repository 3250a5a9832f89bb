"""The JSON of merges and of what they leave to be settled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape, edited_shape

if TYPE_CHECKING:
    from gitmem.flows.conflicts import Conflicts, Disputed, VersionOrigin
    from gitmem.flows.merge import Merging
    from gitmem.flows.resolve import Resolved
    from gitmem.model.merge.dispute import Option
    from gitmem.model.merge.outcome import Decision
    from gitmem.model.merge.settle import Dispute


def decision_shape(decision: Decision) -> Shape:
    return {"field": decision.field, "case": str(decision.case), "message": decision.message}


def merging_shape(merging: Merging) -> Shape:
    return {
        "branch": merging.branch,
        "revision": merging.revision,
        "merged": merging.merged,
        "kind": str(merging.kind),
        "version": merging.commit,
        "operation_id": merging.operation_id,
        "disputed": list(merging.disputed),
        "notices": list(merging.notices),
        "report": [
            {"case": str(line.case), "id": line.id or None, "path": line.path, "message": line.message}
            for line in merging.report
        ],
    }


def conflicts_shape(conflicts: Conflicts) -> Shape:
    return {
        "branch": conflicts.branch,
        "commit": conflicts.commit,
        "memories": [_disputed_shape(each) for each in conflicts.memories],
    }


def _disputed_shape(disputed: Disputed) -> Shape:
    return {
        "id": disputed.id,
        "path": disputed.path,
        "title": disputed.title,
        "version": disputed.version,
        "disputes": [_dispute_shape(each) for each in disputed.disputes],
        "versions": [_version_shape(each) for each in disputed.versions.values()],
    }


def _dispute_shape(dispute: Dispute) -> Shape:
    return {
        "field": dispute.field,
        "line": dispute.line,
        "options": [
            {"versions": list(option.names), "value": _value(dispute, option), "whole_file": option.is_file}
            for option in dispute.options
        ],
    }


def _value(dispute: Dispute, option: Option) -> object:
    return json.loads(option.text) if dispute.line == 0 else option.text


def _version_shape(version: VersionOrigin) -> Shape:
    return {
        "name": version.name,
        "commit": version.commit,
        "date": version.date,
        "author": version.author,
        "agent": version.agent,
        "ours": version.is_ours,
    }


def resolved_shape(resolved: Resolved) -> Shape:
    return {**edited_shape(resolved.written), "left": resolved.left}
