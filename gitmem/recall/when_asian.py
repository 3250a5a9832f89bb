"""The Chinese, Japanese and Korean words that name a span of time.

Patterns are written as people write them and folded like the text that they are compared with, so
上週 is 上周 and 先週 is 先周; blanks are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from gitmem.index.folding import fold
from gitmem.recall import spans
from gitmem.recall.spans import Span

_DIGITS = "零一二三四五六七八九十"
_KOREAN_DAYS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "일주일": 7}
_DAYS = {
    **dict.fromkeys(("大前天",), -3),
    **dict.fromkeys(("前天", "一昨日", "おととい", "그제", "그저께"), -2),
    **dict.fromkeys(("昨天", "昨日", "きのう", "어제"), -1),
    **dict.fromkeys(("今天", "今日", "本日", "きょう", "오늘"), 0),
    **dict.fromkeys(("明天", "明日", "あした", "내일"), 1),
    **dict.fromkeys(("后天", "明後日", "あさって", "모레"), 2),
}
_WEEKS = {
    **dict.fromkeys(("上上个", "上上", "先々", "지지난"), -2),
    **dict.fromkeys(("上个", "上一个", "上", "先", "지난", "저번"), -1),
    **dict.fromkeys(("这个", "这", "本", "今", "이번"), 0),
    **dict.fromkeys(("下个", "下", "来", "다음"), 1),
}
_YEARS = {
    **dict.fromkeys(("前年", "一昨年", "おととし", "재작년"), -2),
    **dict.fromkeys(("去年", "昨年", "작년", "지난해"), -1),
    **dict.fromkeys(("今年", "本年", "올해", "금년"), 0),
    **dict.fromkeys(("明年", "来年", "내년"), 1),
}
_UNITS = {
    **dict.fromkeys(("天", "日間", "日", "일"), "day"),
    **dict.fromkeys(("个星期", "星期", "个礼拜", "礼拜", "週間", "周", "주일", "주"), "week"),
    **dict.fromkeys(("个月", "か月", "ヶ月", "ヵ月", "箇月", "개월", "달"), "month"),
    **dict.fromkeys(("年間", "年", "년"), "year"),
    **dict.fromkeys(("小时", "个小时", "時間", "시간"), "hour"),
    **dict.fromkeys(("分钟", "分間", "分", "분"), "minute"),
}
_WEEKDAYS = ("一二三四五六日天1234567", "月火水木金土日", "월화수목금토일")
_CHINESE_WEEKDAYS = {
    name: number for number, names in enumerate("一1 二2 三3 四4 五5 六6 日天7".split()) for name in names
}
_RECENT = "最近|过去|近|この|ここ|直近|최근|지난"


def readings() -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Span]]]:
    """Each pattern with what it means."""
    number = f"(?P<count>\\d{{1,4}}|[{_DIGITS}两]{{1,3}})"
    which, years = _any("which", _WEEKS), _any("year", _YEARS)
    year = f"(?:{years}|(?P<digits>\\d{{4}})[年년])の?"
    month = f"(?P<month>1[0-2]|0?[1-9]|[{_DIGITS}]{{1,2}})[月월]"
    day = f"(?P<day>\\d\\d?|[{_DIGITS}]{{1,3}})[日号일]"
    days = f"(?:周|星期|礼拜)[{_WEEKDAYS[0]}]|[{_WEEKDAYS[1]}]曜日?|[{_WEEKDAYS[2]}]요일"
    weekday = f"(?P<weekday>{days})"
    patterns: tuple[tuple[str, Callable[[re.Match[str], datetime], Span]], ...] = (
        (_any("day", _DAYS), lambda match, now: spans.day(now, _shift(_DAYS, match["day"]))),
        (f"{number}{_any('unit', _UNITS)}(?:之|以)?[前전]", _ago),
        (f"{_any('count', _KOREAN_DAYS)}전", _ago),
        (f"(?:{_RECENT})(?:の|的)?{number}{_any('unit', _UNITS)}", _last_so_many),
        (f"{which}(?:周|星期|礼拜|주)(?P<end>末|말)?", _week),
        (f"{which}(?:星期|礼拜|周)(?P<weekday>[{_WEEKDAYS[0]}])", _weekday_of_week),
        (f"{which}(?:周|주)[の의]?{weekday}", _weekday_of_week),
        (weekday, lambda match, now: spans.weekday(now, _weekday(match["weekday"]))),
        (f"{which}[月달]", _month_of),
        (f"{which}[月달][の의]?{day}", _day_of_month),
        (f"{year}", lambda match, now: spans.year(_year(match, now))),
        (f"(?:{year})?{month}", _month),
        (f"(?:{year})?{month}{day}", _date),
        (f"(?:{year})?第?(?P<quarter>[1-4一二三四])(?:个?季度|四半期|분기)", _quarter),
        (f"{which}(?:季度|四半期|분기)", _quarter_of),
    )
    for pattern, read in patterns:
        yield re.compile(re.sub("[^!-~]+", lambda match: fold(match[0]), pattern)), read


def _any(name: str, words: Mapping[str, object]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return f"(?P<{name}>{'|'.join(longest_first)})"


def _shift(table: Mapping[str, int], word: str) -> int:
    return next(shift for name, shift in table.items() if fold(name) == word)


def _number(text: str) -> int:
    """`12`, `十二`, `二十`, `两`."""
    if text.isdecimal():
        return int(text)
    text = text.replace("两", "二")
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return int("".join(str(_DIGITS.index(digit)) for digit in text))
    return 10 * (_number(tens) if tens else 1) + (_number(ones) if ones else 0)


def _weekday(text: str) -> int:
    name = text.removesuffix("日") if "曜" in text else text.removesuffix("요일")
    name = name.removesuffix("曜")[-1]
    if text[-1] in _CHINESE_WEEKDAYS and "曜" not in text:
        return _CHINESE_WEEKDAYS[name]
    return next(days.index(name) for days in _WEEKDAYS[1:] if name in days)


def _unit(match: re.Match[str]) -> str:
    return next(unit for name, unit in _UNITS.items() if fold(name) == match["unit"])


def _ago(match: re.Match[str], now: datetime) -> Span:
    if match["count"] in _KOREAN_DAYS:
        return spans.ago(now, _KOREAN_DAYS[match["count"]], "day")
    return spans.ago(now, _number(match["count"]), _unit(match))


def _last_so_many(match: re.Match[str], now: datetime) -> Span:
    return spans.last_so_many(now, _number(match["count"]), _unit(match))


def _week(match: re.Match[str], now: datetime) -> Span:
    shift = _shift(_WEEKS, match["which"])
    return spans.weekend(now, shift) if match["end"] else spans.week(now, shift)


def _weekday_of_week(match: re.Match[str], now: datetime) -> Span:
    return spans.weekday_of(now, _weekday(match["weekday"]), _shift(_WEEKS, match["which"]))


def _month_of(match: re.Match[str], now: datetime) -> Span:
    return spans.month(now.year, now.month, _shift(_WEEKS, match["which"]))


def _day_of_month(match: re.Match[str], now: datetime) -> Span:
    start = _month_of(match, now).start
    return spans.date(start.year, start.month, _number(match["day"]))


def _quarter_of(match: re.Match[str], now: datetime) -> Span:
    return spans.quarter(now.year, (now.month + 2) // 3, _shift(_WEEKS, match["which"]))


def _year(match: re.Match[str], now: datetime) -> int:
    return int(match["digits"]) if match["digits"] else now.year + _shift(_YEARS, match["year"])


def _names_year(match: re.Match[str]) -> bool:
    return bool(match["digits"] or match["year"])


def _month(match: re.Match[str], now: datetime) -> Span:
    number = _number(match["month"])
    return spans.month(_year(match, now), number) if _names_year(match) else spans.month_before(now, number)


def _date(match: re.Match[str], now: datetime) -> Span:
    month, day = _number(match["month"]), _number(match["day"])
    if _names_year(match):
        return spans.date(_year(match, now), month, day)
    return spans.date_before(now, month, day)


def _quarter(match: re.Match[str], now: datetime) -> Span:
    number = _number(match["quarter"])
    return (
        spans.quarter(_year(match, now), number) if _names_year(match) else spans.quarter_before(now, number)
    )


RELATIVE = (
    "(?:昨天|前天|今天|昨日|大前天|[0-9一二三四五六七八九十两兩]{1,3}(?:天|周|週|个星期|個星期|个月|個月|年)前"
    "|[上本这這](?:个|個)?(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]?|[上本这這](?:个|個)?月|去年|今年)"
)
"""What in a Chinese question names a span by its distance from now."""
