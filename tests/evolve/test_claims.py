"""What a sentence claims is told in no longer than it takes to read it."""

from __future__ import annotations

import pytest

from gitmem.evolve.claims import claim_of
from tests.timing import cpu_seconds


@pytest.mark.parametrize("unit", ["a-", "a.", "1,", "x://", "](", "Aa", "no", "二"])
def test_a_long_sentence_takes_no_longer_than_its_length(unit: str) -> None:
    """Twice as much of anything takes about twice as long, so that one memory holds no write up."""
    short = cpu_seconds(lambda: claim_of(unit * 5_000, 1))
    long = cpu_seconds(lambda: claim_of(unit * 20_000, 1))
    assert long < 10 * short + 0.05


def test_where_a_link_leads_is_no_part_of_a_claim() -> None:
    claim = claim_of("See [the 3 ports](https://example.com/4/5) and git+ssh://host/6.", 1)
    assert claim.values == {"number": ("3",)}
