"""What the proof is made of: names in trees, and sayings, are found however they lie."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.flows.forgetting.proof import LastLook
from gitmem.privacy.normal import normal
from gitmem.privacy.pieces import Piece, Sought
from gitmem.privacy.sayings import Sayings

NAMES = st.sampled_from([b"swordfish-2290417.md", b"swordfish", b"b 100644 a", b"kept.md", b"two words.md"])
IDS = st.lists(st.sampled_from([b"\0", b" ", b"1", b"\xff"]), min_size=20, max_size=20).map(b"".join)


def tree_of(entries: list[tuple[bytes, bytes]]) -> bytes:
    return b"".join(b"100644 %b\0%b" % entry for entry in entries)


@given(st.lists(st.lists(st.tuples(NAMES, IDS), max_size=4), max_size=4))
@example([[(b"kept.md", b"\0" * 20), (b"swordfish-2290417.md", b" " * 20)]])
@example([[(b"swordfish-2290417.md", b"1 \0" * 6 + b"\0\0")]])
def test_a_name_is_found_whatever_ids_stand_beside_it(trees: list[list[tuple[bytes, bytes]]]) -> None:
    """It is found where it was in no tree before."""
    looking = LastLook(Sought([Piece(b"swordfish-2290417", True)]), frozenset(), (), allows_mentions=False)
    for number, entries in enumerate(trees):
        looking.object(f"{number:040}", "tree", tree_of(entries))
    told = any(name.startswith(b"swordfish-2290417") for entries in trees for name, _ in entries)
    assert bool(looking.found) == told


def test_an_id_that_looks_like_a_piece_is_none() -> None:
    looking = LastLook(Sought([Piece(b"swordfish-22904171")]), frozenset(), (), allows_mentions=False)
    looking.object("1" * 40, "tree", tree_of([(b"kept.md", b" swordfish-22904171 ")]))
    assert not looking.found and looking.objects == 1


WORDS = st.lists(
    st.sampled_from(["Alice", "keeps", "the", "key", "_mat_", "it's", "ＫＥＹ", "门", "42", "—"]), max_size=7
).map(" ".join)


@given(st.lists(WORDS, max_size=5), WORDS)
@example(["Alice keeps"], "alice-KEEPS.")
@example(["key"], "ＫＥＹ")
def test_a_saying_is_found_as_if_each_was_looked_for(texts: list[str], said: str) -> None:
    sayings = {normal(text) for text in texts} - {""}
    assert Sayings(sayings).said_in(said.encode()) == {each for each in sayings if each in normal(said)}
