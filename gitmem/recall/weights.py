"""Every weight of ranking, in one place; `docs/explanation/ranking.md` says where each comes from."""

from __future__ import annotations

from gitmem.index.scoring import FieldScoring, Scoring
from gitmem.model.memory import Status

K1 = 1.0
"""How soon a frequency saturates. Robertson and Zaragoza advise 0.5 to 2; neighbours count as frequency."""

HALF_LENGTH_WORDS = 25.0
"""Average length at which length counts half: b = average / (average + this)."""

LIGHT_SHARE = 0.5
"""What a word that says how to answer (first, how many, last month) is worth of its idf."""

NAME_SHARE = 1.3
"""What a word with a capital inside a sentence is worth of its idf: names tell more than other words."""

RELATED_SHARE = 0.45
"""What a related word (`tart` for `dessert`) counts of the word asked for."""

RELATED_LEAST_TERMS, RELATED_MOST_TERMS = 2, 16
"""One word is looked up as it is, and a longer text says enough itself: neither gets related words."""

SCORING = Scoring(
    fields={
        "title": FieldScoring(2.0, 0.5),
        "text": FieldScoring(1.0, None),
        "tags": FieldScoring(1.5, 0.3),
        "entities": FieldScoring(1.5, 0.3),
        "dates": FieldScoring(1.0, 0.0),
        "ids": FieldScoring(1.0, 0.3),
        "other": FieldScoring(1.0, 0.3),
    },
    half_length=HALF_LENGTH_WORDS,
    light_share=LIGHT_SHARE,
    name_share=NAME_SHARE,
    related_fields=("title", "text", "other"),
    related_share=RELATED_SHARE,
)

LENT_BY_EARLIER = (0.4, 0.2, 0.1)
"""What a memory gets of the frequencies of the one, two and three before it in its session."""

LENT_BY_LATER = (0.26, 0.13, 0.08)
"""The same of those after it: an answer follows its question more often than it precedes it."""

LENT_BY_LONG = 0.3
"""Long memories need their neighbours less: what they get is multiplied by 1 - this * b."""

MOST_LENDERS = 1000
"""A word that more memories in scope have is not lent: it tells little, and lending it costs most."""

SESSION_SHARE = 0.3
"""The best session's score, as a share of the best memory's."""

SESSION_K1 = 0.7
"""How soon a word saturates in a session."""

SESSION_B = 0.5
"""How much the number of memories in a session counts."""

MEANING_SHARE = 1.0
"""What a standard deviation of meaning counts of one of words, where those say nothing of the question."""

MEANING_LENT = 0.5
"""What a memory's meaning counts of that of its neighbours; the rest is its own."""

AUTHOR_LIFT = 0.2
"""Lift of the memories of the one author that the query names."""

FREQUENT_AUTHOR_SHARE = 0.2
"""The name of who wrote this share of the scope is no word to look for."""

DATE_LIFT = 0.2
"""Lift of the memories from the month, year or weekday that the query names."""

LINK_LIFT = 0.1
"""What a memory gets of the score of the best memory that it is related to."""

LINK_DEPTH = 20
"""How many of the best memories lift what they are related to."""

SWING = 0.1
"""Importance, confidence, recency and use each multiply by at most 1 plus this, and at least 1 minus it."""

RECENCY_HALF_DAYS = 30.0
"""After so many days half of the lift by recency is gone."""

MANY_USES = 100
"""So many uses lift by all of `SWING`; more do not lift more."""

USE_HALF_DAYS = 30.0
"""After so many days without use half of the lift by use is gone."""

RECALLED_SHARE = 0.2
"""What being among the hits of a recall counts of being shown: a hit need not have been of use."""

CUTOFF = 0.27
"""If nothing reaches this relevance, nothing is relevant; docs/benchmarks.md has the curve of the choice."""

TELLING_SHARE = 0.95
"""A best hit that has this share of what a word of a single memory is worth is never held back."""

TERMS_OF_UNSPACED_WORD = 3.0
"""A word of a script without blanks is mostly two characters, and found by each and by both together."""

CUTOFF_LEAST_WORDS, CUTOFF_MOST_WORDS = 2.5, 16
"""Only questions of so many words are judged: fewer are a search for a word, more are no question."""

EXACT_NUMBER_DIGITS = 5
"""A number of so many digits is a name: of an order, a ticket, a commit."""

ID_FACTOR = 2.0
"""For a memory whose id stands in the query."""

PHRASE_FACTOR = 1.5
"""For a memory that has a quoted phrase of the query."""

PHRASE_CANDIDATES = 50
"""How many of the best memories are read to look for a phrase."""

STATUS_FACTORS = {Status.SUPERSEDED: 0.5, Status.EXPIRED: 0.5, Status.DISPUTED: 0.8}
"""For what no longer holds, or is doubted."""

STALE_FACTOR = 0.8
"""For a memory with an anchor that changed."""

BEHIND_CORRECTION = 0.99
"""A corrected memory has at most this share of its correction's score."""
