"""A graph as text for other programs: DOT for Graphviz, Mermaid, GraphML.

The same graph gives the same bytes. A title is data in each of them, whatever it holds: it can neither end
its quotes nor begin markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from xml.sax.saxutils import escape, quoteattr

from gitmem.evolve.graph_data import MARK, Graph, Node
from gitmem.evolve.relations import ENTITY

_LONGEST_LABEL = 60
_COLOURS = {
    "semantic": "#0072b2",
    "procedural": "#009e73",
    "episodic": "#e69f00",
    "reflective": "#cc79a7",
    "working": "#56b4e9",
    ENTITY: "#8a8f98",
}
_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPECIAL_IN_MERMAID = re.compile(r"[^\w .,:!?()+=/\u00a0-\U0010ffff-]", re.ASCII)


def dot_text(graph: Graph) -> str:
    """The graph in Graphviz' language. Names of nodes are ids, or `entity:NAME`."""
    lines = [f"// {MARK}", "digraph memories {", "  node [shape=box, style=rounded];"]
    for node in graph.nodes:
        shape = ", shape=ellipse" if node.type == ENTITY else ""
        dashed = ', style="rounded,dashed"' if node.is_archived else ""
        colour = _COLOURS.get(node.type, _COLOURS[ENTITY])
        label = _in_dot(_label(node))
        lines.append(f'  {_in_dot(node.key)} [label={label}, color="{colour}"{shape}{dashed}];')
    for link in graph.links:
        ends = f"{_in_dot(link.source)} -> {_in_dot(link.target)}"
        lines.append(f"  {ends} [label={_in_dot(link.relation)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _in_dot(text: str) -> str:
    """A quoted string, in which a backslash would begin an escape: `\\N` is the name of the node."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def mermaid_text(graph: Graph) -> str:
    """The graph as Mermaid's flowchart, which GitHub and Obsidian draw."""
    names = {node.key: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = [f"%% {MARK}", "flowchart LR"]
    for node in graph.nodes:
        opening, closing = ("([", "])") if node.type == ENTITY else ("[", "]")
        kind = "archived" if node.is_archived else node.type
        lines.append(f'  {names[node.key]}{opening}"{_in_mermaid(_label(node))}"{closing}:::{kind}')
    for link in graph.links:
        label = _in_mermaid(link.relation)
        lines.append(f'  {names[link.source]} -->|"{label}"| {names[link.target]}')
    lines += [f"  classDef {kind} stroke:{colour},stroke-width:2px" for kind, colour in _COLOURS.items()]
    lines.append("  classDef archived stroke:#8a8f98,stroke-dasharray:4 3")
    return "\n".join(lines) + "\n"


def _in_mermaid(text: str) -> str:
    """Text between quotes, in which everything that could be markup is the number of its character."""
    return _SPECIAL_IN_MERMAID.sub(lambda found: f"#{ord(found.group())};", text)


def graphml_text(graph: Graph) -> str:
    """The graph as GraphML, with what is known of each node and link as data."""
    keys = {
        "node": ("id", "title", "type", "path", "namespace", "status", "created", "archived"),
        "edge": ("relation",),
    }
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- {MARK} -->",
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ]
    for where, names in keys.items():
        for name in names:
            kind = "boolean" if name == "archived" else "string"
            lines.append(f'  <key id="{name}" for="{where}" attr.name="{name}" attr.type="{kind}"/>')
    lines.append('  <graph id="memories" edgedefault="directed">')
    for node in graph.nodes:
        lines.append(f"    <node id={_attribute(node.key)}>")
        lines += [f'      <data key="{name}">{_xml(text)}</data>' for name, text in _data(node) if text]
        lines.append("    </node>")
    for number, link in enumerate(graph.links):
        ends = f"source={_attribute(link.source)} target={_attribute(link.target)}"
        lines.append(f'    <edge id="e{number}" {ends}>')
        lines += [f'      <data key="relation">{_xml(link.relation)}</data>', "    </edge>"]
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def _data(node: Node) -> list[tuple[str, str | None]]:
    return [
        ("id", node.id),
        ("title", node.title),
        ("type", node.type),
        ("path", node.path),
        ("namespace", node.namespace),
        ("status", node.status),
        ("created", node.created),
        ("archived", "true" if node.is_archived else "false"),
    ]


def _xml(text: str) -> str:
    return escape(_NOT_IN_XML.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(_NOT_IN_XML.sub("\ufffd", text))


def _label(node: Node) -> str:
    title = node.title
    cut = title if len(title) <= _LONGEST_LABEL else title[: _LONGEST_LABEL - 1].rstrip() + "…"
    return f"{cut} (archived)" if node.is_archived else cut


TEXTS: Mapping[str, Callable[[Graph], str]] = {
    "dot": dot_text,
    "mermaid": mermaid_text,
    "graphml": graphml_text,
}
