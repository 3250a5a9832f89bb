"""Pieces of the report: sections, tiles, tables."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.cli.charts import safe
from gitmem.model.memory import MemoryType

Row = Sequence[str]
NUMBER, ID = "#", "@"
"""What the head of a column begins with that holds numbers, or ids."""
KINDS = (*map(str, MemoryType), "other")
_CLASSES = {NUMBER: ' class="number"', ID: ' class="id"'}


def section(heading: str, content: str) -> str:
    return f"<section><h2>{safe(heading)}</h2>{content}</section>"


def tile(name: str, figure: str | None, beside: str) -> str:
    """A figure with its name; None is one that could not be had."""
    return (
        f'<div class="tile"><dt>{safe(name)}</dt><dd class="figure">{safe(figure or "?")}</dd>'
        f'<dd class="beside">{safe(beside if figure else "could not be looked at")}</dd></div>'
    )


def behind(heads: Row, rows: Sequence[Row]) -> str:
    """The numbers behind a chart, to be opened; on paper they stand below it."""
    return f"<details><summary>The numbers</summary>{table(heads, rows)}</details>"


def table(heads: Row, rows: Sequence[Row]) -> str:
    """A table of texts; `heads` begin with `NUMBER` or `ID` where a column holds such."""
    kinds = [_CLASSES.get(head[:1], "") for head in heads]
    names = [head.lstrip(NUMBER + ID) for head in heads]
    head = "".join(
        f'<th scope="col"{kind}>{safe(text)}</th>' for text, kind in zip(names, kinds, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{safe(text)}</td>" for text, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def left_out(count: int) -> str:
    """A sentence on rows that are not shown; empty where all are."""
    return none(f"{count:,} more are left out; gitmem health --json has them all.") if count > 0 else ""


def none(text: str) -> str:
    """What stands where there is nothing to show."""
    return f'<p class="none">{safe(text)}</p>'


UNKNOWN = none("This could not be looked at; see above.")


def kind_class(kind: str) -> str:
    """The colour of a type; one for all that is none."""
    return kind if kind in KINDS else "other"


def kind_place(kind: str) -> tuple[int, str]:
    """The same order of types on each page: what lasts at the bottom."""
    order = ("semantic", "procedural", "reflective", "episodic", "working")
    return (order.index(kind) if kind in order else len(order), kind)


def whole(value: float) -> str:
    """A count; a fraction only where an axis is so short that it has one."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:g}"
