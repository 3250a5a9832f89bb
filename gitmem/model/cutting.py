"""Where a text may be cut: never inside a character, and where asked for, inside no word and no code fence.

A character is what a reader takes for one: a letter with its marks, an emoji with all its parts, a flag.
"""

from __future__ import annotations

import re
import unicodedata

_JOINER = "\u200d"
_FENCE = re.compile(r"^[ \t>*+-]*(`{3,}|~{3,})(.*)$")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u303f\u3040-\u30ff\u31f0-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff00-\uff65\U00020000-\U0003ffff]"
)
"""Scripts without blanks between words, and their punctuation: any character may end a line."""
_SENTENCE_END = re.compile(r"[.!?…]['\")\]*_]*(?=\s)|[。！？；]['\")\]”’」』）]*|\n")
_POINT = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])")
"""A line that is a list point without its text."""
LEAST_SHARE = 0.6
"""A cut goes back to the end of a sentence where that keeps so much of the text."""


def is_between_characters(text: str, at: int) -> bool:
    """Whether no character stands on both sides of `at`."""
    if not 0 < at < len(text):
        return True
    before, behind = text[at - 1], text[at]
    if before == "\r" and behind == "\n":
        return False
    if behind.isascii():
        return before != _JOINER
    if unicodedata.category(behind)[0] == "M" or behind == _JOINER or before == _JOINER:
        return False
    if _is_tone(behind) or _is_tag(behind) or _joins(before, behind):
        return False
    return not (_is_flag_half(behind) and _flag_halves_before(text, at) % 2)


def character_end(text: str, at: int) -> int:
    """The last place at or before `at` that is between two characters."""
    at = min(at, len(text))
    while not is_between_characters(text, at):
        at -= 1
    return at


def is_between_words(text: str, at: int) -> bool:
    """Whether neither a character nor a word stands on both sides of `at`.

    A word is what stands between blanks; in scripts without blanks, a character.
    """
    if not is_between_characters(text, at):
        return False
    if not 0 < at < len(text):
        return True
    before, behind = text[at - 1], text[at]
    is_unspaced = _UNSPACED.match(before) is not None and _UNSPACED.match(behind) is not None
    return before.isspace() or behind.isspace() or is_unspaced


def word_end(text: str, at: int) -> int:
    """The last place at or before `at` that is between two words; 0 where the first word is longer."""
    at = min(at, len(text))
    while not is_between_words(text, at):
        at -= 1
    return at


def open_fence(text: str) -> tuple[int, str] | None:
    """Where the code fence begins that is open at the end of `text`, and its mark; None where none is."""
    begin, fence = 0, ""
    place = 0
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if found is not None:
            mark, rest = found.groups()
            if not fence:
                begin, fence = place, mark
            elif mark[0] == fence[0] and len(mark) >= len(fence) and not rest.strip():
                fence = ""
        place += len(line) + 1
    return (begin, fence) if fence else None


def closed(text: str) -> str:
    """`text`, with a last line that closes the code fence that is open at its end, where one is."""
    found = open_fence(text)
    return text if found is None else f"{text.rstrip()}\n{found[1]}"


def passage(text: str, most: int) -> str:
    """The beginning of `text`, at most `most` characters, that ends where a sentence or at least a word does.

    No code fence stays open in it, unless it is open in the whole text. Empty where nothing fits.
    """
    if len(text) <= most:
        return text
    at = word_end(text, max(most, 0))
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, at) if found.end() >= LEAST_SHARE * at]
    if ends and is_between_words(text, ends[-1]):
        at = ends[-1]
    fence = open_fence(text[:at])
    kept = text[: at if fence is None else fence[0]].rstrip()
    last = kept.rpartition("\n")[2]
    return kept.removesuffix(last).rstrip() if _POINT.fullmatch(last) else kept


def _is_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_tag(character: str) -> bool:
    return "\U000e0020" <= character <= "\U000e007f"


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_halves_before(text: str, at: int) -> int:
    count = 0
    while at > count and _is_flag_half(text[at - count - 1]):
        count += 1
    return count


def _joins(before: str, behind: str) -> bool:
    """Whether `behind` is written into the letter before it: parts of Hangul, half-width marks."""
    if behind in "\uff9e\uff9f":
        return True
    is_vowel_or_end = "\u1160" <= behind <= "\u11ff" or "\ud7b0" <= behind <= "\ud7ff"
    if is_vowel_or_end:
        return True
    is_beginning = "\u1100" <= before <= "\u115f"
    return is_beginning and ("\u1100" <= behind <= "\u115f" or "\uac00" <= behind <= "\ud7a3")
