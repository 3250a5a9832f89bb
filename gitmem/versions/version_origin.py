"""Where the versions in a dispute come from: the commits that wrote them, found by their blobs."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from gitmem.errors import Damaged, NotFound
from gitmem.git.repository import CommitInfo
from gitmem.model.ids import BlobId, CommitId, MemoryId
from gitmem.model.merge.outcome import NAME_LENGTH
from gitmem.versions.history import last_step
from gitmem.versions.place import Place

MOST_COMMITS = 20_000


def origins_of(
    place: Place, start: CommitId, path: str, memory_id: MemoryId, names: Collection[str]
) -> dict[str, CommitInfo]:
    """The commit that wrote each version, by its name; one that no commit here holds is missing.

    Looks back from `start` along every parent in which the memory still speaks of a version that is sought.
    """
    search = _Search(place, path, memory_id, set(names))
    queue: deque[str] = deque([start])
    seen: set[str] = set()
    while queue and search.wanted and len(seen) < MOST_COMMITS:
        commit = queue.popleft()
        if commit in seen:
            continue
        seen.add(commit)
        try:
            parents = place.repository.commit(commit).parents
            queue += [parent for parent in parents if search.look(CommitId(parent))]
        except (NotFound, Damaged):
            continue
    return search.found


class _Search:
    """Looks at one commit after another; `wanted` are the names not found yet."""

    def __init__(self, place: Place, path: str, memory_id: MemoryId, names: set[str]) -> None:
        self.wanted = names
        self.found: dict[str, CommitInfo] = {}
        self._place = place
        self._path = path
        self._id = memory_id
        self._speaks: dict[str, bool] = {}

    def look(self, commit: CommitId) -> bool:
        """Whether to look further back from `commit`."""
        blob, path = self._at(commit)
        if blob is None:
            return False
        name = blob[:NAME_LENGTH]
        if name in self.wanted:
            step = last_step(self._place, commit, path)
            if step is not None:
                self.found[name] = step.commit
                self.wanted.discard(name)
        if blob not in self._speaks:
            data = self._place.repository.read_blob(blob)
            self._speaks[blob] = any(each.encode() in data for each in self.wanted)
        return self._speaks[blob]

    def _at(self, commit: CommitId) -> tuple[BlobId | None, str]:
        snapshot = self._place.snapshot(commit)
        blob = snapshot.blob(self._path)
        if blob is not None:
            return blob, self._path
        memory = next(iter(snapshot.named(self._id)), None)
        return (memory.blob, memory.path) if memory else (None, self._path)
