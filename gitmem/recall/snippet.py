"""The part of a text that shows best why it was found."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from msgspec import Struct

from gitmem.index.analysis import is_unspaced, spans
from gitmem.index.folding import clusters

ELLIPSIS = "…"
_SEARCHED_CHARACTERS = 50_000


class Snippet(Struct, frozen=True):
    """One line of text; `marks` are the places of the matched words in it."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


def snippet(body: str, terms: Collection[str], width_chars: int = 160) -> Snippet:
    """The window of `body` around the most different `terms`, at most `width_chars` columns wide.

    Wide characters (Chinese, Japanese, Korean) take two columns. Blanks and line ends become one
    blank. A combining sequence is never cut. Only the first 50,000 characters are looked at.
    """
    text = _one_line(body[:_SEARCHED_CHARACTERS])
    found = _matches(text, frozenset(terms))
    units = clusters(text)
    starts, columns = _measure(text, units)
    first = _best_start(found, starts, columns, width_chars)
    last = _last_up_to(columns[first] + width_chars, columns)
    first, last = _at_words(units, first, last)
    return _cut(
        text,
        found,
        starts[first],
        starts[last],
        has_more=last < len(units) or len(body) > _SEARCHED_CHARACTERS,
    )


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(character for character in line if unicodedata.category(character) != "Cc")


def _matches(text: str, terms: frozenset[str]) -> list[tuple[int, int, str]]:
    """The places of `terms`. Where 花生 is found, 花 and 生 are no matches of their own elsewhere."""
    found = sorted(spans(text, terms))
    pairs = [span for span in found if len(span[2]) > 1 and is_unspaced(span[2])]
    if not pairs:
        return found
    in_pairs = {unit for _, _, term in pairs for unit in clusters(term)}
    inside = {place for start, end, _ in pairs for place in range(start, end)}
    return [span for span in found if span[2] not in in_pairs or span[0] in inside]


def _measure(text: str, units: Sequence[str]) -> tuple[Sequence[int], Sequence[int]]:
    """Where each unit starts in the text, and in which column; one more of each for the end."""
    if text.isascii():
        return range(len(text) + 1), range(len(text) + 1)
    starts, columns = [0], [0]
    for unit in units:
        starts.append(starts[-1] + len(unit))
        columns.append(columns[-1] + (2 if unicodedata.east_asian_width(unit[0]) in "WF" else 1))
    return starts, columns


def _best_start(
    found: list[tuple[int, int, str]], starts: Sequence[int], columns: Sequence[int], width: int
) -> int:
    """The first unit of the window with the most different terms, then the most matches."""
    if not found:
        return 0
    places = [_unit_at(start, starts) for start, _, _ in found]
    best, best_place = (0, 0), places[0]
    counts: dict[str, int] = {}
    end = 0
    for begin, place in enumerate(places):
        while end < len(places) and columns[places[end]] - columns[place] <= width * 2 // 3:
            counts[found[end][2]] = counts.get(found[end][2], 0) + 1
            end += 1
        quality = (sum(1 for count in counts.values() if count), end - begin)
        if quality > best:
            best, best_place = quality, place
        counts[found[begin][2]] -= 1
    return _last_up_to(min(columns[best_place] - width // 5, columns[-1] - width), columns)


def _unit_at(start: int, starts: Sequence[int]) -> int:
    """The unit that begins there; the first where none does."""
    number = bisect_left(starts, start)
    return number if starts[number] == start else 0


def _last_up_to(column: int, columns: Sequence[int]) -> int:
    """The last unit that begins in `column` or before; the first where none does."""
    return max(0, bisect_right(columns, column) - 1)


def _at_words(units: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """The window without the halves of words at its ends, where a blank is near."""
    if first > 0:
        near = next((number for number in range(first, min(first + 12, last)) if units[number] == " "), None)
        first = first if near is None else near + 1
    if last < len(units):
        near = next(
            (number for number in range(last, max(last - 12, first), -1) if units[number] == " "), None
        )
        last = last if near is None else near
    return first, last


def _cut(text: str, found: list[tuple[int, int, str]], start: int, end: int, *, has_more: bool) -> Snippet:
    before = ELLIPSIS if start > 0 else ""
    after = ELLIPSIS if has_more else ""
    marks: list[tuple[int, int]] = []
    shift = len(before) - start
    for begin, finish, _ in found:
        if begin < start or finish > end:
            continue
        if marks and begin + shift < marks[-1][1]:
            marks[-1] = (marks[-1][0], max(marks[-1][1], finish + shift))
        else:
            marks.append((begin + shift, finish + shift))
    return Snippet(before + text[start:end] + after, tuple(marks))
