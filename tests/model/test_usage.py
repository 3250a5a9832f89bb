"""Counts of uses: written and read back, merged to the same in any order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.usage import (
    NEVER,
    RECALLED,
    SHOWN,
    Uses,
    counts_of_events,
    counts_text,
    event_line,
    merged,
    newest,
    parse_counts,
    parse_event,
    summed,
)
from gitmem.model.usage_record import uses_in_record, with_counts

MOMENTS = st.sampled_from([f"2026-1{n % 3}-0{n}T10:00:0{n}Z" for n in range(1, 9)])
NUMBERS = st.integers(0, 2_000)
IDS = st.sampled_from(["m7k2q9xw", "a", "a-b", "笔记", "x.y", "z9"])
COUNTS = st.dictionaries(IDS, st.builds(Uses, NUMBERS, NUMBERS, MOMENTS), max_size=5)


@given(COUNTS)
def test_what_is_written_is_read_back(counts: dict[str, Uses]) -> None:
    assert parse_counts(counts_text(counts, ["a note"])) == counts


@given(st.text(max_size=200))
def test_any_text_can_be_read_as_counts_or_events(text: str) -> None:
    """A damaged record says less, and never fails."""
    parse_counts(text)
    counts_of_events(text)


@given(COUNTS, COUNTS, COUNTS)
def test_records_of_one_clone_merge_to_the_same_in_any_order(
    a: dict[str, Uses], b: dict[str, Uses], c: dict[str, Uses]
) -> None:
    """Commutative, associative, idempotent: states that meet anywhere, any number of times, converge."""
    assert merged(a, b) == merged(b, a)
    assert merged(merged(a, b), c) == merged(a, merged(b, c))
    assert merged(a, a) == a
    assert merged(merged(a, b), b) == merged(a, b)


@given(COUNTS, COUNTS)
def test_records_of_two_clones_add_up(a: dict[str, Uses], b: dict[str, Uses]) -> None:
    total = summed([a, b])
    assert total == summed([b, a])
    for name, uses in total.items():
        assert uses.recalled == a.get(name, NEVER).recalled + b.get(name, NEVER).recalled


def test_an_event_that_was_cut_short_is_not_counted_and_harms_no_other() -> None:
    """A process was killed, or the disk was full, in the middle of a line."""
    whole = event_line(RECALLED, ["one", "two"], "2026-11-29T10:00:00Z")
    for end in range(len(whole)):
        text = whole[:end] + event_line(SHOWN, ["one"], "2026-11-29T11:00:00Z")
        assert counts_of_events(text) == {"one": Uses(0, 1, "2026-11-29T11:00:00Z")}, end
    assert parse_event("yesterday recall one .") is None


def test_the_newest_are_kept() -> None:
    counts = {str(n): Uses(1, 0, f"2026-11-{n:02}T10:00:00Z") for n in range(1, 9)}
    assert set(newest(counts, 3)) == {"6", "7", "8"}
    assert newest(counts, 8) == counts


@given(COUNTS, COUNTS)
def test_counts_are_added_to_a_record_line_by_line(counts: dict[str, Uses], added: dict[str, Uses]) -> None:
    """As if the whole record were read and written; every line is found by halving afterwards."""
    record = with_counts(counts_text(counts, ["old"]).encode(), added, ["new"])
    wanted = summed([counts, added])
    assert record.decode() == counts_text(wanted, ["new"])
    for name in ("m7k2q9xw", "a", "a-b", "笔记", "x.y", "z9", "none"):
        assert uses_in_record(record, name) == wanted.get(name, NEVER)


@given(st.binary(max_size=200), COUNTS)
def test_a_damaged_record_is_no_reason_to_fail(record: bytes, added: dict[str, Uses]) -> None:
    uses_in_record(record, "a")
    with_counts(record, added, [])
