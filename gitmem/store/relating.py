"""The verbs about how memories hang together, and about what they are about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.store.handle import Handle, no_origin

if TYPE_CHECKING:
    from gitmem.flows.relations.entities import EntityListing, EntityShown
    from gitmem.flows.relations.graph import Drawn
    from gitmem.flows.relations.merging import Suggestions
    from gitmem.flows.relations.related import Related, Way
    from gitmem.model.change import Origin


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

    def entities(self) -> EntityListing:
        """What memories are about, each with all its names: what most are about first."""
        from gitmem.flows.relations.entities import list_entities

        return list_entities(self._work)

    def entity(self, name: str) -> EntityShown:
        """One entity by any of its names, with the memories that are about it. Raises `NotFound`."""
        from gitmem.flows.relations.entities import show_entity

        return show_entity(self._work, name)

    def suggest_merges(
        self, *, limit: int = 20, dry_run: bool = False, origin: Origin | None = None
    ) -> Suggestions:
        """Proposes to make one of two entities wherever two may be the same; a person accepts or rejects.

        What was proposed before, and perhaps rejected, is not proposed again. With `dry_run` nothing is.
        """
        from gitmem.flows.relations.merging import suggest

        work = self._work if dry_run else self._writable()
        return suggest(work, limit=limit, is_dry=dry_run, origin=origin or no_origin())
