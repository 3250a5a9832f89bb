"""Writes of several threads at once: the results are those of one after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.clock import FixedClock
from gitmem.errors import BadInput, Conflict, GitmemError, NotFound
from gitmem.flows import remember as flow
from gitmem.flows.remember import Written
from gitmem.flows.writing import group
from gitmem.flows.writing.drafting import Request
from gitmem.flows.writing.group import Member, together
from gitmem.model.change import Origin, trailers_of
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each call gives or raises, all made at the same moment."""
    gate = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def one(number: int) -> None:
        gate.wait()
        try:
            results[number] = calls[number]()
        except BaseException as error:  # noqa: BLE001  handed to the test
            results[number] = error

    threads = [threading.Thread(target=one, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many were carried out together, each time. The first waits until all others have come."""
    sizes: list[int] = []
    original = flow._carry_out
    lock = threading.Lock()

    def carry_out(members: Sequence[Any]) -> None:
        with lock:
            is_first = not sizes
            sizes.append(len(members))
        if is_first:
            threading.Event().wait(0.3)
        original(members)

    monkeypatch.setattr(flow, "_carry_out", carry_out)
    return sizes


def commits(folder: Path) -> list[dict[str, list[str]]]:
    """The trailers of each commit, oldest first."""
    messages = git(folder, "log", "--reverse", "--format=%B%x00").split("\0")
    return [trailers_of(message.strip()) for message in messages if message.strip()]


def test_a_burst_is_published_once_with_a_commit_for_each(
    store: Store, folder: Path, joined: list[int]
) -> None:
    """One handle, many threads: every memory has its own operation, and one move of the branch has most."""
    moves = len(git(folder, "reflog", "main").splitlines())
    origins = [Origin(agent=f"agent-{n % 3}", reason=f"reason {n}") for n in range(40)]
    calls = [partial(store.remember, f"fact {n}", id=f"f{n}", origin=origins[n]) for n in range(40)]
    written = at_once(calls)
    assert [one.id for one in written] == [f"f{n}" for n in range(40)]
    assert joined == [1, 39]
    assert len(git(folder, "reflog", "main").splitlines()) == moves + 2
    by_id = {trailers["Memory-Id"][0]: trailers for trailers in commits(folder) if "Memory-Id" in trailers}
    for number, one in enumerate(written):
        trailers = by_id[f"f{number}"]
        assert (trailers["Agent"], trailers["Reason"]) == ([f"agent-{number % 3}"], [f"reason {number}"])
        assert git(folder, "show", "--format=", "--name-only", one.version).split() == [one.path]
        assert (folder / one.path).read_text().endswith(f"fact {number}\n")
    assert len({trailers["Operation-Id"][0] for trailers in by_id.values()}) == 40
    assert_sound(folder)
    assert store.recall("fact 17").hits


def test_one_of_a_burst_can_be_undone(store: Store, folder: Path, joined: list[int]) -> None:
    written = at_once([partial(store.remember, f"fact {n}", id=f"f{n}") for n in range(8)])
    entry = store.log("f3").entries[0]
    assert entry.commit == written[3].version
    store.undo(commit_operation(folder, written[3].version))
    assert sorted(record.id for record in store.list().records) == sorted(f"f{n}" for n in range(8) if n != 3)
    assert_sound(folder)


def commit_operation(folder: Path, commit: str) -> str:
    return trailers_of(git(folder, "log", "-1", "--format=%B", commit).strip())["Operation-Id"][0]


def test_only_the_one_to_blame_is_refused(store: Store, folder: Path, joined: list[int]) -> None:
    """Ids and paths in use, before or by another of the burst; superseding what is not there."""
    store.remember("here before", id="before")
    joined.clear()
    stray = folder / "notes"
    stray.mkdir()
    (stray / "stray.md").write_text("not committed\n")
    calls: list[Callable[[], Any]] = [
        lambda: store.remember("first"),
        lambda: store.remember("good", id="good"),
        lambda: store.remember("taken", id="before"),
        lambda: store.remember("nobody", supersedes=["nosuch"]),
        lambda: store.remember("", id="empty"),
        lambda: store.remember("in the way", path="notes/stray.md"),
        lambda: store.remember("twice", path="notes/same.md", id="a-same"),
        lambda: store.remember("twice", path="notes/same.md", id="b-same"),
    ]
    results = at_once(calls)
    kinds = [type(result) for result in results]
    assert kinds[:2] == [Written, Written]
    assert issubclass(kinds[2], Conflict) and issubclass(kinds[3], NotFound) and kinds[4] is BadInput
    assert issubclass(kinds[5], Conflict) and "not committed" in str(results[5])
    assert sorted(issubclass(kind, Conflict) for kind in kinds[6:]) == [False, True]
    assert sum("Memory-Id" in trailers for trailers in commits(folder)) == 4
    assert git(folder, "status", "--porcelain") == "?? notes/stray.md\n"


def test_a_file_cannot_have_the_name_of_a_folder_that_comes_with_it(store: Store, folder: Path) -> None:
    """On many systems case does not tell them apart; one after the other it would be refused too."""
    pair = [Request("below", path="p/one.md/below.md"), Request("above", path="P/ONE.md")]
    with pytest.raises(Conflict, match=r"P/ONE\.md"):
        store.remember_all(pair)
    store.remember_all(pair[:1])
    with pytest.raises(Conflict, match=r"P/ONE\.md"):
        store.remember_all(pair[1:])


@dataclass(frozen=True)
class Wish:
    """One call of a burst, from few ids and paths, so that calls collide."""

    id: str | None
    path: str | None
    supersedes: tuple[str, ...]


WISHES = st.builds(
    Wish,
    id=st.sampled_from([None, "one", "two", "three"]),
    path=st.sampled_from([None, None, "p/one.md", "p/one.md/below.md", "P/ONE.md", "q/two.md"]),
    supersedes=st.sampled_from([(), (), ("one",), ("three",)]),
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wishes=st.lists(WISHES, min_size=2, max_size=6))
def test_a_burst_gives_what_some_order_gives(
    person: None, tmp_path_factory: pytest.TempPathFactory, wishes: list[Wish]
) -> None:
    """The order is that of the commits, with the refused ones where they were refused: at the end at the latest."""
    top = tmp_path_factory.mktemp("burst")
    store = Store.init(top / "one", clock=FixedClock(NOW))
    results = at_once([partial(_carry_out, store, wish) for wish in wishes])
    made = [index for index, result in enumerate(results) if isinstance(result, Written)]
    order = git(top / "one", "rev-list", "--reverse", "HEAD").split()
    made.sort(key=lambda index: order.index(results[index].version))
    serial = Store.init(top / "two", clock=FixedClock(NOW))
    for index in made:
        one = _carry_out(serial, wishes[index])
        if wishes[index].id is not None:
            assert (one.id, one.path) == (results[index].id, results[index].path)
    for index, result in enumerate(results):
        if not isinstance(result, Written):
            assert isinstance(result, GitmemError), result
            # Refused after those that it collides with: in that order it is refused too.
            if not wishes[index].supersedes:
                with pytest.raises(type(result)):
                    _carry_out(serial, wishes[index])
    assert len(order) == len(made) + 1
    assert_sound(top / "one")


def _carry_out(store: Store, wish: Wish) -> Written:
    return store.remember("a text", title="title", id=wish.id, path=wish.path, supersedes=wish.supersedes)


def test_handles_of_their_own_join_too(store: Store, folder: Path, joined: list[int]) -> None:
    calls = [partial(Store.open(folder).remember_all, [Request(f"t{n}", id=f"t{n}")]) for n in range(10)]
    results = at_once(calls)
    assert all(isinstance(result, list) for result in results), results
    assert sum(joined) == 10
    assert len(joined) < 10
    assert_sound(folder)


def test_what_breaks_for_the_one_at_work_is_done_once_for_the_others(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the work was done when it broke off, or not."""
    original = flow._write
    broken: list[int] = []
    first = threading.Event()

    def write(work: Any, members: Sequence[Any]) -> None:
        if len(members) == 1 and not first.is_set():
            first.set()
            threading.Event().wait(0.3)
        if len(members) > 1 and len(broken) < 2:
            broken.append(len(members))
            if len(broken) == 2:
                raise KeyboardInterrupt
            original(work, members)
            raise KeyboardInterrupt
        original(work, members)

    monkeypatch.setattr(flow, "_write", write)
    results = at_once([partial(store.remember, f"fact {n}", id=f"f{n}") for n in range(6)])
    assert sum(isinstance(result, KeyboardInterrupt) for result in results) == 1
    assert sum(isinstance(result, Written) for result in results) == 5
    made = [trailers["Memory-Id"][0] for trailers in commits(folder) if "Memory-Id" in trailers]
    assert sorted(made) == [f"f{n}" for n in range(6)], "each once"


@pytest.mark.parametrize("is_its_turn", [False, True])
def test_a_caller_that_waits_no_longer_holds_nobody_up(is_its_turn: bool) -> None:
    """Its turn goes to the next one, if it was its turn already."""
    begun, go = threading.Event(), threading.Event()
    waits = threading.Event.wait
    results: list[Any] = []

    def slowly(members: Sequence[Member[int, int]]) -> None:
        begun.set()
        go.wait(10)
        for member in members:
            member.result = member.asked * 2

    def caller(number: int) -> threading.Thread:
        thread = threading.Thread(
            target=lambda: results.append(together("group", number, slowly)), daemon=True
        )
        thread.start()
        return thread

    def interrupted(event: threading.Event, timeout: float | None = None) -> bool:
        turns = [member.turn for member in group._waiting.get("group", []) if member.asked == 2]
        if event not in turns or threading.current_thread() is not threading.main_thread():
            return waits(event, timeout)
        if is_its_turn:
            others.append(caller(3))
            while len(group._waiting["group"]) < 2:
                time.sleep(0.01)
            go.set()
            waits(event, 10)
        raise KeyboardInterrupt

    others = [caller(1)]
    begun.wait(10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Event, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            together("group", 2, slowly)
    if not is_its_turn:
        others.append(caller(3))
    go.set()
    for thread in others:
        thread.join(10)
    assert sorted(results) == [2, 6]
    assert "group" not in group._waiting


def test_who_left_while_others_did_its_work_gets_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that work breaks off after the caller is gone, nobody waits for the caller to do it alone."""
    begun, go, at_work, has_left = (threading.Event() for _ in range(4))
    waits = threading.Event.wait

    def carry_out(members: Sequence[Member[int, int]]) -> None:
        if members[0].asked == 1:
            begun.set()
            waits(go, 10)
        if members[0].asked == 2:
            at_work.set()
            waits(has_left, 10)
            raise RuntimeError("broken off")
        for member in members:
            member.result = member.asked

    def interrupted(event: threading.Event, timeout: float | None = None) -> bool:
        if threading.current_thread() is not threading.main_thread():
            return waits(event, timeout)
        go.set()
        waits(at_work, 10)
        raise KeyboardInterrupt

    def call(asked: int) -> None:
        with suppress(RuntimeError):
            results.append(together("group", asked, carry_out))

    def start(asked: int) -> threading.Thread:
        thread = threading.Thread(target=call, args=(asked,), daemon=True)
        thread.start()
        return thread

    results: list[int] = []
    threads = [start(1)]
    waits(begun, 10)
    threads.append(start(2))
    while not group._waiting["group"]:
        time.sleep(0.01)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Event, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            together("group", 3, carry_out)
    has_left.set()
    threads[1].join(10)
    threads.append(start(4))
    for thread in threads:
        thread.join(10)
    assert results == [1, 4]
    assert "group" not in group._waiting
