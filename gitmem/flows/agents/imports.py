"""import of what a coding agent keeps by itself: notes as they are, and one episode for each session.

    Claude Code   CLAUDE.md of the project, its own notes of the project, transcripts
    Codex         AGENTS.md of the project, transcripts
A project has several worktrees; sessions in any of them, or in a folder below, are sessions of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from gitmem.errors import BadInput, GitmemError
from gitmem.flows.agents.sessions import (
    folder_of_codex,
    read_session,
    refusal_of,
    save_sessions,
    shown_path,
)
from gitmem.flows.brief import MARK
from gitmem.flows.reading.source_folder import Item
from gitmem.flows.screening.rules import Screening
from gitmem.flows.takein import A_LIST, NOTHING_WRITTEN, Imported, take_in
from gitmem.flows.work import Work
from gitmem.git.beneath import read_regular
from gitmem.git.repository import Repository
from gitmem.model.change import Origin
from gitmem.model.injected import without_injected
from gitmem.model.memory import MemoryType
from gitmem.model.place import safe_path
from gitmem.model.reading import MAX_MEMORY_BYTES
from gitmem.model.transcripts import CLAUDE_CODE, CODEX, NOTHING_ASKED, Session
from gitmem.surroundings import environ, in_folder

MOST_NAME_CHARACTERS = 200
"""Claude Code cuts the names of its project folders there, and adds what nobody else can compute."""
INSTRUCTIONS = {CLAUDE_CODE: ("CLAUDE.md", ".claude/CLAUDE.md"), CODEX: ("AGENTS.md",)}
NO_FOLDER = "it names no folder, so it may be of another project"
_NO_LETTER = re.compile(r"[^A-Za-z0-9]")


def import_agent(work: Work, agent: str, project: Path | None, origin: Origin) -> Imported:
    """Takes in what `agent` keeps of the project; the notes in one commit, new sessions in another.

    Raises `BadInput` for a project that is no folder. What is found is only read.
    """
    top = in_folder(project or Path())
    if not top.is_dir():
        raise BadInput(f"--project: {top} is not a folder", field="project")
    folders = _folders_of(top.resolve())
    home = Path(environ().get("HOME") or environ().get("USERPROFILE") or Path.home())
    reasons: dict[str, str] = {}
    items = list(_notes(work, agent, folders[0], home, folders, reasons))
    imported = take_in(work, items, reasons, replace(origin, agent=origin.agent or agent))
    files, said = dict(imported.files), dict(imported.reasons)
    found, unread = _sessions(agent, folders, home)
    screening = Screening(work.place)
    refused = {path: why for each, path in found if (why := refusal_of(screening, each, path))}
    sessions = [each for each in found if each[1] not in refused]
    for path, why in {**unread, **refused}.items():
        files[shown_path(path)], said[shown_path(path)] = "skipped", why
    saved = save_sessions(work, sessions) if sessions else []
    for (_, path), each in zip(sessions, saved, strict=True):
        name = shown_path(path)
        files[name] = each.outcome
        if each.reason is not None:
            said[name] = each.reason
    is_written = any(each.outcome in ("new", "changed") for each in saved)
    commit = work.snapshot().commit if is_written else imported.commit
    return Imported(commit, files, said, imported.notices)


def _folders_of(top: Path) -> Sequence[Path]:
    """The project and its other worktrees, the main one first."""
    with suppress(GitmemError):
        repository = Repository.discover(top)
        found = [tree.path.resolve() for tree in repository.worktrees()]
        own = repository.worktree.resolve() if repository.worktree else top
        main = [repository.common_dir.parent.resolve()] if repository.common_dir.name == ".git" else []
        return list(dict.fromkeys([*main, own, *found]))
    return [top]


def _notes(
    work: Work, agent: str, top: Path, home: Path, folders: Sequence[Path], reasons: dict[str, str]
) -> Iterator[Item]:
    project = safe_path(top.name or "project").replace("/", "-")
    if work.place.repository.worktree is None or work.place.repository.worktree.resolve() != top:
        for name in INSTRUCTIONS[agent]:
            if (top / name).is_file():
                path = f"{MemoryType.PROCEDURAL}/{agent}/{project}/{name.lstrip('.')}"
                yield from _item(name, path, top / name, reasons)
    if agent == CLAUDE_CODE:
        for folder in _claude_folders(home, folders, is_exact=True):
            for file in sorted((folder / "memory").glob("*.md")):
                name = f"memory/{file.name}"
                path = f"{MemoryType.SEMANTIC}/{agent}/{project}/{safe_path(file.name)}"
                if file.name == "MEMORY.md":
                    reasons[name] = A_LIST
                else:
                    yield from _item(name, path, file, reasons)


def _item(name: str, path: str, file: Path, reasons: dict[str, str]) -> Iterator[Item]:
    try:
        data = read_regular(file, max_bytes=MAX_MEMORY_BYTES + 1)
    except OSError as error:
        reasons[name] = f"cannot be read: {error.strerror}"
        return
    if data is None or len(data) > MAX_MEMORY_BYTES:
        size = f"larger than {MAX_MEMORY_BYTES // 2**20} MiB"
        reasons[name] = "not a regular file" if data is None else size
    elif data.startswith(MARK.encode()) or not without_injected(data.decode("utf-8", "replace")):
        reasons[name] = NOTHING_WRITTEN
    else:
        yield Item(name, path, data)


def _claude_folders(home: Path, folders: Sequence[Path], *, is_exact: bool = False) -> list[Path]:
    """Where Claude Code keeps what belongs to the folders of the project, and to folders below unless exact.

    A name can mean either of two folders (`a/b` and `a-b`): of a session, its transcript tells.
    """
    named = environ().get("CLAUDE_CONFIG_DIR")
    projects = (Path(named) if named else home / ".claude") / "projects"
    wanted = [_NO_LETTER.sub("-", str(folder)) for folder in folders]
    found = sorted(projects.iterdir()) if projects.is_dir() else []
    ours = [each for each in found if any(_is_of(each.name, name, is_exact) for name in wanted)]
    return [each for each in ours if each.is_dir()]


def _is_of(name: str, wanted: str, is_exact: bool) -> bool:
    is_cut = len(wanted) > MOST_NAME_CHARACTERS and name.startswith(wanted[:MOST_NAME_CHARACTERS] + "-")
    return name == wanted or is_cut or (not is_exact and name.startswith(wanted + "-"))


def _sessions(
    agent: str, folders: Sequence[Path], home: Path
) -> tuple[list[tuple[Session, Path]], Mapping[Path, str]]:
    """The sessions of the project, the oldest first, and why others were not read."""
    found: list[tuple[Session, Path]] = []
    unread: dict[Path, str] = {}
    for path in _transcripts(agent, folders, home):
        try:
            if agent == CODEX and not _is_in(folder_of_codex(path), folders):
                continue
            session = read_session(agent, path)
        except OSError as error:
            unread[path] = f"cannot be read: {error.strerror}"
            continue
        if agent == CLAUDE_CODE and not session.folder:
            unread[path] = NOTHING_ASKED if session.is_empty else NO_FOLDER
        if _is_in(session.folder, folders):
            found.append((session, path))
    found.sort(key=lambda each: (each[0].started, each[1].name))
    return found, unread


def _transcripts(agent: str, folders: Sequence[Path], home: Path) -> Iterator[Path]:
    if agent == CLAUDE_CODE:
        for folder in _claude_folders(home, folders):
            yield from sorted(folder.glob("*.jsonl"))
        return
    named = environ().get("CODEX_HOME")
    own = Path(named) if named else home / ".codex"
    for kept in ("sessions", "archived_sessions"):
        yield from sorted((own / kept).rglob("rollout-*.jsonl"))


def _is_in(folder: str, folders: Sequence[Path]) -> bool:
    if not folder:
        return False
    place = Path(folder)
    with suppress(OSError):
        place = place.resolve()
    return any(place == each or place.is_relative_to(each) for each in folders)
