"""What a forget would take out, found before anything changes: files, pieces, mentions.

Three kinds of files hold something of what is forgotten:
    its own     versions and attachments: left out of history
    surviving   files that people keep on branches and tags. What a memory there says too is not sought. One
                that names a forgotten id mentions it: listed, and changed only where that was asked for
    leftover    stashes, notes, old states that logs name: what they hold of it is replaced
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from msgspec import Struct, field

from gitmem.errors import Refused
from gitmem.flows.work import Work
from gitmem.git.history_walk import History, Ref, all_refs, read_history
from gitmem.git.objects import blob_id_of, read_blob
from gitmem.git.trees import decode_path, encode_path
from gitmem.model.place import owner_of
from gitmem.model.sealed import is_sealed, key_of_attachment
from gitmem.privacy.message import Messages
from gitmem.privacy.pieces import Piece, Sought
from gitmem.privacy.targets import Finder, Targets, Wanted, pieces_of, titles_of

_USAGE_FILE_BYTES = 20
_MOST_KEPT_BYTES = 128 * 1024 * 1024
"""Each file is looked at several times; so much of them is read once."""


class Look(Struct):
    """All that is known before a forget: see the head of this module.

    `files` is what the rewrite goes by, `texts` the bytes of blobs that are put in the place of others.
    """

    refs: list[Ref]
    history: History
    targets: Targets
    sought: Sought
    files: dict[bytes, dict[str, str | None]]
    texts: dict[str, bytes]
    messages: Messages
    mentions: Counter[str] = field(default_factory=Counter)
    names: set[str] = field(default_factory=set)
    """Paths that stay though a forgotten id is in them."""
    shared: Counter[str] = field(default_factory=Counter)
    also_said: Counter[str] = field(default_factory=Counter)
    """Memories that stay and say a whole line of it: a summary of it, or whoever says the same."""
    leftovers: int = 0
    touched: frozenset[str] = frozenset()
    read: Callable[[str], bytes] = lambda _blob: b""
    """The bytes of a blob, which the look has read already as a rule."""
    is_memory: Callable[[str], bool] = lambda _path: False

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it is in any history."""
        return not self.targets.files and not self.files


class Looking(Struct):
    """One look. With `redacts_mentions` what other files hold of it is replaced too."""

    work: Work
    wanted: Wanted
    redacts_mentions: bool = False
    known: Iterable[Piece] = ()
    """Pieces that an earlier run found, whose objects may be gone by now."""
    _kept: dict[str, bytes] = field(default_factory=dict)
    _kept_bytes: int = 0
    _locked: set[str] = field(default_factory=set)
    _stays: dict[str, list[str]] | None = None

    def look(self) -> Look:
        """Raises `Damaged` where a part of the history cannot be read."""
        repository, config = self.work.place.repository, self.work.place.config
        refs = all_refs(repository)
        history = read_history(repository, refs)
        targets = Finder(history, self._read_open, config.is_memory_path).find(self.wanted)
        self._refuse_locked()
        forced = self._forced()
        pieces = [*pieces_of(targets, self._read_open), *self.known] if targets.files or self.known else []
        sought = Sought([*pieces, *forced])
        look = Look(refs, history, targets, sought, {}, {}, Messages.of_nothing(), read=self._read)
        look.is_memory = config.is_memory_path
        self._shield(look, frozenset(forced))
        self._replace(look, frozenset(forced))
        for path, blob in targets.files:
            look.files.setdefault(encode_path(path), {})[blob] = None
        look.touched = frozenset(_touched(history, targets.files))
        look.messages = self._messages(look)
        return look

    def _read_open(self, blob: str) -> bytes:
        """The blob decrypted, as far as its key can be used here. What is rewritten is read as it is."""
        data = self._read(blob)
        if not is_sealed(data) and key_of_attachment(data) is None:
            return data
        opened = self.work.place.repository.read_blob(blob)
        if opened == data:
            self._locked.add(blob)
        return opened

    def _refuse_locked(self) -> None:
        """Raises `Refused` where it cannot be told whether all that is meant was found."""
        if self._locked and not self.wanted.ids:
            raise Refused(
                f"{len(self._locked)} encrypted files cannot be read here, so it is not known what they say",
                hint="'gitmem keys import' takes in a key; or name the memories by their ids",
            )

    def _read(self, blob: str) -> bytes:
        data = self._kept.get(blob)
        if data is None:
            data = read_blob(self.work.place.repository.raw, blob)
            if self._kept_bytes + len(data) <= _MOST_KEPT_BYTES:
                self._kept[blob] = data
                self._kept_bytes += len(data)
        return data

    def _forced(self) -> list[Piece]:
        """A text that was asked for is sought even where another memory holds it."""
        if self.wanted.match is None:
            return []
        return [Piece(self.wanted.match.encode("utf-8", "surrogateescape").lower())]

    def _surviving(self, look: Look) -> dict[str, list[str]]:
        """Paths by blob of what stays on branches and tags."""
        if self._stays is not None:
            return self._stays
        gone = look.targets.files
        found: dict[str, list[str]] = defaultdict(list)
        for raw, blob in sorted(look.history.shielding - look.history.links):
            if (path := decode_path(raw)) and (path, blob) not in gone:
                found[blob].append(path)
        self._stays = found
        return found

    def _shield(self, look: Look, forced: frozenset[Piece]) -> None:
        """Takes what survives elsewhere out of what is sought; notes mentions."""
        shielded: set[Piece] = set()
        branches = self.work.place.config.branches
        tips = self._tips(self.work.place.main)
        living = tips.union(*(self._tips(branches[each]) for each in ("archive", "working")))
        for path in {path for paths in self._surviving(look).values() for path in paths}:
            named = look.sought.found_in(path.encode("utf-8", "surrogateescape"))
            shielded |= {piece for piece in named if not piece.is_id and piece not in forced}
            if any(piece.is_id for piece in named):
                look.mentions[path] += 1
                look.names.add(path)
        for blob, paths in self._surviving(look).items():
            for piece in look.sought.found_in(self._read(blob)):
                if piece.is_id:
                    look.mentions.update(paths)
                elif piece not in forced:
                    is_memory = any(self._belongs_to_memory(path) for path in paths)
                    if is_memory or not self.redacts_mentions:
                        shielded.add(piece)
                    if is_memory and not piece.is_token:
                        look.also_said.update(path for path in paths if (path, blob) in living)
                    if not is_memory:
                        look.shared.update(path for path in paths if (path, blob) in tips)
        look.sought = look.sought.without(shielded)

    def _belongs_to_memory(self, path: str) -> bool:
        return self.work.place.config.is_memory_path(path) or owner_of(path) is not None

    def _tips(self, branch: str) -> set[tuple[str, str]]:
        """The files that stand on a branch now: what a person would look at."""
        tip = self.work.place.tip(branch)
        return {(each.path, each.oid) for each in self.work.place.repository.walk(tip)} if tip else set()

    def _replace(self, look: Look, forced: frozenset[Piece]) -> None:
        """Decides which blobs get another text."""
        ids = [piece for piece in look.sought.pieces if piece.is_id]
        everything = look.sought if self.redacts_mentions else look.sought.without(ids)
        only_forced = look.sought if self.redacts_mentions else Sought(forced)
        for blob, paths in self._surviving(look).items():
            self._redact(look, blob, paths, only_forced)
        gone = look.targets.files
        others: dict[str, list[str]] = defaultdict(list)
        for raw, blob in sorted(look.history.others):
            if (decode_path(raw), blob) not in gone:
                others[blob].append(decode_path(raw))
        for blob, paths in others.items():
            look.leftovers += self._redact(look, blob, paths, everything)

    def _redact(self, look: Look, blob: str, paths: list[str], sought: Sought) -> bool:
        if not sought:
            return False
        data = self._read(blob)
        if any(_is_usage(path) for path in paths):
            made = without_lines_of(data, look.targets.ids)
        else:
            made = sought.redacted(data)
        if made == data:
            return False
        new = blob_id_of(made)
        look.texts[new] = made
        for path in paths:
            look.files.setdefault(encode_path(path), {})[blob] = new
        return True

    def _messages(self, look: Look) -> Messages:
        subjects = [_subject(self.work, oid) for oid in look.touched]
        return Messages(look.sought, titles_of(look.targets), look.targets.ids, subjects, look.touched)


def without_lines_of(data: bytes, keys: Iterable[str]) -> bytes:
    """A record of uses without the lines that begin with one of the ids."""
    gone = {key.encode("utf-8", "surrogateescape") for key in keys}
    lines = data.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.split() or line.split()[0].lower() not in gone)


def _is_usage(path: str) -> bool:
    """Whether a file is what one clone shares of its uses."""
    stem = path.removesuffix(".txt")
    return len(path) == _USAGE_FILE_BYTES and stem != path and set(stem) <= set("0123456789abcdef")


def _touched(history: History, files: set[tuple[str, str]]) -> Iterable[str]:
    raw = {(encode_path(path), blob) for path, blob in files}
    for oid, changed in history.changes.items():
        if any((path, old) in raw or (path, new) in raw for path, old, new in changed):
            yield oid


def _subject(work: Work, oid: str) -> str:
    return next(iter(work.place.repository.commit(oid).message.splitlines()), "")
