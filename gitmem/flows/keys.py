"""keys: which keys of encrypted memories are here; taking them elsewhere, and taking them away."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, to_builtins

from gitmem.errors import BadInput, Conflict, NotFound, OutsideFailure, Refused
from gitmem.flows.rights.acting import require_person
from gitmem.flows.work import Work
from gitmem.git.beneath import read_regular
from gitmem.platform import write_new_private
from gitmem.versions.keyring import Key, key_from

MOST_BYTES = 64 * 1024 * 1024


class HeldKey(Struct, frozen=True):
    """A key that is here, and whether what is encrypted with it can be read here."""

    name: str
    subject: str
    partition: str
    can_open: bool


class Keys(Struct, frozen=True):
    """What became of the keys: those that are here, or that were written, taken in, wrapped anew, deleted.

    `left` could not be wrapped anew, since they cannot be opened here.
    """

    done: str
    keys: Sequence[HeldKey]
    left: Sequence[HeldKey] = ()
    file: Path | None = None


def list_keys(work: Work) -> Keys:
    """The keys that are here, but for those of partitions that whoever acts may not read."""
    return Keys("listed", [_held(work, key) for key in _keys(work)])


def _keys(work: Work) -> list[Key]:
    rights = work.place.rights
    hidden = {partition.name for partition in rights.unreadable} if rights is not None else set()
    held = work.place.keyring.held()
    return [key for key in held if key.partition not in hidden]


def export_keys(work: Work, file: Path) -> Keys:
    """Writes all keys to a new file, as they are kept: still wrapped for their recipients."""
    require_person(work.identity, "keys export")
    keys = _keys(work)
    if not keys:
        raise NotFound("no keys are here", name="keys")
    text = "".join(json.dumps(to_builtins(key)) + "\n" for key in keys)
    try:
        write_new_private(file, text.encode("utf-8"))
    except FileExistsError as error:
        raise Conflict(f"{file} exists already", hint="name another file") from error
    except OSError as error:
        raise OutsideFailure(f"{file} cannot be written: {error.strerror}") from error
    return Keys("exported", [_held(work, key) for key in keys], file=file)


def import_keys(work: Work, file: Path) -> Keys:
    """Takes in the keys of a file that `export_keys` wrote. All of them or none; may be repeated."""
    require_person(work.identity, "keys import")
    try:
        data = read_regular(file, max_bytes=MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}", field="file") from error
    if data is None or len(data) > MOST_BYTES:
        raise BadInput(f"{file}: is no file of keys", field="file")
    keys: list[Key] = []
    for number, line in enumerate(data.splitlines(), 1):
        try:
            keys.append(key_from(json.loads(line)))
        except ValueError as error:
            what = f"{file}:{number}: is no key that 'gitmem keys export' wrote"
            raise BadInput(what, field="file") from error
    ring = work.place.keyring
    for key in keys:
        known = ring.find(key.name)
        if known is not None and known.public != key.public:
            raise Conflict(f"{file}: another key called {key.name} is here")
    for key in keys:
        if ring.find(key.name) is None or not ring.can_open(key.name):
            ring.add(key)
    return Keys("imported", [_held(work, key) for key in keys], file=file)


def rewrap_keys(work: Work) -> Keys:
    """Wraps each key that can be opened here for the recipients that the policy names by now."""
    require_person(work.identity, "keys rewrap")
    ring = work.place.keyring
    partitions = {each.name: each for each in work.place.config.policy.partitions}
    done, left = [], []
    for key in _keys(work):
        partition = partitions.get(key.partition)
        encryption = partition.encryption if partition is not None else None
        wrapped = ring.rewrapped(key, encryption.recipients) if encryption is not None else None
        if wrapped is None:
            left.append(_held(work, key))
            continue
        ring.add(wrapped)
        done.append(_held(work, wrapped))
    return Keys("rewrapped", done, left)


def delete_keys(work: Work, names: Sequence[str], confirmed: Sequence[str]) -> Keys:
    """Deletes keys, named by their names or subjects. What was encrypted with them cannot be read any more.

    `confirmed` has to repeat what is deleted. Raises `Refused` for an agent, and where it does not;
    `NotFound` where there is no such key.
    """
    require_person(work.identity, "keys delete")
    if not names:
        raise BadInput("no key is named", field="key")
    ring = work.place.keyring
    chosen: dict[str, Key] = {}
    for name in names:
        found = [key for key in _keys(work) if name in (key.name, key.subject)]
        if not found:
            raise NotFound(f"no key {name!r}", name=name, hint="'gitmem keys' lists them")
        chosen.update({key.name: key for key in found})
    if set(confirmed) != set(names):
        raise Refused(
            f"deleting {', '.join(names)} makes memories unreadable for good",
            hint=f"repeat it to do so: --yes {' --yes '.join(names)}",
        )
    held = [_held(work, key) for key in chosen.values()]
    for name in chosen:
        ring.delete(name)
    return Keys("deleted", held)


def _held(work: Work, key: Key) -> HeldKey:
    return HeldKey(key.name, key.subject, key.partition, work.place.keyring.can_open(key.name))
