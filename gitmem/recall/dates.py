"""Dates: a question that names a month, a year, a weekday or yesterday means memories from then."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from gitmem.clock import wall_time
from gitmem.index.columns import CREATED
from gitmem.index.content import IndexContent
from gitmem.index.keys import key
from gitmem.index.moments import NO_MOMENT
from gitmem.index.period import WALL_TIME, Period
from gitmem.index.schema import KEYS
from gitmem.recall.answer import Reason
from gitmem.recall.during import period_of_span
from gitmem.recall.stages import Asked
from gitmem.recall.weights import DATE_LIFT
from gitmem.recall.when import relative_spans

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMES = frozenset((*_MONTHS, *_DAYS))
_WORDS_TOO = frozenset(("march", "may"))
_YEAR = re.compile(r"(?<![\d.,-])((?:19|20)\d\d)(?![A-Za-z\d_-])")
_HAN_MONTHS = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_HAN_MONTH = re.compile(r"(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])\s*月")
_HAN_DAY = re.compile(r"(?:星期|周|週|礼拜|禮拜)([一二三四五六日天])")
_HAN_DAYS = "一二三四五六日"
_WORD = re.compile(r"[A-Za-z]+")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class DatesAsked(Struct, frozen=True):
    """The months (1 to 12), years and weekdays (0 is Monday) that a question names."""

    months: frozenset[int] = frozenset()
    years: frozenset[int] = frozenset()
    weekdays: frozenset[int] = frozenset()

    @property
    def is_empty(self) -> bool:
        return not (self.months or self.years or self.weekdays)

    def fits(self, moment: datetime) -> bool:
        """Whether `moment` is in one of the months, years and weekdays, as far as any are named."""
        return (
            (not self.months or moment.month in self.months)
            and (not self.years or moment.year in self.years)
            and (not self.weekdays or moment.weekday() in self.weekdays)
        )


def dates_in(text: str) -> DatesAsked:
    """The dates that `text` names in English or Chinese; `may` and `march` only with a capital."""
    words = enumerate(_WORD.findall(text))
    names = {word.lower() for place, word in words if word.lower() in _NAMES and _may_be_date(word, place)}
    months = {number for number, name in enumerate(_MONTHS, 1) if name in names} if names else set()
    weekdays = {number for number, name in enumerate(_DAYS) if name in names} if names else set()
    if not text.isascii():
        for found in _HAN_MONTH.findall(text):
            months.add(int(found) if found.isdigit() else _HAN_MONTHS.index(found) + 1)
        weekdays.update(_HAN_DAYS.index(found.replace("天", "日")) for found in _HAN_DAY.findall(text))
    years = frozenset(int(found) for found in _YEAR.findall(text))
    return DatesAsked(frozenset(months), years, frozenset(weekdays))


def _may_be_date(word: str, place: int) -> bool:
    return word.lower() not in _WORDS_TOO or (place > 0 and word[0].isupper())


class DateFactor:
    """Lifts the memories whose `created` fits the dates asked for, or lies in one of some periods."""

    def __init__(self, dates: DatesAsked, periods: Sequence[Period], content: IndexContent) -> None:
        self.most = 1 + DATE_LIFT
        self.reach: Set[int] | None = None
        self._dates = dates
        self._periods = periods
        self._created = content.numbers(CREATED)
        self._by_wall = content.having(KEYS, key(*WALL_TIME)) if periods else frozenset()
        self._known: dict[tuple[int, bool], bool] = {}

    @classmethod
    def of(cls, asked: Asked) -> DateFactor | None:
        """The factor for one question; None where it names no time."""
        text, periods = asked.question.text, []
        if asked.now is not None:
            spans, text = relative_spans(text, wall_time(asked.now, asked.zone))
            periods = [period_of_span(span, asked.zone) for span in spans]
        dates = dates_in(text)
        return None if dates.is_empty and not periods else cls(dates, periods, asked.content)

    def factor_of(self, document: int) -> float:
        return self.most if self._fits(document) else 1.0

    def reason(self, document: int) -> Reason | None:
        if not self._fits(document):
            return None
        day = (_EPOCH + timedelta(microseconds=self._created[document])).strftime("%A %Y-%m-%d")
        return Reason("date", f"from {day}, a time that the query names", self.most)

    def _fits(self, document: int) -> bool:
        at = (self._created[document], document in self._by_wall)
        found = self._known.get(at)
        if found is None:
            found = self._known[at] = at[0] != NO_MOMENT and self._fits_at(*at)
        return found

    def _fits_at(self, micros: int, is_wall_time: bool) -> bool:
        if any(period.has(micros, is_wall_time=is_wall_time) for period in self._periods):
            return True
        return not self._dates.is_empty and self._dates.fits(_EPOCH + timedelta(microseconds=micros))
