"""A repository whose encrypted memories are read as if they were not, where their keys can be used here.

What stands in git stays as it is: ids are those of the encrypted blobs. Whatever is kept on the disk, such as
the index, is made from `as_stored`, so that nothing that is derived holds what was encrypted.
"""

from __future__ import annotations

from collections import OrderedDict

from gitmem.git.repository import Repository
from gitmem.model.document import decode, encode
from gitmem.model.sealed import is_sealed, key_of_attachment, sealed_of
from gitmem.versions.keyring import Keyring

MOST_KEPT_BYTES = 8 * 1024 * 1024


class UnlockedRepository(Repository):
    """`stored`, decrypted by `keyring` as far as it goes."""

    def __init__(self, stored: Repository, keyring: Keyring) -> None:
        vars(self).update(vars(stored))
        self.stored = stored
        self.keyring = keyring
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._kept_bytes = 0
        self._state = 0

    def read_blob(self, oid: str) -> bytes:
        return self._opened(oid, self.stored.read_blob(oid))

    def load_blob(self, oid: str) -> bytes:
        return self._opened(oid, self.stored.load_blob(oid))

    def read_start(self, oid: str, size_bytes: int) -> bytes:
        start = self.stored.read_start(oid, size_bytes)
        if not is_sealed(start) and key_of_attachment(start) is None:
            return start
        return self.read_blob(oid)[:size_bytes]

    def _opened(self, oid: str, data: bytes) -> bytes:
        """`data` decrypted, if it is encrypted and its key can be used; else as it is."""
        if (state := self.keyring.state()) != self._state:
            # A key may have been deleted, and what it opened with it.
            self._kept.clear()
            self._kept_bytes, self._state = 0, state
        if oid in self._kept:
            self._kept.move_to_end(oid)
            return self._kept[oid]
        plain = self._decrypted(data)
        if plain is None:
            return data
        self._kept[oid] = plain
        self._kept_bytes += len(plain)
        while self._kept_bytes > MOST_KEPT_BYTES and len(self._kept) > 1:
            self._kept_bytes -= len(self._kept.popitem(last=False)[1])
        return plain

    def _decrypted(self, data: bytes) -> bytes | None:
        name = key_of_attachment(data)
        if name is not None:
            return self.keyring.attached(name, data)
        sealed = sealed_of(data)
        found = None if sealed is None else self.keyring.versions(sealed)
        if found is None:
            return None
        base, versions = found
        if len(versions) == 1:
            return versions[0]
        from gitmem.model.merge.file import merge_texts

        text = decode(versions[0])[0]
        for other in versions[1:]:
            text = merge_texts(None if base is None else decode(base)[0], text, decode(other)[0]).text
        return encode(text)


def as_stored(repository: Repository) -> Repository:
    """The repository as git has it, encrypted."""
    return repository.stored if isinstance(repository, UnlockedRepository) else repository
