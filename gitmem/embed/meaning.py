"""The meaning of a question beside that of the memories of one content."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gitmem.errors import OutsideFailure
from gitmem.index.columns import BLOB
from gitmem.index.content import IndexContent

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gitmem.embed.embedder import Embedder, Matrix
    from gitmem.embed.vectors import Vectors


class KnownMeaning:
    """Vectors, and the encoder that makes one of the question; a text is embedded once."""

    def __init__(self, embedder: Embedder, vectors: Vectors, failed: Callable[[str], None]) -> None:
        """`failed` is told in one line why a question could not be embedded."""
        self._embedder = embedder
        self._vectors = vectors
        self._failed = failed
        self._cosines: dict[str, Matrix | None] = {}

    @property
    def similar(self) -> float:
        """From this cosine on a passage answers a question though they share no word."""
        return self._embedder.similar

    def cosines(self, content: IndexContent, text: str) -> npt.NDArray[np.float32] | None:
        """For each document the cosine of its best passage with `text`.

        NaN without a vector, -1 without a passage. None where the text could not be embedded, or no
        memory was.
        """
        import numpy as np

        if text not in self._cosines:
            self._cosines[text] = self._of(text)
        known = self._cosines[text]
        if known is None or not len(known):
            return None
        places = self._vectors.places(np.array(content.numbers(BLOB), dtype=np.int64))
        return np.where(places >= 0, known[places], np.float32(np.nan))

    def _of(self, text: str) -> Matrix | None:
        try:
            query = self._embedder.embed([text])[0]
        except OutsideFailure as error:
            self._failed(error.message)
            return None
        return self._vectors.cosines(query) if query.any() else None
