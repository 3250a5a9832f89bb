"""What is to become of a memory before it is written, as a value: new, a confirmation, or a repetition.

Cases, tried in this order for each request:
    as asked       it names its own id, path or what it supersedes, or is scratch: written, and not compared
    repeated       the same text came earlier in this batch: that one counts
    confirmed      a living memory of the namespace has the same text and title: its count and date are raised
    near           one says all that it says, in one wording, or it is a passage that recall gave of one:
                   nothing is written, and the caller is told which
    new            written; what it contradicts is superseded, disputed or told, as `settle` says

Where near-duplicates are looked for, a request that names no namespace is compared with memories of all, and
one that names no type with all types: whoever keeps what recall gave says neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.errors import NearDuplicate
from gitmem.evolve.exact import same_text, text_key
from gitmem.evolve.importance import DEFAULT, Weight, weigh
from gitmem.evolve.settling import Outcome, settle
from gitmem.flows.judging.known import KnownTexts
from gitmem.flows.work import Work
from gitmem.flows.writing.drafting import Request
from gitmem.flows.writing.given import parse_type
from gitmem.model.ids import BlobId
from gitmem.model.memory import Memory, MemoryType
from gitmem.model.place import parse_namespace
from gitmem.model.reading import derived_title, read_memory
from gitmem.model.visible import one_line
from gitmem.model.yaml_writing import header_text
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.evolve.claims import Reading

MOST_AGAINST = 3
"""So many memories that one contradicts are marked; it contradicts no more in earnest."""
MOST_SHOWN = 120


class Judging(Struct, frozen=True):
    """How a write is judged: by the policy and who acts, or as the caller asked.

    `marks`: what it contradicts is marked, not only told.
    """

    exact: bool = True
    near: bool = True
    contradictions: bool = True
    marks: bool = True
    weighs: bool = True
    supersede_from: float = 0.8


class Against(Struct, frozen=True):
    """A known memory that does not go together with a new one, and what becomes of it."""

    memory: Memory
    reason: str
    outcome: Outcome


class Verdict(Struct, frozen=True):
    """What becomes of one request. `request` is what is to be written where it is new.

    `repeats` is the number of an earlier request of the same batch.
    """

    request: Request
    weight: Weight = DEFAULT
    confirms: Memory | None = None
    repeats: int | None = None
    against: Sequence[Against] = field(default_factory=tuple)

    @property
    def is_new(self) -> bool:
        return self.confirms is None and self.repeats is None


def verdicts(work: Work, snapshot: Snapshot, requests: Sequence[Request], judging: Judging) -> list[Verdict]:
    """What becomes of each request on `snapshot`. Raises `NearDuplicate` for the first that is one."""
    weighed = [_weighed(work, request, judging) for request in requests]
    compared = [number for number, request in enumerate(requests) if judging.exact and _is_compared(request)]
    known = KnownTexts(work, snapshot)
    found = known.with_texts([requests[number].text for number in compared]) if compared else []
    same = dict(zip(compared, found, strict=True))
    today = f"{work.clock.now():%Y-%m-%d}"
    earlier: dict[tuple[object, ...], int] = {}
    decided: list[Verdict] = []
    for number, verdict in enumerate(weighed):
        request = verdict.request
        if number not in same:
            decided.append(verdict)
            continue
        name = _name(request)
        confirmed = next(
            (memory for memory in same[number] if _says_it_already(memory, request, today, judging)), None
        )
        if confirmed is not None:
            decided.append(replace(verdict, confirms=confirmed))
        elif name in earlier:
            decided.append(replace(verdict, repeats=earlier[name]))
        else:
            earlier[name] = number
            decided.append(_beside(known, verdict, judging))
    return decided


def _weighed(work: Work, request: Request, judging: Judging) -> Verdict:
    """The request with the importance that the rules give it, where they say another than the default."""
    if request.importance is not None:
        return Verdict(request, Weight(request.importance, "given"))
    if not judging.weighs:
        return Verdict(request)
    settings = work.place.config.writing.importance
    text = f"{request.title or ''}\n{request.text}"
    weight = weigh(text, parse_type(request.type), settings)
    is_default = weight.importance == DEFAULT.importance
    return Verdict(request if is_default else replace(request, importance=weight.importance), weight)


def _is_compared(request: Request) -> bool:
    """Whether what is known matters for the request: not where it says itself where it belongs."""
    says_where = request.id is not None or request.path is not None or request.supersedes
    return not says_where and parse_type(request.type) is not MemoryType.WORKING


def _name(request: Request) -> tuple[object, ...]:
    """What two requests of one batch have in common that ask for the same memory."""
    title = request.title if request.title and request.title.strip() else None
    return (
        text_key(request.text),
        title or derived_title(request.text),
        parse_type(request.type),
        parse_namespace(request.namespace) if request.namespace else "",
        request.created,
        request.subject,
        request.valid_from,
        request.valid_until,
        tuple(request.anchors),
        repr(sorted(request.fields.items())),
    )


def _says_it_already(memory: Memory, request: Request, today: str, judging: Judging) -> bool:
    """Whether `memory` has text and title of the request, and all that the request says besides.

    Of an episode also the day: what happens twice is two episodes.
    """
    title = request.title if request.title and request.title.strip() else None
    is_one_text = same_text(request.text, title, memory.body, memory.title)
    if not is_one_text or not _is_of_one_kind(memory, request, judging):
        return False
    day = (request.created or today)[: len(today)]
    if memory.type is MemoryType.EPISODIC and request.type and not (memory.created or "").startswith(day):
        return False
    own = {"valid_from": request.valid_from, "valid_until": request.valid_until, "subject": request.subject}
    said = {key: value for key, value in {**own, **request.fields}.items() if value is not None}
    return all(memory.fields.get(key) == value for key, value in said.items()) and set(
        request.anchors
    ) <= set(memory.anchors)


def _is_of_one_kind(memory: Memory, request: Request, judging: Judging) -> bool:
    """Whether the memory stands where the request would, or may, since the request leaves that open."""
    is_open = judging.near
    is_there = memory.namespace == _namespace(request) or (is_open and not request.namespace)
    return is_there and (memory.type is parse_type(request.type) or (is_open and request.type is None))


def _namespace(request: Request) -> str:
    return parse_namespace(request.namespace) if request.namespace else ""


def _beside(known: KnownTexts, verdict: Verdict, judging: Judging) -> Verdict:
    """The verdict on a text that is new as such, beside those that are close to it."""
    request = verdict.request
    is_episode = parse_type(request.type) is MemoryType.EPISODIC
    if is_episode or not (judging.near or judging.contradictions):
        return verdict
    memory, text = _file_of(request)
    others = [
        each
        for each in known.near(f"{memory.title}\n{request.text}")
        if _is_of_one_kind(each.memory, request, judging)
    ]
    if not others:
        return verdict
    from gitmem.evolve.claims import Reading

    new = Reading(memory, text)
    if judging.near and not _says_more(request):
        _refuse_repetition(new, others, request)
    beside = [each for each in others if _is_beside(each.memory, memory)]
    return replace(verdict, against=_against(new, beside, judging)) if judging.contradictions else verdict


def _refuse_repetition(new: Reading, others: Sequence[Reading], request: Request) -> None:
    from gitmem.evolve.duplicates import is_given, repeats

    for other in others:
        if repeats(new, other) or (not request.title and is_given(request.text, other)):
            raise NearDuplicate(other.memory.id, other.memory.path, _shown(other.memory))


def _is_beside(memory: Memory, new: Memory) -> bool:
    return memory.namespace == new.namespace and memory.type is new.type


def _says_more(request: Request) -> bool:
    """Whether it says something beside its text that a memory of the same wording need not have."""
    return bool(
        request.fields or request.anchors or request.valid_from or request.valid_until or request.subject
    )


def _against(new: Reading, others: Sequence[Reading], judging: Judging) -> tuple[Against, ...]:
    from gitmem.evolve.contradictions import contradictions

    found: list[Against] = []
    for other in others:
        first = next(iter(contradictions(new, other)), None)
        if first is None:
            continue
        outcome = settle(new, other, first, supersede_from=judging.supersede_from)
        reason = first.reason.replace("{other}", other.memory.id)
        found.append(Against(other.memory, reason, outcome if judging.marks else Outcome.TOLD))
        if len(found) == MOST_AGAINST:
            break
    return tuple(found)


def _file_of(request: Request) -> tuple[Memory, str]:
    """The memory that a request would make, to be compared with others, and the text of its file."""
    fields = {
        "type": str(parse_type(request.type)),
        "title": request.title if request.title and request.title.strip() else None,
        "confidence": request.confidence,
        "valid_from": request.valid_from,
        "valid_until": request.valid_until,
    }
    head = header_text({key: value for key, value in fields.items() if value is not None})
    text = head + request.text + "\n"
    folder = "/".join(filter(None, (parse_type(request.type), _namespace(request))))
    return read_memory(f"{folder}/new.md", BlobId(""), text.encode("utf-8", "surrogatepass")), text


def _shown(memory: Memory) -> str:
    line = one_line(memory.body)
    return line if len(line) <= MOST_SHOWN else line[: MOST_SHOWN - 1] + "…"
