"""What git says on its way to another repository: the line that tells, without anybody's password."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct

_USER_AND_PASSWORD = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{0,30})://(?P<info>[^/\s'\"]*)@")
_KEEPS_USER = frozenset({"ssh", "git+ssh", "ssh+git"})
_EMPTY_TALK = (
    "could not read from remote repository",
    "please make sure you have the correct access rights",
    "and the repository exists",
    "failed to push some refs",
    "the remote end hung up unexpectedly",
    "hint:",
)
"""Lines that say no more than that it failed, in lower case."""


class Address(Struct, frozen=True):
    """The address of a repository without its secrets, and, where it had some, as it was given."""

    public: str
    secret: str | None = None


def parted(url: str) -> Address:
    """`url` without a password; over HTTP without a user name too, since tokens stand there."""
    public = redacted(url)
    return Address(public, url if public != url else None)


def redacted(text: str) -> str:
    """`text` in which no address carries a secret any more."""

    def without(match: re.Match[str]) -> str:
        user = match["info"].partition(":")[0]
        kept = f"{user}@" if user and match["scheme"].lower() in _KEEPS_USER else ""
        return f"{match['scheme']}://{kept}"

    return _without_query(_USER_AND_PASSWORD.sub(without, text))


def _without_query(text: str) -> str:
    """An address alone loses its query too; other text stays."""
    if any(letter.isspace() for letter in text) or "://" not in text:
        return text
    try:
        parts = urlsplit(text)
    except ValueError:
        return text
    is_web = parts.scheme.lower() in ("http", "https")
    return urlunsplit(parts._replace(query="", fragment="")) if is_web and parts.query else text


def telling_line(text: str) -> str:
    """The line of git's talk that says what is wrong, without `fatal:` and without secrets."""
    lines = [line.strip() for line in redacted(text).splitlines() if line.strip()]
    told = [line for line in lines if not any(each in line.lower() for each in _EMPTY_TALK)]
    by_git = [line for line in told if line.startswith(("fatal:", "error:", "remote:", "ssh:"))]
    chosen = next(iter(by_git or told[-1:] or lines[-1:]), "")
    return chosen.removeprefix("fatal: ").removeprefix("error: ")
