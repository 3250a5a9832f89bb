"""Check digits and other things that a number of a kind must satisfy."""

from __future__ import annotations

from datetime import date

_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_CN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CN_DIGITS = "10X98765432"
_CN_PROVINCES = frozenset(
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 "
    "82 83".split()
)
IBAN_LENGTHS = {
    entry[:2]: int(entry[2:])
    for entry in (
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 "
        "DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 "
        "IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 "
        "MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 "
        "SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 "
    ).split()
}
"""Characters of an IBAN by country, from the SWIFT registry."""


def passes_luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others (ISO/IEC 7812-1)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        total += _DOUBLED[int(digit)] if place % 2 else int(digit)
    return total % 10 == 0


def is_iban(text: str) -> bool:
    """Whether `text`, without blanks and in capitals, is an IBAN: length by country, and ISO 7064 mod 97."""
    if IBAN_LENGTHS.get(text[:2]) != len(text) or not text[2:4].isdigit():
        return False
    return int("".join(str(int(character, 36)) for character in text[4:] + text[:4])) % 97 == 1


def is_cn_id(text: str) -> bool:
    """Whether `text` is a Chinese resident ID number: province, day of birth, check digit (GB 11643)."""
    if text[:2] not in _CN_PROVINCES or not _is_day(text[6:10], text[10:12], text[12:14]):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(text[:17], _CN_WEIGHTS, strict=True))
    return _CN_DIGITS[total % 11] == text[17].upper()


def is_old_cn_id(text: str) -> bool:
    """Whether the 15 digits can be such a number of before 1999, which has no check digit."""
    return text[:2] in _CN_PROVINCES and _is_day("19" + text[6:8], text[8:10], text[10:12])


def is_ssn(area: str, group: str, serial: str) -> bool:
    """Whether a US social security number can have these parts: some were never given out."""
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def _is_day(year: str, month: str, day: str) -> bool:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return False
    return found.year >= 1880


_CARDS = (
    ("34 37", (15,)),
    ("300 301 302 303 304 305 36 38 39", (14,)),
    ("51 52 53 54 55", (16,)),
    ("6011 65 644 645 646 647 648 649", (16, 19)),
    ("62 81", (16, 17, 18, 19)),
    ("3528 3529 353 354 355 356 357 358", (16, 17, 18, 19)),
    ("4", (13, 16, 19)),
    ("5018 5020 5038 5893 6304 6759 6761 6762 6763 2200 2201 2202 2203 2204", (16, 17, 18, 19)),
)
_PREFIXES = {prefix: lengths for prefixes, lengths in _CARDS for prefix in prefixes.split()}
_PREFIXES |= {str(prefix): (16,) for prefix in range(2221, 2721)}


def is_card(digits: str) -> bool:
    """Whether a payment card can have this number: issuer and length (ISO/IEC 7812), and Luhn."""
    for size in (4, 3, 2, 1):
        lengths = _PREFIXES.get(digits[:size])
        if lengths is not None:
            return len(digits) in lengths and len(set(digits)) > 1 and passes_luhn(digits)
    return False
