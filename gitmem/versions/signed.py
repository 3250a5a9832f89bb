"""What a branch says where only commits count that git can verify.

Along its first parents, the oldest first:
    verified      what the commit changes is shown as it has it
    not verified  what the commit changes, adds or takes away is shown as it was shown before

So an unsigned commit neither adds, changes nor removes anything that is shown. A merge counts by its own
signature: who signs it answers for what it brings. The border of a shallow clone has all memories, whoever
wrote them, so nothing can be told from it. Only what differs from the tip is kept, with the verdicts,
below the git directory; for other keys all of it is found out anew. It is kept also of files that the config
excludes: by another config they may be memories.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from gitmem.errors import UnsupportedRepository
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.git.modes import REGULAR_MODES
from gitmem.git.repository import CommitInfo
from gitmem.git.signatures import keyring_of, verified
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.place import is_memory_path
from gitmem.platform import make_private_directory
from gitmem.versions.place import Place

FORMAT = 3
Shown = BlobId | None
"""What is shown at a path; None where no version is signed."""


class _Kept(Struct):
    """What was found out for one set of keys: verdicts by commit, and what differs by branch."""

    keyring: str
    verdicts: dict[str, bool] = field(default_factory=dict)
    branches: dict[str, tuple[str, dict[str, Shown]]] = field(default_factory=dict)


def signed_differences(
    place: Place, branch: str, tip: CommitId, progress: Callable[[int, int], None]
) -> Mapping[str, Shown]:
    """By path, what is shown instead of what the tip has; nothing for all that is signed.

    Raises `OutsideFailure` where signatures cannot be looked at, `UnsupportedRepository` where the history
    ends before its root.
    """
    place = place.whole
    file = place.home / "signed.json"
    keyring = keyring_of(place.repository)
    kept = _read(file, keyring)
    known_tip, differs = kept.branches.get(branch, ("", {}))
    if known_tip == tip:
        return _of_memories(place, differs)
    chain: list[CommitInfo] = []
    for commit in place.repository.first_parents(tip):
        if commit.id == known_tip:
            break
        chain.append(commit)
    else:
        _refuse_border(place, chain)
        differs = {}
    new = [commit.id for commit in chain if commit.id not in kept.verdicts]
    kept.verdicts.update(verified(place.repository, new, progress))
    differs = dict(differs)
    for commit in reversed(chain):
        _fold(place, commit, differs, is_signed=kept.verdicts[commit.id])
    kept.branches[branch] = (tip, differs)
    _save(place, file, kept)
    return _of_memories(place, differs)


def _of_memories(place: Place, differs: Mapping[str, Shown]) -> Mapping[str, Shown]:
    return {path: shown for path, shown in differs.items() if place.config.is_memory_path(path)}


def _refuse_border(place: Place, chain: Sequence[CommitInfo]) -> None:
    if chain and chain[-1].id in place.repository.shallow_commits():
        raise UnsupportedRepository(
            "this clone is shallow: whether what is older was signed cannot be told (trust.require_signed)",
            hint="'git fetch --unshallow' brings the rest of the history",
        )


def _fold(place: Place, commit: CommitInfo, differs: dict[str, Shown], *, is_signed: bool) -> None:
    parent = next(iter(commit.parents), None)
    for change in place.repository.diff_trees(parent, commit.id):
        path = change.path
        if not is_memory_path(path):
            continue
        if is_signed:
            differs.pop(path, None)
        elif path not in differs:
            is_file = change.old is not None and change.old.mode in REGULAR_MODES
            differs[path] = BlobId(change.old.oid) if change.old is not None and is_file else None
        elif change.new is not None and differs[path] == change.new.oid:
            # It is again what was signed.
            del differs[path]


def _read(file: Path, keyring: str) -> _Kept:
    """What is kept for these keys; nothing where the file is missing or damaged."""
    try:
        values = json.loads(read_regular(file, max_bytes=256 * 2**20) or b"")
        if values["format"] != FORMAT or values["keyring"] != keyring:
            return _Kept(keyring)
        branches = {
            branch: (tip, {path: BlobId(blob) if blob else None for path, blob in differs.items()})
            for branch, (tip, differs) in values["branches"].items()
        }
        return _Kept(keyring, {c: bool(verdict) for c, verdict in values["verdicts"].items()}, branches)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return _Kept(keyring)


def _save(place: Place, file: Path, kept: _Kept) -> None:
    """Keeps it. Where that cannot be written, it is found out again the next time."""
    values = {
        "format": FORMAT,
        "keyring": kept.keyring,
        "verdicts": kept.verdicts,
        "branches": kept.branches,
    }
    with suppress(OSError):
        make_private_directory(place.home)
        replace_regular(file, json.dumps(values, ensure_ascii=True).encode("ascii"))
