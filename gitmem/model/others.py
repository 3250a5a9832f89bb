"""What the header of a memory says of others: the entries of `related` and `supersedes`.

m7k2q9xw, m3d8h1zc              one text, with commas
[m7k2q9xw, "[[m3d8h1zc]]"]      a list; a `[[link]]` names the same as what stands in it
[[m7k2q9xw]]                    a link without quotes, which YAML takes for a list in a list
{to: m7k2q9xw, relation: why}   an entry of `related` with its relation
"""

from __future__ import annotations

import re

from gitmem.model.memory import Json, Relation, as_text

RELATED = "related"
"""The relation of an entry that gives none."""
_LINK = re.compile(r"\[\[([^\[\]|#^\n]+)(?:[|#^][^\[\]\n]*)?\]\]")
_MOST_BRACKETS = 3


def entries_in(value: Json) -> list[Json]:
    """The entries of a field that names other memories, as they are written.

    One text is parted at its commas, those inside a `[[link]]` apart.
    """
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        parts = re.findall(r"(?:\[\[[^\[\]\n]*\]\]|[^,])+", value)
        return [part.strip() for part in parts if part.strip()]
    return [] if value is None else [value]


def name_of_other(item: Json) -> str | None:
    """The memory that an entry names, by its text or a `[[link]]`; None for nothing and what is no name."""
    text = as_text(item)
    for _ in range(_MOST_BRACKETS):
        if isinstance(item, list) and len(item) == 1:
            item = item[0]
            text = f"[[{item}]]" if isinstance(item, str) else None
    if text is None:
        return None
    found = _LINK.fullmatch(text.strip())
    return (found.group(1) if found else text.strip().strip("[]")).strip() or None


def relations_in(value: Json) -> tuple[tuple[Relation, ...], bool]:
    """The entries of `related` as a header has them, and whether each of them names a memory."""
    items = entries_in(value)
    relations: list[Relation] = []
    for item in items:
        to = name_of_other(item.get("to") if isinstance(item, dict) else item)
        if to is not None:
            relation = as_text(item.get("relation")) if isinstance(item, dict) else None
            relations.append(Relation(to, relation or RELATED))
    return tuple(relations), len(relations) == len(items)
