"""Names of entities: a question for one name finds the memories that say another.

Where a question holds a name of an entity that a memory stands for, "what does 张工 own?", one more piece of
evidence is gathered: what has any of its names, whole, or names it in its header. It weighs as the words of
the name, if so many memories had them. The words of the question count as ever, so the name that was asked
for stands above the others. A store without such memories is searched as if this were not there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from gitmem.index.analysis import QueryTerm, is_unspaced, query_words
from gitmem.index.content import IndexContent
from gitmem.index.keys import key
from gitmem.index.names import ABOUT, CALLED, called, without_kind
from gitmem.index.record import RecordFilter
from gitmem.index.schema import NAMES, WRITTEN_FIELDS
from gitmem.index.scope import Scope
from gitmem.index.scoring import Evidence, Frequencies, gather_forms, idf
from gitmem.model.wiki_links import aliases_in
from gitmem.recall.question import Question
from gitmem.recall.weights import SCORING
from gitmem.recall.where import Where

W = TypeVar("W", bound=RecordFilter)
MOST_ENTITIES = 3
"""So many entities of one question are looked for under all their names."""
MOST_NAMES = 12
"""So many names of each."""
MOST_LOOKED_UP = 400
LONGEST_NAME = 48
MOST_TEXT = 400
MOST_PARTS = 6
MOST_READ = 50
"""So many memories are read to see whether they have a name whole."""
MOST_WORTH = 3
"""A name weighs as its words, of which so many count."""
NAMED_IN_HEADER = 1.5
"""How often a memory has an entity that its header names: as the field of entities weighs."""


HavingPhrase = Callable[[str], Collection[int]]


def evidence_of_names(
    content: IndexContent, question: Question, scope: Scope, having_phrase: HavingPhrase
) -> list[Evidence]:
    """The evidence of each entity that `question` names, of at most three.

    `having_phrase` looks into the memories that have all words of a name for those that have it whole; where
    they are many, all of them count.
    """
    if not content.has_terms(NAMES, f"{CALLED}:"):
        return []
    found: list[Evidence] = []
    seen: set[int] = set()
    for name, documents in _named(content, question.text):
        for document in documents[: MOST_ENTITIES - len(found)]:
            if document not in seen:
                seen.add(document)
                evidence = _evidence(content, name, document, scope, having_phrase)
                found += [] if evidence is None else [evidence]
    return found[:MOST_ENTITIES]


def under_all_names(content: IndexContent, where: W) -> W:
    """`where` with all names of each entity in it that one memory stands for; else as it is.

    A kind tells nothing here: `person:alice` is asked for as `alice` is.
    """
    if not isinstance(where, Where) or not where.entities:
        return where
    found = []
    for entity in where.entities:
        documents: Sequence[int] = ()
        for name in (entity, without_kind(entity)):
            documents = documents or list(content.documents_with(NAMES, key(CALLED, called(name))))
        if len(documents) == 1:
            record = content.record(documents[0])
            names = (entity, without_kind(entity), record.title, *aliases_in(record.fields))
            found.append((entity, frozenset(map(called, names))))
    return replace(where, about=tuple(found)) if found else where


def _named(content: IndexContent, text: str) -> Iterator[tuple[str, list[int]]]:
    """The names in a text that entities have, the longest where several begin at one place."""
    plain = called(text)[:MOST_TEXT]
    left = MOST_LOOKED_UP
    place = 0
    while place < len(plain) and left > 0:
        step = 1
        for end in _ends(plain, place) if _is_edge(plain, place) else ():
            left -= 1
            documents = content.documents_with(NAMES, key(CALLED, plain[place:end]))
            if documents:
                yield plain[place:end], documents
                step = end - place
                break
        place += step


def _ends(text: str, start: int) -> list[int]:
    """Where a name may end that begins at `start`, the farthest first."""
    farthest = min(len(text), start + LONGEST_NAME)
    ends = [end for end in range(start + 2, farthest + 1) if text[end - 1] != " " and _is_edge(text, end)]
    return ends[:MOST_PARTS][::-1]


def _is_edge(text: str, place: int) -> bool:
    """Whether a name may begin or end there: not inside a word, and anywhere in a script without blanks."""
    if place in (0, len(text)):
        return True
    before, behind = text[place - 1], text[place]
    if is_unspaced(before) or is_unspaced(behind):
        return behind != " " or before != " "
    return not (before.isalnum() and behind.isalnum())


def _evidence(
    content: IndexContent, name: str, document: int, scope: Scope, having_phrase: HavingPhrase
) -> Evidence | None:
    record = content.record(document)
    names = list(dict.fromkeys((record.title, *aliases_in(record.fields))))[:MOST_NAMES]
    forms: dict[str, set[int] | None] = {}
    for each in names:
        terms = [word.term for word in query_words(without_kind(each))]
        having = {term: _having(content, term) for term in terms}
        if not having:
            continue
        both = set.intersection(*having.values())
        if len(terms) > 1 and len(both) <= MOST_READ:
            both &= set(having_phrase(without_kind(each)))
        telling = min(terms, key=lambda term: (len(having[term]), -len(term), term))
        forms[telling] = both | (forms.get(telling) or set())
    # Without its blanks, or it would count as a word with a form of its own, such as `pkg.mod`.
    word = QueryTerm("".join(name.split()), name)
    written = gather_forms(content, word, forms, scope, SCORING)
    frequencies = Frequencies({} if written is None else written.frequencies)
    for each in names:
        for about in content.documents_with(NAMES, key(ABOUT, called(each))):
            if scope.holds(about):
                frequencies[about] = max(frequencies.get(about, 0.0), NAMED_IN_HEADER)
    if not frequencies:
        return None
    size = min(MOST_WORTH, max(1, len(query_words(name))))
    worth = size * idf(scope.count, len(frequencies)) * SCORING.share(word)
    return Evidence(word, worth, frequencies, tuple(forms))


def _having(content: IndexContent, term: str) -> set[int]:
    return set().union(*(content.documents_with(field, term) for field in WRITTEN_FIELDS))
