"""The merge driver in git's config and attributes: put in, taken out, and looked at. A clone carries neither.

    config             what git runs for a memory that both sides changed: `merge.gitmem.driver`
    .gitattributes     which files that is: written into the tree of a new store
    info/attributes    the same in the git directory, where the tree does not say it
Where the command is gone later, git's own merge of lines takes its place.
"""

from __future__ import annotations

import contextlib
import errno
import shlex
from pathlib import Path

from msgspec import Struct

from gitmem.errors import OutsideFailure
from gitmem.flows.running.hooks import command_path
from gitmem.git.beneath import NotRegular, link_on_the_way, read_below, read_regular, replace_regular
from gitmem.git.repository import Repository

DRIVER_SETTING = "merge.gitmem.driver"
ATTRIBUTE = "merge"
VALUE = "gitmem"
SAMPLE = "semantic/memory.md"
"""A path of a memory, to ask for its attributes."""
_ATTRIBUTES = "info/attributes"
LINES = ("# gitmem: memories merge by meaning", "*.md merge=gitmem")


class DriverReport(Struct, frozen=True):
    """Whether git will merge memories by meaning here, and why not if that is so."""

    is_installed: bool
    reason: str | None = None


def installed_driver(repository: Repository) -> DriverReport:
    """Whether the driver is set up, without changing anything."""
    attribute = repository.attribute(SAMPLE, ATTRIBUTE)
    if attribute not in (VALUE, None, True):
        shown = "-merge" if attribute is False else f"merge={attribute}"
        return DriverReport(False, f"the attribute of memories is {shown}, which is not gitmem's")
    if attribute != VALUE:
        return DriverReport(False, "no attribute names it for memories")
    if not repository.config(DRIVER_SETTING):
        return DriverReport(False, f"{DRIVER_SETTING} is not set in this clone")
    return DriverReport(True)


def install_driver(repository: Repository) -> DriverReport:
    """Sets the driver up in this clone; a repository that says how its memories merge keeps its way."""
    attribute = repository.attribute(SAMPLE, ATTRIBUTE)
    if attribute not in (VALUE, None, True):
        return installed_driver(repository)
    try:
        # No `merge.gitmem.name`: with a name and no command git would refuse to merge at all.
        repository.set_config(DRIVER_SETTING, driver_command())
        if attribute != VALUE or repository.is_bare:
            _write_attributes(_attributes_file(repository), [*_kept_lines(repository), *LINES])
    except (OSError, OutsideFailure) as error:
        return DriverReport(False, f"it cannot be set up: {error}")
    return installed_driver(repository)


def remove_driver(repository: Repository) -> DriverReport:
    """Takes out what `install_driver` put in, and nothing else."""
    repository.unset_config(DRIVER_SETTING)
    file = _attributes_file(repository)
    kept = _kept_lines(repository)
    with contextlib.suppress(OSError):
        if kept:
            _write_attributes(file, kept)
        elif (read_regular(file) or b"").strip():
            file.unlink()
    return DriverReport(False)


def driver_command() -> str:
    """What git runs: the command that is installed with this interpreter, else the one on PATH, else git."""
    command = (command_path() or "gitmem").replace("%", "%%")
    return (
        f"gitmem={shlex.quote(command)}; "
        'command -v "$gitmem" >/dev/null 2>&1 || gitmem=gitmem; '
        '"$gitmem" merge-driver %O %A %B %P %L; status=$?; '
        "[ $status -le 1 ] || { git merge-file -q --marker-size=%L %A %O %B; status=$?; }; "
        "[ $status -eq 0 ]"
    )


def _attributes_file(repository: Repository) -> Path:
    return repository.common_dir / _ATTRIBUTES


def _kept_lines(repository: Repository) -> list[str]:
    """The lines of others in the attributes of the git directory."""
    try:
        data = read_below(repository.common_dir, _ATTRIBUTES) or b""
    except OSError:
        return []
    text = data.decode("utf-8", "surrogateescape")
    return [line for line in text.splitlines() if line not in LINES]


def _write_attributes(file: Path, lines: list[str]) -> None:
    text = "".join(line + "\n" for line in lines)
    link = link_on_the_way(file.parents[1], _ATTRIBUTES)
    if link is not None:
        raise NotRegular(errno.EINVAL, "a link is not followed", str(link))
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_regular(file, text.encode("utf-8", "surrogateescape"))
