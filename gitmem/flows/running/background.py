"""What goes on in the background: one process at a time that brings index and repository up to date.

It is the one that the git hooks start. A write of gitmem's own, for which git runs no hooks, starts it when
many objects have piled up.
"""

from __future__ import annotations

from contextlib import suppress

from gitmem.errors import GitmemError
from gitmem.flows.work import REFRESH_WANTED, Work
from gitmem.git.upkeep import has_much_to_fold, keep_up
from gitmem.surroundings import environ
from gitmem.versions.place import Place

HOOKS_VARIABLE = "GITMEM_HOOKS"


def keep_repository_up(work: Work) -> None:
    """Folds objects and writes the commit graph where that is due. What fails is said, and tried again."""
    try:
        for sentence in keep_up(work.place.repository, work.place.tip(work.branch)):
            work.notice(sentence)
    except (GitmemError, OSError) as error:
        work.notice(f"the upkeep of the repository failed: {error}")


def wake(place: Place) -> None:
    """Starts the background process if there is much to fold and none was asked for. Never fails."""
    if environ().get(HOOKS_VARIABLE) == "off" or not has_much_to_fold(place.repository.common_dir):
        return
    if not place.repository.config_bool("gitmem.upkeep", True):
        return
    from gitmem.flows.running.hooks import command_path
    from gitmem.platform import spawn_detached

    command = command_path()
    if command is None:
        return
    with suppress(OSError):
        # As in the hooks: the wish stands on the disk until somebody has taken it up.
        (place.home / REFRESH_WANTED).touch(exist_ok=False)
        folder = place.repository.worktree or place.repository.git_dir
        spawn_detached([command, "hook", "post-commit"], cwd=folder, env=environ())
