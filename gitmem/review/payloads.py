"""Text in a disguise: encoded, reversed, spelled with digits, or taken apart, and what it says."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from msgspec import Struct

from gitmem.review.plain import Plain

_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{16,}[ \t]*\r?\n?[ \t>]*)+[A-Za-z0-9+/_-]*={0,2}"
)
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:(?:0x)?[0-9a-fA-F]{2}[\s:,]?){12,}(?![0-9A-Za-z])")
_ESCAPES = re.compile(
    r"(?:\\x[0-9a-fA-F]{2}|\\u\{?[0-9a-fA-F]{4,5}\}?|\\[0-7]{3}){4,}|"
    r"(?:[^\s\\]{0,20}\\u00[0-9a-fA-F]{2}[^\n\\]{0,20}){3,}"
)
_PERCENT = re.compile(r"[^\s\"'<>]*(?:%[0-9a-fA-F]{2}[^\s\"'<>%]{0,40}){3,}")
_ENTITIES = re.compile(r"(?:&(?:#\d{2,6}|#x[0-9a-fA-F]{2,5}|[a-zA-Z]{2,8});[^&\n]{0,12}){4,}")
_BITS = re.compile(r"(?<![01])(?:[01]{8}\s?){12,}(?![01])")
_LEAST_BYTES = 12
_MOST_CHARACTERS = 100_000
_MOST_PAYLOADS = 200
_DEEPEST = 2


class Payload(Struct, frozen=True):
    """What stands from `start` to `end`, and what it says once it is undone, in the words of `how`."""

    start: int
    end: int
    said: str
    how: str


def payloads(text: str, *, depth: int = 0) -> Iterator[Payload]:
    """The parts of `text` that are an encoding of readable text; at most 200 of them, two deep."""
    count = 0
    for found, said, how in _decoded(text):
        if not _is_readable(said):
            continue
        yield Payload(found.start(), found.end(), said, how)
        count += 1
        if count >= _MOST_PAYLOADS:
            return
        if depth < _DEEPEST:
            for inner in payloads(said, depth=depth + 1):
                yield Payload(found.start(), found.end(), inner.said, f"{inner.how} in {how}")


def _decoded(text: str) -> Iterator[tuple[re.Match[str], str, str]]:
    for found in _BASE64.finditer(text):
        for said in _from_base64(found.group()):
            yield found, said, "base64"
    for found in _HEX.finditer(text):
        digits = re.sub(r"0x|[^0-9a-fA-F]", "", found.group())
        yield found, bytes.fromhex(digits[: len(digits) // 2 * 2]).decode("utf-8", "replace"), "hexadecimal"
    if "\\" in text:
        for found in _ESCAPES.finditer(text):
            yield found, _from_escapes(found.group()), "escapes"
    if "%" in text:
        for found in _PERCENT.finditer(text):
            yield found, unquote(found.group(), errors="replace"), "percent signs"
    if "&" in text:
        for found in _ENTITIES.finditer(text):
            yield found, html.unescape(found.group()), "HTML entities"
    for found in _BITS.finditer(text):
        bits = re.sub(r"\s", "", found.group())
        yield (
            found,
            bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)).decode("utf-8", "replace"),
            "bits",
        )


def _from_base64(token: str) -> Iterator[str]:
    letters = re.sub(r"[\s>=]", "", token).replace("-", "+").replace("_", "/")[:_MOST_CHARACTERS]
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    try:
        data = base64.b64decode(letters + "=" * (-len(letters) % 4))
    except (ValueError, binascii.Error):
        return
    yield data.decode("utf-8", "replace")
    if data[1:2] == b"\0":
        yield data.decode("utf-16-le", "replace")


def _from_escapes(text: str) -> str:
    def undone(found: re.Match[str]) -> str:
        digits = found.group(1) or found.group(2)
        return chr(int(digits, 16)) if digits else chr(int(found.group(3), 8))

    return re.sub(r"\\x([0-9a-fA-F]{2})|\\u\{?([0-9a-fA-F]{4,5})\}?|\\([0-7]{3})", undone, text)


def _is_readable(text: str) -> bool:
    if len(text.encode("utf-8", "replace")) < _LEAST_BYTES:
        return False
    start = text[:400]
    return sum(each.isprintable() or each in "\n\t\r" for each in start) - 2 * start.count(
        "\ufffd"
    ) > 0.9 * len(start)


def turned(text: str) -> Iterator[tuple[str, str]]:
    """Folded text read in another way, where it holds a word for instructions then: (text, how)."""
    if "vafgehpgvba" in text or "cebzcg" in text or "vtaber" in text or "rot13" in text or "rot-13" in text:
        yield codecs.encode(text, "rot13"), "rotated by 13 letters"
    if "snoitcurtsni" in text or "tpmorp" in text or "erongi" in text:
        yield text[::-1], "written backwards"


_DIGITS = str.maketrans("01345789@$!|€", "oieastbgasiie")
_LEET = re.compile(r"[a-z][01345789@$!|€]|[01345789@$!|€][a-z]")
_CLAUSES = re.compile(r"[^\n]+?(?:[.!?;:](?=\s{1,2}\w{2})|\n|\Z)")
_UPRIGHT = re.compile(r"(?:^[^\S\n]*[a-z][^\S\n]*\n+){5,}[^\S\n]*[a-z]?", re.MULTILINE)
_NOT_LETTERS = re.compile(r"[^a-z]+")
_L = "[il]"
_ALL = rf"(?:a{_L}{{2}}|any|every|the|of|your|my|these|those|this|and|or|other|a{_L}{{2}}of)"
_SQUEEZED = re.compile(
    rf"(?:[il]gnore|d[il]sregard|forget|overr[il]de|bypass){_ALL}*(?:prev[il]ous|pr[il]or|"
    rf"ear{_L}[il]er|above|preced[il]ng|system|safety|your|or[il]g[il]na{_L}|"
    rf"a{_L}{{2}}){_ALL}*(?:system|prev[il]ous|safety)?(?:[il]nstruct[il]ons?|prompts?|"
    rf"gu[il]de{_L}[il]nes?|d[il]rect[il]ves?|ru{_L}es|commands?)|doanyth[il]ngnow|youarenow(?:dan|"
    rf"unrestr[il]cted|jai{_L}broken|[il]ndeve{_L}opermode)|(?:revea{_L}|pr[il]nt|output|"
    rf"show)(?:me)?yoursystemprompt|(?:donot|dont|never)(?:te{_L}{{2}}|[il]nform|not[il]fy)theuser|"
    rf"(?:enab{_L}e|enter|act[il]vate)(?:jai{_L}break|god|dan)mode"
)
_MOST_APART = 8.0
"""A match is taken apart at most so far that it takes this many times its letters."""
_BETWEEN_CHINESE = re.compile(r"(?<=[\u4e00-\u9fff])[\s.·・*_\-|/,、~^+]{1,3}(?=[\u4e00-\u9fff])")


def taken_apart(plain: Plain) -> Iterator[Payload]:
    """Orders whose letters stand apart, or are digits that look like them; places are in folded text."""
    text = plain.text
    for clause in _CLAUSES.finditer(text):
        yield from _squeezed(clause.group(), clause.start())
    for column in _UPRIGHT.finditer(text):
        yield from _squeezed(column.group(), column.start())


def _squeezed(text: str, offset: int) -> Iterator[Payload]:
    variants = [text, text.translate(_DIGITS)] if _LEET.search(text) else [text]
    for variant in variants:
        letters = _NOT_LETTERS.sub("", variant)
        found = _SQUEEZED.search(letters)
        if found is None:
            continue
        places = [place for place, each in enumerate(variant) if "a" <= each <= "z"]
        start, end = places[found.start()], places[found.end() - 1] + 1
        if end - start <= _MOST_APART * len(found.group()):
            yield Payload(offset + start, offset + end, found.group(), "letters taken apart or replaced")
            return


def closed_up(text: str) -> str | None:
    """Chinese text without what was put between its characters; None where that changes little."""
    closed, count = _BETWEEN_CHINESE.subn("", text)
    return closed if count >= 4 else None
