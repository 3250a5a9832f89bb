"""One writer of the soak: mixed verbs on one store, each begun and acknowledged in its ledger.

Every operation has a token of its own, which stands in the text that it writes and as `Reason` in its commit, so
that the proof can tell from the history alone what became of it.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from gitmem.errors import Conflict, GitmemError, NotFound, StaleVersion
from gitmem.flows.remember import Written
from gitmem.flows.writing.drafting import Request
from gitmem.model.change import Origin
from gitmem.store import Store
from tests.faults.soak.ledger import Ledger, Signals

LOGS = ("log-a", "log-b")
"""Memories that are only appended to, so that every acknowledged line must be at the tip."""
CONTESTED = tuple(f"contested-{n}" for n in range(4))
STEADY = "steady"
CLAIMS = 400
BATCH = 3
WEIGHTS = {
    "remember": 5, "claim": 2, "batch": 2, "update": 4, "expect": 4, "append": 5, "amend": 3, "archive": 3,
    "restore": 3, "revert": 2, "undo": 2, "recall": 3, "reindex": 0.15,
}  # fmt: skip


class Nothing(Exception):
    """The operation found nothing to do."""


def text_of(verb: str, token: str) -> str:
    """The text that an operation writes; the proof makes it again from the token."""
    return {
        "remember": f"A puffin was seen: {token}",
        "claim": f"A walrus was claimed: {token}",
        "batch": f"Part of the batch {token}",
        "update": f"The heron stands where {token} put it",
        "append": f"- line {token}",
    }[verb]


class Worker:
    """The verbs, each on a store opened anew, as separate commands would."""

    def __init__(self, folder: Path, name: str, run: int, seed: int) -> None:
        self._folder = folder
        self._name = name
        self._run = run
        self._chance = random.Random(f"{seed}-{name}-{run}")
        self._mine: list[str] = []
        self._verbs: dict[str, Callable[[Store, str], dict[str, object]]] = {
            name: getattr(self, f"_{name}") for name in WEIGHTS
        }

    def work(self, ledger: Ledger, signals: Signals, pause_seconds: float) -> None:
        """One operation after the other until the soak stops."""
        names, weights = list(WEIGHTS), list(WEIGHTS.values())
        number = 0
        while signals.wait_while_paused():
            number += 1
            verb = self._chance.choices(names, weights)[0]
            self.operate(ledger, verb, f"{self._name}x{self._run}x{number}")
            time.sleep(self._chance.uniform(0, 2 * pause_seconds))

    def operate(self, ledger: Ledger, verb: str, token: str) -> None:
        """One operation, with what became of it in the ledger."""
        ledger.note("begun", flush=False, verb=verb, token=token)
        try:
            facts = self._verbs[verb](Store.open(self._folder), token)
        except Nothing:
            ledger.note("nothing", flush=False, verb=verb, token=token)
        except StaleVersion as error:
            shown = error.facts()
            both = [str(shown["expected"]), str(shown["current"])]
            is_whole = error.expected_text is not None and bool(error.current_text) and both[0] != both[1]
            ledger.note("refused", verb=verb, token=token, why="stale version", shows_both=is_whole)
        except (Conflict, NotFound) as error:
            ledger.note("refused", verb=verb, token=token, why=error.kind, message=error.message)
        except GitmemError as error:
            ledger.note("broken", verb=verb, token=token, message=f"{type(error).__name__}: {error.message}")
        except Exception:  # noqa: BLE001  the soak is there to show what nobody expected
            ledger.note("broken", verb=verb, token=token, message=traceback.format_exc())
        else:
            ledger.note("done", verb=verb, token=token, facts=facts)

    def _origin(self, token: str) -> Origin:
        return Origin(agent=self._name, reason=token)

    def _pick(self) -> str:
        own = [self._chance.choice(self._mine)] if self._mine else []
        return self._chance.choice([*CONTESTED, *own])

    def _remember(self, store: Store, token: str) -> dict[str, object]:
        written = store.remember(text_of("remember", token), origin=self._origin(token))
        self._mine.append(written.id)
        return {"ids": [written.id], "commit": written.version}

    def _claim(self, store: Store, token: str) -> dict[str, object]:
        """An id that other writers want too: one of them gets it."""
        wanted = f"claim-{self._chance.randrange(CLAIMS)}"
        written = store.remember(text_of("claim", token), id=wanted, origin=self._origin(token))
        return {"ids": [written.id], "commit": written.version}

    def _batch(self, store: Store, token: str) -> dict[str, object]:
        requests = [
            Request(f"{text_of('batch', token)}, {n}", tags=[f"batch-{token}"], origin=self._origin(token))
            for n in range(BATCH)
        ]
        written = store.remember_all(requests)
        return {"ids": [each.id for each in written], "commit": written[0].version, "tag": f"batch-{token}"}

    def _update(self, store: Store, token: str) -> dict[str, object]:
        text = text_of("update", token)
        return _facts(store.update(self._pick(), text, origin=self._origin(token)))

    def _expect(self, store: Store, token: str) -> dict[str, object]:
        shown = store.show(self._chance.choice(CONTESTED))
        if shown.is_archived:
            raise Nothing
        time.sleep(self._chance.uniform(0, 0.05))
        text, seen = text_of("update", token), shown.version
        return _facts(store.update(shown.memory.id, text, expect=seen, origin=self._origin(token)))

    def _append(self, store: Store, token: str) -> dict[str, object]:
        text = text_of("append", token)
        return _facts(store.append(self._chance.choice(LOGS), text, origin=self._origin(token)))

    def _amend(self, store: Store, token: str) -> dict[str, object]:
        return _facts(store.append(self._pick(), text_of("append", token), origin=self._origin(token)))

    def _archive(self, store: Store, token: str) -> dict[str, object]:
        moved = store.archive([self._pick()], origin=self._origin(token))
        return {"ids": list(moved.ids), "commit": moved.left, "other": moved.arrived}

    def _restore(self, store: Store, token: str) -> dict[str, object]:
        moved = store.restore([self._pick()], origin=self._origin(token))
        return {"ids": list(moved.ids), "commit": moved.arrived, "other": moved.left}

    def _revert(self, store: Store, token: str) -> dict[str, object]:
        version = f"v{self._chance.randrange(1, 4)}"
        return _facts(store.revert(self._pick(), version, origin=self._origin(token)))

    def _undo(self, store: Store, token: str) -> dict[str, object]:
        undone = store.undo(origin=self._origin(token))
        return {"commit": undone.commits.get("main"), "other": undone.commits.get("archive")}

    def _recall(self, store: Store, token: str) -> dict[str, object]:
        found = store.recall("where is the steady lighthouse?", limit=3)
        assert found.hits and found.hits[0].hit.record.id == STEADY, found
        return {}

    def _reindex(self, store: Store, token: str) -> dict[str, object]:
        return {"memories": store.reindex().memories}


def _facts(written: Written) -> dict[str, object]:
    return {"ids": [written.id], "commit": written.version if written.replaced else None}


def main(arguments: list[str]) -> None:
    folder, control, name, run, seed, pause = arguments
    ledger = Ledger(Path(control) / f"{name}.ledger")
    worker = Worker(Path(folder), name, int(run), int(seed))
    worker.work(ledger, Signals(Path(control), name), float(pause))


if __name__ == "__main__":
    main(sys.argv[1:])
