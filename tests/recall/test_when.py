"""Words that name a span of time."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.recall.when import is_time, relative_spans, span_named

NOW = datetime(2026, 11, 30, 15, 20)
"""A Monday."""

DAYS = {
    "today": "2026-11-30",
    "Yesterday": "2026-11-29",
    "the day before yesterday": "2026-11-28",
    "tomorrow": "2026-12-01",
    "Monday": "2026-11-30",
    "last Monday": "2026-11-23",
    "wednesday": "2026-11-25",
    "on Wed": "2026-11-25",
    "last  Wednesday": "2026-11-25",
    "this Friday": "2026-12-04",
    "next friday": "2026-12-11",
    "wednesday last week": "2026-11-25",
    "Wednesday of last week": "2026-11-25",
    "last week's Wednesday": "2026-11-25",
    "3 days ago": "2026-11-27",
    "three days ago": "2026-11-27",
    "a week ago": "2026-11-23",
    "a couple of weeks ago": "2026-11-16",
    "9 months ago": "2026-02-28",
    "a year ago": "2025-11-30",
    "May 8": "2026-05-08",
    "December 24": "2025-12-24",
    "8 May 2024": "2024-05-08",
    "May 8th, 2024": "2024-05-08",
    "8th of May last year": "2025-05-08",
    "Feb 29": "2024-02-29",
    "2026-05-08": "2026-05-08",
    "20260508": "2026-05-08",
    "2026/5/8": "2026-05-08",
    "2026-W19-3": "2026-05-06",
    "今天": "2026-11-30",
    "昨天": "2026-11-29",
    "前天": "2026-11-28",
    "三天前": "2026-11-27",
    "两周前": "2026-11-16",
    "十二年前": "2014-11-30",
    "3个月前": "2026-08-30",
    "上周三": "2026-11-25",
    "上週三": "2026-11-25",
    "上個禮拜天": "2026-11-29",
    "这周五": "2026-12-04",
    "星期日": "2026-11-29",
    "去年5月8号": "2025-05-08",
    "2024年3月8日": "2024-03-08",
    "十二月二十四日": "2025-12-24",
    "上个月5号": "2026-10-05",
    "昨日": "2026-11-29",
    "おととい": "2026-11-28",
    "３日前": "2026-11-27",
    "2週間前": "2026-11-16",
    "3ヶ月前": "2026-08-30",
    "先週の水曜日": "2026-11-25",
    "今週の月曜": "2026-11-30",
    "水曜日": "2026-11-25",
    "어제": "2026-11-29",
    "그저께": "2026-11-28",
    "이틀 전": "2026-11-28",
    "3일 전": "2026-11-27",
    "지난주 수요일": "2026-11-25",
    "2024년 3월 8일": "2024-03-08",
}
LONGER = {
    "last week": ("2026-11-23", "2026-11-30"),
    "this week": ("2026-11-30", "2026-12-07"),
    "2026-W19": ("2026-05-04", "2026-05-11"),
    "last weekend": ("2026-11-28", "2026-11-30"),
    "last month": ("2026-10-01", "2026-11-01"),
    "next month": ("2026-12-01", "2027-01-01"),
    "last year": ("2025-01-01", "2026-01-01"),
    "last quarter": ("2026-07-01", "2026-10-01"),
    "in March": ("2026-03-01", "2026-04-01"),
    "December": ("2025-12-01", "2026-01-01"),
    "last November": ("2025-11-01", "2025-12-01"),
    "November": ("2026-11-01", "2026-12-01"),
    "March 2025": ("2025-03-01", "2025-04-01"),
    "march last year": ("2025-03-01", "2025-04-01"),
    "2026-05": ("2026-05-01", "2026-06-01"),
    "Q2 2024": ("2024-04-01", "2024-07-01"),
    "2024-Q2": ("2024-04-01", "2024-07-01"),
    "the third quarter of 2025": ("2025-07-01", "2025-10-01"),
    "2024": ("2024-01-01", "2025-01-01"),
    "last 7 days": ("2026-11-23", "2026-12-01"),
    "past two months": ("2026-09-30", "2026-12-01"),
    "上周": ("2026-11-23", "2026-11-30"),
    "上个月": ("2026-10-01", "2026-11-01"),
    "去年": ("2025-01-01", "2026-01-01"),
    "今年三月": ("2026-03-01", "2026-04-01"),
    "最近三天": ("2026-11-27", "2026-12-01"),
    "2024年第二季度": ("2024-04-01", "2024-07-01"),
    "先週": ("2026-11-23", "2026-11-30"),
    "先月": ("2026-10-01", "2026-11-01"),
    "昨年": ("2025-01-01", "2026-01-01"),
    "去年の3月": ("2025-03-01", "2025-04-01"),
    "지난주": ("2026-11-23", "2026-11-30"),
    "지난달": ("2026-10-01", "2026-11-01"),
    "작년 3월": ("2025-03-01", "2025-04-01"),
}


@pytest.mark.parametrize("words", DAYS)
def test_words_for_a_day(words: str) -> None:
    """From midnight to midnight, by the wall clock."""
    start = datetime.fromisoformat(DAYS[words])
    assert span_named(words, NOW) == (start, start + timedelta(days=1))


@pytest.mark.parametrize("words", LONGER)
def test_words_for_a_longer_span(words: str) -> None:
    """Weeks begin on Monday; months, quarters and years are those of the calendar."""
    assert span_named(words, NOW) == tuple(map(datetime.fromisoformat, LONGER[words]))


@pytest.mark.parametrize(
    "words",
    [
        *(
            "",
            "soon",
            "nonsense",
            "last",
            "ago",
            "3 days",
            "days ago",
            "the",
            "may be",
            "2026-13",
            "2026-02-30",
        ),
        *("Feb 30", "25:00", "12/11/2026", "99", "Q5 2024", "一", "三", "月", "周", "前", "上", "先の", "주"),
        "x" * 1000,
    ],
)
def test_what_names_no_time(words: str) -> None:
    """Neither a guess nor a failure."""
    assert span_named(words, NOW) is None
    assert not is_time(words)


def test_a_time_with_an_offset_keeps_it() -> None:
    """It is a moment, wherever the person is."""
    span = span_named("2026-05-08T15:30:00+02:00", NOW)
    assert span is not None
    assert span.start.isoformat() == "2026-05-08T15:30:00+02:00"


@given(
    st.text(max_size=30)
    | st.text("今昨前上个周星期三月年日先の0123456789지난주 last week ago-/QW", max_size=12)
    | st.tuples(st.sampled_from(["", "last ", "上", "99999 ", "0 "]), st.sampled_from([*DAYS, *LONGER])).map(
        "".join
    ),
    st.datetimes(),
)
def test_any_text_names_a_span_or_none(words: str, now: datetime) -> None:
    """No text and no day makes it fail; a span never ends before it begins."""
    span = span_named(words, now)
    assert span is None or span.start < span.end


@given(st.sampled_from([*DAYS, *LONGER]), st.datetimes(datetime(1950, 1, 1), datetime(2100, 1, 1)))
def test_words_name_a_time_on_any_day(words: str, now: datetime) -> None:
    """What is understood does not depend on when it is asked."""
    assert span_named(words, now) is not None
    assert is_time(words)


@given(st.datetimes(datetime(1950, 1, 1), datetime(2100, 1, 1)))
def test_looking_back_ends_before_now_or_today(now: datetime) -> None:
    """What is last is over; a bare weekday or month has begun."""
    for words in ("last week", "last month", "last year", "last wednesday", "yesterday", "上周三", "先月"):
        span = span_named(words, now)
        assert span is not None
        assert span.end <= now.replace(hour=0, minute=0, second=0, microsecond=0)
    for words in ("wednesday", "march", "May 8", "Q2", "周三", "三月", "수요일"):
        span = span_named(words, now)
        assert span is not None
        assert span.start <= now


def test_relative_words_are_taken_out_of_a_question() -> None:
    """So that `last Wednesday` does not mean every Wednesday as well."""
    spans, rest = relative_spans("What did Bob say last Wednesday, and 3 days ago?", NOW)
    assert [span.start.day for span in spans] == [25, 27]
    assert rest.split() == ["What", "did", "Bob", "say", ",", "and", "?"]
    assert [span.start.day for span in relative_spans("上周三的会议说了什么", NOW)[0]] == [25]


@given(st.sampled_from([*DAYS, *LONGER]), st.sampled_from(["", "what of ", "会议 "]))
def test_what_is_taken_out_of_a_question_names_a_span(words: str, before: str) -> None:
    """Whatever is found in a question is understood as a whole, and nothing else is lost."""
    spans, rest = relative_spans(before + words, NOW)
    assert all(span.start < span.end for span in spans)
    assert spans or rest == before + words
