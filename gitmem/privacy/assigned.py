"""Values beside words such as `password` or `api_key` that look like secrets.

How much disorder a value has counts only beside such a word: digests, versions and identifiers have as much
of it.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator

from gitmem.model.lazily import Lazy
from gitmem.model.sensitive import SECRET
from gitmem.privacy.found import Found
from gitmem.privacy.passwords import PASSWORDS_ABROAD

_WORD = Lazy(
    rf"(?<![a-z])(?:{'|'.join(PASSWORDS_ABROAD)})|"
    r"pass(?:word|wd|phrase|code)?|pwd|secret(?:[_ \-]?(?:access[_ \-]?)?key)?|token|key(?:[_ \-]?secret)?|"
    r"credentials?|(?<![a-z0-9])[as]k(?==)|密码|密碼|口令|密钥|密鑰|秘钥|金鑰|令牌|私钥|凭证|授权码"
)
_PASSWORDS = ("pass", "pwd", "密码", "密碼", "口令", *PASSWORDS_ABROAD)
_BEFORE_KEY = Lazy(
    r"(?i)(?:api|access|private|encryption|signing|master|licen[cs]e|account|auth|storage|service|webhook|shared|"
    r"app)[_ \-]?\Z"
)
_OPEN = Lazy(
    r"(?i)(?:public|publishable|partition|sort|range|primary|foreign|cache|idempotency|routing|shard(?:ing)?|"
    r"dedup(?:lication)?|lookup|object|row|record|message|next|page|continuation|pagination|user\.signing)"
    r"[_ \-.]?\Z"
)
"""Before `key` or `token`: one that is no secret, since it names or finds something."""
_FLAG = Lazy(r"(?<![A-Za-z0-9\-])--(?:[a-z]{1,20}-){0,3}\Z")
_CHANGED = r"改成|改为|改為|换成|設為|设为|设成|设置为|更新为|重置为"
_VALUE = Lazy(
    r"(?:[_\-](?:prod|dev|test|staging|live|main|backup|old|new|value)|\d)?(?:\]|\*\*)?[\"'`*]{0,3}"
    r"(?P<between>\s{0,2}(?:=>|:=|==?|:)\s{0,3}|\s{0,2}[是为為]\s?:?\s?|\s?(?:" + _CHANGED + r")了?\s?:?\s?|"
    r" (?:is|was|now|set to|changed to|reset to|->|→):? {1,2}| (?:for|of|to) [^:=\n]{1,40}[:=] |"
    r" value=|\((?=[\"'])|(?=[「“‘])| )"
    r"(?:[\"'`*「“‘]{1,3}(?P<quoted>[^\s\"'`「」“”‘’*]{6,300})(?=[\"'`」”’*])|"
    r"(?P<value>[^\s\"'`<>,;，。；、()\[\]{}（）「」]{6,300}))"
)
_SURE = (":", "=", "是", "为", "為", "value", "改", "换", "設", "设", "更", "重", "for", "of", "to")
_PLACEHOLDER = Lazy(
    r"(?i)^(?:[$%{<(\[&@]|\\\$)|\$\{|\{\{|\.\.\.|…|^x+$|^\*+$|^[._\-]+$|xxxx|\*\*\*|your|example|placeholder|redacted|"
    r"change[_\-]?me|dummy|^(?:pass(?:word|wd)?|pwd|secret|token|key|user(?:name)?|test|none|null|true|false|"
    r"undefined|required|optional|string|str|hidden|masked|empty|value|env|unset|disabled|enabled)$|"
    r"^(?:os|process|env|config|settings|self|import\.meta|secrets|vars|var|local|data|app|this|ctx|args)[.\[]|"
    r"getenv|environ|^(?:https?|file|vault|op|ssm|arn|secret|env|keychain|ref|gs|s3)[:.]/{0,2}|^[./~]+/?[A-Za-z]"
)
_ATTRIBUTE = Lazy(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+")
_WORDS = Lazy(
    r"(?:[A-Z]?[a-z]{1,24}|[A-Z]{1,24})(?:\d{0,2}|[A-Z][a-z]+)"
    r"(?:[_\-./:](?:(?:[A-Z]?[a-z]{1,24}|[A-Z]{1,24})\d{0,2}|(?:19|20)\d\d|v?\d))*"
)
_LETTERS = Lazy(r"[A-Za-z]+")
_UUID = Lazy(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NUMBERS = Lazy(r"v?\d+(?:[.\-/:]\d+)+(?:[\-+.][A-Za-z0-9.]+)?")
_AMOUNT = Lazy(
    r"\d[\d_,.]*(?:ms|s|m|h|d|kb?|mb?|gb?|px|em|x|days?|hours?|min(?:utes)?|sec(?:onds)?|chars?|bytes?|位|个|天)?"
)
_DIGEST = Lazy(r"(?i)(?:sha\d+|md5|blake\w+)[:\-]")
LEAST_KEY_CHARACTERS = 12
LEAST_BITS = 2.8
"""Shannon entropy per character below which a value is taken for words."""


def values_beside_key_words(text: str) -> Iterator[Found]:
    """The values that stand beside such words and look like secrets, in a plain text."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text
    for word in _WORD.finditer(lowered):
        found = _VALUE.match(text, word.end())
        if found is None:
            continue
        kind = _kind_of(word, text, found["between"])
        if kind is None:
            continue
        group = "quoted" if found["quoted"] else "value"
        value = found[group] if found["quoted"] else found[group].rstrip(".?:。？*|\\")
        between = found["between"].strip()
        is_sure = bool(found["quoted"]) or between.startswith(_SURE) or _is_flag(word, text)
        if kind(value, is_sure=is_sure):
            start = found.start(group)
            yield Found(SECRET, start, start + len(value))


def _kind_of(word: re.Match[str], text: str, between: str) -> Callable[..., bool] | None:
    """What a value beside the word has to look like; None where the word asks for no secret."""
    name = word.group()
    before = text[max(0, word.start() - 48) : word.start()]
    if name in ("key", "token") and _OPEN.search(before):
        return None
    if name == "key" and not _BEFORE_KEY.search(before):
        return _is_random if between.startswith(("=", ":")) else None
    if name in ("ak", "sk"):
        return _is_random
    if name == "pass" and before[-1:].isalpha() and before[-1:].isascii():
        return None
    if name.startswith(_PASSWORDS):
        return _is_password if between != " " or _is_flag(word, text) else _is_odd
    return _is_key if between != " " or _is_flag(word, text) else _is_random


def _is_flag(word: re.Match[str], text: str) -> bool:
    """Whether the word is an option of a command, `--password`."""
    return _FLAG.search(text, max(0, word.start() - 64), word.start()) is not None


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for one: a variable, a word that asks for it, stars."""
    return _PLACEHOLDER.search(value) is not None or len(set(value)) <= 2


def _is_password(value: str, *, is_sure: bool) -> bool:
    if len(value) < 6 or is_placeholder(value) or _is_code(value) or not value.isascii():
        return False
    if value.isdigit():
        return is_sure and len(value) <= 20
    if _AMOUNT.fullmatch(value) or _UUID.fullmatch(value):
        return False
    has_digit = re.search(r"\d", value) is not None
    has_letter = _LETTERS.search(value) is not None
    has_sign = re.search(r"[^A-Za-z0-9_.\-/:]", value) is not None
    if _WORDS.fullmatch(value) and re.search(r"[_\-./:]", value):
        return False
    return has_letter and (has_digit or (has_sign and is_sure and len(value) >= 8) or _is_mixed(value))


def _is_odd(value: str, *, is_sure: bool) -> bool:
    """Whether a word behind `password` is no word: digits amid letters, or with other signs."""
    is_word = _WORDS.fullmatch(value) or re.fullmatch(r"[A-Za-z]+[\-_]?\d+|\d+[\-_]?[A-Za-z]+", value)
    return (
        len(value) >= 8
        and not is_word
        and re.search(r"\d", value) is not None
        and _is_password(value, is_sure=is_sure)
    )


def _is_key(value: str, *, is_sure: bool) -> bool:
    least = LEAST_KEY_CHARACTERS if is_sure else 16
    if len(value) < least or is_placeholder(value) or _is_code(value) or not value.isascii():
        return False
    if _DIGEST.match(value) or _AMOUNT.fullmatch(value):
        return False
    if _UUID.fullmatch(value):
        return is_sure
    if _WORDS.fullmatch(value) and not _is_mixed(value):
        return False
    return (re.search(r"\d", value) is not None or _is_mixed(value)) and entropy_bits(value) >= LEAST_BITS


def _is_random(value: str, *, is_sure: bool) -> bool:
    """Whether a value is a key by itself: 32 hexadecimal digits, or 16 characters of three sorts."""
    if _UUID.fullmatch(value) or not _is_key(value, is_sure=is_sure):
        return False
    if re.fullmatch(r"[0-9a-f]{32}", value):
        return True
    sorts = sum(re.search(sort, value) is not None for sort in ("[a-z]", "[A-Z]", "[0-9]"))
    is_long = len(value) >= 20 and sorts >= 2 and re.search("[0-9]", value) is not None and "-" not in value
    return ((len(value) >= 16 and sorts == 3) or is_long) and entropy_bits(value) >= 3.4


def looks_random(value: str) -> bool:
    """Whether a value is a key by itself, wherever it stands."""
    return _is_random(value, is_sure=True)


def _is_code(value: str) -> bool:
    """Whether it is an attribute of something, a version or a date."""
    return _ATTRIBUTE.fullmatch(value) is not None or _NUMBERS.fullmatch(value) is not None


def _is_mixed(value: str) -> bool:
    """Whether the case of letters changes as often as in no name."""
    letters = "".join(_LETTERS.findall(value))
    changes = sum(a.islower() and b.isupper() for a, b in itertools.pairwise(letters))
    return len(value) >= 16 and changes >= 4 and changes * 8 >= len(letters) and "_" not in value.strip("_")


def entropy_bits(value: str) -> float:
    """Shannon entropy in bits per character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())
