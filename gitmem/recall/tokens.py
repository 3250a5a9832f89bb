"""How many tokens a text takes for a language model: an estimate that would rather count too many.

    what                                             tokens
    a word of up to 6 Latin letters                  1; a longer one 1 for each 4
    a word with digits in it, an id                  0.75 a character
    digits                                           1 each
    a blank before a word                            0; of more blanks 1 for each 8
    line ends with the blanks around them            1, and 1 for each 8
    punctuation                                      0.6 a character, 1 at least
    Han, kana, Hangul and their punctuation          1.2 each
    other letters of two bytes (Greek, Cyrillic)     0.9 each
    other letters of three bytes (Thai, Devanagari)  1.5 each
    four bytes (emoji, rare Han)                     3 each

Measured against four vocabularies, see docs/decisions/0025-mcp-and-context.md: prose in English and Chinese,
code, JSON, logs and ids come out at 0.85 to 1.9 of what they count; never below 0.5.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import tempfile
from collections.abc import Callable
from functools import cache
from math import ceil
from pathlib import Path

Count = Callable[[str], int]
VOCABULARY = "o200k_base"
_VOCABULARY_URL = f"https://openaipublic.blob.core.windows.net/encodings/{VOCABULARY}.tiktoken"
_VOCABULARY_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
_SHORT_LETTERS = 6
_LETTERS_A_TOKEN = 4
_EACH = {"mixed": 0.75, "digits": 1.0, "marks": 0.6, "east": 1.2, "two": 0.9, "three": 1.5, "four": 3.0}


def estimate_tokens(text: str) -> int:
    """About how many tokens `text` takes; rather more than a model counts than fewer."""
    return ceil(sum(_tokens(found) for found in _runs().finditer(text)))


@cache
def _runs() -> re.Pattern[str]:
    # Four milliseconds to compile, and most commands count no tokens.
    return re.compile(
        r"(?P<mixed>[A-Za-z]*[0-9]+[A-Za-z][A-Za-z0-9]*|[A-Za-z]+[0-9][A-Za-z0-9]*)"
        r"|(?P<word>[A-Z]?[a-z]+|[A-Z]+(?![a-z]))|(?P<digits>[0-9]+)"
        r"|(?P<lines>[ \t]*[\r\n]\s*)|(?P<blanks>[ \t]+)|(?P<marks>[!-/:-@\[-`{-~]+)"
        r"|(?P<east>[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]+)"
        r"|(?P<two>[\u0080-\u07ff]+)|(?P<three>[\u0800-\uffff]+)|(?P<four>[\U00010000-\U0010ffff]+)|(?P<other>.)",
        re.DOTALL,
    )


def _tokens(found: re.Match[str]) -> float:
    kind, length = found.lastgroup or "other", found.end() - found.start()
    if kind == "word":
        return 1 if length <= _SHORT_LETTERS else length / _LETTERS_A_TOKEN
    if kind == "lines":
        return 1 + length // 8
    if kind == "blanks":
        return length // 8 if length > 1 else 0
    return max(1.0, length * _EACH.get(kind, 1.0))


def token_count() -> tuple[Count, str]:
    """How tokens are counted here, and its name: by tiktoken where it needs no network, else `estimate`."""
    count = _tiktoken()
    return (estimate_tokens, "estimate") if count is None else (count, VOCABULARY)


@cache
def _tiktoken() -> Count | None:
    """The count of tiktoken; None where it is not installed, or would have to fetch its vocabulary."""
    if importlib.util.find_spec("tiktoken") is None or not _has_vocabulary():
        return None
    try:
        import tiktoken

        encoding = tiktoken.get_encoding(VOCABULARY)
    except Exception:  # noqa: BLE001  whatever is wrong with somebody's installation: the estimate is there
        return None
    return lambda text: len(encoding.encode_ordinary(text.encode("utf-8", "replace").decode()))


def _has_vocabulary() -> bool:
    """Whether the vocabulary lies where tiktoken looks for it, whole: else it would be fetched."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder == "":
        return False
    place = Path(folder) if folder else Path(tempfile.gettempdir()) / "data-gym-cache"
    name = hashlib.sha1(_VOCABULARY_URL.encode(), usedforsecurity=False).hexdigest()
    try:
        data = (place / name).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(data).hexdigest() == _VOCABULARY_SHA256
