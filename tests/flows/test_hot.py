"""Memories kept for the next question: bounded, and never another text than that of the blob."""

from __future__ import annotations

from gitmem.flows.reading.hot import HotMemories
from gitmem.model.ids import BlobId
from gitmem.model.memory import Memory
from gitmem.model.reading import read_memory
from gitmem.store import Store


def test_what_is_kept_is_bounded_and_the_oldest_goes() -> None:
    hot = HotMemories(20_000)
    reads: list[str] = []

    def read(path: str, blob: BlobId) -> Memory:
        reads.append(path)
        return read_memory(path, blob, b"x" * 1000)

    def get(number: int) -> None:
        assert hot.get(f"{number}.md", BlobId(f"{number:040d}"), read).path == f"{number}.md"

    for number in range(40):
        get(number)
        get(0)
        assert hot.characters <= 20_000
    assert reads.count("0.md") == 1
    get(1)
    assert reads.count("1.md") == 2
    hot.get("large.md", BlobId("f" * 40), lambda path, blob: read_memory(path, blob, b"y" * 15_000))
    get(0)
    assert reads.count("0.md") == 1, "what is large does not push the others out"
    hot.clear()
    assert hot.characters == 0


def test_a_handle_shows_what_a_memory_says_now(store: Store) -> None:
    for number in range(3):
        text = f"kestrel {number}"
        if number:
            store.update("one", text)
        else:
            store.remember(text, id="one")
        (hit,) = store.recall("kestrel").hits
        assert hit.snippet.text == text
    store.close()
    assert store.recall("kestrel").hits
