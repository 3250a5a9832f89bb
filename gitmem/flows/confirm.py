"""confirm: a memory still holds, so its anchors count from what the code repository is at now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from gitmem.errors import NotFound, Refused
from gitmem.flows.edit import Edited, edit
from gitmem.flows.remember import Written
from gitmem.flows.work import Work
from gitmem.flows.writing.anchoring import NO_CODE, NO_CODE_HINT
from gitmem.model.anchors import FIELDS, Anchor, anchor_texts, parse_anchor, readable_anchors
from gitmem.model.change import Origin
from gitmem.model.header_edit import edit_header
from gitmem.model.memory import Json, Memory
from gitmem.versions.code import Code, find_code
from gitmem.versions.snapshot import Snapshot
from gitmem.versions.staleness import Judge


class Confirmed(Struct, frozen=True):
    """What was written, and the anchors as they stand now."""

    written: Written
    anchors: Sequence[str]


def confirm(
    work: Work, reference: str, anchors: Sequence[str] = (), *, expect: str | None, origin: Origin
) -> Confirmed:
    """Notes with each anchor, or those named, the commit that the code repository is at, and where it moved.

    Raises `NotFound` for an anchor that the memory does not have, `Refused` where it has none, where there
    is no code repository, and for a file that is gone.
    """
    code = find_code(work.place)
    if code is None:
        raise Refused(NO_CODE, hint=NO_CODE_HINT)
    now: list[str] = []

    def change(_: Snapshot, memory: Memory, old: str) -> Edited:
        news = _news(code, memory, anchors)
        now[:] = [news.get(text, text) for text in anchor_texts(memory.fields)]
        return Edited(edit_header(old, _changed(memory.fields, news)), memory.path)

    written = edit(work, reference, change, operation="confirm", expect=expect, origin=origin)
    return Confirmed(written, now)


def _news(code: Code, memory: Memory, named: Sequence[str]) -> dict[str, str]:
    """The new text of each anchor that is confirmed, by its old one."""
    having = readable_anchors(memory.fields)
    if not having:
        raise Refused(
            f"{memory.id} has no anchors, so there is nothing to confirm",
            hint=f"'gitmem update {memory.id} --anchor PATH' gives it one",
        )
    judge = Judge(code)
    return {
        text: _confirmed(code, judge, memory, text, having[text]) for text in _wanted(memory, having, named)
    }


def _wanted(memory: Memory, having: Mapping[str, Anchor], named: Sequence[str]) -> list[str]:
    found = []
    for name in named:
        place = parse_anchor(name).place
        texts = [text for text, anchor in having.items() if name.strip() == text or place == anchor.place]
        if not texts:
            raise NotFound(f"{memory.id} has no anchor {name!r}; it has {', '.join(having)}", name=name)
        found += texts
    return found or list(having)


def _confirmed(code: Code, judge: Judge, memory: Memory, text: str, anchor: Anchor) -> str:
    if anchor.url is not None:
        return text
    verdict = judge.verdict(text, anchor)
    if verdict.state == "gone":
        raise Refused(
            f"{verdict.reason}, so it cannot be confirmed",
            hint=f"'gitmem update {memory.id} --anchor PATH' names another, '--unset anchors' takes it out",
        )
    return str(anchor.at(code.commit, path=verdict.path))


def _changed(fields: Mapping[str, Json], news: Mapping[str, str]) -> dict[str, Json | object]:
    """The header fields that hold anchors, with the new texts in place of the old ones."""
    changes: dict[str, Json | object] = {}
    for name in FIELDS:
        value = fields.get(name)
        if isinstance(value, list):
            items = [news.get(item.strip(), item) if isinstance(item, str) else item for item in value]
            changes[name] = list(items)
        elif isinstance(value, str):
            texts = [news.get(text, text) for text in anchor_texts({name: value})]
            changes[name] = texts[0] if len(texts) == 1 else list(texts)
    return changes
