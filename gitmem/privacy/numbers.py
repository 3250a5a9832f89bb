"""Numbers with a form or a check digit: resident IDs, payment cards, IBANs, social security numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitmem.model.lazily import Lazy
from gitmem.model.sensitive import CARD, CN_ID, IBAN, SSN
from gitmem.privacy.checks import IBAN_LENGTHS, is_card, is_cn_id, is_iban, is_old_cn_id, is_ssn
from gitmem.privacy.context import says_other
from gitmem.privacy.found import Found
from gitmem.privacy.runs import Run, run_at

_CN_GROUPS = (
    (18,),
    (17,),
    (6, 8, 4),
    (6, 8, 3),
    (3, 3, 4, 4, 4),
    (3, 3, 4, 4, 3),
    (6, 4, 4, 4),
    (6, 4, 4, 3),
)
_CN_WORDS = Lazy(r"身份证|身分证|证件|(?i:\bid (?:card|number|no))|resident id")
_CARD_WORDS = Lazy(
    r"(?i)\b(?:cards?|visa|master ?card|amex|american express|discover|diners|jcb|maestro|union ?pay|debit|"
    r"credit|kreditkarte|carte|tarjeta|pan|cc)\b|卡|银联|信用"
)
_CARD_GROUPS = (
    (4, 6, 5),
    (4, 6, 4),
    (4, 4, 4, 4),
    (4, 4, 4, 4, 3),
    (4, 4, 4, 4, 1),
    (4, 4, 4, 1),
    (6, 13),
    (6, 10),
)
_SSN_WORDS = Lazy(r"(?i)(?<![a-z])ssns?(?![a-z])|social security|\bss ?(?:no|number|#)")
_IBAN = Lazy(r"(?<![A-Za-z0-9_])[A-Za-z]{2}\d{2} ?[A-Za-z0-9]")
MOST_IBAN_CHARACTERS = 44


def numbers_in(runs: list[Run]) -> Iterator[Found]:
    """What the runs are, the most specific first."""
    yield from filter(None, map(_cn_id, runs))
    yield from filter(None, map(_card, runs))
    yield from filter(None, map(_ssn, runs))


def _cn_id(run: Run) -> Found | None:
    if run.groups not in _CN_GROUPS:
        return _old_cn_id(run)
    digits, end = run.digits, run.end
    if len(digits) == 17:
        if run.text[end : end + 1] not in ("X", "x"):
            return None
        digits, end = digits + "X", end + 1
    whole = run_at(run.text, run.start, end)
    if len(digits) != 18 or not run.separators <= {" ", "-"} or not is_cn_id(digits):
        return None
    return (
        None
        if re.match(r"[A-Za-z0-9_]", run.text[end : end + 1]) or _is_glued(whole)
        else _found(CN_ID, whole)
    )


def _old_cn_id(run: Run) -> Found | None:
    if run.groups != (15,) or not _CN_WORDS.search(run.before()) or not is_old_cn_id(run.digits):
        return None
    return None if run.is_in_name else _found(CN_ID, run)


def _is_glued(run: Run) -> bool:
    return re.search(r"[A-Za-z0-9_]\Z", run.text[max(0, run.start - 1) : run.start]) is not None


def _card(run: Run) -> Found | None:
    if not 13 <= len(run.digits) <= 19 or run.separators not in (frozenset(), {" "}, {"-"}):
        return None
    if run.separators and run.groups not in _CARD_GROUPS:
        return None
    if not is_card(run.digits) or _is_glued(run):
        return None
    says_card = _CARD_WORDS.search(run.before()) or _CARD_WORDS.search(run.after())
    if not says_card and (
        run.is_in_name or run.is_in_url or says_other(run) or (not run.separators and len(run.digits) < 15)
    ):
        return None
    return _found(CARD, run)


def _ssn(run: Run) -> Found | None:
    if run.groups not in ((3, 2, 4), (9,)):
        return None
    says_ssn = _SSN_WORDS.search(run.before())
    is_dashed = run.groups == (3, 2, 4) and (
        run.separators == {"-"} or (says_ssn and run.separators == {" "})
    )
    if not is_dashed and not (says_ssn and run.groups == (9,)):
        return None
    digits = run.digits
    if run.is_in_name or not is_ssn(digits[:3], digits[3:5], digits[5:]):
        return None
    return None if not says_ssn and (says_other(run) or run.is_in_url) else _found(SSN, run)


def _found(kind: str, run: Run) -> Found:
    """The number without brackets around it."""
    start = run.start + len(run.written) - len(run.written.lstrip("(+"))
    return Found(kind, start, run.end)


def ibans_in(text: str) -> Iterator[Found]:
    """The IBANs of a plain text, with blanks or without."""
    for found in _IBAN.finditer(text):
        length = IBAN_LENGTHS.get(found.group()[:2].upper())
        end = _end_of(text, found.start(), length) if length else None
        if end is None or re.match(r"[A-Za-z0-9_]", text[end : end + 1]):
            continue
        if is_iban(text[found.start() : end].replace(" ", "").replace("-", "").upper()):
            yield Found(IBAN, found.start(), end)


def _end_of(text: str, start: int, length: int) -> int | None:
    """Where `length` letters and digits from `start` end, with single blanks or hyphens between."""
    place, seen = start, 0
    while seen < length and place < len(text):
        character = text[place]
        if character.isascii() and character.isalnum():
            seen += 1
        elif character not in " -" or text[place - 1] in " -":
            return None
        place += 1
    return place if seen == length else None
