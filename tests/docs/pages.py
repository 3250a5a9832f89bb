"""The pages of the documentation, taken apart: fenced blocks, links, headings, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SAMPLE = DOCS / "sample"

_FENCE = re.compile(r"(`{3,})(.*)")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_SETTING = re.compile(r"<!-- runs in: (.+?) -->")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block; `line` is that of its opening fence, from 1."""

    language: str
    line: int
    text: str


def pages() -> list[Path]:
    """README, CHANGELOG and every page under docs; the sample memories are no pages."""
    found = [path for path in sorted(DOCS.rglob("*.md")) if SAMPLE not in path.parents]
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *found]


def name_of(page: Path) -> str:
    """The page as it is called in messages and test ids."""
    return page.relative_to(ROOT).as_posix()


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    fence, language, start, lines = "", "", 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        match = _FENCE.fullmatch(line.strip())
        if not fence and match:
            fence, language, start, lines = match[1], match[2].strip(), number, []
        elif fence and line.strip() == fence:
            found.append(Block(language, start, "".join(f"{each}\n" for each in lines)))
            fence = ""
        elif fence:
            lines.append(line)
    if fence:
        found.append(Block("unclosed", start, ""))
    return found


def prose(text: str) -> str:
    """The page without its fenced blocks and inline code."""
    kept, inside = [], False
    for line in text.splitlines():
        if _FENCE.fullmatch(line.strip()):
            inside = not inside
        elif not inside:
            kept.append(re.sub(r"`[^`]*`", "`code`", line))
    return "\n".join(kept)


def links(text: str) -> list[str]:
    """The targets of all links of a page."""
    return _LINK.findall(prose(text))


def anchors(text: str) -> set[str]:
    """The anchors that a host makes of the headings of a page."""
    found: set[str] = set()
    inside = False
    for line in text.splitlines():
        if _FENCE.fullmatch(line.strip()):
            inside = not inside
        elif not inside and line.startswith("#"):
            heading = line.lstrip("#").strip().casefold().replace("`", "")
            found.add(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-"))
    return found


def setting(text: str) -> str:
    """Where the commands of a page run: `empty folder`, or `sample store` where the page says so."""
    match = _SETTING.search(text)
    return match[1] if match else "empty folder"


def section(text: str, heading: str) -> str:
    """What stands under the heading, up to the next of the same or a higher level; empty without it."""
    level = len(heading) - len(heading.lstrip("#"))
    lines = text.splitlines(keepends=True)
    try:
        start = next(number for number, line in enumerate(lines) if line.strip() == heading) + 1
    except StopIteration:
        return ""
    inside = False
    for number in range(start, len(lines)):
        if _FENCE.fullmatch(lines[number].strip()):
            inside = not inside
        match = re.match(r"(#+) ", lines[number])
        if match and not inside and len(match[1]) <= level:
            return "".join(lines[start:number])
    return "".join(lines[start:])


def table_rows(text: str) -> Iterator[list[str]]:
    """The cells of each row of the tables in `text`, without headings and rules."""
    lines = [line.strip() for line in text.splitlines()]
    for number, line in enumerate(lines):
        is_heading = number + 1 < len(lines) and re.fullmatch(r"\|[-:| ]+\|", lines[number + 1])
        if line.startswith("|") and not is_heading and not re.fullmatch(r"\|[-:| ]+\|", line):
            yield [cell.strip() for cell in line.strip("|").split("|")]
