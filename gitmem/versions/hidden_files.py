"""Which memory files at the tip of a branch are hidden from readers with the same rights, kept beside git.

<common git directory>/gitmem/apart/<branch>.<digest of the rules>

JSON behind a checksum: the commit that it shows, and the id of each hidden file by path. It follows the
branch by tree diffs. What is missing, damaged, or of a commit that is gone is made anew.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from urllib.parse import quote

from gitmem.errors import Damaged, NotFound
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.git.repository import Repository, TreeEntry
from gitmem.platform import make_private_directory

_FORMAT = 1
_MOST_BYTES = 256 * 2**20
FindHidden = Callable[[Iterable[TreeEntry]], tuple[Mapping[str, str], bool]]
"""Of some files, the ids of those that are hidden, by path; and whether all that decides it could be read."""


class HiddenFiles:
    """The hidden files of the branches of `repository`, as `find` tells; `digest` names what it goes by."""

    def __init__(self, repository: Repository, digest: str, find: FindHidden) -> None:
        self._repository = repository
        self._folder = repository.common_dir / "gitmem" / "apart"
        self._digest = digest
        self._find = find

    def at(self, branch: str, tip: str) -> Mapping[str, str]:
        """By path, the id as a key of each hidden memory that `tip`, where the branch stands, has."""
        file = self._folder / f"{quote(branch, safe='')}.{self._digest}"
        commit, hidden = _read(file)
        if commit == tip:
            return hidden
        followed = self._followed(commit, tip, hidden) if commit else None
        found, is_sure = self._find(self._repository.walk(tip)) if followed is None else followed
        # What could not be read or cannot be kept is looked for again the next time.
        with contextlib.suppress(OSError):
            if is_sure:
                make_private_directory(self._folder.parent)
                make_private_directory(self._folder)
                _write(file, tip, found)
        return found

    def _followed(
        self, commit: str, tip: str, hidden: Mapping[str, str]
    ) -> tuple[Mapping[str, str], bool] | None:
        """`hidden` at `commit`, brought to `tip`, as `find` tells it; None where that commit is gone."""
        try:
            changes = self._repository.diff_trees(commit, tip)
        except (NotFound, Damaged):
            return None
        changed = {change.path for change in changes}
        kept = {path: memory_id for path, memory_id in hidden.items() if path not in changed}
        found, is_sure = self._find(change.new for change in changes if change.new is not None)
        return {**kept, **found}, is_sure


def _write(file: Path, commit: str, hidden: Mapping[str, str]) -> None:
    text = json.dumps({"format": _FORMAT, "commit": commit, "hidden": hidden}).encode("ascii")
    replace_regular(file, b"%08x\n%b" % (zlib.crc32(text), text), flush=False)


def _read(file: Path) -> tuple[str, Mapping[str, str]]:
    """The commit and what is hidden at it; an empty commit where nothing usable is kept."""
    try:
        checksum, _, text = (read_regular(file, max_bytes=_MOST_BYTES) or b"").partition(b"\n")
        facts = json.loads(text) if int(checksum, 16) == zlib.crc32(text) else {}
        hidden = facts["hidden"] if facts["format"] == _FORMAT else None
        if not isinstance(hidden, dict) or not isinstance(facts["commit"], str):
            return "", {}
    except (OSError, ValueError, KeyError, TypeError):
        return "", {}
    return facts["commit"], hidden
