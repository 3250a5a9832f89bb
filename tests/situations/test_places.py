"""Where the git directory, the files and the memories lie: elsewhere, nested, ignored, nowhere."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from gitmem.errors import NotFound, Refused, StoreProblem, UnsupportedRepository
from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import assert_sound, git, gitmem


@pytest.fixture
def elsewhere(store: Store, folder: Path, tmp_path: Path) -> Path:
    """The files of a store moved away from its git directory, which names their folder; no way leads back."""
    store.remember("alpha", path="a.md", id="a")
    files = tmp_path / "files"
    files.mkdir()
    for each in (".gitattributes", ".gitmem", "a.md"):
        (folder / each).rename(files / each)
    git(folder, "config", "core.worktree", str(files))
    return files


def test_a_worktree_elsewhere_is_read_and_written_where_a_git_file_leads_back(
    elsewhere: Path, folder: Path
) -> None:
    """As in a submodule: files appear in the folder that `core.worktree` names, from both sides."""
    (elsewhere / ".git").write_text(f"gitdir: {folder / '.git'}\n")
    Store.open(folder).remember("beta", path="b.md")
    Store.open(elsewhere).append("a", "more")
    assert (elsewhere / "b.md").read_text().endswith("beta\n")
    assert [each.name for each in folder.iterdir()] == [".git"]
    assert_sound(elsewhere)


def test_a_worktree_elsewhere_without_a_way_back_is_read_and_not_written(
    elsewhere: Path, folder: Path
) -> None:
    """Git called among the files would find no repository; the refusal says which line mends it."""
    store = Store.open(folder)
    assert store.recall("alpha").total == 1
    before = git(folder, "for-each-ref")
    for write in (
        lambda: store.remember("beta"),
        lambda: store.archive(["a"]),
        lambda: store.append("a", "x"),
    ):
        with pytest.raises(UnsupportedRepository, match=r"core\.worktree"):
            write()
    assert git(folder, "for-each-ref") == before


def test_a_worktree_that_is_gone_is_named_with_the_setting(elsewhere: Path, folder: Path) -> None:
    """`core.worktree` may name a disk that is not mounted."""
    shutil.rmtree(elsewhere)
    with pytest.raises(StoreProblem, match=r"core\.worktree names the folder .*files"):
        Store.open(folder)


def test_git_dir_in_the_environment_is_not_followed(
    store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is the one that the folder lies in; where it lies in none, that is said with the way to name one."""
    other = Store.init(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
    assert gitmem(folder, "remember", "--id", "x", "here").code == 0
    (tmp_path / "none").mkdir()
    done = gitmem(tmp_path / "none", "remember", "nowhere")
    assert (done.code, done.err.count("\n")) == (7, 1)
    assert "GIT_DIR is not followed" in done.err
    assert Store.open(folder).show("x").memory.body == "here\n"
    assert other.list().total == 0


def test_a_store_inside_a_submodule_is_the_submodule(store: Store, folder: Path, tmp_path: Path) -> None:
    """Writes, moves and readings stay in it; the repository around it sees a new commit and nothing else."""
    outer = tmp_path / "outer"
    git(tmp_path, "init", "-q", str(outer))
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(folder), "deep/sub")
    git(outer, "commit", "-qm", "submodule")
    inner = Store.open(outer / "deep/sub")
    inner.remember("in the submodule", id="s")
    inner.archive(["s"])
    inner.restore(["s"])
    assert inner.recall("submodule").total == 1
    assert git(outer, "status", "--porcelain").split() == ["M", "deep/sub"]
    assert_sound(outer / "deep/sub")


@pytest.mark.parametrize("is_known", [False, True], ids=["unknown to git", "as a submodule"])
def test_a_nested_repository_gets_no_memory(store: Store, folder: Path, is_known: bool) -> None:
    """A new file in it is refused in one line; the memories around it, and its own files, stay as they are."""
    inner = folder / "semantic/inner"
    git(folder, "init", "-q", str(inner))
    (inner / "own.md").write_text("own\n")
    git(inner, "add", "own.md")
    git(inner, "commit", "-qm", "own")
    if is_known:
        git(folder, "add", "semantic/inner")
        git(folder, "commit", "-qm", "link")
    before = git(folder, "status", "--porcelain"), git(folder, "rev-parse", "HEAD")
    with pytest.raises(Refused, match="semantic/inner is a git repository of its own"):
        store.remember("x", path="semantic/inner/x.md")
    with pytest.raises(Refused, match="semantic/inner is a git repository of its own"):
        store.remember("x", namespace="inner/deeper", type="semantic")
    assert (git(folder, "status", "--porcelain"), git(folder, "rev-parse", "HEAD")) == before
    assert git(inner, "status", "--porcelain") == ""
    store.remember("beside it", path="semantic/beside.md")
    assert store.recall("beside").total == 1


def test_ignored_memories_are_recorded_all_the_same(store: Store, folder: Path) -> None:
    """What `.gitignore` or `info/exclude` says of a path keeps no memory out of the history."""
    (folder / ".gitignore").write_text("*.md\nsemantic/\n")
    (folder / ".git/info/exclude").write_text("*\n")
    git(folder, "add", "-f", ".gitignore")
    git(folder, "commit", "-qm", "ignore")
    written = store.remember("alpha", id="a")
    store.append("a", "more")
    store.archive(["a"])
    store.restore(["a"])
    assert written.path in git(folder, "ls-tree", "-r", "--name-only", "HEAD")
    with (folder / written.path).open("a") as file:
        file.write("by hand\n")
    store.commit_edits()
    assert store.show("a").memory.body == "alpha\nmore\nby hand\n"
    assert_sound(folder)


def test_an_ignored_note_is_not_a_memory_and_that_is_said(store: Store, folder: Path) -> None:
    """As with git: it shows up nowhere, and who names it learns why and how it is taken in."""
    (folder / ".git/info/exclude").write_text("*.md\n")
    (folder / "note.md").write_text("heron\n")
    assert store.recall("heron").total == 0
    with pytest.raises(NotFound) as caught:
        store.commit_edits(["note.md"])
    assert "git ignores it" in str(caught.value.hint)
    git(folder, "add", "-f", "note.md")
    assert store.recall("heron").total == 1
    store.commit_edits(["note.md"])
    assert_sound(folder)


def test_a_worktree_of_a_bare_repository_is_written_from_both_sides(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """Where main is checked out there, its files come along; where it is not, nothing there changes."""
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(folder), str(bare))
    git(bare, "worktree", "add", "-q", str(tmp_path / "on-main"), "main")
    git(bare, "worktree", "add", "-q", "-b", "side", str(tmp_path / "on-side"))
    Store.open(bare).remember("from the bare one", path="b.md", id="b")
    assert (tmp_path / "on-main/b.md").exists()
    written = Store.open(tmp_path / "on-side").append("b", "from the side")
    assert any("not checked out here" in notice for notice in written.notices) or written.branch == "main"
    assert (tmp_path / "on-main/b.md").read_text().endswith("from the side\n")
    for name in ("on-main", "on-side"):
        assert git(tmp_path / name, "status", "--porcelain") == ""
        assert Store.open(tmp_path / name).recall("bare").total == 1


def test_a_subfolder_and_a_link_to_it_are_the_store_they_lie_in(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """Paths are counted from the top of the repository, wherever a command is called."""
    (folder / "semantic/deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder / "semantic/deep")
    for place in (folder / "semantic/deep", tmp_path / "link"):
        done = gitmem(place, "remember", "--path", f"{place.name}.md", "x")
        assert done.code == 0, done
        assert (folder / f"{place.name}.md").exists()
    assert_sound(folder)


def test_a_bare_setting_that_contradicts_the_place_loses_nothing(store: Store, folder: Path) -> None:
    """`core.bare` set over a worktree: reading works; the files, which git calls none, are left as they are."""
    written = store.remember("alpha", id="a")
    before = (folder / written.path).read_bytes()
    git(folder, "config", "core.bare", "true")
    bare = Store.open(folder)
    assert bare.recall("alpha").total == 1
    bare.append("a", "more")
    assert (folder / written.path).read_bytes() == before
    git(folder, "config", "core.bare", "false")
    git(folder, "reset", "-q", "--hard")
    assert Store.open(folder).show("a").memory.body == "alpha\nmore\n"
    assert_sound(folder)


def test_a_bare_repository_that_is_called_none_is_refused(person: None, tmp_path: Path) -> None:
    """`core.bare` false, and no files around it: git itself would take the folder above for the files."""
    Store.init(tmp_path / "b.git", bare=True).remember("alpha", id="a")
    git(tmp_path / "b.git", "config", "core.bare", "false")
    before = sorted(each.name for each in tmp_path.iterdir())
    store = Store.open(tmp_path / "b.git")
    assert store.recall("alpha").total == 1
    with pytest.raises(UnsupportedRepository, match=r"core\.bare is false"):
        store.append("a", "more")
    assert sorted(each.name for each in tmp_path.iterdir()) == before


def test_a_folder_whose_repository_was_moved_is_not_called_a_place_for_a_new_one(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """A linked worktree is left behind with a `.git` file that leads nowhere; `git init` there fails."""
    store.remember("otter", id="a")
    git(folder, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    (tmp_path / "linked/deep").mkdir()
    folder.rename(tmp_path / "elsewhere")
    for arguments in (["list"], ["init"], ["-C", "deep", "recall", "otter"]):
        done = gitmem(tmp_path / "linked", *arguments)
        assert done.code == 7 and ".git leads to" in done.err and "git worktree repair" in done.err, arguments
    git(tmp_path / "elsewhere", "worktree", "repair", str(tmp_path / "linked"))
    assert gitmem(tmp_path / "linked", "list").code == 0


def test_a_folder_that_was_removed_under_the_caller_is_named_as_that(tmp_path: Path) -> None:
    """Nothing is wrong with standard output, which the error names no file of."""
    (tmp_path / "gone").mkdir()
    script = 'cd gone && rmdir ../gone && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND, "list"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 8
    assert "gitmem: the folder where this was called is not there any more" in done.stderr


@pytest.mark.parametrize("main", ["main", "trunk"])
def test_a_clone_of_a_remote_whose_head_leads_nowhere_has_main_checked_out(main: str, tmp_path: Path) -> None:
    """`git init --bare` makes HEAD name a branch that is never pushed; the store is on another."""
    git(tmp_path, "init", "-q", "-b", main, "store")
    store = Store.init(tmp_path / "store")
    store.remember("alpha", id="a", path="a.md")
    git(tmp_path, "init", "-q", "--bare", "-b", "elsewhere", "hub.git")
    git(tmp_path / "store", "remote", "add", "origin", str(tmp_path / "hub.git"))
    store.remember("beta", id="b")
    store.archive(["b"])
    store.sync()
    ran = gitmem(tmp_path, "clone", "hub.git", "copy")
    assert ran.code == 0 and f"1 memory on {main}" in ran.out
    copy = tmp_path / "copy"
    assert git(copy, "symbolic-ref", "HEAD").strip() == f"refs/heads/{main}"
    assert (copy / "a.md").is_file()
    Store.open(copy).remember("gamma")
    assert_sound(copy)
    ran = gitmem(tmp_path, "clone", "--active-only", "hub.git", "part")
    assert ran.code == 7 and "HEAD of" in ran.err


def test_a_clone_of_branches_without_a_store_is_no_empty_store(person: None, tmp_path: Path) -> None:
    """A first memory there would begin a second history beside the one that was cloned."""
    git(tmp_path, "init", "-q", "--bare", "-b", "elsewhere", "hub.git")
    git(tmp_path, "init", "-q", "-b", "dev", "code")
    git(tmp_path / "code", "commit", "-q", "--allow-empty", "-m", "code")
    git(tmp_path / "code", "push", "-q", str(tmp_path / "hub.git"), "dev")
    ran = gitmem(tmp_path, "clone", "hub.git", "copy")
    assert ran.code == 7 and "is not a gitmem store" in ran.err


@pytest.mark.parametrize("main", ["archive", "working", "quarantine", "archive/notes"])
def test_a_store_whose_main_has_the_name_of_another_branch_gets_that_one_elsewhere(
    main: str, tmp_path: Path
) -> None:
    """Main is what is checked out; what gitmem makes beside it goes by another name."""
    git(tmp_path, "init", "-q", "-b", main, "store")
    store = Store.init(tmp_path / "store")
    store.remember("alpha", id="a")
    store.archive(["a"])
    store.restore(["a"])
    assert store.recall("alpha").total == 1
    assert_sound(tmp_path / "store")


@pytest.mark.parametrize("fetch", ["+refs/*:refs/*", "+refs/heads/*:refs/heads/*"])
def test_a_mirror_keeps_what_was_written_in_it(
    store: Store, folder: Path, tmp_path: Path, fetch: str
) -> None:
    """The config of `git clone --mirror` lets a fetch overwrite branches, and a push all refs there."""
    store.remember("alpha", id="a")
    git(tmp_path, "clone", "-q", "--bare", str(folder), "hub.git")
    git(tmp_path, "clone", "-q", "--mirror", "hub.git", "mirror.git")
    git(tmp_path / "mirror.git", "config", "remote.origin.fetch", fetch)
    git(tmp_path / "hub.git", "tag", "theirs", "main")
    mirror = Store.open(tmp_path / "mirror.git")
    mirror.remember("beta", id="b")
    mirror.archive(["a"])
    mirror.sync()
    assert Store.open(tmp_path / "mirror.git").recall("beta").total == 1
    assert Store.open(tmp_path / "hub.git").recall("beta").total == 1
    assert git(tmp_path / "hub.git", "tag").strip() == "theirs"
    assert git(tmp_path / "hub.git", "for-each-ref", "refs/remotes") == ""
