"""A graph of memories as it is written down: nodes and links in a fixed order, texts that nothing obeys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gitmem.evolve.relations import ENTITY, Dangling, Link
from gitmem.model.memory import MemoryType
from gitmem.model.visible import one_line

MARK = "gitmem graph"
"""Stands at the beginning of each file that gitmem writes a graph to, so that it knows its own."""
TYPES = (*map(str, MemoryType), ENTITY)
LONGEST_TITLE = 160
LONGEST_SNIPPET = 280
_DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f\ufeff\ufffe\uffff]")
"""Invisible, and they turn what stands beside them round; or are no characters at all."""


class Node(Struct, frozen=True):
    """A memory, or an entity that no memory is of: then `id` and `path` are None, the type is `entity`."""

    key: str
    id: str | None
    title: str
    type: str
    path: str | None = None
    namespace: str = ""
    status: str = "active"
    created: str | None = None
    is_archived: bool = False
    snippet: str = ""


class Graph(Struct, frozen=True):
    """Nodes by key and links by source, target and relation; both ends of each link are among the nodes."""

    nodes: Sequence[Node]
    links: Sequence[Link]
    dangling: Sequence[Dangling] = ()
    left_out: int = 0
    """How many nodes were left out, since the graph would have been too large for what it is for."""

    @classmethod
    def of(cls, nodes: Iterable[Node], links: Iterable[Link], dangling: Iterable[Dangling] = ()) -> Graph:
        """The graph of `nodes`, with those of `links` of which it has both ends."""
        by_key = {node.key: node for node in nodes}
        kept = {link for link in links if link.source in by_key and link.target in by_key}
        return cls(
            tuple(by_key[key] for key in sorted(by_key)),
            tuple(sorted(kept)),
            tuple(sorted({each for each in dangling if each.source in by_key})),
        )

    @property
    def degrees(self) -> Counter[str]:
        """How many links each node has."""
        return Counter(end for link in self.links for end in (link.source, link.target))

    def limited(self, most: int) -> Graph:
        """At most so many nodes, those with the most links; of equals the first by key."""
        if len(self.nodes) <= most:
            return self
        degrees = self.degrees
        kept = sorted(self.nodes, key=lambda node: (-degrees[node.key], node.key))[:most]
        smaller = Graph.of(kept, self.links, self.dangling)
        return replace(smaller, left_out=self.left_out + len(self.nodes) - len(kept))


def harmless(text: str, most: int) -> str:
    """`text` as one line of at most `most` characters, without controls and what changes its direction."""
    line = one_line(_DIRECTION_MARKS.sub("", text))
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
