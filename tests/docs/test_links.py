"""Every internal link of the documentation leads somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import DOCS, anchors, links, name_of, pages


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_internal_links_resolve(page: Path) -> None:
    """A link names a file that is there, and a heading that is in it."""
    text = page.read_text("utf-8")
    broken = []
    for link in links(text):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
            broken.append(link)
    assert not broken, f"{name_of(page)}: {broken}"


def test_every_page_can_be_reached_from_the_index() -> None:
    """docs/README.md links to every page under docs."""
    index = DOCS / "README.md"
    reached = {(DOCS / link.partition("#")[0]).resolve() for link in links(index.read_text("utf-8"))}
    missing = [
        name_of(page) for page in pages() if DOCS in page.parents and page != index and page not in reached
    ]
    assert not missing
