"""Templates of contexts: text with named placeholders and loops over sections, and nothing that computes.

    {{name}}                      a value, as it is; what stands in it is never read as a template
    {{#section}} ... {{/section}}  once for each memory of the section
    {{?section}} ... {{/section}}  once, where the section has a memory

A block tag that stands alone on a line takes the line with it. `{{` that begins none of these is text. Blocks
do not stand in `#` blocks, nor `?` blocks in each other, so that what is rendered is at most as large as the
template once for each memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from gitmem.errors import BadInput

MOST_CHARACTERS = 20_000
SECTIONS = ("working", "warnings", "howto", "knowledge", "episodes")
VALUES = ("task", "store", "commit", "date")
OF_A_MEMORY = ("memory", "id", "version", "date", "title", "text", "type", "namespace", "labels")
_BLOCK = r"\{\{[ \t]*(?P<kind>[#?/])[ \t]*(?P<block>[A-Za-z_][\w-]*)[ \t]*\}\}"
_TAG = re.compile(
    rf"^[ \t]*{_BLOCK}[ \t]*\r?\n"
    rf"|{_BLOCK.replace('kind', 'kind2').replace('block', 'block2')}"
    r"|\{\{[ \t]*(?P<value>[A-Za-z_][\w-]*)[ \t]*\}\}",
    re.MULTILINE,
)
DEFAULT = """\
{{?working}}
## Working on
{{#working}}
- [{{id}} @{{version}} {{date}}]{{labels}} {{memory}}
{{/working}}

{{/working}}
{{?warnings}}
## Warnings
{{#warnings}}
- [{{id}} @{{version}} {{date}}]{{labels}} {{memory}}
{{/warnings}}

{{/warnings}}
{{?howto}}
## How to
{{#howto}}
- [{{id}} @{{version}} {{date}}]{{labels}} {{memory}}
{{/howto}}

{{/howto}}
{{?knowledge}}
## Known
{{#knowledge}}
- [{{id}} @{{version}} {{date}}]{{labels}} {{memory}}
{{/knowledge}}

{{/knowledge}}
{{?episodes}}
## What happened
{{#episodes}}
- [{{id}} @{{version}} {{date}}]{{labels}} {{memory}}
{{/episodes}}
{{/episodes}}
"""
"""What is rendered where the store has no template of its own."""

Values = Mapping[str, str]


class _Block(Struct, frozen=True):
    """A part of a template: a text, a value by name, or a block with the parts in it."""

    kind: str
    name: str
    line: int
    parts: list[_Block] = field(default_factory=list)


class Template(Struct, frozen=True):
    """A template that can be rendered."""

    parts: Sequence[_Block]

    def render(self, values: Values, sections: Mapping[str, Sequence[Values]]) -> str:
        """The text, with a value for each of `VALUES`, and for each of `OF_A_MEMORY` in every memory."""
        return "".join(_rendered(self.parts, values, sections))


def _rendered(
    parts: Sequence[_Block], values: Values, sections: Mapping[str, Sequence[Values]]
) -> Iterator[str]:
    for part in parts:
        if part.kind == "text":
            yield part.name
        elif part.kind == "value":
            yield values[part.name]
        elif part.kind == "?" and sections.get(part.name):
            yield from _rendered(part.parts, values, sections)
        elif part.kind == "#":
            for memory in sections.get(part.name, ()):
                yield from _rendered(part.parts, {**values, **memory}, {})


def parse_template(text: str, *, where: str) -> Template:
    """The template in `text`. Raises `BadInput`: one line that names `where`, the line, and what is wrong."""
    if len(text) > MOST_CHARACTERS:
        raise BadInput(
            f"{where}: the template is longer than {MOST_CHARACTERS:,} characters", field="template"
        )
    open_blocks = [_Block("", "", 0)]
    place, line = 0, 1
    for found in _TAG.finditer(text):
        _add_text(open_blocks[-1], text[place : found.start()], line)
        line += text.count("\n", place, found.start())
        kind = found["kind"] or found["kind2"]
        name = found["block"] or found["block2"] or found["value"]
        if kind is None:
            _add_value(open_blocks, name, f"{where}: line {line}")
        elif kind == "/":
            _close(open_blocks, name, f"{where}: line {line}")
        else:
            _open(open_blocks, _Block(kind, name, line), f"{where}: line {line}")
        place = found.end()
        line += found.group().count("\n")
    _add_text(open_blocks[-1], text[place:], line)
    if len(open_blocks) > 1:
        last = open_blocks[-1]
        raise BadInput(
            f"{where}: line {last.line}: {{{{{last.kind}{last.name}}}}} is never closed",
            field="template",
            hint=f"write {{{{/{last.name}}}}} behind it",
        )
    return Template(open_blocks[0].parts)


def _add_text(block: _Block, text: str, line: int) -> None:
    if text:
        block.parts.append(_Block("text", text, line))


def _add_value(open_blocks: Sequence[_Block], name: str, where: str) -> None:
    is_memory = open_blocks[-1].kind == "#"
    known = dict.fromkeys((*VALUES, *OF_A_MEMORY) if is_memory else VALUES)
    if name not in known:
        inside = " here" if name in OF_A_MEMORY else ""
        raise BadInput(
            f"{where}: {{{{{name}}}}} is no placeholder{inside}; there are {', '.join(known)}",
            field="template",
        )
    open_blocks[-1].parts.append(_Block("value", name, 0))


def _open(open_blocks: list[_Block], block: _Block, where: str) -> None:
    if block.name not in SECTIONS:
        raise BadInput(
            f"{where}: {block.name} is no section; there are {', '.join(SECTIONS)}", field="template"
        )
    above, outer = open_blocks[-1].kind, open_blocks[-1].name
    if above == "#" or above == block.kind:
        raise BadInput(
            f"{where}: {{{{{block.kind}{block.name}}}}} may not stand in {{{{{above}{outer}}}}}",
            field="template",
        )
    open_blocks[-1].parts.append(block)
    open_blocks.append(block)


def _close(open_blocks: list[_Block], name: str, where: str) -> None:
    if open_blocks[-1].name != name:
        opened = open_blocks[-1]
        wanted = f"{{{{/{opened.name}}}}} is due first" if opened.name else "no block is open"
        raise BadInput(f"{where}: {{{{/{name}}}}} closes nothing: {wanted}", field="template")
    open_blocks.pop()
