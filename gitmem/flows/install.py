"""install and uninstall: gitmem in the settings of a coding agent, and out again without a trace.

    new        the file was not there
    changed    something is put in, or taken out; all else stays byte for byte
    same       nothing is to do
    removed    the file held nothing else, and is gone
    kept       the file is a person's, or was changed by one: it stays, and says why
All files are looked at before the first is written. Each is replaced in one step; where one cannot be,
those before it are taken back.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.errors import BadInput, GitmemError, NotAStore, OutsideFailure, Refused
from gitmem.flows.agents.settings import Change, Places, Setting, command_of, places_of, settings_of
from gitmem.flows.rights.acting import acting_here, acting_without_store, require_person
from gitmem.flows.running.hooks import command_path
from gitmem.git.beneath import replace_regular
from gitmem.git.repository import Repository
from gitmem.model.transcripts import AGENTS, CLAUDE_CODE, CODEX
from gitmem.surroundings import environ, in_folder
from gitmem.versions.place import find_place

MOST_SETTINGS_BYTES = 8 * 1024 * 1024


class Outcome(Struct, frozen=True):
    """What became, or would become, of one file."""

    file: Path
    outcome: str
    reason: str | None = None


class Installed(Struct, frozen=True):
    """The files, in order; `command` is what the settings call, `store` where the project's memories are."""

    agent: str
    command: str
    files: Sequence[Outcome]
    is_dry_run: bool
    store: Path | None = None
    notices: Sequence[str] = ()


class _Write(Struct, frozen=True):
    file: Path
    old: bytes | None
    new: bytes | None
    """None: the file goes."""
    reason: str | None = None

    @property
    def outcome(self) -> str:
        if self.reason is not None:
            return "kept"
        if self.new == self.old:
            return "same"
        return "removed" if self.new is None else "new" if self.old is None else "changed"


def install(agent: str, folder: Path, *, for_user: bool, is_dry_run: bool) -> Installed:
    """Puts hooks, the MCP server and the skill into the settings of `agent`; may be repeated."""
    return _do("install", agent, folder, lambda one, text: one.put_in(text), for_user, is_dry_run)


def uninstall(agent: str, folder: Path, *, for_user: bool, is_dry_run: bool) -> Installed:
    """Takes out what `install` put there; may be repeated."""
    return _do("uninstall", agent, folder, lambda one, text: one.taken_out(text), for_user, is_dry_run)


Edit = Callable[[Setting, "str | None"], Change]


def _do(verb: str, agent: str, folder: Path, edit: Edit, for_user: bool, is_dry_run: bool) -> Installed:
    if agent not in AGENTS:
        raise BadInput(f"AGENT: {agent!r} is none of {', '.join(AGENTS)}", field="agent")
    here = in_folder(folder)
    store = _store_of(here, verb)
    places = places_of(agent, None if for_user else _project(here), environ())
    command = command_of(command_path(), is_shared=not for_user)
    writes = [_planned(setting, edit) for setting in settings_of(agent, places, command)]
    if not is_dry_run:
        _carry_out_all(writes, places)
    files = [Outcome(write.file, write.outcome, write.reason) for write in writes]
    notices = _notices(agent, command, store, for_user=for_user) if verb == "install" else ()
    return Installed(agent, command, files, is_dry_run, store, notices)


def _store_of(here: Path, verb: str) -> Path | None:
    """The store that agents find from here, if there is one. Raises `Refused` for an agent."""
    try:
        place = find_place(here)
    except NotAStore:
        require_person(acting_without_store(), verb)
        return None
    require_person(acting_here(place), verb)
    return None if place.is_new else place.repository.worktree or place.repository.git_dir


def _project(here: Path) -> Path:
    """The top of the repository that the folder lies in, else the folder."""
    with contextlib.suppress(GitmemError):
        return Repository.discover(here).worktree or here
    return here.absolute()


def _notices(agent: str, command: str, store: Path | None, *, for_user: bool) -> list[str]:
    said = []
    if store is None and not for_user:
        said.append(
            "no store is found from here, so the hooks have nothing to give; 'gitmem init DIR' makes one, "
            "'git config gitmem.store DIR' names one for all worktrees of this project"
        )
    if agent == CLAUDE_CODE and for_user:
        said.append(
            "the MCP server of a user stands in a file that Claude Code itself writes, so ask it: "
            f"claude mcp add --scope user gitmem -- {command} mcp"
        )
    if agent == CODEX:
        said.append("Codex runs a new hook only once you have trusted it: type /hooks there")
    return said


def _planned(setting: Setting, edit: Edit) -> _Write:
    file = setting.file
    old = _read(file)
    try:
        text = None if old is None else old.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"{file}: is not UTF-8 (byte {error.start}); nothing was changed") from error
    try:
        change = edit(setting, text)
    except ValueError as error:
        hint = "mend the file, then try again"
        raise Refused(f"{file}: {error}; nothing was changed", hint=hint) from error
    new = None if change.text is None else change.text.encode("utf-8")
    return _Write(file, old, new, change.reason)


def _read(file: Path) -> bytes | None:
    """The bytes of the file; None where there is none. A link is followed: settings often are one."""
    try:
        if not file.is_file():
            if os.path.lexists(file):
                raise Refused(f"{file}: is not a file; nothing was changed")
            return None
        with open(file, "rb") as opened:
            data = opened.read(MOST_SETTINGS_BYTES + 1)
    except OSError as error:
        raise OutsideFailure(f"{file}: cannot be read: {error.strerror}; nothing was changed") from error
    if len(data) > MOST_SETTINGS_BYTES:
        raise Refused(f"{file}: is too large for settings; nothing was changed")
    return data


def _carry_out_all(writes: Sequence[_Write], places: Places) -> None:
    """All of the writes, or none: where one fails, those before it are taken back."""
    done: list[_Write] = []
    try:
        for write in writes:
            _carry_out(write, places)
            done.append(write)
    except GitmemError:
        for write in reversed(done):
            with contextlib.suppress(GitmemError):
                _carry_out(_Write(write.file, write.new, write.old, write.reason), places)
        raise


def _carry_out(write: _Write, places: Places) -> None:
    if write.outcome in ("same", "kept"):
        return
    file = Path(os.path.realpath(write.file))
    try:
        if _read(write.file) != write.old:
            raise Refused(f"{write.file}: was changed just now, and stays as it is", hint="try again")
        if write.new is None:
            file.unlink()
            _remove_empty(write.file.parent, places.top)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        mode = file.stat().st_mode & 0o7777 if write.old is not None else None
        replace_regular(file, write.new, flush=True)
        if mode is not None:
            file.chmod(mode)
    except OSError as error:
        raise OutsideFailure(f"{write.file}: cannot be written: {error.strerror}") from error


def _remove_empty(folder: Path, top: Path) -> None:
    """Takes away the folders from `folder` up to `top`, without it, that nothing is left in."""
    with contextlib.suppress(OSError):
        while folder != top and folder.is_relative_to(top):
            folder.rmdir()
            folder = folder.parent
