"""Code in Markdown: fenced blocks and inline spans, in which nothing is meant as it is written elsewhere."""

from __future__ import annotations

import re

FENCE = re.compile(
    r"^[ ]{0,12}(`{3,}|~{3,})[^\n]*\n.*?(?:^[ ]{0,12}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
INLINE = re.compile(r"(?<!`)(`{1,3})(?!`)[^`\n]{1,1000}?(?<!`)\1(?!`)")


def without_code(text: str) -> str:
    """`text` with blanks in place of all code, so that places stay."""
    for pattern in (FENCE, INLINE):
        text = pattern.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    return text
