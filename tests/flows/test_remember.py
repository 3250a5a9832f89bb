"""remember: one commit for what was asked, nothing else touched, or nothing at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import BadInput, Conflict, NotFound, Refused
from gitmem.flows.writing.drafting import Request
from gitmem.model.change import Origin
from gitmem.store import Store
from tests.conftest import assert_sound, git


def test_a_memory_is_one_file_in_one_commit_with_trailers(store: Store, folder: Path) -> None:
    written = store.remember(
        "Alice asked for the monthly report by e-mail, not in chat.",
        title="Alice wants reports by e-mail",
        namespace="people/alice",
        tags=["preference", "reports"],
        importance=0.8,
        origin=Origin(agent="support-bot", session="s-81", source="chat", reason="she said so"),
    )
    assert written.path == f"semantic/people/alice/alice-wants-reports-by-e-mail-{written.id}.md"
    assert (folder / written.path).read_text() == (
        f"---\nid: {written.id}\ntype: semantic\ntitle: Alice wants reports by e-mail\n"
        "created: 2026-11-29T15:30:12Z\ntags:\n  - preference\n  - reports\nimportance: 0.8\n"
        "source: chat\nagent: support-bot\nsession: s-81\n---\n"
        "Alice asked for the monthly report by e-mail, not in chat.\n"
    )
    assert git(folder, "show", "--format=", "--name-status").strip() == f"A\t{written.path}"
    trailers = git(folder, "log", "-1", "--format=%(trailers:only,unfold)")
    for line in (
        f"Memory-Id: {written.id}",
        "Operation: remember",
        "Agent: support-bot",
        "Session: s-81",
        "Source: chat",
        "Reason: she said so",
    ):
        assert line in trailers
    assert git(folder, "log", "-1", "--format=%s").strip() == "remember: Alice wants reports by e-mail"
    assert git(folder, "rev-parse", "HEAD").strip() == written.version
    assert_sound(folder)


def test_an_episode_is_filed_by_day_and_time(store: Store) -> None:
    written = store.remember("Alice asked about billing", type="episodic")
    assert written.path == f"episodic/2026/11/29/1530-alice-asked-about-billing-{written.id}.md"


def test_a_memory_without_namespace_goes_into_a_folder_of_its_id(store: Store) -> None:
    written = store.remember("The sky is blue")
    assert written.path.startswith(f"semantic/{written.id[:2]}/")


def test_a_full_namespace_folder_goes_on_in_folders_of_ids(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.versions.naming.MAX_FOLDER_ENTRIES", 3)
    paths = [store.remember(f"fact {n}", namespace="alpha").path for n in range(5)]
    assert [path.count("/") for path in paths] == [2, 2, 2, 3, 3]
    assert {store.show(path).memory.namespace for path in paths} == {"alpha"}


@pytest.mark.parametrize(
    "title",
    ["aux", "CON", "Meeting: 10:30", "what?", "a/b", ".hidden", "-rf", "trailing dot.", "trailing space ", "pipe|star*",
     "记忆" * 60, "👩‍👩‍👧‍👦" * 30, "น้ำร้อน", "Ünïcödé", "two\nlines", '"quoted": yes', "# no comment"],
)  # fmt: skip
def test_any_title_is_kept_exactly_and_gives_a_legal_name(store: Store, folder: Path, title: str) -> None:
    written = store.remember("platypus", title=title)
    name = written.path.rpartition("/")[2]
    assert len(name.encode()) <= 200
    assert not set(name) & set('<>:"|?*\\')
    assert name[0] not in ".-"
    assert store.show(written.id).memory.title == title
    assert_sound(folder)


def test_two_titles_that_are_equal_make_two_memories(store: Store) -> None:
    first, second = (
        store.remember("门禁密码每季度更换", title="机房门禁"),
        store.remember("第二条", title="机房门禁"),
    )
    assert first.path != second.path
    assert store.list().total == 2


def test_a_batch_is_one_commit(store: Store, folder: Path) -> None:
    before = int(git(folder, "rev-list", "--count", "HEAD"))
    written = store.remember_all([Request(f"fact {n}", title=f"fact {n}") for n in range(30)])
    assert len({each.id for each in written}) == 30
    assert int(git(folder, "rev-list", "--count", "HEAD")) == before + 1
    assert_sound(folder)


def test_an_option_that_is_called_otherwise_in_a_batch_is_told(store: Store) -> None:
    for name, wanted in (
        ("tag", "here it is 'tags'"),
        ("entity", "here it is 'entities'"),
        ("mood", "fields"),
    ):
        with pytest.raises(BadInput, match=name) as raised:
            store.remember_jsonl(f'{{"text": "x", "{name}": "y"}}')
        assert wanted in (raised.value.hint or "")


def test_a_batch_with_one_bad_line_writes_nothing(store: Store, folder: Path) -> None:
    head = git(folder, "rev-parse", "HEAD")
    with pytest.raises(BadInput):
        store.remember_all([Request("good"), Request("bad", importance=7)])
    with pytest.raises(Conflict):
        store.remember_all([Request("one", id="same"), Request("two", id="SAME")])
    assert git(folder, "rev-parse", "HEAD") == head
    assert git(folder, "status", "--porcelain") == ""


@pytest.mark.parametrize("path", ["../evil.md", "/abs.md", "a/../../evil2.md", "../mem-evil/x.md", ".git/hooks/post-commit",
    ".GIT/config", "notes/.git/x", "C:\\x.md", "nul\x01.md", "git~1/x.md", "x.md/", "a//b.md", "aux.md", "x.txt", ".hidden.md"])  # fmt: skip
def test_a_path_out_of_the_store_is_refused(store: Store, folder: Path, path: str) -> None:
    with pytest.raises(BadInput) as caught:
        store.remember("x", path=path)
    assert caught.value.field == "path"
    assert git(folder, "status", "--porcelain") == ""


def test_a_path_that_is_excluded_is_refused(store: Store) -> None:
    with pytest.raises(Refused):
        store.remember("x", path="notes/README.md")


def test_a_given_id_is_used_once_whatever_its_case(store: Store, folder: Path) -> None:
    store.remember("first", id="mem-0042")
    with pytest.raises(Conflict):
        store.remember("second", id="MEM-0042")
    (folder / "hand.md").write_text("---\nid: by-hand\n---\nwritten by hand\n")
    git(folder, "add", "hand.md")
    git(folder, "commit", "-qm", "by hand")
    with pytest.raises(Conflict):
        store.remember("third", id="by-hand")


def test_what_is_superseded_must_exist(store: Store) -> None:
    with pytest.raises(NotFound):
        store.remember("new", supersedes=["nosuch"])
    store.remember("old", id="old")
    store.remember("new", supersedes=["old"])


@pytest.mark.parametrize("text", ["", "   \n", "a\x00b", "lone \ud800 surrogate"])
def test_text_that_cannot_be_written_is_refused(store: Store, text: str) -> None:
    with pytest.raises(BadInput):
        store.remember(text)


def test_a_persons_work_stays_as_it_was(store: Store, folder: Path) -> None:
    """Staged, unstaged and untracked work is not committed and not changed."""
    base = store.remember("first", id="base")
    file = folder / base.path
    file.write_text(file.read_text() + "half a thought\n")
    (folder / "staged.md").write_text("staged\n")
    git(folder, "add", "staged.md")
    (folder / "draft.md").write_text("draft\n")
    before = git(folder, "status", "--porcelain=v1")
    store.remember("clean commit please", id="second")
    assert git(folder, "status", "--porcelain=v1") == before
    assert git(folder, "show", "--format=", "--name-only").strip().endswith("second.md")
    assert "half a thought" in file.read_text()


def test_an_unborn_repository_becomes_a_store_at_the_first_write(person: None, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk", "empty")
    folder = tmp_path / "empty"
    store = Store.open(folder)
    assert store.recall("anything").hits == ()
    store.remember("first commit ever", id="e1")
    assert git(folder, "symbolic-ref", "--short", "HEAD").strip() == "trunk"
    assert git(folder, "rev-list", "--count", "HEAD").strip() == "1"
    assert Store.open(folder).show("e1").memory.body == "first commit ever\n"
    assert_sound(folder)


def test_without_any_identity_the_documented_one_is_used(tmp_path: Path) -> None:
    store = Store.init(tmp_path / "mem")
    store.remember("no identity here", id="anon")
    assert git(tmp_path / "mem", "log", "-1", "--format=%an <%ae>").strip() == "gitmem <gitmem@localhost>"


def test_the_environment_names_the_author(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ann")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "ann@example.com")
    store.remember("by Ann")
    assert git(folder, "log", "-1", "--format=%an <%ae>").strip() == "Ann <ann@example.com>"


def test_the_past_cannot_be_written(store: Store) -> None:
    first = store.remember("one")
    store.remember("two")
    past = store.at(first.version)
    assert past.list().total == 1
    with pytest.raises(Refused):
        past.remember("three")


def test_a_store_of_a_newer_format_is_refused_untouched(store: Store, folder: Path) -> None:
    from gitmem.errors import NewerFormat

    config = folder / ".gitmem" / "config.toml"
    config.write_text(config.read_text().replace("format = 1", "format = 2"))
    git(folder, "commit", "-qam", "from the future")
    head = git(folder, "rev-parse", "HEAD")
    with pytest.raises(NewerFormat):
        Store.open(folder)
    assert git(folder, "rev-parse", "HEAD") == head
