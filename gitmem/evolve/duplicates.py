"""Whether two memories say the same: four measures, from the surest to the one that only a person acts on.

same_text      the same text, character by character but for blanks: a confirmation (see `exact`)
repeats        each sentence of the new one is, in one wording, in the other: it need not be written
is_given       a text of a memory, or a passage cut from it, as recall gave it: nothing was said
says_the_same  nearly the same words with equal numbers, names and negations: worth a look
"""

from __future__ import annotations

from gitmem.evolve.claims import Claim, Reading, sentences
from gitmem.evolve.exact import even_text
from gitmem.evolve.wording import Wording, is_same_wording, wording
from gitmem.model.statements import statements_of

LEAST_TERMS = 4
"""Memories of fewer content words are not called the same."""
SAME_SHARE = 0.85
"""The share of all their words that two memories have in common that say the same."""
CONTAINED_SHARE = 0.95
"""The share of its words that a shorter memory has in a longer one that says it too."""
LEAST_CONTAINED = 8
LEAST_WORDS = 3
"""A text of fewer words repeats nothing: it says too little to be told from another."""
LEAST_PASSAGE = 12
"""So many characters in a row make a passage of a memory."""
ELLIPSIS = "…"
MOST_SENTENCES = 40
"""A longer text is not called a repetition."""


def repeats(new: Reading, known: Reading) -> bool:
    """Whether `new` says nothing that `known` does not say, sentence by sentence, in one wording.

    The other way round it need not be so. A memory with blocks of code is no repetition, and below headings
    the sentences must be the same in the same order.
    """
    if not 0 < len(new.claims) <= MOST_SENTENCES or not any(claim.terms for claim in new.claims):
        return False
    mine, there = _outline(new), _outline(known)
    if mine is None or there is None or sum(map(len, mine)) < LEAST_WORDS:
        return False
    if any(each[:1] == HEADING for each in mine[1:]):
        # What a sentence says depends on what it stands below.
        return len(mine) == len(there) and all(map(is_same_wording, mine, there))
    is_whole = is_same_wording(_flat(mine), _flat(there))
    if not is_whole and not all(
        any(is_same_wording(each, other) for other in there) for each in mine if each[:1] != HEADING
    ):
        return False
    known_words = {word for each in (*there, wording(known.memory.title)) for word in each}
    return set(wording(new.memory.title)) <= known_words


def is_given(text: str, known: Reading) -> bool:
    """Whether `text` is all that `known` says under its title, or a passage as recall cuts one out of it.

    A passage is told by the ellipses where it was cut: without them `the tests pass` may be more than a part
    of `nobody believes that the tests pass`.
    """
    said, whole = even_text(text), even_text(known.memory.body)
    parts = [part.strip() for part in said.split(ELLIPSIS)]
    if len(parts) == 1 or said == whole:
        return said == whole
    return max(map(len, parts)) >= LEAST_PASSAGE and all(part in whole for part in parts)


HEADING: Wording = ("#",)


def _outline(reading: Reading) -> list[Wording] | None:
    """The wordings of headings and sentences, in their order; None where there is code, which has none."""
    found: list[Wording] = []
    for statement in statements_of(reading.text):
        if statement.kind == "code":
            return None
        if statement.kind == "heading":
            found.append(HEADING + wording(statement.text.lstrip("# ")))
        elif statement.kind in ("paragraph", "item", "row"):
            found += [wording(sentence) for sentence in sentences(statement.text)]
    return found or [wording(reading.memory.title)]


def _flat(outline: list[Wording]) -> Wording:
    """All words in a row: where one sentence ends and another begins is a matter of punctuation."""
    return tuple(word for each in outline for word in each)


def says_the_same(one: Reading, other: Reading) -> bool:
    """Whether the two say the same in nearly the same words, with equal numbers, names and negations."""
    small, large = sorted((one, other), key=lambda each: len(each.terms))
    if len(small.terms) < LEAST_TERMS:
        return False
    shared = len(small.terms & large.terms)
    if shared >= SAME_SHARE * len(small.terms | large.terms):
        return (small.values, small.names, small.stance) == (large.values, large.names, large.stance)
    is_part = len(small.terms) >= LEAST_CONTAINED and shared >= CONTAINED_SHARE * len(small.terms)
    if not is_part or not small.values <= large.values or not small.names <= large.names:
        return False
    return all(
        any(_is_repeated(claim, there) for there in large.claims) for claim in small.claims if claim.terms
    )


def _is_repeated(claim: Claim, there: Claim) -> bool:
    return (
        len(claim.terms & there.terms) >= SAME_SHARE * len(claim.terms)
        and claim.is_negated == there.is_negated
        and claim.opposites == there.opposites
        and all(set(values) <= set(there.values.get(kind, ())) for kind, values in claim.values.items())
    )
