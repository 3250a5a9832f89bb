"""Memory files for Hypothesis: a base, and sides that came from it by edits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

from gitmem.model.document import parse_document
from gitmem.model.merge.form import lines_of

WORDS = ("kestrel", "otter", "puffin", "walrus", "marmot", "heron", "badger", "stoat", "水獺", "naïve")
TYPES = ("semantic", "procedural", "episodic", "reflective")
KEEPING_TYPES = ("procedural", "episodic", "reflective")
"""Types that never let one text stand for another."""

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@st.composite
def blocks(draw: st.DrawFn) -> str:
    """One block of Markdown, without blank lines around it."""
    kind = draw(
        st.sampled_from(["paragraph", "lines", "item", "heading", "fence", "table", "quote", "log", "odd"])
    )
    number = draw(st.integers(0, 10**6))
    text = draw(words)
    return {
        "paragraph": f"{text} {number}.",
        "lines": f"{text} {number},\nthen {number} more\nand an end {number}.",
        "item": f"- {text} {number}",
        "heading": f"## {text} {number}",
        "fence": f"```python\nprint({number})\n# {text} {number}\n```",
        "table": f"| a | b |\n| --- | --- |\n| {text} | {number} |\n| x{number} | y |",
        "quote": f"> {text} {number}\n> goes on {number}",
        "log": f"{number % 24:02d}:{number % 60:02d} {text} {number}",
        "odd": draw(
            st.sampled_from(["---", "<!-- a comment -->", "```", f"Title {number}\n===", "    code", "> "])
        ),
    }[kind]


bodies = st.lists(st.tuples(blocks(), st.sampled_from(["\n", "\n\n", "\n\n\n"])), max_size=7).map(
    lambda parts: "".join(block + gap for block, gap in parts)
)

values = st.one_of(
    words, st.integers(0, 20), st.booleans(), st.sampled_from(["2026-11-29", "1.10", "no", "", "# hash: yes"])
)
tags = st.lists(st.sampled_from(["a", "B", "b", "Ü", "c d", "1.5"]), max_size=4, unique_by=str.casefold)


@st.composite
def headers(draw: st.DrawFn, types: tuple[str, ...] = TYPES) -> dict[str, str]:
    """The lines of some fields, by name."""
    fields = {"id": "id: m7k2q9xw\n", "type": f"type: {draw(st.sampled_from(types))}\n"}
    given = draw(
        st.sets(
            st.sampled_from(
                ["title", "tags", "importance", "confidence", "created", "own", "count", "status"]
            )
        )
    )
    for name in sorted(given):
        fields[name] = draw(field_of(name))
    return fields


def field_of(name: str) -> st.SearchStrategy[str]:
    """The lines of one field, in one of the styles that people write."""
    from gitmem.model.yaml_writing import field_lines, scalar_text

    share = st.integers(0, 10).map(lambda tenth: f"{name}: {tenth / 10}\n")
    by_name: dict[str, st.SearchStrategy[str]] = {
        "tags": tags.flatmap(
            lambda items: st.sampled_from(
                [
                    field_lines("tags", list(items)),
                    "tags: [" + ", ".join(map(scalar_text, items)) + "]  # sorted\n",
                ]
            )
        ),
        "importance": share,
        "confidence": share,
        "created": st.integers(1, 28).map(lambda day: f"created: 2026-11-{day:02d}T10:00:00Z\n"),
        "count": st.integers(0, 9).map(lambda count: f"count: {count}\n"),
        "status": st.sampled_from(["status: active\n", "status: superseded\n", "status: expired # why\n"]),
    }
    plain = values.map(lambda value: field_lines(name, value))
    commented = words.map(lambda text: f"# about {name}\n{name}: '{text}'  # so\n")
    return by_name.get(name, st.one_of(plain, commented))


@dataclass(frozen=True)
class Draft:
    """A file in parts, so that an edit can be made to one of them."""

    fields: dict[str, str]
    body: str

    @property
    def text(self) -> str:
        return "---\n" + "".join(self.fields.values()) + "---\n" + self.body


@st.composite
def drafts(draw: st.DrawFn, types: tuple[str, ...] = TYPES) -> Draft:
    return Draft(draw(headers(types)), draw(bodies))


@st.composite
def edits(draw: st.DrawFn, draft: Draft, *, keeps_type: bool = True) -> Draft:
    """A draft that came from `draft` by a few edits."""
    fields, lines = dict(draft.fields), lines_of(draft.body)
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["field", "unfield", "insert", "append", "change", "remove", "move"]))
        at = draw(st.integers(0, len(lines)))
        if kind == "field":
            name = draw(
                st.sampled_from(
                    ["title", "tags", "importance", "created", "own", "count", "status", "second"]
                )
            )
            fields[name] = draw(field_of(name))
        elif kind == "unfield":
            fields.pop(draw(st.sampled_from(["title", "tags", "own", "status"])), None)
        elif kind == "insert":
            lines[at:at] = lines_of(draw(blocks()) + draw(st.sampled_from(["\n", "\n\n"])))
        elif kind == "append":
            lines += lines_of(draw(blocks()) + "\n")
        elif kind == "change" and at < len(lines):
            lines[at : at + 1] = [draw(words) + f" {draw(st.integers(0, 10**6))}\n"]
        elif kind == "remove":
            del lines[at : at + draw(st.integers(1, 3))]
        elif lines:
            lines.append(lines.pop(at % len(lines)))
    return Draft(fields, "".join(lines))


@st.composite
def triples(draw: st.DrawFn, types: tuple[str, ...] = TYPES) -> tuple[str, str, str]:
    """A base and two sides that came from it."""
    base = draw(drafts(types))
    sides = [draw(edits(base)).text for _ in range(2)]
    form = draw(st.sampled_from(FORMS))
    other = draw(st.sampled_from([form, _plain]))
    return form(base.text), form(sides[0]), other(sides[1])


def _plain(text: str) -> str:
    return text


def _windows(text: str) -> str:
    return text.replace("\n", "\r\n")


def _unended(text: str) -> str:
    return text.rstrip("\n")


def _marked(text: str) -> str:
    return "\ufeff" + text


FORMS: list[Callable[[str], str]] = [_plain, _plain, _plain, _windows, _unended, _marked]


def plain_lines(text: str) -> set[str]:
    """The lines of a file without line ends, blanks at their ends, and any marks of quotes; blank ones left out."""
    lines = re.split(r"\r\n|\n|\r", parse_document(text).text.removeprefix("\ufeff"))
    return {plain for line in lines if (plain := re.sub(r"^(?:> ?)+", "", line).strip())}
