"""The wording of a sentence: its words in order, in which only what carries no meaning was evened out.

    evened out   case, punctuation, articles, forms of `be`, fillers, plural forms, spellings of one word
                 (`e-mail`, `email`), ways to write one value (`ten`, `10`; `Monday`, `周一`; `30 s`,
                 `30 seconds`)
    kept         every other word and its place, tense, negation, modal verbs, pronouns, signs, `?`, names in
                 capitals, and codes as they are written

Two sentences of one wording say the same. That misses most ways to say a thing twice, and that is meant: what
is taken for a repetition is not written down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from gitmem.evolve.claims import VALUE, value_of, without_opening
from gitmem.index.folding import fold
from gitmem.model.lazily import Lazy

Wording = tuple[str, ...]

_FULL = {"ca": "can not", "wo": "will not", "sh": "shall not"}
_CANNOT = re.compile(r"\b(?:can|won|shan)['’]?t\b|\bcannot\b", re.IGNORECASE)
_CONTRACTED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"n['’]t\b", re.IGNORECASE), " not"),
    (re.compile(r"['’](?:s|re|m)\b", re.IGNORECASE), " "),
    (re.compile(r"['’]ll\b", re.IGNORECASE), " will"),
    (re.compile(r"\bno longer\b|\bnot any ?more\b", re.IGNORECASE), " nolonger "),
)
_WEAK = frozenset(
    "a an the is are am be been being do does that and but however also too so really very quite actually"
    " basically simply please of".split()
)
_WEAK_CHINESE = Lazy("[的呢吧啊呀嘛请]")
_PREPOSITIONS = frozenset(
    "on in at by for from to with into onto during since until after before over under via through"
    " within".split()
)
_SAME = {
    form: group.split()[0]
    for group in (
        "email e-mail mail emails e-mails mails",
        "database db databases dbs",
        "repository repo repos repositories",
        "configuration config configs configurations",
        "documentation docs",
        "production prod",
        "keep hold retain keeps holds retains",
        "kept held retained",
        "begin start commence begins starts commences",
        "began started commenced",
        "purchase buy purchases buys",
        "happen occur happens occurs",
        "use utilize utilise uses utilizes utilises",
        "via through",
        "approximately about around roughly",
        "second sec secs s seconds",
        "minute min mins minutes",
        "hour hr hrs h hours",
        "ok okay",
    )
    for form in group.split()
}
_SAME_CHINESE = tuple(
    (Lazy(pattern), word)
    for pattern, word in (
        ("电子邮件|电邮|邮箱|邮件", "邮件"),
        ("使用|采用", "用"),
        ("位于|坐落于", "在"),
        ("必须|务必", "必须"),
        ("每天|每日", "每天"),
        ("通过|经由", "通过"),
        ("开始|启动", "开始"),
        ("购买|采购", "购买"),
    )
)
_PIECE = re.compile(
    r"\ue000(?P<value>[^\ue001]*)\ue001|(?P<code>[@#$~/.-]*[^\W_](?:[\w.]|[-_/:@+'&\\](?=\w))*)|(?P<sign>[^\w\s])"
)
_SILENT = frozenset("\"'`*_.,;:!()[]{}|“”‘’。，、；：！（）《》「」【】…-–—")
_UNSPACED = Lazy("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff]")
_PARTS = Lazy(f"{_UNSPACED.source}|(?:(?!{_UNSPACED.source})[\\w.+-])+")
MOST_MOVED = 6


@lru_cache(maxsize=4_000)
def wording(sentence: str) -> Wording:
    """The words of `sentence` as they are compared."""
    text = without_opening(sentence)
    text = _CANNOT.sub(lambda found: _FULL[found[0][:2].lower()], text)
    for pattern, full in _CONTRACTED:
        text = pattern.sub(full, text)
    if not text.isascii():
        text = text.replace("週", "周").replace("禮拜", "礼拜")
        for spellings, word in _SAME_CHINESE:
            text = spellings.sub(word, text)
    text = VALUE.sub(_marked, text)
    return tuple(_with_units(_words(text)))


def _marked(found: re.Match[str]) -> str:
    kind, value = value_of(found)
    if kind == "number" and "," in found[0] and not re.search(r"\d,\d{3}(?!\d)", found[0]):
        value = found[0].casefold()  # `1,25` is not `125`.
    return f" \ue000{kind}={value}\ue001 "


def _words(text: str) -> Iterator[str]:
    for piece in _PIECE.finditer(text):
        if piece["value"] is not None:
            yield f"={piece['value']}"
        elif piece["sign"] is not None:
            if piece["sign"] not in _SILENT:
                yield "?" if piece["sign"] == "？" else piece["sign"]
        elif not piece["code"].isascii() and _UNSPACED.search(piece["code"]):
            yield from _unspaced(piece["code"])
        else:
            yield from _word(piece["code"].rstrip("."))


def _unspaced(run: str) -> Iterator[str]:
    """Each character of a script without blanks, and the words in other scripts between."""
    for part in _PARTS.findall(run):
        if not _UNSPACED.match(part):
            yield from _word(part.rstrip(".")) if any(map(str.isalnum, part)) else ()
        elif not _WEAK_CHINESE.match(part):
            yield fold(part)


def _word(word: str) -> Iterator[str]:
    folded = fold(word)
    if folded in _SAME:
        yield _SAME[folded]
    elif len(word) > 1 and word.isupper() and word.isalpha():
        yield word  # `US` is not `us`.
    elif folded in _WEAK:
        return
    elif not word.isalpha() or not word.isascii():
        yield word if any(each.isdigit() for each in word) else folded  # A code, whose case counts.
    else:
        yield _same_tense(folded)


@lru_cache(maxsize=50_000)
def _same_tense(word: str) -> str:
    """The stem of a word; its tense stays: who deploys has not deployed."""
    # Without irregular forms: who went to Rome does not go there.
    from gitmem.index.stemming import stem

    for ending in ("ed", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return f"{stem(word)}+{ending}"
    return stem(word)


def _with_units(words: Iterable[str]) -> Iterator[str]:
    """`10 percent` as `10%` is read."""
    held: str | None = None
    for word in words:
        if held is not None:
            yield f"{held}%" if word == "percent" else held
        elif word == "percent":
            yield word
        if word.startswith("=number"):
            held = word
            continue
        if word != "percent":
            yield word
        held = None
    if held is not None:
        yield held


def is_same_wording(one: Wording, other: Wording) -> bool:
    """Whether both are one wording, or differ in the place of one phrase that begins with a preposition.

    `On the CI runners the suite takes nine minutes` and `The suite takes nine minutes on the CI runners`; `to
    Alice by Bob` and `by Bob to Alice`. Nothing else may change its place: `A before B` is not `B before A`.
    """
    if one == other:
        return True
    if len(one) != len(other) or sorted(one) != sorted(other):
        return False
    return _is_moved_to_end(one, other) or _is_moved_to_end(other, one) or _are_two_exchanged(one, other)


def _is_moved_to_end(one: Wording, other: Wording) -> bool:
    if not one or one[0] not in _PREPOSITIONS:
        return False
    return any(one[size:] + one[:size] == other for size in range(2, min(MOST_MOVED, len(one) - 1) + 1))


def _are_two_exchanged(one: Wording, other: Wording) -> bool:
    """Whether two neighbouring phrases, each with its own preposition, changed places."""
    blocks = _blocks(one)
    for at in range(1, len(blocks) - 1):
        first, second = blocks[at], blocks[at + 1]
        if first[0] == second[0] or max(len(first), len(second)) > MOST_MOVED:
            continue
        changed = [*blocks[:at], second, first, *blocks[at + 2 :]]
        if tuple(word for block in changed for word in block) == other:
            return True
    return False


def _blocks(words: Sequence[str]) -> list[list[str]]:
    """The words up to the first preposition, then a block for each."""
    blocks: list[list[str]] = [[]]
    for word in words:
        if word in _PREPOSITIONS:
            blocks.append([])
        blocks[-1].append(word)
    return blocks
