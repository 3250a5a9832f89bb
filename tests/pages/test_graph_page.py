"""The page of a graph in a real browser: it draws, answers mouse and keys, asks for nothing, and runs no title."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.evolve.graph_data import TYPES, Graph, Node
from gitmem.evolve.graph_page import graph_page
from gitmem.evolve.relations import Dangling, Link
from tests.browser import Browser, Page
from tests.docs.pages import DOCS
from tests.pages.pictures import MOST_BYTES, SETTLED

HOSTILE = "</script><script>window.owned = 1</script><img src=x onerror=owned=1>\"'&{{@data@}} \u202egnp.exe"
GRAPH = Graph.of(
    [
        Node("hub", "hub", "The hub", "semantic", "semantic/hub.md", "api", snippet="What all speak of."),
        Node("evil", "evil", HOSTILE, "episodic", "e.md", snippet=HOSTILE),
        Node("old", "old", "An old one", "procedural", "o.md", status="superseded", is_archived=True),
        Node("open", "open", "A disputed one", "reflective", "d.md", status="disputed"),
        Node("alone", "alone", "张三 alone", "working", "w.md"),
        Node("entity:alice", None, "person:alice", "entity"),
    ],
    [
        Link("evil", "hub", "mentions"),
        Link("old", "hub", HOSTILE),
        Link("open", "hub", "disputes"),
        Link("hub", "entity:alice", "about"),
    ],
    [Dangling("hub", HOSTILE, "mentions")],
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    target = tmp_path / "graph.html"
    target.write_text(graph_page(GRAPH, name=HOSTILE, shown="Shown is main."), encoding="utf-8")
    return target


@pytest.fixture
def page(browser: Browser, file: Path) -> Page:
    return browser.open(file, until=SETTLED)


def on_screen(page: Page, name: str) -> tuple[float, float]:
    left, top = page.evaluate("(r => [r.x, r.y])(document.querySelector('canvas').getBoundingClientRect())")
    x, y = page.evaluate(f"gitmemGraph.where({name!r})")
    return x + left, y + top


def test_page_draws_and_tells_of_what_is_clicked(page: Page, file: Path, tmp_path: Path) -> None:
    """Legend, picture, details; a hostile title is text everywhere."""
    assert page.evaluate("[gitmemGraph.count, gitmemGraph.links]") == [6, 4]
    assert page.text("#legend").split() == ["working", "1", "episodic", "1", "semantic", "1", "procedural", "1",
                                            "reflective", "1", "entity", "1"]  # fmt: skip
    page.click(on_screen(page, "hub"))
    assert page.evaluate("gitmemGraph.chosen()") == "hub"
    shown = page.text("#details")
    assert "What all speak of." in shown and "person:alice" in shown and "</script>" in shown
    page.mouse("mouseMoved", *on_screen(page, "old"))
    page.wait("!document.getElementById('hint').hidden")
    assert "An old one" in page.text("#hint")
    page.click(on_screen(page, "evil"))
    assert page.text("#details h2").startswith("</script><script>")
    assert page.evaluate("typeof window.owned") == "undefined"
    assert page.evaluate("document.images.length + document.querySelectorAll('script').length") == 2
    assert page.screenshot(tmp_path / "p.png").stat().st_size > 10_000
    assert page.problems == [] and page.requests == [file.as_uri()]
    page.close()


def test_picture_is_moved_and_zoomed_by_mouse(page: Page) -> None:
    before = page.evaluate("gitmemGraph.view()")
    page.drag((40, 300), (90, 340))
    moved = page.evaluate("gitmemGraph.view()")
    assert (round(moved["x"] - before["x"]), round(moved["y"] - before["y"])) == (50, 40)
    page.mouse("mouseWheel", 600, 400, deltaX=0, deltaY=-300)
    page.wait(f"gitmemGraph.view().scale > {moved['scale']} * 1.2")
    x, y = on_screen(page, "alone")
    page.drag((x, y), (x + 60, y + 30))
    there = on_screen(page, "alone")
    assert abs(there[0] - x - 60) < 25 and abs(there[1] - y - 30) < 25
    page.click("#all")
    page.wait("!gitmemGraph.view().isOwn")
    page.close()


def test_page_is_used_by_keys_alone(page: Page) -> None:
    """Slash, words, Enter; arrows from memory to memory; Escape."""
    page.press("/")
    page.type("disputed")
    page.wait("document.querySelectorAll('#found button').length === 1")
    page.press("Enter")
    assert page.evaluate("gitmemGraph.chosen()") == "open"
    assert "A disputed one" in page.text("#said")
    page.press("Escape")
    assert page.evaluate("gitmemGraph.chosen()") is None
    page.press("ArrowRight")
    assert page.evaluate("gitmemGraph.chosen()") == "hub"
    seen = {page.evaluate("gitmemGraph.chosen()")}
    for arrow in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        page.press(arrow)
        seen.add(page.evaluate("gitmemGraph.chosen()"))
    assert len(seen) > 1
    scale = page.evaluate("gitmemGraph.view().scale")
    page.press("-")
    assert page.evaluate("gitmemGraph.view().scale") < scale
    page.press("Enter")
    assert page.evaluate("document.activeElement.closest('#details') !== null")
    assert page.problems == []
    page.close()


def test_the_same_is_there_as_a_table_also_without_script(page: Page, browser: Browser, file: Path) -> None:
    page.click("#turn")
    shown = page.text("#rows")
    assert (
        "The hub" in shown and "procedural, superseded, archived" in shown and "lead to no memory: 1" in shown
    )
    page.close()
    still = browser.open(file, has_script=False)
    dark = browser.open(file, until=SETTLED, is_dark=True, width=400, height=600)
    assert dark.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 21, 28)"
    assert dark.evaluate("document.documentElement.scrollWidth") <= 400
    assert dark.problems == [] and still.requests == [file.as_uri()]
    still.close()
    dark.close()


def test_types_are_hidden_by_the_legend(page: Page) -> None:
    page.click("#legend .semantic")
    page.click(on_screen(page, "hub"))
    assert page.evaluate("gitmemGraph.chosen()") is None
    assert (
        page.evaluate("document.querySelector('#legend .semantic').getAttribute('aria-pressed')") == "false"
    )
    page.close()


def test_five_thousand_memories_are_drawn(browser: Browser, tmp_path: Path) -> None:
    """Hubs, chains and loners; where it stands is the same each time."""
    nodes = [Node(f"n{n:04}", f"n{n:04}", f"Memory {n}", TYPES[n % 5], "p.md") for n in range(5_000)]
    links = [Link(f"n{n:04}", f"n{n % 60 if n % 3 else n - 1:04}", "about") for n in range(60, 4_900)]
    file = tmp_path / "big.html"
    file.write_text(graph_page(Graph.of(nodes, links), name="big", shown=""), encoding="utf-8")
    page = browser.open(file, until="gitmemGraph.count === 5000 && document.documentElement.dataset.layout")
    assert page.evaluate("document.querySelectorAll('tbody tr').length") == 5_000
    page.press("/")
    page.type("n4321")
    page.wait("document.querySelectorAll('#found button').length === 1")
    assert page.problems == []
    page.close()


def test_the_picture_of_the_documentation_is_small_and_there() -> None:
    """`python -m tests.pages.pictures` makes it."""
    data = (DOCS / "how-to/images/graph.png").read_bytes()
    assert data.startswith(b"\x89PNG") and len(data) < MOST_BYTES
