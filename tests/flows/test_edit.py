"""Changing a memory: only what was named changes, and never over an edit that was not seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import BadInput, Conflict, NotFound, Refused, StaleVersion
from gitmem.model.change import Origin
from gitmem.model.header_edit import REMOVED
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem

KEEP = (
    b'---\n# owner: the ops team\ntitle: "Quoted: yes"\nzeta: 1\nalpha: 2   # keep me\n'
    b"created: 2024-05-07T23:30:00+09:00\nlong: >-\n  folded text that\n  spans two lines\n"
    b"tags: [ b, a ]\nid: keep\n---\n\n\n    indented code first\n\nlast line  \n\n\n"
)


@pytest.fixture
def kept(store: Store, folder: Path) -> Path:
    """A hand-written file with comments, odd order, quotes and blank lines."""
    file = folder / "keep.md"
    file.write_bytes(KEEP)
    git(folder, "add", "keep.md")
    git(folder, "commit", "-qm", "by hand")
    return file


def test_a_tag_changes_one_line(store: Store, folder: Path, kept: Path) -> None:
    store.tag("keep", add=["c"])
    assert kept.read_bytes() == KEEP.replace(b"[ b, a ]", b"[ b, a, c ]")
    store.tag("keep", remove=["C"])
    assert kept.read_bytes() == KEEP
    assert_sound(folder)


def test_a_new_text_leaves_the_header_alone(store: Store, kept: Path) -> None:
    store.update("keep", "short")
    header = KEEP[: KEEP.index(b"---\n\n\n") + 4]
    assert kept.read_bytes() == header + b"short\n"


def test_crlf_files_stay_crlf(store: Store, folder: Path) -> None:
    file = folder / "crlf.md"
    file.write_bytes(b"---\r\nid: crlf1\r\ntags:\r\n  - net\r\n---\r\n\r\nReboot.\r\n")
    git(folder, "add", "crlf.md")
    git(folder, "commit", "-qm", "by hand")
    store.tag("crlf1", add=["weekly"])
    store.append("crlf1", "one\ntwo")
    store.update("crlf1", fields={"own": "x"})
    data = file.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert data.count(b"---\r\n") == 2
    assert data.endswith(b"Reboot.\r\none\r\ntwo\r\n")


def test_fields_are_set_and_taken_out(store: Store) -> None:
    store.remember("text", id="m", fields={"own": "1", "other": "2"})
    store.update("m", fields={"own": "changed", "other": REMOVED, "importance": 0.9, "status": "disputed"})
    memory = store.show("m").memory
    assert memory.fields["own"] == "changed"
    assert "other" not in memory.fields
    assert (memory.importance, memory.status) == (0.9, "disputed")


@pytest.mark.parametrize(
    "fields",
    [{"id": "x"}, {"type": "episodic"}, {"importance": 3}, {"status": "gone"}, {"valid_from": "soon"}, {}],
)
def test_fields_that_cannot_be_set_are_refused(store: Store, fields: dict[str, object]) -> None:
    store.remember("text", id="m")
    with pytest.raises(BadInput):
        store.update("m", fields=fields)


def test_what_changes_nothing_makes_no_version(store: Store, folder: Path) -> None:
    written = store.remember("text", id="m", tags=["a"])
    assert store.update("m", "text").replaced is None
    assert store.tag("m", add=["A"]).version == written.version
    assert git(folder, "rev-parse", "HEAD").strip() == written.version


def test_a_write_says_which_version_it_replaced(store: Store) -> None:
    first = store.remember("rev A", id="doc")
    second = store.update("doc", "rev B")
    assert second.replaced == first.version
    assert store.append("doc", "more").replaced == second.version


def test_a_stale_write_fails_with_both_texts_and_changes_nothing(store: Store, folder: Path) -> None:
    first = store.remember("rev A", id="doc")
    second = store.update("doc", "rev B (someone else)")
    writes: list[Callable[[], object]] = [
        lambda: store.update("doc", "rev A plus tidy", expect=first.version),
        lambda: store.append("doc", "x", expect=first.version),
        lambda: store.tag("doc", add=["x"], expect=first.version),
        lambda: store.rename("doc", "x", expect=first.version),
        lambda: store.revert("doc", "v1", expect=first.version),
    ]
    for write in writes:
        with pytest.raises(StaleVersion) as caught:
            write()
        assert caught.value.expected_text is not None
        assert "rev A" in caught.value.expected_text
        assert "rev B" in caught.value.current_text
        assert caught.value.current == second.version
    assert git(folder, "rev-parse", "HEAD").strip() == second.version


def test_a_version_is_expected_by_what_it_says_not_by_when(store: Store) -> None:
    """Commits that did not touch the memory do not make an expectation stale."""
    store.remember("rev A", id="doc")
    later = store.remember("something else")
    store.update("doc", "rev B", expect=later.version)
    with pytest.raises(BadInput, match="number for people"):
        store.update("doc", "rev C", expect="v2")


@pytest.mark.parametrize("name", ["HEAD", "main", "HEAD~0", "refs/heads/main", "", "@", "latest"])
def test_a_name_that_moves_is_no_version_that_was_read(store: Store, name: str) -> None:
    """`HEAD` is the newest commit whatever the caller has read, so it would agree to any change of others."""
    store.remember("rev A", id="doc")
    newest = store.update("doc", "rev B of somebody else")
    with pytest.raises(BadInput, match="not the id of a commit"):
        store.update("doc", "rev C, written after rev A", expect=name)
    assert store.show("doc").version == newest.version
    assert store.update("doc", "rev C", expect=f" {newest.version[:12]}\n").version != newest.version


@pytest.mark.parametrize("verb", ["update", "append", "tag", "rename", "revert"])
def test_an_edit_that_is_not_committed_is_never_overwritten(store: Store, folder: Path, verb: str) -> None:
    written = store.remember("first", id="base")
    store.update("base", "second")
    file = folder / written.path
    file.write_text(file.read_text() + "half a thought\n")
    before = file.read_bytes()
    writes = {
        "update": lambda: store.update("base", "third"),
        "append": lambda: store.append("base", "third"),
        "tag": lambda: store.tag("base", add=["x"]),
        "rename": lambda: store.rename("base", "other"),
        "revert": lambda: store.revert("base", "v1"),
    }
    with pytest.raises(Conflict, match=written.path):
        writes[verb]()
    assert file.read_bytes() == before
    file.unlink()
    with pytest.raises(Conflict, match="deleted"):
        writes[verb]()


def test_a_broken_header_is_named_and_left_alone(store: Store, folder: Path) -> None:
    file = folder / "bad.md"
    file.write_text("---\nid: bad\ntitle: Fix: the boiler\n---\nValve turns left.\n")
    git(folder, "add", "bad.md")
    git(folder, "commit", "-qm", "by hand")
    before = file.read_bytes()
    with pytest.raises(Refused, match=r"bad\.md.*line 3"):
        store.tag("bad", add=["home"])
    assert file.read_bytes() == before


def test_rename_moves_file_attachments_and_history(store: Store, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "turns.jsonl").write_text('{"turn": 1}\n')
    first = store.remember("text", id="doc", title="Old title", namespace="a")
    store.attach("doc", [tmp_path / "turns.jsonl"])
    renamed = store.rename("doc", "New title", namespace="b/c")
    assert renamed.path == "semantic/b/c/new-title-doc.md"
    assert not (folder / first.path).exists()
    assert (folder / "semantic/b/c/new-title-doc.files/turns.jsonl").read_text() == '{"turn": 1}\n'
    assert [entry.renamed_from for entry in store.log("doc").entries] == [first.path, None, None]
    assert_sound(folder)


def test_rename_gives_a_note_its_id_for_life(store: Store, folder: Path) -> None:
    (folder / "note.md").write_text("# A note\n\nbody\n")
    git(folder, "add", "note.md")
    git(folder, "commit", "-qm", "by hand")
    before = store.show("note.md").memory.id
    renamed = store.rename("note.md", path="notes/better.md")
    assert renamed.id == before
    assert store.show(before).memory.path == "notes/better.md"
    assert len(store.log(before).entries) == 2


def test_rename_never_overwrites(store: Store) -> None:
    store.remember("one", id="one", path="one.md")
    store.remember("two", id="two", path="two.md")
    with pytest.raises(Conflict):
        store.rename("one", path="two.md")
    with pytest.raises(BadInput):
        store.rename("one", path="../two.md")


def test_link_writes_one_entry_and_ids_where_they_are_missing(store: Store, folder: Path) -> None:
    store.remember("one", id="one")
    (folder / "note.md").write_text("a note\n")
    git(folder, "add", "note.md")
    git(folder, "commit", "-qm", "by hand")
    target = store.show("note.md").memory.id
    store.link("one", "note.md", relation="supports")
    assert store.link("one", "note.md", relation="supports").replaced is None
    relations = store.show("one").memory.related
    assert [(relation.to, relation.relation) for relation in relations] == [(target, "supports")]
    assert (folder / "note.md").read_text() == f"---\nid: {target}\n---\na note\n"
    with pytest.raises(NotFound):
        store.link("one", "nosuch")
    with pytest.raises(BadInput):
        store.link("one", "one")


def test_unlink_takes_out_what_it_names_and_nothing_else(store: Store, folder: Path) -> None:
    for name in ("one", "two", "three"):
        store.remember(f"Memory {name}", id=name, title=f"Title of {name}")
    before = store.show("one").raw
    store.link("one", "two", relation="supports")
    store.link("one", "two", relation="explains")
    store.link("one", "three")
    with pytest.raises(NotFound, match="has no link to two as mentions under 'related'"):
        store.unlink("one", "two", relation="mentions")
    store.unlink("one", "two", relation="supports")
    related = [(each.to, each.relation) for each in store.show("one").memory.related]
    assert related == [("two", "explains"), ("three", "related")]
    assert gitmem(folder, "link", "one", "two", "--remove").code == 0
    store.unlink("one", store.show("three").memory.path)
    assert store.show("one").raw == before
    failed = gitmem(folder, "link", "one", "two", "--remove")
    assert (failed.code, failed.err.count("\n")) == (3, 1)


def test_unlink_reads_what_people_write_and_what_is_gone(store: Store, folder: Path) -> None:
    header = (
        "---\nid: a\nrelated:\n  - '[[Title of b]]'  # by hand\n  - to: gone\n  - [odd]\nmood: good\n---\nA\n"
    )
    (folder / "a.md").write_text(header)
    git(folder, "add", "a.md")
    git(folder, "commit", "-qm", "by hand")
    store.remember("Memory b", id="b", title="Title of b")
    store.unlink("a", "b")
    store.unlink("a", "gone")
    assert (folder / "a.md").read_text() == "---\nid: a\nrelated:\n  - [odd]\nmood: good\n---\nA\n"
    (folder / "c.md").write_text("---\nid: c\nrelated: gone\n---\nC\n")
    git(folder, "add", "c.md")
    git(folder, "commit", "-qm", "by hand")
    store.unlink("c", "gone")
    assert (folder / "c.md").read_text() == "---\nid: c\n---\nC\n"


def test_the_origin_of_a_change_stands_in_the_commit(store: Store, folder: Path) -> None:
    store.remember("one", id="one")
    store.update("one", "two", origin=Origin(agent="bot", session="s-1", source="chat", reason="she called"))
    trailers = git(folder, "log", "-1", "--format=%(trailers:only,unfold)")
    for line in ("Memory-Id: one", "Operation: update", "Agent: bot", "Session: s-1", "Reason: she called"):
        assert line in trailers


def test_attachments_are_found_by_their_text(store: Store, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("a quokka crossed the road\n")
    (tmp_path / "blob.bin").write_bytes(bytes(range(256)))
    store.remember("text", id="doc")
    store.attach("doc", [tmp_path / "log.txt", tmp_path / "blob.bin"])
    assert [each.hit.record.id for each in store.recall("quokka").hits] == ["doc"]
    assert store.show("doc").memory.attachments == ("log.txt", "blob.bin")
    (tmp_path / "log.txt").write_text("a numbat crossed the road\n")
    with pytest.raises(Conflict):
        store.attach("doc", [tmp_path / "log.txt"])
    store.attach("doc", [tmp_path / "log.txt"], replace=True)
    assert store.recall("quokka").hits == ()
    assert store.recall("numbat").total == 1
    with pytest.raises(BadInput):
        store.attach("doc", [tmp_path / "nosuch"])
    assert_sound(folder)


def test_a_persons_edits_become_versions_with_trailers(store: Store, folder: Path) -> None:
    """Only the memories named are committed; what else is staged or edited stays as it was."""
    store.remember("one", id="one", path="one.md")
    store.remember("two", id="two", path="two.md")
    (folder / "one.md").write_text((folder / "one.md").read_text() + "edited\n")
    (folder / "two.md").write_text((folder / "two.md").read_text() + "edited too\n")
    (folder / "new.md").write_text("brand new\n")
    (folder / "code.py").write_text("print()\n")
    git(folder, "add", "code.py")
    committed = store.commit_edits(["one"], origin=Origin(reason="typo"))
    assert [(edit.path, edit.kind) for edit in committed.edits] == [("one.md", "changed")]
    assert git(folder, "show", "--format=", "--name-only").split() == ["one.md"]
    assert set(git(folder, "status", "--porcelain").splitlines()) == {" M two.md", "A  code.py", "?? new.md"}
    rest = store.commit_edits()
    assert sorted(edit.path for edit in rest.edits) == ["new.md", "two.md"]
    assert git(folder, "status", "--porcelain") == "A  code.py\n"
    assert store.commit_edits().commit is None
    with pytest.raises(BadInput, match="no edit"):
        store.commit_edits(["one"])


def test_a_move_and_a_removal_by_hand_become_one_commit(store: Store, folder: Path) -> None:
    store.remember("one", id="one", path="one.md")
    store.remember("two", id="two", path="two.md")
    git(folder, "mv", "one.md", "moved.md")
    git(folder, "rm", "-q", "two.md")
    committed = store.commit_edits()
    assert {edit.path: edit.kind for edit in committed.edits} == {
        "moved.md": "added",
        "one.md": "removed",
        "two.md": "removed",
    }
    assert git(folder, "status", "--porcelain") == ""
    assert [entry.renamed_from for entry in store.log("one").entries] == ["one.md", None]


def test_a_text_in_place_of_a_list_is_not_taken_for_its_letters(store: Store, tmp_path: Path) -> None:
    """A text is a sequence of texts too, so no type checker sees it; each call says what to write."""
    for name in "abc":
        store.remember(f"note {name}", id=name)
    head = store.log(limit=1).entries[0].commit
    (tmp_path / "f").write_text("x")
    calls: list[Callable[[], object]] = [
        lambda: store.remember("x", tags="abc"),
        lambda: store.remember("x", entities="abc"),
        lambda: store.remember("x", supersedes="abc"),
        lambda: store.remember("x", anchors="abc"),
        lambda: store.note("x", tags="abc"),
        lambda: store.tag("a", add="abc"),
        lambda: store.tag("a", remove="abc"),
        lambda: store.update("a", anchors="abc"),
        lambda: store.archive("abc"),
        lambda: store.restore("abc"),
        lambda: store.propose_archive("abc"),
        lambda: store.attach("a", str(tmp_path / "f")),
        lambda: store.commit_edits("abc"),
        lambda: store.plan_forget("abc"),
        lambda: store.forget("abc"),
        lambda: store.end_session("s", promote="abc"),
        lambda: store.where(tags="abc"),
        lambda: store.where(entities="abc"),
    ]
    for call in calls:
        with pytest.raises(BadInput, match="a list of texts belongs here, not '"):
            call()
    assert store.log(limit=1).entries[0].commit == head and store.list().total == 3


@pytest.mark.parametrize("blank", [" \n\t", "\u200b", "\ufeff\u2060 \u00ad"])
def test_what_nobody_sees_is_no_text_and_no_title(store: Store, blank: str) -> None:
    with pytest.raises(BadInput, match="the text is empty"):
        store.remember(blank)
    assert store.show(store.remember("Alice drinks tea", title=blank).id).memory.title == "Alice drinks tea"
    store.remember("Bob drinks coffee", id="bob")
    with pytest.raises(BadInput, match="the text is empty"):
        store.append("bob", blank)
    with pytest.raises(BadInput, match="the title is empty"):
        store.rename("bob", title=blank)
