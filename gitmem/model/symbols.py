"""Where a symbol is defined in a text of any common language, without a parser.

A line defines a name by one of these, tried in this order; the first kind that finds any counts, and all
lines of that kind do (overloads, a class that is opened twice):

    heading     Markdown: `## name`
    keyword     `def name`, `pub async fn name`, `func (s *Server) name(`, `create table name`, `impl name`
    call shape  `int name(…)`, `name(…) {`: what stands before it is a type, not a statement
    value       `name = …`, `name: …`, `"name": …`, `[name]`

`Outer.inner` is looked for in the definitions of `Outer`, and as `Outer::inner`, `Outer.inner` and
`func (x *Outer) inner` anywhere. Decorators above belong to a definition, comments do not.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence

from gitmem.model.extents import end_of

MOST_TEXT_BYTES = 1024 * 1024
"""A larger text is not looked through; the whole file counts instead."""
MOST_LINE_CHARACTERS = 1000
_MODIFIERS = (
    r"(?:(?:export|default|declare|pub(?:\([^)]*\))?|public|private|protected|internal|static|final|abstract"
    r"|async|override|virtual|inline|unsafe|open|sealed|data|suspend|constexpr|readonly|partial|local|global"
    r'|extern(?:\s+"[^"]*")?|operator|infix|lazy|implicit|inner|companion|case|mutating|friend|const)\s+)*'
)
_KEYWORDS = (
    r"(?:def|defp|defmacro|defmodule|defprotocol|class|function\*?|func|fn|fun|struct|enum|trait|interface"
    r"|protocol|extension|module|mod|namespace|package|object|record|union|type|typealias|typedef|actor"
    r"|contract|sub|proc|procedure|macro_rules!|macro|let|const|var|val|static|mut|resource|variable"
    r"|message|service|rpc|component|enum\s+class|let\s+mut|#\s*define)"
)
_SQL = (
    r"create\s+(?:or\s+replace\s+)?(?:\w+\s+)?(?:table|view|function|procedure|index|trigger|type|schema)\s+"
    r"(?:if\s+not\s+exists\s+)?[\"`\[]?(?:\w+\.)?"
)
_NO_TYPES = frozenset(
    "return await yield throw new delete else do case goto assert not in and or if while for switch raise"
    " echo print import from using include go defer typeof sizeof".split()
)
_DECORATOR = re.compile(r"\s*(?:@\w|#\[)")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*)")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")

Span = tuple[int, int]


def definition_of(text: str, symbol: str, path: str) -> str | None:
    """The lines that define `symbol`, without the indentation they share; None where none are found.

    `path` tells the language. Two texts that differ elsewhere, or only in blanks at line ends, have
    equal definitions.
    """
    lines = text.splitlines()
    kind = path.rpartition("/")[2].rpartition(".")[2].casefold()
    if kind in ("md", "markdown"):
        spans = _headings(lines, symbol)
    else:
        spans = _nested(lines, re.split(r"::|[.#]", symbol), kind)
    if not spans:
        return None
    parts = ["\n".join(line.rstrip() for line in lines[start:end]) for start, end in spans]
    # A comma behind a value belongs to what follows it.
    return "\n\n".join(textwrap.dedent(part).strip("\n").removesuffix(",") for part in parts)


def _headings(lines: Sequence[str], symbol: str) -> list[Span]:
    """The sections of that heading: up to the next one of its level or above."""
    found: list[Span] = []
    opened: tuple[int, int] | None = None
    wanted = symbol.strip().casefold()
    in_code = False
    for position, line in enumerate(lines):
        in_code ^= _FENCE.match(line) is not None
        match = None if in_code else _HEADING.fullmatch(line[:MOST_LINE_CHARACTERS])
        if match is None:
            continue
        level = len(match[1])
        if opened is not None and level <= opened[1]:
            found.append((opened[0], position))
            opened = None
        if opened is None and match[2].strip().rstrip("#").strip().casefold() == wanted:
            opened = (position, level)
    return [*found, *([(opened[0], len(lines))] if opened else [])]


def _nested(lines: Sequence[str], names: Sequence[str], kind: str) -> list[Span]:
    """The definitions of the last name inside those of the names before it."""
    if not all(names):
        return []
    spans: list[Span] = [(0, len(lines))]
    for depth, name in enumerate(names):
        inner = [span for outer in spans for span in _in_span(lines, outer, name, kind, is_top=depth == 0)]
        spans = list(dict.fromkeys(inner))
    if len(names) > 1:
        qualified = _qualified(names[-2], names[-1])
        spans = list(dict.fromkeys([*spans, *_matching(lines, (0, len(lines)), qualified, names[-1], kind)]))
    return sorted(spans)


def _in_span(lines: Sequence[str], span: Span, name: str, kind: str, *, is_top: bool) -> list[Span]:
    inside = span if is_top else (span[0] + 1, span[1])
    for is_definition in _tests(name):
        found = _matching(lines, inside, is_definition, name, kind)
        if found:
            return found
    return []


def _matching(
    lines: Sequence[str], span: Span, is_definition: Callable[[str], bool], name: str, kind: str
) -> list[Span]:
    """The extents of the lines in `span` that pass; what lies inside another is part of it."""
    found: list[Span] = []
    for position in range(*span):
        line = lines[position][:MOST_LINE_CHARACTERS]
        if name in line and is_definition(line) and not (found and position < found[-1][1]):
            found.append((_first_decorator(lines, position), end_of(lines, position, kind)))
    return found


def _first_decorator(lines: Sequence[str], position: int) -> int:
    while position > 0 and _DECORATOR.match(lines[position - 1]):
        position -= 1
    return position


def _tests(name: str) -> Iterator[Callable[[str], bool]]:
    """The ways in which a line may define `name`, the surest first."""
    own = rf"(?<![\w$]){re.escape(name)}(?![\w$])"
    keyword = re.compile(
        rf"\s*{_MODIFIERS}{_KEYWORDS}\s+(?:\([^)]*\)\s*)?(?:<[^>]*>\s*)?(?:\w+(?:\.|::?))*{own}"
        rf"|\s*{_MODIFIERS}impl\b[^{{]*{own}"
        rf'|\s*\w+\s+(?:"[^"]*"\s+)?"{re.escape(name)}"\s*\{{'
        rf"|(?i:\s*{_SQL}){own}"
    )
    yield lambda line: keyword.match(line) is not None
    shape = re.compile(rf"([\w\s*&<>,:~\[\]@?]*?){own}\s*+(?:<[^>]*>\s*+)?\((.*)")
    yield lambda line: _has_call_shape(shape.match(line))
    value = re.compile(
        rf"\s*{_MODIFIERS}(?:[\w<>\[\],*&]+\s+)?{own}\s*(?::[^=]*)?(?:=(?!=)|:=)"
        rf"|\s*(?:-\s+)?[\"']?{re.escape(name)}[\"']?\s*:(?!:)"
        rf"|\s*\[\[?[\"']?{re.escape(name)}[\"']?\]\]?\s*"
    )
    yield lambda line: value.match(line) is not None


def _has_call_shape(match: re.Match[str] | None) -> bool:
    """Whether what stands before the name is a type; without any, whether a body follows."""
    if match is None:
        return False
    before, behind = match[1].split(), match[2].rstrip()
    if before:
        return before[0] not in _NO_TYPES and not match[1].rstrip().endswith(",")
    return behind.endswith(("{", "{}", "("))


def _qualified(outer: str, inner: str) -> Callable[[str], bool]:
    """Whether a line defines `inner` of `outer` from outside of it."""
    o, i = re.escape(outer), re.escape(inner)
    pattern = re.compile(
        rf"\s*func\s*\([^)]*\b{o}\b[^)]*\)\s*{i}\b"
        rf"|[\w\s*&<>,:~\[\]]*?\b{o}(?:<[^>]*>)?::~?{i}\s*\("
        rf"|\s*(?:local\s+)?(?:function|def)\s+{o}[.:]{i}\b"
        rf"|\s*{o}(?:\.prototype)?\.{i}\s*=(?!=)"
    )
    return lambda line: pattern.match(line) is not None
