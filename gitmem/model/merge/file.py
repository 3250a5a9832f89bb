"""Two versions of one memory file become one. The order in which they are given does not matter.

Cases, tried in this order:
    same          both texts are equal
    one-side      one of them is the base: the other, byte for byte
    emptied       one of them is blank: the other, an edit outlives a removal
    two memories  they carry different ids: both files whole
    broken        a header cannot be read: the bodies are merged where the headers agree, else both whole
    by field      header by field, text by the rule of the type
    odd           what came out would not be read as it is meant: both files whole
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gitmem.model.document import BYTE_ORDER_MARK, Document, encode, parse_document
from gitmem.model.ids import id_key
from gitmem.model.memory import DEFAULT_CONFIDENCE, DEFAULT_TYPE, Json, MemoryType, as_text
from gitmem.model.merge.body import Author, NotReadable, count_disputes, merged_body
from gitmem.model.merge.fields import Value, get, same
from gitmem.model.merge.form import bare, dressed, form_of, is_mixed, lines_of, merged_form
from gitmem.model.merge.header import HeaderTooOdd, merged_header
from gitmem.model.merge.outcome import (
    MAX_MERGED_BYTES,
    MAX_MERGED_LINES,
    CannotMerge,
    Case,
    Decision,
    Merged,
    Side,
)
from gitmem.model.merge.rules import rule_for
from gitmem.model.merge.threeway import BothChanged, changed_side
from gitmem.model.merge.values import DISPUTED, ForeignField, HeaderSide, merged_values
from gitmem.model.merge.whole import kept_whole
from gitmem.model.place import type_of
from gitmem.model.sealed import merged_sealed


def merge_texts(base: str | None, one: str | Side, other: str | Side, *, path: str = "") -> Merged:
    """The file that `one` and `other` make, which both came from `base`; None where both created it.

    `path` is where it stands; its first folder is the type of a memory that names none.
    Nothing that either side wrote is lost, except where the rule of the type says which side stands.
    Raises `CannotMerge` where the files are too large.
    """
    sides = [Side(side) if isinstance(side, str) else side for side in (one, other)]
    first, second = sorted(sides, key=lambda side: (side.name, side.text))
    plain = _without_merge(base, first, second)
    if plain is not None:
        return plain
    _refuse_large(first.text, second.text)
    _refuse_large(base or "")
    try:
        sealed = merged_sealed(base, first.text, second.text)
    except ValueError as error:
        raise CannotMerge(str(error)) from error
    if sealed is not None:
        kept = Decision("file", Case.DISPUTED, "it is encrypted: both versions are kept for who has the key")
        return Merged(sealed, (kept,), is_disputed=True)
    older = Side(base) if base is not None else None
    try:
        merged = _FileMerge(older, first, second, type_of(path) or DEFAULT_TYPE).merged()
    except (ForeignField, HeaderTooOdd, NotReadable, _NotByField) as error:
        merged = kept_whole(older, first, second, str(error) or "the headers cannot be put together")
    _refuse_large(merged.text)
    return merged


def _refuse_large(*texts: str) -> None:
    if sum(len(encode(text)) for text in texts) > MAX_MERGED_BYTES:
        raise CannotMerge(f"the versions are larger than {MAX_MERGED_BYTES // 2**20} MiB together")
    if sum(text.count("\n") + text.count("\r") for text in texts) > MAX_MERGED_LINES:
        raise CannotMerge(f"the versions have more than {MAX_MERGED_LINES:,} lines together")


def is_disputed(text: str) -> bool:
    """Whether a file holds passages or fields of which several versions are kept."""
    if DISPUTED not in text:
        return False
    document = parse_document(text)
    return DISPUTED in document.fields or count_disputes(lines_of(document.body)) > 0


class _NotByField(Exception):
    """The files cannot be merged field by field."""


def _without_merge(base: str | None, first: Side, second: Side) -> Merged | None:
    try:
        text = changed_side(base, first.text, second.text)
    except BothChanged:
        blank = [side for side in (first, second) if not side.text.strip(BYTE_ORDER_MARK + " \t\r\n")]
        if not blank:
            return None
        text = next(side.text for side in (second, first) if side is not blank[0])
        decision = Decision(
            "file", Case.BOTH_KEPT, "emptied on one side, changed on the other: the change is kept"
        )
        return Merged(text, (decision,), is_disputed(text))
    return Merged(text, (), is_disputed(text))


class _Text(Struct, frozen=True):
    """A text without its form, taken apart."""

    side: Side
    document: Document
    lines: Sequence[str]

    @property
    def header(self) -> HeaderSide:
        return HeaderSide(self.document.fields, self.side.name, count_disputes(self.lines) > 0)


class _FileMerge:
    """The merge of two files that both differ from their base."""

    def __init__(self, base: Side | None, first: Side, second: Side, by_place: MemoryType) -> None:
        self._by_place = by_place
        sides = [side for side in (base, first, second) if side is not None]
        forms = {id(side): form_of(side.text) for side in sides}
        self._is_mixed = is_mixed(list(forms.values()))
        self._form = merged_form(forms[id(base)] if base else None, forms[id(first)], forms[id(second)])

        def taken_apart(side: Side) -> _Text:
            document = parse_document(bare(side.text, forms[id(side)], is_mixed=self._is_mixed))
            return _Text(side, document, lines_of(document.body))

        self._base = taken_apart(base) if base else None
        self._first, self._second = taken_apart(first), taken_apart(second)
        if self._base and self._base.document.error is not None:
            self._base = None if not self._base.document.has_header else self._base

    def merged(self) -> Merged:
        documents = [self._first.document, self._second.document]
        if any(document.error is not None for document in documents):
            return self._with_broken_header()
        ids = [get(document.fields, "id") for document in documents]
        if all(isinstance(value, str) for value in ids) and id_key(str(ids[0])) != id_key(str(ids[1])):
            raise _NotByField(f"two memories, {ids[0]} and {ids[1]}, share one file")
        body, decisions = self._body()
        values = merged_values(
            self._base_header(),
            self._first.header,
            self._second.header,
            preferred=self._preferred(),
            has_disputed_text=count_disputes(body) > 0,
        )
        base = self._base.document if self._base and self._base.document.error is None else None
        header = merged_header(values.fields, base, *documents)
        text = header + "".join(body)
        read = parse_document(text)
        if read.error is not None or read.body != "".join(body) or not _agree(read, values.fields):
            raise _NotByField("the merged file would not be read as it is meant")
        return self._dressed(Merged(text, (*values.decisions, *decisions), values.is_disputed))

    def _base_header(self) -> HeaderSide | None:
        if self._base is None or self._base.document.error is not None:
            return None
        return self._base.header

    def _with_broken_header(self) -> Merged:
        """The bodies merged below a header that nobody can read, where there is only one to choose."""
        first, second = self._first.document, self._second.document
        heads = [doc.prefix + doc.header + doc.suffix for doc in (first, second)]
        base = self._base.document if self._base else None
        older = base.prefix + base.header + base.suffix if base else None
        try:
            head = changed_side(older, *heads)
        except BothChanged:
            raise _NotByField("a header is broken") from None
        if not all(document.has_header for document in (first, second)):
            raise _NotByField("a header is not closed")
        body, decisions = self._body()
        text = head + "".join(body)
        if count_disputes(body) or parse_document(text).body != "".join(body):
            raise _NotByField("a header is broken, and the text is disputed")
        return self._dressed(Merged(text, tuple(decisions)))

    def _dressed(self, merged: Merged) -> Merged:
        return replace(merged, text=dressed(merged.text, self._form, is_mixed=self._is_mixed))

    def _body(self) -> tuple[Sequence[str], list[Decision]]:
        base = self._base.lines if self._base else None
        newer = self._newer()
        bodies = (self._first.lines, self._second.lines)
        if newer is not None and base not in bodies and bodies[0] != bodies[1]:
            name = (self._first, self._second)[newer].side.name
            message = f"both sides changed it; the newer one, {name}, stands"
            return bodies[newer], [Decision("text", Case.NEWER, message)]
        notes = [as_text(text.document.fields.get("agent")) or "" for text in (self._first, self._second)]
        if notes[0] == notes[1]:
            notes = ["", ""]
        return merged_body(
            base,
            *bodies,
            rule=rule_for(self._type(), self._confidences()),
            authors=(Author(self._first.side.name, notes[0]), Author(self._second.side.name, notes[1])),
        )

    def _type(self) -> MemoryType | None:
        """The type of the merged memory; None where the sides disagree."""
        sides = (self._base, self._first, self._second)
        base, first, second = (get(text.document.fields, "type") if text else None for text in sides)
        try:
            value = changed_side(base, first, second)
        except BothChanged:
            return None
        try:
            return MemoryType(str(value).strip().casefold())
        except ValueError:
            return self._by_place

    def _confidences(self) -> tuple[float, float]:
        first, second = (get(text.document.fields, "confidence") for text in (self._first, self._second))
        return (_share(first), _share(second))

    def _newer(self) -> int | None:
        """Which side of a working memory is newer: 0, 1, or None where that is not known."""
        first, second = self._first.side.changed, self._second.side.changed
        if self._type() is not MemoryType.WORKING or first is None or second is None or first == second:
            return None
        return 0 if first > second else 1

    def _preferred(self) -> tuple[int, Case] | None:
        newer = self._newer()
        if newer is not None:
            return newer, Case.NEWER
        certain = rule_for(self._type(), self._confidences()).more_certain
        return (certain, Case.MORE_CERTAIN) if certain is not None else None


def _agree(document: Document, values: Mapping[str, Json]) -> bool:
    fields = document.fields
    return fields.keys() == values.keys() and all(same(fields[key], values[key]) for key in fields)


def _share(value: Value) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    return DEFAULT_CONFIDENCE
