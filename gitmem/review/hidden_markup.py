"""Text in markup that a reader does not see: comments, attributes, elements that are not shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

HIDDEN_MARKUP = "injection-hidden-markup"

COMMENT = "in a comment"
ATTRIBUTE = "in an attribute"
UNSEEN = "in markup that is not shown"

_COMMENT = re.compile(
    r"^\[[^\]\n]{1,20}\]:[ \t]*(?:#|<>)[ \t]*[(\"'](.{1,2000}?)[)\"'][ \t]*$|"
    r"%%([^%]{1,2000})%%",
    re.DOTALL | re.MULTILINE,
)
"""Comments of Markdown: a definition that nothing refers to, and the one of Obsidian."""
_ZERO = r"\s*:\s*0(?![.\d]*[1-9])"
_STYLES = (
    r"display\s*:\s*none",
    r"visibility\s*:\s*(?:hidden|collapse)",
    rf"font-size{_ZERO}",
    r"font-size\s*:\s*(?:0?\.\d|[0-3](?:\.\d+)?(?:px|pt|%))",
    rf"opacity{_ZERO}",
    r"opacity\s*:\s*0?\.0",
    r"(?<!-)color\s*[:=]\s*[\"']?(?:white|transparent|#f[c-f]f[c-f]f[c-f]|#fff\b|"
    r"rgba?\(\s*255\s*,\s*255\s*,\s*255)",
    r"rgba\([^)]{1,40},\s*0(?:\.0\d*)?\s*\)",
    r"(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}",
    r"(?:height|width)\s*[:=]\s*[\"']?0(?:px)?\s*[;\"'>]",
    r"clip(?:-path)?\s*:\s*(?:rect\(0|inset\((?:50|100)%)",
    r"transform\s*:\s*scale\(0",
    r"z-index\s*:\s*-\d",
    r"\shidden(?=[\s>=/])",
    r"aria-hidden\s*=\s*[\"']?true",
    r"class\s*=\s*[\"'][^\"']{0,80}\b(?:sr-only|visually-?hidden|screen-reader\w*|hidden|d-none|invisible)\b",
)
_UNSEEN_STYLE = rf"(?:{'|'.join(_STYLES)})"
_INSIDE = r"((?:(?!```).){1,4000}?)"
_UNSEEN = re.compile(
    rf"<([a-zA-Z][\w-]{{0,20}})\b[^<>]{{0,300}}?{_UNSEEN_STYLE}[^<>]{{0,300}}?>{_INSIDE}(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_NEVER_SHOWN = re.compile(
    rf"<(template|noscript|noframes|metadata|desc)\b[^<>]{{0,300}}>{_INSIDE}(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"<[a-zA-Z][^<>\n]{0,300}?\s(?:alt|title|value|content|summary|placeholder|aria-[a-z]{2,20}|"
    r"data-[a-z-]{1,30})\s*=\s*"
    r"(?:\"([^\"\n]{8,2000})\"|'([^'\n]{8,2000})')"
)
_TITLE = re.compile(
    r"!\[([^\]\n]{8,1000})\]\(|\]\([^)\s]{1,500}\s+\"([^\"\n]{8,1000})\"\)|"
    r"^\[[^\]\n]{1,40}\]:\s*\S{1,300}\s+\"([^\"\n]{8,1000})\"",
    re.MULTILINE,
)
"""The description of a picture, and what shows when a pointer rests on a link."""
_LATEX = re.compile(r"\\(?:color|textcolor)\{white\}\s*\{?([^}$\n]{1,1000})|\\h?phantom\{([^}\n]{1,1000})\}")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_CHINESE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_FEW_WORDS = 4
_FEW_CHINESE = 6


class Region(Struct, frozen=True):
    """A part of a text that is not shown, from `start` to `end`; `where` says why it is not."""

    start: int
    end: int
    where: str


def hidden_regions(text: str) -> Iterator[Region]:
    """What is in comments, in attributes, or in elements that are not shown."""
    if "<" in text:
        for pattern in (_UNSEEN, _NEVER_SHOWN):
            for found in pattern.finditer(text):
                yield Region(*found.span(2), UNSEEN)
        yield from _groups(_ATTRIBUTE, text, ATTRIBUTE)
        yield from _html_comments(text)
    if "]:" in text or "%%" in text:
        yield from _groups(_COMMENT, text, COMMENT)
    if "](" in text or "]:" in text:
        yield from _groups(_TITLE, text, ATTRIBUTE)
    if "\\" in text:
        yield from _groups(_LATEX, text, UNSEEN)


def is_prose(text: str) -> bool:
    """Whether `text` says something, and is no name or number."""
    bare = re.sub(r"<[^<>]*>", " ", text)
    return len(_WORDS.findall(bare)) >= _FEW_WORDS or len(_CHINESE.findall(bare)) >= _FEW_CHINESE


def _groups(pattern: re.Pattern[str], text: str, where: str) -> Iterator[Region]:
    for found in pattern.finditer(text):
        if found.lastindex is not None:
            yield Region(*found.span(found.lastindex), where)


def _html_comments(text: str) -> Iterator[Region]:
    """The insides of HTML comments; one that is never closed goes to the end, as browsers read it."""
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        yield Region(start + 4, len(text) if end < 0 else end, COMMENT)
        start = -1 if end < 0 else text.find("<!--", end)
