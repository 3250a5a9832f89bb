"""Whose files they are: stores of other users, stores that may be read only, and parts that may not be read."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.cli.run import run
from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import Ran, git
from tests.faults.forked import import_everything

OTHER = 65534
SOURCE = str(Path(__file__).parents[2])

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as somebody else"
)


class Other:
    """Another user, with a home, where everybody may go."""

    def __init__(self, home: Path) -> None:
        self.home = home
        (home / ".gitconfig").write_text("[user]\n\tname = Other\n\temail = other@example.com\n")
        os.chown(home, OTHER, OTHER)

    def gitmem(self, folder: Path, *arguments: str, env: dict[str, str] | None = None) -> Ran:
        """One run of the command as this user, who does count uses; they need not be able to start Python."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as talk:
            child = os.fork()
            if child == 0:
                code = 70
                try:
                    os.dup2(out.fileno(), 1)
                    os.dup2(talk.fileno(), 2)
                    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), os.fdopen(1, "w"), os.fdopen(2, "w")
                    os.environ.update({"HOME": str(self.home), "GITMEM_USAGE": "on"} | (env or {}))
                    os.chdir(folder)
                    os.setgroups([])
                    os.setresgid(OTHER, OTHER, OTHER)
                    os.setresuid(OTHER, OTHER, OTHER)
                    code = run(list(arguments))
                    sys.stdout.flush()
                    sys.stderr.flush()
                finally:
                    os._exit(code)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            out.seek(0)
            talk.seek(0)
            return Ran(code, out.read().decode(), talk.read().decode())

    def trust(self, folder: Path) -> None:
        """As git's own hint says."""
        with (self.home / ".gitconfig").open("a") as file:
            file.write(f"[safe]\n\tdirectory = {folder}\n")


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that all users may go into; those of pytest are closed."""
    place = Path(tempfile.mkdtemp(prefix="gitmem-"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


@pytest.fixture
def other(open_place: Path) -> Other:
    (open_place / "home").mkdir()
    import_everything()
    return Other(open_place / "home")


@pytest.fixture
def roots(person: None, open_place: Path) -> Path:
    """A store of root, with an index, uses and a past, which others may read as far as git's files go."""
    store = Store.init(open_place / "mem")
    store.remember("alpha otter", id="a")
    store.update("a", "beta otter")
    store.recall("otter")
    store.at("HEAD").recall("otter")
    return open_place / "mem"


def test_a_store_of_another_user_is_refused_until_it_is_trusted(other: Other, roots: Path) -> None:
    """Every verb ends in one line with the command that lifts it; that command does."""
    for arguments in (["recall", "otter"], ["remember", "x"], ["init"], ["doctor"]):
        done = other.gitmem(roots, *arguments)
        assert (done.code, done.out, done.err.count("\n")) == (7, "", 1), done
        assert f"safe.directory {roots}" in done.err
    other.trust(roots)
    assert other.gitmem(roots, "show", "a").code == 0


def test_a_store_that_git_trusts_is_trusted(other: Other, roots: Path, open_place: Path) -> None:
    """Also where libgit2 does not look: in the file that GIT_CONFIG_GLOBAL names, or in what it includes."""
    (open_place / "included").write_text(f"[safe]\n\tdirectory = {roots}\n")
    (open_place / "global").write_text(f"[include]\n\tpath = {open_place / 'included'}\n")
    env = {"GIT_CONFIG_GLOBAL": str(open_place / "global")}
    assert other.gitmem(roots, "recall", "otter", env=env).out.startswith("a ")
    assert other.gitmem(roots, "recall", "otter").code == 7


@pytest.mark.parametrize("home", ["private folder of root", "no private folder"])
def test_a_store_that_may_only_be_read_answers_every_reading(other: Other, roots: Path, home: str) -> None:
    """Without index, counts and tables of its own it answers from the commits; writing is one line and nothing."""
    other.trust(roots)
    if home == "no private folder":
        shutil.rmtree(roots / ".git/gitmem")
    before = git(roots, "for-each-ref"), git(roots, "status", "--porcelain")
    readings = {
        "recall otter": "a ",
        "recall alpha --as-of HEAD~1": "a ",
        "list": "a ",
        "show a": "beta otter",
        "log a": "v2 ",
        "blame a": "",
        "check": "1 memory, 0 errors",
        "status": "store ",
        "usage": "uses are not counted",
    }
    for line, start in readings.items():
        done = other.gitmem(roots, *line.split())
        assert done.code == 0 and done.out.startswith(start), (line, done)
        assert all("index cannot be kept on disk" in each for each in done.err.splitlines()), done
    for arguments in (["remember", "x"], ["append", "a", "x"], ["archive", "a"], ["reindex"]):
        done = other.gitmem(roots, *arguments)
        assert (done.code, done.out, done.err.count("\n")) == (8, "", 1), done
    assert (git(roots, "for-each-ref"), git(roots, "status", "--porcelain")) == before


@pytest.mark.parametrize("part", [".git", ".git/HEAD", ".git/config", ".git/refs/heads/main", ".git/objects"])
def test_what_may_not_be_read_is_not_called_damaged(other: Other, roots: Path, part: str) -> None:
    """One line with exit code 7 names it and asks for the right, and no command that would write over it."""
    other.trust(roots)
    (roots / part).chmod(0o700 if (roots / part).is_dir() else 0o600)
    for arguments in (["recall", "otter"], ["remember", "x"]):
        done = other.gitmem(roots, *arguments)
        assert (done.code, done.out, done.err.count("\n")) == (7, "", 1), done
        assert f"{roots / part} may not be read by this user" in done.err
        assert "damaged" not in done.err and "--fix" not in done.err


def test_a_closed_folder_is_no_place_without_a_store(other: Other, roots: Path) -> None:
    """Whether a store is in or above what may not be entered is not known: nobody is told that there is none."""
    (roots / "sub" / "deep").mkdir(parents=True)
    roots.chmod(0o700)
    for folder in (roots, roots / "sub" / "deep"):
        done = other.gitmem(folder, "recall", "otter")
        assert (done.code, done.out, done.err.count("\n")) == (7, "", 1), done
        assert f"{roots} may not be read by this user" in done.err


def test_doctor_and_health_say_what_another_user_may_not_look_at(other: Other, roots: Path) -> None:
    """One line with the folder and what to do; health counts what it may, and calls nothing well unseen."""
    other.trust(roots)
    done = other.gitmem(roots, "doctor")
    assert done.code == 1
    assert f"{roots}/.git/gitmem may not be read by this user" in done.out
    assert "Permission denied" not in done.out + done.err
    done = other.gitmem(roots, "health", "--json")
    assert done.code == 1
    assert done.json["size"]["memories"] == 1
    assert done.json["recall"] is None
    assert {each["part"] for each in done.json["not_looked_at"]} == {"index", "writes", "recall times"}
    assert (done.json["indexes"], done.json["unfinished_writes"]) == ([], None)


def test_packed_refs_that_may_not_be_read_are_no_empty_store(other: Other, roots: Path) -> None:
    """The list may hold main: the answer is that it may not be read."""
    other.trust(roots)
    git(roots, "pack-refs", "--all", "--prune")
    (roots / ".git/packed-refs").chmod(0o600)
    done = other.gitmem(roots, "recall", "otter")
    assert done.code == 7 and "packed-refs may not be read by this user" in done.err, done


def test_one_object_that_may_not_be_read_hides_no_other(other: Other, roots: Path) -> None:
    """As another user's umask leaves it in a shared store: the rest is found, and the answer names the memory."""
    other.trust(roots)
    hidden = Store.open(roots).remember("gamma otter", id="h")
    oid = git(roots, "rev-parse", f"HEAD:{hidden.path}").strip()
    (roots / ".git/objects" / oid[:2] / oid[2:]).chmod(0o600)
    done = other.gitmem(roots, "recall", "beta")
    assert done.code == 0 and done.out.startswith("a "), done
    assert hidden.path in done.err and "may not be read by this user" in done.err


def test_an_index_of_git_that_may_not_be_read_costs_only_the_edits(other: Other, roots: Path) -> None:
    """What is committed is shown, and that edits could not be looked at."""
    other.trust(roots)
    (roots / ".git/index").chmod(0o600)
    done = other.gitmem(roots, "recall", "otter")
    assert done.code == 0 and done.out.startswith("a ")
    assert "edits in the worktree could not be looked at" in done.err


def test_a_file_that_may_not_be_read_is_neither_removed_nor_edited(other: Other, roots: Path) -> None:
    """Nobody took it away: it is shown as it is committed, that edits could not be looked at is said, it is not written."""
    other.trust(roots)
    subprocess.run(["chown", "-R", str(OTHER), str(roots)], check=True)
    store_file = next((roots / "semantic").rglob("*.md"))
    store_file.chmod(0)
    seen = other.gitmem(roots, "list")
    assert seen.code == 0 and "removed" not in seen.out
    assert f"{store_file.relative_to(roots)} may not be read by this user" in seen.err
    refused = other.gitmem(roots, "update", "a", "gamma")
    assert refused.code == 4 and "may not read it" in refused.err
    done = other.gitmem(roots, "commit")
    assert "may not be read by this user" in done.err


def test_root_does_not_trust_a_store_of_another_user_either(other: Other, roots: Path) -> None:
    """As git: root runs nothing that another user's config names, until it is told to."""
    for each in (roots, *roots.rglob("*")):
        os.chown(each, OTHER, OTHER, follow_symlinks=False)
    done = subprocess.run(
        [*COMMAND, "recall", "otter"],
        cwd=roots,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )
    assert done.returncode == 7 and "safe.directory" in done.stderr
    assert other.gitmem(roots, "remember", "mine").code == 0
    assert other.gitmem(roots, "recall", "otter").err == ""
