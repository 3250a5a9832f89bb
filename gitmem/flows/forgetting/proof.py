"""The proof: every object and every file is looked at, and nothing of what was forgotten may be in one.

A file of another memory may name a forgotten id where mentions stay; all else counts as found. What cannot be
read counts as not looked at, so the proof does not hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path

from gitmem.flows.forgetting.journal import folder_of
from gitmem.flows.forgetting.values import Proof
from gitmem.flows.work import Work
from gitmem.git.object_scan import all_files, all_objects
from gitmem.git.objects import blob_id_of
from gitmem.git.repository import Repository
from gitmem.privacy.pieces import Piece, Sought

_MOST_NAMED = 20


def prove(
    work: Work, sought: Sought, blobs: Collection[str], *, names: Collection[str], allows_mentions: bool
) -> Proof:
    """Seeks all pieces, and the bytes of all `blobs`, everywhere; file `names` that mention an id stay."""
    repository = Repository(work.place.repository.git_dir)
    looking = _Looking(work, sought, frozenset(blobs), names, allows_mentions)

    def progress(done: int, total: int) -> None:
        work.progress("looking for what is left", done, total)

    for oid, kind, data in all_objects(repository, progress):
        looking.object(oid, kind, data)
    journal = folder_of(work.place)
    for path, data in all_files(work.place.repository):
        if journal not in path.parents:
            looking.file(path, data)
    return Proof(
        looking.objects,
        looking.files,
        len(sought.pieces) + len(looking.blobs),
        dict(looking.found),
        looking.unread[:_MOST_NAMED],
    )


class _Looking:
    def __init__(
        self,
        work: Work,
        sought: Sought,
        blobs: frozenset[str],
        names: Collection[str],
        allows_mentions: bool,
    ) -> None:
        self._sought = sought
        parts = {part.encode("utf-8", "surrogateescape") for path in names for part in path.split("/")}
        self._names = [part for part in parts if sought.found_in(part)]
        self._allows_mentions = allows_mentions
        self._tops = [tree.path for tree in work.place.repository.worktrees()]
        self._common = work.place.repository.common_dir
        self._naming: set[str] = set()
        """Blobs that name an id and may."""
        self.blobs = blobs
        self.objects = 0
        self.files = 0
        self.found: Counter[str] = Counter()
        self.unread: list[str] = []
        self._last: Path | None = None

    def object(self, oid: str, kind: str, data: bytes | None) -> None:
        self.objects += 1
        if data is None:
            self.unread.append(f"object {oid}")
            return
        pieces = self._found_in(data)
        if kind == "blob" and self._allows_mentions and pieces and all(piece.is_id for piece in pieces):
            self._naming.add(oid)
            return
        if pieces or oid in self.blobs:
            self.found[f"{kind} {oid}"] += max(1, len(pieces))

    def file(self, path: Path, data: bytes | None) -> None:
        self.files += path != self._last
        self._last = path
        name = self._name(path)
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

    def _name(self, path: Path) -> str:
        for top in self._tops:
            if path.is_relative_to(top) and not path.is_relative_to(self._common):
                return str(path.relative_to(top).as_posix())
        return str(path)
