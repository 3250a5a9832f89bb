"""A store from an archive: links, pipes and folders at every place where gitmem or git keeps a file of its own."""

from __future__ import annotations

import ast
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.errors import GitmemError, StoreProblem
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem
from tests.hostile.conftest import Outside

PACKAGE = Path(__file__).parents[2] / "gitmem"
KINDS = ["link", "dangling", "pipe", "other"]


@pytest.fixture(autouse=True)
def impatience() -> Iterator[None]:
    """Whoever waits for a pipe is woken up, and fails."""

    def stop(_signal: int, _frame: object) -> None:
        raise AssertionError("something waited for a pipe")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(50)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def used(store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store in which everything is kept that gitmem ever keeps in the git directory."""
    monkeypatch.setenv("GITMEM_USAGE", "on")
    monkeypatch.setattr("gitmem.versions.usage_log.FULL_LOG_BYTES", 100)
    (folder / "code.py").write_text("one = 1\n")
    git(folder, "add", "code.py")
    git(folder, "commit", "-qm", "code")
    store.remember("fine zebra", id="ok", anchors=["code.py"])
    (folder / "code.py").write_text("one = 2\n")
    git(folder, "commit", "-qam", "code")
    store.remember("old zebra", id="old")
    store.archive(["old"])
    store.append("ok", "more")
    for _ in range(6):
        store.recall("zebra")
    store.at("HEAD~1").recall("zebra")
    store.share_usage()
    store.show("ok")
    store.close()
    return store


def put(place: Path, kind: str, outside: Outside) -> None:
    """Puts something of another kind in the place of a file or folder."""
    was_folder = place.is_dir()
    if was_folder:
        shutil.rmtree(place)
    else:
        place.unlink()
    if kind == "link":
        place.symlink_to(outside.folder / ("notes" if was_folder else "secret.txt"))
    elif kind == "dangling":
        place.symlink_to(outside.folder / "made")
    elif kind == "pipe":
        os.mkfifo(place)
    elif was_folder:
        place.write_text("junk")
    else:
        place.mkdir()
        (place / "x").write_text("junk")


def use(folder: Path, said: list[str]) -> None:
    store = Store.open(folder, notice=said.append)
    assert [each.hit.record.id for each in store.recall("zebra").hits] == ["ok"]
    assert store.at("HEAD").recall("zebra").total == 1
    store.append("ok", "more")
    store.usage()
    store.share_usage()
    store.close()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_strange_in_the_private_folder_is_opened(
    used: Store, folder: Path, outside: Outside, kind: str
) -> None:
    """All files at once, then each folder: set aside unread, named in one line, and everything goes on."""
    home = folder / ".git/gitmem"
    files = [file for file in home.rglob("*") if file.is_file()]
    assert len(files) > 25
    outside.seal()
    for file in files:
        put(file, kind, outside)
    said: list[str] = []
    use(folder, said)
    for file in files:
        assert any(line.startswith(f"{file} is ") and "\n" not in line for line in said), file
    for name in sorted(path.name for path in home.iterdir() if path.is_dir()):
        said.clear()
        put(home / name, kind, outside)
        use(folder, said)
        assert any(line.startswith(f"{home / name} is ") for line in said), (name, said)
    outside.assert_untouched()
    assert_sound(folder)


@pytest.mark.parametrize("kind", KINDS)
def test_doctor_names_it_and_moves_it_aside(used: Store, folder: Path, outside: Outside, kind: str) -> None:
    """Without `--fix` it stays where it is; with it, what was there is kept."""
    log = folder / ".git/gitmem/usage/log"
    put(log, kind, outside)
    outside.seal()
    (ailment,) = Store.diagnose(folder)
    assert ailment.message.startswith(f"{log} is a ") and ailment.hint and "--fix" in ailment.hint
    assert os.path.lexists(log) and not (folder / ".git/gitmem/aside").exists()
    assert all(ailment.is_fixed for ailment in Store.diagnose(folder, fix=True))
    (kept,) = (folder / ".git/gitmem/aside").iterdir()
    assert kept.is_symlink() == (kind in ("link", "dangling")) and not os.path.lexists(log)
    assert not Store.diagnose(folder)
    outside.assert_untouched()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs links")
def test_what_cannot_be_moved_is_one_line(
    used: Store, folder: Path, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a disk that may not be written, a link is refused and not followed."""
    put(folder / ".git/gitmem/usage", "link", outside)
    outside.seal()

    def refuse(_path: Path, _target: Path) -> Path:
        raise PermissionError(13, "read-only")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(StoreProblem, match="usage is a symbolic link") as caught:
        Store.open(folder)
    assert "\n" not in caught.value.message and caught.value.hint
    outside.assert_untouched()


GIT_FOLDERS = ["refs", "refs/heads", "objects", "logs", "logs/refs/heads", "worktrees", "info"]
GIT_FILES = ["HEAD", "index", "shallow", "commondir", "logs/HEAD", "logs/refs/heads/main", "info/attributes"]


@pytest.mark.parametrize("name", [*GIT_FOLDERS, *GIT_FILES])
def test_a_link_among_gits_own_files_is_not_written_through(
    store: Store, folder: Path, outside: Outside, name: str
) -> None:
    """It is refused in one line, or done without: nothing outside is changed."""
    store.remember("fine zebra", id="ok")
    place = folder / ".git" / name
    target = outside.folder / "notes" if name in GIT_FOLDERS else outside.folder / "secret.txt"
    if place.is_dir():
        target = outside.folder / "taken"
        shutil.copytree(place, target)
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    place.parent.mkdir(exist_ok=True, parents=True)
    place.symlink_to(target)
    before = {file: file.read_bytes() for file in outside.folder.rglob("*") if file.is_file()}
    try:
        again = Store.open(folder)
        again.remember("new zebra")
        again.doctor(fix=True)
        assert again.recall("zebra").total == 2
    except GitmemError as error:
        assert "\n" not in error.message
    assert before == {file: file.read_bytes() for file in outside.folder.rglob("*") if file.is_file()}
    assert place.is_symlink()


@pytest.mark.parametrize("name", ["info/attributes", "info/exclude", "shallow", "logs/HEAD"])
def test_a_pipe_among_gits_own_files_is_not_waited_for(store: Store, folder: Path, name: str) -> None:
    """One line that names it, or an answer without it."""
    store.remember("fine zebra", id="ok")
    place = folder / ".git" / name
    place.unlink(missing_ok=True)
    place.parent.mkdir(exist_ok=True)
    os.mkfifo(place)
    done = gitmem(folder, "remember", "new zebra", timeout=20)
    assert done.code in (0, 7) and (done.code == 0 or name in done.err), done


def test_the_worktree_of_another_repository_is_not_written(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """What a crafted `.git/worktrees` points to counts only if it points back."""
    store.remember("fine zebra", id="ok")
    git(folder, "switch", "-qc", "side")
    victim, theirs = tmp_path / "victim", tmp_path / "theirs"
    git(tmp_path, "init", "-q", str(victim))
    git(victim, "commit", "-q", "--allow-empty", "-m", "x")
    git(victim, "worktree", "add", "-q", str(theirs), "-b", "theirs")
    crafted = folder / ".git/worktrees/w"
    shutil.copytree(victim / ".git/worktrees/theirs", crafted)
    (crafted / "HEAD").write_text("ref: refs/heads/main\n")
    before = sorted(theirs.rglob("*"))
    Store.open(folder).remember("new zebra", id="new")
    assert sorted(theirs.rglob("*")) == before
    shutil.rmtree(crafted.parent)
    crafted.parent.symlink_to(victim / ".git/worktrees")
    Store.open(folder).remember("third zebra", id="third")
    assert sorted(theirs.rglob("*")) == before


OWN_FILES = [
    *(PACKAGE / "index").glob("*.py"),
    *(PACKAGE / "versions").glob("*.py"),
    *(PACKAGE / "git" / f"{name}.py" for name in ("index_map", "upkeep", "packed_refs", "reflog", "refs")),
]
BARE = {"read_bytes", "read_text", "write_bytes", "write_text", "touch"}
PACKAGED = {"scripts.py"}
"""What it reads comes with the package."""


def test_one_place_opens_the_files_of_the_private_folder() -> None:
    """`gitmem/git/beneath.py` reads and writes them; nobody goes round it."""
    found = []
    for file in OWN_FILES:
        for node in ast.walk(ast.parse(file.read_bytes())):
            if not isinstance(node, ast.Call) or file.name in PACKAGED:
                continue
            called = node.func
            is_bare = isinstance(called, ast.Attribute) and called.attr in BARE
            if is_bare or (isinstance(called, ast.Name) and called.id == "open"):
                found.append(f"{file.name}:{node.lineno}")
    assert not found
