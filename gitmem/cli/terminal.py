"""What a terminal needs: widths, colours, ages, progress. Pipes get none of it."""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime

from gitmem.model.visible import printable
from gitmem.surroundings import environ, is_own, terminal_columns

# Until it is printed, a style carries a mark that no text can guess, so that a text cannot bring its own.
_MARK = os.urandom(8).hex()
BOLD, DIM, YELLOW, RESET = (f"\x1b{_MARK}[{code}m" for code in (1, 2, 33, 0))
_USUAL_COLUMNS = 80
_STYLE = re.compile(f"\x1b{_MARK}(\\[[0-9]+m)")


def is_terminal() -> bool:
    """Whether standard output is a terminal that a person reads."""
    return sys.stdout.isatty()


def has_colours() -> bool:
    """Whether colours may be written: on a terminal, unless `NO_COLOR` is set or it is a dumb one."""
    return is_terminal() and not environ().get("NO_COLOR") and environ().get("TERM") != "dumb"


def width_columns() -> int | None:
    """The width of the terminal; None in a pipe, where lines are not cut."""
    if not is_terminal():
        return None
    if is_own():
        return shutil.get_terminal_size().columns
    # As `shutil` does it, which looks at the process alone.
    try:
        wanted = int(environ().get("COLUMNS", ""))
    except ValueError:
        wanted = 0
    return wanted if wanted > 0 else terminal_columns() or _USUAL_COLUMNS


def painted(text: str, style: str) -> str:
    """`text` in a style where colours are allowed."""
    return f"{style}{text}{RESET}" if text and has_colours() else text


def display_width(text: str) -> int:
    """How many columns `text` takes: wide characters two, combining ones none."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fitted(text: str, columns: int | None) -> str:
    """`text` cut to `columns` with an ellipsis; whole where None."""
    if columns is None or display_width(text) <= columns:
        return text
    if columns < 2:
        return ""
    kept, used = [], 0
    for character in text:
        used += _columns(character)
        if used > columns - 1:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def visible(text: str) -> str:
    """`text` with everything replaced that a terminal would obey, except for the styles put on here.

    A pipe gets the same: what stands behind it is mostly a terminal, or a file that is shown on one.
    """
    pieces = _STYLE.split(text)
    pieces[::2] = [printable(piece) for piece in pieces[::2]]
    pieces[1::2] = ["\x1b" + code for code in pieces[1::2]]
    return "".join(pieces)


def marked(text: str, marks: Sequence[tuple[int, int]]) -> str:
    """`text` with the marked spans in bold."""
    if not has_colours():
        return text
    parts, position = [], 0
    for start, end in marks:
        parts += [text[position:start], BOLD, text[start:end], RESET]
        position = end
    return "".join([*parts, text[position:]])


def age(moment: str | None, now: datetime) -> str:
    """How long ago an ISO date or time was, in one unit: `5m`, `3h`, `2d`, `7w`, `4y`; `-` if unknown."""
    if moment is None:
        return "-"
    try:
        then = datetime.fromisoformat(moment)
    except ValueError:
        return "-"
    seconds = (now - (then if then.tzinfo else then.replace(tzinfo=UTC))).total_seconds()
    if seconds < 0:
        return "0m" if seconds > -86400 else "-"
    for unit, length in (("y", 31_557_600), ("w", 604_800), ("d", 86_400), ("h", 3_600)):
        if seconds >= (2 * length if unit == "w" else length):
            return f"{int(seconds // length)}{unit}"
    return f"{int(seconds // 60)}m"


class ProgressLine:
    """One line on standard error that counts up; shown only on a terminal, wiped at the end."""

    def __init__(self) -> None:
        self._shown = False

    def __call__(self, what: str, done: int, total: int) -> None:
        if not sys.stderr.isatty():
            return
        if done >= total:
            self.clear()
            return
        sys.stderr.write(f"\r{what} {done:,} of {total:,} ({100 * done // total} %)\x1b[K")
        sys.stderr.flush()
        self._shown = True

    def clear(self) -> None:
        """Wipes the line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
