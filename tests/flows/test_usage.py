"""Uses are counted in the clone, never in the way of a read, and shared without conflict."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.clock import FixedClock
from gitmem.errors import BadInput
from gitmem.flows.writing.drafting import Request
from gitmem.model.usage import NEVER, Counts, Uses, counts_text
from gitmem.recall.factors import use_factor
from gitmem.recall.weights import MANY_USES, SWING
from gitmem.store import Store
from gitmem.versions import usage_log
from gitmem.versions.usage_files import events_in
from gitmem.versions.usage_log import FULL_LOG_BYTES, MANY_IDS, UsageLog, UsageReader
from gitmem.versions.usage_ref import merged_files
from tests.conftest import NOW, assert_sound, git, gitmem

MOMENT = "2026-11-29T15:30:12Z"


@pytest.fixture(autouse=True)
def counted(sealed_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses are counted, as for people."""
    monkeypatch.delenv("GITMEM_USAGE")


@pytest.fixture
def known(store: Store) -> Store:
    store.remember_all([Request("Alice wants reports", id="alice"), Request("Bob wants reports", id="bob")])
    return store


def counts(store: Store) -> dict[str, tuple[int, int]]:
    return {used.id: (used.uses.recalled, used.uses.shown) for used in store.usage(limit=100).memories}


def test_every_recall_and_show_is_counted_and_nothing_of_the_store_changes(
    known: Store, folder: Path
) -> None:
    """No commit, no change of the worktree; list tells, and does not count."""
    head = git(folder, "rev-parse", "HEAD")
    known.recall("reports")
    known.recall("Alice", limit=1)
    known.show("alice")
    known.recall("nothing like it")
    known.list()
    assert counts(known) == {"alice": (2, 1), "bob": (1, 0)}
    shown = known.show("alice").uses
    assert shown == Uses(2, 1, MOMENT)
    listing = known.list()
    assert listing.uses is not None
    assert listing.uses["bob"] == Uses(1, 0, MOMENT)
    assert git(folder, "rev-parse", "HEAD") == head
    assert_sound(folder)


def test_the_command_counts_too_and_prints_the_counts(known: Store, folder: Path) -> None:
    gitmem(folder, "recall", "Alice", "--limit", "1")
    assert gitmem(folder, "show", "alice", "--json").json["uses"]["recalled"] == 1
    listed = gitmem(folder, "list", "--json").json["results"]
    assert {each["id"]: each["uses"]["shown"] for each in listed} == {"alice": 1, "bob": 0}
    used = gitmem(folder, "usage", "--json").json
    assert (used["counting"], used["problem"], used["total"]) == (True, None, 1)
    assert used["memories"][0]["title"] == "Alice wants reports"


@pytest.mark.parametrize("switch", ["variable", "config"])
def test_counting_can_be_switched_off(
    known: Store, folder: Path, monkeypatch: pytest.MonkeyPatch, switch: str
) -> None:
    """Then nothing is noted, nothing is ranked by it, and the JSON says that it is unknown."""
    known.recall("reports")
    if switch == "variable":
        monkeypatch.setenv("GITMEM_USAGE", "off")
    else:
        git(folder, "config", "gitmem.usage", "false")
    answer = known.recall("reports")
    assert not [reason for each in answer.hits for reason in each.hit.reasons if reason.stage == "usage"]
    assert known.show("alice").uses is None
    assert known.list().uses is None
    assert counts(known) == {"alice": (1, 0), "bob": (1, 0)}
    assert not known.usage().is_counting


def test_the_past_is_neither_counted_nor_ranked_by_use(known: Store) -> None:
    known.recall("reports")
    past = known.at("HEAD")
    answer = past.recall("reports")
    past.show("bob")
    assert "usage" not in {reason.stage for each in answer.hits for reason in each.hit.reasons}
    assert counts(known) == {"alice": (1, 0), "bob": (1, 0)}


def test_what_is_used_comes_before_what_fits_as_well(known: Store) -> None:
    """The reason says how often and when; what fits better stays ahead all the same."""
    for _ in range(3):
        known.show("bob")
    first = known.recall("reports").hits[0].hit
    assert first.record.id == "bob"
    (reason,) = [reason for reason in first.reasons if reason.stage == "usage"]
    assert reason.text == "recalled 0 and shown 3 times, last 0 days ago"
    assert 1 < reason.factor < 1 + SWING
    for _ in range(200):
        known.show("bob")
    assert known.recall("Alice reports").hits[0].hit.record.id == "alice"


@given(st.floats(0, 1e12), st.floats(-1e6, 1e6))
def test_the_factor_is_bounded(uses: float, age_days: float) -> None:
    """At most a tenth, never below 1; more uses never count less, older ones never more."""
    factor = use_factor(uses, age_days)
    assert 1 <= factor <= 1 + SWING
    assert use_factor(uses + 1, age_days) >= factor
    assert use_factor(uses, age_days + 1) <= factor
    assert use_factor(0, age_days) == 1
    assert use_factor(MANY_USES, 0) == pytest.approx(1 + SWING)


def test_use_is_found_among_all_that_could_reach_the_answer(store: Store) -> None:
    """A used memory just below the cut by words is in the answer: the cut is made after the factor."""
    store.remember_all([Request(f"harbor note {n}", id=f"n{n:02}") for n in range(30)])
    last = store.recall("harbor note", limit=30).hits[-1].hit.record.id
    for _ in range(20):
        store.show(last)
    assert store.recall("harbor note", limit=1).hits[0].hit.record.id == last


@pytest.mark.parametrize("obstacle", ["a file", "a folder"])
def test_a_place_that_cannot_be_written_is_no_reason_to_fail(
    known: Store, folder: Path, obstacle: str
) -> None:
    """An open store answers and is silent; status and doctor tell. Whoever opens it anew moves it aside."""
    place = folder / ".git/gitmem/usage"
    if obstacle == "a file":
        place.write_text("in the way")
    else:
        (place / "log").mkdir(parents=True)
    assert known.recall("reports").hits
    assert known.show("alice").memory.id == "alice"
    if obstacle == "a file":
        assert any("uses are not counted" in note for note in known.status().notes)
        assert known.usage().problem is not None
    assert "private-folder" in {each.code for each in known.doctor()}
    ran = gitmem(folder, "recall", "reports")
    assert ran.code == 0 and "where gitmem keeps a" in ran.err and len(ran.err.splitlines()) == 1
    ran = gitmem(folder, "recall", "reports")
    assert (ran.code, ran.err) == (0, "")
    assert known.usage().problem is None and known.usage().total


def test_damaged_counts_are_passed_over(known: Store, folder: Path) -> None:
    known.recall("reports")
    usage = folder / ".git/gitmem/usage"
    with open(usage / "log", "ab") as log:
        log.write(b"\nnonsense\n\xff\xfe\x00 recall alice .\n2026-11-29T10:00:00Z recall ali")
    (usage / "counts").write_bytes(b"\x00\xffalice 5 many\nbob 3 1 2026-11-01T10:00:00Z\n")
    known.show("alice")
    assert counts(known) == {"alice": (1, 1), "bob": (4, 1)}


def fill(log: UsageLog, number: int) -> None:
    """Notes `number` recalls of three memories."""
    for _ in range(number):
        assert log.record("recall", ["alice", "bob", "carol"], NOW)


def test_the_log_is_folded_and_nothing_is_lost_or_counted_twice(tmp_path: Path) -> None:
    """Whatever was folded, waits or was just noted: all of it counts once, whole or looked up by id."""
    log = UsageLog(tmp_path / "gitmem")
    for number in (1, 500, 500, 500, 7):
        before = log.own().get("alice", Uses()).recalled
        fill(log, number)
        assert log.own()["alice"].recalled == before + number
        assert log.reader().find("Alice") == log.own()["alice"]
        assert log.reader().find("bo") == Uses()
    sizes = [file.stat().st_size for file in log.folder.iterdir()]
    assert sum(sizes) < 4 * FULL_LOG_BYTES
    assert (log.folder / "counts").exists()


def test_an_answer_stays_as_it_was_while_others_count(tmp_path: Path) -> None:
    """Threads of one process read on in the same log; none changes what another one is adding up."""
    log = UsageLog(tmp_path / "gitmem")
    fill(log, 1)
    found = events_in(log.folder / "log")
    before = dict(found)
    log.record("recall", ["dave"], NOW)
    assert "dave" in events_in(log.folder / "log")
    assert found == before


def test_what_is_folded_while_it_is_read_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs that another process adds to the counts meanwhile are missed neither here nor there."""
    log, has_folded = UsageLog(tmp_path / "gitmem"), False
    fill(log, 500)

    def read(file: Path) -> Counts:
        nonlocal has_folded
        if not has_folded:
            has_folded = True
            fill(log, 1000)
        return events_in(file)

    monkeypatch.setattr(usage_log, "events_in", read)
    assert log.reader().find("bob").recalled == 1500
    has_folded = False
    assert log.own()["bob"].recalled == 2500


FILL = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from gitmem.versions.usage_log import UsageLog
log = UsageLog(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    assert log.record("recall", ["alice", "bob", "carol"], datetime(2026, 11, 29, tzinfo=UTC))
    if len(sys.argv) > 3:
        print(number + 1, flush=True)
"""


def test_several_processes_count_all_of_their_uses(tmp_path: Path) -> None:
    """They append and fold at the same time; who sleeps through two foldings may lose the use of that moment."""
    home = tmp_path / "gitmem"
    command = [sys.executable, "-c", FILL, str(home), "800"]
    started = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(timeout=120) for process in started] == [0, 0, 0]
    log = UsageLog(home)
    assert 2397 <= log.own()["bob"].recalled <= 2400
    assert log.reader().find("bob").recalled == log.own()["bob"].recalled


@pytest.mark.parametrize("point", ["usage.counting", "usage.counted", "usage.removed"])
def test_killed_while_folding_nothing_is_lost_or_counted_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """What a killed process had noted counts once, and the next one goes on."""
    home = tmp_path / "gitmem"
    monkeypatch.setenv("GITMEM_FAULT", f"{point}:2")
    command = [sys.executable, "-c", FILL, str(home), "2000", "tell"]
    killed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert killed.returncode == -9
    # The line of the use at which it was killed had been written already.
    noted = int(killed.stdout.split()[-1]) + 1
    log = UsageLog(home)
    assert log.own()["alice"].recalled == noted
    fill(log, 1000)
    assert log.own()["alice"].recalled == noted + 1000
    assert log.reader().find("alice").recalled == noted + 1000


def clone_of(bare: Path, folder: Path) -> Store:
    git(folder.parent, "clone", "-q", str(bare), folder.name)
    git(folder, "config", "user.name", "Test Person")
    git(folder, "config", "user.email", "person@example.com")
    return Store.open(folder, clock=FixedClock(NOW))


@pytest.fixture
def clones(known: Store, folder: Path, tmp_path: Path) -> tuple[Store, Store, Path]:
    """Two clones of a store in a bare repository."""
    bare = tmp_path / "hub.git"
    git(tmp_path, "clone", "-q", "--bare", str(folder), "hub.git")
    return clone_of(bare, tmp_path / "one"), clone_of(bare, tmp_path / "two"), bare


def test_clones_share_through_a_bare_repository_and_come_to_the_same(
    clones: tuple[Store, Store, Path],
) -> None:
    """Each has the sum of all; sharing again changes nothing, and no branch or file is touched."""
    one, two, bare = clones
    branches = git(bare, "for-each-ref", "refs/heads")
    for _ in range(3):
        one.show("alice")
    two.show("alice")
    two.recall("Bob", limit=1)
    one.share_usage("origin")
    two.share_usage("origin")
    shared = one.share_usage("origin")
    assert (shared.clones, shared.memories) == (2, 2)
    assert counts(one) == counts(two) == {"alice": (0, 4), "bob": (1, 0)}
    assert not one.share_usage("origin").is_new
    assert git(bare, "for-each-ref", "refs/heads") == branches
    for store in (one, two):
        worktree = store.place.repository.worktree
        assert worktree is not None
        assert_sound(worktree)
    assert len(git(bare, "ls-tree", "refs/gitmem/usage").splitlines()) == 2


def test_plain_fetch_and_push_of_the_ref_are_enough(clones: tuple[Store, Store, Path]) -> None:
    """Without naming a remote, share merges what git fetched, and git can push it: it is a fast-forward."""
    one, two, _ = clones
    for store, name in ((one, "alice"), (two, "bob"), (one, "bob")):
        store.show(name)
        folder = store.place.repository.worktree
        assert folder is not None
        git(folder, "fetch", "-q", "origin", "+refs/gitmem/usage*:refs/gitmem/from/origin/usage*")
        store.share_usage()
        git(folder, "push", "-q", "origin", "refs/gitmem/usage")
    two.share_usage("origin")
    assert counts(one) == counts(two) == {"alice": (0, 1), "bob": (0, 2)}


def test_sharing_at_the_same_time_loses_nobody(clones: tuple[Store, Store, Path]) -> None:
    """Who is overtaken merges and tries again; nothing is forced."""
    one, two, bare = clones
    for store in (one, two):
        store.show("alice")
    folders = [store.place.repository.worktree for store in (one, two)]
    command = [sys.executable, "-m", "gitmem.cli.main", "usage", "share", "origin"]
    started = [subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) for folder in folders]
    assert [process.wait(timeout=120) for process in started] == [0, 0]
    assert len(git(bare, "ls-tree", "refs/gitmem/usage").splitlines()) == 2


def test_sharing_with_a_remote_that_is_none_is_refused(known: Store) -> None:
    with pytest.raises(BadInput, match="nowhere"):
        known.share_usage("nowhere")


FILES = st.dictionaries(
    st.sampled_from(["0" * 16, "1" * 16, "2" * 16]),
    st.dictionaries(
        st.sampled_from(["a", "b"]),
        st.builds(
            Uses, st.integers(0, 9), st.integers(0, 9), st.sampled_from([MOMENT, "2026-01-01T00:00:00Z"])
        ),
    ),
)


@given(st.lists(FILES, min_size=1, max_size=4), st.randoms())
def test_states_merge_to_the_same_in_any_order(
    states: list[dict[str, dict[str, Uses]]], random: object
) -> None:
    """Shuffled, grouped or repeated."""
    whole = merged_files(states)
    shuffled = [*states, states[0]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merged_files(shuffled) == whole
    grouped = [merged_files(shuffled[:2]), merged_files(shuffled[2:])]
    assert merged_files(grouped) == whole


def test_a_hostile_state_is_read_within_bounds(known: Store, folder: Path) -> None:
    """Foreign files, links and numbers that are no counts are passed over."""
    bad = git(
        folder, "hash-object", "-w", "--stdin", input=b"alice 99999999999 1 2026-11-29T10:00:00Z\nbob 1 x\n"
    ).strip()
    good = git(folder, "hash-object", "-w", "--stdin", input=f"bob 7 0 {MOMENT}\n".encode()).strip()
    entries = (
        f"100644 blob {bad}\t{'a' * 16}.txt\n100644 blob {good}\t{'b' * 16}.txt\n"
        f"120000 blob {good}\t{'c' * 16}.txt\n100644 blob {good}\treadme.md\n"
    )
    tree = git(folder, "mktree", input=entries.encode()).strip()
    commit = git(folder, "commit-tree", tree, "-m", "x").strip()
    git(folder, "update-ref", "refs/gitmem/from/evil/usage", commit)
    known.share_usage()
    assert counts(known) == {"bob": (7, 0)}


def test_uses_fade(known: Store, folder: Path) -> None:
    """What was used long ago lifts no more."""
    known.show("bob")
    later = Store.open(folder, clock=FixedClock(datetime.now(UTC) + timedelta(days=3650)))
    reasons = [reason for each in later.recall("reports").hits for reason in each.hit.reasons]
    assert [reason.factor for reason in reasons if reason.stage == "usage"] == [pytest.approx(1.0)]


def test_many_are_looked_up_as_one_is() -> None:
    """Also what only another clone counted, only the log has, or nobody ever used."""
    counted = {f"m{number}": Uses(number, 1, MOMENT) for number in range(0, 2 * MANY_IDS, 3)}
    others = {f"m{number}": Uses(1, number, MOMENT) for number in range(0, 2 * MANY_IDS, 5)}
    records = [counts_text(each).encode() for each in (counted, others)]
    reader = UsageReader(records, [{"m7": Uses(2, 2, MOMENT), "m30": Uses(1, 1, MOMENT)}])
    ids = [f"M{number}" for number in range(2 * MANY_IDS)]
    found = reader.find_all(ids)
    assert found == {each: reader.find(each) for each in ids}
    assert found["M30"] == Uses(32, 32, MOMENT) and found["M7"].recalled == 2 and found["M1"] == NEVER
