"""Links: memories that are related lift each other, when both answer."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.index.content import IndexContent
from gitmem.index.schema import ID_KEY, LINKS
from gitmem.model.ids import id_key
from gitmem.recall.answer import Reason
from gitmem.recall.scores import Scores
from gitmem.recall.weights import LINK_DEPTH, LINK_LIFT


class LinkLifts:
    """What the best documents add to those that they are related to, in either direction."""

    def __init__(self, content: IndexContent, scores: Scores) -> None:
        self._content = content
        self._from: dict[int, tuple[float, int]] = {}
        if not content.has_terms(LINKS):
            return
        for document in _best(scores):
            for other in self._linked(document):
                if other in scores and other != document:
                    lift = (LINK_LIFT * scores[document], document)
                    if lift[0] > self._from.get(other, (0.0, 0))[0]:
                        self._from[other] = lift

    def lifted(self, scores: Scores) -> Scores:
        """`scores` with the lifts added."""
        if not self._from:
            return scores
        return scores.changed(
            {document: round(scores[document] + lift, 9) for document, (lift, _) in self._from.items()}
        )

    def reason(self, document: int) -> Reason | None:
        """Which memory lifted `document`."""
        if document not in self._from:
            return None
        lift, other = self._from[document]
        return Reason("links", f"related to {self._content.record(other).id}", added=lift)

    def _linked(self, document: int) -> set[int]:
        record = self._content.record(document)
        found = set(self._content.documents_with(LINKS, id_key(record.id)))
        for other in record.related:
            found.update(self._content.documents_with(ID_KEY, id_key(other)))
        return found


def _best(scores: Scores) -> Iterator[int]:
    """The `LINK_DEPTH` best documents that have a score, and all that are as good as the last of them."""
    last = 0.0
    for place, (document, score) in enumerate(scores.best_first()):
        if score <= 0 or (place >= LINK_DEPTH and score < last):
            return
        last = score
        yield document
