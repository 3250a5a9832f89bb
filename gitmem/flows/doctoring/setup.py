"""doctor: what gitmem has set up in the git directory, and what stands there that it has not."""

from __future__ import annotations

from gitmem.flows.doctoring.ailment import Ailment
from gitmem.flows.merging.driver import install_driver, installed_driver
from gitmem.flows.running.hooks import HOOKS, install_hooks, installed_hooks
from gitmem.flows.work import Work
from gitmem.git.private_folder import find_strangers, put_aside
from gitmem.git.repository import Repository


def examine_private_folder(repository: Repository, *, fix: bool) -> list[Ailment]:
    """Links, pipes and the like in the folder of gitmem; with `fix` they are moved aside, unread."""
    found = []
    for stranger in find_strangers(repository.common_dir):
        if fix:
            kept = put_aside(repository.common_dir, stranger)
            found.append(Ailment("private-folder", f"{stranger.message}; moved to {kept}", True))
        else:
            found.append(Ailment("private-folder", stranger.message, hint="--fix moves it aside, unread"))
    return found


def examine_hooks(work: Work, fix: bool) -> list[Ailment]:
    """The hooks by which git tells gitmem of a commit."""
    repository = work.place.repository
    hooks = installed_hooks(repository)
    missing = [name for name in HOOKS if name not in hooks.installed]
    if repository.is_bare or hooks.reason or not missing:
        return []
    if fix and not (report := install_hooks(repository)).reason:
        return [Ailment("hooks", f"hooks installed in {report.folder}", True)]
    hint = "--fix or 'gitmem init' installs them"
    return [Ailment("hooks", f"git hooks are not installed: {', '.join(missing)}", hint=hint)]


def examine_driver(work: Work, fix: bool) -> list[Ailment]:
    """Without the driver git merges memories by line, and may leave its markers in them."""
    repository = work.place.repository
    report = installed_driver(repository)
    if fix and not report.is_installed:
        report = install_driver(repository)
        if report.is_installed:
            return [Ailment("merge-driver", "the merge driver is set up", True)]
    if report.is_installed:
        return []
    hint = "--fix or 'gitmem init' sets it up"
    return [Ailment("merge-driver", f"the merge driver is not set up: {report.reason}", hint=hint)]
