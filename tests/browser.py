"""A real Chromium, driven over pipes by the DevTools protocol: what a page shows, says and asks for.

    with Browser.start() as browser:
        page = browser.open(tmp_path / "graph.html")
        assert page.problems == [] and page.requests == [page.address]
        assert page.evaluate("document.querySelectorAll('tr').length") == 12
        page.click("#search"); page.type("alice"); page.press("Enter")
        page.screenshot(tmp_path / "graph.png")

Tests take the fixture `browser` (one for all tests of a process), which skips where there is none. The
protocol's messages are JSON, each ended by a NUL, on file descriptors 3 and 4 (`--remote-debugging-pipe`).
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--no-proxy-server",
    # No page that is tested needs a host; one that asks for it all the same reaches none.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-device-scale-factor=1",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
PATIENCE_SECONDS = 60.0
"""After that the browser counts as hung: a limit for what went wrong, not a measure of speed."""
KEYS = {
    "Enter": 13,
    "Tab": 9,
    "Escape": 27,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}
_FIRST_FREE = 10
"""Descriptors from here on; the browser reads from 3 and writes to 4."""


@cache
def chromium() -> str | None:
    """The browser's command: `$GITMEM_CHROMIUM`, else the first on the path; None where there is none."""
    named = os.environ.get("GITMEM_CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


class BrowserFailed(Exception):
    """The browser ended, did not answer in time, or refused what it was told."""


class Browser:
    """A running browser with a profile of its own, which goes when it is closed."""

    def __init__(self, process: int, reading: int, writing: int, profile: str) -> None:
        self._process, self._reading, self._writing, self._profile = process, reading, writing, profile
        self._number = 0
        self._rest = b""
        self._listeners: dict[str, Callable[[str, dict[str, Any]], None]] = {}

    @classmethod
    def start(cls, flags: Sequence[str] = ()) -> Browser:
        """Starts one. Raises `BrowserFailed` where there is none, or where it does not come up."""
        command = chromium()
        if command is None:
            raise BrowserFailed("no Chromium is installed here")
        if not hasattr(os, "posix_spawn"):
            raise BrowserFailed("the pipes to a browser are laid by posix_spawn, which this system has not")
        profile = tempfile.mkdtemp(prefix="gitmem-browser-")
        theirs_in, writing = map(_moved_up, os.pipe())
        reading, theirs_out = map(_moved_up, os.pipe())
        log = os.open(Path(profile, "stderr"), os.O_WRONLY | os.O_CREAT, 0o600)
        arguments = [command, *FLAGS, f"--user-data-dir={profile}", *flags, "about:blank"]
        environment = {**os.environ, "HOME": profile, "XDG_RUNTIME_DIR": profile}
        actions = [(os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)]
        actions += [(os.POSIX_SPAWN_DUP2, theirs_in, 3), (os.POSIX_SPAWN_DUP2, theirs_out, 4)]
        try:
            # A group of its own: its children end with it.
            process = os.posix_spawn(command, arguments, environment, file_actions=actions, setpgroup=0)
        finally:
            for descriptor in (theirs_in, theirs_out, log):
                os.close(descriptor)
        browser = cls(process, reading, writing, profile)
        try:
            browser.call("Browser.getVersion")
        except BrowserFailed as error:
            said = Path(profile, "stderr").read_text("utf-8", "replace")[-500:]
            browser.close()
            raise BrowserFailed(f"{error}: {said}") from None
        return browser

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the browser and all it started, and removes its profile."""
        for descriptor in (self._reading, self._writing):
            os.close(descriptor)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._process, 0)
        shutil.rmtree(self._profile, ignore_errors=True)

    def open(
        self,
        page: str | Path,
        *,
        until: str = "true",
        width: int = 1200,
        height: int = 800,
        is_dark: bool = False,
        has_script: bool = True,
    ) -> Page:
        """A page in a tab of its own, loaded, and waited for until the expression `until` is true there."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        opened = Page(self, target, session, page.resolve().as_uri() if isinstance(page, Path) else page)
        self._listeners[session] = opened.hear
        for domain in ("Page", "Runtime", "Log", "Network"):
            opened.call(f"{domain}.enable")
        opened.look(width=width, height=height, is_dark=is_dark)
        if not has_script:
            opened.call("Emulation.setScriptExecutionDisabled", {"value": True})
        failed = opened.call("Page.navigate", {"url": opened.address}).get("errorText")
        if failed:
            raise BrowserFailed(f"{opened.address}: {failed}")
        self._hear_until(lambda: opened.is_loaded, f"{opened.address} to load")
        opened.wait(until)
        return opened

    def call(
        self, method: str, parameters: dict[str, Any] | None = None, session: str | None = None
    ) -> dict[str, Any]:
        """What the browser answers to one call of the protocol. Raises `BrowserFailed`."""
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters or {}}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._writing, data) :]
        answers: list[dict[str, Any]] = []

        def is_answered() -> bool:
            return bool(answers)

        self._hear_until(is_answered, method, lambda heard: answers.append(heard), number)
        answer = answers[0]
        if "error" in answer:
            raise BrowserFailed(f"{method}: {answer['error'].get('message')}")
        result: dict[str, Any] = answer["result"]
        return result

    def _hear_until(
        self,
        is_done: Callable[[], bool],
        what: str,
        on_answer: Callable[[dict[str, Any]], None] | None = None,
        number: int | None = None,
    ) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not is_done():
            for heard in self._heard(until, what):
                if "id" in heard:
                    if heard["id"] == number and on_answer is not None:
                        on_answer(heard)
                elif heard.get("sessionId") in self._listeners:
                    self._listeners[heard["sessionId"]](heard["method"], heard.get("params", {}))

    def _heard(self, until: float, what: str) -> Iterator[dict[str, Any]]:
        """The messages of the next read."""
        if not select.select([self._reading], [], [], max(0.0, until - time.monotonic()))[0]:
            raise BrowserFailed(f"waited {PATIENCE_SECONDS:.0f} s for {what}")
        data = os.read(self._reading, 1 << 20)
        if not data:
            raise BrowserFailed(f"the browser ended while it was asked for {what}")
        *messages, self._rest = (self._rest + data).split(b"\0")
        return map(json.loads, messages)


@dataclass(slots=True)
class Page:
    """One page. `problems` are the errors and warnings of its console, `requests` all that it fetched."""

    _browser: Browser
    _target: str
    _session: str
    address: str
    problems: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    is_loaded: bool = False

    def call(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """One call of the protocol for this page."""
        return self._browser.call(method, parameters, self._session)

    def hear(self, method: str, told: dict[str, Any]) -> None:
        """Takes in one event."""
        if method == "Page.loadEventFired":
            self.is_loaded = True
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            said = details.get("exception", {}).get("description", details.get("text", ""))
            self.problems.append(f"exception: {said}")
        elif method == "Runtime.consoleAPICalled":
            text = " ".join(str(each.get("value", each.get("description"))) for each in told["args"])
            self.console.append(f"{told['type']}: {text}")
            if told["type"] in ("error", "warning", "assert"):
                self.problems.append(self.console[-1])
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.problems.append(f"{told['entry']['source']}: {told['entry']['text']}")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, awaited where it is a promise. Raises `BrowserFailed`."""
        answer = self.call(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True}
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserFailed(details.get("exception", {}).get("description", details.get("text")))
        return answer["result"].get("value")

    def wait(self, expression: str) -> None:
        """Waits until the expression is true. Raises `BrowserFailed` where that takes too long."""
        until = time.monotonic() + PATIENCE_SECONDS
        while not self.evaluate(f"Boolean({expression})"):
            if time.monotonic() > until:
                raise BrowserFailed(f"never became true: {expression}")
            time.sleep(0.02)

    def text(self, selector: str = "body") -> str:
        """The text that is shown there, as a person would copy it."""
        shown: str = self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")
        return shown

    def look(self, *, width: int = 1200, height: int = 800, is_dark: bool = False) -> None:
        """Gives the page a size in pixels, and the wish for light or dark colours."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", size)
        wish = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.call("Emulation.setEmulatedMedia", {"features": [wish, still]})

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of an element, in pixels of the window."""
        shape = self.evaluate(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        return shape[0], shape[1]

    def click(self, where: str | tuple[float, float]) -> None:
        """A click of the mouse on an element or a point."""
        x, y = self.middle(where) if isinstance(where, str) else where
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """The mouse pressed at one point, moved in three steps and let go at another."""
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start)
        for step in (1, 2, 3):
            self.mouse(
                "mouseMoved", *(a + (b - a) * step / 3 for a, b in zip(start, end, strict=True)), buttons=1
            )
        self.mouse("mouseReleased", *end)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """One event of the mouse: `mouseMoved`, `mousePressed`, `mouseReleased`, `mouseWheel`."""
        button = {"button": "left", "clickCount": 1} if kind in ("mousePressed", "mouseReleased") else {}
        self.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **button, **more})

    def press(self, key: str) -> None:
        """One key, down and up."""
        code = KEYS.get(key, ord(key.upper()[0]))
        told: dict[str, Any] = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        if key == "Enter":
            told["text"] = "\r"
        elif len(key) == 1:
            told["text"] = key
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", **told})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", "key": key, "windowsVirtualKeyCode": code})

    def type(self, text: str) -> None:
        """Text into what has the focus."""
        self.call("Input.insertText", {"text": text})

    def screenshot(self, path: Path) -> Path:
        """What the window shows, as a PNG."""
        data = self.call("Page.captureScreenshot", {"format": "png"})["data"]
        path.write_bytes(base64.b64decode(data))
        return path

    def close(self) -> None:
        """Closes the tab."""
        self._browser.call("Target.closeTarget", {"targetId": self._target})


def _moved_up(descriptor: int) -> int:
    """The same as a descriptor that is neither 3 nor 4, and not inherited."""
    import fcntl

    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
    finally:
        os.close(descriptor)
