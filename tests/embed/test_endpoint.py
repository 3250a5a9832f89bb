"""The endpoint: what is sent where, and what is said when it fails. Never the key."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

pytest.importorskip("numpy", reason="the extra embed is not installed")
pytest.importorskip("httpx", reason="the extra embed is not installed")

from gitmem.embed.endpoint import BATCH_TEXTS, EndpointEncoder, EndpointSettings
from gitmem.errors import BadInput, GitmemError, OutsideFailure
from tests.embed.words import Endpoint

KEY = "sk-very-secret-0123456789"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    served = Endpoint()
    yield served
    served.close()


@pytest.fixture
def settings(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> EndpointSettings:
    monkeypatch.setenv("OUR_KEY", KEY)
    return EndpointSettings(endpoint.url, "m", "OUR_KEY", timeout_seconds=0.3)


def test_model_texts_and_key_are_sent_and_nothing_else(
    endpoint: Endpoint, settings: EndpointSettings
) -> None:
    EndpointEncoder(settings).embed(["one", "two"])
    assert endpoint.requests == [
        {"model": "m", "input": ["one", "two"], "encoding_format": "float", "path": "/v1/embeddings"}
    ]
    assert endpoint.keys == [f"Bearer {KEY}"]


def test_without_a_key_variable_no_key_is_sent(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one that other programs would take from the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    EndpointEncoder(EndpointSettings(endpoint.url + "/embeddings", "m")).embed(["one"])
    assert endpoint.keys == [None]
    assert endpoint.requests[0]["path"] == "/v1/embeddings"


def test_many_texts_go_in_batches(endpoint: Endpoint, settings: EndpointSettings) -> None:
    made = EndpointEncoder(settings).embed([f"text {number}" for number in range(2 * BATCH_TEXTS + 1)])
    assert len(made) == 2 * BATCH_TEXTS + 1
    assert [len(request["input"]) for request in endpoint.requests] == [BATCH_TEXTS, BATCH_TEXTS, 1]


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (401, "HTTP 401, the key was refused"),
        (404, "HTTP 404, there is no such model or address"),
        (429, "HTTP 429, too many requests, or no credit left"),
        (500, "HTTP 500"),
        (307, "HTTP 307"),
        ("slow", "no answer within 0.3 s"),
        ("short", "does not have a vector for each text"),
        ("uneven", "does not have a vector for each text"),
        ("infinite", "holds no vectors of one length"),
        ("<html>", "is not that of an embeddings endpoint"),
        ("[" * 100_000, "is not that of an embeddings endpoint"),
        ('{"data": [{"index": 0}]}', "is not that of an embeddings endpoint"),
    ],
)
def test_what_fails_is_one_line_without_the_key(
    endpoint: Endpoint, settings: EndpointSettings, trouble: str | int, said: str
) -> None:
    """The server repeats the key in its error; gitmem does not repeat the server."""
    endpoint.trouble = trouble
    with pytest.raises(OutsideFailure) as raised:
        EndpointEncoder(settings).embed(["one", "two"])
    message = raised.value.message
    assert said in message
    assert endpoint.url.split("/")[2] in message
    assert_secret(raised.value)


def assert_secret(error: GitmemError) -> None:
    """The key is neither in the message nor in what it was raised from, and there is one line."""
    chain: BaseException | None = error
    while chain is not None:
        assert KEY not in f"{chain!r} {chain}"
        chain = chain.__cause__
    assert "\n" not in error.message


def test_an_endpoint_that_is_not_there_is_told_at_once(
    settings: EndpointSettings, endpoint: Endpoint
) -> None:
    endpoint.close()
    begun = time.monotonic()
    with pytest.raises(OutsideFailure, match="cannot be reached") as raised:
        EndpointEncoder(settings).embed(["one"])
    assert time.monotonic() - begun < 60
    assert_secret(raised.value)


def test_a_redirect_takes_texts_nowhere(endpoint: Endpoint, settings: EndpointSettings) -> None:
    endpoint.trouble = 307
    with pytest.raises(OutsideFailure):
        EndpointEncoder(settings).embed(["one"])
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ftp://example.com/v1",
        "file:///etc/passwd",
        "example.com/v1",
        "https://user:secret@example.com/v1",
        "https://example.com/v1?key=secret",
        "https://example.com:port/v1",
        "http://example.com/v1",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_by_the_name_of_its_setting(url: str) -> None:
    """A key goes over TLS only; one in the address would end up in messages and logs."""
    with pytest.raises(BadInput, match=r"gitmem\.embeddingsUrl") as raised:
        EndpointEncoder(EndpointSettings(url, "m", "OUR_KEY"))
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("key", ["", "  ", "two\nlines", "schlüssel"])
def test_a_key_that_is_missing_or_no_key_is_told_before_anything_is_sent(
    endpoint: Endpoint, settings: EndpointSettings, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_KEY", key)
    with pytest.raises(OutsideFailure, match="OUR_KEY") as raised:
        EndpointEncoder(settings).embed(["one"])
    assert endpoint.requests == []
    assert not key.strip() or key not in raised.value.message


def test_another_model_or_address_has_another_name() -> None:
    names = {
        EndpointEncoder(EndpointSettings(url, model)).name
        for url in ("https://a.example/v1", "https://b.example/v1")
        for model in ("m", "m/2", "m-2")
    }
    assert len(names) == 6
