"""The systems that are measured, each behind `add` and `search`."""

from __future__ import annotations

import hashlib
import re
import sqlite3
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from gitmem.flows.writing.drafting import Request
from gitmem.index.branch_index import BranchIndex
from gitmem.index.source import FileDelta
from gitmem.model.change import Origin
from gitmem.model.ids import BlobId, CommitId, MemoryId
from gitmem.model.memory import Memory, MemoryType
from gitmem.recall.answer import Hit, SearchAnswer
from gitmem.recall.search import search
from gitmem.recall.stages import Meaning
from gitmem.recall.where import Where
from gitmem.store import Store

if TYPE_CHECKING:
    from gitmem.embed.embedder import Embedder
    from gitmem.embed.meaning import Questions

Row = Mapping[str, Any]
COMMIT = CommitId("0" * 40)
DATE_FORMATS = ("%I:%M %p on %d %B, %Y", "%Y/%m/%d (%a) %H:%M", "%Y-%m-%d")
OWN_FIELDS = ("speaker", "caption")


class System(Protocol):
    """Something that keeps documents and answers queries with their ids."""

    name: str

    def add(self, docs: Sequence[Row]) -> None:
        """Takes all documents, once."""

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        """The ids of the best documents of `scope`, best first."""


class Gitmem:
    """A store of gitmem, all documents written in one commit, asked as a program would ask it."""

    name = "gitmem"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._ids: dict[str, str] = {}

    def add(self, docs: Sequence[Row]) -> None:
        Store.init(self._folder.name)
        self._store = Store.open(self._folder.name)
        # Queries are measured one by one: none may see what another was answered.
        self._store.place.repository.set_config("gitmem.usage", "false")
        written = self._store.remember_all(map(request_of, docs))
        self._ids = {one.path: doc["id"] for one, doc in zip(written, docs, strict=True)}
        self._store.recall("first")

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        found = self._store.recall(query, Where(namespace=scope), limit=limit)
        return [self._ids[one.hit.record.path] for one in found.hits]


class GitmemEmbeddings(Gitmem):
    """The same store with the encoder that comes with the extra `embed`."""

    name = "gitmem with embeddings"

    def add(self, docs: Sequence[Row]) -> None:
        super().add(docs)
        self._store.place.repository.set_config("gitmem.embeddings", "local")
        self._store.embed()
        self._store.recall("first")


class GitmemIndex:
    """The index and the ranking of gitmem without git, one view for all queries."""

    name = "ranking"

    def __init__(self, without: Collection[str] = ()) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._without = without
        self._ids: dict[str, str] = {}

    def add(self, docs: Sequence[Row]) -> None:
        memories = [memory_of(number, doc) for number, doc in enumerate(docs)]
        self._ids = {memory.path: doc["id"] for memory, doc in zip(memories, docs, strict=True)}
        index = BranchIndex(Path(self._folder.name) / "gitmem" / "index" / "main", ListedMemories(memories))
        self._view = index.view(COMMIT)
        self._meaning = self._meaning_of(memories)

    def _meaning_of(self, memories: Sequence[Memory]) -> Meaning | None:
        """The vectors of the memories; none here."""
        del memories
        return None

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        return [self.name_of(hit) for hit in self.answer(query, scope, limit).hits]

    def answer(self, query: str, scope: str | None, limit: int, *, cutoff: float = 0.0) -> SearchAnswer:
        """The answer of the ranking itself."""
        where = Where(namespace=scope)
        return search(
            self._view, query, where, limit, without=self._without, cutoff=cutoff, meaning=self._meaning
        )

    def name_of(self, hit: Hit) -> str:
        """The document that a hit stands for."""
        return self._ids[hit.record.path]

    def leave_out(self, stages: Collection[str]) -> None:
        """Ranks without `stages` from now on."""
        self._without = stages


class GitmemMeaning(GitmemIndex):
    """The same with the vectors of the encoder that comes with the extra `embed`."""

    name = "ranking with embeddings"

    def _meaning_of(self, memories: Sequence[Memory]) -> Meaning:
        from gitmem.embed.making import embedded
        from gitmem.embed.meaning import KnownMeaning
        from gitmem.embed.vectors import VectorStore

        encoder, questions = _encoder()
        store = VectorStore(Path(self._folder.name) / "vectors" / encoder.name)
        store.append(embedded(encoder, memories))
        return KnownMeaning(encoder, store.read(), print, questions)


@cache
def _encoder() -> tuple[Embedder, Questions]:
    """Loaded once for all stores; what is asked again, with other stages or of other stores, is known."""
    from gitmem.embed.local import LocalEncoder
    from gitmem.embed.meaning import Questions

    return LocalEncoder(), Questions()


class ListedMemories:
    """A source of one commit, held in memory."""

    rules = ""

    def __init__(self, memories: Iterable[Memory]) -> None:
        self._memories = {memory.path: memory for memory in memories}

    def files(self, commit: CommitId) -> Iterator[tuple[str, BlobId]]:
        del commit
        return ((path, memory.blob) for path, memory in self._memories.items())

    def changes(self, old: CommitId, new: CommitId) -> list[FileDelta] | None:
        return [] if old == new else None

    def is_readable(self, path: str, blob: BlobId) -> bool:
        """Always: they are held in memory."""
        del path, blob
        return True

    def read(self, path: str, blob: BlobId) -> Memory:
        del blob
        return self._memories[path]


class Whoosh:
    """Whoosh with its stemming analyser, terms joined by OR."""

    name = "whoosh"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()

    def add(self, docs: Sequence[Row]) -> None:
        from whoosh import analysis, fields, index

        schema = fields.Schema(
            id=fields.STORED, scope=fields.ID, text=fields.TEXT(analyzer=analysis.StemmingAnalyzer())
        )
        store = index.create_in(self._folder.name, schema)
        with store.writer() as writer:
            for doc in docs:
                writer.add_document(id=doc["id"], scope=str(doc.get("scope")), text=_all_text(doc))
        self._searcher = store.searcher()
        self._schema = schema

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        from whoosh import query as q

        terms = dict.fromkeys(token.text for token in self._schema["text"].analyzer(query))
        asked = q.Or([q.Term("text", term) for term in terms])
        found = self._searcher.search(asked, filter=q.Term("scope", str(scope)), limit=limit)
        return [hit["id"] for hit in found]


class Fts5:
    """SQLite FTS5 with the porter tokenizer, terms joined by OR."""

    name = "fts5"

    def add(self, docs: Sequence[Row]) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute(
            "create virtual table docs using fts5(id unindexed, scope unindexed, text, tokenize=porter)"
        )
        rows = [(doc["id"], str(doc.get("scope")), _all_text(doc)) for doc in docs]
        self._db.executemany("insert into docs values (?, ?, ?)", rows)

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        words = dict.fromkeys(re.findall(r"\w+", query.lower()))
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        sql = "select id from docs where docs match ? and scope = ? order by bm25(docs) limit ?"
        return [row[0] for row in self._db.execute(sql, (asked, str(scope), limit))]


class Grep:
    """How many of the words of the query stand in the text, as a person with grep would see it."""

    name = "grep"

    def add(self, docs: Sequence[Row]) -> None:
        self._docs = [(doc["id"], doc.get("scope"), _all_text(doc).lower()) for doc in docs]

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        words = set(re.findall(r"\w+", query.lower()))
        found = []
        for number, (name, its_scope, text) in enumerate(self._docs):
            count = sum(word in text for word in words) if its_scope == scope else 0
            if count:
                found.append((-count, number, name))
        return [name for _, _, name in sorted(found)[:limit]]


WITH_EMBEDDINGS = frozenset(("gitmem with embeddings", "ranking with embeddings"))
"""Those that need the extra `embed`; they are measured where they are asked for."""
SYSTEMS: dict[str, type[System]] = {
    "gitmem": Gitmem,
    "gitmem with embeddings": GitmemEmbeddings,
    "ranking": GitmemIndex,
    "ranking with embeddings": GitmemMeaning,
    "whoosh": Whoosh,
    "fts5": Fts5,
    "grep": Grep,
}


def request_of(doc: Row) -> Request:
    """What is asked of gitmem to remember a document; its id keeps letters, digits, `.`, `-` and `_`."""
    scope, session = doc.get("scope"), doc.get("session")
    return Request(
        text=doc["text"],
        type="episodic",
        namespace=scope,
        id=re.sub(r"[^\w.-]", "-", str(doc["id"])),
        created=_iso(doc.get("date")),
        fields={name: doc[name] for name in OWN_FIELDS if doc.get(name) is not None},
        origin=replace(Origin(), session=None if session is None else str(session)),
    )


def memory_of(number: int, doc: Row) -> Memory:
    """The memory that a document becomes, without a file."""
    scope, session = doc.get("scope"), doc.get("session")
    return Memory(
        id=MemoryId(f"d{number}"),
        type=MemoryType.EPISODIC,
        title="",
        body=doc["text"],
        path=f"episodic/{scope or 'all'}/{number:06}.md",
        blob=BlobId(hashlib.sha1(str(doc["id"]).encode()).hexdigest()),
        namespace=scope or "",
        fields={name: doc[name] for name in OWN_FIELDS if doc.get(name) is not None},
        created=_iso(doc.get("date")),
        session=None if session is None else str(session),
    )


def _iso(text: str | None) -> str | None:
    for pattern in DATE_FORMATS if text else ():
        try:
            return datetime.strptime(str(text), pattern).isoformat()
        except ValueError:
            continue
    return None


def _all_text(doc: Row) -> str:
    return " ".join(str(doc[name]) for name in ("text", "speaker", "caption", "date") if doc.get(name))
