"""entities: what memories are about, under all its names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gitmem.evolve.entities import Known, kind_of
from gitmem.evolve.relations import ABOUT, Standing
from gitmem.flows.relations.looking import Relations, ask, start_of
from gitmem.flows.relations.related import End, end_of
from gitmem.flows.work import Work
from gitmem.index.names import is_entity
from gitmem.model.ids import CommitId
from gitmem.model.wiki_links import aliases_in


class EntityShown(Struct, frozen=True):
    """An entity: its memory, or its bare name; all names; its kinds; how many memories are about it."""

    end: End
    names: Sequence[str]
    kinds: Sequence[str]
    mentions: int
    about: Sequence[End] = ()
    """The memories that are about it, newest first; not in a list of entities."""
    branch: str = ""
    notes: Sequence[str] = ()


class EntityListing(Struct, frozen=True):
    """The entities of a branch: what most memories are about first."""

    entities: Sequence[EntityShown]
    branch: str
    commit: CommitId | None
    notes: Sequence[str] = ()


def list_entities(work: Work) -> EntityListing:
    """The memories of entities, and the names that headers give and that no memory is of."""

    def question(relations: Relations | None) -> list[EntityShown]:
        if relations is None:
            return []
        return [_shown(relations, each) for each in known_entities(relations)]

    commit = work.snapshot().commit
    shown, notes = ask(work, question)
    return EntityListing(shown, work.branch, commit, notes)


def show_entity(work: Work, name: str) -> EntityShown:
    """One entity, by any of its names, with the memories that are about it. Raises `NotFound`."""

    def question(relations: Relations | None) -> EntityShown:
        key = start_of(work, relations, name)
        assert relations is not None, "it was found"
        about = [
            link.source for link in relations.around(key) if link.relation == ABOUT and link.target == key
        ]
        known = _known(relations, key, Counter({key: len(about)}), {key: _kinds_in(relations, key, about)})
        newest = sorted(about, key=lambda each: _age(relations, each), reverse=True)
        ends = [end_of(relations, each) for each in newest]
        return replace(_shown(relations, known), about=ends, branch=work.branch)

    shown, notes = ask(work, question)
    return replace(shown, notes=notes)


def known_entities(relations: Relations) -> list[Known]:
    """All entities of the branch, archived ones left out; what most memories are about first."""
    mentions: Counter[str] = Counter()
    kinds: dict[str, set[str]] = defaultdict(set)
    keys: dict[str, None] = {}
    for standing in relations.everything(with_archive=False):
        if is_entity(standing.record.namespace):
            keys[standing.key] = None
        for target, name in _named(relations, standing):
            keys[target] = None
            kinds[target].add(kind_of(name) or "")
        about = {link.target for link in relations.outgoing(standing)[0] if link.relation == ABOUT}
        mentions.update(about)
    found = [_known(relations, key, mentions, kinds) for key in keys]
    on_branch = [each for each in found if not _is_archived(relations, each.key)]
    return sorted(on_branch, key=lambda known: (-known.mentions, known.title.casefold(), known.key))


def _named(relations: Relations, standing: Standing) -> Iterator[tuple[str, str]]:
    """The entities that a header names, each by its key, with the name as it stands there."""
    for name in standing.record.entities:
        target = relations.key_of_entity(name)
        if target != standing.key:
            yield target, name


def _known(relations: Relations, key: str, mentions: Counter[str], kinds: dict[str, set[str]]) -> Known:
    node = relations.node(key)
    found = frozenset(filter(None, kinds.get(key, ())))
    if not isinstance(node, Standing):
        return Known(key, None, (node.name,), mentions[key], found)
    names = tuple(dict.fromkeys((node.record.title, *aliases_in(node.record.fields))))
    own = {kind for name in names if (kind := kind_of(name)) is not None}
    return Known(key, node.record.id, names, mentions[key], found | own)


def _kinds_in(relations: Relations, key: str, sources: Sequence[str]) -> set[str]:
    kinds = set()
    for source in sources:
        node = relations.node(source)
        if isinstance(node, Standing):
            kinds |= {kind_of(name) or "" for target, name in _named(relations, node) if target == key}
    return kinds


def _shown(relations: Relations, known: Known) -> EntityShown:
    return EntityShown(end_of(relations, known.key), known.names, sorted(known.kinds), known.mentions)


def _is_archived(relations: Relations, key: str) -> bool:
    node = relations.node(key)
    return isinstance(node, Standing) and node.is_archived


def _age(relations: Relations, key: str) -> tuple[str, str]:
    node = relations.node(key)
    return (node.record.created or "", node.record.path) if isinstance(node, Standing) else ("", "")
