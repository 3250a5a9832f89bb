"""An encoder for tests that knows a few words, and an endpoint that serves it."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from gitmem.embed.embedder import SIMILAR, unit_rows

if TYPE_CHECKING:
    from gitmem.embed.embedder import Matrix

MEANINGS = {"automobile": "car", "vehicle": "car", "feline": "cat", "kitten": "cat", "轿车": "car"}


class WordsEncoder:
    """A text is its words, each a dimension; some words mean the same."""

    name = "words-1"
    dimensions = 2_048
    similar = SIMILAR

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Matrix:
        self.texts += texts
        made = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(made, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row[crc32(MEANINGS.get(word, word).encode("utf-8", "replace")) % self.dimensions] += 1
        return unit_rows(made)


class Endpoint:
    """A server on this machine that answers as an embeddings endpoint does, or as `trouble` says."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.trouble: str | int = ""
        endpoint, encoder = self, WordsEncoder()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.requests.append({**body, "path": self.path})
                endpoint.keys.append(self.headers["Authorization"])
                rows = encoder.embed(body["input"]).tolist()
                # In any order: the index tells which is which.
                data = [{"index": number, "embedding": row} for number, row in enumerate(rows)][::-1]
                endpoint.answer(self, data)

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, handler: BaseHTTPRequestHandler, data: list[dict[str, Any]]) -> None:
        status, text = 200, json.dumps({"object": "list", "data": data})
        if isinstance(self.trouble, int):
            status, text = self.trouble, f"no: {handler.headers['Authorization']}"
        elif self.trouble == "slow":
            time.sleep(1.0)
        elif self.trouble == "short":
            text = json.dumps({"data": data[1:]})
        elif self.trouble == "uneven":
            text = json.dumps({"data": [{**data[0], "embedding": [1.0]}, *data[1:]]})
        elif self.trouble == "infinite":
            text = json.dumps({"data": [{**each, "embedding": [float("inf")]} for each in data]})
        elif self.trouble:
            text = str(self.trouble)
        handler.send_response(status)
        if status == 307:
            handler.send_header("Location", "http://127.0.0.1:9/elsewhere")
        handler.send_header("Content-Length", str(len(text.encode())))
        handler.end_headers()
        # Who asked may have stopped waiting.
        with suppress(ConnectionError):
            handler.wfile.write(text.encode())

    @property
    def texts(self) -> list[str]:
        return [text for request in self.requests for text in request["input"]]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
