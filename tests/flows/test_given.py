"""What the library is given wrongly, and what of an error another process gets."""

from __future__ import annotations

import pickle

import pytest

from gitmem.errors import (
    Ambiguous,
    BadInput,
    GitmemError,
    NearDuplicate,
    NotFound,
    StaleVersion,
)
from gitmem.store import Store


@pytest.mark.parametrize("name", ["list", "log", "usage", "recall", "consult"])
def test_a_limit_below_nothing_is_refused(store: Store, name: str) -> None:
    """Python would count it from the end, and the answer would be short without a word."""
    store.remember("a heron", id="heron")
    asked = ("heron",) if name in ("recall", "consult") else ()
    with pytest.raises(BadInput, match="limit: -1 is less than 0"):
        getattr(store, name)(*asked, limit=-1)


def test_an_offset_below_nothing_is_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="offset: -1 is less than 0"):
        store.recall("heron", offset=-1)


@pytest.mark.parametrize("name", ["\ud83d", "semantic/a\udfff.md"])
def test_half_a_character_names_no_memory(store: Store, name: str) -> None:
    store.remember("a heron", id="heron")
    for verb in (store.show, store.log, store.why, store.related, store.pin):
        with pytest.raises(NotFound, match="no memory"):
            verb(name)
    with pytest.raises(NotFound, match="no memory"):
        store.link("heron", name)


@pytest.mark.parametrize(
    "error",
    [
        BadInput("m", field="f", hint="h"),
        NotFound("m", name="n"),
        Ambiguous("n", ["a", "b"]),
        StaleVersion("p", expected="e", expected_text=None, current="c", current_text="t"),
        NearDuplicate("i", "p", "s"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_reaches_another_process_whole(error: GitmemError) -> None:
    """A pool of processes breaks down where an exception cannot be read back."""
    there = pickle.loads(pickle.dumps(error))
    assert type(there) is type(error) and there.__dict__ == error.__dict__
    assert str(there) == str(error) and there.facts() == error.facts()
