"""What a view leaves out for whoever asks: documents that are in the index, and that they may not see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable

from msgspec import Struct

from gitmem.index.content import IndexContent
from gitmem.index.record import Record
from gitmem.index.schema import ID_KEY, PATH


class Hiding(Struct, frozen=True):
    """Tells what is hidden. Two of one `name` hide the same.

    What is at `paths` is hidden, and what has an id among `ids`, as keys. Where `paths` is None, records at
    a path that `may_hide` are asked about with `hides`.
    """

    name: Hashable
    may_hide: Callable[[str], bool]
    hides: Callable[[Record], bool]
    ids: Collection[str] = ()
    paths: Collection[str] | None = None


def hide(content: IndexContent, hiding: Hiding) -> None:
    """Makes `content` answer as if what is hidden were not in it."""
    hidden = {document for name in hiding.ids for document in content.documents_with(ID_KEY, name)}
    if hiding.paths is not None:
        hidden.update(document for path in hiding.paths for document in content.documents_with(PATH, path))
    for path in content.terms(PATH, "") if hiding.paths is None else ():
        if hiding.may_hide(path):
            found = content.documents_with(PATH, path)
            hidden.update(document for document in found if hiding.hides(content.record(document)))
    content.mask_documents(hidden)
