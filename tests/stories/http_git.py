"""A git host on loopback: git's own `http-backend` behind a small server, for any number of clients at once."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit


@contextmanager
def served(root: Path) -> Iterator[str]:
    """The address, without a slash at the end, below which the repositories in `root` can be fetched.

    Those with `http.receivepack` in their config take pushes, of anybody.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Host", (_Backend,), {"root": root}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Backend(BaseHTTPRequestHandler):
    """Hands each request to `git http-backend`, as a web server does by CGI (RFC 3875)."""

    protocol_version = "HTTP/1.1"
    root: Path

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._chunks() if self._header("Transfer-Encoding") == "chunked" else self._sized())

    def _header(self, name: str) -> str:
        return self.headers.get(name, "")

    def _sized(self) -> bytes:
        return self.rfile.read(int(self._header("Content-Length") or 0))

    def _chunks(self) -> bytes:
        """What a client sends that does not know the length beforehand, as git does with large packs."""
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _answer(self, body: bytes) -> None:
        address = urlsplit(self.path)
        ran = subprocess.run(
            ["git", "http-backend"],
            input=body,
            capture_output=True,
            env={
                **os.environ,
                "GIT_PROJECT_ROOT": str(self.root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_PROTOCOL": self._header("Git-Protocol"),
                "PATH_INFO": unquote(address.path),
                "QUERY_STRING": address.query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self._header("Content-Type"),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self._header("Content-Encoding"),
                "REMOTE_ADDR": self.client_address[0],
            },
            check=False,
        )
        head, _, content = ran.stdout.partition(b"\r\n\r\n")
        headers = [line.partition(": ")[::2] for line in head.decode("latin-1").splitlines()]
        status = next((value for name, value in headers if name == "Status"), "200 OK")
        self.send_response(int(status.split()[0]) if ran.stdout else 500)
        for name, value in headers:
            if name not in ("Status", "Content-Length", ""):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing."""
