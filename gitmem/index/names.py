"""The names in the index by which memories are linked to and called; each is found only as it is.

file:NAME      the name of its file, without `.md`
alias:NAME     another name, from its header
to:NAME        what a link in it names, whole, and the last part of a path
called:NAME    of the memory of an entity: each of its names, in the form in which words are compared
about:NAME     an entity that its header names, `person:alice`, and that without its kind, `alice`
"""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.index.folding import fold
from gitmem.index.keys import key
from gitmem.model.memory import Memory
from gitmem.model.wiki_links import aliases_in, mentions_in

FILE, ALIAS, TO, CALLED, ABOUT = "file", "alias", "to", "called", "about"
ENTITIES = "entities"
"""The namespace of memories that each stand for one person, project or thing."""
_PARTING = str.maketrans("-_", "  ")


def is_entity(namespace: str) -> bool:
    """Whether a memory in this namespace stands for an entity."""
    return namespace == ENTITIES or namespace.startswith(f"{ENTITIES}/")


def called(name: str) -> str:
    """The form in which names of entities are compared: `John-Zhang` and `john  zhang` are one."""
    return " ".join(fold(name).translate(_PARTING).split())


def without_kind(name: str) -> str:
    """`alice` of `person:alice`."""
    kind, colon, rest = name.partition(":")
    return rest.strip() if colon and kind.strip() and rest.strip() else name


def file_name(path: str) -> str:
    """The name of a file without its folders and `.md`."""
    return path.rpartition("/")[2].removesuffix(".md")


def link_keys(name: str) -> tuple[str, ...]:
    """Under which a link that names `name` is found: the whole, and the last part of a path."""
    plain = name.removesuffix(".md").strip("/")
    return tuple(dict.fromkeys(key(TO, each) for each in (plain, plain.rpartition("/")[2]) if each))


def names_in(memory: Memory) -> Iterator[str]:
    """The terms of the field of names for `memory`; some may come twice."""
    yield key(FILE, file_name(memory.path))
    aliases = aliases_in(memory.fields)
    yield from (key(ALIAS, alias) for alias in aliases)
    for mention in mentions_in(memory.body, memory.fields):
        yield from link_keys(mention.name)
    if is_entity(memory.namespace):
        yield from (key(CALLED, called(name)) for name in (memory.title, *aliases))
    for entity in memory.entities:
        yield from (key(ABOUT, called(name)) for name in (entity, without_kind(entity)))
