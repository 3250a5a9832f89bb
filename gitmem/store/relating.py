"""The verbs about how memories hang together. They read; nothing is written but a file that is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.store.handle import Handle

if TYPE_CHECKING:
    from gitmem.flows.relations.graph import Drawn
    from gitmem.flows.relations.related import Related, Way


class RelationVerbs(Handle):
    """What is related to what, by headers, by links in the text and by what memories are about."""

    def related(self, reference: str, *, depth: int = 1, relation: str | None = None) -> Related:
        """What a memory is related to within `depth` links, in both directions, nearest first.

        With `relation`, only links of that name are followed. A name of an entity is found too. Links that
        lead nowhere are named. Raises `NotFound`, `Ambiguous`, `BadInput`.
        """
        from gitmem.flows.relations.related import related

        return related(self._work, reference, depth=depth, relation=relation)

    def path(self, start: str, end: str) -> Way:
        """The fewest links from one memory to another, each with its relation and direction."""
        from gitmem.flows.relations.related import path

        return path(self._work, start, end)

    def graph(
        self,
        *,
        namespace: str | None = None,
        around: str | None = None,
        depth: int = 2,
        archived: bool = False,
        entities: bool = True,
        snippets: bool = False,
    ) -> Drawn:
        """The memories and their links, in a fixed order: of a namespace, `around` a memory, or all.

        Archived memories that others link to are there, marked; with `archived` the others too. With
        `snippets` each memory has the beginning of its text.
        """
        from gitmem.flows.relations.graph import Wanted, graph

        wanted = Wanted(namespace, around, depth, archived, entities, snippets)
        return graph(self._work, wanted)

    def graph_text(self, drawn: Drawn, format: str) -> str:
        """The graph as `html`, `graphml`, `dot` or `mermaid`; the same graph gives the same text.

        Raises `BadInput` for another format.
        """
        from gitmem.flows.relations.graph import text_of

        return text_of(drawn, format)

    def write_graph(self, text: str, target: str | Path) -> Path:
        """Writes the text of a graph to a file, whole or not at all; and where that is.

        Raises `Conflict` where a file stands there that is no graph of gitmem's.
        """
        from gitmem.flows.relations.graph import write_graph

        return write_graph(self._work, Path(target), text)
