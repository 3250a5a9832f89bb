"""The proof: every object and every file is looked at, and nothing of what was forgotten may be in one.

A file of another memory may name a forgotten id where mentions stay; all else counts as found. What cannot be
read counts as not looked at, so the proof does not hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from gitmem.flows.forgetting.journal import folder_of
from gitmem.flows.forgetting.values import Proof
from gitmem.flows.work import Work
from gitmem.git.object_scan import all_files, all_objects
from gitmem.git.objects import blob_id_of
from gitmem.git.repository import Repository
from gitmem.privacy.pieces import Piece, Sought

_MOST_NAMED = 20
_NAME = re.compile(rb"[0-7]{1,7} ([^\0]+)\0.{20}", re.DOTALL)


def prove(
    work: Work, sought: Sought, blobs: Collection[str], *, names: Collection[str], allows_mentions: bool
) -> Proof:
    """Seeks all pieces, and the bytes of all `blobs`, everywhere; file `names` that mention an id stay."""
    repository = Repository(work.place.repository.git_dir)
    looking = LastLook(sought, frozenset(blobs), names, allows_mentions=allows_mentions)

    def progress(done: int, total: int) -> None:
        work.progress("looking for what is left", done, total)

    for oid, kind, data in all_objects(repository, progress):
        looking.object(oid, kind, data)
    for name, data in all_files(work.place.repository, without=folder_of(work.place)):
        looking.file(name, data)
    return Proof(
        looking.objects,
        looking.files,
        len(sought.pieces) + len(looking.blobs),
        dict(looking.found),
        looking.unread[:_MOST_NAMED],
    )


class LastLook:
    """What was looked at so far, and where something was found."""

    def __init__(
        self, sought: Sought, blobs: frozenset[str], names: Collection[str], *, allows_mentions: bool
    ) -> None:
        self._sought = sought
        parts = {part.encode("utf-8", "surrogateescape") for path in names for part in path.split("/")}
        self._names = [part for part in parts if sought.found_in(part)]
        self._allows_mentions = allows_mentions
        self._naming: set[str] = set()
        """Blobs that name an id and may."""
        self._parts: set[bytes] = set()
        """What stands between the zero bytes of trees, each once."""
        self._heard: set[bytes] = set()
        """What stands behind the first blank of these: at least the whole name."""
        self.blobs = blobs
        self.objects = 0
        self.files = 0
        self.found: Counter[str] = Counter()
        self.unread: list[str] = []
        self._last = ""

    def object(self, oid: str, kind: str, data: bytes | None) -> None:
        self.objects += oid != self._last
        self._last = oid
        if data is None:
            self.unread.append(f"object {oid}")
            return
        pieces = self._found_in_tree(data) if kind == "tree" else self._found_in(data)
        if kind == "blob" and self._allows_mentions and pieces and all(piece.is_id for piece in pieces):
            self._naming.add(oid)
            return
        if pieces or oid in self.blobs:
            self.found[f"{kind} {oid}"] += max(1, len(pieces))

    def _found_in_tree(self, data: bytes) -> set[Piece]:
        """The pieces in names of a tree. What other trees had too was looked at in them.

        A tree is: mode, blank, name, zero byte, twenty bytes of any value, and so on. So however often it is
        cut at zero bytes, each name is whole, and behind the first blank of its part.
        """
        parts = set(data.split(b"\0")) - self._parts
        self._parts |= parts
        new = {part.partition(b" ")[2] for part in parts} - self._heard
        self._heard |= new
        if not new or not self._found_in(b"\n".join(new)):
            return set()
        # An id may look like a piece.
        return self._found_in(b"\n".join(_NAME.findall(data)))

    def file(self, name: str, data: bytes | None) -> None:
        self.files += name != self._last
        self._last = name
        if data is None:
            self.unread.append(name)
            return
        pieces = self._found_in(data)
        count = len(pieces)
        if pieces and all(piece.is_id for piece in pieces) and blob_id_of(data) in self._naming:
            count = 0
        count += len(self._found_in(name.encode("utf-8", "surrogateescape")))
        if self.blobs and blob_id_of(data) in self.blobs:
            count += 1
        if count:
            self.found[name] += count

    def _found_in(self, data: bytes) -> set[Piece]:
        pieces = self._sought.found_in(data)
        if pieces and self._names:
            for name in self._names:
                data = data.replace(name, b"")
            pieces = self._sought.found_in(data)
        return pieces
