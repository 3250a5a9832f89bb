"""From memories to vectors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gitmem.embed.passages import passages_of
from gitmem.model.memory import Memory

if TYPE_CHECKING:
    from gitmem.embed.embedder import Embedder, Matrix


def embedded(embedder: Embedder, memories: Iterable[Memory]) -> dict[str, Matrix]:
    """The rows of each memory by blob id; all passages go to the encoder together.

    A memory without a passage has no rows, and counts as embedded all the same; one that could not be read
    does not. Raises `OutsideFailure`.
    """
    passages = {str(memory.blob): passages_of(memory) for memory in memories if not memory.is_unreadable}
    flat = [passage for texts in passages.values() for passage in texts]
    rows = embedder.embed(flat)
    found: dict[str, Matrix] = {}
    start = 0
    for blob, texts in passages.items():
        found[blob] = rows[start : start + len(texts)]
        start += len(texts)
    return found
