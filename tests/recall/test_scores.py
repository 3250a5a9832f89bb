"""Scores come in the order in which multiplying every one of them and sorting would put them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from gitmem.recall import lifted as lifted_module
from gitmem.recall import scores as scores_module
from gitmem.recall.answer import Reason
from gitmem.recall.lifted import Lifted
from gitmem.recall.scores import Scores


class Table:
    """A factor that is written down for each document."""

    def __init__(self, factors: Mapping[int, float]) -> None:
        self._factors = factors
        self.most = max(factors.values())
        self.reach: Set[int] | None = None
        if factors[0] >= 1:
            self.reach = {document for document, factor in factors.items() if factor != 1}

    def factor_of(self, document: int) -> float:
        return self._factors[document]

    def reason(self, document: int) -> Reason | None:
        return None


DOCUMENTS = st.integers(0, 30)
SUMS = st.dictionaries(DOCUMENTS, st.floats(0, 100) | st.sampled_from([0.0, 1.0, 2.0]))
TABLES = st.lists(
    st.lists(st.floats(0.5, 1.5) | st.sampled_from([0.9, 1.0, 1.1]), min_size=31, max_size=31), max_size=3
)


@given(SUMS, TABLES, st.dictionaries(DOCUMENTS, st.floats(0, 200)), st.sampled_from([0.0, 0.6, 1.0]))
def test_the_best_come_first(
    sums: dict[int, float], tables: list[list[float]], other: dict[int, float], near: float
) -> None:
    """However many of them are sorted before the others."""
    scores = Scores(sums, [Table(dict(enumerate(table))) for table in tables])
    plain = {
        document: round(math.prod((table[document] for table in tables), start=score), 9)
        for document, score in sums.items()
    }
    changes = {document: score for document, score in other.items() if document in sums}
    for found, expected in ((scores, plain), (scores.changed(changes), plain | changes)):
        assert dict(found) == expected
        in_order = sorted(expected.items(), key=lambda item: (-item[1], item[0]))
        with patch.object(scores_module, "_NEAR_SHARES", (near, near / 2)):
            assert list(found.best_first()) == in_order


@given(SUMS, st.lists(st.floats(0, 30), max_size=4), st.floats(0, 130), st.sampled_from([0, 2, 20]))
def test_what_is_lifted_by_its_group_reaches_as_far(
    sums: dict[int, float], lifts: list[float], least: float, many: int
) -> None:
    """Documents are in five groups, of which some are lifted."""
    group_of = [document % 5 for document in range(31)]
    found = Lifted(sums, dict(enumerate(lifts)), group_of, lambda group: range(group, 31, 5))
    expected = {number: score + dict(enumerate(lifts)).get(number % 5, 0.0) for number, score in sums.items()}
    with patch.object(lifted_module, "_MANY_MEMBERS", many):
        reaching = found.reaching(least - 1e-8)
    assert reaching.items() <= expected.items() == dict(found).items()
    assert {number for number, score in expected.items() if score >= least} <= reaching.keys()
    assert all(score <= found.most for score in expected.values())


@given(SUMS, st.lists(DOCUMENTS))
def test_more_and_fewer(sums: dict[int, float], documents: list[int]) -> None:
    scores = Scores(sums)
    rounded = {document: round(score, 9) for document, score in sums.items()}
    assert dict(scores.and_also(documents)) == {**dict.fromkeys(documents, 0.0), **rounded}
    assert dict(scores.only(documents)) == {document: rounded.get(document, 0.0) for document in documents}
