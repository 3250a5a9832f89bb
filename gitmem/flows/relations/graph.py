"""graph: the memories of a store and their links as a picture, or as a file for other programs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import BadInput, Conflict
from gitmem.evolve.graph_data import LONGEST_SNIPPET, LONGEST_TITLE, MARK, Graph, Node, harmless
from gitmem.evolve.graph_formats import TEXTS
from gitmem.evolve.graph_page import graph_page
from gitmem.evolve.graph_walk import nearby
from gitmem.evolve.relations import ENTITY, Dangling, Link, Standing
from gitmem.flows.relations.looking import Entity, Relations, ask, start_of
from gitmem.flows.relations.related import MOST_DEPTH
from gitmem.flows.work import Work
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory

FORMATS = ("html", "graphml", "dot", "mermaid", "json")
MOST_DRAWN = 5_000
"""So many nodes a page draws smoothly; a larger graph is drawn with those that have the most links."""
_OWN_BEGINNINGS = tuple(
    beginning.encode()
    for beginning in (
        f"<!doctype html>\n<!-- {MARK} -->",
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- {MARK} -->',
        f"// {MARK}\n",
        f"%% {MARK}\n",
        f'{{"made_by": "{MARK}"',
    )
)
"""How files begin that gitmem wrote."""


class Wanted(Struct, frozen=True):
    """Of what there is to be a graph.

    `namespace`: its memories, and what they are linked with. `around`: what is within `depth` links of a
    memory. `with_archive`: all archived memories, and not those alone that others link to. `with_entities`:
    what memories are about, where two or more name it.
    """

    namespace: str | None = None
    around: str | None = None
    depth: int = 2
    with_archive: bool = False
    with_entities: bool = True
    with_snippets: bool = False


class Drawn(Struct, frozen=True):
    """The graph of a branch at a commit; None while that is unborn."""

    graph: Graph
    branch: str
    commit: CommitId | None
    name: str
    """What the store is called: its folder."""
    notes: tuple[str, ...] = ()


def graph(work: Work, wanted: Wanted) -> Drawn:
    """The graph of what is `wanted`; the same memories give the same graph.

    Raises `NotFound` or `Ambiguous` for `around`, `BadInput` for a depth that is not from 1 to 10.
    """
    if not 1 <= wanted.depth <= MOST_DEPTH:
        raise BadInput(f"--depth: {wanted.depth} is not from 1 to {MOST_DEPTH}", field="depth")
    repository = work.place.repository
    name = (repository.worktree or repository.common_dir).name

    def question(relations: Relations | None) -> Graph:
        if wanted.around is not None:
            start = start_of(work, relations, wanted.around)
            assert relations is not None, "a memory was found"
            near = nearby(start, relations.around, depth=wanted.depth)
            return _of(relations, [start, *(each.key for each in near)], wanted)
        return Graph((), ()) if relations is None else _whole(relations, wanted)

    commit = work.snapshot().commit
    drawn, notes = ask(work, question)
    return Drawn(drawn, work.branch, commit, harmless(name, LONGEST_TITLE), notes)


def text_of(drawn: Drawn, form: str) -> str:
    """The graph in one of the formats but JSON. Raises `BadInput` for another."""
    if form == "html":
        at = f"{drawn.branch} at {drawn.commit[:10]}" if drawn.commit else f"{drawn.branch}, without a commit"
        return graph_page(drawn.graph.limited(MOST_DRAWN), name=drawn.name, shown=f"Shown is {at}.")
    if form not in TEXTS:
        raise BadInput(f"--format: {form!r} is none of {', '.join(FORMATS)}", field="format")
    return TEXTS[form](drawn.graph)


def write_graph(work: Work, target: Path, text: str) -> Path:
    """Writes the graph to a file, whole or not at all; one that gitmem wrote before is replaced.

    Raises `Conflict` where another file stands there, `BadInput` for a place among git's own files.
    """
    git_folders = {work.place.repository.common_dir.resolve(), work.place.repository.git_dir.resolve()}
    if git_folders.intersection(target.resolve().parents):
        raise BadInput(
            f"{target} is in the git directory, which holds only what git put there", field="output"
        )
    if os.path.lexists(target):
        start = read_regular(target, max_bytes=max(map(len, _OWN_BEGINNINGS))) or b""
        if not start.startswith(_OWN_BEGINNINGS):
            raise Conflict(
                f"{target} is there already, and is no graph that gitmem wrote", hint="name another file"
            )
    replace_regular(target, text.encode("utf-8"))
    return target


def _whole(relations: Relations, wanted: Wanted) -> Graph:
    inside = (wanted.namespace or "").strip("/").casefold()
    chosen = [
        standing
        for standing in relations.everything(with_archive=wanted.with_archive)
        if _is_in(standing.record.namespace.casefold(), inside)
    ]
    keys = [standing.key for standing in chosen]
    linked: dict[str, None] = {}
    for standing in chosen:
        # What is in the namespace is shown with what it is linked with; of the whole store all is there.
        links = relations.around(standing.key) if inside else relations.outgoing(standing)[0]
        linked.update((link.other(standing.key), None) for link in links)
    return _of(relations, [*keys, *linked], wanted)


def _is_in(namespace: str, wanted: str) -> bool:
    return not wanted or namespace == wanted or namespace.startswith(f"{wanted}/")


def _of(relations: Relations, keys: Iterable[str], wanted: Wanted) -> Graph:
    """The graph of the nodes with these keys, and all links between them."""
    links: list[Link] = []
    dangling: list[Dangling] = []
    nodes = [relations.node(key) for key in dict.fromkeys(keys)]
    for node in nodes:
        if isinstance(node, Standing):
            own, missing = relations.outgoing(node)
            links += own
            dangling += missing
    named = Counter(link.target for link in set(links))
    shown = [
        _node(relations, node, with_snippets=wanted.with_snippets)
        for node in nodes
        if isinstance(node, Standing) or (wanted.with_entities and named[node.key] > 1)
    ]
    return Graph.of(shown, map(_shown_link, links), map(_shown_dangling, dangling))


def _node(relations: Relations, node: Standing | Entity, *, with_snippets: bool) -> Node:
    if not isinstance(node, Standing):
        return Node(node.key, None, harmless(node.name, LONGEST_TITLE), ENTITY)
    record = node.record
    return Node(
        key=node.key,
        id=record.id,
        title=harmless(record.title, LONGEST_TITLE),
        type=str(record.type),
        path=harmless(record.path, len(record.path)),
        namespace=harmless(record.namespace, LONGEST_TITLE),
        status=str(record.status),
        created=None if record.created is None else harmless(record.created, 40),
        is_archived=node.is_archived,
        snippet=_snippet(relations.read(node)) if with_snippets else "",
    )


def _snippet(memory: Memory) -> str:
    """The beginning of the text, without a heading that says the title again."""
    head, _, rest = memory.body.lstrip().partition("\n")
    text = rest if rest.strip() and head.lstrip("# ").strip() == memory.title else memory.body
    return harmless(text[: 4 * LONGEST_SNIPPET], LONGEST_SNIPPET)


def _shown_link(link: Link) -> Link:
    return replace(link, relation=harmless(link.relation, LONGEST_TITLE) or "related")


def _shown_dangling(dangling: Dangling) -> Dangling:
    return replace(
        dangling,
        name=harmless(dangling.name, LONGEST_TITLE),
        relation=harmless(dangling.relation, LONGEST_TITLE) or "related",
    )
