"""Segments hold what was put into them, to the byte; what is cut off or overwritten is not taken for one."""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.util.numeric import byte_to_length

from gitmem.index.columns import CREATED, GROUP, NUMBERS
from gitmem.index.length_bytes import length_of
from gitmem.index.posting_bytes import DamagedPostings, decode, encode
from gitmem.index.record import Record
from gitmem.index.schema import SCORED_FIELDS, document_of, scored_terms
from gitmem.index.segment_file import (
    DamagedSegment,
    Groups,
    SegmentFile,
    groups_part,
    numbers_part,
    segment_bytes,
)
from gitmem.index.storage import MemoryStorage, create_index, open_writer, segments_in_memory
from gitmem.index.term_table import TermTable, table_bytes
from gitmem.model.ids import BlobId
from gitmem.model.memory import Memory
from gitmem.model.reading import read_memory
from tests.index.memory_source import note

SMALL_GAPS, ALL_GAPS = st.integers(1, 700), st.integers(1, 200_000)
WEIGHTS = st.one_of(st.just(1), st.integers(1, 255), st.integers(1, 100_000))
TERMS = st.dictionaries(
    st.text(min_size=1, max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=300),
    min_size=1,
    max_size=150,
)


@given(st.one_of(st.lists(SMALL_GAPS, min_size=1), st.lists(ALL_GAPS, min_size=1)), st.data())
def test_postings_come_back(gaps: list[int], data: st.DataObject) -> None:
    """Documents and weights, whatever the gaps between them; in no more than five bytes each, and five."""
    at, documents = data.draw(st.integers(-1, 300_000)), []
    for gap in gaps:
        at += gap
        documents.append(at)
    weights = data.draw(st.lists(WEIGHTS, min_size=len(gaps), max_size=len(gaps)))
    written = encode(documents, weights)
    found, found_weights = decode(written, documents[-1] + 1)
    assert found == documents
    assert list(found_weights or [1] * len(documents)) == weights
    assert len(written) <= 5 + 8 * len(documents)
    with pytest.raises(DamagedPostings):
        decode(written, documents[-1])


def test_frequent_terms_take_a_byte_a_document() -> None:
    """And the few wide gaps among them no more than they need."""
    documents = [*range(0, 9_000, 3), 20_000, *range(30_000, 32_000)]
    assert len(encode(documents, [1] * len(documents))) < len(documents) + 100


@given(TERMS, st.binary(max_size=20))
def test_every_term_is_found_and_no_other(terms: dict[bytes, bytes], other: bytes) -> None:
    """With its postings, wherever the table lies in a file; and all of them in order, from any place on."""
    table = table_bytes(sorted(terms.items()))
    read = TermTable(b"before" + table + b"behind", 6, len(table))
    for term, postings in terms.items():
        assert read.find(term) == postings
        for near in (term + b"x", term[:-1], b"\0" + term):
            assert read.find(near) == terms.get(near)
        assert list(read.terms_from(term)) == [each for each in sorted(terms) if each >= term]
    assert list(read.terms_from(b"")) == sorted(terms)
    if b"\xff" not in other:
        assert read.find(other) == terms.get(other)


def test_a_term_with_the_byte_between_terms_is_refused() -> None:
    with pytest.raises(ValueError, match="255"):
        table_bytes([(b"a\xffb", b"x")])


@given(st.dictionaries(st.integers(-(2**63), 2**63 - 1), st.lists(st.integers(0, 2**31), min_size=1)))
def test_sessions_come_back(groups: dict[int, list[int]]) -> None:
    read = Groups(groups_part(groups)[0])
    assert list(read.numbers) == sorted(groups)
    assert all(list(read.members(group)) == documents for group, documents in groups.items())
    assert list(read.members(4711)) == groups.get(4711, [])
    assert read.total == sum(map(len, groups.values()))


@given(st.lists(st.one_of(st.integers(-100, 100), st.integers(-(2**63), 2**63 - 1)), max_size=50))
def test_numbers_come_back_in_the_fewest_bytes(values: list[int]) -> None:
    """Those left out at the end are the default."""
    segment = SegmentFile(segment_bytes(60, {"numbers/x": numbers_part(array("q", values))}))
    assert list(segment.numbers("x", "q", 7)) == values + [7] * (60 - len(values))
    assert list(segment.numbers("y", "q", 7)) == [7] * 60


def test_lengths_grow_as_those_of_whoosh() -> None:
    assert [length_of(byte) for byte in range(256)] == [byte_to_length(byte) for byte in range(256)]


COUNT = 1_300


def _memory(number: int) -> Memory:
    body = "kestrel " * (number % 3 + 1) + ("owl" if number == 700 else "") + f" nest number{number} 茶壶"
    created = f"20{number % 20 + 10}-01-05" if number % 2 else "soon"
    fields = {"created": created, **({"session": f"s{number % 7}"} if number % 5 else {})}
    return read_memory(
        f"a/n{number}.md", BlobId(f"{number:040x}"), note(f"n{number}", body, **fields).encode()
    )


@pytest.fixture(scope="module")
def segment() -> SegmentFile:
    index = create_index(MemoryStorage())
    writer = open_writer(index)
    for number in range(COUNT):
        writer.add_document(**document_of(_memory(number)))
    writer.commit()
    ((file, deleted),) = segments_in_memory(index)
    assert not deleted
    return file


def test_what_was_written_is_read(segment: SegmentFile) -> None:
    """Every term of every field with its documents, every record, number and length."""
    assert segment.size == COUNT
    expected: dict[tuple[str, str], dict[int, int]] = {}
    for number in range(COUNT):
        memory = _memory(number)
        counts = scored_terms(memory)
        for field, counted in counts.items():
            for term, count in (*counted.words.items(), *counted.extras.items()):
                expected.setdefault((field, term), {})[number] = count
        lengths, record = segment.stored(number)
        assert Record.from_stored(record) == Record.from_memory(memory)
        assert lengths == [counts[name].length for name in SCORED_FIELDS]
        assert segment.numbers(CREATED, *NUMBERS[CREATED])[number] == document_of(memory).get(
            CREATED, NUMBERS[CREATED][1]
        )
        assert segment.lengths("text")[number] == counts["text"].length
    for (field, term), weights in expected.items():
        found = segment.postings(field, term.encode())
        assert found is not None
        assert dict(zip(found[0], found[1] or [1] * COUNT, strict=False)) == weights
    for field in SCORED_FIELDS:
        terms = sorted(term.encode() for name, term in expected if name == field)
        assert list(segment.terms_from(field, b"")) == terms
    assert segment.postings("text", b"nowhere") is None
    assert segment.postings("nosuchfield", b"kestrel") is None


def test_sessions_are_those_of_the_column(segment: SegmentFile) -> None:
    group_of = segment.numbers(GROUP, *NUMBERS[GROUP])
    groups = segment.groups()
    assert set(groups.numbers) == set(group_of) - {0}
    for group in groups.numbers:
        assert list(groups.members(group)) == [own for own in range(COUNT) if group_of[own] == group]


def test_a_mapped_segment_says_the_same(segment: SegmentFile, tmp_path: Path) -> None:
    """It is not copied into memory, and gives the file back when it is closed."""
    file = tmp_path / "MAIN_0.seg"
    file.write_bytes(segment._data)
    mapped = SegmentFile.open(file)
    assert isinstance(mapped._data, mmap.mmap)
    assert mapped.postings("text", b"kestrel") == segment.postings("text", b"kestrel")
    assert mapped.stored(COUNT - 1) == segment.stored(COUNT - 1)
    mapping = mapped._data
    mapped.close()
    mapped.close()
    assert mapping.closed


def _cut(data: bytes) -> Iterator[bytes]:
    yield from (b"", data[:10], data[: len(data) // 2], data[:-1], data + b"x", bytes(len(data)))
    yield b"\0" + data[1:]


def test_what_is_not_whole_is_no_segment(segment: SegmentFile, tmp_path: Path) -> None:
    file = tmp_path / "MAIN_0.seg"
    for damaged in _cut(segment._data):
        file.write_bytes(damaged)
        with pytest.raises(DamagedSegment):
            SegmentFile.open(file)
