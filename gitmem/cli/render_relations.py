"""The text of the commands about relations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.cli.terminal import BOLD, DIM, YELLOW, fitted, painted, width_columns
from gitmem.model.visible import memories_text, one_line

if TYPE_CHECKING:
    from gitmem.flows.relations.entities import EntityListing, EntityShown
    from gitmem.flows.relations.graph import Drawn
    from gitmem.flows.relations.merging import Suggestions
    from gitmem.flows.relations.related import End, Neighbour, Related, Way

ENTITY = "entity"


def related_text(found: Related) -> str:
    """The memory, then a line for each link, indented by how far away it is."""
    lines = [f"{_named(found.of)}"]
    lines += [_neighbour_line(each) for each in found.neighbours]
    lines += [
        f"  → {one_line(each.relation)}  {painted('no memory', YELLOW)} “{one_line(each.name)}”"
        for each in found.dangling
    ]
    if len(lines) == 1:
        lines.append("related to nothing, and nothing links to it")
    return "\n".join(lines) + "\n"


def _neighbour_line(each: Neighbour) -> str:
    arrow = "←" if each.is_backlink else "→"
    via = painted(f"  by {one_line(each.via)}", DIM) if each.depth > 1 else ""
    return f"{'  ' * each.depth}{arrow} {one_line(each.relation)}  {_named(each.end)}{via}"


def path_text(way: Way) -> str:
    """The first memory, then a line for each step."""
    if way.steps is None:
        return f"no way leads from {_short(way.start)} to {_short(way.end)}\n"
    lines = [_named(way.start)]
    for step in way.steps:
        arrow = "←" if step.is_backlink else "→"
        lines.append(f"  {arrow} {one_line(step.relation)}  {_named(step.end)}")
    return "\n".join(lines) + "\n"


def graph_written_text(drawn: Drawn, target: Path, form: str) -> str:
    memories = memories_text(sum(1 for node in drawn.graph.nodes if node.id is not None))
    links = len(drawn.graph.links)
    return f"{one_line(str(target))}: {memories}, {links:,} link{'' if links == 1 else 's'}, as {form}\n"


def entities_text(listing: EntityListing) -> str:
    """A line for each entity: how many memories are about it, its names, and the id of its memory."""
    if not listing.entities:
        return "no memory is about anything that it names\n"
    return "".join(_entity_line(each) for each in listing.entities)


def _entity_line(shown: EntityShown) -> str:
    head = f"{shown.mentions:>5,}  "
    names = one_line(", ".join(shown.names))
    kept = painted(shown.end.id, YELLOW) if shown.end.id else painted("no memory of its own", DIM)
    width = width_columns()
    return f"{head}{fitted(names, width and max(20, width - 34))}  {kept}\n"


def entity_text(shown: EntityShown) -> str:
    """The entity with its names, and the memories that are about it."""
    lines = [_named(shown.end)]
    if len(shown.names) > 1:
        lines.append(f"also called: {one_line(', '.join(shown.names[1:]))}")
    lines.append(f"{memories_text(shown.mentions)} about it" + (":" if shown.about else ""))
    lines += [f"  {_named(end)}" for end in shown.about]
    return "\n".join(lines) + "\n"


def suggestions_text(found: Suggestions) -> str:
    """A block for each pair: who would be kept, why, and the proposal."""
    lines = []
    for each in found.suggested:
        lines.append(f"{one_line(each.other.title)} may be {one_line(each.kept.title)} ({each.kept.id})")
        lines.append(f"    {one_line(each.reason)}")
        if each.proposal is not None:
            lines.append(f"    proposed as {each.proposal.proposal.name}")
        elif each.is_known:
            lines.append("    was proposed before")
    lines += [f"{found.left} more; run the command again when these are decided"] if found.left else []
    return "\n".join(lines or ["no two entities look as if they were one"]) + "\n"


def _short(end: End) -> str:
    return one_line(end.id or end.title)


def _named(end: End) -> str:
    width = width_columns()
    if end.id is None:
        return f"{painted(one_line(end.title), BOLD)}  {painted('entity', DIM)}"
    marks = [end.type, *([end.status] if end.status not in (None, "active") else [])]
    marks += ["archived"] if end.is_archived else []
    title = fitted(one_line(end.title), width and max(20, width - 40))
    return f"{painted(end.id, YELLOW)}  {title}  {painted(', '.join(marks), DIM)}"
