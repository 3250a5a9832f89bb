"""Git hooks: put in beside a stranger's hook, taken out without trace. Nothing depends on them."""

from __future__ import annotations

import shlex
import shutil
import sys
from importlib import resources
from pathlib import Path

from msgspec import Struct

from gitmem.git.beneath import read_regular
from gitmem.git.repository import Repository

HOOKS = ("post-commit", "post-merge", "post-checkout", "post-rewrite")
GUARD = "pre-receive"
"""The hook that checks what is pushed into a shared repository; put in on request only."""
MARKS = ("# gitmem hook", "# gitmem guard")
KEPT_SUFFIX = ".before-gitmem"
COMMAND_LINE = "gitmem=gitmem"


class HookReport(Struct, frozen=True):
    """Where hooks live, which are ours, and why none were put in if that is so."""

    folder: Path
    installed: tuple[str, ...]
    kept: tuple[str, ...] = ()
    reason: str | None = None


def install_hooks(repository: Repository, *, is_guarded: bool = False) -> HookReport:
    """Puts the four hooks in, and the guard if asked for; one that was there is kept and called first.

    Where `core.hooksPath` points outside the repository nothing is installed: that folder serves
    other repositories too.
    """
    folder = repository.hooks_directory()
    if repository.hooks_path_is_foreign():
        return HookReport(
            folder, (), reason=f"core.hooksPath is {folder}, which is shared; nothing was put there"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = (*HOOKS, GUARD) if is_guarded or is_ours(folder / GUARD) else HOOKS
        kept = [name for name in names if _install(folder / name, _shim(name))]
    except OSError as error:
        return HookReport(folder, (), reason=f"cannot write {folder}: {error.strerror}")
    return HookReport(folder, names, tuple(kept))


def _install(hook: Path, text: str) -> bool:
    """Writes one hook; whether a stranger's was set aside for it."""
    kept = hook.with_name(hook.name + KEPT_SUFFIX)
    stranger = (hook.exists() or hook.is_symlink()) and not is_ours(hook)
    if stranger:
        hook.rename(kept)
    beside = hook.with_name(hook.name + ".gitmem-new")
    beside.write_text(text, encoding="utf-8", newline="\n")
    beside.chmod(0o755)
    beside.replace(hook)
    return stranger or kept.exists()


def remove_hooks(repository: Repository) -> HookReport:
    """Takes our hooks out and puts back what was there before."""
    folder = repository.hooks_directory()
    if repository.hooks_path_is_foreign():
        return HookReport(folder, ())
    restored = []
    for name in (*HOOKS, GUARD):
        hook = folder / name
        if not is_ours(hook):
            continue
        kept = hook.with_name(name + KEPT_SUFFIX)
        hook.unlink()
        if kept.exists() or kept.is_symlink():
            kept.rename(hook)
            restored.append(name)
    return HookReport(folder, (), tuple(restored))


def installed_hooks(repository: Repository) -> HookReport:
    """Which of our hooks are in place, without changing anything."""
    folder = repository.hooks_directory()
    foreign = repository.hooks_path_is_foreign()
    ours = tuple(name for name in (*HOOKS, GUARD) if not foreign and is_ours(folder / name))
    return HookReport(folder, ours, reason=f"core.hooksPath is {folder}" if foreign else None)


def is_ours(hook: Path) -> bool:
    """Whether the hook at this path is one of gitmem's shims."""
    try:
        data = read_regular(hook) or b""
    except OSError:
        return False
    return any(mark.encode() in data for mark in MARKS)


def _shim(name: str) -> str:
    """The text of a hook, naming the command that is installed with this interpreter."""
    text = _shims_folder().joinpath(name).read_text(encoding="utf-8")
    command = command_path()
    return text.replace(COMMAND_LINE, f"gitmem={shlex.quote(command)}", 1) if command else text


def _shims_folder() -> Path:
    package = Path(str(resources.files("gitmem")))
    return packaged if (packaged := package / "_hooks").is_dir() else package.parent / "hooks"


def command_path() -> str | None:
    """The `gitmem` command beside the running interpreter, else the one on PATH."""
    beside = Path(sys.executable).with_name("gitmem.exe" if sys.platform == "win32" else "gitmem")
    if beside.exists():
        return beside.as_posix()
    found = shutil.which("gitmem")
    return Path(found).as_posix() if found else None
