"""What an acceptance is about to do, on disk from before its commit to after its last step.

The name of the file holds the mark of its process: whoever finds it can tell whether that is dead.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import OutsideFailure
from gitmem.flows.work import ACCEPTANCES, Work
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.git.marks import is_mark_of_dead, process_mark
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.visible import one_line
from gitmem.platform import fsync_directory, make_private_directory

_MAX_BYTES = 64 * 1024 * 1024
_GIVEN_UP = "given-up"


class Acceptance(Struct, frozen=True):
    """One acceptance: of which proposal, from where main stood, and what is left to do behind its commit.

    `leaving` are the memories that go to the archive, as path and blob; where main has another blob by then,
    they stay. `is_whole` is false where the rest of the proposal stays open.
    """

    file: Path
    operation_id: str
    name: str
    main_tip: str
    reviewed_by: str
    is_whole: bool
    leaving: Sequence[tuple[str, BlobId]]

    @classmethod
    def write(
        cls,
        work: Work,
        *,
        operation_id: str,
        name: str,
        main_tip: CommitId,
        reviewed_by: str,
        is_whole: bool,
        leaving: Sequence[tuple[str, BlobId]],
    ) -> Acceptance:
        """The acceptance of this process; it is on disk when this returns. Raises `OutsideFailure`."""
        folder = work.place.home / ACCEPTANCES
        file = folder / f"{operation_id}.{process_mark()}.json"
        made = cls(file, operation_id, name, main_tip, reviewed_by, is_whole, leaving)
        values = {key: getattr(made, key) for key in _KEYS}
        try:
            make_private_directory(work.place.home)
            make_private_directory(folder)
            replace_regular(file, json.dumps(values, ensure_ascii=True).encode("ascii"), flush=True)
            fsync_directory(folder)
        except OSError as error:
            raise OutsideFailure(f"the store cannot be written: {error}") from error
        return made

    def give_up(self) -> Acceptance:
        """Says that this process does no more about it, so that the next command finishes it."""
        file = self.file.with_name(f"{self.operation_id}.{_GIVEN_UP}.json")
        with contextlib.suppress(OSError):
            self.file.replace(file)
        return replace(self, file=file)

    def remove(self) -> None:
        """Forgets it; may be repeated."""
        self.file.unlink(missing_ok=True)


_KEYS = ("operation_id", "name", "main_tip", "reviewed_by", "is_whole", "leaving")


def broken_off(work: Work) -> list[Acceptance]:
    """The acceptances whose process died or gave up, the oldest first."""
    folder = work.place.home / ACCEPTANCES
    try:
        if folder.is_symlink() or folder.parent.is_symlink():
            return []
        files = sorted(folder.glob("*.json"))
    except OSError:
        return []
    left = [file for file in files if _is_left(file.name.removesuffix(".json").partition(".")[2])]
    return [acceptance for file in left if (acceptance := _read(work, file))]


def _is_left(mark: str) -> bool:
    return mark == _GIVEN_UP or is_mark_of_dead(mark)


def _read(work: Work, file: Path) -> Acceptance | None:
    """The acceptance in `file`, which may have come with the repository; None where it is none."""
    try:
        values = json.loads(read_regular(file, max_bytes=_MAX_BYTES) or b"")
        leaving = [(path, BlobId(blob)) for path, blob in values["leaving"]]
        found = Acceptance(file, **{**{key: values[key] for key in _KEYS}, "leaving": leaving})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    texts = (found.operation_id, found.name, found.main_tip, found.reviewed_by)
    is_text = all(isinstance(text, str) and text and one_line(text) == text for text in texts)
    is_sound = is_text and all(
        isinstance(path, str) and isinstance(blob, str) and work.place.config.is_memory_path(path)
        for path, blob in found.leaving
    )
    return found if is_sound and type(found.is_whole) is bool else None
