"""File names hold any title, on every system; paths stay inside the store and links lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Ambiguous, BadInput, Conflict, GitmemError, NotFound, Refused
from gitmem.flows.writing.drafting import Request
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem

FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f]')
DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def files(folder: Path) -> list[str]:
    return [path for path in git(folder, "ls-files", "-z").split("\0") if path.endswith(".md")]


@pytest.mark.parametrize(
    "title",
    [
        "机房门禁",
        "น้ำร้อน",
        "Пользователь",
        "العربية نص",
        "उपयोगकर्ता",
        "🎉🎉",
        "cafe\u0301",
        "İstanbul",
        "ﬁne",
        "ＡＢＣ",
        "\u202eabc",
    ],
)
def test_titles_in_every_script_read_back_and_never_share_a_file(
    store: Store, folder: Path, title: str
) -> None:
    """Two memories with one title are two files; the title keeps every mark."""
    first = store.remember("the first text", title=title)
    second = store.remember("the second text", title=title)
    assert first.path != second.path
    for written, text in ((first, "the first text\n"), (second, "the second text\n")):
        memory = store.show(written.id).memory
        assert (memory.title, memory.body) == (title, text)
    assert_sound(folder)


def test_a_long_title_is_cut_between_characters_and_never_meets_another(store: Store, folder: Path) -> None:
    """Names stay within the limit in bytes, end in .md and differ where the titles differ past the cut."""
    titles = ["记忆" * 60, "记忆" * 60 + "二", "👩‍👩‍👧‍👦" * 30, "a" * 3000, "น้ำ" * 80]
    paths = [store.remember(f"text {number}", title=title).path for number, title in enumerate(titles)]
    names = [path.rpartition("/")[2] for path in paths]
    assert len(set(names)) == len(titles)
    assert all(name.endswith(".md") and len(name.encode()) <= 200 for name in names)
    assert sorted(files(folder)) == sorted(paths)
    assert [store.show(path).memory.title for path in paths] == titles


@pytest.mark.parametrize(
    "name",
    [
        "größe.md",
        "日本語メモ.md",
        'say "hi".md',
        "back\\slash.md",
        "sp ace.md",
        "tab\there.md",
        "-x.md",
        "new\nline.md",
    ],
)
def test_a_file_with_an_odd_name_is_found_moved_and_forgotten_like_any_other(
    store: Store, folder: Path, name: str
) -> None:
    """What a person commits by hand is found under its real name, and not after it is gone."""
    (folder / name).write_text("marmot\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "by hand")
    assert [hit.hit.record.path for hit in store.recall("marmot").hits] == [name]
    git(folder, "mv", "--", name, "plain.md")
    git(folder, "commit", "-qm", "moved")
    assert [hit.hit.record.path for hit in store.recall("marmot").hits] == ["plain.md"]
    git(folder, "rm", "-q", "plain.md")
    git(folder, "commit", "-qm", "gone")
    assert store.recall("marmot").total == 0


@pytest.mark.parametrize(
    "title",
    [
        "aux",
        "CON",
        "com1",
        "Meeting: 10:30",
        "what?",
        "a/b",
        "a\\b",
        ".hidden",
        "-rf",
        "trailing dot.",
        "trailing space ",
        "pipe|star*",
        "..",
        "~",
        "$HOME",
        "two\nlines",
        "\x1b[31mred",
        ".git",
        "%2e%2e",
        "<b>",
        '"',
    ],
)
def test_any_title_makes_a_name_that_every_system_takes(store: Store, folder: Path, title: str) -> None:
    """No part of a path is a device, hidden, an option, or holds what a system forbids; the title stays."""
    written = store.remember("platypus", title=title)
    parts = written.path.split("/")
    assert len(parts) == 3
    for part in parts:
        assert not FORBIDDEN.search(part)
        assert not DEVICE.fullmatch(part)
        assert part[-1] not in ". " and part[0] not in "-."
    assert store.show(written.id).memory.title == title
    subject = git(folder, "log", "-1", "--format=%s").strip()
    assert subject.startswith("remember: ") and subject.isprintable()
    assert_sound(folder)


@pytest.mark.parametrize(
    "path",
    [
        "../evil.md",
        "/abs.md",
        "a/../../evil2.md",
        "../mem-evil/x.md",
        ".git/hooks/post-commit",
        ".GIT/x.md",
        "notes/.git/x.md",
        "C:\\x.md",
        "nul\x01.md",
        ".g\u200cit/x.md",
        "GIT~1/x.md",
        ".git /x.md",
        ".git./x.md",
        ".git::$INDEX/x.md",
        "a//b.md",
        "./x.md",
        "x/./y.md",
        "x.md/",
        "aux.md",
        "aux .md",
        "CON.foo.md",
        "com¹.md",
        "x/com1/y.md",
        "conin$.md",
        "trail /x.md",
        "a\u202egpj.md",
        "a\u200bb.md",
        "x\u2028y.md",
        "x\x85y.md",
        "~/x.md",
        " lead.md",
        ".gitmem/x.md",
        "README.md",
        "x.txt",
        "x.files/y.md",
        "n" * 300 + ".md",
        "d/" * 600 + "x.md",
        "x\udcff.md",
        "",
    ],
)
def test_a_path_that_is_unsafe_anywhere_is_refused(
    store: Store, folder: Path, tmp_path: Path, path: str
) -> None:
    """Nothing is written outside the store, into git's own files, or under a name some system cannot hold."""
    beside = tmp_path / "mem-evil"
    beside.mkdir()
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(GitmemError) as caught:
        store.remember("x", path=path)
    assert caught.value.exit_code in (2, 5)
    assert git(folder, "rev-parse", "HEAD") == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["mem", "mem-evil"]
    assert not any(beside.iterdir())
    assert_sound(folder)


@pytest.mark.parametrize(
    "namespace", ["../evil", "people/../..", ".git", "con", "p.files", "a\u202eb", "~", "x/.hidden", "/"]
)
def test_a_namespace_is_checked_like_a_path(store: Store, folder: Path, namespace: str) -> None:
    """A namespace cannot lead where a memory would not be one."""
    with pytest.raises(BadInput):
        store.remember("x", namespace=namespace)
    assert_sound(folder)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("p.md", "P.md"),
        ("é.md", "e\u0301.md"),
        ("straße.md", "STRASSE.md"),
        ("a/B.md", "A/b.md"),
        ("x.md", "x.md/y.md"),
    ],
)
def test_two_paths_that_some_system_takes_for_one_are_not_both_given(
    store: Store, folder: Path, first: str, second: str
) -> None:
    """Case and accents do not tell two files apart, and no file has files below it."""
    store.remember("one", path=first, id="one")
    other = store.remember("two", id="two")
    with pytest.raises(Conflict):
        store.remember("three", path=second)
    with pytest.raises(GitmemError):
        store.rename(other.id, path=second)
    assert store.show("one").memory.body == "one\n"
    assert_sound(folder)


def test_a_title_and_an_id_that_join_to_a_taken_name_get_another(store: Store, folder: Path) -> None:
    """`a-b` and `c` make the name that `a` and `b-c` make; both memories are there."""
    first = store.remember("one", title="a b", id="c", namespace="p")
    second = store.remember("two", title="a", id="b-c", namespace="p")
    assert first.path != second.path
    assert [store.show(each).memory.body for each in ("c", "b-c")] == ["one\n", "two\n"]
    assert_sound(folder)


@pytest.mark.parametrize(
    "name", ["../x", ".x", "-x", "x/y", "x y", "e\u0301", "x.", "a@v1", "...", "a\nb", "x" * 65, "", "\ud800"]
)
def test_an_id_that_could_not_be_typed_or_stored_is_refused(store: Store, name: str) -> None:
    """Ids are letters, digits, dots, hyphens and underscores."""
    with pytest.raises(BadInput):
        store.remember("x", id=name)


@pytest.mark.parametrize(
    "name", ["con", "NUL", "1", "0042", "1e5", "null", "true", "x.md", "é", "ＡＢ", "x" * 64]
)
def test_an_id_that_looks_like_something_else_is_still_an_id(store: Store, folder: Path, name: str) -> None:
    """An id keeps its spelling whatever it resembles, and is taken whatever its case."""
    store.remember("text", id=name)
    assert store.show(name).memory.id == name
    with pytest.raises(Conflict):
        store.remember("other", id=name.swapcase())
    assert_sound(folder)


@pytest.mark.parametrize(("gone", "other"), [("mem-1", "mem-10"), ("note", "notebook"), ("v1.2", "v1.20")])
def test_the_id_of_a_memory_that_is_not_here_reaches_no_other(store: Store, gone: str, other: str) -> None:
    """Archived, or never there where the number goes on: a beginning is one only if it is no other id."""
    store.remember("the otter", id=gone)
    store.remember("the heron", id=other)
    store.archive([gone])
    assert store.show(gone).memory.body == "the otter\n"
    changes: list[Callable[[], object]] = [
        lambda: store.update(gone, "WRONG"),
        lambda: store.append(gone, "WRONG"),
        lambda: store.tag(gone, add=["wrong"]),
        lambda: store.rename(gone, "WRONG"),
    ]
    for change in changes:
        with pytest.raises(NotFound, match=f"{gone} is archived"):
            change()
    with pytest.raises(NotFound, match="on archive already"):
        store.archive([gone])
    store.restore([gone])
    store.archive([other])
    with pytest.raises(NotFound):
        store.restore([gone])
    assert store.show(other).memory.body == "the heron\n" and store.show(gone).memory.body == "the otter\n"


def test_a_number_that_goes_on_is_another_id(store: Store) -> None:
    """`mem-4` is no beginning of `mem-42`, whatever else there is; other beginnings do as before."""
    store.remember("the heron", id="mem-42-b")
    for wrong in ("mem-4", "MEM-4"):
        with pytest.raises(NotFound, match="mem-42-b is another one"):
            store.update(wrong, "WRONG")
    for right in ("mem-42", "mem", "mem-42-"):
        assert store.show(right).memory.id == "mem-42-b"
    made = store.remember("the stork").id
    assert all(store.show(made[:length]).memory.id == made for length in range(4, 8))


def test_a_link_in_the_tree_is_never_followed(store: Store, folder: Path, tmp_path: Path) -> None:
    """What a link points to is not read, shown or changed, wherever it points."""
    outside = tmp_path / "outside.txt"
    outside.write_text("outside secret\n")
    (folder / "link.md").symlink_to(outside)
    (folder / "folder").symlink_to(tmp_path)
    (folder / "loop.md").symlink_to("loop.md")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "links")
    assert store.recall("secret").total == 0
    for reference in ("link", "link.md", "folder/outside", "loop.md"):
        with pytest.raises(NotFound):
            store.show(reference)
        with pytest.raises(NotFound):
            store.tag(reference, add=["z"])
    assert outside.read_text() == "outside secret\n"
    with pytest.raises(GitmemError):
        store.remember("x", path="folder/x.md")
    assert not (tmp_path / "x.md").exists()
    assert {finding.code for finding in store.check().findings} == {"link"}


def test_a_folder_replaced_by_a_link_is_not_written_through(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """The memory is committed, the worktree is left alone, and the answer says so."""
    evil = tmp_path / "evil"
    evil.mkdir()
    (folder / "semantic").symlink_to(evil)
    written = store.remember("through a link", id="t1")
    assert written.notices and not any(evil.iterdir())
    assert store.show("t1").memory.body == "through a link\n"


def test_names_that_differ_in_case_alone_are_not_both_imported(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """The second is named, stays in the source, and is told the same way each time."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "A.md").write_text("upper\n")
    (source / "a.md").write_text("lower\n")
    assert store.import_folder(source).counts == {"new": 1, "occupied": 1}
    assert store.import_folder(source).counts == {"same": 1, "occupied": 1}
    assert_sound(folder)


def test_names_that_differ_in_case_alone_are_reported(store: Store, folder: Path) -> None:
    """Where a person committed both, `check` says which system cannot hold them."""
    (folder / "A.md").write_text("upper\n")
    (folder / "a.md").write_text("lower\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "both")
    assert [finding.path for finding in store.check().findings if finding.code == "name"] == ["a.md"]


def test_a_batch_is_written_whole_or_not_at_all(store: Store, folder: Path) -> None:
    """One bad path among good ones, and nothing is there."""
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(BadInput):
        store.remember_all([Request("a"), Request("b", path="../b.md")])
    assert git(folder, "rev-parse", "HEAD") == before


def test_a_memory_is_never_written_where_the_config_excludes_it(store: Store, folder: Path) -> None:
    """An excluded folder takes no memory, whether the path was given or made."""
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text().replace("exclude = []", 'exclude = ["semantic/*"]'))
    git(folder, "commit", "-qam", "exclude")
    again = Store.open(folder)
    with pytest.raises(Refused, match="excluded"):
        again.remember("x")
    assert again.remember("x", path="notes/x.md").path == "notes/x.md"


@pytest.mark.parametrize("text", ["bad\udcff text", "a\x00b", "", "  \n", "\ud800"])
def test_a_text_that_no_file_can_hold_is_refused(store: Store, folder: Path, text: str) -> None:
    """Bytes that are not UTF-8, NUL and nothing at all make no memory."""
    with pytest.raises(BadInput):
        store.remember(text)
    assert_sound(folder)


def test_a_title_with_line_ends_takes_one_line_of_a_list(store: Store, folder: Path) -> None:
    """Lists have one line a memory, whatever its title holds."""
    store.remember("x", title="two\nlines\x1b[31m", id="t")
    lines = gitmem(folder, "list").out.splitlines()
    assert [line for line in lines if line.startswith("t ")] == [line for line in lines if "two" in line]
    assert len([line for line in lines if "two" in line]) == 1


VERBS: dict[str, Callable[[Store], object]] = {
    "append": lambda store: store.append("a", "more"),
    "archive": lambda store: store.archive(["a"]),
    "rename": lambda store: store.rename("a", title="other"),
    "show": lambda store: store.show("a"),
    "commit": lambda store: store.commit_edits(["a"]),
}


@pytest.mark.parametrize("is_here", [True, False])
@pytest.mark.parametrize("verb", VERBS)
def test_an_id_never_reaches_the_memory_whose_file_is_called_so(
    store: Store, folder: Path, verb: str, is_here: bool
) -> None:
    """`a` is the id of one memory, and `a.md` the file of another: who says `a` is asked which, and nothing changes."""
    store.remember("the memory a", id="a", path="t.md")
    store.remember("the memory b", id="b", path="a.md")
    if not is_here:
        store.archive(["t.md"])
    if verb == "commit":
        (folder / "a.md").write_text((folder / "a.md").read_text() + "an edit\n")
    before = git(folder, "rev-parse", "main", "archive" if not is_here else "main")
    with pytest.raises(Ambiguous, match=r"'a' could be a\.md, ") as refused:
        VERBS[verb](store)
    assert refused.value.hint == "'a.md' means the file"
    assert git(folder, "rev-parse", "main", "archive" if not is_here else "main") == before
    assert store.show("a.md").memory.id == "b"
    assert store.show("b").memory.path == "a.md"


def test_a_note_is_named_by_its_path_without_its_ending(store: Store, folder: Path) -> None:
    """As long as nothing else is called so."""
    (folder / "plain.md").write_text("a plain note\n")
    git(folder, "add", "plain.md")
    git(folder, "commit", "-qm", "by hand")
    assert store.append("plain", "more").path == "plain.md"


@pytest.mark.parametrize("name", ["@smith2020", "refs/@doe1999", "ann@work", "note@v2"])
def test_a_name_with_an_at_sign_is_no_version_of_another(store: Store, folder: Path, name: str) -> None:
    """A note called after a citation or an address is shown by its path, with `.md` and without."""
    file = folder / f"{name}.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text("from the literature\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "by hand")
    for reference in (name, f"{name}.md", f"{name}.md@v1"):
        assert store.show(reference).memory.path == f"{name}.md"
        assert store.why(reference).memory.path == f"{name}.md"
    with pytest.raises(BadInput, match="write ID@VERSION"):
        store.show(f"{name}.md@")
    with pytest.raises(NotFound, match="no version v9"):
        store.show(f"{name}.md@v9")
    file.with_name("new@work.md").write_text("not committed\n")
    path = file.with_name("new@work.md").relative_to(folder).as_posix()
    assert store.show(path).memory.body == "not committed\n"


@pytest.mark.parametrize("names", [("Plan.txt", "plan.txt"), ("caf\u00e9.txt", "cafe\u0301.txt")])
def test_two_attachments_never_share_a_name_on_any_system(
    store: Store, folder: Path, tmp_path: Path, names: tuple[str, str]
) -> None:
    """Not in one call, nor in one after the other; the second is refused, and the first can be replaced."""
    written = store.remember("the plan stands beside this")
    first, second = (tmp_path / str(number) / name for number, name in enumerate(names))
    for file in (first, second):
        file.parent.mkdir()
        file.write_text(file.name)
    with pytest.raises(BadInput, match="two files are called"):
        store.attach(written.id, [first, second])
    store.attach(written.id, [first])
    with pytest.raises(Conflict, match="some systems"):
        store.attach(written.id, [second], replace=True)
    first.write_text("changed")
    store.attach(written.id, [first], replace=True)
    assert store.show(written.id).memory.attachments == (names[0],)
    assert_sound(folder)
