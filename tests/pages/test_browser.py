"""The browser that looks at pages tells what they show, what they complain of and what they ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import Browser, BrowserFailed

PAGE = """<!doctype html><meta charset="utf-8"><title>t</title>
<link rel="icon" href="data:,"><style>body { margin: 0 } @media (prefers-color-scheme: dark) { p { color: white } }</style>
<p>张三 &amp; co</p><button onclick="this.textContent = 'clicked'">no</button><input>
<img src="https://elsewhere.invalid/x.png">
<script>console.error("bad", 7); setTimeout(() => { throw new Error("late") }, 0)</script>
"""


def test_page_tells_what_it_shows_and_does(browser: Browser, tmp_path: Path) -> None:
    """Text, console, errors, requests, clicks, keys and a picture."""
    file = tmp_path / "page.html"
    file.write_text(PAGE, encoding="utf-8")
    page = browser.open(file, until="document.querySelector('img').complete", width=300, height=200)
    assert "张三 & co" in page.text()
    assert page.requests == [file.as_uri(), "https://elsewhere.invalid/x.png"]
    assert "error: bad 7" in page.problems
    assert any("late" in problem for problem in page.problems)
    page.click("button")
    assert page.text("button") == "clicked"
    page.click("input")
    page.type("李")
    page.press("a")
    assert page.evaluate("document.querySelector('input').value") == "李a"
    assert page.evaluate("Promise.resolve(6 * 7)") == 42
    assert page.screenshot(tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    page.look(width=300, height=200, is_dark=True)
    assert page.evaluate("getComputedStyle(document.querySelector('p')).color") == "rgb(255, 255, 255)"
    page.close()


def test_faults_are_told(browser: Browser, tmp_path: Path) -> None:
    """What throws, and a page that is not there, are errors."""
    file = tmp_path / "page.html"
    file.write_text("<title>t</title>", encoding="utf-8")
    with pytest.raises(BrowserFailed, match="ReferenceError"):
        browser.open(file).evaluate("nothing.there")
    with pytest.raises(BrowserFailed, match="ERR_FILE_NOT_FOUND"):
        browser.open(tmp_path / "none.html")
