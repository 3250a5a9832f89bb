"""A summary made of sentences that stand in the texts: no model, nothing that nobody wrote.

SumBasic (Nenkova and Vanderwende, "The Impact of Frequency on Summarization", 2005): a sentence is worth the
mean probability of its terms among all; once it is taken, the probabilities of its terms are squared, so that
what was said counts for little. Here a sentence counts by the importance of its text too, and what stands
in the summary before a text was added keeps its place in the order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from gitmem.model.sentences import sentences_of
from gitmem.model.visible import one_line

MOST_SENTENCES = 2_000
"""Of more, the newest are looked at."""
MOST_CHARACTERS = 400
"""A longer sentence is cut: it is a list, a log or a table without full stops."""
Terms = Callable[[str], Sequence[str]]
Count = Callable[[str], int]


class Source(Struct, frozen=True):
    """A text to be summed up, and how much it matters, from 0 to 1."""

    text: str
    importance: float = 0.5


class _Sentence(Struct, frozen=True):
    text: str
    terms: tuple[str, ...]
    weight: float


def summary_of(sources: Sequence[Source], *, max_tokens: int, terms_of: Terms, count: Count) -> list[str]:
    """The sentences that say most of the `sources`, in their order, within `max_tokens` as `count` counts.

    Each once. At least one, cut at a word where even that is too long; none where nothing is written.
    """
    sentences = _sentences(sources, terms_of)
    chances = _chances(sentences)
    left, room = dict(enumerate(sentences)), max_tokens
    taken: list[int] = []
    while left:
        best = max(left, key=lambda number: (_worth(left[number], chances), -number))
        sentence = left.pop(best)
        cost = count(f"- {sentence.text}\n")
        if cost > room:
            continue
        taken.append(best)
        room -= cost
        for term in set(sentence.terms):
            chances[term] **= 2
    if not taken and sentences:
        return [_cut(sentences[0].text, max_tokens, count)]
    return [sentences[number].text for number in sorted(taken)]


def _sentences(sources: Sequence[Source], terms_of: Terms) -> list[_Sentence]:
    found: dict[str, _Sentence] = {}
    for source in sources:
        for raw in sentences_of(source.text):
            text = one_line(raw).removeprefix("- ").strip()
            text = text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1].rstrip() + "…"
            if any(character.isalnum() for character in text):
                found.setdefault(text, _Sentence(text, tuple(terms_of(text)), 0.5 + source.importance))
    return list(found.values())[-MOST_SENTENCES:]


def _chances(sentences: Sequence[_Sentence]) -> dict[str, float]:
    counts = Counter(term for sentence in sentences for term in sentence.terms)
    total = counts.total()
    return {term: number / total for term, number in counts.items()}


def _worth(sentence: _Sentence, chances: dict[str, float]) -> float:
    terms = sentence.terms
    return sentence.weight * sum(chances[term] for term in terms) / len(terms) if terms else 0.0


def _cut(text: str, max_tokens: int, count: Count) -> str:
    """The beginning of `text` that fits, by halves; one character at least."""
    while len(text) > 1 and count(f"- {text}\n") > max_tokens:
        text = text[: len(text) // 2].rstrip()
    return text
