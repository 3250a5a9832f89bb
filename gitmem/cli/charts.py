"""Small charts as inline SVG: stacked columns, bars, lines. No script, and no style but classes.

A chart is drawn in a box of units that are about pixels where there is room, and shrinks with the page. Each
has a name and a description for those who do not see it; the page has the numbers in a table beside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10

from msgspec import Struct

from gitmem.model.visible import one_line

WIDE, NARROW = 1000, 460
"""Across the whole page, or half of it."""
HEIGHT = 240
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 12, 28
BAR_HEIGHT, BAR_LEFT, BAR_RIGHT = 25, 186, 84
LABEL_WIDTH = 62
MOST_CHARACTERS = 26
"""Of a name beside a bar; the table has it whole."""
Format = Callable[[float], str]


class Series(Struct, frozen=True):
    """Values for the same places, drawn in the colour of the class `kind`."""

    name: str
    kind: str
    values: Sequence[float]


def safe(text: str) -> str:
    """`text` in one line, fit for HTML between tags or in quotes; it marks up and reorders nothing."""
    return escape(one_line(text), quote=True)


def stacked_columns(name: str, labels: Sequence[str], series: Sequence[Series], shown: Format) -> str:
    """A column for each label, with a part for each series."""
    totals = [sum(each.values[number] for each in series) for number in range(len(labels))]
    top, ticks = scale(max(totals, default=0))
    step = (WIDE - LEFT - RIGHT) / max(1, len(labels))
    width = min(56.0, step * 0.72)
    parts = [_grid(WIDE, top, ticks, shown), _labels(labels, step)]
    for number, label in enumerate(labels):
        x, y = LEFT + step * (number + 0.5) - width / 2, float(_baseline())
        for each in series:
            height = _height(each.values[number], top)
            if height:
                y -= height
                told = f"{label}: {each.name} {shown(each.values[number])}"
                parts.append(
                    f'<rect class="fill-{each.kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                    f'height="{height:.1f}"><title>{safe(told)}</title></rect>'
                )
    last = f"{labels[-1]}: {shown(totals[-1])}" if labels else "nothing"
    return _svg(name, f"{len(labels)} columns; the last is {last}", (WIDE, HEIGHT), parts)


def lines(name: str, labels: Sequence[str], series: Sequence[Series], shown: Format) -> str:
    """A line for each series, with a point for each label."""
    top, ticks = scale(max((value for each in series for value in each.values), default=0))
    step = (NARROW - LEFT - RIGHT) / max(1, len(labels))
    parts = [_grid(NARROW, top, ticks, shown), _labels(labels, step)]
    for each in series:
        points = [
            (LEFT + step * (number + 0.5), _baseline() - _height(value, top))
            for number, value in enumerate(each.values)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="line line-{each.kind}" points="{path}"/>')
        for (x, y), label, value in zip(points, labels, each.values, strict=True):
            told = safe(f"{label}: {each.name} {shown(value)}")
            parts.append(
                f'<circle class="fill-{each.kind}" cx="{x:.1f}" cy="{y:.1f}" r="3.5">'
                f"<title>{told}</title></circle>"
            )
    told_series = "; ".join(f"{each.name}, last {shown(each.values[-1])}" for each in series if each.values)
    return _svg(name, told_series or "nothing", (NARROW, HEIGHT), parts)


def bars(name: str, rows: Sequence[tuple[str, float, str, str]]) -> str:
    """A bar for each of `rows`: name, value, what stands behind the bar, and the class of its colour."""
    most = max((value for _, value, _, _ in rows), default=0) or 1
    room = NARROW - BAR_LEFT - BAR_RIGHT
    parts = []
    for number, (label, value, note, kind) in enumerate(rows):
        y = number * BAR_HEIGHT
        width = max(2.0, room * value / most) if value else 0.0
        parts.append(
            f'<text class="label" x="{BAR_LEFT - 10}" y="{y + 17}" text-anchor="end">'
            f"{safe(shortened(label))}<title>{safe(label)}</title></text>"
            f'<rect class="fill-{kind}" x="{BAR_LEFT}" y="{y + 4}" width="{width:.1f}" height="17" rx="3"/>'
            f'<text class="value" x="{BAR_LEFT + width + 8:.1f}" y="{y + 17}">{safe(note)}</text>'
        )
    first = f"{rows[0][0]}: {rows[0][2]}" if rows else "nothing"
    box = (NARROW, max(1, len(rows)) * BAR_HEIGHT)
    return _svg(name, f"{len(rows)} bars; the longest is {first}", box, parts)


def legend(series: Sequence[Series]) -> str:
    """Which colour is which; what is nowhere is left out."""
    items = "".join(
        f'<li><span class="dot back-{each.kind}"></span>{safe(each.name)}</li>'
        for each in series
        if any(each.values)
    )
    return f'<ul class="legend">{items}</ul>'


def scale(most: float) -> tuple[float, list[float]]:
    """The top of an axis that holds `most`, and round values on it from zero up, at most six."""
    if most <= 0:
        return 1.0, [0.0]
    rough = most / 4
    unit = 10.0 ** floor(log10(rough))
    step = next(factor * unit for factor in (1, 2, 2.5, 5, 10) if factor * unit >= rough)
    count = ceil(most / step - 1e-9)
    return count * step, [step * number for number in range(count + 1)]


def shortened(text: str, most: int = MOST_CHARACTERS) -> str:
    """`text`, cut in the middle where it is long: both ends of a path tell something."""
    if len(text) <= most:
        return text
    head = (most - 1) // 2
    return f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"


def _svg(name: str, description: str, box: tuple[int, int], parts: Sequence[str]) -> str:
    width, height = box
    kind = "wide" if width == WIDE else "narrow"
    told = safe(f"{name}. {description}.")
    return (
        f'<div class="scroll"><svg class="{kind}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{told}">' + "".join(parts) + "</svg></div>"
    )


def _baseline() -> int:
    return HEIGHT - BOTTOM


def _height(value: float, top: float) -> float:
    return (HEIGHT - TOP - BOTTOM) * value / top


def _grid(width: int, top: float, ticks: Sequence[float], shown: Format) -> str:
    marks = []
    for tick in ticks:
        y = _baseline() - _height(tick, top)
        marks.append(
            f'<line class="grid" x1="{LEFT}" x2="{width - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{safe(shown(tick))}</text>'
        )
    return "".join(marks)


def _labels(labels: Sequence[str], step: float) -> str:
    """Names below the places, the last one always, and as many others as fit."""
    every = ceil(LABEL_WIDTH / step)
    return "".join(
        f'<text class="tick" x="{LEFT + step * (number + 0.5):.1f}" y="{HEIGHT - 8}" text-anchor="middle">'
        f"{safe(label)}</text>"
        for number, label in enumerate(labels)
        if (len(labels) - 1 - number) % every == 0
    )
