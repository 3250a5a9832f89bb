"""The JSON of the commands about relations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape

if TYPE_CHECKING:
    from gitmem.evolve.entities import Known
    from gitmem.evolve.graph_data import Node
    from gitmem.flows.relations.entities import EntityListing, EntityShown
    from gitmem.flows.relations.graph import Drawn
    from gitmem.flows.relations.merging import Suggestions
    from gitmem.flows.relations.related import End, Related, Way

MADE_BY = "gitmem graph"


def end_shape(end: End) -> Shape:
    return {
        "id": end.id,
        "title": end.title,
        "type": end.type,
        "path": end.path,
        "status": end.status,
        "archived": end.is_archived,
    }


def related_shape(found: Related) -> Shape:
    return {
        **end_shape(found.of),
        "branch": found.branch,
        "related": [
            {
                "relation": each.relation,
                "direction": "in" if each.is_backlink else "out",
                "depth": each.depth,
                "via": each.via,
                **end_shape(each.end),
            }
            for each in found.neighbours
        ],
        "dangling": [{"name": each.name, "relation": each.relation} for each in found.dangling],
        "notes": list(found.notes),
    }


def path_shape(way: Way) -> Shape:
    return {
        "branch": way.branch,
        "from": end_shape(way.start),
        "to": end_shape(way.end),
        "length": None if way.steps is None else len(way.steps),
        "steps": None
        if way.steps is None
        else [
            {
                "from": end_shape(step.start),
                "relation": step.relation,
                "direction": "in" if step.is_backlink else "out",
                "to": end_shape(step.end),
            }
            for step in way.steps
        ],
        "notes": list(way.notes),
    }


def drawn_shape(drawn: Drawn) -> Shape:
    """The graph itself; it begins with what made it, so that a file is known again."""
    return {
        "made_by": MADE_BY,
        "branch": drawn.branch,
        "commit": drawn.commit,
        "nodes": [_node_shape(node) for node in drawn.graph.nodes],
        "links": [
            {"source": link.source, "target": link.target, "relation": link.relation}
            for link in drawn.graph.links
        ],
        "dangling": [
            {"source": each.source, "name": each.name, "relation": each.relation}
            for each in drawn.graph.dangling
        ],
        "notes": list(drawn.notes),
    }


def _node_shape(node: Node) -> Shape:
    return {
        "key": node.key,
        "id": node.id,
        "title": node.title,
        "type": node.type,
        "path": node.path,
        "namespace": node.namespace,
        "status": node.status,
        "created": node.created,
        "archived": node.is_archived,
        "snippet": node.snippet,
    }


def graph_written_shape(drawn: Drawn, target: Path, form: str) -> Shape:
    return {
        "file": str(target),
        "format": form,
        "memories": sum(1 for node in drawn.graph.nodes if node.id is not None),
        "links": len(drawn.graph.links),
        "notes": list(drawn.notes),
    }


def entities_shape(listing: EntityListing) -> Shape:
    return {
        "branch": listing.branch,
        "commit": listing.commit,
        "entities": [_entity(each) for each in listing.entities],
        "notes": list(listing.notes),
    }


def entity_shape(shown: EntityShown) -> Shape:
    return {
        **_entity(shown),
        "branch": shown.branch,
        "about": [end_shape(end) for end in shown.about],
        "notes": list(shown.notes),
    }


def _entity(shown: EntityShown) -> Shape:
    return {
        "id": shown.end.id,
        "title": shown.end.title,
        "path": shown.end.path,
        "names": list(shown.names),
        "kinds": list(shown.kinds),
        "mentions": shown.mentions,
    }


def suggestions_shape(found: Suggestions) -> Shape:
    return {
        "suggestions": [
            {
                "kept": _known(each.kept),
                "other": _known(each.other),
                "reason": each.reason,
                "proposal": None if each.proposal is None else each.proposal.proposal.name,
                "known": each.is_known,
            }
            for each in found.suggested
        ],
        "left": found.left,
        "notes": list(found.notes),
    }


def _known(known: Known) -> Shape:
    return {"id": known.id, "names": list(known.names), "mentions": known.mentions}
