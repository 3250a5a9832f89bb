"""Answers in pages: together they are the whole answer, each memory once."""

from __future__ import annotations

from gitmem.flows.writing.drafting import Request
from gitmem.store import Store


def test_pages_are_the_answer_in_parts(store: Store) -> None:
    """Also where the archive is looked into; only the hits of a page count as used."""
    store.remember_all(
        [Request(f"harbour master {n} " + "ships " * (n % 5), id=f"h{n:02}") for n in range(25)]
    )
    store.archive([f"h{n:02}" for n in range(20, 25)])
    for archived in (False, True):
        whole = [
            each.hit.record.id for each in store.recall("harbour ships", limit=30, archived=archived).hits
        ]
        pages = [
            [
                each.hit.record.id
                for each in store.recall("harbour ships", limit=7, offset=at, archived=archived).hits
            ]
            for at in range(0, 35, 7)
        ]
        assert [each for page in pages for each in page] == whole and len(set(whole)) == (
            25 if archived else 20
        )
        assert [len(page) for page in pages][:2] == [7, 7]


def test_a_page_behind_the_end_is_empty(store: Store) -> None:
    """It still says how many there are."""
    store.remember("harbour master")
    answer = store.recall("harbour", offset=5)
    assert (list(answer.hits), answer.total) == ([], 1)
