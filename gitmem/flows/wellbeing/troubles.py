"""What is wrong with single memories: headers, links, anchors, disputes, and texts that stand twice.

The same findings as those of `check`, by the same rules, but of these kinds alone; a link by the name of a
page, of which `check` only takes note, is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from gitmem.errors import Damaged
from gitmem.flows.checks.known import is_named, names_of
from gitmem.flows.reading.anchor_look import AnchorLook
from gitmem.flows.wellbeing.measures import Trouble, Troubles
from gitmem.flows.wellbeing.records import records_of
from gitmem.flows.work import Work
from gitmem.index.record import Record
from gitmem.model.document import decode
from gitmem.model.fences import split_text
from gitmem.model.ids import id_key
from gitmem.model.memory import Status
from gitmem.model.merge.dispute import START
from gitmem.review.examine import broken_wiki_links

SMALL_PROBLEMS = frozenset({"field"})
"""Of a header that is read all the same."""
PAST = (Status.SUPERSEDED, Status.EXPIRED)


class _Texts(Struct):
    """What reading each file once tells: what is disputed in its text, links in it, and who has that text."""

    disputed: set[str] = field(default_factory=set)
    linking: list[tuple[Record, str]] = field(default_factory=list)
    by_text: dict[str, list[Record]] = field(default_factory=lambda: defaultdict(list))


def troubles_of(work: Work, records: Sequence[Record], unread: list[str]) -> Troubles:
    """What is wrong with the memories `records`; `unread` is told what could not be seen, and why."""
    texts = _texts(work, records, unread)
    return Troubles(
        broken_headers=[_trouble(each, _header_words(each)) for each in records if _is_broken(each)],
        broken_links=list(_broken_links(work, records, texts, unread)),
        stale_anchors=list(_stale_anchors(work, records, unread)),
        disputes=[
            _trouble(each, "several versions are kept")
            for each in records
            if each.status is Status.DISPUTED or each.path in texts.disputed
        ],
        duplicates=list(_duplicates(texts)),
    )


def _trouble(record: Record, what: str) -> Trouble:
    return Trouble(record.id, record.path, record.title, what)


def _is_broken(record: Record) -> bool:
    return any(code not in SMALL_PROBLEMS for code in record.problem_codes)


def _header_words(record: Record) -> str:
    codes = dict.fromkeys(code for code in record.problem_codes if code not in SMALL_PROBLEMS)
    return ", ".join(_WORDS.get(code, code) for code in codes)


_WORDS = {
    "header": "its header cannot be read",
    "encoding": "it is not UTF-8",
    "binary": "it holds NUL bytes",
    "too-large": "it is too large to be read whole",
}


def _texts(work: Work, records: Sequence[Record], unread: list[str]) -> _Texts:
    found = _Texts()
    for number, record in enumerate(records, 1):
        work.progress("reading", number, len(records))
        try:
            text = decode(work.place.repository.read_blob(record.blob))[0]
        except Damaged as error:
            unread.append(f"{record.path}: {error.message}")
            continue
        body = _body(text)
        if START in body:
            found.disputed.add(record.path)
        if "[[" in text:
            found.linking.append((record, text))
        if record.status not in PAST and body.strip():
            found.by_text[body.strip()].append(record)
    return found


def _body(text: str) -> str:
    try:
        return split_text(text)[1]
    except ValueError:
        return text


def _broken_links(
    work: Work, records: Sequence[Record], texts: _Texts, unread: list[str]
) -> Iterator[Trouble]:
    """Links to no memory, neither of the branch nor of the archive."""
    names = {name for record in records for name in names_of(record)}
    ids = {id_key(record.id) for record in records}
    in_headers = [
        (record, name, to)
        for record in records
        for name, targets in (("related", record.related), ("supersedes", record.supersedes))
        for to in targets
        if id_key(to) not in ids and not (name == "related" and is_named(to, names))
    ]
    if not in_headers and not texts.linking:
        return
    beside = _archived(work, unread)
    archived = {id_key(record.id) for record in beside}
    names |= {name for record in beside for name in names_of(record)}
    for record, name, to in in_headers:
        if id_key(to) not in archived and not (name == "related" and is_named(to, names)):
            yield _trouble(record, f"{name}: no memory {to!r}")
    for record, text in texts.linking:
        for finding in broken_wiki_links(record.path, text, lambda name: is_named(name, names)):
            if finding.severity == "warning":
                yield _trouble(record, finding.message)


def _archived(work: Work, unread: list[str]) -> list[Record]:
    branch = work.place.config.branches["archive"]
    if branch == work.branch or work.place.tip(branch) is None:
        return []
    there = work.on(branch)
    return records_of(there, there.snapshot(), unread)


def _stale_anchors(work: Work, records: Iterable[Record], unread: list[str]) -> Iterator[Trouble]:
    look = AnchorLook(work)
    for record in records:
        stale = [verdict.reason for verdict in look.verdicts(record.fields) if verdict.is_stale]
        if stale:
            yield _trouble(record, "; ".join(stale))
    look.close()
    if look.note:
        unread.append(look.note)


def _duplicates(texts: _Texts) -> Iterator[Trouble]:
    """Each memory with exactly the text of one that is older, or that stands before it."""
    for records in texts.by_text.values():
        first, *others = sorted(records, key=lambda each: (each.created or "", each.path))
        for each in others:
            yield _trouble(each, f"has the text of {first.id}")
