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


class Questions:
    """The vectors of what one recall asks, each made once, whichever and however many branches are asked.

    After a failure nothing is tried again: who waited for one time-out does not wait for a second.
    """

    def __init__(self) -> None:
        self.failure: str | None = None
        """Why the encoder failed, in one line."""
        self._vectors: dict[str, Matrix] = {}

    def vector(self, embedder: Embedder, text: str) -> Matrix | None:
        """The vector of `text`, shape (dimensions,); None where the encoder failed."""
        if text not in self._vectors and self.failure is None:
            try:
                self._vectors[text] = embedder.embed([text])[0]
            except OutsideFailure as error:
                self.failure = error.message
        return self._vectors.get(text)


class KnownMeaning:
    """Vectors, and the encoder that makes one of the question."""

    def __init__(
        self,
        embedder: Embedder,
        vectors: Vectors,
        failed: Callable[[str], None],
        questions: Questions | None = None,
    ) -> None:
        """`failed` is told in one line why a question could not be embedded."""
        self._embedder = embedder
        self._vectors = vectors
        self._failed = failed
        self._questions = questions or Questions()

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

        query = self._questions.vector(self._embedder, text)
        if query is None:
            self._failed(self._questions.failure or "")
            return None
        known = self._vectors.cosines(query)
        if not len(known) or not query.any():
            return None
        places = self._vectors.places(np.array(content.numbers(BLOB), dtype=np.int64))
        return np.where(places >= 0, known[places], np.float32(np.nan))
