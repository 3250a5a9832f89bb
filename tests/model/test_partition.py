"""Partitions: which memories belong to one, by namespace and type."""

from __future__ import annotations

import pytest

from gitmem.model.memory import MemoryType
from gitmem.model.partition import Partition, partition_of

SEMANTIC, EPISODIC = MemoryType.SEMANTIC, MemoryType.EPISODIC
PEOPLE = Partition("people", ("people/*", "hr"))


@pytest.mark.parametrize(
    "path",
    [
        "semantic/people/alice/likes-tea-m7k2q9xw.md",
        "semantic/people/alice/travel/likes-trains-m7k2q9xw.md",
        "episodic/people/alice/2026/11/29/1530-called-m7k2q9xw.md",
        "semantic/hr/pay-m7k2q9xw.md",
        "semantic/hr/m7/pay-m7k2q9xw.md",
        "semantic/HR/Berlin/pay-m7k2q9xw.md",
        "semantic/people/alice/likes-tea-m7k2q9xw.files/photo.txt",
        "people/alice/a-note-without-type-folder.md",
    ],
)
def test_a_pattern_covers_a_namespace_and_what_lies_below(path: str) -> None:
    """Days, shards, case and the type folder make no difference, and attachments follow their memory."""
    assert PEOPLE.holds(path, SEMANTIC)


@pytest.mark.parametrize(
    "path",
    [
        "semantic/people/x-m7k2q9xw.md",
        "semantic/people/m7/x-m7k2q9xw.md",
        "semantic/hrx/pay-m7k2q9xw.md",
        "semantic/m7/x-m7k2q9xw.md",
        "episodic/2026/11/29/1530-called-m7k2q9xw.md",
    ],
)
def test_what_stands_elsewhere_is_not_held(path: str) -> None:
    """`people/*` is not `people`, and no shard or day is taken for a namespace below it."""
    assert not PEOPLE.holds(path, SEMANTIC)


def test_namespace_and_type_must_both_match() -> None:
    """A condition that is left out holds for all."""
    path = "episodic/people/alice/2026/11/29/1530-called-m7k2q9xw.md"
    both = Partition("both", ("people/*",), frozenset({EPISODIC}))
    assert both.holds(path, EPISODIC) and not both.holds(path, SEMANTIC)
    assert Partition("types", (), frozenset({EPISODIC})).holds("anywhere.md", EPISODIC)
    assert Partition("all").holds("anywhere.md", SEMANTIC)


def test_the_first_in_the_order_of_the_file_wins() -> None:
    """Later partitions see only what earlier ones left."""
    path = "semantic/people/alice/x-m7k2q9xw.md"
    alice, people = Partition("alice", ("people/alice",)), Partition("people", ("people/*",))
    assert partition_of([alice, people], path, SEMANTIC) is alice
    assert partition_of([people, alice], path, SEMANTIC) is people
    assert partition_of([alice], "semantic/people/bob/x-m7k2q9xw.md", SEMANTIC) is None
