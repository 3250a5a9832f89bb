"""import and export: again and again without doubles, and exactly there and back."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gitmem.errors import BadInput, Conflict
from gitmem.model.reading import MAX_MEMORY_BYTES
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A plain folder of notes: with and without headers, in folders, and things that are no memories."""
    folder = tmp_path / "src"
    (folder / "sub").mkdir(parents=True)
    (folder / ".obsidian").mkdir()
    for number in (1, 2, 3):
        (folder / f"s{number}.md").write_text(f"---\ntitle: S{number}\n---\nstoat {number}\n")
    (folder / "sub" / "größe.md").write_bytes("größe\r\nCRLF\r\n".encode())
    (folder / "rule.md").write_text("---\n\nnot a header\n\n---\n")
    (folder / ".obsidian" / "x.md").write_text("hidden")
    (folder / "README.md").write_text("about")
    (folder / "image.png").write_bytes(b"\x89PNG")
    (folder / "link.md").symlink_to("/etc/hostname")
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and not file.is_symlink() and ".git" not in file.parts
    }


def test_bytes_and_paths_are_kept_and_the_source_is_not_touched(
    store: Store, folder: Path, source: Path
) -> None:
    before = tree(source)
    imported = store.import_folder(source)
    assert imported.counts == {"new": 5, "skipped": 4}
    assert tree(source) == before
    for name in ("s1.md", "sub/größe.md", "rule.md"):
        assert (folder / name).read_bytes() == before[name]
    assert not (folder / "link.md").exists()
    assert store.recall("not a header").total >= 1
    assert_sound(folder)


def test_importing_again_adds_nothing(store: Store, folder: Path, source: Path) -> None:
    store.import_folder(source)
    head = git(folder, "rev-parse", "HEAD")
    again = store.import_folder(source)
    assert again.commit is None
    assert again.counts == {"same": 5, "skipped": 4}
    assert git(folder, "rev-parse", "HEAD") == head


def test_each_side_keeps_what_it_changed(store: Store, source: Path) -> None:
    store.import_folder(source)
    store.update("s2.md", "stoat 2, corrected by hand")
    (source / "s3.md").write_text("---\ntitle: S3\n---\nstoat 3 new\n")
    imported = store.import_folder(source)
    assert (imported.files["s1.md"], imported.files["s2.md"], imported.files["s3.md"]) == (
        "same",
        "kept",
        "changed",
    )
    assert store.recall("corrected by hand").hits[0].hit.record.path == "s2.md"
    assert store.show("s3.md").memory.body == "stoat 3 new\n"
    assert len(store.log("s3.md").entries) == 2


def test_a_change_on_both_sides_keeps_the_store_and_says_so(store: Store, source: Path) -> None:
    store.import_folder(source)
    store.update("s1.md", "changed here")
    (source / "s1.md").write_text("changed there\n")
    imported = store.import_folder(source)
    assert imported.files["s1.md"] == "conflict"
    assert "stays" in imported.reasons["s1.md"]
    assert store.show("s1.md").memory.body == "changed here\n"


def test_what_was_taken_out_stays_out(store: Store, folder: Path, source: Path) -> None:
    store.import_folder(source)
    store.archive(["s1.md"])
    git(folder, "rm", "-q", "s2.md")
    git(folder, "commit", "-qm", "gone")
    imported = store.import_folder(source)
    assert (imported.files["s1.md"], imported.files["s2.md"]) == ("gone", "gone")
    assert not (folder / "s1.md").exists()


def test_a_memory_that_was_renamed_here_is_known_by_its_id(store: Store, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "x.md").write_text("---\nid: mine\n---\ntext\n")
    store.import_folder(tmp_path / "src")
    store.rename("mine", path="notes/y.md")
    assert store.import_folder(tmp_path / "src").counts == {"same": 1}
    assert store.list().total == 1


def test_a_name_or_id_that_is_in_use_is_not_taken(store: Store, tmp_path: Path) -> None:
    store.remember("mine", id="mine", path="x.md")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "x.md").write_text("other\n")
    (tmp_path / "src" / "y.md").write_text("---\nid: mine\n---\nother\n")
    imported = store.import_folder(tmp_path / "src")
    assert imported.counts == {"occupied": 2}
    assert store.show("mine").memory.body == "mine\n"


def test_names_that_are_not_legal_everywhere_are_made_so(store: Store, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for name in ('say "hi".md', "back\\slash.md", "aux.md", "colon: x.md"):
        (tmp_path / "src" / name).write_text(f"marmot {name}\n")
    assert store.import_folder(tmp_path / "src").counts == {"new": 4}
    assert store.import_folder(tmp_path / "src").counts == {"same": 4}
    assert store.recall("marmot").total == 4
    assert store.check().findings == [] or all(finding.code != "name" for finding in store.check().findings)


def test_a_namespace_is_a_folder_above_the_paths(store: Store, folder: Path, source: Path) -> None:
    store.import_folder(source, namespace="inbox/old")
    assert (folder / "inbox/old/sub/größe.md").exists()


@pytest.mark.parametrize("kind", ["folder", "jsonl"])
def test_there_and_back_is_exact(store: Store, folder: Path, source: Path, tmp_path: Path, kind: str) -> None:
    (tmp_path / "a.bin").write_bytes(bytes(range(256)))
    store.import_folder(source)
    written = store.remember("own", title="Title: odd", tags=["a"], type="episodic")
    store.attach(written.id, [tmp_path / "a.bin"])
    (folder / "latin.md").write_bytes(b"Gr\xf6\xdfe\n")
    git(folder, "add", "latin.md")
    git(folder, "commit", "-qm", "latin-1")
    target = tmp_path / ("out" if kind == "folder" else "out.jsonl")
    exported = store.export(target)
    assert (exported.memories, exported.attachments) == (7, 1)
    other = Store.init(tmp_path / "other")
    imported = other.import_folder(target) if kind == "folder" else other.import_jsonl(target)
    assert imported.counts == {"new": 8}
    memories = git(folder, "ls-tree", "-r", "HEAD").splitlines()
    assert [line for line in memories if ".git" not in line] == [
        line for line in git(tmp_path / "other", "ls-tree", "-r", "HEAD").splitlines() if ".git" not in line
    ]
    again = store.import_folder(target) if kind == "folder" else store.import_jsonl(target)
    assert again.commit is None
    assert set(again.counts) == {"same"}


def test_an_export_never_overwrites(store: Store, tmp_path: Path) -> None:
    store.remember("x", id="x", path="x.md")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x.md").write_text("mine")
    with pytest.raises(Conflict):
        store.export(tmp_path / "out")
    assert (tmp_path / "out" / "x.md").read_text() == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("name", ["out", "out.jsonl", "graph.html"])
def test_a_full_disk_is_named_and_leaves_no_half_file(store: Store, tmp_path: Path, name: str) -> None:
    """The file that could not be written is to blame; the next try finds nothing in its way."""
    import resource

    store.remember("heron " * 2_000, id="heron", path="heron.md")
    page = store.graph_text(store.graph(), "html")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def write() -> None:
        if name == "graph.html":
            store.write_graph(page, tmp_path / name)
        else:
            store.export(tmp_path / name)

    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, before[1]))
    try:
        with pytest.raises(OSError, match="too large") as caught:
            write()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.filename == str(tmp_path / name / "heron.md" if name == "out" else tmp_path / name)
    assert [file for file in tmp_path.rglob("*heron*") if "out" in file.parts] == []
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == []
    write()


def test_a_folder_or_device_is_no_file_of_lines(store: Store, tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").mkdir()
    with pytest.raises(BadInput, match=r"lines\.jsonl is a folder, not a file"):
        store.export(tmp_path / "lines.jsonl")
    for file in (tmp_path / "lines.jsonl", Path("/dev/zero")):
        if file.exists():
            with pytest.raises(BadInput, match="is neither a file nor a pipe"):
                store.import_jsonl(file)
    assert [each.name for each in tmp_path.iterdir() if each.suffix] == ["lines.jsonl"]


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"path": "../x.md", "raw": "x"}', '{"path": "x.md"}', '{"path": 3, "raw": "x"}']
)
def test_a_line_that_export_did_not_write_is_named(
    store: Store, folder: Path, tmp_path: Path, line: str
) -> None:
    (tmp_path / "bad.jsonl").write_text('{"path": "good.md", "raw": "good"}\n' + line)
    with pytest.raises(BadInput, match=r"bad\.jsonl:2"):
        store.import_jsonl(tmp_path / "bad.jsonl")
    assert store.list().total == 0
    with pytest.raises(BadInput):
        store.import_folder(tmp_path / "nosuch")


def test_a_note_that_did_not_come_in_is_named(store: Store, folder: Path, tmp_path: Path) -> None:
    """What is no memory is only counted: nobody expects a picture; a link and a note that is too large are said."""
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "picture.png").write_bytes(b"png")
    (vault / "good.md").write_text("good\n")
    (vault / "large.md").write_bytes(b"x" * (MAX_MEMORY_BYTES + 1))
    (vault / "link.md").symlink_to("good.md")
    said = gitmem(folder, "import", "folder", str(vault)).out.splitlines()
    size = MAX_MEMORY_BYTES // 2**20
    assert said[:2] == [f"large.md: skipped: larger than {size} MiB", "link.md: skipped: a link"]
    assert said[2].startswith("1 new, 3 skipped") and len(said) == 3


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('[{"path": "a.md", "raw": "x"}]', "it is no JSON object"),
        ('{"memory": "of another tool", "id": "1"}', "'path' is missing"),
        ('{"path": "a.md", "raw": null}', "'raw' is missing"),
        ('{"path": "a.md", "raw": ["x"]}', "'raw' is neither text nor base64"),
        ('{"path": 3, "raw": "x"}', "'path' is no text"),
        ('{"path": "a.md", "raw": "x", "attachments": {"a.files/b": null}}', "'attachments' is neither"),
    ],
)
def test_a_line_of_something_else_is_refused_in_plain_words(
    store: Store, tmp_path: Path, line: str, complaint: str
) -> None:
    """Not in those of the program: what is missing is named, with file and line."""
    (tmp_path / "x.jsonl").write_text(line)
    with pytest.raises(BadInput, match=complaint) as refused:
        store.import_jsonl(tmp_path / "x.jsonl")
    assert "x.jsonl:1" in refused.value.message


def test_only_an_export_is_replaced_by_one(store: Store, tmp_path: Path) -> None:
    store.remember("Alice wants reports by e-mail", id="reports")
    target = tmp_path / "out.jsonl"
    for own in (b"", b"\n"):
        target.write_bytes(own)
        store.export(target)
    first = target.read_bytes()
    store.remember("Bob wants none", id="none")
    store.export(target)
    assert target.read_bytes() != first
    for foreign in (b'{"id": 1, "text": "their own"}\n', b"# notes\n", b"\xff\xfe"):
        target.write_bytes(foreign)
        with pytest.raises(Conflict, match=r"out\.jsonl exists already and is no export of gitmem"):
            store.export(target)
        assert target.read_bytes() == foreign
        assert list(tmp_path.glob("*.part")) == []
