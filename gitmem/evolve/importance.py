"""How much a memory matters that does not say so: by rules that can be read, and that give their reason.

    given          the caller said it: that counts, whatever the rules say
    own rules      of the config of the store, in their order
    asked          the text says that somebody asked for it to be remembered
    correction     the text corrects what was believed
    decision       the text says what was decided
    outcome        the text says how a task went: done, failed, why
    lesson         a reflective memory
    conversation   an episode that none of these fits
    (none)         all else: the default

Phrases are found as whole words in scripts with blanks, anywhere in others; case makes no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from gitmem.model.lazily import Lazy
from gitmem.model.memory import DEFAULT_IMPORTANCE, MemoryType
from gitmem.versions.judging_settings import ImportanceSettings

ASKED = (
    "remember this",
    "please remember",
    "to remember that",
    "remember that",
    "don't forget",
    "do not forget",
    "never forget",
    "keep in mind",
    "make a note",
    "note this down",
    "write this down",
    "asked me to remember",
    "asked us to remember",
    "wants this remembered",
    "from now on",
    "记住",
    "记下来",
    "记一下",
    "请记得",
    "别忘",
    "不要忘记",
    "牢记",
    "以后都",
    "从现在起",
    "从今以后",
)
CORRECTIONS = (
    "correction",
    "corrected me",
    "corrected us",
    "was wrong",
    "were wrong",
    "is wrong",
    "is not true any more",
    "no longer",
    "not any more",
    "instead of",
    "rather than",
    "turned out to be",
    "更正",
    "纠正",
    "说错",
    "搞错",
    "其实是",
    "应该是",
    "不再",
    "改为",
    "改成",
    "而不是",
)
DECISIONS = (
    "decided",
    "decision",
    "we agreed",
    "agreed to",
    "agreed on",
    "we chose",
    "was chosen",
    "settled on",
    "signed off",
    "approved",
    "ruled out",
    "决定",
    "敲定",
    "商定",
    "选定",
    "拍板",
    "一致同意",
    "已批准",
)
OUTCOMES = (
    "root cause",
    "fixed by",
    "was fixed",
    "is fixed",
    "solved by",
    "resolved by",
    "failed because",
    "failed with",
    "broke because",
    "works now",
    "is done",
    "was completed",
    "was released",
    "was deployed",
    "was rolled back",
    "gave up",
    "outage",
    "incident",
    "postmortem",
    "根因",
    "根本原因",
    "已修复",
    "修复了",
    "已解决",
    "解决了",
    "失败了",
    "失败原因",
    "已完成",
    "完成了",
    "已上线",
    "已发布",
    "回滚",
    "故障",
)
_UNSPACED = Lazy("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff]")

_ASCII_BY_CASE = Lazy("[\u0130\u0131\u017f\u212a]")
"""Letters beyond ASCII that are `i`, `s` and `k` where case makes no difference."""


class Weight(Struct, frozen=True):
    """How much a memory matters, 0 to 1, the rule that said so, and the words that it found, if any."""

    importance: float
    rule: str
    found: str = ""

    @property
    def reason(self) -> str:
        """The rule in words: `decision: "decided"`."""
        return f'{self.rule}: "{self.found}"' if self.found else self.rule


DEFAULT = Weight(DEFAULT_IMPORTANCE, "default")


def weigh(
    text: str, memory_type: MemoryType, settings: ImportanceSettings, *, given: float | None = None
) -> Weight:
    """How much a memory of this text matters; title and text are one text here."""
    if given is not None:
        return Weight(given, "given")
    for rule in settings.rules:
        if found := find_phrase(text, rule.phrases):
            return Weight(rule.importance, rule.name, found)
    for name, phrases, importance in (
        ("asked", ASKED, settings.asked),
        ("correction", CORRECTIONS, settings.task),
        ("decision", DECISIONS, settings.task),
        ("outcome", OUTCOMES, settings.task),
    ):
        if found := find_phrase(text, phrases):
            return Weight(importance, name, found)
    if memory_type is MemoryType.REFLECTIVE:
        return Weight(settings.task, "lesson")
    if memory_type is MemoryType.EPISODIC:
        return Weight(settings.conversation, "conversation")
    return DEFAULT


def find_phrase(text: str, phrases: Iterable[str]) -> str | None:
    """The first of `phrases` that stands in `text`, as it stands there; None where none does."""
    sought = tuple(phrases)
    plain = _parts(sought)
    text = text.replace("’", "'")
    # The pattern tries each phrase at each letter; that none is a part of the text is seen at once.
    if plain is not None and (text.isascii() or not _ASCII_BY_CASE.search(text)):
        even = " ".join(text.lower().split())
        for phrase in plain:  # a generator takes twice as long
            if phrase in even:
                break
        else:
            return None
    found = _pattern(sought).search(text)
    return found[0] if found else None


@lru_cache(maxsize=256)
def _parts(phrases: tuple[str, ...]) -> tuple[str, ...] | None:
    """The phrases in lower case, one of which a text must hold as a part that holds one of them.

    None where a letter beyond ASCII has case, since then more than two letters may be one.
    """
    if any(each.lower() != each.upper() for phrase in phrases for each in phrase if not each.isascii()):
        return None
    return tuple(" ".join(phrase.lower().split()) for phrase in phrases)


@lru_cache(maxsize=256)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_of_phrase, phrases)) or r"(?!)", re.IGNORECASE)


def _of_phrase(phrase: str) -> str:
    """A blank stands for any white space; a word in a script with blanks stands alone."""
    body = r"\s+".join(map(re.escape, phrase.split()))
    before = r"(?<!\w)" if re.match(r"\w", phrase) and not _UNSPACED.match(phrase) else ""
    after = r"(?!\w)" if re.search(r"\w$", phrase) and not _UNSPACED.search(phrase[-1]) else ""
    return before + body + after
