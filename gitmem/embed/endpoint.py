"""An embeddings endpoint that speaks as OpenAI's does: `POST URL/embeddings`."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec import Struct

from gitmem.embed.embedder import SIMILAR, encodable, unit_rows
from gitmem.embed.local import INSTALL_HINT
from gitmem.errors import BadInput, OutsideFailure

if TYPE_CHECKING:
    from gitmem.embed.embedder import Matrix

BATCH_TEXTS = 64
TIMEOUT_SECONDS = 10.0
MOST_DIMENSIONS = 16_384
_MOST_ANSWER_BYTES = 128 * 1024 * 1024
_LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))


class EndpointSettings(Struct, frozen=True):
    """Where to ask, and for which model. `key_variable` names the environment variable that holds the key."""

    url: str
    model: str
    key_variable: str | None = None
    timeout_seconds: float = TIMEOUT_SECONDS
    similar: float = SIMILAR


class EndpointEncoder:
    """Sends texts to the endpoint of `settings`. Redirects are not followed, so texts go nowhere else.

    Raises `BadInput` naming the setting that cannot be used. No error has the key in it, nor what the
    endpoint said, which may repeat the key.
    """

    def __init__(self, settings: EndpointSettings) -> None:
        self._settings = settings
        parts = _checked(settings)
        self._host = parts.netloc
        self._url = settings.url.rstrip("/")
        if not self._url.endswith("/embeddings"):
            self._url += "/embeddings"
        self.similar = settings.similar
        model = re.sub(r"[^A-Za-z0-9._-]+", "-", settings.model)[:60].strip(".")
        told_apart = hashlib.sha256(f"{self._url}\0{settings.model}".encode()).hexdigest()[:10]
        self.name = f"endpoint-{model}-{told_apart}"

    @cached_property
    def dimensions(self) -> int:
        """As many as the model gives; asked for once."""
        return int(self.embed(["dimensions"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        sent = encodable(texts)
        key = self._key()
        httpx = _httpx()
        made: list[list[float]] = []
        try:
            with httpx.Client(timeout=self._settings.timeout_seconds, follow_redirects=False) as client:
                for start in range(0, len(sent), BATCH_TEXTS):
                    made += self._batch(client, sent[start : start + BATCH_TEXTS], key)
        except httpx.TimeoutException:
            raise self._failure(f"no answer within {self._settings.timeout_seconds:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # What httpx says may hold the request; its class says enough.
            raise self._failure(f"cannot be reached ({type(error).__name__})") from None
        matrix = np.array(made, dtype=np.float32)
        if matrix.ndim != 2 or not 0 < matrix.shape[1] <= MOST_DIMENSIONS or not np.isfinite(matrix).all():
            raise self._failure("its answer holds no vectors of one length")
        return unit_rows(matrix)

    def _batch(self, client: Any, texts: list[str], key: str | None) -> list[list[float]]:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        body = {"model": self._settings.model, "input": texts, "encoding_format": "float"}
        with client.stream("POST", self._url, json=body, headers=headers) as answer:
            if answer.status_code != 200:
                raise self._failure(_meaning_of(answer.status_code))
            data = b""
            for part in answer.iter_bytes():
                data += part
                if len(data) > _MOST_ANSWER_BYTES:
                    raise self._failure("its answer is too large")
        return self._vectors_in(data, len(texts))

    def _vectors_in(self, data: bytes, count: int) -> list[list[float]]:
        import json

        try:
            rows = {
                int(row["index"]): [float(x) for x in row["embedding"]] for row in json.loads(data)["data"]
            }
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self._failure("its answer is not that of an embeddings endpoint") from None
        if sorted(rows) != list(range(count)) or len({len(row) for row in rows.values()}) != 1:
            raise self._failure("its answer does not have a vector for each text")
        return [rows[number] for number in range(count)]

    def _key(self) -> str | None:
        variable = self._settings.key_variable
        if variable is None:
            return None
        key = os.environ.get(variable, "").strip()
        if not key:
            raise OutsideFailure(f"the embeddings endpoint needs a key, and {variable} is not set")
        if not key.isascii() or not key.isprintable():
            raise OutsideFailure(f"the key in {variable} holds characters that no key has")
        return key

    def _failure(self, what: str) -> OutsideFailure:
        return OutsideFailure(f"the embeddings endpoint at {self._host}: {what}")


def _checked(settings: EndpointSettings) -> Any:
    """The parts of the URL. Raises `BadInput`."""
    field = "gitmem.embeddingsUrl"
    try:
        parts = urlsplit(settings.url)
        _ = parts.port
    except ValueError:
        raise BadInput(f"{field} is not a URL", field=field) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{field} must begin with https:// or http://", field=field)
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise BadInput(
            f"{field} must be an address alone, without a user, a key or a query",
            field=field,
            hint="name the environment variable that holds the key in gitmem.embeddingsKeyVariable",
        )
    if parts.scheme == "http" and settings.key_variable and parts.hostname not in _LOOPBACK:
        raise BadInput(f"{field}: a key is sent over https:// only, or to this machine", field=field)
    return parts


def _httpx() -> Any:
    try:
        import httpx
    except ImportError as error:
        raise OutsideFailure(
            "gitmem.embeddings is 'endpoint', but httpx is not installed", hint=INSTALL_HINT
        ) from error
    return httpx


def _meaning_of(status: int) -> str:
    said = {401: "the key was refused", 403: "the key was refused", 404: "there is no such model or address"}
    said |= {429: "too many requests, or no credit left"}
    return f"HTTP {status}{', ' + said[status] if status in said else ''}"
