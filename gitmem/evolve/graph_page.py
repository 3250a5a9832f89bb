"""A graph as one page: an interactive picture, and the same as a table, in a single file.

The page asks for nothing: its policy lets only its own style and script be used, by their hashes. What
memories say is in it as JSON in which nothing can end the element, and as text in the table.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files

from gitmem.evolve.graph_data import TYPES, Graph, Node
from gitmem.model.visible import memories_text

_PLACE = re.compile(r"@([a-z]+)@")
_NOT_IN_SCRIPT = re.compile("[<>&\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]")


def graph_page(graph: Graph, *, name: str, shown: str) -> str:
    """The page. `name` is what the store is called, `shown` says of what commit it is the graph."""
    style, script = _file("graph.css"), _file("graph.js")
    entities = sum(1 for node in graph.nodes if node.id is None)
    counted = memories_text(len(graph.nodes) - entities)
    links = f"{len(graph.links):,} link{'' if len(graph.links) == 1 else 's'}"
    about = f"{counted}, {links}. {shown}"
    if graph.left_out:
        about += f" Not drawn: {graph.left_out:,} with fewer links."
    return _filled(
        _file("graph.html"),
        {
            "policy": _policy(style, script),
            "title": escape(f"Memories of {name}"),
            "about": escape(about),
            "style": style,
            "caption": escape(about),
            "rows": _rows(graph),
            "dangling": _dangling(graph),
            "data": _data(graph),
            "script": script,
        },
    )


@cache
def _file(name: str) -> str:
    return files("gitmem.evolve").joinpath("page", name).read_text("utf-8")


def _filled(template: str, parts: Mapping[str, str]) -> str:
    """`template` with its places filled, once: what is filled in has no places."""
    return _PLACE.sub(lambda found: parts[found.group(1)], template)


def _policy(style: str, script: str) -> str:
    allowed = {"script-src": script, "style-src": style}
    hashes = "; ".join(f"{name} 'sha256-{_digest(text)}'" for name, text in allowed.items())
    return f"default-src 'none'; {hashes}; img-src data:; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _data(graph: Graph) -> str:
    """The graph as the script reads it: rows by number, so that it stays small."""
    numbers = {node.key: number for number, node in enumerate(graph.nodes)}
    relations = {name: number for number, name in enumerate(sorted({link.relation for link in graph.links}))}
    data = {
        "types": list(TYPES),
        "relations": list(relations),
        "nodes": [_row(node) for node in graph.nodes],
        "links": [
            [numbers[link.source], numbers[link.target], relations[link.relation]] for link in graph.links
        ],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return _NOT_IN_SCRIPT.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _row(node: Node) -> list[object]:
    return [
        node.title,
        node.id,
        TYPES.index(node.type),
        node.status,
        int(node.is_archived),
        node.namespace,
        node.created,
        node.snippet,
    ]


def _rows(graph: Graph) -> str:
    degrees = graph.degrees
    most_first = sorted(graph.nodes, key=lambda node: (-degrees[node.key], node.title.casefold(), node.key))
    return "".join(_table_row(node, degrees[node.key]) for node in most_first)


def _table_row(node: Node, links: int) -> str:
    marks = [node.status] if node.status != "active" else []
    kind = ", ".join([node.type, *marks, *(["archived"] if node.is_archived else [])])
    snippet = f"<small>{escape(node.snippet)}</small>" if node.snippet not in ("", node.title) else ""
    cells = (escape(node.title) + snippet, escape(node.id or ""), kind, escape(node.namespace), f"{links:,}")
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"


def _dangling(graph: Graph) -> str:
    """The links that lead nowhere, named; nothing where there are none."""
    if not graph.dangling:
        return ""
    titles = {node.key: node.title for node in graph.nodes}
    rows = "".join(
        f"<tr><td>{escape(titles[each.source])}</td><td>{escape(each.relation)}</td>"
        f"<td>{escape(each.name)}</td></tr>\n"
        for each in graph.dangling
    )
    return (
        f"<table>\n<caption>Links that lead to no memory: {len(graph.dangling):,}</caption>\n<thead><tr>"
        f'<th scope="col">In</th><th scope="col">Relation</th><th scope="col">Name</th></tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table>\n"
    )
