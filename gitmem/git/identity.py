"""Who a commit is by, as git itself would say it, with an answer even where git has none."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from gitmem.git.repository import Repository
from gitmem.surroundings import environ

FALLBACK_NAME = "gitmem"
FALLBACK_EMAIL = "gitmem@localhost"
# What git cuts off the ends of a name; `<`, `>` and line ends it drops everywhere.
_CRUD = "".join(map(chr, range(33))) + ".,:;\"\\'"
_DROPPED = str.maketrans("", "", "<>\n\0")


class Author(Struct, frozen=True):
    """A name and an address; `is_fallback` where the user has configured none."""

    name: str
    email: str
    is_fallback: bool


def author_of(repo: Repository) -> Author:
    """Who changes are by: GIT_AUTHOR_*, then `author.*` and `user.*` of the config, then gitmem itself."""
    return _identity(repo, "AUTHOR")


def committer_of(repo: Repository) -> Author:
    """Who commits them: GIT_COMMITTER_*, then `committer.*` and `user.*`, then gitmem itself."""
    return _identity(repo, "COMMITTER")


def names_for_git(repo: Repository) -> dict[str, str]:
    """The variables that let git itself commit where it knows no name: as gitmem, as all else here."""
    roles = {"AUTHOR": author_of(repo), "COMMITTER": committer_of(repo)}
    return {
        f"GIT_{role}_{part}": value
        for role, who in roles.items()
        if who.is_fallback
        for part, value in (("NAME", who.name), ("EMAIL", who.email))
    }


def _identity(repo: Repository, role: str) -> Author:
    section = role.lower()
    name = _first(
        (
            environ().get(f"GIT_{role}_NAME"),
            repo.config(f"{section}.name"),
            repo.config("user.name"),
        )
    )
    email = _first(
        (
            environ().get(f"GIT_{role}_EMAIL"),
            repo.config(f"{section}.email"),
            repo.config("user.email"),
            environ().get("EMAIL"),
        )
    )
    if name and email:
        return Author(name, email, is_fallback=False)
    return Author(name or FALLBACK_NAME, email or FALLBACK_EMAIL, is_fallback=True)


def _first(values: Iterable[str | None]) -> str:
    for value in values:
        cleaned = _clean(value or "")
        if cleaned:
            return cleaned
    return ""


def _clean(value: str) -> str:
    return value.encode("utf-8", "replace").decode("utf-8").translate(_DROPPED).strip(_CRUD)
