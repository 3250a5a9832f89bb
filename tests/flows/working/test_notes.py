"""Notes: where they go, who finds them, and what becomes of them when they are too many."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import BadInput, Conflict, NotFound, Refused
from gitmem.flows.working.notes import folder_of
from gitmem.flows.writing.drafting import Request
from gitmem.model.change import Origin
from gitmem.store import Store
from tests.commands import run_command
from tests.conftest import assert_sound, git, gitmem


def paths(store: Store, branch: str) -> set[str]:
    """The memory files of a branch; none where there is no such branch."""
    return {path for path, _ in store.place.snapshot_of(branch).files()}


def configure(store: Store, text: str) -> Store:
    """The store with more in its config, committed by hand."""
    folder = store.place.repository.worktree
    assert folder is not None
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + text)
    git(folder, "commit", "-qam", "settings")
    return Store.open(folder, clock=store._work.clock)


def test_a_note_goes_to_the_working_branch_and_main_stays(store: Store, folder: Path) -> None:
    """Whichever verb writes it; it is found by its id, and the branch has no commit of main."""
    store.remember("A fact.")
    main = store.commit
    noted = store.note("The parser fails.", session="s-1", tags=["bug"])
    remembered = store.remember("It fails on line 14.", type="working", origin=Origin(session="s-1"))
    batch = store.remember_jsonl('{"text": "Try again.", "type": "working", "session": "s-1"}')
    assert store.commit == main
    assert paths(store, "working") == {noted.path, remembered.path, batch[0].path}
    assert noted.path == f"working/s-1/the-parser-fails-{noted.id}.md"
    shown = store.show(noted.id)
    assert (shown.branch, shown.memory.session, shown.memory.tags) == ("working", "s-1", ("bug",))
    assert git(folder, "merge-base", "main", "working", check=False) == ""
    assert_sound(folder)


def test_a_note_without_a_session_is_of_the_one_that_nobody_named(store: Store) -> None:
    """Who names none finds it again; who is in a session does not."""
    note = store.note("The parser fails.")
    assert note.path.startswith("working/unnamed/")
    assert [each.hit.record.id for each in store.recall("parser").hits] == [note.id]
    assert not store.recall("parser", session="s-1").hits


def test_other_sessions_keep_their_notes_to_themselves(store: Store) -> None:
    """Unless they are asked for: by name, or all of them."""
    fact = store.remember("The parser was written in May.")
    mine = store.note("The parser fails on empty input.", session="s-1")
    other = store.note("The parser is slow.", session="s-2")

    def found(**asked: object) -> set[str]:
        hits = store.recall("parser", min_relevance=0, **asked).hits  # type: ignore[arg-type]
        return {each.hit.record.id for each in hits}

    assert found() == {fact.id}
    assert found(session="s-1") == {fact.id, mine.id}
    assert found(session="s-1", working=True) == {fact.id, mine.id, other.id}
    assert found(where=store.where(session="s-2")) == {other.id}
    assert found(session="s-1", where=store.where(type="semantic")) == {fact.id}
    hits = store.recall("slow parser", working=True).hits
    assert [each.hit.labels for each in hits if each.hit.record.id == other.id] == [("working",)]


def test_the_context_of_a_session_begins_with_its_notes(store: Store) -> None:
    """The newest first, whatever the task; those of others are not in it."""
    store.note("The parser fails on empty input.", session="s-1", namespace="projects/beta")
    store.note("Lunch is at noon.", session="s-2")
    text = store.context("mend the lexer", session="s-1", namespace="projects/alpha").text
    assert "## Working on" in text and "parser fails" in text and "Lunch" not in text
    assert store.context("mend the lexer").text == ""


def test_a_note_in_a_namespace_stays_in_its_partition(store: Store) -> None:
    """The folder of the session stands below it, so that the rules of the partition hold for notes too."""
    note = store.note("Alice called.", namespace="people/alice", session="s-1")
    assert note.path.startswith("working/people/alice/s-1/")
    assert store.show(note.id).memory.namespace == "people/alice/s-1"


def test_sessions_never_share_a_folder() -> None:
    """Nor does any leave the folder of notes, whatever its name."""
    names = [
        "a",
        "A",
        "a b",
        "a/b",
        "../x",
        "s-1",
        "S-1",
        "张三",
        ".git",
        "x" * 300,
        "x" * 301,
        "é",
        "e\u0301",
        "con",
    ]
    folders = [folder_of(name) for name in names]
    assert len({each.casefold() for each in folders}) == len(names)
    assert folder_of("s-1") == "s-1"
    assert all("/" not in each and not each.startswith(".") and len(each.encode()) <= 60 for each in folders)


@pytest.mark.parametrize("name", ["a/b", "../x", "张三", "x" * 200, "con", "aux"])
def test_any_name_of_a_session_can_be_used(store: Store, name: str) -> None:
    """A note of it is written, found, and settled."""
    store.start_session(name)
    note = store.note("The parser fails.", session=name)
    assert [each.hit.record.id for each in store.recall("parser", session=name).hits] == [note.id]
    assert [each.id for each in store.end_session(name, then="archive").archived] == [note.id]


def test_what_cannot_be_noted(store: Store) -> None:
    """One line that says why; nothing is written."""
    with pytest.raises(BadInput, match="empty"):
        store.note("  ")
    for name in ("x" * 201, "two\nlines", "a\x07bell"):
        # It could not be ended: no note of it would ever be settled.
        with pytest.raises(BadInput, match="cannot be the name of a session"):
            store.note("a", session=name)
        with pytest.raises(BadInput, match="cannot be the name of a session"):
            store.remember("a", type="working", origin=Origin(session=name))
    with pytest.raises(BadInput, match="a branch of their own"):
        store.remember_all([Request("a"), Request("b", type="working")])
    store.remember("A fact.")
    git(store.place.repository.worktree or Path(), "branch", "side")
    with pytest.raises(Refused, match="stand on working, not on side"):
        store.on("side").remember("a", type="working")
    assert store.place.tip("working") is None


def test_who_is_not_trusted_keeps_no_notes(store: Store) -> None:
    """They could pass quarantine by, if somebody promoted them; who can only propose may note."""
    policy = '\n[identities.stranger]\ntrust = "quarantine"\n[identities.clerk]\nreview = "required"\n'
    store = configure(store, policy + '[trust]\nquarantine = ["https://*"]\n')
    with pytest.raises(Refused, match="waits on quarantine"):
        store.note("a", origin=Origin(source="https://example.com"))
    env = {"GITMEM_IDENTITY": "agent:stranger"}
    folder = store.place.repository.worktree or Path()
    assert gitmem(folder, "note", "a", env=env).code == 5
    env = {"GITMEM_IDENTITY": "agent:clerk", "GITMEM_SESSION": "s-1"}
    assert gitmem(folder, "note", "Remember me.", env=env).code == 0
    refused = gitmem(folder, "session", "end", "--then", "promote", env=env)
    assert refused.code == 5 and "can only propose" in refused.err
    assert gitmem(folder, "session", "end", "--then", "archive", env=env).code == 0


def test_a_note_can_be_the_first_thing_in_a_new_repository(tmp_path: Path, person: None) -> None:
    """It becomes a store first, since the working branch says nothing of what a store goes by."""
    git(tmp_path, "init", "-q", "-b", "main", ".")
    Store.open(tmp_path).note("The parser fails.")
    store = Store.open(tmp_path)
    assert git(tmp_path, "log", "--format=%s").strip() == "init: make this repository a gitmem store"
    assert len(paths(store, "working")) == 1


def test_a_bare_store_takes_notes(tmp_path: Path, person: None) -> None:
    """As any other."""
    store = Store.init(tmp_path / "bare.git", bare=True)
    note = store.note("The parser fails.", session="s-1", importance=0.9)
    assert [each.id for each in store.end_session("s-1").promoted] == [note.id]
    assert store.show(note.id).branch == "main"


def test_the_past_takes_no_notes(store: Store) -> None:
    """It can be asked which sessions there were."""
    store.remember("A fact.")
    store.note("a", session="s-1")
    with pytest.raises(Refused, match="past is read-only"):
        store.at("HEAD").note("b")
    assert [each.session for each in store.at("2026-11-29").sessions().sessions] == ["s-1"]


BUDGET = "\n[working]\nmax_tokens = 120\n"


@pytest.fixture
def crowded(store: Store) -> Store:
    """A session that has outgrown a budget of 120 tokens several times."""
    store = configure(store, BUDGET)
    store.remember("A fact.")
    store.note("The harbor deployment needs a key from Dana.", session="s-1", importance=0.9)
    for number in range(40):
        store.note(f"Step {number}: the parser reads file {number} and fails.", session="s-1")
    store.note("Lunch is at noon.", session="s-2")
    return store


def test_a_session_stays_within_its_budget(crowded: Store, folder: Path) -> None:
    """Its oldest notes are one summary then, made of their sentences; what a rule promotes is not folded."""
    states = {each.session: each for each in crowded.sessions().sessions}
    assert states["s-1"].tokens <= 120 and states["s-2"].notes == 1
    notes = crowded.on("working").list(crowded.where(session="s-1")).records
    summary = [each for each in notes if each.title == "Earlier in this session"]
    assert len(summary) == 1
    memory = crowded.on("working").show(summary[0].id).memory
    assert memory.fields["folded"] == 42 - len(notes)
    assert any("harbor" in each.title for each in notes)
    assert any("Step 39:" in each.title for each in notes)
    told = git(folder, "log", "working", "-p", "--format=")
    for line in memory.body.splitlines():
        assert f"+{line.removeprefix('- ')}" in told or f"+{line}" in told
    assert_sound(folder)


def test_a_folding_can_be_undone(crowded: Store, folder: Path) -> None:
    """It is an operation of its own: the notes are there again, word for word."""
    before = git(folder, "rev-parse", "working").strip()
    folds = git(folder, "log", "working", "--format=%H %s", "--grep=Operation: fold").splitlines()
    assert len(folds) > 2 and before
    while not git(folder, "log", "-1", "--format=%s", "working").startswith("fold"):
        crowded.note(f"One more of a kind that is long enough to fill a budget {len(folds)}.", session="s-1")
    there = paths(crowded, "working")
    undone = crowded.on("working").undo()
    assert undone.operation == "fold"
    assert git(folder, "rev-parse", "working^{tree}") == git(folder, "rev-parse", "working~2^{tree}")
    assert there < paths(crowded, "working") | there


def test_a_summary_keeps_persons_and_namespaces_apart(store: Store) -> None:
    """Forgetting one person, or hiding a namespace, leaves nothing of it in a summary of another."""
    store = configure(store, BUDGET)
    for number in range(20):
        store.note(f"Alice said {number}.", session="s", namespace="people/alice")
        store.note(f"Bob said {number}.", session="s", subject="person:bob")
        store.note(f"Nobody said {number}.", session="s")
    texts = {
        memory.path.rpartition("/")[0] + str(memory.subject): memory.body
        for path, blob in store.place.snapshot_of("working").files()
        if "folded" in (memory := store.place.snapshot_of("working").read(path, blob)).fields
    }
    assert {
        key: {word for word in ("Alice", "Bob", "Nobody") if word in text} for key, text in texts.items()
    } == {
        "working/people/alice/sNone": {"Alice"},
        "working/sperson:bob": {"Bob"},
        "working/sNone": {"Nobody"},
    }


def test_processes_and_threads_that_note_at_once_lose_nothing(store: Store, folder: Path) -> None:
    """Each note is there, in one line of history."""
    store.note("first", session="s-1")

    def by_command(name: str) -> None:
        for number in range(3):
            done = run_command(
                ["note", f"{name} {number}", "--session", "s-1"],
                folder,
                {"HOME": "/nonexistent", "GITMEM_IDENTITY": f"agent:{name}", "GITMEM_HOOKS": "off"},
                data=b"",
                timeout=120,
            )
            assert done.code == 0, done.err

    def by_handle(name: str) -> None:
        for number in range(3):
            Store.open(folder).note(f"{name} {number}", session="s-1")

    jobs: list[tuple[Callable[[str], None], str]] = [(by_command, "a"), (by_command, "b"), (by_handle, "c")]
    threads = [threading.Thread(target=job, args=(name,)) for job, name in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    snapshot = store.place.snapshot_of("working")
    texts = {snapshot.read(path, blob).body.strip() for path, blob in snapshot.files()}
    assert texts == {"first", *(f"{name} {number}" for name in "abc" for number in range(3))}
    assert_sound(folder)


def test_an_ended_session_takes_no_notes_until_it_is_begun_again(store: Store) -> None:
    """The refusal says how; nothing is written."""
    store.note("a", session="s-1")
    store.end_session("s-1")
    with pytest.raises(Conflict, match="session s-1 ended at 2026-11-29") as caught:
        store.note("b", session="s-1")
    assert "session start s-1" in (caught.value.hint or "")
    assert store.start_session("s-1").is_resumed
    store.note("b", session="s-1")
    assert [each.notes for each in store.sessions().sessions] == [2]


def test_a_record_that_is_no_record_is_passed_over(store: Store, folder: Path) -> None:
    """The file may say anything; notes are what counts."""
    store.note("a", session="s-1")
    git(folder, "worktree", "add", "-q", str(folder.parent / "w"), "working")
    records = folder.parent / "w/sessions"
    records.mkdir()
    for name, text in {
        "s-1": "[]",
        "x": "{",
        "y": '{"session": 3}',
        "z": json.dumps({"session": "z", "ended": "soon"}),
    }.items():
        (records / f"{name}.json").write_text(text)
    git(folder.parent / "w", "add", ".")
    git(folder.parent / "w", "commit", "-qm", "by hand")
    found = {each.session: each for each in store.sessions().sessions}
    assert set(found) == {"s-1", "z"} and found["s-1"].notes == 1 and found["z"].until is not None


def test_import_and_proposals_bring_no_working_memory_to_main(store: Store, tmp_path: Path) -> None:
    """They stand in a session: such files are named and left, with what is attached to them."""
    source = tmp_path / "source"
    (source / "working/thought.files").mkdir(parents=True)
    (source / "working/thought.md").write_text("---\nid: thought\ntype: working\n---\nA thought.\n")
    (source / "working/thought.files/a.txt").write_text("a")
    (source / "by-header.md").write_text("---\nid: byhead\ntype: working\n---\nAnother.\n")
    (source / "fact.md").write_text("---\nid: fact\ntype: semantic\n---\nA fact.\n")
    imported = store.import_folder(source)
    assert imported.counts == {"new": 1, "skipped": 3}
    assert "'gitmem note' keeps one" in imported.reasons["by-header.md"]
    line = '{"path": "working/x.md", "raw": "---\\nid: x1\\ntype: working\\n---\\nx\\n"}\n'
    (tmp_path / "lines.jsonl").write_text(line)
    assert store.import_jsonl(tmp_path / "lines.jsonl").counts == {"skipped": 1}
    assert [record.id for record in store.list().records] == ["fact"]
    with pytest.raises(BadInput, match="working memories stand on a branch of their own") as refused:
        store.propose(batch='{"text": "n", "type": "working"}', title="A note")
    assert refused.value.field == "type" and not store.proposals()


def test_the_text_of_session_says_what_there_is_and_what_was_done(store: Store, folder: Path) -> None:
    """A line for the shell, a line for each session, and where each note went."""
    started = gitmem(folder, "session", "start", "s 1")
    assert started.out == "export GITMEM_SESSION='s 1'\n"
    gitmem(folder, "note", "Lunch is at noon.", "--session", "s 1")
    gitmem(folder, "note", "Decision: keep the parser.", "--session", "s 1", "--importance", "0.9")
    (line,) = gitmem(folder, "session", "list").out.splitlines()
    assert re.fullmatch(r"s 1    2 notes +\d+ of 4,000 tokens  goes on, last \d{4}-\d\d-\d\d \d\d:\d\d", line)
    ended = gitmem(folder, "session", "end", "s 1").out.splitlines()
    assert re.fullmatch(r"promoted  \w{8}  semantic/\S+\.md", ended[0])
    assert ended[1] == "kept      1 note"
    assert re.fullmatch(r"session s 1 ended; 'gitmem undo \S+' takes this back", ended[2])
    assert re.search(r"ended \d{4}-\S+ \S+, notes until \d{4}-", gitmem(folder, "session", "list").out)
    again = gitmem(folder, "session", "end", "s 1", "--then", "archive").out.splitlines()
    assert again[0] == "archived  1 note"
    assert again[1].startswith("session s 1 had ended already; 'gitmem undo ")
    assert re.fullmatch(r"s 1 +0 notes .*  ended \d{4}-\S+ \S+\n", gitmem(folder, "session", "list").out)


def test_a_dry_run_does_not_say_that_a_note_would_go_to_main(store: Store, folder: Path) -> None:
    ran = gitmem(folder, "remember", "scratch", "--type", "working", "--dry-run")
    assert ran.code == 2 and ran.err.count("\n") == 1 and "not foreseen" in ran.err
    assert ran.out == ""


def test_whoever_archives_a_note_is_told_where_it_stands(store: Store) -> None:
    """As for every other change: it is no memory of main, and the way to it is named."""
    note = store.note("The parser fails", session="s1")
    with pytest.raises(NotFound, match="it is a note on working"):
        store.archive([note.id])
    assert store.on("working").archive([note.id]).ids == [note.id]
    with pytest.raises(NotFound, match="on archive already"):
        store.archive([note.id])
