"""The JSON of `check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape

if TYPE_CHECKING:
    from gitmem.flows.check import Checked, Finding
    from gitmem.flows.scan import Scanned


def checked_shape(checked: Checked) -> Shape:
    return {
        "clean": checked.is_clean,
        "commit": checked.commit,
        "base": checked.base,
        "memories": checked.memories,
        "findings": [finding_shape(finding) for finding in checked.findings],
    }


def finding_shape(finding: Finding) -> Shape:
    return {
        "severity": finding.severity,
        "code": finding.code,
        "path": finding.path,
        "id": finding.id or None,
        "line": finding.line,
        "message": finding.message,
        "hint": finding.hint or None,
    }


def scanned_shape(scanned: Scanned) -> Shape:
    return {
        "clean": scanned.is_clean,
        "branches": list(scanned.branches),
        "files": scanned.files,
        "commits": scanned.commits,
        "not_text": scanned.not_text,
        "not_looked_at": list(scanned.unread),
        "found": [
            {
                "kind": each.kind,
                "action": each.action,
                "id": each.id,
                "path": each.path or None,
                "line": each.line,
                "branch": each.branch,
                "version": each.version,
            }
            for each in scanned.seen
        ],
    }
