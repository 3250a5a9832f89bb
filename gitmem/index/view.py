"""The index of one commit, open for questions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from heapq import nlargest
from types import TracebackType
from typing import Self, TypeVar

from gitmem.errors import GitmemError
from gitmem.index.columns import CREATED
from gitmem.index.content import IndexContent
from gitmem.index.damage import DAMAGE
from gitmem.index.keys import key
from gitmem.index.record import PROBLEM, Record, RecordFilter
from gitmem.index.schema import ID_KEY, KEYS, NAMES, PATH, SUPERSEDES
from gitmem.index.source import DocumentSource
from gitmem.index.unread import unread_records
from gitmem.model.ids import id_key
from gitmem.model.memory import Memory

T = TypeVar("T")


class IndexView:
    """What the index knows of one commit. Close it, or use it in a `with` statement.

    Damage found while reading is healed once and the question asked again; it never makes an
    answer shorter.
    """

    def __init__(
        self,
        content: IndexContent,
        source: DocumentSource,
        heal: Callable[[], IndexContent],
        let_go: Callable[[IndexContent], None] | None = None,
    ) -> None:
        """`let_go` takes the content back when the view is closed; without it the content is closed."""
        self._content = content
        self._source = source
        self._heal = heal
        self._let_go = let_go or _close
        self._unread: list[Record] = []
        self._is_healed = False
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def count(self) -> int:
        """How many memories there are."""
        return self._content.documents

    def read(self, question: Callable[[IndexContent], T]) -> T:
        """The answer to `question`, asked of the content; asked again after damage was healed."""
        if self._is_closed:
            raise ValueError("the view is closed")
        if self._is_healed:
            return question(self._content)
        try:
            return question(self._content)
        except GitmemError:
            raise
        except DAMAGE:
            self._is_healed = True
            _close(self._content)
            self._content = self._heal()
            return question(self._content)

    def memory(self, record: Record) -> Memory:
        """The memory of `record`, read from the source."""
        memory = self._source.read(record.path, record.blob)
        if memory.is_unreadable:
            self._unread.append(record)
        return memory

    def records(self, where: RecordFilter | None = None) -> Iterator[Record]:
        """The memories that match, in the order of their paths."""
        return iter(self.read(lambda content: _records(content, where)))

    def newest(self, where: RecordFilter, limit: int | None = None) -> tuple[list[Record], int]:
        """The `limit` memories that match and carry the newest dates, and how many match.

        Those of one moment are in the order of their paths; those without a date come last.
        """
        return self.read(lambda content: _newest(content, where, limit))

    def with_problems(self) -> list[Record]:
        """The memories whose files have anything wrong, in the order of their paths."""

        def question(content: IndexContent) -> list[Record]:
            documents = {
                document
                for name in content.terms(KEYS, key(PROBLEM, ""))
                for document in content.documents_with(KEYS, name)
            }
            return _sorted([content.record(document) for document in documents])

        return self.read(question)

    def by_id(self, memory_id: str) -> list[Record]:
        """The memories with this id, whatever its case; more than one where an id was used twice."""
        return self.read(lambda content: _with_key(content, ID_KEY, id_key(memory_id)))

    def ids_with_prefix(self, prefix: str) -> list[Record]:
        """The memories whose id begins with `prefix`, whatever its case, in the order of their paths."""

        def question(content: IndexContent) -> list[Record]:
            keys = content.terms(ID_KEY, id_key(prefix))
            return _sorted([record for name in keys for record in _with_key(content, ID_KEY, name)])

        return self.read(question)

    def by_path(self, path: str) -> Record | None:
        """The memory at `path`."""
        return next(iter(self.read(lambda content: _with_key(content, PATH, path))), None)

    def unreadable(self) -> list[Record]:
        """The memories that could not be read, when they were indexed or by this view, sorted by path."""
        indexed = self.read(unread_records)
        return _sorted(list({record.path: record for record in [*indexed, *self._unread]}.values()))

    def superseded_by(self, memory_id: str) -> list[Record]:
        """The memories that say they supersede the one with this id."""
        return self.read(lambda content: _with_key(content, SUPERSEDES, id_key(memory_id)))

    def known_tags(self) -> dict[str, int]:
        """Every tag in use, in lower case, with the number of memories that have it."""

        def question(content: IndexContent) -> dict[str, int]:
            counts: dict[str, int] = {}
            for document in content.all_documents():
                for tag in {tag.casefold() for tag in content.record(document).tags}:
                    counts[tag] = counts.get(tag, 0) + 1
            return dict(sorted(counts.items()))

        return self.read(question)

    def has_tag(self, tag: str) -> bool:
        """Whether any memory has `tag`, whatever its case."""
        return self.read(lambda content: bool(content.documents_with(KEYS, key("tag", tag))))

    def close(self) -> None:
        """Gives the files of the index back; may be repeated."""
        if not self._is_closed:
            self._is_closed = True
            (_close if self._is_healed else self._let_go)(self._content)


def _close(content: IndexContent) -> None:
    try:
        content.close()
    except DAMAGE:
        return


def matching_documents(content: IndexContent, where: RecordFilter) -> set[int] | None:
    """The documents that have all exact keys and names of `where`; None where it asks for none."""
    found: set[int] | None = None
    for name in where.required_keys():
        documents = content.documents_with(KEYS, name)
        found = set(documents) if found is None else found.intersection(documents)
    for group in where.name_groups():
        named = set().union(*(content.documents_with(NAMES, name) for name in group))
        found = named if found is None else found & named
    return found


def _records(content: IndexContent, where: RecordFilter | None) -> list[Record]:
    documents = content.all_documents() if where is None else _matching(content, where)
    return _sorted(list(map(content.record, documents)))


def _matching(content: IndexContent, where: RecordFilter) -> Collection[int]:
    documents = matching_documents(content, where)
    candidates = list(content.all_documents()) if documents is None else documents
    if not where.needs_record:
        return candidates
    return [each for each in candidates if where.matches_beyond_keys(content.record(each))]


def _newest(content: IndexContent, where: RecordFilter, limit: int | None) -> tuple[list[Record], int]:
    documents, created = _matching(content, where), content.numbers(CREATED)
    chosen = documents
    if limit is not None and 0 < limit < len(documents):
        oldest = nlargest(limit, map(created.__getitem__, documents))[-1]
        chosen = [each for each in documents if created[each] >= oldest]
    ordered = sorted(chosen, key=lambda each: content.record(each).path)
    ordered.sort(key=created.__getitem__, reverse=True)
    return list(map(content.record, ordered[:limit])), len(documents)


def _with_key(content: IndexContent, field: str, name: str) -> list[Record]:
    return _sorted([content.record(document) for document in content.documents_with(field, name)])


def _sorted(records: list[Record]) -> list[Record]:
    return sorted(records, key=lambda record: record.path)
