"""What a memory claims, sentence by sentence: the words of it, the values in it, and whether it denies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache

from msgspec import Struct

from gitmem.index.analysis import plain_words, query_terms
from gitmem.index.stopwords import DROPPED
from gitmem.model.memory import Memory
from gitmem.model.statements import statements_of

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^\sa-z])|(?<=[。！？；;])\s*|\n(?=\s*[A-Z][\w ]{0,30}: )")
_TARGET = re.compile(r"(?<=\])\([^)\s]{0,1000}\)|<?\b[a-z][\w+.-]{0,30}://[^\s)>]+")
"""Where a link leads: two sources of one thing do not contradict each other."""
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|cannot|without|neither|nor|no longer|\w+n['’]t)\b|"
    r"[不没沒未无無别勿]",
    re.IGNORECASE,
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = "|".join((*_MONTHS, "may"))
_YEAR = re.compile(r"(?:19|20)\d\d")
_NUMBER_WORDS = dict(
    zip(
        "one two three four five six seven eight nine ten eleven twelve twen"
        "ty thirty forty fifty sixty hundred".split(),
        (*range(1, 13), 20, 30, 40, 50, 60, 100),
        strict=True,
    )
)
_CHINESE_DIGITS = {each: number for number, each in enumerate("零一二三四五六七八九十")} | {"两": 2}
_OPPOSITES = {
    form: (number, side)
    for number, pair in enumerate(
        (
            ("enable enables enabled", "disable disables disabled"),
            ("allow allows allowed", "forbid forbids forbidden deny denied prohibited"),
            ("like likes love loves enjoys", "dislike dislikes hate hates"),
            ("accept accepts accepted", "reject rejects rejected"),
            ("required mandatory", "optional"),
            ("true", "false"),
            ("open", "closed"),
            ("public", "private"),
            ("before", "after"),
            ("up", "down"),
        )
    )
    for side, forms in enumerate(pair)
    for form in forms.split()
}
_OPPOSITE = re.compile(rf"\b(?:{'|'.join(_OPPOSITES)})\b", re.IGNORECASE)
VALUE = re.compile(
    rf"(?P<date>\d{{4}}-\d{{2}}-\d{{2}}|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b|"
    rf"\b(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?\b)|"
    r"(?P<time>\b\d{1,2}:\d{2}\b)|(?P<version>\bv?\d+(?:\.\d+){2,}\b)|"
    r"(?P<number>(?<![A-Za-z0-9_.])[-+]?\d[\d,]*(?:\.\d+)?)(?P<unit>\s?%|k\b|m\b)?"
    rf"|\b(?P<day>{'|'.join(_DAYS)})s?\b|\b(?P<month>{'|'.join(_MONTHS)})\b|"
    rf"\b(?P<word>{'|'.join(_NUMBER_WORDS)})\b"
    r"|(?:周|星期|礼拜)(?P<zhday>[一二三四五六日天])|"
    r"(?P<zh>[零一二两三四五六七八九十]{1,3})(?=[点天个年月日号元岁次人分小块条位名台间%倍秒周页行张件层米])",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,;:)][ \n])[A-Z][\w'’-]+|\b[A-Z]\w*[A-Z]\w*\b")
_OPENING = re.compile(
    r"^\W*(?:(?:please )?(?:remember|note|keep in mind|be aware)(?: that| this)?\b[:,]?|"
    r"(?:note|fyi|important|reminder|nb|correction|update|actually|in fact)\s*[:：,]|"
    r"(?:we|they|he|she|it was) (?:have |has )?(?:decided|agreed) that\b|"
    r"(?:请)?(?:记住|注意|记得|更正|纠正|其实)[,，:：]?)\s*",
    re.IGNORECASE,
)
"""What says how to take a sentence, and nothing of what it claims."""
MOST_CLAIMS = 200
"""How many sentences of one memory are looked at."""


class Claim(Struct, frozen=True):
    """One sentence. `line` is that of the file, from 1.

    `terms` are its content words as the index has them, without what is in `values`: the numbers, dates and
    times, by kind. `opposites` has the words that have a contrary, as (pair, side).
    """

    line: int
    text: str
    terms: frozenset[str]
    values: dict[str, tuple[str, ...]]
    names: frozenset[str]
    opposites: frozenset[tuple[int, int]]
    is_negated: bool


class Reading:
    """A memory and what it claims, by the text of its file; all of it found out when it is asked for."""

    def __init__(self, memory: Memory, text: str) -> None:
        self.memory = memory
        self.text = text

    @cached_property
    def claims(self) -> list[Claim]:
        """What its text claims outside code, at most 200 sentences; the title where it has no text."""
        return list(_claims(self.memory, self.text))

    @cached_property
    def terms(self) -> frozenset[str]:
        """The content words of all claims."""
        return frozenset[str]().union(*(claim.terms for claim in self.claims))

    @cached_property
    def values(self) -> frozenset[tuple[str, str]]:
        """The numbers, dates and times in all claims."""
        return frozenset(
            (kind, value)
            for claim in self.claims
            for kind, values in claim.values.items()
            for value in values
        )

    @cached_property
    def names(self) -> frozenset[str]:
        """The names in all claims."""
        return frozenset[str]().union(*(claim.names for claim in self.claims))

    @cached_property
    def stance(self) -> tuple[int, frozenset[tuple[int, int]]]:
        """How many claims deny something, and the words with a contrary in all of them."""
        opposites = frozenset[tuple[int, int]]().union(*(claim.opposites for claim in self.claims))
        return sum(claim.is_negated for claim in self.claims), opposites


def sentences(text: str) -> list[str]:
    """The sentences of one statement, with their line ends."""
    return [each for each in _SENTENCE_END.split(text) if each.strip()]


def _claims(memory: Memory, text: str) -> Iterator[Claim]:
    count = 0
    for statement in statements_of(text):
        if statement.kind not in ("paragraph", "item", "row"):
            continue
        line = statement.first_line
        for sentence in _SENTENCE_END.split(statement.text):
            if sentence.strip():
                yield claim_of(sentence.strip(), line)
                count += 1
            line += sentence.count("\n")
            if count >= MOST_CLAIMS:
                return
    if not count:
        yield claim_of(memory.title, 1)


@lru_cache(maxsize=50_000)
def _terms(token: str) -> tuple[str, ...]:
    """The content words in one token, as the index has them; none where all are common words."""
    if all(word in DROPPED for word in plain_words(token)):
        return ()
    return tuple(query_terms(token))


def without_opening(sentence: str) -> str:
    """A sentence without `Correction:`, `Please remember that` and the like before it."""
    return _OPENING.sub("", sentence) or sentence


def claim_of(sentence: str, line: int) -> Claim:
    """What one sentence claims. `text` is all of it, the rest is without what stands before the claim."""
    whole = sentence
    sentence = _TARGET.sub(" ", without_opening(sentence))
    values: dict[str, list[str]] = {}
    for found in VALUE.finditer(sentence):
        known, value = value_of(found)
        values.setdefault(known, []).append(value)
    words = re.findall(r"\w+", sentence.casefold())
    rest = _OPPOSITE.sub(" ", _NEGATION.sub(" ", VALUE.sub(" ", sentence)))
    return Claim(
        line,
        " ".join(whole.split()),
        frozenset(term for token in rest.split() for term in _terms(token)),
        {kind: tuple(sorted(found)) for kind, found in values.items()},
        frozenset(
            name.casefold()
            for name in _NAME.findall(sentence)
            if name.casefold() not in (*_DAYS, *_MONTHS, "may")
        ),
        frozenset(_OPPOSITES[word] for word in words if word in _OPPOSITES),
        bool(_NEGATION.search(sentence)),
    )


def value_of(found: re.Match[str]) -> tuple[str, str]:
    """Kind and normal form of a match of `VALUE`: `ten` and `10` are one, and so are `周一` and `Monday`."""
    kind = found.lastgroup if found.lastgroup != "unit" else "number"
    assert kind is not None, "every alternative has a name"
    text = found[kind].casefold()
    if kind == "date" and text[:4].isdigit():
        return "date", text  # In its order: the 3rd of January is not the 1st of March.
    if kind == "date":
        return "date", " ".join(sorted(word.lstrip("0") for word in re.findall(r"\d+|[a-z]{3,}", text)))
    known = "month" if found.string[found.end() : found.end() + 1] == "月" else "number"
    if kind == "number" and _YEAR.fullmatch(text):
        return "year", text
    if kind == "number":
        return known, text.replace(",", "").lstrip("+") + (found["unit"] or "").strip().casefold()
    if kind == "word":
        return "number", str(_NUMBER_WORDS[text])
    if kind == "zhday":
        return "day", _DAYS[min("一二三四五六日天".index(text), 6)]
    if kind == "zh":
        tens, ten, ones = text.rpartition("十")
        if ten:
            return known, str(10 * _CHINESE_DIGITS.get(tens, 1) + _CHINESE_DIGITS.get(ones, 0))
        return known, "".join(str(_CHINESE_DIGITS[each]) for each in text)
    return kind, text
