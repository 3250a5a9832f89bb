"""The TREE extension of git's index: for each folder the tree it was last written as, or "not known".

node: name NUL count SP subtrees LF [20 bytes id, unless count is -1] | subtree nodes
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable

from msgspec import Struct

_NODE = re.compile(rb"([^\0]*)\0(?:-1 (\d+)\n|\d+ (\d+)\n.{20})", re.DOTALL)


class NodePlaces(Struct, frozen=True):
    """Where each node begins, in the order of the bytes, and the number of the node behind its subtrees."""

    starts: array[int]
    behind: array[int]


def find_nodes(content: bytes) -> NodePlaces | None:
    """The places of all nodes; None where the extension cannot be read."""
    starts, behind = array("I"), array("I")
    open_nodes: list[list[int]] = []
    at = 0
    for number, match in enumerate(_NODE.finditer(content)):
        if match.start() != at or (not match[1]) != (number == 0) or (number and not open_nodes):
            return None
        at = match.end()
        starts.append(match.start())
        behind.append(0)
        open_nodes.append([number, int(match[2] or match[3])])
        while open_nodes and open_nodes[-1][1] == 0:
            closed, _ = open_nodes.pop()
            behind[closed] = number + 1
            if open_nodes:
                open_nodes[-1][1] -= 1
    return NodePlaces(starts, behind) if at == len(content) and not open_nodes else None


def invalidated(
    content: bytes, paths: Iterable[bytes], places: NodePlaces | None = None
) -> tuple[bytes, NodePlaces] | None:
    """`content` with every folder above one of `paths` marked as not known, and where its nodes are then.

    None where it cannot be read, or where a folder made way for a file.
    """
    places = places or find_nodes(content)
    if places is None or not places.starts:
        return None
    marked = _nodes_above(content, places, paths)
    if marked is None:
        return None
    pieces: list[bytes] = []
    starts = array("I")
    done = first = shift = 0
    for number in sorted(marked):
        at = places.starts[number]
        match = _NODE.match(content, at)
        if match is None:
            return None
        node = b"%b\0-1 %b\n" % (match[1], match[2] or match[3])
        pieces += [content[done:at], node]
        starts.extend([start + shift for start in places.starts[first : number + 1]])
        done, first = match.end(), number + 1
        shift += len(node) - (match.end() - at)
    pieces.append(content[done:])
    starts.extend([start + shift for start in places.starts[first:]])
    return b"".join(pieces), NodePlaces(starts, places.behind)


def _nodes_above(content: bytes, places: NodePlaces, paths: Iterable[bytes]) -> set[int] | None:
    """The numbers of the nodes of the folders above `paths`; None where one of `paths` itself has a node."""
    ends = set(paths)
    below: dict[bytes, set[bytes]] = {}
    for path in ends:
        while path:
            folder, slash, name = path.rpartition(b"/")
            below.setdefault(folder + slash, set()).add(name)
            path = folder
    marked = {0}
    stack = [(0, b"")]
    while stack:
        number, prefix = stack.pop()
        names = below.get(prefix, ())
        child, end = number + 1, places.behind[number]
        while child < end:
            start = places.starts[child]
            name = content[start : content.index(b"\0", start)]
            if name in names:
                if prefix + name in ends:
                    # The number of subtrees stands in the node above, so this one cannot simply go.
                    return None
                if prefix + name + b"/" in below:
                    marked.add(child)
                    stack.append((child, prefix + name + b"/"))
            child = places.behind[child]
    return marked
