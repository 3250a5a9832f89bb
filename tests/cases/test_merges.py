"""Merges by git itself: with the driver, without it, and with one that is gone; the cases H36, H37 and their kind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.model.document import parse_document
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem
from tests.flows.clones import cloned, fetched, top

BASE = "Base text.\n\nSame.\n\nThe end.\n"
PATH = "semantic/mm/base-text-mm.md"


@pytest.fixture
def pair(store: Store, folder: Path, tmp_path: Path) -> tuple[Store, Store]:
    """Two clones with the driver that both changed one memory: tags, and the text in two places."""
    store.remember(BASE, id="mm", tags=["a"])
    other = cloned(folder, tmp_path / "a folder")
    store.tag("mm", add=["left"])
    store.update("mm", BASE.replace("Base text.", "Base text. Left line."))
    other.tag("mm", add=["right"], remove=["a"])
    other.append("mm", "Right line.")
    return store, other


def text_in(folder: Path) -> str:
    return (folder / PATH).read_text()


def is_merged(text: str) -> bool:
    document = parse_document(text)
    body = BASE.replace("Base text.", "Base text. Left line.") + "Right line.\n"
    return document.error is None and document.body == body and document.fields["tags"] == ["left", "right"]


def pull(folder: Path, name: str) -> None:
    git(folder, "merge", "-q", "--no-edit", name)


def rebase(folder: Path, name: str) -> None:
    git(folder, "rebase", "-q", name)


def cherry_pick(folder: Path, name: str) -> None:
    git(folder, "cherry-pick", f"{name}~2..{name}")


def stash(folder: Path, name: str) -> None:
    """The other side's state comes as edits that are popped over ours."""
    git(folder, "checkout", "-q", "--detach", "HEAD~2")
    git(folder, "checkout", name, "--", PATH)
    git(folder, "stash", "-q")
    git(folder, "checkout", "-q", "main")
    git(folder, "stash", "pop")


@pytest.mark.parametrize("operation", [pull, rebase, cherry_pick, stash])
def test_git_merges_a_memory_by_meaning(pair: tuple[Store, Store], operation: object) -> None:
    """In a merge, a rebase, a cherry-pick and a stash; from whichever folder git is started."""
    ours, theirs = pair
    name = fetched(ours, theirs)
    assert callable(operation)
    operation(top(ours), name)
    assert is_merged(text_in(top(ours)))
    assert git(top(ours), "ls-files", "-u") == ""


def test_a_merge_by_git_and_one_by_gitmem_are_the_same(pair: tuple[Store, Store]) -> None:
    """A dispute too: the file is a matter of its texts alone."""
    ours, theirs = pair
    for store, title in ((ours, "Left"), (theirs, "Right")):
        store.update("mm", fields={"title": title})
    names = fetched(ours, theirs), fetched(theirs, ours)
    git(top(ours) / "semantic", "merge", "-q", "--no-edit", names[0])
    theirs.merge(names[1])
    assert text_in(top(ours)) == text_in(top(theirs))
    assert [each.id for each in ours.conflicts().memories] == ["mm"]
    assert git(top(ours), "rev-parse", "HEAD^{tree}") == git(top(theirs), "rev-parse", "HEAD^{tree}")


def test_a_clone_without_the_driver_says_so_and_mends_what_git_left(
    pair: tuple[Store, Store], tmp_path: Path
) -> None:
    """H36: git leaves markers in the header; `status` and `doctor` name the cause, `check` the file; --fix mends."""
    ours, theirs = pair
    plain = cloned(top(ours), tmp_path / "plain", driver=False)
    folder = top(plain)
    name = fetched(plain, theirs)
    git(folder, "merge", "--no-edit", name, check=False)
    assert "<<<<<<<" in text_in(folder)
    assert plain.recall("base text").hits[0].hit.record.tags == ("a", "left"), "the commit is what is shown"
    assert any("merge driver" in note for note in plain.status().notes)
    assert "merge-driver" in [each.code for each in plain.doctor()]
    git(folder, "commit", "-qam", "committed with its markers")
    assert "conflict-marker" in [finding.code for finding in plain.check().findings]
    fixed = {each.code: each.is_fixed for each in plain.doctor(fix=True)}
    assert fixed["merge"] and fixed["merge-driver"]
    document = parse_document(text_in(folder))
    assert set(document.fields["tags"]) == {"a", "left", "right"}  # type: ignore[arg-type]
    assert "Left line." in document.body and "Right line." in document.body
    assert plain.check().is_clean
    assert plain.doctor() == []
    assert_sound(folder)


def test_an_archived_memory_that_was_edited(store: Store, folder: Path, tmp_path: Path) -> None:
    """H37: the edit stands on main, says so, and the archive holds no older text of it."""
    store.remember("Old office is in Lyon.", id="ae")
    forks = [cloned(folder, tmp_path / name) for name in ("forkA", "forkB")]
    forks[0].archive(["ae"])
    forks[1].update("ae", "Old office is in Lyon. Lease kept until May.")
    name = fetched(forks[0], forks[1])
    ran = gitmem(top(forks[0]), "merge", name)
    assert ran.code == 0
    assert "archived here, changed there: the change stays on the branch" in ran.out
    assert git(top(forks[0]), "status", "--short") == ""
    assert [each.hit.record.id for each in forks[0].recall("lease", archived=True).hits] == ["ae"]
    assert forks[0].check().findings == []


def test_plain_git_that_keeps_the_edit_of_an_archived_memory_is_mended(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """The conflict that git reports is settled by hand; the older text then leaves the archive with --fix."""
    store.remember("Old office is in Lyon.", id="ae")
    other = cloned(folder, tmp_path / "other")
    store.archive(["ae"])
    other.append("ae", "Lease kept.")
    git(folder, "merge", "--no-edit", fetched(store, other), check=False)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "keep the edit")
    assert "doubled" in [finding.code for finding in store.check().findings]
    assert [(each.code, each.is_fixed) for each in store.doctor(fix=True)] == [("doubled", True)]
    assert store.show("ae").memory.body.endswith("Lease kept.\n")
    assert git(folder, "ls-tree", "-r", "--name-only", "archive") == ""


@pytest.mark.parametrize("how", ["missing", "broken interpreter", "killed", "fails"])
def test_a_driver_that_is_gone_leaves_gits_own_conflict(
    pair: tuple[Store, Store], tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the command was removed with its environment, or dies: markers, both sides in the index, exit 1."""
    ours, theirs = pair
    command = tmp_path / "old venv" / "gitmem"
    command.parent.mkdir()
    text = {
        "broken interpreter": "#!/nowhere/python\n",
        "killed": "#!/bin/sh\nkill -9 $$\n",
        "fails": "#!/bin/sh\nexit 70\n",
    }
    if how in text:
        command.write_text(text[how])
        command.chmod(0o755)
    driver = git(top(ours), "config", "merge.gitmem.driver").strip()
    quoted = driver.split(";")[0].removeprefix("gitmem=")
    git(top(ours), "config", "merge.gitmem.driver", driver.replace(quoted, f"'{command}'"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    name = fetched(ours, theirs)
    git(top(ours), "merge", "--no-edit", name, check=False)
    assert "<<<<<<< " in text_in(top(ours))
    assert len(git(top(ours), "ls-files", "-u").splitlines()) == 3
    git(top(ours), "merge", "--abort")
    assert_sound(top(ours))


def test_the_command_stands_in_a_folder_with_blanks_and_percents(
    pair: tuple[Store, Store], tmp_path: Path
) -> None:
    """The path is quoted for the shell, and `%` for git."""
    from gitmem.flows.merging import driver

    ours, theirs = pair
    command = tmp_path / "my %A 'venv'" / "gitmem"
    command.parent.mkdir()
    command.write_text(
        f'#!/bin/sh\necho ran >>"{tmp_path}/ran"\nexec "{sys.executable}" -m gitmem.cli.main "$@"\n'
    )
    command.chmod(0o755)
    patch = pytest.MonkeyPatch()
    patch.setattr(driver, "command_path", lambda: command.as_posix())
    patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    try:
        driver.install_driver(ours.place.repository)
        git(top(ours), "merge", "-q", "--no-edit", fetched(ours, theirs))
    finally:
        patch.undo()
    assert (tmp_path / "ran").read_text() == "ran\n"
    assert is_merged(text_in(top(ours)))


def run_driver(
    folder: Path, path: str, base: bytes, ours: bytes, theirs: bytes, *more: str
) -> tuple[int, bytes]:
    """The exit code of the driver on three files, and what it made of ours."""
    files = [folder / name for name in ("O", "A", "B")]
    for file, data in zip(files, (base, ours, theirs), strict=True):
        file.write_bytes(data)
    ran = gitmem(folder, "merge-driver", *(file.name for file in files), path, *more)
    return ran.code, files[1].read_bytes()


def test_the_driver_outside_of_any_repository(person: None, tmp_path: Path) -> None:
    """Files and a name are all it needs; a file that is no memory is merged by line, as git does it."""
    code, data = run_driver(tmp_path, "a.md", b"1\n\n2\n\n3\n", b"1a\n\n2\n\n3\n", b"1\n\n2\n\n3b\n", "7")
    assert (code, data) == (0, b"1a\n\n2\n\n3b\n")
    code, data = run_driver(tmp_path, "README.md", b"1\n", b"2\n", b"3\n", "9")
    assert code == 1
    assert data == b"<<<<<<<<< ours\n2\n=========\n3\n>>>>>>>>> theirs\n"
    code, data = run_driver(tmp_path, "README.md", b"1\n2\n3\n4\n", b"0\n2\n3\n4\n", b"1\n2\n3\n5\n")
    assert (code, data) == (0, b"0\n2\n3\n5\n")
    ran = gitmem(tmp_path, "merge-driver", "O", "A", "B", "x.md", "--json")
    assert (ran.json["path"], ran.json["disputed"]) == ("x.md", False)
    assert gitmem(tmp_path, "merge-driver", "O", "A", "nothing", "x.md").code == 1
    assert (tmp_path / "A").read_bytes() == b"0\n2\n3\n5\n"


def test_the_driver_reads_no_standard_input(person: None, tmp_path: Path) -> None:
    """It ends though the input stays open."""
    for name in "OAB":
        (tmp_path / name).write_text(f"{name}\n")
    reader, writer = os.pipe()
    try:
        command = [sys.executable, "-m", "gitmem.cli.main", "merge-driver", "O", "A", "B", "x.md"]
        done = subprocess.run(command, cwd=tmp_path, stdin=reader, timeout=60, check=False)
        assert done.returncode == 0
    finally:
        os.close(reader)
        os.close(writer)


def test_a_note_that_the_config_excludes_is_merged_by_line(pair: tuple[Store, Store]) -> None:
    """It is no memory, so nothing is written into it that a memory would get."""
    ours, theirs = pair
    config = top(ours) / ".gitmem/config.toml"
    config.write_text(config.read_text().replace("exclude = []", 'exclude = ["semantic/mm/*"]'))
    git(top(ours), "commit", "-qam", "excluded")
    for store, text in ((ours, "one"), (theirs, "two")):
        (top(store) / PATH).write_text(text + "\n")
        git(top(store), "commit", "-qam", text)
    git(top(ours), "merge", fetched(ours, theirs), check=False)
    assert text_in(top(ours)).startswith("<<<<<<< ours\n")


def test_an_adopted_repository_gets_the_attribute_outside_its_tree(person: None, tmp_path: Path) -> None:
    """init writes it into the git directory and keeps the lines that are there; uninit takes it back."""
    git(tmp_path, "init", "-q", "wiki")
    wiki = tmp_path / "wiki"
    (wiki / "a.md").write_text("A\n")
    git(wiki, "add", "a.md")
    git(wiki, "commit", "-qm", "a")
    info = wiki / ".git/info/attributes"
    info.parent.mkdir(exist_ok=True)
    info.write_text("*.bin binary\n")
    founded = Store.found(wiki)
    assert founded.driver.is_installed
    assert not (wiki / ".gitattributes").exists()
    assert git(wiki, "check-attr", "merge", "a.md") == "a.md: merge: gitmem\n"
    Store.found(wiki)
    assert info.read_text().count("merge=gitmem") == 1
    Store.open(wiki).uninit()
    assert info.read_text() == "*.bin binary\n"
    assert git(wiki, "config", "--get-regexp", "merge", check=False) == ""


def test_a_repository_that_says_how_its_notes_merge_keeps_its_way(person: None, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "wiki")
    wiki = tmp_path / "wiki"
    (wiki / ".gitattributes").write_text("*.md merge=union\n")
    git(wiki, "add", ".")
    git(wiki, "commit", "-qm", "a")
    founded = Store.found(wiki)
    assert (founded.driver.is_installed, "merge=union" in (founded.driver.reason or "")) == (False, True)
    assert git(wiki, "check-attr", "merge", "a.md") == "a.md: merge: union\n"


def test_a_store_made_before_there_was_a_driver_gets_it_with_init(person: None, tmp_path: Path) -> None:
    """Its `.gitattributes` stays; the git directory names the driver."""
    store = Store.init(tmp_path / "old")
    (top(store) / ".gitattributes").write_text("*.md -text\n")
    git(top(store), "commit", "-qam", "as it was")
    assert not store.status().driver.is_installed
    assert Store.found(top(store)).driver.is_installed
    assert (top(store) / ".gitattributes").read_text() == "*.md -text\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_git_merges_nothing_worse_when_only_the_attribute_is_there(
    pair: tuple[Store, Store], tmp_path: Path
) -> None:
    """A clone without config merges by line, and edits in different places need no driver at all."""
    ours, theirs = pair
    plain = cloned(top(ours), tmp_path / "plain", driver=False)
    theirs.update("mm", fields={"importance": 0.9})
    git(top(theirs), "reset", "-q", "--hard", "HEAD~3")
    theirs.append("mm", "Only this.")
    git(top(plain), "merge", "-q", "--no-edit", fetched(plain, theirs))
    assert text_in(top(plain)).endswith("Only this.\n")
    assert plain.check().is_clean
