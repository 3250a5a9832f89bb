"""What a sentence says of a thing that has one value at a time: subject, relation and value.

    Alice's favourite colour is green       alice's favourite colour | is    | green
    Bob lives in Berlin                     bob                      | lives | berlin
    李雷住在北京                              李雷                      | 住在   | 北京

Only relations that a thing has once: who lives in Berlin does not live in Rome, but who likes tea may like
coffee too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from gitmem.evolve.claims import Claim, without_opening
from gitmem.evolve.wording import Wording, wording
from gitmem.model.lazily import Lazy, holds_any

_ATTRIBUTES = (
    r"(?:favou?rite|preferred|default|current|primary|main|latest|home|full|last|maiden) [\w' -]{2,40}?|name|"
    r"nickname|birthday|e-?mail(?: address)?|phone(?: number)?|address|time ?zone|job(?: title)?|title|role|"
    r"employer|manager|boss|team lead|lead|leader|owner|maintainer|deadline|due date|version|port|"
    r"password hint|branch|region|capital|price|budget|status|size|colou?r|licen[cs]e|host|url|location"
)
_ENGLISH = (
    Lazy(
        rf"^(?P<subject>(?:the |our )?\b(?:{_ATTRIBUTES}) (?:of|for) [^.;:?]{{1,60}}?)\s+"
        r"(?P<relation>is|are|=)\s+(?:now\s+)?(?P<value>[^.;:?]{1,80})[.!]?$",
        re.IGNORECASE,
    ),
    Lazy(
        rf"^(?P<subject>[^.;:?]{{1,80}}?(?:['’]s?|\bof [^.;:?]{{1,60}}?|"
        rf"\b(?:the|my|our|his|her|their)\b[^.;:?]{{0,60}}?)? ?"
        rf"\b(?:{_ATTRIBUTES}))\s+(?P<relation>is|are|=)\s+(?:now\s+)?(?P<value>[^.;:?]{{1,80}})[.!]?$",
        re.IGNORECASE,
    ),
    Lazy(
        r"^(?P<subject>[^.;:?]{1,80}?)\s+(?:now\s+)?(?P<relation>lives in|works (?:at|for)|is based in|"
        r"is located in|is led by|is owned by|is managed by|is maintained by|reports to|was born (?:in|on)|"
        r"is married to|is hosted (?:on|at|in|by)|is due (?:on|by)?|(?:listens|runs) on port)\s+"
        r"(?P<value>[^.;:?]{1,80})[.!]?$",
        re.IGNORECASE,
    ),
)
_OF_ATTRIBUTES = (" is ", " are ", " = ")
_SIGNS = (
    _OF_ATTRIBUTES,
    _OF_ATTRIBUTES,
    (" is ", " lives in ", " works ", " reports to ", " was born ", " listens on ", " runs on "),
)
"""One of these stands in every text in ASCII that the pattern at its place matches."""
_CHINESE = (
    Lazy(
        r"^(?P<subject>[^，。；：？]{1,40}?)(?:现在|目前)?(?P<relation>住在|就职于|任职于|出生于|坐落于|位于|隶属于|监听)"
        r"(?P<value>[^，。；：？]{1,40})[。！]?$"
    ),
    Lazy(
        r"^(?P<subject>[^，。；：？]{0,40}?(?:负责人|名字|生日|邮箱|电话|地址|时区|职位|上级|经理|截止日期|版本|端口|默认分支|区域|预算|"
        r"状态|颜色|许可证|最喜欢的[^，。；：？是]{1,8}|首选[^，。；：？是]{1,8}|默认[^，。；：？是]{1,8}))(?:现在|目前)?(?P<relation>是|为|改为|改成)"
        r"(?P<value>[^，。；：？]{1,40})[。！]?$"
    ),
)
_ASIDE = Lazy(
    r",?\s+\b(?:since|because|instead of|rather than)\b.*$|,\s+(?:(?:and|but)\s+)?not\b.*$", re.IGNORECASE
)
"""What a sentence says of a value besides: why it is this one, and which it is not."""
_MANY = Lazy(r"\b(?:and|or|one of|among|such as|both|either)\b|,|、|和|或|以及|之一", re.IGNORECASE)
_SAME_RELATION = {"works for": "works at", "are": "is", "=": "is", "runs on port": "listens on port"}
_VAGUE = frozenset("not unknown open unclear undecid here there =number=1".split())


class Statement(Struct, frozen=True):
    """A thing, a relation that it has once, and the value that a sentence gives it."""

    subject: Wording
    relation: str
    value: Wording


@lru_cache(maxsize=4_000)
def statement_of(sentence: str) -> Statement | None:
    """What the sentence states; None where it is not such a statement, or gives several values."""
    text = " ".join(without_opening(sentence).split())
    for pattern in _patterns_for(text):
        found = pattern.match(text)
        if found is None:
            continue
        said = _ASIDE.sub("", found["value"])
        value = wording(said)
        subject = wording(found["subject"])
        if not value or not subject or _MANY.search(said) or _VAGUE.intersection(value):
            return None
        relation = found["relation"].casefold()
        return Statement(subject, _SAME_RELATION.get(relation, relation), value)
    return None


def _patterns_for(text: str) -> Iterable[Lazy]:
    """Those that may match; compiled is a pattern only where a sign of it stands in a text."""
    if not text.isascii():
        return (*_ENGLISH, *_CHINESE)
    even = text.lower()
    return [pattern for pattern, signs in zip(_ENGLISH, _SIGNS, strict=True) if holds_any(even, signs)]


def values_of_one_thing(claim: Claim, other: Claim) -> tuple[str, str] | None:
    """The two values that the sentences give one thing; None where they agree or speak of different things.

    A value that holds the other one (`Berlin`, `Berlin in Germany`) agrees with it.
    """
    mine, theirs = statement_of(claim.text), statement_of(other.text)
    if mine is None or theirs is None:
        return None
    if (mine.subject, mine.relation) != (theirs.subject, theirs.relation):
        return None
    if set(mine.value) <= set(theirs.value) or set(theirs.value) <= set(mine.value):
        return None
    return " ".join(map(_shown, mine.value)), " ".join(map(_shown, theirs.value))


def _shown(word: str) -> str:
    return word.rpartition("=")[2].partition("+")[0]
