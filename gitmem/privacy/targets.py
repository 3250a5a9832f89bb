"""What belongs to the memories that are to be forgotten, in all of history: versions, attachments, old names.

version      a file at any path whose header has the id
note         a file without an id of its own, at the path that its id stands for, and under the names that
             it had before and after, as renames tell
attachment   a file in the folder of attachments beside one of these
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher

from msgspec import Struct, field

from gitmem.git.history_walk import History
from gitmem.git.trees import decode_path, encode_path
from gitmem.model.document import decode
from gitmem.model.ids import BlobId, derived_memory_id, id_key
from gitmem.model.memory import Memory
from gitmem.model.place import attachment_folder, owner_of
from gitmem.model.reading import MAX_MEMORY_BYTES, START_BYTES, read_memory
from gitmem.privacy.pieces import Piece, Sought, pieces_of_id, pieces_of_memory, pieces_of_text

Read = Callable[[str], bytes]
IsMemory = Callable[[str], bool]
_ALIKE = 0.5
"""From this share on two texts are one file that was renamed, as for git."""
_MOST_COMPARED_BYTES = 64 * 1024


class Wanted(Struct, frozen=True):
    """What is to be forgotten: memories by id, those about a subject, or those that hold a text."""

    ids: tuple[str, ...] = ()
    subject: str | None = None
    match: str | None = None

    @property
    def answer(self) -> str:
        """What a person has to repeat."""
        return " ".join(self.ids) if self.ids else self.subject or self.match or ""


class Targets(Struct):
    """The memories that are meant: their ids by key, and all their files, as path and blob."""

    ids: dict[str, str] = field(default_factory=dict)
    versions: dict[str, dict[tuple[str, str], Memory]] = field(default_factory=dict)
    attachments: set[tuple[str, str]] = field(default_factory=set)

    @property
    def files(self) -> set[tuple[str, str]]:
        return {pair for versions in self.versions.values() for pair in versions} | self.attachments

    @property
    def blobs(self) -> set[str]:
        return {blob for _, blob in self.files}


class Finder:
    """Looks through all files of a history; each blob is read when it may matter."""

    def __init__(self, history: History, read: Read, is_memory: IsMemory) -> None:
        self._history = history
        self._read = read
        self._files = [
            (path, blob)
            for raw, blob in sorted(history.files - history.links)
            if is_memory(path := decode_path(raw))
        ]

    def find(self, wanted: Wanted) -> Targets:
        """All that belongs to what is wanted; nothing where nothing does."""
        keys = {id_key(each): each for each in wanted.ids}
        if wanted.subject is not None or wanted.match is not None:
            keys |= {id_key(memory.id): memory.id for memory in self._meant(wanted)}
        targets = Targets()
        for path, blob, memory in self._with_ids(keys):
            key = id_key(memory.id)
            targets.ids[key] = memory.id
            targets.versions.setdefault(key, {})[(path, blob)] = memory
        for key, versions in targets.versions.items():
            if any(not memory.has_own_id for memory in versions.values()):
                versions.update(self._other_names(key, versions))
        targets.attachments = set(self._attachments(targets))
        return targets

    def _meant(self, wanted: Wanted) -> Iterator[Memory]:
        """The memories about the subject, or that hold the text, in any version."""
        text = wanted.subject if wanted.match is None else wanted.match
        assert text is not None, "asked for"
        low = text.casefold()
        for path, blob in self._files:
            whole = decode(self._read(blob))[0]
            if low not in whole.casefold():
                continue
            memory = read_version(path, blob, self._read)
            if wanted.match is not None or (memory.subject or "").strip().casefold() == low.strip():
                yield memory
        if wanted.match is not None:
            yield from self._owners_of_attachments_with(low)

    def _owners_of_attachments_with(self, low: str) -> Iterator[Memory]:
        memories = defaultdict(list)
        for path, blob in self._files:
            memories[path].append(blob)
        for raw, blob in self._history.files - self._history.links:
            owner = owner_of(decode_path(raw))
            if owner is None or owner not in memories:
                continue
            if low in self._read(blob).decode("utf-8", "ignore").casefold():
                for each in memories[owner]:
                    yield read_version(owner, each, self._read)

    def _with_ids(self, keys: dict[str, str]) -> Iterator[tuple[str, str, Memory]]:
        """All versions whose id is among `keys`."""
        if not keys:
            return
        ids = Sought(Piece(key.encode("utf-8", "surrogateescape").lower(), True) for key in keys)
        derived: dict[str, str] = {}
        for path, blob in self._files:
            if path not in derived:
                derived[path] = id_key(derived_memory_id(path))
            if derived[path] not in keys and not ids.found_in(self._read(blob)):
                continue
            memory = read_version(path, blob, self._read)
            if id_key(memory.id) in keys:
                yield path, blob, memory

    def _other_names(
        self, key: str, versions: dict[tuple[str, str], Memory]
    ) -> Iterator[tuple[tuple[str, str], Memory]]:
        """The same note under the names that it had before and after."""
        paths = {path for (path, _), memory in versions.items() if not memory.has_own_id}
        known = set(paths)
        while paths:
            found = {other for path in paths for other in self._renamed(path)} - known
            known |= found
            paths = found
        for path, blob in self._files:
            if path in known and (path, blob) not in versions:
                memory = read_version(path, blob, self._read)
                if not memory.has_own_id or id_key(memory.id) == key:
                    yield (path, blob), memory

    def _renamed(self, path: str) -> Iterator[str]:
        """The paths from which or to which a commit brought the note at `path`."""
        raw = encode_path(path)
        for changed in self._history.changes.values():
            for at, old, new in changed:
                if at == raw and (old is None) != (new is None):
                    yield from (
                        decode_path(other)
                        for other, before, after in changed
                        if other != raw
                        and other.endswith(b".md")
                        and (before is None) == (new is None)
                        and (after is None) == (old is None)
                        and self._are_alike(old or new or "", before or after or "")
                    )

    def _are_alike(self, one: str, other: str) -> bool:
        if one == other:
            return True
        left, right = (
            self._read(each)[:_MOST_COMPARED_BYTES].decode("utf-8", "replace").splitlines()
            for each in (one, other)
        )
        return SequenceMatcher(None, left, right).ratio() >= _ALIKE

    def _attachments(self, targets: Targets) -> Iterator[tuple[str, str]]:
        """What is attached to the targets; where another memory stood at the same path, what they name."""
        owners: dict[str, list[Memory]] = defaultdict(list)
        meant = {pair: memory for versions in targets.versions.values() for pair, memory in versions.items()}
        for (path, _), memory in meant.items():
            owners[path].append(memory)
        shared = {path for path, blob in self._files if path in owners and (path, blob) not in meant}
        for raw, blob in self._history.files:
            path = decode_path(raw)
            owner = owner_of(path)
            if owner is None or owner not in owners:
                continue
            name = path.removeprefix(attachment_folder(owner))
            if owner not in shared or any(name in memory.attachments for memory in owners[owner]):
                yield path, blob


def read_version(path: str, blob: str, read: Read) -> Memory:
    """The memory that a blob is at a path; of a large one the start is read."""
    data = read(blob)
    if len(data) > MAX_MEMORY_BYTES:
        return read_memory(path, BlobId(blob), data[:START_BYTES], is_start=True)
    return read_memory(path, BlobId(blob), data)


def pieces_of(targets: Targets, read: Read) -> list[Piece]:
    """All that tells what is forgotten, wherever it lies."""
    found = [piece for memory_id in targets.ids.values() for piece in pieces_of_id(memory_id)]
    for versions in targets.versions.values():
        for (_, blob), memory in versions.items():
            found += pieces_of_memory(memory, decode(read(blob))[0])
    for _, blob in targets.attachments:
        data = read(blob)
        if b"\0" not in data:
            found += pieces_of_text(data.decode("utf-8", "replace"))
    return list(dict.fromkeys(found))


def titles_of(targets: Targets) -> set[str]:
    """The titles that the memories had."""
    return {memory.title for versions in targets.versions.values() for memory in versions.values()}


def paths_of(pairs: Iterable[tuple[str, str]]) -> set[str]:
    """The paths of some files."""
    return {path for path, _ in pairs}
