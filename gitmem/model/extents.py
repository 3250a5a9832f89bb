"""How far a definition goes: to its closing brace, or as far as it is indented. Bounded, and never fails.

Cases, tried in this order:
    section     TOML and INI: up to the next `[section]`
    indented    Python, YAML and their kind: the header, and all lines that stand deeper
    braces      the header reaches a `{`: up to the brace that closes it
    statement   the first line ends it: a declaration, a constant
    block       Ruby, Lua, shell: all lines that stand deeper, and the line that closes the block
"""

from __future__ import annotations

import re
from collections.abc import Sequence

INDENTED = frozenset(("py", "pyi", "pyx", "yaml", "yml", "nim", "coffee", "sass", "haml", "pug", "mk", "fs"))
BRACES = frozenset(
    "c h cc cpp cxx hpp hh m mm java js jsx mjs cjs ts tsx vue svelte go rs cs kt kts swift php scala dart"
    " groovy gradle proto sol zig d css scss less tf hcl pl pm".split()
)
SECTIONS = frozenset(("toml", "ini", "cfg", "conf"))
MOST_HEADER_LINES = 100
_HEADER_WORDS = ("where", "throws", "extends", "implements", "requires")
_LITERALS = re.compile(r"""//.*|/\*.*?(?:\*/|$)|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\])*'""")
_RUST_LITERALS = re.compile(r"""//.*|/\*.*?(?:\*/|$)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'""")
_CLOSING = re.compile(r"\s*(?:end\b|fi\b|done\b|esac\b|[)\]}]|\"\"\"|''')")


def end_of(lines: Sequence[str], start: int, kind: str) -> int:
    """The position behind the last line of the definition that begins at `start`.

    `kind` is the ending of the file name.
    """
    if kind in SECTIONS and lines[start].lstrip().startswith("["):
        return _section_end(lines, start)
    if kind in INDENTED:
        return _indented_end(lines, start, kind)
    return _brace_end(lines, start, kind) or _block_end(lines, start)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _section_end(lines: Sequence[str], start: int) -> int:
    """Up to the next `[section]`."""
    following = (at for at in range(start + 1, len(lines)) if lines[at].startswith("["))
    return next(following, len(lines))


def _indented_end(lines: Sequence[str], start: int, kind: str) -> int:
    """The header may go on over lines while brackets are open; the body stands deeper."""
    indent, open_brackets, end = _indent(lines[start]), 0, start + 1
    for position in range(start, min(len(lines), start + MOST_HEADER_LINES)):
        code = _LITERALS.sub("", lines[position]).partition("#")[0]
        open_brackets += sum(code.count(bracket) for bracket in "([{")
        open_brackets -= sum(code.count(bracket) for bracket in ")]}")
        end = position + 1
        if open_brackets <= 0:
            break
    for position in range(end, len(lines)):
        line = lines[position]
        deeper = _indent(line) > indent or (
            kind in ("yaml", "yml") and _indent(line) == indent and line.lstrip().startswith("- ")
        )
        if line.strip() and not deeper:
            break
        if line.strip():
            end = position + 1
    return end


def _brace_end(lines: Sequence[str], start: int, kind: str) -> int | None:
    """Behind the line that closes the first brace; behind a declaration; None where there is neither.

    Braces between brackets are no body: `load({a, b})`.
    """
    literals = _RUST_LITERALS if kind == "rs" else _LITERALS
    depth, open_brackets, in_comment, has_opened = 0, 0, False, False
    for position in range(start, len(lines)):
        code, in_comment = _code(lines[position], literals, in_comment)
        for character in code:
            if has_opened or (character == "{" and open_brackets <= 0):
                depth += (character == "{") - (character == "}")
                has_opened = True
            else:
                open_brackets += (character in "([") - (character in ")]")
            if has_opened and depth <= 0:
                return position + 1
        if has_opened or open_brackets > 0:
            continue
        if code.rstrip().endswith(";") or (position == start and code.rstrip().endswith(",")):
            return position + 1
        if position - start >= MOST_HEADER_LINES or not _goes_on(lines, start, position, kind):
            return None
    return len(lines) if has_opened else None


def _goes_on(lines: Sequence[str], start: int, position: int, kind: str) -> bool:
    """Whether the header of a definition with braces goes on behind `position`."""
    following = next((line for line in lines[position + 1 : position + 4] if line.strip()), "")
    is_header = following.lstrip().startswith(("{", *_HEADER_WORDS))
    return is_header or (kind in BRACES and _indent(following) > _indent(lines[start]))


def _code(line: str, literals: re.Pattern[str], in_comment: bool) -> tuple[str, bool]:
    """A line without its texts and comments, and whether a comment goes on behind it."""
    if in_comment:
        _, closed, line = line.partition("*/")
        if not closed:
            return "", True
    opens = False

    def blank(match: re.Match[str]) -> str:
        nonlocal opens
        opens = match[0].startswith("/*") and not match[0].endswith("*/")
        return ""

    return literals.sub(blank, line), opens


def _block_end(lines: Sequence[str], start: int) -> int:
    """What stands deeper, and the line that closes it."""
    indent, end = _indent(lines[start]), start + 1
    for position in range(start + 1, len(lines)):
        line = lines[position]
        if not line.strip():
            continue
        if _indent(line) <= indent:
            closes = _indent(line) == indent and _CLOSING.match(line) is not None
            return position + 1 if closes else end
        end = position + 1
    return end
