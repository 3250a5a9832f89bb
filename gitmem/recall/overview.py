"""An overview as Markdown within a number of lines and bytes: what does not fit is counted, not cut."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.model.cutting import character_end
from gitmem.model.visible import one_line, printable

MOST_LINES = 200
MOST_BYTES = 25_000
MOST_LINE_CHARACTERS = 160


class Part(Struct, frozen=True):
    """A heading with lines below it, the most important first. `total` is how many there would be."""

    heading: str
    lines: Sequence[str]
    total: int

    @property
    def more(self) -> int:
        """How many are not shown."""
        return max(0, self.total - len(self.lines))


def overview(head: Sequence[str], parts: Sequence[Part], foot: Sequence[str]) -> str:
    """The text of `head`, the parts that have lines, and `foot`.

    Where it would be too long, the longest part gives up its last line, again and again; of parts as long as
    each other the last one.
    """
    kept = [Part(part.heading, list(part.lines), part.total) for part in parts if part.lines]
    while not _fits(text := _text(head, kept, foot)) and kept:
        longest = max(range(len(kept)), key=lambda number: (len(kept[number].lines), number))
        part = kept[longest]
        # Where much is too much, many lines at once, but never more than the others would have to give too.
        many = (text.count("\n") - MOST_LINES) // (2 * len(kept))
        lines = part.lines[: -max(1, many)]
        if lines:
            kept[longest] = Part(part.heading, lines, part.total)
        else:
            del kept[longest]
    return text


def shortened(text: str, most: int = MOST_LINE_CHARACTERS) -> str:
    """`text` as one line of at most `most` characters."""
    flat = one_line(printable(text))
    return flat if len(flat) <= most else flat[: character_end(flat, most - 1)].rstrip() + "…"


def _fits(text: str) -> bool:
    return text.count("\n") <= MOST_LINES and len(text.encode("utf-8", "replace")) <= MOST_BYTES


def _text(head: Sequence[str], parts: Sequence[Part], foot: Sequence[str]) -> str:
    lines = [*head]
    for part in parts:
        lines += ["", f"## {part.heading}", ""]
        lines += [f"- {line}" for line in part.lines]
        if part.more:
            lines.append(f"- … {part.more:,} more")
    return "\n".join([*lines, "", *foot]) + "\n"
