"""The keys of encrypted memories: one for each subject, kept beside git and wrapped for those who may use it.

<common git directory>/gitmem/keys/<name>

JSON: the subject, the partition, the public half, and the secret half, encrypted with age for the recipients
that the policy named. No commit and no clone has them; who deletes a key makes everything unreadable that was
encrypted with it. The public half is enough to write. Reading needs an identity of age that one of the
recipients is made from.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from gitmem.errors import BadInput, NotFound, OutsideFailure
from gitmem.git.beneath import open_regular, read_regular, replace_regular
from gitmem.git.repository import Repository
from gitmem.model.ids import new_memory_id
from gitmem.model.partition import Partition
from gitmem.model.sealed import Block, Sealed, body_of_attachment, sealed_attachment
from gitmem.platform import make_private_directory
from gitmem.surroundings import environ, in_folder

IDENTITY_SETTING = "gitmem.ageIdentity"
IDENTITY_VARIABLE = "GITMEM_AGE_IDENTITY"
INSTALL_HINT = "pip install 'gitmem-store[crypt]'"
_MOST_BYTES = 1024 * 1024


class Key(Struct, frozen=True):
    """One key as it is kept: `public` encrypts, `wrapped` is the secret half, for the recipients alone."""

    name: str
    subject: str
    partition: str
    public: str
    wrapped: str


class Keyring:
    """The keys of a store, and what of them the identities of this user open; read anew each time."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self.folder = repository.common_dir / "gitmem" / "keys"
        self.problem: str | None = None
        """Why nothing can be decrypted here, if that is so: a missing extra, a setting."""
        self._identities: list[Any] | None = None
        self._opened: dict[str, tuple[str, Any]] = {}

    def held(self) -> list[Key]:
        """All keys that are here, by name."""
        try:
            names = sorted(path.name for path in self.folder.iterdir())
        except OSError:
            return []
        return [key for name in names if (key := self.find(name)) is not None]

    @property
    def is_there(self) -> bool:
        """Whether keys are kept here, as far as this user may look."""
        return self.state() != -1

    def state(self) -> int:
        """A number that changes when keys come or go."""
        try:
            return self.folder.stat().st_mtime_ns
        except OSError:
            return -1

    def find(self, name: str) -> Key | None:
        """The key of this name; None where it is not here."""
        try:
            data = read_regular(self.folder / name, max_bytes=_MOST_BYTES) if name.isalnum() else None
            return None if data is None else key_from(json.loads(data))
        except (OSError, ValueError):
            return None

    def for_subject(self, subject: str, partition: Partition) -> Key:
        """The key of a subject in a partition, made where there is none. Raises `OutsideFailure`."""
        for key in self.held():
            if (key.subject, key.partition) == (subject, partition.name):
                return key
        assert partition.encryption is not None, "asked for encrypted partitions alone"
        secret = _age().x25519.Identity.generate()
        recipients = partition.encryption.recipients
        wrapped = _wrapped(str(secret), recipients)
        key = Key(new_memory_id(), subject, partition.name, str(secret.to_public()), wrapped)
        self.add(key)
        return key

    def add(self, key: Key) -> None:
        """Keeps a key. Raises `OutsideFailure`."""
        try:
            make_private_directory(self.folder.parent)
            make_private_directory(self.folder)
            replace_regular(
                self.folder / key.name, json.dumps(to_builtins(key), indent=1).encode(), flush=True
            )
            (self.folder / key.name).chmod(0o600)
        except OSError as error:
            raise OutsideFailure(f"the key cannot be kept in {self.folder}: {error.strerror}") from error

    def delete(self, name: str) -> Key:
        """Takes a key away for good. Raises `NotFound`, `OutsideFailure`."""
        key = self.find(name)
        if key is None:
            raise NotFound(f"no key {name!r}", name=name, hint="'gitmem keys' lists them")
        try:
            file = self.folder / name
            # The blocks are written over first, for what that is worth on the disk that it is.
            with os.fdopen(open_regular(file, os.O_RDWR), "r+b") as opened:
                opened.write(bytes(file.stat().st_size))
            file.unlink()
        except OSError as error:
            raise OutsideFailure(f"{self.folder / name} cannot be deleted: {error.strerror}") from error
        self._opened.pop(name, None)
        return key

    def rewrapped(self, key: Key, recipients: Sequence[str]) -> Key | None:
        """The key wrapped for other recipients; None where it cannot be opened here."""
        secret = self._secret(key.name)
        if secret is None:
            return None
        return Key(key.name, key.subject, key.partition, key.public, _wrapped(str(secret), recipients))

    def can_open(self, name: str) -> bool:
        """Whether what was encrypted with this key can be read here."""
        return self._secret(name) is not None

    # Encrypting and decrypting

    def block(self, key: Key, data: bytes) -> Block:
        """`data`, encrypted. Raises `OutsideFailure`."""
        recipient = _age().x25519.Recipient.from_str(key.public)
        return Block(key.name, _age().encrypt(data, [recipient], armored=True).decode("ascii"))

    def attachment(self, key: Key, data: bytes) -> bytes:
        """An attachment, encrypted. Raises `OutsideFailure`."""
        recipient = _age().x25519.Recipient.from_str(key.public)
        return sealed_attachment(key.name, _age().encrypt(data, [recipient]))

    def versions(self, sealed: Sealed) -> tuple[bytes | None, list[bytes]] | None:
        """The base and the versions in a file, decrypted; None where a key is not here or does not fit."""
        blocks = [*([sealed.base] if sealed.base else []), *sealed.versions]
        plain = [self._decrypted(block.key, block.armored.encode("ascii")) for block in blocks]
        found = [each for each in plain if each is not None]
        if len(found) < len(blocks):
            return None
        return (found[0], found[1:]) if sealed.base else (None, found)

    def attached(self, name: str, data: bytes) -> bytes | None:
        """An attachment, decrypted; None where the key is not here or does not fit."""
        return self._decrypted(name, body_of_attachment(data))

    def _decrypted(self, name: str, data: bytes) -> bytes | None:
        secret = self._secret(name)
        if secret is None:
            return None
        try:
            return bytes(_age().decrypt(data, [secret]))
        except _age().DecryptError:
            return None

    def _secret(self, name: str) -> Any | None:
        key = self.find(name)
        if key is None:
            return None
        known = self._opened.get(name)
        if known is None or known[0] != key.wrapped:
            secret = self._unwrapped(key)
            if secret is None:
                return None
            known = self._opened[name] = (key.wrapped, secret)
        return known[1]

    def _unwrapped(self, key: Key) -> Any | None:
        try:
            if self._identities is None:
                self._identities = _identities(self._repository)
            age = _age() if self._identities else None
        except (BadInput, OutsideFailure) as error:
            # The store works without; whoever is told what cannot be read is told this too.
            self._identities, self.problem = [], error.message
            return None
        if age is None:
            return None
        with contextlib.suppress(age.DecryptError, age.IdentityError, UnicodeDecodeError):
            return age.x25519.Identity.from_str(
                age.decrypt(key.wrapped.encode("ascii"), self._identities).decode("ascii")
            )
        return None


def key_from(values: object) -> Key:
    """The key that JSON describes. Raises `ValueError`."""
    names = Key.__struct_fields__
    if not isinstance(values, dict) or not all(isinstance(values.get(name), str) for name in names):
        raise ValueError("it is no key")
    key = Key(*(values[name] for name in names))
    if not key.name.isalnum() or not key.name.isascii():
        raise ValueError("it has no name")
    return key


def _wrapped(secret: str, recipients: Sequence[str]) -> str:
    age = _age()
    try:
        known = [age.x25519.Recipient.from_str(each) for each in recipients]
    except age.RecipientError as error:
        what = f"recipients: one of them is no public key of age: {error}"
        raise BadInput(what, field="recipients") from error
    return str(age.encrypt(secret.encode("ascii"), known, armored=True).decode("ascii"))


def _identities(repository: Repository) -> list[Any]:
    """The identities of this user. Raises `BadInput` naming the setting whose file has none."""
    named = environ().get(IDENTITY_VARIABLE) or repository.config(IDENTITY_SETTING)
    if not named:
        return []
    where = IDENTITY_VARIABLE if environ().get(IDENTITY_VARIABLE) else IDENTITY_SETTING
    try:
        # The file of a user may be a link.
        data = read_regular(in_folder(Path(named).expanduser()).resolve())
        text = None if data is None else data.decode("utf-8")
    except (OSError, ValueError):
        text = None
    if text is None:
        raise BadInput(f"{where}: {named} cannot be read", field=where)
    age, found = _age(), []
    for line in text.splitlines():
        if line.startswith("AGE-SECRET-KEY-"):
            with contextlib.suppress(age.IdentityError):
                found.append(age.x25519.Identity.from_str(line.strip()))
    if not found:
        hint = "'age-keygen' makes one"
        raise BadInput(f"{where}: {named} holds no identity of age", field=where, hint=hint)
    return found


def _age() -> Any:
    try:
        import pyrage
    except ImportError as error:
        raise OutsideFailure("pyrage, which encrypts, is not installed", hint=INSTALL_HINT) from error
    return pyrage
