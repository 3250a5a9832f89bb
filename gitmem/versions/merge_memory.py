"""One memory of two trees: its path, its file, its attachments; see `merge_tree` for the cases."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.model.document import decode, encode
from gitmem.model.header_edit import HeaderCannotChange, edit_header
from gitmem.model.ids import BlobId, MemoryId
from gitmem.model.merge.outcome import CannotMerge, Merged
from gitmem.model.merge.threeway import BothChanged, changed_side
from gitmem.model.reading import read_memory
from gitmem.versions.merge_content import (
    Moments,
    Read,
    as_is,
    beside,
    merged_file,
    merged_memory,
    merged_mode,
)
from gitmem.versions.merge_values import Placed, Standing, TreeCase, TreeLine, Unit

FindArchived = Callable[[str], Unit | None]
"""What the memory of a key is on an archive; None where it stands on none."""


class MergedUnit(Struct):
    """One memory of the merged tree. `beside` are second versions of its file, by path."""

    id: MemoryId
    path: str
    file: Placed
    attached: dict[str, Placed]
    beside: dict[str, Placed] = field(default_factory=dict)
    is_disputed: bool = False
    archived: tuple[BlobId, ...] = ()
    """The texts on the archive that went into it, where one side archived it."""
    archived_at: str = ""
    """Where that side had it before."""


class MemoryMerge:
    """Merges memories one by one; `report` gathers what is to be said."""

    def __init__(self, read: Read, find_archived: FindArchived, moments: Moments) -> None:
        self._read = read
        self._find_archived = find_archived
        self._moments = moments
        self.report: list[TreeLine] = []

    def merged(
        self, key: str, base: Unit | None, ours: Unit | None, theirs: Unit | None
    ) -> MergedUnit | None:
        """What became of the memory `key`; None where it is gone."""
        try:
            unit = changed_side(base, ours, theirs)
        except BothChanged:
            if ours is not None and theirs is not None:
                return self._both_have(base, ours, theirs)
            return self._one_removed(key, base, ours, theirs)
        return _unchanged(unit) if unit is not None else None

    def _say(self, case: TreeCase, memory_id: str, path: str, message: str) -> None:
        self.report.append(TreeLine(case, memory_id, path, message))

    def _one_removed(
        self, key: str, base: Unit | None, ours: Unit | None, theirs: Unit | None
    ) -> MergedUnit | None:
        kept = ours or theirs
        if kept is None or base is None:
            return _unchanged(kept) if kept else None
        here, there = ("here", "there") if ours is None else ("there", "here")
        archived = self._find_archived(key)
        if archived is None:
            unit = _unchanged(kept)
            message = f"removed {here}, changed {there}: the change stays"
            self._say(TreeCase.REMOVED_EDITED, kept.id, unit.path, message)
            return unit
        # What was changed before it was archived is a change of that side too.
        file = Standing(kept.file.path, archived.file.blob, kept.file.mode)
        unit = self._both_have(base, replace(archived, file=file), kept)
        unit.archived, unit.archived_at = (base.file.blob, file.blob), base.file.path
        message = f"archived {here}, changed {there}: the change stays on the branch"
        self._say(TreeCase.ARCHIVED_EDITED, kept.id, unit.path, message)
        return unit

    def _both_have(self, base: Unit | None, ours: Unit, theirs: Unit) -> MergedUnit:
        path = self._path(base, ours, theirs)
        attached, more = self._attachments(base, ours, theirs)
        unit = self._file(base, ours, theirs, path)
        unit.attached = attached
        if more:
            unit.file = self._with_attachments(unit.file, more)
        return unit

    def _path(self, base: Unit | None, ours: Unit, theirs: Unit) -> str:
        older = base.file.path if base else None
        here, there = ours.file.path, theirs.file.path
        try:
            path = changed_side(older, here, there)
        except BothChanged:
            path = min(here, there)
            self._say(
                TreeCase.RENAMED_TWICE, ours.id, path, f"at {here} here and at {there} there: now at {path}"
            )
            return path
        if older and here != there:
            message = f"renamed from {older} on one side, changed on the other"
            self._say(TreeCase.RENAMED_EDITED, ours.id, path, message)
        return path

    def _file(self, base: Unit | None, ours: Unit, theirs: Unit, path: str) -> MergedUnit:
        older = base.file if base else None
        mode = merged_mode(older, ours.file, theirs.file)
        try:
            blob = changed_side(older.blob if older else None, ours.file.blob, theirs.file.blob)
            return MergedUnit(ours.id, path, Placed(blob, None, mode), {})
        except BothChanged:
            pass
        try:
            merged = merged_memory(self._read, older, ours.file, theirs.file, self._moments)
        except CannotMerge as error:
            first, second = sorted((ours.file.blob, theirs.file.blob))
            other = beside(path, second)
            self._say(TreeCase.TOO_LARGE, ours.id, path, f"{error}; the other version is at {other}")
            placed = Placed(first, None, mode)
            return MergedUnit(ours.id, path, placed, {}, {other: Placed(second, None, mode)})
        self._say(_case(merged, is_born=base is None), ours.id, path, _said(merged, is_born=base is None))
        placed = Placed(None, encode(merged.text), mode)
        return MergedUnit(ours.id, path, placed, {}, is_disputed=merged.is_disputed)

    def _attachments(
        self, base: Unit | None, ours: Unit, theirs: Unit
    ) -> tuple[dict[str, Placed], list[str]]:
        """The attachments by name, and the names of those that are second versions."""
        older = base.attached if base else {}
        found: dict[str, Placed] = {}
        more: list[str] = []
        for name in sorted({*older, *ours.attached, *theirs.attached}):
            sides = (older.get(name), ours.attached.get(name), theirs.attached.get(name))
            placed, second = merged_file(self._read, *sides)
            if placed is not None:
                found[name] = placed
            if second is not None and second.blob is not None:
                other = beside(name, second.blob)
                found[other] = second
                more.append(other)
                message = f"both sides changed the attachment {name}: the other version is {other}"
                self._say(TreeCase.ATTACHMENT_TWICE, ours.id, ours.file.path, message)
        return found, more

    def _with_attachments(self, file: Placed, names: list[str]) -> Placed:
        """The file of a memory with more names in its list of attachments."""
        data = file.data if file.data is not None else self._read(file.blob or BlobId(""))
        listed = list(read_memory("", BlobId(""), data).attachments)
        try:
            text = edit_header(decode(data)[0], {"attachments": [*listed, *names]})
        except HeaderCannotChange:
            return file
        return replace(file, blob=None, data=encode(text))


def _unchanged(unit: Unit) -> MergedUnit:
    attached = {name: as_is(each) for name, each in unit.attached.items()}
    return MergedUnit(unit.id, unit.file.path, as_is(unit.file), attached)


def _case(merged: Merged, *, is_born: bool) -> TreeCase:
    if is_born:
        return TreeCase.BORN_TWICE
    return TreeCase.DISPUTED if merged.is_disputed else TreeCase.MERGED


def _said(merged: Merged, *, is_born: bool) -> str:
    said = "; ".join(map(str, merged.decisions)) or "both sides changed it, in different places"
    return f"created on both sides; {said}" if is_born else said
