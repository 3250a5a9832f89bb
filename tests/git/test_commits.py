"""Trees, commits, identities, and git run as a program."""

from __future__ import annotations

import os
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from gitmem.errors import BadInput, Conflict, OutsideFailure, SigningFailed
from gitmem.git import commits
from gitmem.git.commits import make_commit, tree_with
from gitmem.git.environment import clean_environment, run_git
from gitmem.git.identity import author_of, committer_of
from gitmem.git.remotes import check_url, clone, push_branches
from gitmem.git.repository import Repository
from gitmem.platform import FileLock, is_process_alive, process_start_time
from tests.git.helpers import git, put, start_python


def root_of(repo: Repository) -> Path:
    assert repo.worktree is not None
    return repo.worktree


def test_a_tree_is_what_git_would_write(repo: Repository) -> None:
    """Only touched folders change; emptied ones vanish; git's order of names holds."""
    root, base = root_of(repo), repo.head_commit()
    blob = repo.write_blob(b"x\n")
    wanted = {"a-b": blob, "a/deep/er/x": blob, "a.b": blob, "a/one.md": None, "nothing/here": None}
    tree = tree_with(repo, base, wanted)
    git(root, "read-tree", "HEAD")
    lines = "".join(f"100644 {blob}\t{path}\n" for path, oid in wanted.items() if oid)
    git(root, "update-index", "--index-info", input=lines + f"0 {'0' * 40}\ta/one.md\n")
    assert git(root, "write-tree").strip() == tree
    assert tree_with(repo, base, {}) == repo.commit(base or "").tree
    empty = tree_with(repo, base, {"a/one.md": None, "two.md": None})
    assert list(repo.walk(empty)) == [] and git(root, "cat-file", "-t", empty).strip() == "tree"


def test_a_file_and_a_folder_of_one_name_clash(repo: Repository) -> None:
    """The path is named; making way in the same change is no clash."""
    base, blob = repo.head_commit(), repo.write_blob(b"x\n")
    for path in ("two.md/below", "a"):
        with pytest.raises(Conflict, match=path):
            tree_with(repo, base, {path: blob})
    assert tree_with(repo, base, {"a/one.md": None, "a": blob})
    assert tree_with(repo, base, {"two.md/below": blob, "two.md": None})


@pytest.mark.parametrize(
    "path", ["", "/x", "x/", "a//b", "../x", "a/./b", ".git/config", "a/.GIT/x", ".g\u200cit/x", "git~1/x",
             ".git /x", ".git::$INDEX_ALLOCATION/x", "x\0y", "a\\.git\\b", "/".join("x" * 300)],
)  # fmt: skip
def test_paths_that_no_repository_may_hold(repo: Repository, path: str) -> None:
    """What could leave the worktree, or pose as `.git` on some system, is refused."""
    with pytest.raises(BadInput):
        tree_with(repo, None, {path: repo.write_blob(b"x")})


def test_a_commit_says_who_when_and_what(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time zone and text are kept; dates in the environment do not matter."""
    monkeypatch.setenv("GIT_AUTHOR_DATE", "1 +0000")
    when = datetime(2026, 11, 29, 10, 0, 0, tzinfo=timezone(-timedelta(hours=3, minutes=30)))
    made = make_commit(
        repo, tree=tree_with(repo, None, {}), parents=[], message="héllo\0 \udcff\n", when=when
    )
    raw = git(root_of(repo), "cat-file", "commit", made)
    assert "author Ada <ada@example.org> 1795959000 -0330\n" in raw and "\n\nhéllo ?\n" in raw
    git(root_of(repo), "fsck", "--strict", made)


def test_identities(repo: Repository, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Environment, then config; blanks count as missing; there is always an answer."""
    assert author_of(repo).name == "Ada"
    monkeypatch.setenv("GIT_AUTHOR_NAME", " Bob <b>\n ")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "c@x")
    assert author_of(repo).name == "Bob b" and not author_of(repo).is_fallback
    assert (committer_of(repo).name, committer_of(repo).email) == ("Ada", "c@x")
    monkeypatch.delenv("GIT_AUTHOR_NAME")
    monkeypatch.delenv("GIT_COMMITTER_EMAIL")
    (own_home / ".gitconfig").write_text('[user]\n\tname = "  "\n\tuseConfigOnly = true\n')
    nobody = author_of(Repository.discover(root_of(repo)))
    assert (nobody.name, nobody.email, nobody.is_fallback) == ("gitmem", "gitmem@localhost", True)
    put(repo, {"x.md": "x\n"})


def sign_with(repo: Repository, tmp_path: Path, script: str) -> Path:
    program = tmp_path / "sign"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    git(root_of(repo), "config", "commit.gpgsign", "true")
    git(root_of(repo), "config", "gpg.program", str(program))
    return program


def test_commits_are_signed_by_the_users_program(repo: Repository, tmp_path: Path) -> None:
    """The signature is in the commit, and the commit is otherwise the same."""
    answer = 'cat >/dev/null; echo "[GNUPG:] SIG_CREATED x" >&2; '
    answer += 'printf -- "-----BEGIN PGP SIGNATURE-----\\nx\\n-----END PGP SIGNATURE-----\\n"'
    sign_with(repo, tmp_path, answer)
    made = put(repo, {"x.md": "x\n"}, label="signed").commit
    raw = git(root_of(repo), "cat-file", "commit", made)
    assert "gpgsig -----BEGIN PGP SIGNATURE-----" in raw and raw.endswith("\n\nsigned")
    assert "author Ada <ada@example.org> 1795966212 +0000" in raw


def test_a_signing_program_that_fails_or_hangs(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is committed, the setting and the program are named, and nothing of it lives on."""
    before = repo.local_tip("main")
    program = sign_with(repo, tmp_path, "exit 3")
    with pytest.raises(SigningFailed, match=r"commit\.gpgsign.*" + str(program)):
        put(repo, {"x.md": "x\n"})
    monkeypatch.setattr(commits, "SIGNING_SECONDS", 0.5)
    sign_with(repo, tmp_path, f"echo $$ > {tmp_path}/pid; sleep 60; true")
    began = time.monotonic()
    with pytest.raises(SigningFailed, match=r"0\.5 seconds"):
        put(repo, {"x.md": "x\n"})
    assert time.monotonic() - began < 5 and repo.local_tip("main") == before
    pid = int((tmp_path / "pid").read_text())
    assert not is_process_alive(pid, "unknown")


def test_the_environment_for_git_holds_nothing_that_misleads(
    repo: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All of git's own local variables go, identity and keys stay."""
    local = git(root_of(repo), "rev-parse", "--local-env-vars").split()
    for name in (*local, "GIT_TRACE", "GIT_TRACE2_EVENT", "GIT_CONFIG_KEY_0"):
        monkeypatch.setenv(name, "1")
    for name in ("GIT_AUTHOR_NAME", "GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL"):
        monkeypatch.setenv(name, "kept")
    environment = clean_environment()
    assert environment.pop("GIT_NO_REPLACE_OBJECTS") == "1"
    assert not {*local, "GIT_TRACE", "GIT_TRACE2_EVENT", "GIT_CONFIG_KEY_0"} & environment.keys()
    assert environment["GIT_AUTHOR_NAME"] == environment["GIT_SSH_COMMAND"] == "kept"
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    assert run_git(["rev-parse", "--git-dir"], cwd=root_of(repo)) == b".git\n"
    with pytest.raises(OutsideFailure, match="rev-parse"):
        run_git(["rev-parse", "--verify", "nothing"], cwd=root_of(repo))
    with pytest.raises(OutsideFailure, match="gone"):
        run_git(["version"], cwd=tmp_path / "nowhere")


def test_addresses_that_could_run_something_are_refused(tmp_path: Path, repo: Repository) -> None:
    """Options, helper programs and unknown ways are refused; ordinary addresses pass."""
    for url in (
        "",
        "-u./x",
        "--upload-pack=x",
        "ext::sh -c x",
        "fd::17",
        "ssh://-oProxy/x",
        "-x:y",
        "a\nb",
        "x://y",
    ):
        with pytest.raises(BadInput):
            clone(url, tmp_path / "never")
    for url in ("https://h/x.git", "git@host:x/y.git", "ssh://git@h:22/x", "/a/b", "../x", "C:\\x"):
        assert check_url(url) == url
    copy = clone(str(root_of(repo)), tmp_path / "copy")
    put(copy, {"x.md": "x\n"}, branch="side")
    tip = copy.local_tip("side")
    assert tip is not None and push_branches(copy, "origin", {"side": tip}) == []
    assert repo.local_tip("side") == copy.local_tip("side")
    with pytest.raises(OutsideFailure, match="nothing"):
        clone(str(tmp_path / "nothing"), tmp_path / "n")


def test_file_locks_exclude_processes_and_report_time_outs(tmp_path: Path) -> None:
    """A lock held elsewhere is reported, not raised, and is free when its process is gone."""
    code = "import sys,time\nfrom pathlib import Path\nfrom gitmem.platform import FileLock\n"
    code += "lock=FileLock(Path(sys.argv[1])); lock.acquire(); print('held', flush=True); time.sleep(60)"
    other = start_python(code, str(tmp_path / "lock"))
    assert other.stdout is not None and other.stdout.readline() == "held\n"
    with FileLock(tmp_path / "lock", timeout_seconds=0.05) as lock:
        assert not lock.acquired
    other.kill()
    other.communicate()
    with FileLock(tmp_path / "lock", timeout_seconds=5) as lock:
        assert lock.acquired


def test_processes_are_known_by_number_and_start() -> None:
    """A number that was given to another process since does not count as alive."""
    mine = os.getpid()
    assert is_process_alive(mine, process_start_time(mine)) and is_process_alive(mine, None)
    if sys.platform.startswith("linux"):
        assert not is_process_alive(mine, "0000:1")
    child = start_python("pass")
    start = process_start_time(child.pid)
    child.communicate()
    assert not is_process_alive(child.pid, start)
