"""What `check` finds in a snapshot. It reports and never changes.

Severities: `error` is something that loses meaning until a person mends it, `warning` is worth a
look, `note` is a fact, such as a hand-written file without a header.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from gitmem.errors import Damaged
from gitmem.git.modes import SYMLINK_MODE
from gitmem.git.repository import Repository, TreeEntry
from gitmem.model.ids import id_key
from gitmem.model.memory import Memory, Status
from gitmem.model.merge.dispute import START
from gitmem.model.place import name_key, why_unsafe
from gitmem.versions.naming import MAX_FOLDER_ENTRIES
from gitmem.versions.snapshot import Snapshot

CONFLICT_MARKERS = ("<<<<<<< ", ">>>>>>> ")
SEVERITIES = ("error", "warning", "note")
MAX_SHOWN_CHARACTERS = 400


class Finding(Struct, frozen=True):
    """One thing about one file; `line` counts from 1, 0 is the whole file.

    `id` is that of the memory there, where there is one, and `hint` says what to do.
    """

    severity: str
    code: str
    path: str
    message: str
    line: int = 0
    id: str = ""
    hint: str = ""


def audit(
    repository: Repository,
    snapshot: Snapshot,
    *,
    also: Callable[[Memory], Iterable[Finding]] = lambda _: (),
) -> list[Finding]:
    """Everything that `check` reports about `snapshot`, by path.

    `also` finds what is not in the snapshot itself.
    """
    findings: list[Finding] = []
    memories: list[Memory] = []
    for path, blob in snapshot.files():
        try:
            memories.append(snapshot.read(path, blob))
        except Damaged as error:
            message = error.message.removeprefix(f"{path}: ") + (f"; {error.hint}" if error.hint else "")
            findings.append(Finding("error", "damaged", path, message))
    for memory in memories:
        findings += findings_in(memory)
        findings += also(memory)
    findings += _duplicate_ids(memories)
    findings += _odd_entries(repository, snapshot)
    findings += filtered(repository, memories)
    return in_order(findings)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings with the worst first, then by place."""
    return sorted(
        findings, key=lambda finding: (SEVERITIES.index(finding.severity), finding.path, finding.line)
    )


def findings_in(memory: Memory) -> Iterator[Finding]:
    """What is odd about one memory, whatever else is in the store."""
    for problem in memory.problems:
        severity = "warning" if problem.code == "field" else "error"
        hint = "; 'gitmem doctor --fix' mends it" if problem.message.endswith("stands there twice") else ""
        yield Finding(severity, problem.code, memory.path, problem.message + hint, problem.line)
    if not memory.fields and not memory.header_text:
        yield Finding("note", "no-header", memory.path, f"has no header; known as {memory.id} by its path")
    elif not memory.has_own_id and not memory.problems:
        yield Finding("note", "no-id", memory.path, f"has no id; known as {memory.id} by its path")
    if memory.status is Status.DISPUTED or START in memory.body:
        message = (
            f"is disputed; 'gitmem conflicts' shows the versions, 'gitmem resolve {memory.id}' settles it"
        )
        yield Finding("warning", "disputed", memory.path, message)
    for number, line in enumerate(memory.body.splitlines(), 1):
        if line.startswith(CONFLICT_MARKERS):
            message = f"holds a conflict marker: {line[:20]!r}; 'gitmem doctor --fix' mends it"
            yield Finding("error", "conflict-marker", memory.path, message, number)
            return
    if any(line.startswith(CONFLICT_MARKERS) for line in memory.header_text.splitlines()):
        yield Finding(
            "error",
            "conflict-marker",
            memory.path,
            "holds a conflict marker in its header; 'gitmem doctor --fix' mends it",
        )


def _duplicate_ids(memories: list[Memory]) -> Iterator[Finding]:
    paths: dict[str, list[str]] = defaultdict(list)
    for memory in memories:
        paths[id_key(memory.id)].append(memory.path)
    for memory in memories:
        others = [path for path in paths[id_key(memory.id)] if path != memory.path]
        if others:
            yield Finding("error", "duplicate-id", memory.path, f"id {memory.id} is also that of {others[0]}")


def broken_links_of(
    memory: Memory, has_id: Callable[[str], bool], has: Callable[[str], bool]
) -> Iterator[Finding]:
    """The links in the header of one memory that lead to no memory.

    `related` may give any name that a `[[link]]` may, which `has` knows; `supersedes` gives ids.
    """
    links = [("related", relation.to, has) for relation in memory.related]
    links += [("supersedes", superseded, has_id) for superseded in memory.supersedes]
    for field, to, is_known in links:
        if not is_known(to):
            yield Finding("warning", "broken-link", memory.path, f"{field}: no memory {to!r}")


def _odd_entries(repository: Repository, snapshot: Snapshot) -> Iterator[Finding]:
    if snapshot.commit is None:
        return
    folders: Counter[str] = Counter()
    names: dict[str, str] = {}
    refused: list[tuple[str, str]] = []
    for entry in repository.walk(snapshot.commit, refused=refused):
        folders[entry.path.rpartition("/")[0]] += 1
        yield from findings_of_entry(entry)
        twin = names.setdefault(name_key(entry.path), entry.path)
        if twin != entry.path:
            yield Finding(
                "warning", "name", _shown(entry.path), f"some systems take its name for that of {twin}"
            )
    for path, why in refused:
        message = f"is not read, and git does not check it out: {why}"
        yield Finding("error", "path", _shown(path), message)
    for folder, count in folders.items():
        if count > MAX_FOLDER_ENTRIES:
            yield Finding(
                "warning", "large-folder", folder or ".", f"holds {count} files; each commit rewrites it"
            )


def findings_of_entry(entry: TreeEntry) -> Iterator[Finding]:
    """What is odd about the name and kind of one Markdown file, memory or not."""
    if not entry.path.casefold().endswith(".md"):
        return
    if entry.mode == SYMLINK_MODE:
        yield Finding("warning", "link", entry.path, "is a symbolic link; links are not followed or read")
    reason = why_unsafe(entry.path) if not entry.path.startswith(".") else None
    if reason:
        yield Finding("warning", "name", _shown(entry.path), f"cannot be checked out everywhere: {reason}")


def filtered(repository: Repository, memories: Iterable[Memory]) -> Iterator[Finding]:
    """The memories that go through a program on their way between git and the worktree."""
    for memory in memories:
        name = repository.filter_of(memory.path)
        if name is not None:
            message = f"goes through the git filter {name}: read as git stores it, and not written"
            yield Finding("warning", "filter", memory.path, message)


def _shown(path: str) -> str:
    """`path` as it may stand in a report: valid text, and of the very long ones both ends."""
    text = path.encode("utf-8", "replace").decode()
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:100]}…{text[-100:]}"
