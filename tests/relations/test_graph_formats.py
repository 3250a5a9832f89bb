"""A graph as text: the same bytes for the same graph, and a title is data whatever it holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import BadInput, Conflict, NotFound
from gitmem.evolve.graph_data import Graph, Node, harmless
from gitmem.evolve.graph_formats import TEXTS, dot_text, graphml_text, mermaid_text
from gitmem.evolve.graph_page import graph_page
from gitmem.evolve.relations import Link
from gitmem.flows.writing.drafting import Request
from gitmem.store import Store
from tests.conftest import gitmem

XMLNS = "{http://graphml.graphdrawing.org/xmlns}"
TITLES = st.text(
    st.sampled_from("\"'\\<>&#;`|[](){}%@\n\r\t\x00\x1b\x85\u2028\u202e\u2066\u200f\ufeff\ufffe\ud800-]a张 ")
    | st.characters(exclude_categories=()),
    max_size=40,
)


def graph_of(title: str, relation: str = "supports") -> Graph:
    shown = harmless(title, 160)
    return Graph.of(
        [Node("aa", "aa", shown, "semantic", "a.md"), Node(f"entity:{shown}", None, shown, "entity")],
        [Link("aa", f"entity:{shown}", harmless(relation, 160))],
    )


@given(TITLES, TITLES)
def test_a_title_ends_no_quotes_and_begins_no_markup(title: str, relation: str) -> None:
    """DOT, GraphML, Mermaid and the data of the page are read back, or have the number of lines they should."""
    graph = graph_of(title, relation)
    tree = ElementTree.fromstring(graphml_text(graph))
    read = [data.text for data in tree.iter(f"{XMLNS}data") if data.get("key") == "relation"]
    assert read == [graph.links[0].relation or None]
    dot = dot_text(graph)
    assert dot.count("\n") == 7
    for line in dot.splitlines()[3:6]:
        # Outside of strings there is nothing that was not written by us.
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "S", line)
        assert re.fullmatch(r"  S (-> S )?\[[a-z=S, ]+\];", bare), line
    mermaid = mermaid_text(graph)
    for line in mermaid.splitlines()[2:5]:
        assert line.count('"') == 2 and not re.search(r'".*[<>`\[\]{}|&\\].*"', line)
    page = graph_page(graph, name=title, shown="")
    data = page.partition('<script id="data" type="application/json">')[2].partition("</script>")[0]
    assert json.loads(data)["nodes"][0][0] == graph.nodes[0].title
    assert len(re.findall("<script", page)) == 2 and len(re.findall("</script", page)) == 2


@given(TITLES)
def test_what_is_written_is_one_line_that_turns_nothing_round(title: str) -> None:
    shown = harmless(title, 30)
    assert len(shown) <= 30 and not re.search(
        "[\x00-\x1f\x7f-\x9f\u2028\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]", shown
    )
    shown.encode("utf-8")


@pytest.fixture
def linked(store: Store) -> Store:
    store.remember_all(
        [
            Request("One [[two]].", id="one", title="One", namespace="a", entities=["person:x"]),
            Request("Two.", id="two", title="Two", namespace="b/c", entities=["person:x", "person:y"]),
            Request("Three [[none]].", id="three", title="Three", namespace="b", supersedes=["gone"]),
            Request("Gone.", id="gone", title="Gone"),
            Request("Out of the way.", id="away", title="Away"),
        ]
    )
    store.archive(["gone", "away"])
    return store


def keys(store: Store, **wanted: object) -> list[str]:
    return [node.key for node in store.graph(**wanted).graph.nodes]  # type: ignore[arg-type]


def test_graph_has_what_is_wanted(linked: Store) -> None:
    """All, a namespace with what it is linked with, what is around one, the archive; shared entities."""
    assert keys(linked) == ["entity:person:x", "gone", "one", "three", "two"]
    assert keys(linked, archived=True) == ["away", "entity:person:x", "gone", "one", "three", "two"]
    assert keys(linked, entities=False, namespace="b") == ["gone", "one", "three", "two"]
    assert keys(linked, around="three", depth=1) == ["gone", "three"]
    assert keys(linked.on("archive")) == ["away", "gone"]
    drawn = linked.graph()
    assert [node.key for node in drawn.graph.nodes if node.is_archived] == ["gone"]
    assert [(each.source, each.name) for each in drawn.graph.dangling] == [("three", "none")]
    with pytest.raises(NotFound):
        linked.graph(around="nobody")


def test_the_same_graph_gives_the_same_bytes(linked: Store, folder: Path) -> None:
    again = Store.open(folder)
    for form in ("html", *TEXTS):
        text = linked.graph_text(linked.graph(snippets=True), form)
        assert text == again.graph_text(again.graph(snippets=True), form)
    with pytest.raises(BadInput, match="--format"):
        linked.graph_text(linked.graph(), "svg")


def test_only_a_graph_of_ours_is_replaced(linked: Store, tmp_path: Path, folder: Path) -> None:
    """By any format that has its own file; never a stranger's, a link, or one among git's."""
    for name in ("g.html", "g.dot", "g.mmd", "g.graphml", "g.json"):
        for _ in range(2):
            assert gitmem(folder, "graph", "-o", str(tmp_path / name)).code == 0
    mine = tmp_path / "notes.html"
    mine.write_text("my notes on gitmem graph")
    ran = gitmem(folder, "graph", "-o", str(mine))
    assert ran.code == 4 and "no graph that gitmem wrote" in ran.err
    assert mine.read_text() == "my notes on gitmem graph"
    link = tmp_path / "link.html"
    link.symlink_to(tmp_path / "g.html")
    with pytest.raises(Conflict):
        linked.write_graph("x", link)
    assert gitmem(folder, "graph", "-o", str(folder / ".git/g.html")).code == 2


def test_large_graphs_keep_what_has_most_links() -> None:
    nodes = [Node(f"n{number}", f"n{number}", "t", "semantic", "p") for number in range(9)]
    graph = Graph.of(nodes, [Link("n7", "n8", "r"), Link("n6", "n8", "r")]).limited(3)
    assert [node.key for node in graph.nodes] == ["n6", "n7", "n8"] and graph.left_out == 6
    assert "Not drawn: 6" in graph_page(graph, name="x", shown="")
