"""A context for a language model: which memories, how much of each, and the text, within a budget of tokens.

1. each section first gets its share of the budget, filled with its best memories
2. what is left goes to the best of all sections
3. the best is what is relevant and says something that the others taken so far do not: maximal marginal
   relevance (Carbonell and Goldstein 1998); what says the same as one of them is left out
4. a memory is given whole, or as a passage that ends where a sentence or a word does, or as its title;
   one of which two versions are disputed is never given with one side alone

The text is counted as it will be given, after each memory that is added: it is never over the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from gitmem.model.cutting import closed, passage
from gitmem.model.injected import fenced, without_marks
from gitmem.model.visible import one_line, printable
from gitmem.recall.template import SECTIONS, Template, Values

SHARES = {"working": 0.15, "warnings": 0.15, "howto": 0.2, "knowledge": 0.35, "episodes": 0.15}
DIVERSITY = 0.4
"""What having all words of a memory that is taken already costs, of a relevance from 0 to 1."""
MOST_OF_ONE = 0.35
"""The share of the budget that one memory may take with its text."""
LEAST_PASSAGE_CHARACTERS = 60
MOST_PASSAGE_TOKENS = 600
MOST_CHARACTERS_A_TOKEN = 12
"""A text that is longer than this for each token is not counted first."""
OVERHEAD_TOKENS = 45
"""What stands beside a passage: id, version, date, and how to get the rest."""

Count = Callable[[str], int]
IsSame = Callable[[int, int], bool]
"""Whether two candidates, by number, say the same."""


class Candidate(Struct, frozen=True):
    """A memory that may stand in the context.

    `score` is from 0 to 1. `terms` are its words, by which it is compared. `is_whole`: its text is given
    whole or not at all. `stamp` gives its version and a date; it is asked only of what may be taken, since
    finding them out costs most.
    """

    section: str
    id: str
    stamp: Callable[[], tuple[str, str]]
    title: str
    text: str
    type: str = ""
    namespace: str = ""
    labels: tuple[str, ...] = ()
    score: float = 0.0
    terms: frozenset[str] = frozenset()
    is_whole: bool = False


class Taken(Struct, frozen=True):
    """A candidate in the context: its number, and how many characters of its text are given."""

    number: int
    values: Values
    characters: int


class Composed(Struct, frozen=True):
    """The context, and what became of the candidates, by number.

    `taken` are in the order of the text; of `same`, each says what another does; `left_out` did not fit.
    `least_tokens` is what the text takes without any memory.
    """

    text: str
    tokens: int
    taken: Sequence[Taken]
    same: Mapping[int, int]
    left_out: Sequence[int]
    least_tokens: int


def compose(
    candidates: Sequence[Candidate],
    template: Template,
    values: Values,
    *,
    max_tokens: int,
    count: Count,
    is_same: IsSame,
) -> Composed:
    """The context of the candidates within `max_tokens`; empty where not even a text without any fits."""
    filling = _Filling(candidates, template, values, max_tokens, count, is_same)
    for section in SECTIONS:
        filling.fill(section, SHARES[section] * max_tokens)
    filling.fill(None, max_tokens)
    return filling.composed()


class _Filling:
    """The context as it is being filled."""

    def __init__(
        self,
        candidates: Sequence[Candidate],
        template: Template,
        values: Values,
        max_tokens: int,
        count: Count,
        is_same: IsSame,
    ) -> None:
        self._candidates = candidates
        self._template = template
        self._values = {key: harmless(value) for key, value in values.items()}
        self._max_tokens = max_tokens
        self._count = count
        self._is_same = is_same
        self._taken: list[Taken] = []
        self._same: dict[int, int] = {}
        self._left_out: list[int] = []
        self._likeness = [0.0] * len(candidates)
        self._text = self._rendered(self._taken)
        self._tokens = self.least_tokens = count(self._text)
        self._frame_tokens = count(_framed("", self._values))
        self._used = dict.fromkeys(SECTIONS, 0)

    def fill(self, section: str | None, most_tokens: float) -> None:
        """Takes the best candidates of a section, or of all, while they take no more than `most_tokens`."""
        if self.least_tokens > self._max_tokens:
            return
        tried: set[int] = set()
        while (number := self._best(section, tried)) is not None:
            tried.add(number)
            used = self._tokens if section is None else self._used[section]
            before = self._tokens
            is_last = section is None
            if used < most_tokens and self._take(number, int(most_tokens - used), may_be_title=is_last):
                self._used[self._candidates[number].section] += self._tokens - before
            elif is_last and number not in self._same:
                self._left_out.append(number)

    def composed(self) -> Composed:
        if self.least_tokens > self._max_tokens:
            everything = range(len(self._candidates))
            return Composed("", 0, (), {}, list(everything), self.least_tokens)
        return Composed(
            self._text,
            self._tokens,
            self._in_order(self._taken),
            self._same,
            self._left_out,
            self.least_tokens,
        )

    def _best(self, section: str | None, tried: set[int]) -> int | None:
        gone = tried | {taken.number for taken in self._taken} | self._same.keys()
        open_ = [
            number
            for number, candidate in enumerate(self._candidates)
            if number not in gone and section in (None, candidate.section)
        ]
        return min(open_, key=lambda number: (-self._worth(number), number), default=None)

    def _worth(self, number: int) -> float:
        return self._candidates[number].score - DIVERSITY * self._likeness[number]

    def _take(self, number: int, room: int, *, may_be_title: bool) -> bool:
        """Puts a candidate in, with as much of its text as there is room for; whether any of it fits."""
        for taken in self._taken:
            if self._is_same(taken.number, number):
                self._same[number] = taken.number
                return False
        candidate = self._candidates[number]
        most = min(room, self._max_tokens - self._tokens, max(int(MOST_OF_ONE * self._max_tokens), 40))
        for text in _forms(candidate, min(most, MOST_PASSAGE_TOKENS), self._count):
            if not text and _whole(candidate) and not may_be_title:
                continue
            if self._count(text or candidate.title) > self._max_tokens - self._tokens:
                continue
            taken = Taken(number, _values(candidate, text), len(text))
            all_taken = [*self._taken, taken]
            rendered = self._rendered(all_taken)
            tokens = self._count(rendered)
            if tokens <= self._max_tokens and tokens - max(self._tokens, self._frame_tokens) <= room:
                self._taken, self._text, self._tokens = all_taken, rendered, tokens
                self._note_likeness(candidate)
                return True
        return False

    def _note_likeness(self, taken: Candidate) -> None:
        for number, other in enumerate(self._candidates):
            both = len(taken.terms & other.terms)
            if both:
                share = both / len(taken.terms | other.terms)
                self._likeness[number] = max(self._likeness[number], share)

    def _in_order(self, taken: Sequence[Taken]) -> list[Taken]:
        return sorted(taken, key=lambda each: (-self._candidates[each.number].score, each.number))

    def _rendered(self, taken: Sequence[Taken]) -> str:
        sections: dict[str, list[Values]] = {}
        for each in self._in_order(taken):
            sections.setdefault(self._candidates[each.number].section, []).append(each.values)
        inside = self._template.render(self._values, sections).strip("\n")
        if not taken and not inside.strip():
            return ""
        return _framed(inside, self._values)


def _framed(text: str, values: Values) -> str:
    """`text` between the marks. They are put round it last: a template may hold anything."""
    return fenced(text, at=values["commit"])


def harmless(text: str) -> str:
    """`text` without what a terminal obeys, and without the marks between which memories stand."""
    return without_marks(printable(text))


def _forms(candidate: Candidate, most_tokens: int, count: Count) -> Iterator[str]:
    """The texts that may stand for a candidate, the longest first; the last is empty: its title alone."""
    whole = _whole(candidate)
    if whole and len(whole) <= most_tokens * MOST_CHARACTERS_A_TOKEN and count(whole) <= most_tokens:
        yield whole
    if not candidate.is_whole:
        room = most_tokens - OVERHEAD_TOKENS
        most = min(len(whole) - 1, room * 4)
        while most >= LEAST_PASSAGE_CHARACTERS:
            part = passage(whole, most)
            if len(part) >= LEAST_PASSAGE_CHARACTERS and count(part) <= room:
                yield part
                break
            most = min(most, len(part)) * 3 // 4
    yield ""


def _whole(candidate: Candidate) -> str:
    return candidate.text.strip("\n").rstrip()


def _values(candidate: Candidate, text: str) -> Values:
    """What the placeholders of a memory stand for, with `text` as the part of its text that is given."""
    length = len(_whole(candidate))
    title = one_line(candidate.title)
    version, date = candidate.stamp()
    given = closed(printable(text))
    if len(text) < length:
        rest = f"… ({len(text):,} of {length:,} characters; show {candidate.id} for the rest)"
        ends_in_fence = given.rpartition("\n")[2].lstrip().startswith(("```", "~~~"))
        given = f"{given}\n{rest}" if ends_in_fence else f"{given} {rest}".lstrip()
    begins_so = one_line(given).startswith(title.removesuffix("…"))
    says = given if begins_so else f"{title}\n{given}".rstrip()
    return {
        "id": one_line(candidate.id),
        "version": one_line(version),
        "date": one_line(date),
        "title": harmless(title),
        "text": _indented(given),
        "memory": _indented(says),
        "type": candidate.type,
        "namespace": harmless(one_line(candidate.namespace)),
        "labels": "".join(f" ({harmless(one_line(label))})" for label in candidate.labels),
    }


def _indented(text: str) -> str:
    """`text` whose further lines are indented, so that none of it begins a line of the context."""
    lines = harmless(text).replace("\r", "\n").split("\n")
    return "\n".join([lines[0], *(f"  {line}" if line.strip() else "" for line in lines[1:])])
