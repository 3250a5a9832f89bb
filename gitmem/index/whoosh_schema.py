"""The schema that Whoosh is given, and its types of fields. Only who writes an index loads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whoosh import fields, formats

from gitmem.index.analysis import TermCounts
from gitmem.index.columns import NUMBERS, ORDER
from gitmem.index.schema import (
    ID_KEY,
    KEYS,
    LENGTHS,
    LINKS,
    NAMES,
    PATH,
    RECORD,
    SCORED_FIELDS,
    SUPERSEDES,
    encode_term,
)
from gitmem.index.segments import Numbers, Texts


class CountedTerms(fields.FieldType):  # type: ignore[misc]
    """A scored field that takes `TermCounts`; only frequencies are kept, as posting weights.

    The schema is pickled with its field types, so this class keeps its module and its name.
    """

    def __init__(self) -> None:
        super().__init__(format=formats.Existence(), analyzer=None, scorable=True)

    def index(self, value: TermCounts, **_: object) -> Iterator[tuple[bytes, int, float, bytes]]:
        """Postings of `value`: extras weigh as much as words, and do not lengthen the field."""
        for term, count in value.words.items():
            yield encode_term(term), count, float(count), b""
        for term, count in value.extras.items():
            yield encode_term(term), 0, float(count), b""

    def to_bytes(self, value: str | bytes) -> bytes:
        return value if isinstance(value, bytes) else encode_term(value)

    def from_bytes(self, bs: bytes) -> str:
        return bs.decode("utf-8", "surrogatepass")


class ExactKeys(fields.FieldType):  # type: ignore[misc]
    """An unscored field that takes an iterable of whole values, each found only as it is."""

    def __init__(self, *, unique: bool = False) -> None:
        super().__init__(format=formats.Existence(), analyzer=None, scorable=False, unique=unique)

    def index(self, value: Iterable[str], **_: object) -> Iterator[tuple[bytes, int, float, bytes]]:
        for text in value:
            yield encode_term(text), 1, 1.0, b""

    def to_bytes(self, value: str | bytes) -> bytes:
        return value if isinstance(value, bytes) else encode_term(value)

    def from_bytes(self, bs: bytes) -> str:
        return bs.decode("utf-8", "surrogatepass")


def schema() -> fields.Schema:
    """The Whoosh schema of every gitmem index."""
    scored = {name: CountedTerms() for name in SCORED_FIELDS}
    exact = {name: ExactKeys() for name in (ID_KEY, KEYS, SUPERSEDES, LINKS, NAMES)}
    columns = {name: fields.COLUMN(Numbers(code, default)) for name, (code, default) in NUMBERS.items()}
    columns[ORDER] = fields.COLUMN(Texts())
    return fields.Schema(
        **scored,
        **exact,
        **columns,
        **{PATH: ExactKeys(unique=True), RECORD: fields.STORED(), LENGTHS: fields.STORED()},
    )
