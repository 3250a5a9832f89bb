"""Postings and columns read in bulk: the same as Whoosh reads them, or Whoosh is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from whoosh.reading import IndexReader

from gitmem.index import columns, postings
from gitmem.index.columns import CREATED, read_lengths, read_numbers
from gitmem.index.postings import PostingsReader
from gitmem.index.schema import document_of, encode_term
from gitmem.index.storage import MemoryStorage, create_index, open_writer
from gitmem.model.ids import BlobId
from gitmem.model.reading import read_memory
from tests.index.memory_source import note


@pytest.fixture(scope="module")
def reader() -> Iterator[IndexReader]:
    """A segment with a term of more than one block, one of one document, and varying weights."""
    index = create_index(MemoryStorage())
    writer = open_writer(index)
    for number in range(1300):
        body = "kestrel " * (number % 3 + 1) + ("owl" if number == 700 else "") + " nest"
        created = f"20{number % 20 + 10}-01-05" if number % 2 else "soon"
        text = note(f"n{number}", body, created=created).encode()
        writer.add_document(**document_of(read_memory(f"a/n{number}.md", BlobId(""), text)))
    writer.commit()
    with index.reader() as found:
        ((part, _),) = found.leaf_readers()
        yield part


def test_postings_are_those_of_the_matcher(reader: IndexReader) -> None:
    """Number for number, weight for weight, for terms of every size; an unknown term has none."""
    direct = PostingsReader(reader)
    for term in (b"kestrel", b"owl", b"nest", b"kestrel", b"nowhere"):
        assert direct.read("text", term) == direct._from_matcher("text", term)
    assert len(direct.read("text", b"kestrel")) == 1300
    assert direct.read("nosuchfield", b"kestrel") == {}
    assert direct._is_direct


def test_few_postings_stand_with_their_term(reader: IndexReader) -> None:
    """A term of one document needs no block; Whoosh's own reader finds it there too."""
    table = reader._terms._tindex
    number = reader._terms._fieldmap["text"]
    owl, nest = (table.get(number.to_bytes(2, "big") + term) for term in (b"owl", b"nest"))
    assert (owl[0], nest[0]) == (1, 0)
    assert PostingsReader(reader)._from_matcher("text", b"owl") == {700: 1.0}


def test_a_term_is_looked_up_as_whoosh_does(reader: IndexReader) -> None:
    """Every key of the table of terms has its value, and others have none."""
    table = reader._terms._tindex
    keys = list(table.keys())
    assert len(keys) > 1300
    for key in (*keys, *(key + b"x" for key in keys), b""):
        assert postings._looked_up(table, key) == table.get(key)


def test_nothing_found_is_not_trusted_at_first(reader: IndexReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look-up that finds nothing where there is something: the matcher is asked from then on."""
    monkeypatch.setattr(postings, "_looked_up", lambda *_: None)
    checked = PostingsReader(reader)
    assert checked.read("text", b"nowhere") == {}
    assert checked._is_direct
    assert len(checked.read("text", b"kestrel")) == 1300
    assert not checked._is_direct


@pytest.mark.parametrize("answer", [{1: 1.0}, None])
def test_what_disagrees_is_not_trusted(
    reader: IndexReader, monkeypatch: pytest.MonkeyPatch, answer: dict[int, float] | None
) -> None:
    """A wrong answer or another layout: the matcher is asked, then and from then on."""

    def blocks(data: bytes) -> dict[int, float]:
        if answer is None:
            raise AttributeError("another layout")
        return answer

    monkeypatch.setattr(postings, "_blocks", blocks)
    checked = PostingsReader(reader)
    assert len(checked.read("text", encode_term("kestrel"))) == 1300
    assert not checked._is_direct
    assert len(checked.read("text", encode_term("owl"))) == 1


def test_columns_are_read_in_bulk_or_one_by_one(reader: IndexReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways give a value for every document."""
    fast = (read_numbers(reader, CREATED), read_lengths(reader, "text"), read_numbers(reader, "group"))
    assert [len(values) for values in fast] == [1300] * 3
    monkeypatch.setattr(columns, "_in_bulk", lambda *_: None)
    slow = (read_numbers(reader, CREATED), read_lengths(reader, "text"), read_numbers(reader, "group"))
    assert list(map(list, fast)) == list(map(list, slow))
