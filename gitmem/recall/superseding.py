"""Which memories say that they supersede others, directly or one by another."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.index.content import IndexContent
from gitmem.index.schema import ID_KEY, SUPERSEDES


def corrections_among(content: IndexContent, documents: Iterable[int]) -> set[int]:
    """What corrects any of `documents`, directly or by another correction: it answers the same question.

    So it is found even if it shares no word with the question: "it is the tenth of June now".
    """
    if not content.has_terms(SUPERSEDES):
        return set()
    table = content.cached("corrections", lambda: _corrections(content))
    found: set[int] = set()
    pending = [document for document in documents if document in table]
    while pending:
        new = table.get(pending.pop(), frozenset()) - found
        found |= new
        pending.extend(new)
    return found


def _corrections(content: IndexContent) -> dict[int, frozenset[int]]:
    """For each document that others say they supersede: which they are."""
    found: dict[int, frozenset[int]] = {}
    for name in content.terms(SUPERSEDES, ""):
        by = frozenset(content.documents_with(SUPERSEDES, name))
        for document in content.documents_with(ID_KEY, name):
            found[document] = by - {document}
    return found
