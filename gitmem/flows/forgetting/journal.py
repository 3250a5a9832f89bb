"""What a forget is about to do, on disk from before its first change to after its last look.

It holds the very words that are to go, in a file that only its owner may read: whoever dies on the way has to
know again what to seek. It is the last thing that goes, once nothing of it is found any more.
"""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import Struct

from gitmem.flows.forgetting.forgotten import FORGETTING
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.platform import fsync_directory, make_private_directory
from gitmem.privacy.pieces import Piece
from gitmem.privacy.targets import Wanted
from gitmem.versions.place import Place

_FILE = "plan.json"
_MAX_BYTES = 512 * 2**20
FORMAT = 1


class ForgetEntry(Struct, frozen=True):
    """A forget under way: what was asked for, the ids and pieces that were found, and its blobs."""

    wanted: Wanted
    ids: tuple[str, ...]
    pieces: tuple[Piece, ...]
    blobs: frozenset[str]
    redacts_mentions: bool
    names: frozenset[str] = frozenset()
    """Paths that stay though an id is in them."""


def folder_of(place: Place) -> Path:
    return place.home / FORGETTING


def write_entry(place: Place, entry: ForgetEntry) -> None:
    """Puts the entry on disk, flushed."""
    folder = folder_of(place)
    make_private_directory(place.home)
    make_private_directory(folder)
    facts = {
        "format": FORMAT,
        "wanted": {"ids": entry.wanted.ids, "subject": entry.wanted.subject, "match": entry.wanted.match},
        "ids": entry.ids,
        "pieces": [
            [piece.is_token, piece.is_id, *(each.hex() for each in (piece.text, piece.before, piece.after))]
            for piece in entry.pieces
        ],
        "blobs": sorted(entry.blobs),
        "redacts_mentions": entry.redacts_mentions,
        "names": sorted(entry.names),
    }
    replace_regular(folder / _FILE, json.dumps(facts).encode("ascii"), flush=True)
    (folder / _FILE).chmod(0o600)
    fsync_directory(folder)


def read_entry(place: Place) -> ForgetEntry | None:
    """The forget that was broken off; None where there is none, or where it changed nothing yet."""
    try:
        facts = json.loads(read_regular(folder_of(place) / _FILE, max_bytes=_MAX_BYTES) or b"")
        wanted = facts["wanted"]
        return ForgetEntry(
            Wanted(tuple(wanted["ids"]), wanted["subject"], wanted["match"]),
            tuple(facts["ids"]),
            tuple(_piece(*each) for each in facts["pieces"]),
            frozenset(facts["blobs"]),
            bool(facts["redacts_mentions"]),
            frozenset(facts["names"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _piece(is_token: bool, is_id: bool, text: str, before: str, after: str) -> Piece:
    return Piece(bytes.fromhex(text), is_token, is_id, bytes.fromhex(before), bytes.fromhex(after))


def remove_entry(place: Place) -> None:
    """Takes the entry away: overwritten first, as far as the file system writes in place."""
    folder = folder_of(place)
    for file in folder.glob("*"):
        size = file.stat().st_size
        with open(file, "r+b") as opened:
            opened.write(b"\0" * size)
            opened.flush()
        file.unlink()
    folder.rmdir()
    fsync_directory(folder.parent)
