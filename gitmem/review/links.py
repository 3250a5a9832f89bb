"""Where the text of a memory leads: hosts, and what in a `[[link]]` looks like an id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from gitmem.model.ids import ALPHABET, ID_LENGTH

_URL = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]{1,20}:|(?<=[(\"'<\s]))//[^\s<>\"'`)\]}|\\]+|\bwww\.[\w.-]+", re.IGNORECASE
)
_TRAILING = ".,;:!?*_"
_ID = re.compile(rf"[a-z][{ALPHABET}]{{{ID_LENGTH - 1}}}")


def looks_like_an_id(name: str) -> bool:
    """Whether `name` is shaped like an id that gitmem gives, rather than the name of a page."""
    return bool(_ID.fullmatch(name)) and any(each.isdigit() for each in name)


def hosts(text: str) -> Iterator[tuple[str, int]]:
    """The hosts of all links in `text`, also those without a scheme, each with its place."""
    if "//" not in text and "www." not in text.casefold():
        return
    for found in _URL.finditer(text):
        address = found.group().rstrip(_TRAILING)
        if address.casefold().startswith("file:"):
            continue
        host = _host_of(address if "//" in address else f"//{address}")
        if host:
            yield host, found.start()


def _host_of(address: str) -> str | None:
    """The host of a link; of one that is no valid address, what stands where the host would."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return address.partition("//")[2].partition("/")[0].casefold()
