"""What git's config of a clone says of where it came from and what it left behind."""

from __future__ import annotations

from gitmem.versions.place import Place

FORKED_FROM = "gitmem.forkedFrom"
FORK_COMMIT = "gitmem.forkCommit"
ACTIVE_ONLY = "gitmem.activeOnly"


def leaves_archive(place: Place) -> bool:
    """Whether this clone left the archive behind."""
    return place.repository.config_bool(ACTIVE_ONLY, False)


def is_archive_elsewhere(place: Place) -> bool:
    """Whether archived memories are at the remote alone, so that they cannot be looked into here."""
    return leaves_archive(place) and not place.repository.remote_tips(place.config.branches["archive"])
