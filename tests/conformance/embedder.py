"""What every encoder must do. Another one is a subclass that gives `make_embedder`."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gitmem.embed.embedder import Embedder

TEXTS = [
    "Alice asked for the report by e-mail.",
    "The cat sleeps.",
    "用户住在杭州市。",
    "3.14",
    "🙂",
    "a" * 3_000,
]
ODD = ["", " ", "\x00", "\udcf6 lone", "\u202e", "line\nline"]


class EmbedderConformance:
    """Shapes, lengths, and that a vector depends on nothing but its text."""

    def make_embedder(self) -> Embedder:
        raise NotImplementedError("a subclass gives the implementation")

    @pytest.fixture
    def embedder(self) -> Embedder:
        return self.make_embedder()

    def test_each_text_has_a_row_of_length_one(self, embedder: Embedder) -> None:
        made = embedder.embed(TEXTS)
        assert made.shape == (len(TEXTS), embedder.dimensions)
        assert made.dtype == np.dtype(np.float32)
        lengths = np.linalg.norm(made, axis=1)
        assert np.all((abs(lengths - 1) < 1e-4) | (lengths == 0))
        assert np.all(abs(lengths[:3] - 1) < 1e-4)

    def test_no_text_has_no_row(self, embedder: Embedder) -> None:
        assert embedder.embed([]).shape == (0, embedder.dimensions)

    def test_a_vector_does_not_depend_on_its_company(self, embedder: Embedder) -> None:
        together = embedder.embed(TEXTS)
        backwards = embedder.embed(TEXTS[::-1])[::-1]
        alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
        assert np.abs(together - alone).max() < 1e-3
        assert np.abs(together - backwards).max() < 1e-3

    def test_many_texts_keep_their_order(self, embedder: Embedder) -> None:
        many = [f"{word} {number}" for number in range(70) for word in ("cat", "report")]
        made = embedder.embed(many)
        for number in (0, 63, 64, 65, 139):
            assert np.abs(made[number] - embedder.embed([many[number]])[0]).max() < 1e-3

    @pytest.mark.parametrize("text", ODD)
    def test_any_text_has_a_row_of_finite_numbers(self, embedder: Embedder, text: str) -> None:
        made = embedder.embed([text])
        assert made.shape == (1, embedder.dimensions)
        assert np.isfinite(made).all()

    def test_a_text_is_nearest_to_itself(self, embedder: Embedder) -> None:
        made = embedder.embed(TEXTS[:3])
        assert np.argmax(made @ made.T, axis=1).tolist() == [0, 1, 2]

    def test_its_name_can_be_that_of_a_folder(self, embedder: Embedder) -> None:
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", embedder.name)
        assert embedder.name == self.make_embedder().name

    def test_what_is_similar_is_a_cosine(self, embedder: Embedder) -> None:
        assert 0 < embedder.similar <= 1
