"""When a helper starts without being told: where git's config asks for it, after a command it can answer."""

from __future__ import annotations

import sys
from contextlib import suppress

from gitmem.flows.running.hooks import command_path
from gitmem.platform import HAS_LOCAL_SOCKETS, FileLock, spawn_detached
from gitmem.surroundings import environ, is_own
from gitmem.versions.place import Place

SETTING = "gitmem.serve"
VARIABLE = "GITMEM_SERVE"
GUARD = "helper.guard"
"""File below `Place.home` that a helper keeps locked as long as it runs."""


def start_helper(place: Place) -> None:
    """Starts the helper of the store if git config `gitmem.serve` says so and none runs. Never fails.

    `GITMEM_SERVE=off` keeps this command from it.
    """
    if not HAS_LOCAL_SOCKETS or not is_own() or environ().get(VARIABLE) == "off":
        return
    value = place.repository.config(SETTING)
    if value != "auto" and not place.repository.config_bool(SETTING, False):
        return
    with suppress(OSError):
        with FileLock(place.home / GUARD, timeout_seconds=0) as guard:
            if not guard.acquired:
                return
        command = command_path()
        how = [command] if command else [sys.executable, "-P", "-m", "gitmem.cli.main"]
        folder = place.repository.common_dir
        spawn_detached([*how, "-C", str(folder), "serve"], cwd=folder, env=environ())
