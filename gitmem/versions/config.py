"""The store's description of itself: `.gitmem/config.toml` and `.gitmem/schema.json` on main."""

from __future__ import annotations

import json
import tomllib
from functools import lru_cache
from typing import Any

from msgspec import Struct, field

from gitmem.errors import BadInput, NewerFormat, StoreProblem
from gitmem.git.refs import ref_name
from gitmem.lifecycle.policies import DEFAULT_POLICIES, LifePolicy
from gitmem.model.memory import MemoryType, Status
from gitmem.model.place import is_memory_path, name_key
from gitmem.versions.check_settings import CheckSettings, parse_check_settings
from gitmem.versions.health_settings import HealthSettings, parse_health_settings
from gitmem.versions.judging_settings import WritingSettings, parse_writing_settings
from gitmem.versions.lifecycle_settings import parse_policies
from gitmem.versions.policy import Policy, parse_policy
from gitmem.versions.working_settings import WorkingSettings, parse_working_settings

FORMAT = 1
MAX_CONFIG_BYTES = 64 * 1024
MAX_DOTS = 200
MAX_PATTERNS = 1_000
CONFIG_PATH = ".gitmem/config.toml"
SCHEMA_PATH = ".gitmem/schema.json"
ATTRIBUTES_PATH = ".gitattributes"
ROLES = ("archive", "working", "quarantine")


class StoreConfig(Struct, frozen=True):
    """What the committed config says; every field has its default."""

    main: str = "main"
    format: int = FORMAT
    branches: dict[str, str] = field(default_factory=lambda: {role: role for role in ROLES})
    exclude: tuple[str, ...] = ()
    policy: Policy = field(default_factory=Policy)
    check: CheckSettings = field(default_factory=CheckSettings)
    health: HealthSettings = field(default_factory=HealthSettings)
    policies: tuple[LifePolicy, ...] = DEFAULT_POLICIES
    """What becomes of old memories; the first that is about one decides."""
    working: WorkingSettings = field(default_factory=WorkingSettings)
    writing: WritingSettings = field(default_factory=WritingSettings)
    code: str | None = None
    """Where the code repository is that anchors speak of, from the top of the store; None to look for it."""

    def is_memory_path(self, path: str) -> bool:
        """Whether the file at `path` is a memory: any `*.md` that is not excluded."""
        return is_memory_path(path, self.exclude)


@lru_cache(maxsize=8)
def parse_config(data: bytes, *, where: str) -> StoreConfig:
    """The config in `data`. Raises `NewerFormat`, or `StoreProblem` naming the setting that is wrong."""
    if len(data) > MAX_CONFIG_BYTES:
        raise StoreProblem(f"{where}: larger than {MAX_CONFIG_BYTES // 1024} KiB")
    if any(line.count(b".") > MAX_DOTS for line in data.splitlines()):
        # The time to read a key grows with the square of its parts.
        raise StoreProblem(f"{where}: a line has more than {MAX_DOTS} dots")
    try:
        values = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise StoreProblem(f"{where}: {error}") from error
    number = values.get("format", FORMAT)
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise StoreProblem(f"{where}: format must be a whole number from 1, not {number!r}")
    if number > FORMAT:
        raise NewerFormat(
            f"{where}: the store has format {number}, this gitmem knows up to {FORMAT}; nothing was touched",
            hint="install a newer gitmem-store",
        )
    main = _text(values, "main", "main", where)
    given = values.get("branches", {})
    if not isinstance(given, dict):
        raise StoreProblem(f"{where}: branches must be a table")
    branches = {role: _text(given, role, role, where) for role in ROLES}
    if len({name_key(name) for name in (main, *branches.values())}) <= len(branches):
        raise StoreProblem(
            f"{where}: main and the branches must all be different, so that none is two things"
        )
    memories = values.get("memories", {})
    exclude = memories.get("exclude", []) if isinstance(memories, dict) else None
    if not isinstance(exclude, list) or not all(isinstance(pattern, str) for pattern in exclude):
        raise StoreProblem(f"{where}: memories.exclude must be a list of patterns")
    if len(exclude) > MAX_PATTERNS:
        raise StoreProblem(f"{where}: memories.exclude has more than {MAX_PATTERNS} patterns")
    working = parse_working_settings(values, where=where)
    return StoreConfig(
        main=main,
        format=number,
        branches=branches,
        exclude=tuple(exclude),
        policy=parse_policy(values, where=where),
        check=parse_check_settings(values, where=where),
        health=parse_health_settings(values, where=where),
        policies=parse_policies(values, where=where, notes_last=working.ttl),
        working=working,
        writing=parse_writing_settings(values, where=where),
        code=_code_repository(values, where),
    )


def _code_repository(values: dict[str, Any], where: str) -> str | None:
    anchors = values.get("anchors", {})
    path = anchors.get("repository") if isinstance(anchors, dict) else 0
    if path is None:
        return None
    if not isinstance(path, str) or not path.strip() or path.startswith(("/", "\\", "~")) or ":" in path:
        raise StoreProblem(
            f"{where}: anchors.repository must be a path from the top of the store, not {path!r}",
            hint="git config gitmem.codeRepository takes any path, for this clone alone",
        )
    return path


def _text(values: dict[str, Any], key: str, default: str, where: str) -> str:
    value = values.get(key, default)
    if not isinstance(value, str) or not value.strip():
        raise StoreProblem(f"{where}: {key} must be the name of a branch, not {value!r}")
    try:
        ref_name(value)
    except BadInput as error:
        raise StoreProblem(f"{where}: {key}: {error.message}") from error
    return value


def config_text(main: str, branches: dict[str, str]) -> str:
    """The config that `init` writes."""
    named = "".join(f"{role} = {json.dumps(branches[role])}\n" for role in ROLES)
    return (
        "# This repository is a gitmem store. The committed head of main is what counts.\n"
        f"format = {FORMAT}\n"
        f"main = {json.dumps(main)}\n"
        "\n"
        "[branches]\n"
        f"{named}"
        "\n"
        "[memories]\n"
        "# Markdown files that are not memories, beside README, LICENSE, CONTRIBUTING, CHANGELOG,\n"
        "# CODE_OF_CONDUCT and anything in folders that begin with a dot.\n"
        "exclude = []\n"
    )


def attributes_text() -> str:
    """`.gitattributes` of a new store: memories keep their bytes on every system, and merge by meaning."""
    return "*.md -text merge=gitmem\n"


FORMER_ATTRIBUTES = ("*.md -text\n",)
"""What `init` wrote before."""


def schema_text() -> str:
    """The JSON Schema of the front matter."""
    text = {"type": "string"}
    texts = {"anyOf": [{"type": "array", "items": text}, text]}
    share = {"type": "number", "minimum": 0, "maximum": 1}
    date = {"type": "string", "description": "ISO 8601 date or time"}
    relation = {
        "type": "object",
        "properties": {"to": text, "relation": text},
        "required": ["to"],
    }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "gitmem memory front matter",
        "type": "object",
        "required": ["id", "type"],
        "properties": {
            "id": {"type": "string", "pattern": "^[^\\W_][\\w.\\-]{0,63}$"},
            "type": {"enum": [str(kind) for kind in MemoryType]},
            "title": text,
            "created": date,
            "tags": texts,
            "entities": texts,
            "importance": share,
            "confidence": share,
            "status": {"enum": [str(status) for status in Status]},
            "valid_from": date,
            "valid_until": date,
            "source": text,
            "agent": text,
            "session": text,
            "subject": text,
            "related": {"type": "array", "items": {"anyOf": [relation, text]}},
            "supersedes": texts,
            "attachments": texts,
            "anchors": texts,
            "anchor": text,
            "pinned": {"type": "boolean"},
        },
        "additionalProperties": True,
    }
    return json.dumps(schema, indent=2) + "\n"
