"""Which memories of a branch may say what is about to be written: found by their texts, read from git.

What a memory says counts only while it lives: not one that was superseded, has expired, or is scratch. Found
memories are those that whoever acts may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, TypeVar

from gitmem.errors import Damaged
from gitmem.evolve.exact import text_key
from gitmem.evolve.sought import candidates
from gitmem.flows.judging.text_table import Standing, Texts
from gitmem.flows.judging.texts import asked_of_texts, texts_between
from gitmem.flows.work import Work
from gitmem.index.moments import micros_of, span_of
from gitmem.model.document import decode
from gitmem.model.memory import Memory, MemoryType, Status
from gitmem.model.proposal import is_proposal
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.evolve.claims import Reading

T = TypeVar("T")
_LIVING = (Status.ACTIVE, Status.DISPUTED)


class KnownTexts:
    """What is known on `snapshot` of the branch of `work`."""

    def __init__(self, work: Work, snapshot: Snapshot) -> None:
        self._work = work
        self._snapshot = snapshot

    def with_texts(self, texts: Sequence[str]) -> list[list[Memory]]:
        """For each text the living memories that have it, by path."""
        if self._snapshot.commit is None:
            return [[] for _ in texts]
        keys = [text_key(text) for text in texts]
        answers = self._asked(lambda table: [table.with_key(key) for key in keys])
        return [
            list(self._living({each for answer in answers for each in answer[number]}))
            for number in range(len(texts))
        ]

    def near(self, text: str) -> list[Reading]:
        """The living memories that may say the same as `text`, or the contrary."""
        if self._snapshot.commit is None:
            return []

        def question(table: Texts) -> list[Standing]:
            numbers = candidates(text, table.having, table.count)
            return [place for number in numbers if (place := table.place(number)) is not None]

        found = dict.fromkeys(each for answer in self._asked(question) for each in answer)
        living = list(self._living(found))
        if not living:
            return []
        from gitmem.evolve.claims import Reading

        load = self._work.place.repository.load_blob
        return [Reading(memory, decode(load(memory.blob))[0]) for memory in living]

    def _asked(self, question: Callable[[Texts], T]) -> list[T]:
        """The answers of the tables that show the snapshot together.

        A proposal is main with some changes: it has no table of its own.
        """
        work, snapshot = self._work, self._snapshot
        place = work.place
        if not is_proposal(work.branch) or place.tip(place.main) is None:
            return [asked_of_texts(place, snapshot, work.branch, question, work.progress)]
        main = place.snapshot_of(place.main)
        assert main.commit is not None, "main has a tip"
        answers = [asked_of_texts(place, main, place.main, question, work.progress)]
        with closing(texts_between(place, snapshot, main.commit)) as texts:
            return [*answers, question(texts)]

    def _living(self, found: Sequence[Standing] | set[Standing] | dict[Standing, None]) -> Iterator[Memory]:
        """The memories at these places, as far as they stand there, are seen, and still hold."""
        now = micros_of(self._work.clock.now())
        for path, blob in sorted(found) if isinstance(found, set) else found:
            if self._snapshot.blob(path) != blob:
                continue
            with suppress(Damaged):
                memory = self._snapshot.read(path, blob)
                ends = span_of(memory.valid_until)
                is_over = ends is not None and ends[1] < now
                if memory.status in _LIVING and memory.type is not MemoryType.WORKING and not is_over:
                    yield memory
