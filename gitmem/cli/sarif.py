"""The findings of `check` as SARIF 2.1.0, the format in which code scanning takes results.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import quote

from gitmem import __version__
from gitmem.cli.shapes import Shape
from gitmem.model.visible import one_line

if TYPE_CHECKING:
    from gitmem.flows.check import Checked, Finding

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "gitmemFinding/v1"
NO_FILE = ".gitmem/config.toml"
"""Where a finding stands that is about no file: results need a place."""


def sarif_shape(checked: Checked) -> Shape:
    """One run with every rule and a result for each finding."""
    rules = list(checked.checks.values())
    numbers = {rule.code: number for number, rule in enumerate(rules)}
    met: Counter[str] = Counter()
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "gitmem",
                        "semanticVersion": __version__,
                        "rules": [
                            {
                                "id": rule.code,
                                "shortDescription": {"text": f"{rule.title}."},
                                "help": {"text": f"{rule.advice[0].upper()}{rule.advice[1:]}."},
                                "defaultConfiguration": {"level": rule.severity},
                            }
                            for rule in rules
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, numbers, met) for finding in checked.findings],
            }
        ],
    }


def _result(finding: Finding, numbers: dict[str, int], met: Counter[str]) -> Shape:
    path = NO_FILE if finding.path == "." else finding.path
    place: Shape = {
        "artifactLocation": {
            "uri": quote(path.encode("utf-8", "surrogateescape")),
            "uriBaseId": "%SRCROOT%",
        }
    }
    if finding.line:
        place["region"] = {"startLine": finding.line}
    said = finding.message + (f" ({finding.hint})" if finding.hint else "")
    return {
        "ruleId": finding.code,
        "ruleIndex": numbers[finding.code],
        "level": finding.severity,
        "message": {"text": one_line(said)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {FINGERPRINT: _fingerprint(finding, met)},
        "properties": {"memory": finding.id or None},
    }


def _fingerprint(finding: Finding, met: Counter[str]) -> str:
    """The same for the same finding when lines move, or the memory does; equal ones are counted."""
    said = re.sub(r"\bline \d+", "line", finding.message)
    name = "\0".join((finding.code, finding.id or finding.path, said))
    met[name] += 1
    return hashlib.sha256(f"{name}\0{met[name]}".encode("utf-8", "surrogateescape")).hexdigest()
