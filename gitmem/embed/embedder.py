"""What makes vectors of texts, whoever provides it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # numpy comes with the extra `embed`, and is loaded where vectors are made or read.
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]

SIMILAR = 0.45
"""From this cosine on a passage answers a question, though they share no word; see docs/decisions/0014."""


class Embedder(Protocol):
    """Texts to vectors. The same text always gives the same vector, alone or among others."""

    @property
    def name(self) -> str:
        """Names a folder: letters, digits, `.`, `-`, `_`. Whatever makes other vectors has another name."""

    @property
    def dimensions(self) -> int:
        """How long each vector is. Raises `OutsideFailure` where it has to be asked for and cannot."""

    @property
    def similar(self) -> float:
        """From this cosine on two texts mean about the same."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """A row of length 1 for each of `texts`, shape (texts, dimensions); zeros for one without meaning.

        Raises `OutsideFailure` in one line. None of `texts` and no key is in it.
        """


def encodable(texts: Sequence[str]) -> list[str]:
    """`texts` without the lone surrogates that memories may hold and UTF-8 has no bytes for."""
    return [text.encode("utf-8", "replace").decode() for text in texts]


def unit_rows(matrix: Matrix) -> Matrix:
    """`matrix` with each row divided by its length; rows of zeros stay."""
    import numpy as np

    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(lengths > 0, lengths, 1), dtype=np.float32)
