"""Makes the pictures of the documentation anew, from the sample store, in Chromium.

python -m tests.pages.pictures
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from gitmem.store import Store
from tests.browser import Browser
from tests.docs.pages import DOCS, SAMPLE

GRAPH = DOCS / "how-to/images/graph.png"
WIDTH, HEIGHT = 1180, 720
MOST_BYTES = 150_000
SETTLED = "document.documentElement.dataset.layout === 'settled'"


def sample_store(folder: Path) -> Store:
    """The sample store with a few links of its own; the folder is called `sample-store`."""
    store = Store.init(folder / "sample-store")
    top = folder / "sample-store"
    shutil.copytree(SAMPLE / "memories", top, dirs_exist_ok=True)
    store.commit_edits()
    store.remember_jsonl((SAMPLE / "session.jsonl").read_text("utf-8"))
    store.link("wqm6h2tz", "ztq9m5wc", relation="learned-from")
    store.link("wqm6h2tz", "kda4x8gp", relation="explains")
    store.append("rjf9c5nu", "Beware of the [[Rate limit of the carrier API]].")
    return store


def choose(page: object, name: str) -> None:
    """A click on the memory of this id."""
    from tests.browser import Page

    assert isinstance(page, Page)
    left, top = page.evaluate("(r => [r.x, r.y])(document.querySelector('canvas').getBoundingClientRect())")
    x, y = page.evaluate(f"gitmemGraph.where({name!r})")
    page.click((x + left, y + top))
    page.wait(f"gitmemGraph.chosen() === {name!r}")


def draw_graph(browser: Browser, folder: Path, target: Path, *, is_dark: bool = False) -> None:
    """The picture of `docs/how-to/graph.md`."""
    store = sample_store(folder)
    drawn = store.graph(snippets=True)
    file = store.write_graph(store.graph_text(drawn, "html"), folder / "graph.html")
    page = browser.open(file, until=SETTLED, width=WIDTH, height=HEIGHT, is_dark=is_dark)
    choose(page, "wqm6h2tz")
    page.screenshot(target)
    page.close()


def main() -> None:
    os.environ["GITMEM_IDENTITY"] = "person:you"
    with tempfile.TemporaryDirectory() as name, Browser.start() as browser:
        home = Path(name, "home")
        home.mkdir()
        (home / ".gitconfig").write_text("[user]\n\tname = You\n\temail = you@example.com\n")
        os.environ |= {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
        GRAPH.parent.mkdir(exist_ok=True)
        draw_graph(browser, Path(name), GRAPH)
    print(f"{GRAPH.relative_to(DOCS.parent)}: {GRAPH.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
