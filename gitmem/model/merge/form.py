"""The form of a text: byte order mark, line ends, and whether its last line is ended.

It is taken off before a merge and put on again, merged like a field: the side that changed decides.

    all line ends alike     compared and merged with line feeds, written as the merged form says
    mixed in any text       left in the lines of all texts, so that no byte changes
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from gitmem.model.document import BYTE_ORDER_MARK
from gitmem.model.merge.threeway import changed_or_larger

MIXED = "mixed"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


class Form(Struct, frozen=True):
    """`newline` is the one line end of the text, empty where it has none, `MIXED` where it has several."""

    has_mark: bool
    newline: str
    is_ended: bool


def form_of(text: str) -> Form:
    """The form of `text`."""
    both = text.count("\r\n")
    counts = {"\r\n": both, "\n": text.count("\n") - both, "\r": text.count("\r") - both}
    found = [newline for newline, count in counts.items() if count]
    newline = "" if not found else found[0] if len(found) == 1 else MIXED
    return Form(text.startswith(BYTE_ORDER_MARK), newline, not text or text.endswith(("\n", "\r")))


def bare(text: str, form: Form, *, is_mixed: bool) -> str:
    """`text` without its form: no mark, line feeds unless `is_mixed`, the last line ended."""
    plain = text.removeprefix(BYTE_ORDER_MARK) if form.has_mark else text
    if not is_mixed and form.newline not in ("", "\n"):
        plain = plain.replace(form.newline, "\n")
    return plain if form.is_ended or not plain else plain + "\n"


def dressed(text: str, form: Form, *, is_mixed: bool) -> str:
    """A merged text in its form: the inverse of `bare`."""
    plain = text
    if not form.is_ended:
        plain = plain[:-1] if plain.endswith("\n") and not plain.endswith("\r\n") else plain
    if not is_mixed and form.newline not in ("", "\n"):
        plain = plain.replace("\n", form.newline)
    return BYTE_ORDER_MARK + plain if form.has_mark else plain


def merged_form(base: Form | None, first: Form, second: Form) -> Form:
    """The form that the merged text gets."""
    newlines = [form.newline for form in (first, second) if form.newline] or ["\n"]
    older = base.newline if base else None
    return Form(
        changed_or_larger(base.has_mark if base else None, first.has_mark, second.has_mark),
        changed_or_larger(older, newlines[0], newlines[-1]),
        changed_or_larger(base.is_ended if base else None, first.is_ended, second.is_ended),
    )


def is_mixed(forms: Sequence[Form]) -> bool:
    """Whether line ends have to stay with their lines."""
    return any(form.newline == MIXED for form in forms)


def lines_of(text: str) -> list[str]:
    """The lines of `text`, each with its line end."""
    return _LINE.findall(text)
