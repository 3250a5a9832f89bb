"""Filters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.index.branch_index import BranchIndex
from gitmem.index.moments import parse_moment
from gitmem.index.record import Record
from gitmem.model.ids import BlobId
from gitmem.model.memory import MemoryType
from gitmem.model.reading import read_memory
from gitmem.recall.search import search
from gitmem.recall.where import Where
from tests.index.memory_source import MemorySource, note

TEXT = """---
id: m1
type: episodic
tags: [Field Trip, Über]
entities: [person:alice]
agent: Bot
session: s-1
status: disputed
created: 2024-05-08T23:30:00+02:00
project: {name: Beta, phases: [one, 2]}
a.b: dotted
done: true
empty:
rate: 0.5
---
text
"""


@pytest.fixture
def record() -> Record:
    memory = read_memory("episodic/people/alice/x-m1.md", BlobId("0" * 40), TEXT.encode())
    return Record.from_memory(memory)


@pytest.mark.parametrize(
    "where",
    [
        Where(),
        Where(type=MemoryType.EPISODIC),
        Where(namespace="people"),
        Where(namespace="People/Alice/"),
        Where(tags=("field trip", "ÜBER")),
        Where(tags=("ｆｉｅｌｄ trip", "u\u0308ber")),
        Where(before="2024-05-09", after="2024-05-07"),
        Where(also=(("tag", "über"), ("in", "people"))),
        Where(without=(("tag", "under"),)),
        Where(entities=("Person:Alice",)),
        Where(agent="bot", session="S-1", status="disputed"),
        Where(since="2024-05-08", until="2024-05-08"),
        Where(since="2024-05-08T21:30:00Z"),
        Where(until="2024-05-08T23:30:00+02:00"),
        Where(until="20240508"),
        Where(fields=(("project.name", "beta"),)),
        Where(fields=(("project.phases", "2"), ("a.b", "Dotted"))),
        Where(fields=(("done", "TRUE"), ("empty", ""), ("rate", "0.5"))),
        Where(fields=(("tags", "über"),)),
    ],
    ids=repr,
)
def test_a_condition_that_holds(record: Record, where: Where) -> None:
    """Each kind of condition, without case where it is text."""
    assert where.matches(record)


@pytest.mark.parametrize(
    "where",
    [
        Where(type=MemoryType.SEMANTIC),
        Where(namespace="people/al"),
        Where(namespace="alice"),
        Where(tags=("field",)),
        Where(tags=("über", "missing")),
        Where(also=(("tag", "missing"),)),
        Where(without=(("tag", "UBER"), ("tag", "Über"))),
        Where(agent="b"),
        Where(status="active"),
        Where(since="2024-05-09"),
        Where(until="2024-05-07"),
        Where(until="2024-05-08T21:29:59Z"),
        Where(since="last week"),
        Where(until="soon"),
        Where(before="2024-05-08"),
        Where(after="2024-05-08"),
        Where(after="2024-05-08T21:30:00Z"),
        Where(before="soon"),
        Where(fields=(("project", "beta"),)),
        Where(fields=(("project.name", "be"),)),
        Where(fields=(("nothing", ""),)),
        Where(fields=(("done", "false"),)),
    ],
    ids=repr,
)
def test_a_condition_that_does_not_hold(record: Record, where: Where) -> None:
    """Parts of words, other days, other values, and dates nobody can read."""
    assert not where.matches(record)


def test_without_a_readable_date_no_time_matches() -> None:
    """Such a memory is in no period, and is found without one."""
    for created in ("soon", "2024-02-30", ""):
        memory = read_memory("a.md", BlobId("0" * 40), note("a", "x", created=created).encode())
        record = Record.from_memory(memory)
        assert not Where(since="1900-01-01").matches(record)
        assert not Where(until="2100-01-01").matches(record)
        assert Where().matches(record)


@given(st.text())
def test_any_text_may_stand_for_a_date(text: str) -> None:
    """It gives a moment or None."""
    moment = parse_moment(text)
    assert moment is None or moment.tzinfo is not None


CONDITIONS = st.builds(
    Where,
    type=st.none() | st.sampled_from(MemoryType),
    namespace=st.none() | st.sampled_from(["people", "people/alice", "p", "PEOPLE", ""]),
    tags=st.lists(st.sampled_from(["red", "RED", "blue", "x" * 300]), max_size=2).map(tuple),
    agent=st.none() | st.sampled_from(["bot", "BOT", "x"]),
    status=st.none() | st.sampled_from(["active", "disputed"]),
    since=st.none() | st.sampled_from(["2024-02-01", "2023"]),
    fields=st.sampled_from([(), (("rank", "1"),)]),
)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> BranchIndex:
    source = MemorySource()
    index = BranchIndex(tmp_path_factory.mktemp("many") / "gitmem" / "index" / "main", source)
    files = {}
    for number in range(32):
        tags = ["red"] * (number & 1) + ["Blue"] * (number >> 1 & 1) + ["x" * 300] * (number & 1)
        folder = ("people/alice", "people", "p", "m")[number % 4]
        fields = {"tags": str(tags), "rank": str(number % 3), "agent": ("Bot", "x")[number >> 2 & 1]}
        fields["created"] = f"2024-0{1 + number % 4}-11"
        fields["status"] = ("active", "disputed")[number >> 3 & 1]
        kind = ("semantic", "episodic")[number >> 4]
        files[f"{kind}/{folder}/{number}.md"] = note(f"n{number}", "word", **fields)
    index.view(source.commit(files)).close()
    return index


@given(where=CONDITIONS)
def test_listing_and_searching_filter_alike(many: BranchIndex, where: Where) -> None:
    """Both give exactly the memories for which `matches` is true."""
    commit = many.stamp()
    assert commit is not None
    with many.view(commit) as view:
        expected = {record.path for record in view.records() if where.matches(record)}
        assert {record.path for record in view.records(where)} == expected
        answer = search(view, "word", where, 100)
        assert {hit.record.path for hit in answer.hits} == expected
        assert answer.total == len(expected)


def test_a_record_survives_being_stored(record: Record) -> None:
    """Stored and read it is the same."""
    assert Record.from_stored(record.to_stored()) == record


def test_a_damaged_record_is_not_believed(record: Record) -> None:
    """A wrong number of values is an error."""
    with pytest.raises(ValueError, match="wrong number"):
        Record.from_stored(record.to_stored()[:-1])
