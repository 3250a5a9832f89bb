"""The end of a session: each note somewhere, none nowhere, and all of it can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Ambiguous, BadInput, Conflict, NotFound, Refused
from gitmem.flows.working import crossing, expired_notes, sessions_on
from gitmem.flows.writing.drafting import Request
from gitmem.model.change import Origin
from gitmem.model.memory import MemoryType
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem
from tests.faults.forked import forked

BRANCHES = ("main", "archive", "working")
State = dict[str, set[str]]


def state(store: Store) -> State:
    """The texts of the memories of each branch."""
    found: State = {}
    for branch in BRANCHES:
        snapshot = store.place.snapshot_of(branch)
        found[branch] = {snapshot.read(path, blob).body.strip() for path, blob in snapshot.files()}
    return found


def trees(folder: Path) -> list[str]:
    """What stands on each branch, to the byte; an empty branch is as good as none."""
    return [git(folder, "ls-tree", "-r", branch, check=False) for branch in BRANCHES]


@pytest.fixture
def session(store: Store) -> Store:
    """A session with three notes, one of which matters, beside another session."""
    store.remember("A fact.", id="fact")
    store.start_session("s-1", origin=Origin(agent="bot"))
    store.note("The parser fails on empty input.", session="s-1", namespace="projects/beta")
    store.remember_all([
        Request("Decision: keep the parser.", id="decided", type="working", importance=0.9,
                namespace="projects/beta", origin=Origin(agent="bot", session="s-1")),
        Request("Line 14 is the culprit.", id="line", type="working", origin=Origin(session="s-1")),
    ])  # fmt: skip
    store.note("Lunch is at noon.", session="s-2")
    return store


def test_by_default_what_matters_is_promoted_and_the_rest_waits(session: Store, folder: Path) -> None:
    """Under its id and namespace, as knowledge; the other notes are over an hour later."""
    done = session.end_session("s-1")
    assert [(each.id, each.type) for each in done.promoted] == [("decided", MemoryType.SEMANTIC)]
    shown = session.show("decided")
    assert shown.branch == "main" and shown.memory.path.startswith("semantic/projects/beta/")
    assert (shown.memory.session, shown.memory.agent) == ("s-1", "bot")
    assert len(done.kept) == 2 and set(done.commits) == {"main", "working"}
    assert [entry.subject for entry in session.log("decided").entries][-1].startswith("remember")
    work = session._work
    later = work.clock.now() + work.place.config.working.ttl
    expired = expired_notes(sessions_on(work).by_name.values(), work.place.config.working, later)
    assert {each.note.id for each in expired} == set(done.kept)
    assert_sound(folder)


@pytest.mark.parametrize("then", ["promote", "archive", "summary"])
def test_an_end_is_one_commit_on_each_branch_and_undone_as_one(
    session: Store, folder: Path, then: str
) -> None:
    """Whatever becomes of the notes, no text is lost, and `undo` brings back what stood before, to the byte."""
    before, texts, counts = trees(folder), state(session), _counts(folder)
    done = session.end_session("s-1", then=then)
    after = state(session)
    gone = texts["working"] - {"Lunch is at noon."}
    where = "main" if then == "promote" else "archive"
    assert gone <= after[where] and after["working"] == {"Lunch is at noon."}
    assert all(_counts(folder)[branch] == counts[branch] + 1 for branch in done.commits)
    assert set(done.commits) == {"working", where} | ({"main"} if then == "summary" else set())
    assert_sound(folder)
    undone = session.undo(done.operation_id)
    assert undone.operation == "session-end" and set(undone.commits) == set(done.commits)
    assert trees(folder) == before
    assert session.recall("parser", session="s-1").hits
    with pytest.raises(Conflict, match="undone already"):
        session.undo(done.operation_id)
    session.note("It goes on.", session="s-1")
    assert_sound(folder)


def _counts(folder: Path) -> dict[str, int]:
    return {b: len(git(folder, "rev-list", b, check=False).split()) for b in BRANCHES}


def test_a_summary_is_one_episode_for_each_namespace(session: Store) -> None:
    """It says how many notes are in it, and is found by their words; they are in the archive."""
    done = session.end_session("s-1", then="summary", origin=Origin(agent="bot"))
    assert {each.path.split("/")[1] for each in done.summaries} == {"projects", "2026"}
    episode = next(each for each in done.summaries if "projects/beta" in each.path)
    memory = session.show(episode.id).memory
    assert memory.type is MemoryType.EPISODIC and memory.fields["folded"] == 2 and memory.session == "s-1"
    assert memory.body == "- The parser fails on empty input.\n- Decision: keep the parser.\n" or (
        memory.body == "- Decision: keep the parser.\n- The parser fails on empty input.\n"
    )
    assert session.recall("culprit").hits[0].hit.record.title == "Session s-1 of 2026-11-29"


def test_single_notes_are_promoted_by_name(session: Store) -> None:
    """What is said for one goes before what is said for all; a type may be given."""
    done = session.end_session("s-1", then="archive", promote=["lin"], becomes="reflective")
    assert [(each.id, each.path) for each in done.promoted] == [
        ("line", "reflective/li/line-14-is-the-culprit-line.md")
    ]
    assert len(done.archived) == 2 and not done.kept


def test_an_attachment_goes_with_its_note(session: Store, tmp_path: Path) -> None:
    """To main and back."""
    file = tmp_path / "log.txt"
    file.write_text("trace\n")
    session.on("working").attach("decided", [file])
    done = session.end_session("s-1")
    path = done.promoted[0].path
    assert session.place.snapshot_of("main").data(path.removesuffix(".md") + ".files/log.txt") == b"trace\n"
    session.undo(done.operation_id)
    assert session.show("decided").branch == "working"


def test_an_end_may_be_repeated(session: Store) -> None:
    """The second time nothing is left to do, or what is left is done; the first end counts."""
    first = session.end_session("s-1")
    again = session.end_session("s-1")
    assert again.was_ended and again.operation_id is None and again.ended == first.ended
    rest = session.end_session("s-1", then="archive")
    assert rest.was_ended and {each.id for each in rest.archived} == set(first.kept)


def test_who_named_no_session_can_settle_their_notes_and_go_on(store: Store) -> None:
    """`unnamed` is nobody's, so nobody ends it for the others."""
    store.remember("A fact.")
    store.note("The parser fails.")
    done = store.end_session("unnamed", then="archive")
    assert len(done.archived) == 1 and done.ended is None
    store.note("The parser fails again.")


def test_what_cannot_be_ended(session: Store, folder: Path) -> None:
    """One line that names it; nothing is changed."""
    before = git(folder, "for-each-ref")
    with pytest.raises(NotFound, match="no session 'nope' on working"):
        session.end_session("nope")
    with pytest.raises(NotFound, match="session s-1 has no note 'lunch'"):
        session.end_session("s-1", promote=["lunch"])
    with pytest.raises(BadInput, match="--then: 'burn' is none of keep, promote"):
        session.end_session("s-1", then="burn")
    with pytest.raises(BadInput, match="--as: 'working' is none of episodic"):
        session.end_session("s-1", becomes="working")
    with pytest.raises(BadInput, match="cannot be the name of a session"):
        session.end_session("a\nb")
    session.remember_all(
        [Request(text, id=text, type="working", origin=Origin(session="s-3")) for text in ("ab1", "ab2")]
    )
    with pytest.raises(Ambiguous):
        session.end_session("s-3", promote=["ab"])
    assert git(folder, "for-each-ref", "refs/heads/main") in before


def test_an_id_that_main_has_by_now_is_refused(session: Store, folder: Path) -> None:
    """Rather than stand there twice; nothing is changed."""
    (folder / "semantic/by-hand-decided.md").write_text("---\nid: decided\n---\nBy hand.\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "by hand")
    before = git(folder, "for-each-ref")
    with pytest.raises(Conflict, match="with the id of note decided"):
        session.end_session("s-1")
    assert git(folder, "for-each-ref") == before


def test_a_note_with_a_broken_header_is_archived_as_it_is(session: Store, folder: Path) -> None:
    """It is told, and the others are promoted."""
    git(folder, "worktree", "add", "-q", str(folder.parent / "w"), "working")
    file = folder.parent / "w" / session.show("line").memory.path
    file.write_text("---\nid: line\ntype: working\nsession: s-1\n  bad: [\n---\nLine 14.\n")
    git(folder.parent / "w", "commit", "-qam", "by hand")
    git(folder, "worktree", "remove", str(folder.parent / "w"))
    # Nobody can tell its session any more.
    done = session.end_session("unnamed", then="promote")
    assert any("so it was archived as it is" in notice for notice in done.notices)


@pytest.fixture
def after_arrival(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Lets something happen once, after the first branch has its commit and before the others do."""

    def arrange(what: Callable[[], object]) -> None:
        waiting = [what]

        def point(name: str) -> None:
            if name == "crossing.arrived" and waiting:
                waiting.pop()()

        monkeypatch.setattr(crossing, "point", point)

    return arrange


def test_a_note_that_is_changed_meanwhile_stays(
    session: Store, after_arrival: Callable[[Callable[[], object]], None]
) -> None:
    """As it is by then, and nowhere else; it is told."""
    after_arrival(lambda: session.on("working").update("decided", "Decision: drop the parser."))
    done = session.end_session("s-1", then="promote")
    assert "decided" in done.kept and any("was changed meanwhile" in notice for notice in done.notices)
    assert "Decision: drop the parser." in state(session)["working"]
    assert not any("Decision" in text for text in state(session)["main"])
    assert {each.id for each in done.promoted} >= {"line"}


def test_a_note_that_comes_meanwhile_stays(
    session: Store, after_arrival: Callable[[Callable[[], object]], None]
) -> None:
    """Nobody has read it."""
    after_arrival(lambda: session.note("One more thing.", session="s-1"))
    session.end_session("s-1", then="summary")
    assert "One more thing." in state(session)["working"]


@pytest.mark.parametrize("then", ["promote", "summary"])
@pytest.mark.parametrize(
    ("point", "is_there"),
    [
        ("crossing.written", False),
        ("publish.before-ref", False),
        ("publish.after-ref", True),
        ("crossing.arrived", True),
        ("publish.before-ref:2", True),
        ("publish.after-ref:2", True),
        ("crossing.left", True),
    ],
)
def test_an_end_that_is_killed_is_whole_or_did_not_happen(
    session: Store, folder: Path, then: str, point: str, is_there: bool
) -> None:
    """No note is on no branch; the next command finishes it, and it can be undone all the same."""
    before, texts = trees(folder), state(session)
    outcome = forked(lambda: Store.open(folder).end_session("s-1", then=then), fault=point)
    assert outcome.was_killed
    told: list[str] = []
    store = Store.open(folder, notice=told.append)
    now = state(store)
    assert texts["working"] <= now["main"] | now["archive"] | now["working"]
    assert_sound(folder)
    assert not list((folder / ".git/gitmem/crossings").glob("*.json"))
    if not is_there:
        assert trees(folder) == before
        assert store.end_session("s-1", then=then).operation_id is not None
        return
    assert now["working"] == {"Lunch is at noon."}
    operation_id = git(
        folder, "log", "-1", "--format=%(trailers:key=Operation-Id,valueonly)", "working"
    ).strip()
    assert store.undo(operation_id).operation == "session-end"
    assert trees(folder) == before


@pytest.mark.parametrize("point", ["crossing.arrived", "publish.before-ref:2", "crossing.left"])
def test_an_undo_that_is_killed_is_finished_too(session: Store, folder: Path, point: str) -> None:
    """The notes come back first."""
    before = trees(folder)
    done = session.end_session("s-1", then="summary")
    outcome = forked(lambda: Store.open(folder).undo(done.operation_id), fault=point)
    assert outcome.was_killed
    told: list[str] = []
    Store.open(folder, notice=told.append)
    assert trees(folder) == before
    assert point == "crossing.left" or any("that was interrupted" in each for each in told)
    assert_sound(folder)


def test_doctor_and_check_tell_of_an_end_that_was_interrupted(session: Store, folder: Path) -> None:
    """A look changes nothing; `doctor --fix` finishes it."""
    assert forked(lambda: Store.open(folder).end_session("s-1"), fault="crossing.arrived").was_killed
    assert [each.code for each in Store.diagnose(folder)] == ["crossing"]
    unmended = Store.open(folder, is_mended=False)
    assert "unfinished" in [each.code for each in unmended.check().findings]
    assert all(each.is_fixed for each in Store.diagnose(folder, fix=True))
    assert state(session)["working"] == {
        "The parser fails on empty input.", "Line 14 is the culprit.", "Lunch is at noon."
    }  # fmt: skip


def test_a_file_that_is_no_crossing_does_nothing(session: Store, folder: Path) -> None:
    """It may have come with the repository; main loses no memory that stands nowhere else."""
    crossings = folder / ".git/gitmem/crossings"
    crossings.mkdir()
    path = session.show("fact").memory.path
    blob = session.show("fact").memory.blob
    operation_id = git(
        folder, "log", "-1", "--format=%(trailers:key=Operation-Id,valueonly)", "working"
    ).strip()
    legs = f'[["working", null, []], ["main", null, [["{path}", "{blob}", null]]]]'
    text = f'{{"operation": "undo", "operation_id": "{operation_id}", "subject": "x", "trailers": [], "legs": {legs}}}'
    (crossings / "1.given-up.json").write_text(text)
    (crossings / "2.given-up.json").write_text("[]")
    (crossings / "3.given-up.json").write_text(text.replace(path, "../../x"))
    assert Store.open(folder).show("fact").branch == "main"


def test_an_agent_may_end_a_session_and_take_that_back(session: Store, folder: Path) -> None:
    """No memory is gone by either; what came to main beside it is never taken."""
    env = {"GITMEM_IDENTITY": "agent:bot"}
    ended = gitmem(folder, "session", "end", "s-1", "--then", "summary", "--json", env=env)
    assert ended.code == 0, ended.err
    assert len(ended.json["summaries"]) == 2 and len(ended.json["archived"]) == 3
    undone = gitmem(folder, "undo", ended.json["operation_id"], env=env)
    assert undone.code == 0, undone.err
    assert gitmem(folder, "undo", env=env).code == 5


def test_what_was_changed_since_is_not_taken_back(session: Store) -> None:
    """As with any operation; nothing is changed then."""
    done = session.end_session("s-1", then="promote")
    session.update("decided", "Decision: rewrite it.")
    with pytest.raises(Conflict, match="was changed after"):
        session.undo(done.operation_id)
    assert session.show("decided").branch == "main"


def test_an_end_by_who_may_only_propose_brings_nothing_to_main(session: Store, folder: Path) -> None:
    """See `test_who_is_not_trusted_keeps_no_notes` for the rest."""
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + '\n[identities.tester]\nreview = "required"\n')
    git(folder, "commit", "-qam", "policy")
    with pytest.raises(Refused, match="can only propose"):
        Store.open(folder).end_session("s-1", then="promote")
