"""What a view leaves out for whoever asks: documents that are in the index, and that they may not see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass

from gitmem.index.content import IndexContent
from gitmem.index.record import Record
from gitmem.index.schema import ID_KEY, PATH


@dataclass(frozen=True, slots=True)
class Hiding:
    """Tells what is hidden. Two of one `name` hide the same.

    Only records at a path that `may_hide` are asked about with `hides`; all that have an id among `ids`, as
    keys, are hidden too.
    """

    name: Hashable
    may_hide: Callable[[str], bool]
    hides: Callable[[Record], bool]
    ids: Collection[str] = ()


def hide(content: IndexContent, hiding: Hiding) -> None:
    """Makes `content` answer as if what is hidden were not in it."""
    hidden = {document for name in hiding.ids for document in content.documents_with(ID_KEY, name)}
    for path in content.terms(PATH, ""):
        if hiding.may_hide(path):
            found = content.documents_with(PATH, path)
            hidden.update(document for document in found if hiding.hides(content.record(document)))
    content.mask_documents(hidden)
