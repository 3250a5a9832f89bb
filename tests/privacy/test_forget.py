"""Forget: the memory is nowhere any more, and everything else is as it was."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import BadInput, Busy, NotFound, Refused, UnsupportedRepository
from gitmem.flows.forgetting.clean import clean_derived
from gitmem.flows.forgetting.values import Receipt
from gitmem.model.identity import Identity, Kind
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git, gitmem
from tests.privacy import raw_search

SECRET = "swordfish-2290417"
LINE = "The code of the blue safe is kept by nobody but Alice"
BESIDE = ("office", "retired", "plan0001", "dropped1")
ID = "sec7k2q9"


def search(top: Path, *words: str) -> list[str]:
    return raw_search.places(top, [word.encode() for word in words or (SECRET, LINE, ID)])


def versions(store: Store, memory_id: str) -> list[tuple[str, str, str, str | None, str]]:
    """All that is known of each version of a memory, but for the ids of commits."""
    return [
        (each.date, each.author, each.subject, each.reason, store.at(each.commit).show(memory_id).memory.body)
        for each in store.log(memory_id).entries
    ]


def beside(store: Store) -> dict[str, object]:
    """The history of all memories that stay."""
    found: dict[str, object] = {
        "main": versions(store, "office"),
        "archive": versions(store.on("archive"), "retired"),
    }
    found["proposal"] = versions(store.on("proposals/a-plan"), "plan0001")
    return found


def plant(store: Store, folder: Path, attachment: Path) -> None:
    """The secret in all places that git can hold, and memories beside it that stay."""
    store.remember("The office is in Lyon.", id="office", title="Where the office is")
    store.remember("Retired plans of long ago.", id="retired")
    store.remember(f"{LINE}. It is {SECRET}.", id=ID, title=f"The safe {SECRET}", tags=[SECRET])
    store.update("office", "The office is in Paris now.")
    git(folder, "tag", "light")
    git(folder, "tag", "-a", "heavy", "-m", f"before {SECRET} was changed")
    git(folder, "notes", "add", "-m", f"note on {SECRET}")
    store.update(ID, f"{LINE}. It is {SECRET} still, and written down.")
    attachment.write_text(f"scan of {SECRET}\n{LINE}\n")
    store.attach(ID, [attachment])
    store.rename(ID, "A safe place")
    store.archive(["retired", ID])
    git(folder, "branch", "side", "HEAD~1")
    store.propose(batch=f'{{"text": "A plan.", "id": "plan0001"}}\n{{"text": "{LINE}", "id": "{ID}x"}}',
                  title="A plan")  # fmt: skip
    file = folder / "semantic/of/where-the-office-is-office.md"
    file.write_text(file.read_text() + f"draft {SECRET}\n")
    git(folder, "stash", "-q")
    file.write_text(file.read_text() + "second draft\n")
    git(folder, "stash", "-q")
    git(folder, "worktree", "add", "-q", "--detach", str(folder.parent / "second"), "side")
    git(folder, "commit", "-q", "--allow-empty", "-m", f"about {SECRET}\n\n{LINE}")
    git(folder, "commit", "-q", "--amend", "--allow-empty", "-m", "about nothing")
    (folder / "staged.md").write_text(f"staged {SECRET}")
    git(folder, "add", "staged.md")
    git(folder, "rm", "-q", "--cached", "staged.md")
    (folder / "staged.md").unlink()
    git(folder, "gc", "-q")
    store.restore([ID])
    store.recall("safe")
    store.show(ID)
    store.at("main~1").recall("safe", archived=True)
    # Compared with what is known, and so kept in the table of texts.
    store.remember("A heron nests behind the boathouse.")
    assert raw_search.places(folder / ".git/gitmem/texts", [ID.encode()])


@pytest.fixture
def planted(store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.delenv("GITMEM_USAGE")
    plant(store, folder, tmp_path / "scan.txt")
    (tmp_path / "scan.txt").unlink()
    return store


def test_a_forgotten_memory_is_nowhere_and_the_others_are_as_they_were(planted: Store, folder: Path) -> None:
    """A program that shares no code with gitmem finds it everywhere before, and nowhere after."""
    before = beside(planted)
    assert len(search(folder.parent)) > 30
    receipt = planted.forget([ID, f"{ID}x"])
    assert receipt.proof.holds, receipt.proof
    assert receipt.proof.objects > 20 and receipt.proof.files > 40
    assert SECRET not in repr(receipt) and LINE not in repr(receipt)
    assert search(folder.parent) == []
    store = Store.open(folder)
    assert beside(store) == before
    assert_sound(folder)
    git(folder.parent / "second", "status")
    assert git(folder.parent / "second", "status", "--porcelain") == ""
    assert git(folder, "show", "light:semantic/of/where-the-office-is-office.md").endswith("in Paris now.\n")
    assert git(folder, "cat-file", "-t", "heavy") == "tag\n"
    assert len(git(folder, "stash", "list").splitlines()) == 2
    assert "+second draft" in git(folder, "stash", "show", "-p")
    assert "+draft forgotten" in git(folder, "stash", "show", "-p", "stash@{1}")
    assert not store.recall("safe").hits
    assert git(folder, "show", "-s", "--format=%N", "light").strip() == "note on forgotten"


def test_forgetting_again_says_when_it_was(planted: Store, folder: Path) -> None:
    planted.forget([ID, f"{ID}x"])
    with pytest.raises(NotFound, match=f"{ID} was forgotten on 2026-11-29; nothing of it is here"):
        Store.open(folder).forget([ID])


def test_a_plan_changes_nothing_and_tells_what_would_be_done(store: Store, folder: Path) -> None:
    store.remember("Alice keeps her key below the mat.", id="alicekey1")
    store.update("alicekey1", "Alice keeps her key at Bob's.")
    before = git(folder, "for-each-ref"), git(folder, "count-objects")
    plan = store.plan_forget(["alicekey1"])
    assert (git(folder, "for-each-ref"), git(folder, "count-objects")) == before
    assert [(memory.id, memory.versions) for memory in plan.memories] == [("alicekey1", 2)]
    assert (plan.commits, plan.dropped, dict(plan.refs)) == (0, 2, {"branches": 1})
    with pytest.raises(NotFound, match="nothing of 'unknown1' is in any version on any branch"):
        store.plan_forget(["unknown1"])


@pytest.mark.parametrize(
    "wish", [{"subject": ""}, {"match": ""}, {"match": " e\n"}, {"ids": ["kept"], "match": "kept by all"}]
)
def test_a_wish_that_would_mean_nearly_all_is_refused_by_the_library_too(
    store: Store, wish: dict[str, Any]
) -> None:
    store.remember("kept by all", id="kept")
    for verb in (store.plan_forget, store.forget):
        with pytest.raises(BadInput, match=r"too short to be told from other text|give exactly one of"):
            verb(**wish)
    assert store.show("kept").memory.body == "kept by all\n"


def test_an_agent_cannot_forget_or_heal(store: Store, folder: Path) -> None:
    store.remember("kept", id="kept")
    agent = Store.open(folder, identity=Identity(Kind.AGENT, "bot", "test"))
    for verb in (lambda: agent.forget(["kept"]), lambda: agent.plan_forget(["kept"]), agent.heal):
        with pytest.raises(Refused, match="needs a person; this is agent:bot"):
            verb()
    assert store.show("kept").memory.body == "kept\n"


def test_a_memory_about_somebody_is_found_by_its_subject(store: Store, folder: Path) -> None:
    store.remember("Born in May in a small town in Spain.", id="born0001", subject="person:alice")
    store.remember("No longer about anybody at all, it seems.", id="was00001", subject="person:alice")
    store.update("was00001", fields={"subject": "person:bob"})
    store.remember("About Bob and nobody else in this town.", id="bob00001", subject="person:bob")
    receipt = store.forget(subject="person:alice")
    assert receipt.ids == ["born0001", "was00001"] and receipt.proof.holds
    assert [record.id for record in Store.open(folder).list().records] == ["bob00001"]


def test_a_text_is_forgotten_in_memories_files_and_messages(store: Store, folder: Path) -> None:
    """Memories that ever held it go whole; other files keep all but the text itself."""
    store.remember("The token is Tango-Victor here.", id="token001")
    store.update("token001", "The token is gone.")
    (folder / "README.md").write_text("Read this.\nAsk Bob for tango-victor.\n")
    git(folder, "add", "README.md")
    git(folder, "commit", "-q", "-m", "Explain Tango-Victor")
    store.remember("Something else.", id="other001")
    receipt = store.forget(match="tango-victor")
    assert receipt.proof.holds and receipt.ids == ["token001"]
    assert search(folder, "tango-victor") == []
    assert (folder / "README.md").read_text() == "Read this.\nAsk Bob for forgotten.\n"
    assert "Explain forgotten" in git(folder, "log", "--format=%s")
    assert_sound(folder)


def test_lines_that_another_memory_says_too_stay(store: Store, folder: Path) -> None:
    store.remember(f"{LINE}.\nOnly here: {SECRET}", id="one00001")
    store.remember(f"{LINE}.\nAnd more.", id="two00002")
    assert store.forget(["one00001"]).proof.holds
    assert Store.open(folder).show("two00002").memory.body == f"{LINE}.\nAnd more.\n"
    assert search(folder, SECRET) == []


def test_mentions_are_listed_and_reworded_where_asked_for(store: Store, folder: Path) -> None:
    for number in (1, 2):
        store.remember(f"Secret number {number} is told to nobody here.", id=f"gone000{number}")
    store.remember("See [[gone0001]] and gone0002.", id="links001", title="Links")
    store.link("links001", "gone0001")
    receipt = store.forget(["gone0001"])
    assert receipt.proof.holds and list(receipt.mentions) == [Store.open(folder).show("links001").memory.path]
    assert "gone0001" in Store.open(folder).show("links001").memory.body
    receipt = Store.open(folder).forget(["gone0002"], mentions=True)
    assert receipt.proof.holds and receipt.mentions == {}
    assert Store.open(folder).show("links001").memory.body == "See [[gone0001]] and forgotten.\n"
    assert search(folder, "gone0002") == []
    assert_sound(folder)


def test_an_id_that_is_a_word_is_known_only_where_it_is_an_id(store: Store, folder: Path) -> None:
    """In links, headers and names it is one; in a sentence it is a word, which stays."""
    store.remember("It is told to nobody who is here.", id="other", title="Told")
    store.remember("Some other thing, see [[other]].", id="links", title="Links")
    store.link("links", "other", relation="supports")
    store.update("links", fields={"supersedes": ["other"]})
    receipt = store.forget(["other"], mentions=True)
    assert receipt.proof.holds
    shown = Store.open(folder).show("links")
    assert shown.memory.body == "Some other thing, see [[forgotten]].\n"
    assert [each.to for each in shown.memory.related] == ["forgotten"]
    assert shown.memory.supersedes == ("forgotten",)
    assert_sound(folder)


def test_a_file_name_that_mentions_an_id_stays_and_is_told(store: Store, folder: Path) -> None:
    """A name can only be changed by renaming; its history would still have it."""
    store.remember("It is told to nobody who is here.", id="gone0001")
    path = store.remember("Read gone0001 first.", id="links001").path
    receipt = store.forget(["gone0001"], mentions=True)
    assert receipt.proof.holds and receipt.names == [path]


def test_a_note_without_an_id_is_forgotten_under_all_its_names(store: Store, folder: Path) -> None:
    (folder / "diary.md").write_text(f"Dear diary.\nIt is {SECRET}.\n{LINE}.\n")
    git(folder, "add", "diary.md")
    git(folder, "commit", "-q", "-m", "write")
    git(folder, "mv", "diary.md", "old-diary.md")
    (folder / "old-diary.md").write_text(f"Dear diary.\nIt is {SECRET}.\n{LINE}.\nMore.\n")
    git(folder, "commit", "-q", "-a", "-m", "move")
    receipt = store.forget([store.show("old-diary.md").memory.id])
    assert receipt.proof.holds
    assert search(folder, SECRET, LINE, "diary") == []


def test_what_a_person_has_staged_and_edited_stays(store: Store, folder: Path) -> None:
    store.remember("To be forgotten by everybody here.", id="gone0001")
    kept = store.remember("first", id="kept0001").path
    (folder / kept).write_text((folder / kept).read_text() + "edited\n")
    (folder / "new.txt").write_text("staged\n")
    git(folder, "add", "new.txt")
    (folder / "loose.txt").write_text("untracked\n")
    (folder / store.show("gone0001").memory.path).write_text("edited too")
    status = git(folder, "status", "--porcelain")
    assert store.forget(["gone0001"]).proof.holds
    lines = [line for line in status.splitlines() if "gone0001" not in line]
    assert git(folder, "status", "--porcelain").splitlines() == lines
    assert (folder / kept).read_text().endswith("edited\n")


def test_a_file_that_is_not_ours_to_change_is_found_and_told(store: Store, folder: Path) -> None:
    """The proof does not hold while an untracked file says it, and says where."""
    store.remember(f"{LINE}. {SECRET}", id="gone0001")
    (folder / "mine.txt").write_text(f"I noted {SECRET}")
    receipt = store.forget(["gone0001"])
    assert not receipt.proof.holds and receipt.proof.found == {"mine.txt": 1}
    assert (folder / "mine.txt").read_text() == f"I noted {SECRET}"
    (folder / "mine.txt").unlink()
    assert Store.open(folder).forget().proof.holds
    assert search(folder, SECRET) == []


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_signatures_fall_away_or_are_made_again_where_the_policy_wants_them(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "key")], check=True)
    (tmp_path / "allowed").write_text(f"person@example.com {(tmp_path / 'key.pub').read_text()}")
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(tmp_path / "key")),
                        ("gpg.ssh.allowedSignersFile", str(tmp_path / "allowed")),
                        ("commit.gpgsign", "true")):  # fmt: skip
        git(folder, "config", name, value)
    for number in range(2):
        store.remember(f"The number {number} is to be forgotten by all of us.", id=f"gone000{number}")
        store.remember(f"kept {number}", id=f"kept000{number}")
    receipt = store.forget(["gone0000"])
    assert receipt.proof.holds and receipt.removed["signatures that fell away"] == 3
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + "\n[trust]\nrequire_signed = true\n")
    git(folder, "commit", "-qam", "policy")
    again = Store.open(folder, clock=FixedClock(NOW))
    again.remember("signed and kept", id="kept0002")
    git(folder, "config", "commit.gpgsign", "false")
    with pytest.raises(Refused, match="the policy wants signed commits"):
        again.forget(["gone0001"])
    git(folder, "config", "commit.gpgsign", "true")
    receipt = again.forget(["gone0001"])
    assert receipt.proof.holds and receipt.removed["signatures made again"] == 3
    assert [record.id for record in Store.open(folder).list().records] == ["kept0002"]
    assert_sound(folder)


def test_two_that_are_forgotten_together_leave_one_commit_of_tombstones(store: Store, folder: Path) -> None:
    for number in range(3):
        store.remember(f"Fact number {number} of the things to be forgotten", id=f"fact000{number}")
    receipt: Receipt = store.forget(["fact0000", "fact0002"])
    assert git(folder, "log", "--format=%s").splitlines() == [
        "forget: 2 memories",
        "remember: Fact number 1 of the things to be forgotten",
        "init: make this repository a gitmem store",
    ]
    assert receipt.commit == git(folder, "rev-parse", "HEAD").strip()


def test_a_branch_that_had_nothing_else_stands_at_an_empty_commit(store: Store, folder: Path) -> None:
    store.remember("kept", id="kept0001")
    store.remember("All that was ever archived in this store.", id="gone0001")
    store.archive(["gone0001"])
    assert store.forget(["gone0001"]).proof.holds
    assert (
        git(folder, "ls-tree", "archive") == ""
        and git(folder, "log", "--format=%s", "archive") == "forgotten\n"
    )
    again = Store.open(folder)
    again.archive(["kept0001"])
    assert again.on("archive").show("kept0001").memory.body == "kept\n"


def test_vectors_and_damaged_files_go_and_the_vectors_of_others_stay(store: Store, folder: Path) -> None:
    numpy = pytest.importorskip("numpy")
    from gitmem.embed.vectors import VectorStore

    blobs = {}
    for name in ("kept0001", "gone0001"):
        path = store.remember(f"What {name} is about.", id=name).path
        blobs[name] = git(folder, "rev-parse", f"HEAD:{path}").strip()
    vectors = VectorStore(store.place.home / "vectors" / "local")
    vectors.append({blob: numpy.ones((1, 4), dtype=numpy.float32) for blob in blobs.values()})
    aside = store.place.home / "aside" / "objects-pack-old.pack.1"
    aside.parent.mkdir()
    aside.write_bytes(b"PACK damaged")
    assert store.forget(["gone0001"]).proof.holds
    assert vectors.read().has(blobs.values()) == {blobs["kept0001"]}
    assert not aside.exists()


def test_an_object_that_another_git_is_about_to_name_stays(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what came while it was being forgotten, only what says it, or hangs on old history, is removed."""
    store.remember(f"It is {SECRET} here.", id="gone0001")
    old = git(folder, "rev-parse", "HEAD").strip()
    made: list[str] = []

    def cleaned(*arguments: object) -> None:
        for text in ("another is writing this", f"and this, with {SECRET}"):
            made.append(git(folder, "hash-object", "-w", "--stdin", input=text.encode()).strip())
        clean_derived(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("gitmem.flows.forget.clean_derived", cleaned)
    assert store.forget(["gone0001"]).proof.holds
    here = git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    assert [oid in here for oid in (*made, old)] == [True, False, False]


def _shallow(store: Store, folder: Path) -> None:
    (folder / ".git/shallow").write_text(git(folder, "rev-parse", "HEAD"))


def _borrowing(store: Store, folder: Path) -> None:
    git(folder.parent, "clone", "-q", "--bare", "mem", "lender.git")
    (folder / ".git/objects/info/alternates").write_text(f"{folder.parent}/lender.git/objects\n")


def _lending(store: Store, folder: Path) -> None:
    git(folder.parent, "clone", "-q", "--bare", "--shared", "mem", "borrower.git")
    git(folder, "remote", "add", "origin", "../borrower.git")


def _losing(store: Store, folder: Path) -> None:
    git(folder, "worktree", "add", "-q", "--detach", "../lost")
    shutil.rmtree(folder.parent / "lost")


def _merging(store: Store, folder: Path) -> None:
    (folder / ".git/MERGE_HEAD").write_text(git(folder, "rev-parse", "HEAD"))


def _replacing(store: Store, folder: Path) -> None:
    git(folder, "replace", "HEAD", "HEAD~1")


@pytest.mark.parametrize(
    ("prepare", "error", "match"),
    [
        (_shallow, UnsupportedRepository, "this clone is shallow"),
        (_borrowing, Refused, "borrows objects from"),
        (_lending, Refused, "borrower.git borrows objects from here"),
        (_losing, Refused, "the folder of the worktree lost is not there"),
        (_merging, Busy, "a merge is in progress"),
        (_replacing, UnsupportedRepository, "git replace"),
    ],
)
def test_what_stands_in_the_way_is_said_before_anything_changes(
    store: Store,
    folder: Path,
    prepare: Callable[[Store, Path], None],
    error: type[Exception],
    match: str,
) -> None:
    store.remember("gone", id="gone0001")
    prepare(store, folder)
    before = git(folder, "for-each-ref")
    with pytest.raises(error, match=match):
        store.forget(["gone0001"])
    assert git(folder, "for-each-ref") == before


def test_the_command_asks_prints_a_receipt_without_content_and_takes_no_agent(
    store: Store, folder: Path
) -> None:
    store.remember(f"{LINE}.", id="gone0001")
    refused = gitmem(folder, "forget", "gone0001")
    assert refused.code == 5 and "has to be agreed to, and nobody can be asked here" in refused.err
    assert gitmem(folder, "forget", "gone0001", "--yes", "other").code == 5
    agent = gitmem(folder, "forget", "gone0001", "--yes", "gone0001", env={"GITMEM_IDENTITY": "agent:bot"})
    assert agent.code == 5 and "forget needs a person" in agent.err
    assert store.show("gone0001").memory.body == f"{LINE}.\n"
    done = gitmem(folder, "forget", "gone0001", "--yes", "gone0001", "--json")
    assert done.code == 0, done.err
    assert done.json["proof"]["holds"] and done.json["removed"]["versions"] == 1
    assert LINE not in done.out + done.err
    assert gitmem(folder, "forget", "gone0001", "--yes", "gone0001").code == 3
    clear = Store.open(folder, clock=FixedClock(NOW))
    with pytest.raises(Refused, match="a memory of the id gone0001 was forgotten on"):
        clear.remember("again", id="gone0001")
    with pytest.raises(Refused, match="what this says was forgotten on") as caught:
        clear.remember(f"It is said: {LINE.upper()}!\n\n{LINE}.")
    assert LINE not in str(caught.value)


def test_a_memory_that_says_it_too_is_named(store: Store, folder: Path) -> None:
    """A summary says what the notes said: who forgets a note is told, before and after, and not that all is gone."""
    note = store.note(f"{LINE} of the harbour", session="s1")
    store.note("Lunch is at noon", session="s1")
    ended = store.end_session("s1", then="summary")
    (summary,) = ended.summaries
    person = Store.open(folder, identity=Identity(Kind.PERSON, "ann"))
    assert list(person.plan_forget([note.id]).also_said) == [summary.path]
    assert list(person.forget([note.id]).also_said) == [summary.path]
    receipt = person.forget([summary.id])
    assert not receipt.also_said and receipt.proof.holds
    assert search(folder, LINE) == []


def test_check_names_what_plain_git_brought_back(store: Store, folder: Path, tmp_path: Path) -> None:
    """A pull from an old clone, and the same sentence by hand: no door of gitmem was passed."""
    store.remember("The spare key of the boat lies below the blue pot", id="boatkey1")
    store.remember("unrelated", id="other")
    git(tmp_path, "clone", "-q", str(folder), "old")
    store.forget(["boatkey1"])
    base = git(folder, "rev-parse", "HEAD").strip()
    assert store.check().is_clean
    git(folder, "pull", "-q", "--no-rebase", "--no-edit", str(tmp_path / "old"), "main")
    (folder / "hand.md").write_text("Note: the spare key of the boat lies below the blue pot\n")
    git(folder, "add", "hand.md")
    git(folder, "commit", "-qm", "by hand")
    for checked in (store.check(), store.check(base=base)):
        assert [each.code for each in checked.findings if each.severity == "error"] == ["forgotten"] * 2
    store.forget(["boatkey1"])
    assert [each.path for each in store.check().findings if each.severity == "error"] == ["hand.md"]
