"""Passport numbers and licence plates: only beside a word that says so, but for Chinese plates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitmem.model.lazily import Lazy, holds_any
from gitmem.model.sensitive import PASSPORT, PLATE
from gitmem.privacy.found import Found

_PASSPORT = Lazy(
    r"(?i)(?:(?:passports?|reisepass|passeport|pasaporte)(?!\.[a-z]|[a-z]{2}(?<!no|nu|nr|id))|护照|護照|通行证)"
    r"(?:[ \-]?(?:no|number|num|nr|id|号码?|號碼?|编号)\b\.?|nummer|号码?|號碼?)?"
    r"[^\n\d]{0,24}?(?<![A-Za-z0-9])"
    r"(?P<value>(?=(?:[A-Za-z]?\d|[A-Za-z]{2}\d|\d[A-Za-z]))[A-Za-z0-9]{7,9})(?![A-Za-z0-9]|[\-.]\w)"
)
_PASSPORT_WORDS = ("passport", "reisepass", "passeport", "pasaporte", "护照", "護照", "通行证")
_PROVINCES = frozenset("京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼")
_CHINESE = Lazy(
    rf"(?<![A-Za-z0-9])[{''.join(sorted(_PROVINCES))}][A-HJ-NP-Z][ ·•・\-]?(?=[A-Z]{{0,4}}\d)"
    r"(?:[A-HJ-NP-Z0-9]{4}[挂学警港澳]|[A-HJ-NP-Z0-9]{5,6})"
    r"(?![A-Za-z0-9])"
)
_TOLD = Lazy(
    r"(?i)(?:(?:licen[cs]e|number|registration|car|vehicle|truck|van)[ \-]plates?|"
    r"\bplates?(?: number| no\.?)|number ?plate|\bplate:|车牌号?码?|車牌號?碼?|kennzeichen|immatriculation|"
    r"matr[ií]cula|vehicle reg(?:istration)?(?: number)?)"
    r"(?: (?:is|was|reads|number|no\.?|ending)){0,2}[ :：#\"'`(=]{1,4}"
    r"(?P<value>[A-Za-z0-9ÄÖÜäöü]{1,4}(?:[ \-·][A-Za-z0-9]{1,4}){0,3}|[A-Za-z0-9]{4,8})"
    r"(?![A-Za-z0-9])"
)


def documents_in(text: str) -> Iterator[Found]:
    """The passports and plates in a plain text."""
    lowered = text.lower()
    for found in _PASSPORT.finditer(text) if holds_any(lowered, _PASSPORT_WORDS) else ():
        value = found["value"]
        if len(set(value)) > 2 and sum(map(str.isdigit, value)) >= 5:
            yield Found(PASSPORT, found.start("value"), found.end("value"))
    if not text.isascii() and not _PROVINCES.isdisjoint(text):
        for found in _CHINESE.finditer(text):
            yield Found(PLATE, found.start(), found.end())
    if holds_any(lowered, ("plate", "牌", "kennzeichen", "matr", "vehicle reg")):
        for found in _TOLD.finditer(text):
            trimmed = _plate_of(found["value"])
            if trimmed:
                yield Found(PLATE, found.start("value"), found.start("value") + len(trimmed))


def _plate_of(value: str) -> str:
    """The start of `value` that a plate can be: capitals and digits, both; empty where it is none."""
    kept: list[str] = []
    for part in re.findall(r"[^ \-·]+|[ \-·]", value):
        if part not in " -·" and part != part.upper():
            break
        kept.append(part)
    plate = "".join(kept).rstrip(" -·")
    compact = re.sub(r"[^A-Za-z0-9]", "", plate)
    is_both = re.search("[A-ZÄÖÜ]", plate) is not None and re.search(r"\d", plate) is not None
    return plate if is_both and 4 <= len(compact) <= 9 else ""
