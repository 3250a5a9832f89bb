"""resolve: a disputed memory gets one text again, as a new version.

ours, theirs     the version that this clone or agent wrote, or the one that it did not
first, second    the first or second of each dispute, as the file shows them
NAME             the version of that name, wherever it stands; the rest stays disputed
a text           a new text; disputed fields keep the value that stands in them
a file           the whole file, as an editor left it
"""

from __future__ import annotations

import json
from collections.abc import Callable

from msgspec import Struct

from gitmem.errors import BadInput
from gitmem.flows.conflicts import ours_of
from gitmem.flows.edit import Edited, check_text, edit
from gitmem.flows.remember import Written
from gitmem.flows.work import Work
from gitmem.model.change import Origin
from gitmem.model.document import parse_document
from gitmem.model.ids import id_key
from gitmem.model.memory import Json, Memory, Status
from gitmem.model.merge.dispute import Option
from gitmem.model.merge.fields import get, same
from gitmem.model.merge.settle import TEXT, Dispute, disputes_of, settled
from gitmem.model.reading import read_memory
from gitmem.versions.snapshot import Snapshot
from gitmem.versions.version_origin import origins_of

BY_PLACE = {"first": 0, "second": 1}


class Resolved(Struct, frozen=True):
    """What became of the memory, and how much of it is still disputed."""

    written: Written
    left: int


def resolve(
    work: Work,
    reference: str,
    *,
    version: str | None = None,
    text: str | None = None,
    file: str | None = None,
    expect: str | None,
    origin: Origin,
) -> Resolved:
    """Settles what is disputed in a memory, by exactly one of `version`, `text` and `file`.

    Raises `BadInput` where the memory is not disputed, or what was named is not a version of it.
    """
    if sum(each is not None for each in (version, text, file)) != 1:
        raise BadInput("say which version stands: --ours, --theirs, --first, --second, --version or a text")
    if text is not None:
        check_text(text)
    left: list[int] = []

    def change(_: Snapshot, memory: Memory, old: str) -> Edited:
        disputes = disputes_of(old)
        if not disputes and memory.status is not Status.DISPUTED:
            raise BadInput(f"{memory.id} is not disputed", field="id", hint="'gitmem conflicts' lists those")
        if file is not None:
            new = _from_file(memory, file)
        elif text is not None:
            new = _with_text(old, text)
        else:
            new = settled(old, _choice(work, memory, disputes, version or "", origin))
            if new == old:
                raise BadInput(
                    f"{version!r} is no version of {memory.id}", field="version", hint=_names(disputes)
                )
        left[:] = [len(disputes_of(new))]
        return Edited(new, memory.path)

    written = edit(work, reference, change, operation="resolve", expect=expect, origin=origin)
    return Resolved(written, left[0])


def _names(disputes: list[Dispute]) -> str:
    names = sorted({name for each in disputes for option in each.options for name in option.names})
    return f"its versions are {', '.join(names)}" if names else "no versions are kept: give a text"


def _choice(
    work: Work, memory: Memory, disputes: list[Dispute], version: str, origin: Origin
) -> Callable[[Dispute], Option | None]:
    if not disputes:
        raise BadInput(f"{memory.id} is marked as disputed, but no versions are kept", hint="give a text")
    _refuse_two_memories(memory, disputes)
    if version in BY_PLACE:
        place = BY_PLACE[version]
        return lambda dispute: dispute.options[place] if place < len(dispute.options) else None
    if version in ("ours", "theirs"):
        return _by_side(_our_names(work, memory, disputes, origin), version)
    if len(version) < 4:
        raise BadInput(
            f"{version!r} is too short for the name of a version", field="version", hint=_names(disputes)
        )
    return lambda dispute: next(
        (option for option in dispute.options if any(name.startswith(version) for name in option.names)), None
    )


def _by_side(ours: frozenset[str], version: str) -> Callable[[Dispute], Option | None]:
    def choose(dispute: Dispute) -> Option | None:
        own = [option for option in dispute.options if ours.intersection(option.names)]
        others = [option for option in dispute.options if option not in own]
        chosen = own if version == "ours" else others
        return chosen[0] if len(chosen) == 1 else None

    return choose


def _our_names(work: Work, memory: Memory, disputes: list[Dispute], origin: Origin) -> frozenset[str]:
    """The names of the versions that are ours. Raises `BadInput` where that cannot be told."""
    commit = work.snapshot().commit
    names = {name for each in disputes for option in each.options for name in option.names}
    found = origins_of(work.place, commit, memory.path, memory.id, names) if commit else {}
    ours = ours_of(work, found, agent=origin.agent)
    if ours is None:
        raise BadInput(
            f"{memory.id}: nothing tells which version was written here",
            field="ours",
            hint=f"'gitmem conflicts' shows who wrote which; name one with --version: {_names(disputes)}",
        )
    return ours


def _refuse_two_memories(memory: Memory, disputes: list[Dispute]) -> None:
    """Raises `BadInput` where two memories share a file: to choose one would take the other away."""
    files = [option.text for each in disputes for option in each.options if option.is_file]
    ids = {get(parse_document(text).fields, "id") for text in files}
    if len({id_key(str(each)) for each in ids if isinstance(each, str)}) > 1:
        raise BadInput(
            f"{memory.path} holds two memories that came to one path",
            field="id",
            hint="'gitmem doctor --fix' gives each a file of its own",
        )


def _with_text(old: str, text: str) -> str:
    new = _fields_settled(old)
    document = parse_document(new)
    body = text if text.endswith(("\n", "\r")) else text + "\n"
    if document.newline == "\r\n":
        body = body.replace("\r\n", "\n").replace("\n", "\r\n")
    return _undisputed(new[: len(new) - len(document.body)] + body)


def _fields_settled(text: str) -> str:
    """`text` with disputed fields at the value that stands in them."""
    fields = parse_document(text).fields

    def standing(dispute: Dispute) -> Option | None:
        if dispute.field == TEXT:
            return None
        value = get(fields, dispute.field)
        return next((each for each in dispute.options if same(_value(each), value)), dispute.options[0])

    return settled(text, standing)


def _value(option: Option) -> Json:
    value: Json = json.loads(option.text)
    return value


def _undisputed(text: str) -> str:
    """`text` without the marks of a dispute, where it holds none any more."""
    return settled(text, lambda _: None)


def _from_file(memory: Memory, text: str) -> str:
    read = read_memory(memory.path, memory.blob, text.encode("utf-8", "surrogateescape"))
    problem = next((each for each in read.problems if each.code != "field"), None)
    if problem is not None:
        raise BadInput(f"line {problem.line}: {problem.message}", field="edit")
    if id_key(read.id) != id_key(memory.id):
        raise BadInput(f"the id was changed from {memory.id} to {read.id}", field="edit")
    new = _undisputed(_fields_settled(text))
    if disputes_of(new):
        raise BadInput(
            "the text still holds a dispute: leave one version, without the lines around it", field="edit"
        )
    return new
