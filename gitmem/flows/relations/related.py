"""related and path: what a memory stands in relation to, both ways, and how two memories hang together."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.errors import BadInput
from gitmem.evolve.graph_walk import Near, nearby, shortest_path
from gitmem.evolve.relations import ENTITY, Dangling, Link, Standing
from gitmem.flows.relations.looking import Relations, ask, start_of
from gitmem.flows.work import Work

MOST_DEPTH = 10


class End(Struct, frozen=True):
    """A memory at the end of a link, or an entity that no memory is of: then `id` and `path` are None."""

    id: str | None
    title: str
    type: str
    path: str | None = None
    status: str | None = None
    is_archived: bool = False


class Neighbour(Struct, frozen=True):
    """What is `depth` links away, by the last of them; `via` is the id or name of what that link joins it to.

    `is_backlink` says that the link stands in the neighbour itself.
    """

    end: End
    relation: str
    is_backlink: bool
    depth: int
    via: str


class Missing(Struct, frozen=True):
    """A name that a memory links to, where there is none that the asker could see."""

    id: str
    name: str
    relation: str


class Related(Struct, frozen=True):
    """A memory with what it is related to, nearest first, and what it links to that is not there."""

    of: End
    neighbours: Sequence[Neighbour]
    dangling: Sequence[Missing]
    branch: str
    notes: Sequence[str] = ()


class Step(Struct, frozen=True):
    """One link of a way; `is_backlink` says that it is gone against its direction."""

    start: End
    relation: str
    is_backlink: bool
    end: End


class Way(Struct, frozen=True):
    """How two memories hang together: the fewest steps; None where they do not."""

    start: End
    end: End
    steps: Sequence[Step] | None
    branch: str
    notes: Sequence[str] = ()


def related(work: Work, reference: str, *, depth: int, relation: str | None) -> Related:
    """What the memory is related to within `depth` links, of all relations or of one.

    Raises `NotFound`, `Ambiguous`, and `BadInput` for a depth that is not from 1 to 10.
    """
    if not 1 <= depth <= MOST_DEPTH:
        raise BadInput(f"--depth: {depth} is not from 1 to {MOST_DEPTH}", field="depth")

    def question(relations: Relations | None) -> Related:
        start = start_of(work, relations, reference)
        assert relations is not None, "a memory was found"

        def passes(key: str) -> bool:
            # Everything about one project is no answer to what one memory is related to.
            return isinstance(relations.node(key), Standing) or relation is not None

        near = nearby(start, relations.around, depth=depth, relation=relation, passes=passes)
        neighbours = [_neighbour(relations, each) for each in near]
        node = relations.node(start)
        missing = relations.outgoing(node)[1] if isinstance(node, Standing) else []
        return Related(end_of(relations, start), neighbours, missing_of(relations, missing), work.branch)

    answer, notes = ask(work, question)
    return Related(answer.of, answer.neighbours, answer.dangling, answer.branch, notes)


def path(work: Work, start: str, end: str) -> Way:
    """The shortest way from one memory to another, along links of both directions. Raises as `related`."""

    def question(relations: Relations | None) -> Way:
        first, last = start_of(work, relations, start), start_of(work, relations, end)
        assert relations is not None, "a memory was found"
        links = shortest_path(first, last, relations.around)
        steps = None if links is None else _steps(relations, first, links)
        return Way(end_of(relations, first), end_of(relations, last), steps, work.branch)

    answer, notes = ask(work, question)
    return Way(answer.start, answer.end, answer.steps, answer.branch, notes)


def end_of(relations: Relations, key: str) -> End:
    """What stands at a node, as it is shown."""
    node = relations.node(key)
    if not isinstance(node, Standing):
        return End(None, node.name, ENTITY)
    record = node.record
    return End(record.id, record.title, str(record.type), record.path, str(record.status), node.is_archived)


def missing_of(relations: Relations, dangling: Sequence[Dangling]) -> list[Missing]:
    """Links that lead nowhere, with the id of the memory as it is spelled."""
    return [Missing(name_of(end_of(relations, each.source)), each.name, each.relation) for each in dangling]


def name_of(end: End) -> str:
    """By what a person names it: the id, or the entity."""
    return end.title if end.id is None else end.id


def _neighbour(relations: Relations, near: Near) -> Neighbour:
    return Neighbour(
        end_of(relations, near.key),
        near.link.relation,
        near.is_backlink,
        near.depth,
        name_of(end_of(relations, near.via)),
    )


def _steps(relations: Relations, start: str, links: Sequence[Link]) -> list[Step]:
    steps, here = [], start
    for link in links:
        other = link.other(here)
        steps.append(
            Step(end_of(relations, here), link.relation, link.source != here, end_of(relations, other))
        )
        here = other
    return steps
