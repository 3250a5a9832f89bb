"""Phone numbers by country: international ones by ITU-T E.164, national ones where form or words tell.

+CC ...          any country: the country code exists, and the length is one that it has
China            mobile 1[3-9] and nine digits; landline 0, area, seven or eight digits
North America    (202) 555-0143, 202-555-0143, 202.555.0143: three, three and four digits, valid ones
0X-XXXX-XXXX     Japan, Korea, Taiwan: by the hyphens
any other        only where a word says that it is a phone
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gitmem.model.lazily import Lazy
from gitmem.model.sensitive import PHONE
from gitmem.privacy.context import Told, says_other, told_phone
from gitmem.privacy.found import Found
from gitmem.privacy.runs import Run

_LENGTHS = {
    entry.partition(":")[0]: tuple(map(int, entry.partition(":")[2].split("-")))
    for entry in (
        "1:10-10 7:10-10 20:8-10 27:9-9 30:10-10 31:9-10 32:8-9 33:9-9 34:9-9 36:8-9 39:6-11 40:9-9 "
        "41:9-9 43:7-13 44:9-10 45:8-8 46:7-10 47:8-8 48:9-9 49:7-11 51:8-9 52:10-10 53:8-8 54:10-11 "
        "55:10-11 56:9-9 57:10-10 58:10-10 60:8-10 61:9-9 62:8-12 63:8-10 64:8-10 65:8-8 66:8-9 81:9-10 "
        "82:8-10 84:9-10 86:9-11 90:10-10 91:10-10 92:9-10 93:9-9 94:9-9 95:7-10 98:10-10 351:9-9 352:6-9 "
        "353:7-9 354:7-7 358:6-10 359:8-9 370:8-8 371:8-8 372:7-8 380:9-9 381:8-9 385:8-9 386:8-8 420:9-9 "
        "421:9-9 852:8-8 853:8-8 855:8-9 856:8-10 880:8-10 886:8-9 960:7-7 961:7-8 962:8-9 963:8-9 "
        "964:8-10 965:8-8 966:8-9 968:8-8 970:8-9 971:8-9 972:8-9 973:8-8 974:8-8 975:8-8 976:8-8 "
        "977:8-10 992:9-9 993:8-8 994:9-9 995:9-9 996:9-9 998:9-9 "
    ).split()
}
"""The fewest and the most digits behind the country code."""
_THREE_DIGITS = frozenset(
    "211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239 "
    "240 241 242 243 244 245 246 248 249 250 251 252 253 254 255 256 257 258 260 261 262 263 264 265 266 "
    "267 268 269 290 291 297 298 299 350 355 356 357 375 376 377 378 379 382 383 387 389 423 500 501 502 "
    "503 504 505 506 507 508 509 590 591 592 593 594 595 596 597 598 599 670 672 673 674 675 676 677 678 "
    "679 680 681 682 683 685 686 687 688 689 690 691 692 850 967 975".split()
)
"""Further country codes, whose numbers have six to twelve digits."""
_IN_LIST = Lazy(r"(?:^|[\[({,;] ?)\d{1,6}, ?\Z")
_DATE = Lazy(
    r"(?:19|20)\d\d[\-./ ]?(?:0[1-9]|1[0-2])[\-./ ]?(?:0[1-9]|[12]\d|3[01])(?!\d)|"
    r"(?:0?[1-9]|[12]\d|3[01])[\-./](?:0?[1-9]|1[0-2])[\-./](?:19|20)\d\d\b"
)
_ADDRESS = Lazy(r"\d{1,3}(?:\.\d{1,3}){3}")
_ITEMS = Lazy(
    r"\s*(?:ns|us|µs|ms|s|bytes?|times|元|万|亿|次|个|人|条|年|kb|mb|gb|usd|eur|px|rows?|"
    r"tokens?|users?|people|items?)\b"
)

_COUNTED = Lazy(r"\s*(?:bytes|times|rows|tokens|users|items|kb|mb|gb)\b")


def phones_in(runs: Sequence[Run]) -> Iterator[Found]:
    """The runs that are phone numbers."""
    for run in runs:
        each = _without_border(run)
        if 7 <= len(each.digits) <= 17 and not each.is_in_name and _is_phone(each):
            yield Found(PHONE, each.start, each.end)


def _without_border(run: Run) -> Run:
    """The run without a bracket that is opened or closed outside it."""
    start, end = run.start, run.end
    if run.written.startswith("(") and ")" not in run.written:
        start += 1
    return replace(run, start=start, end=end) if start != run.start else run


def _is_phone(run: Run) -> bool:
    if "+" in run.written:
        return run.written.count("+") == 1 and _is_international(run.written.partition("+")[2])
    if run.is_in_url and not re.search(r"(?:tel:|wa\.me/|phone=)\Z", run.before()):
        return False
    if _DATE.match(run.written) or _ADDRESS.fullmatch(run.written):
        return False
    if _has_own_form(run):
        return not says_other(run) and not _is_amount(run)
    return _is_told(run)


def _is_amount(run: Run) -> bool:
    """Whether so many of something are meant, and no word says that it is a phone."""
    return (
        len(run.groups) == 1
        and _COUNTED.match(run.after().lower()) is not None
        and told_phone(run) is Told.NO
    )


def _is_international(written: str) -> bool:
    digits = re.sub(r"\D", "", written.replace("(0)", ""))
    for size in (1, 2, 3):
        code = digits[:size]
        if size == 3 and code not in _LENGTHS and code not in _THREE_DIGITS:
            return False
        least, most = _LENGTHS.get(code, (0, 0) if size < 3 else (6, 12))
        if most:
            rest = digits[size:]
            rest = rest[1:] if rest.startswith("0") and code != "39" else rest
            return least <= len(rest) <= most and (code != "1" or _is_nanp(rest))
    return False


def _is_nanp(digits: str) -> bool:
    """Whether ten digits can be a number of the North American plan."""
    return len(digits) == 10 and digits[0] in "23456789" and digits[3] in "23456789" and digits[1:3] != "11"


def _has_own_form(run: Run) -> bool:
    """Whether form and digits tell without a word beside them."""
    digits, groups, written = run.digits, run.groups, run.written
    if _is_cn_mobile(digits, groups):
        return len(groups) > 1 or not _IN_LIST.search(run.before())
    if (
        groups in ((3, 3, 4), (1, 3, 3, 4))
        and _is_nanp(digits[-10:])
        and (len(digits) == 10 or digits[0] == "1")
    ):
        return re.search(r"\(\d{3}\)", written) is not None or run.separators in ({"-"}, {"."})
    if re.fullmatch(
        r"0(?:10|2\d|[3-9]\d{2})-\d{7,8}|\(0(?:10|2\d|[3-9]\d{2})\) ?-?(?:\d{7,8}|\d{4}[ \-]\d{4})", written
    ):
        return len(digits) in (10, 11, 12)
    if re.fullmatch(r"0\d{1,3}-\d{3,4}-\d{3,4}", written):
        return len(digits) in (9, 10, 11)
    return re.fullmatch(r"\(0?\d{1,3}\) ?9?\d{4}[ \-]\d{4}", written) is not None


def _is_cn_mobile(digits: str, groups: tuple[int, ...]) -> bool:
    if not re.fullmatch(r"(?:(?:00)?86)?1[3-9]\d{9}", digits):
        return False
    local = groups[1:] if groups[0] in (2, 4) and sum(groups[1:]) == 11 else groups
    return local in ((11,), (3, 4, 4), (3, 8)) or len(groups) == 1


def _is_told(run: Run) -> bool:
    """Whether a word says that these digits are a phone, and nothing in them speaks against it."""
    digits, groups = run.digits, run.groups
    if not 7 <= len(digits) <= 14 or not run.separators <= set(" -.()/") or len(groups) > 6:
        return False
    if any(size < 2 for size in groups[1:]) or (len(groups) > 1 and max(groups) > 9) or len(set(digits)) < 3:
        return False
    if _ITEMS.match(run.after().lower()):
        return False
    told = told_phone(run)
    is_plain = len(groups) == 1
    return told is Told.SURELY or (told is Told.PERHAPS and (not is_plain or len(digits) >= 9))
