"""The second clock: what is valid at a date, whatever the store knew when."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import BadInput
from gitmem.index.branch_index import BranchIndex
from gitmem.index.moments import is_year_or_month, moment_of, span_of
from gitmem.index.view import IndexView
from gitmem.recall.search import search
from gitmem.recall.where import Where
from gitmem.store import Store
from tests.index.memory_source import MemorySource, note

NOTES = {
    "always": {},
    "since-created": {"created": "2024-03-05"},
    "day": {"valid_from": "2024-05-03", "valid_until": "2024-05-03"},
    "month": {"valid_from": "2024-05", "valid_until": '"2024-05"'},
    "year": {"valid_from": "2024", "valid_until": "2024"},
    "open-end": {"valid_from": "2024-05-03T12:00:00Z", "created": "2025-01-01"},
    "open-begin": {"valid_until": "2024-05-03T12:00:00+02:00"},
    "written-after": {"valid_until": "2024-05", "created": "2025-01-01"},
    "odd": {"valid_from": "some day", "valid_until": "[1, 2]"},
    "wrong-way": {"valid_from": "2025", "valid_until": "2023"},
}


@pytest.fixture
def view(tmp_path: Path) -> IndexView:
    source = MemorySource()
    (tmp_path / "git").mkdir()
    index = BranchIndex(tmp_path / "git" / "index" / "main", source)
    notes = {f"{name}.md": note(name, "plan", **fields) for name, fields in NOTES.items()}
    return index.view(source.commit(notes))


@pytest.mark.parametrize(
    ("date", "wanted"),
    [
        ("2023", {"open-begin"}),
        ("2024", {"since-created", "day", "month", "year", "open-end", "open-begin"}),
        ("2024-03-04", {"year", "open-begin"}),
        ("2024-03-05", {"since-created", "year", "open-begin"}),
        ("2024-05", {"since-created", "day", "month", "year", "open-end", "open-begin"}),
        ("2024-05-03", {"since-created", "day", "month", "year", "open-end", "open-begin"}),
        ("2024-05-03T10:00:00Z", {"since-created", "day", "month", "year", "open-begin"}),
        ("2024-05-03T10:00:01Z", {"since-created", "day", "month", "year"}),
        ("2024-05-03T23:59:59.999999Z", {"since-created", "day", "month", "year", "open-end"}),
        ("2024-05-04", {"since-created", "month", "year", "open-end"}),
        ("2024-06-01", {"since-created", "year", "open-end"}),
        ("2025-01-01", {"since-created", "open-end"}),
        ("9999", {"since-created", "open-end"}),
    ],
)
def test_what_is_valid_at_some_moment_of_the_date(view: IndexView, date: str, wanted: set[str]) -> None:
    """Ends are open; a memory without `valid_from` is valid from `created` on, without that always.

    So is one that was written down after it ended.
    """
    where = Where(valid_at=date)
    expected = {"always", "odd", *wanted} | (
        {"written-after"} if "open-begin" in wanted or "month" in wanted else set()
    )
    assert {hit.record.id for hit in search(view, "plan", where, 20).hits} == expected
    assert {record.id for record in view.records(where)} == expected
    assert search(view, "plan", where, 20).total == len(expected)


def test_what_was_valid_then_is_not_called_expired(view: IndexView) -> None:
    """The label is told for the date that was asked for, as far as one was."""
    now = datetime(2026, 11, 29, tzinfo=UTC)
    for where, labels in (
        (Where(valid_at="2024-05"), set()),
        (Where(), {"day", "month", "year", "open-begin", "written-after"}),
    ):
        hits = search(view, "plan", where, 20, now=now).hits
        assert {hit.record.id for hit in hits if hit.labels} - {"wrong-way"} == labels


@given(st.text(max_size=12) | st.from_regex(r"\d{4}(-\d{2}(-\d{2})?)?", fullmatch=True))
def test_a_span_is_a_time_or_nothing(text: str) -> None:
    """Any text is taken, and the end is never before the beginning."""
    span = span_of(text)
    assert span is None or span[0] <= span[1]
    if is_year_or_month(text):
        assert span is not None and span[0] < span[1]
    if span is not None:
        assert moment_of(span[0]) is not None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024", "2024-01-01T00:00:00", "2024-12-31T23:59:59.999999"),
        ("2024-02", "2024-02-01T00:00:00", "2024-02-29T23:59:59.999999"),
        ("2024-12", "2024-12-01T00:00:00", "2024-12-31T23:59:59.999999"),
        ("2024-02-29", "2024-02-29T00:00:00", "2024-02-29T23:59:59.999999"),
        ("2024-02-29T12:00+02:00", "2024-02-29T10:00:00", "2024-02-29T10:00:00"),
    ],
)
def test_what_a_date_spans(text: str, first: str, last: str) -> None:
    span = span_of(text)
    assert span is not None
    moments = [moment_of(micros) for micros in span]
    assert moments == [datetime.fromisoformat(each).replace(tzinfo=UTC) for each in (first, last)]


@pytest.mark.parametrize("text", ["2024-13", "24", "2024-2", "soon", "", "2024-02-30", "0000"])
def test_what_is_no_date_is_refused(text: str) -> None:
    assert span_of(text) is None
    with pytest.raises(BadInput, match="--valid-at"):
        Store.where(valid_at=text)


def test_a_memory_may_be_valid_for_a_month_or_a_year(store: Store) -> None:
    """Written as text that no YAML reader takes for a number."""
    written = store.remember("Bo is on leave", valid_from="2026-05", valid_until="2026")
    assert store.show(written.id).memory.fields["valid_until"] == "2026"
    store.update(written.id, fields={"valid_until": "2027-01"})
    assert store.list(Store.where(valid_at="2027-01-31")).total == 1
    assert store.list(Store.where(valid_at="2027-02")).total == 0
    assert store.list(Store.where(valid_at="2026-04-30")).total == 0
    with pytest.raises(BadInput, match="valid-from"):
        store.remember("never", valid_from="2026-13")
