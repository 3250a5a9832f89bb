"""Whatever git is in the middle of, a memory is in HEAD of the right repository or refused in one line."""

from __future__ import annotations

import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from gitmem.errors import (
    Busy,
    Conflict,
    Damaged,
    GitmemError,
    NotFound,
    SigningFailed,
    StoreProblem,
    UnsupportedRepository,
)
from gitmem.flows.writing.drafting import Request
from gitmem.git import commits
from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import assert_sound, git, gitmem


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def commit(folder: Path, name: str, text: str) -> None:
    write(folder, name, text)
    git(folder, "add", name)
    git(folder, "commit", "-qm", f"{name}: {text.strip()}")


@pytest.fixture
def forked(store: Store, folder: Path) -> Path:
    """Main and `side` changed one line each in its own way; `side` in three commits."""
    commit(folder, "n.txt", "a\n")
    git(folder, "checkout", "-qb", "side")
    for text in ("b\n", "bb\n", "bbb\n"):
        commit(folder, "n.txt", text)
    git(folder, "checkout", "-q", "main")
    commit(folder, "n.txt", "c\n")
    return folder


def unmerged(folder: Path) -> str:
    return git(folder, "ls-files", "-u")


@pytest.mark.parametrize(
    ("operation", "marker"),
    [
        (["merge", "side"], "MERGE_HEAD"),
        (["cherry-pick", "side"], "CHERRY_PICK_HEAD"),
        (["revert", "--no-edit", "HEAD~1"], "REVERT_HEAD"),
        (["stash", "apply"], None),
    ],
)
def test_a_memory_written_in_the_middle_concludes_nothing(
    store: Store, forked: Path, operation: list[str], marker: str | None
) -> None:
    """The operation is still open, its conflict still to be settled, and both ways out of it work."""
    if operation[0] == "stash":
        write(forked, "n.txt", "stashed\n")
        git(forked, "stash", "-q")
        commit(forked, "n.txt", "d\n")
    git(forked, *operation, check=False)
    before = unmerged(forked)
    assert before
    written = store.remember("otter in the middle", id="during")
    assert unmerged(forked) == before
    assert marker is None or (forked / ".git" / marker).exists()
    assert git(forked, "log", "-1", "--format=%H %P").split()[0] == written.version
    assert len(git(forked, "log", "-1", "--format=%P").split()) == 1
    assert git(forked, "log", "--all", "--format=%H", "-S<<<<<<<") == ""
    if marker:
        git(forked, operation[0], "--abort")
    else:
        git(forked, "reset", "-q", "--hard")
    assert store.recall("otter").total == 1
    assert_sound(forked)


@pytest.mark.parametrize("settings", [[], ["index.version", "4"], ["core.splitIndex", "true"]])
@pytest.mark.parametrize("leftover", ["squash", "stash"])
def test_a_memory_that_waits_to_be_merged_is_not_changed_whatever_git_left(
    store: Store, folder: Path, leftover: str, settings: list[str]
) -> None:
    """A squashed merge and a stash leave no MERGE_HEAD. What settles them would undo the write unseen."""
    store.remember("the note", id="note", path="note.md")
    store.remember("another", id="other", path="other.md")
    git(folder, "config", "--unset", "merge.gitmem.driver")
    if settings:
        git(folder, "config", *settings)
    git(folder, "checkout", "-q", "-b", "side")
    commit(folder, "note.md", "side\n")
    git(folder, "checkout", "-q", "main")
    if leftover == "stash":
        write(folder, "note.md", "stashed\n")
        git(folder, "stash", "-q")
    commit(folder, "note.md", "main\n")
    how = ["merge", "-q", "--squash", "side"] if leftover == "squash" else ["stash", "pop"]
    git(folder, *how, check=False)
    git(folder, "checkout", "--ours", "note.md")
    before = unmerged(folder)
    assert before
    with pytest.raises(Conflict, match=r"note\.md: is in the middle of a merge"):
        store.update("note.md", text="of the agent")
    with pytest.raises(Conflict, match=r"note\.md: is in the middle of a merge"):
        store.commit_edits()
    store.append("other", "one line more")
    assert unmerged(folder) == before
    # This index is one that gitmem wrote, and has a map of.
    with pytest.raises(Conflict, match=r"note\.md: is in the middle of a merge"):
        store.update("note.md", text="of the agent")
    store.remember_all([Request(f"number {number}") for number in range(20)])
    assert unmerged(folder) == before
    assert git(folder, "show", "HEAD:note.md").strip() == "main"


def test_a_merge_can_be_concluded_with_the_memory_in_it(store: Store, forked: Path) -> None:
    """The merge commit that the person makes holds both sides and the memory written meanwhile."""
    git(forked, "merge", "side", check=False)
    store.remember("otter", id="during")
    commit(forked, "n.txt", "both\n")
    assert len(git(forked, "log", "-1", "--format=%P").split()) == 2
    assert store.show("during").memory.body == "otter\n"
    assert_sound(forked)


@pytest.mark.parametrize("operation", ["cherry-pick", "revert", "am", "rebase"])
def test_a_series_of_commits_that_could_not_be_given_up_is_waited_for(
    store: Store, forked: Path, operation: str
) -> None:
    """Git gives such a series up only from an unmoved HEAD, so the write is refused until it ends."""
    if operation == "am":
        patch = subprocess.run(
            ["git", "format-patch", "-3", "--stdout", "side"], cwd=forked, capture_output=True
        )
        git(forked, "am", "-3", input=patch.stdout, check=False)
    elif operation == "revert":
        git(forked, "merge", "-q", "-s", "ours", "side", "-m", "merged")
        git(forked, "revert", "--no-edit", "side", "side~1", "side~2", check=False)
    elif operation == "cherry-pick":
        git(forked, "cherry-pick", "side~2", "side~1", "side", check=False)
    else:
        git(forked, "rebase", "side", check=False)
    with pytest.raises(Busy, match=operation):
        store.remember("otter", id="during")
    git(forked, operation, "--abort")
    assert_sound(forked)
    store.remember("otter", id="during")
    assert_sound(forked)


@pytest.mark.parametrize("place", ["HEAD~1", "v1", "side", "orphan", "bisect"])
def test_a_write_from_another_checkout_goes_to_main_and_says_so(
    store: Store, folder: Path, place: str
) -> None:
    """A detached HEAD, a tag, another branch or a bisect hides nothing and swallows nothing."""
    store.remember("alpha", id="one")
    git(folder, "tag", "v1")
    git(folder, "branch", "side")
    store.remember("beta", id="two")
    if place == "orphan":
        git(folder, "checkout", "-q", "--orphan", "orphan")
        git(folder, "rm", "-rfq", ".")
    elif place == "bisect":
        store.remember("delta", id="four")
        git(folder, "bisect", "start", "HEAD", "HEAD~3")
    else:
        git(folder, "checkout", "-q", place)
    head = git(folder, "symbolic-ref", "-q", "HEAD", check=False)
    before = git(folder, "status", "--porcelain")
    written = store.remember("gamma", id="three")
    assert any("not checked out" in notice for notice in written.notices)
    assert git(folder, "symbolic-ref", "-q", "HEAD", check=False) == head
    assert git(folder, "status", "--porcelain") == before
    assert store.recall("beta").total == store.recall("gamma").total == 1
    git(folder, "bisect", "reset", check=False)
    git(folder, "checkout", "-qf", "main")
    assert store.show("three").memory.body == "gamma\n"
    assert_sound(folder)


def test_the_work_of_a_person_stays_as_it_was(store: Store, folder: Path) -> None:
    """Edited, staged, untracked and intent-to-add files are the same after a write, which holds itself alone."""
    base = store.remember("first", id="base")
    with (folder / base.path).open("a") as file:
        file.write("half a thought\n")
    for name in ("staged.md", "meant.md", "draft.md"):
        write(folder, name, name)
    git(folder, "add", "staged.md")
    git(folder, "add", "-N", "meant.md")
    before = git(folder, "status", "--porcelain")
    written = store.remember("clean commit please", id="second")
    assert git(folder, "show", "--format=", "--name-only", "HEAD").split() == [written.path]
    assert git(folder, "status", "--porcelain") == before
    with pytest.raises(Conflict):
        store.update("base", "third")
    assert (folder / base.path).read_text().endswith("half a thought\n")
    with pytest.raises(Conflict):
        store.remember("x", path="draft.md")
    assert (folder / "draft.md").read_text() == "draft.md"


@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
def test_an_edit_hidden_from_git_is_not_overwritten(store: Store, folder: Path, flag: str) -> None:
    """A file that git was told not to look at is looked at."""
    written = store.remember("text", path="a.md")
    git(folder, "update-index", flag, "a.md")
    with (folder / "a.md").open("a") as file:
        file.write("mine\n")
    with pytest.raises(Conflict):
        store.append(written.id, "more")
    assert (folder / "a.md").read_text().endswith("mine\n")


VARIABLES = "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_COMMON_DIR".split()


def test_what_a_hook_inherits_leads_nowhere(store: Store, folder: Path, tmp_path: Path) -> None:
    """Variables that point git at another repository do not move a memory into it."""
    other = tmp_path / "other"
    git(tmp_path, "init", "-q", str(other))
    env = {name: str(other / ".git" / ("x" if "FILE" in name else "")) for name in VARIABLES}
    extra = {
        "GIT_NAMESPACE": "n",
        "GIT_PREFIX": "sub/",
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
        "GIT_TRACE": "1",
    }
    done = gitmem(folder, "remember", "--id", "d", "through a hook", env={**env, **extra})
    assert (done.code, done.err) == (0, "")
    assert store.show("d").memory.body == "through a hook\n"
    assert [each.name for each in other.iterdir()] == [".git"]
    assert_sound(folder)


def test_a_commit_hook_of_another_repository_may_remember(store: Store, folder: Path, tmp_path: Path) -> None:
    """The person's commit holds their files alone, and the memory is the last commit of the store."""
    code = tmp_path / "code"
    git(tmp_path, "init", "-q", str(code))
    commit(code, "a", "a")
    git(code, "worktree", "add", "-q", str(tmp_path / "wt"), "-b", "feature")
    hook = code / ".git/hooks/pre-commit"
    command = " ".join(COMMAND)
    hook.write_text(
        '#!/bin/sh\n[ -n "$DEPTH" ] && { echo LOOP >&2; exit 1; }\nexport DEPTH=1\n'
        f"export PYTHONPATH={Path(__file__).parents[2]}\n{command} -C {folder} remember --id h 'pre-commit ran'\n"
    )
    hook.chmod(0o755)
    commit(tmp_path / "wt", "b", "b")
    assert git(tmp_path / "wt", "show", "--format=", "--name-only").split() == ["b"]
    assert git(tmp_path / "wt", "status", "--porcelain") == ""
    assert git(folder, "log", "-1", "--format=%s").strip() == "remember: pre-commit ran"
    assert_sound(folder)


def test_hooks_that_fail_stop_nothing(store: Store, folder: Path) -> None:
    """The person's own commit hooks do not run for memories, and ours never fail a git command."""
    for name in (
        "pre-commit",
        "commit-msg",
        "prepare-commit-msg",
        "reference-transaction",
        "post-index-change",
    ):
        hook = folder / ".git/hooks" / name
        hook.write_text("#!/bin/sh\nexit 1\n")
        hook.chmod(0o755)
    store.remember("x", id="d")
    store.append("d", "y")
    store.archive(["d"])
    for name in (
        "pre-commit",
        "commit-msg",
        "prepare-commit-msg",
        "reference-transaction",
        "post-index-change",
    ):
        (folder / ".git/hooks" / name).unlink()
    assert_sound(folder)


def test_an_unusable_index_folder_fails_no_git_command(store: Store, folder: Path) -> None:
    """Checkout, worktree, commit and rebase end with 0 and say nothing on standard output."""
    store.remember("x", id="x")
    git(folder, "branch", "other")
    shutil.rmtree(folder / ".git/gitmem")
    (folder / ".git/gitmem").write_text("junk")
    for arguments in (
        ["checkout", "-q", "other"],
        ["checkout", "-q", "main"],
        ["commit", "-q", "--allow-empty", "-m", "y"],
    ):
        assert git(folder, *arguments) == ""
    assert git(folder, "rebase", "-q", "-f", "HEAD~1") == ""
    assert Store.open(folder).recall("x").total == 1


def test_hooks_sent_elsewhere_are_said_and_not_needed(
    store: Store, folder: Path, tmp_path: Path, sealed_environment: Path
) -> None:
    """Nothing is put into a shared folder of hooks, and answers are right without any."""
    shared = tmp_path / "shared"
    shared.mkdir()
    git(folder, "config", "--global", "core.hooksPath", str(shared))
    other = Store.init(tmp_path / "other")
    assert any("core.hooksPath" in note for note in other.status().notes)
    assert not any(shared.iterdir())
    commit(tmp_path / "other", "h1.md", "capybara\n")
    assert other.recall("capybara").total == 1
    git(tmp_path / "other", "rm", "-q", "h1.md")
    git(tmp_path / "other", "commit", "-qm", "gone")
    assert other.recall("capybara").total == 0


@pytest.mark.parametrize(
    ("name", "email", "env", "author"),
    [
        (None, None, {}, "gitmem <gitmem@localhost>"),
        ("", " ", {}, "gitmem <gitmem@localhost>"),
        (None, "a@example.com", {}, "gitmem <a@example.com>"),
        (
            None,
            None,
            {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.com"},
            "Ann <ann@example.com>",
        ),
    ],
)
def test_a_commit_without_an_identity_is_made_and_said(
    store: Store,
    folder: Path,
    sealed_environment: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str | None,
    email: str | None,
    env: dict[str, str],
    author: str,
) -> None:
    """Where git knows nobody, the commit is by gitmem and the answer names the two settings."""
    lines = [f'{key} = "{value}"' for key, value in (("name", name), ("email", email)) if value is not None]
    text = "[user]\n\tuseConfigOnly = true\n\t" + "\n\t".join(lines) + "\n"
    (sealed_environment / ".gitconfig").write_text(text)
    for key, value in env.items():
        monkeypatch.setenv(key, value)
    written = Store.open(folder).remember("no identity here")
    assert git(folder, "log", "-1", "--format=%an <%ae>").strip() == author
    assert any("user.name and user.email" in notice for notice in written.notices) == (not env)
    (folder / "by-hand.md").write_text("no identity here either\n")
    committed = Store.open(folder).commit_edits()
    assert git(folder, "log", "-1", "--format=%an <%ae>").strip() == author
    assert any("user.name and user.email" in notice for notice in committed.notices) == (not env)
    assert_sound(folder)


@pytest.mark.parametrize("program", ["slow", "false", "/no/such/program"])
def test_signing_that_cannot_be_done_writes_nothing(
    store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    """A program that waits, fails or is missing ends in one line; no file and no commit is left."""
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 600\n")
    slow.chmod(slow.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(commits, "SIGNING_SECONDS", 1)
    git(folder, "config", "commit.gpgsign", "true")
    git(folder, "config", "gpg.program", str(slow) if program == "slow" else program)
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(SigningFailed, match=r"commit\.gpgsign"):
        store.remember("to be signed", id="sign")
    assert git(folder, "rev-parse", "HEAD") == before
    git(folder, "config", "commit.gpgsign", "false")
    store.remember("to be signed", id="sign")
    assert_sound(folder)


def test_a_worktree_of_the_archive_is_brought_along(store: Store, folder: Path, tmp_path: Path) -> None:
    """No phantom change appears where the archive is checked out, and what is there stays."""
    for name in ("old", "keep"):
        store.remember(name, id=name)
    store.archive(["keep"])
    git(folder, "worktree", "add", "-q", str(tmp_path / "arch"), "archive")
    write(tmp_path / "arch", "mine.md", "local\n")
    store.archive(["old"])
    assert git(tmp_path / "arch", "status", "--porcelain") == "?? mine.md\n"
    assert store.recall("old").total == 0
    assert "old.md" in git(folder, "ls-tree", "-r", "--name-only", "archive")


@pytest.mark.parametrize("how", [["--cone", "--sparse-index"], ["--cone"], ["--no-cone"]])
def test_files_outside_a_sparse_checkout_are_not_deleted(store: Store, folder: Path, how: list[str]) -> None:
    """They can be found, changed and moved; the setting stays on, and turning it off shows them."""
    store.remember("work fact", path="jobs/w.md", id="w")
    store.remember("home fact", path="home/h.md", id="h")
    git(folder, "sparse-checkout", "set", *how, "jobs" if how[0] == "--cone" else "/jobs/*")
    store.remember("new work fact", path="jobs/w2.md")
    assert git(folder, "show", "--format=", "--name-status").split() == ["A", "jobs/w2.md"]
    store.append("h", "more")
    store.remember("new home fact", path="home/h2.md")
    assert not (folder / "home").exists()
    assert git(folder, "status", "--porcelain") == ""
    assert store.show("h").memory.body == "home fact\nmore\n"
    assert git(folder, "config", "core.sparseCheckout").strip() == "true"
    git(folder, "sparse-checkout", "disable")
    assert (folder / "home/h2.md").exists()
    assert_sound(folder)


def test_a_shallow_clone_says_what_it_cannot_see(store: Store, folder: Path, tmp_path: Path) -> None:
    """The border of the clone is never taken for the beginning of a memory."""
    created = store.show(store.remember("v1", id="aged").id).memory.created
    for number in range(2, 6):
        store.update("aged", f"v{number}")
    store.archive(["aged"])
    store.restore(["aged"])
    git(tmp_path, "clone", "-q", "--depth", "2", folder.as_uri(), "shallow")
    shallow = Store.open(tmp_path / "shallow")
    log = shallow.log("aged")
    assert not log.is_complete
    assert all(entry.number is None for entry in log.entries)
    with pytest.raises(NotFound):
        shallow.show("aged@v1")
    assert shallow.show("aged").memory.created == created
    assert any("shallow" in note for note in shallow.status().notes)
    assert "shallow" in gitmem(tmp_path / "shallow", "log", "aged").out
    shallow.update("aged", "v6")
    assert shallow.show("aged").memory.body == "v6\n"


@pytest.mark.parametrize("filter", ["blob:none", "tree:0"])
def test_a_partial_clone_says_that_it_is_one(store: Store, folder: Path, tmp_path: Path, filter: str) -> None:
    """An object that was not fetched is no damage, is not fetched by a reading, and is named as what it is."""
    store.remember("partial", id="p")
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", f"--filter={filter}", "--no-checkout", folder.as_uri(), "partial")
    with pytest.raises(Damaged, match="partial clone"):
        Store.open(tmp_path / "partial").recall("partial")
    git(tmp_path / "partial", "checkout", "-q", "main")
    assert Store.open(tmp_path / "partial").recall("partial").total == 1


def test_each_kind_of_place_is_taken_for_what_it_is(person: None, tmp_path: Path) -> None:
    """Unborn, bare, worktree of bare, submodule, subfolder, code repository, no repository."""
    empty = tmp_path / "empty"
    git(tmp_path, "init", "-q", "-b", "trunk", str(empty))
    store = Store.open(empty)
    assert store.recall("x").total == 0
    store.remember("first commit ever", id="e1")
    assert git(empty, "log", "--format=%s", "trunk").strip() == "remember: first commit ever"
    assert_sound(empty)

    git(tmp_path, "clone", "-q", "--bare", str(empty), "b.git")
    bare = Store.open(tmp_path / "b.git")
    bare.remember("in a bare one", id="b1")
    git(tmp_path / "b.git", "worktree", "add", "-q", str(tmp_path / "bw"), "trunk")
    Store.open(tmp_path / "bw").remember("in its worktree", id="w1")
    assert Store.open(tmp_path / "b.git").recall("worktree").total == 1
    assert git(tmp_path / "bw", "status", "--porcelain") == ""

    code = tmp_path / "code"
    git(tmp_path, "init", "-q", str(code))
    commit(code, "a", "a")
    git(code, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(empty), "sub")
    git(code, "commit", "-qm", "submodule")
    deep = code / "sub/deep/er"
    deep.mkdir(parents=True)
    Store.open(deep).remember("in the submodule", id="s1")
    assert git(code / "sub", "log", "-1", "--format=%s").strip() == "remember: in the submodule"
    assert git(code, "log", "-1", "--format=%s").strip() == "submodule"

    (code / "plain").mkdir()
    for place in (code, code / "plain", tmp_path):
        done = gitmem(place, "remember", "not a store")
        assert done.code == 7 and done.err.count("\n") == 1 and done.out == ""
    assert git(code, "status", "--porcelain").split() == ["M", "sub"]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("extensions.objectFormat", "sha256"),
        ("extensions.refStorage", "reftable"),
        ("extensions.unheardOf", "x"),
    ],
)
def test_a_repository_that_cannot_be_written_safely_is_refused(
    person: None, tmp_path: Path, setting: str, value: str
) -> None:
    """Object and ref formats that gitmem cannot write are named, and nothing is created."""
    git(tmp_path, "init", "-q", "odd")
    git(tmp_path / "odd", "config", "core.repositoryFormatVersion", "1")
    git(tmp_path / "odd", "config", setting, value)
    for verb in (Store.open, Store.init):
        with pytest.raises(UnsupportedRepository):
            verb(tmp_path / "odd")
    assert not (tmp_path / "odd/.git/gitmem").exists()


@pytest.mark.parametrize(
    "config",
    [
        'main = "../evil"',
        '[branches]\narchive = "a..b"',
        '[branches]\narchive = "-x"',
        '[branches]\narchive = "main"',
        '[branches]\narchive = "working"',
        'format = "x',
        "format = 99",
        "main = 7",
        "[memories]\nexclude = 1",
    ],
)
def test_a_config_that_makes_no_sense_is_named_and_nothing_is_written(
    store: Store, folder: Path, config: str
) -> None:
    """Each wrong setting of the committed config ends in a line that names the file."""
    write(folder, ".gitmem/config.toml", config + "\n")
    git(folder, "commit", "-qam", "odd config")
    before = git(folder, "for-each-ref")
    with pytest.raises(StoreProblem, match=r"\.gitmem/config\.toml"):
        Store.open(folder).remember("x")
    assert git(folder, "for-each-ref") == before


@pytest.mark.parametrize(
    "settings",
    [
        {"core.autocrlf": "true"},
        {"core.autocrlf": "input"},
        {"core.fileMode": "false"},
        {"feature.manyFiles": "true"},
    ],
)
def test_settings_that_convert_files_make_no_phantom_changes(
    person: None, tmp_path: Path, settings: dict[str, str]
) -> None:
    """Writes agree with what git itself would check out, in an adopted repository too."""
    folder = tmp_path / "adopted"
    git(tmp_path, "init", "-q", str(folder))
    for name, value in settings.items():
        git(folder, "config", name, value)
    (folder / "hand.md").write_bytes(b"one\r\ntwo\r\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "hand")
    store = Store.init(folder)
    store.remember("l1\nl2", id="d")
    store.append("d", "l3")
    store.append("hand", "three")
    store.tag("d", add=["x"])
    assert_sound(folder)
    git(folder, "rm", "-rq", "--cached", ".")
    git(folder, "reset", "-q", "--hard")
    assert_sound(folder)
    assert store.show("d").memory.body == "l1\nl2\nl3\n"


def test_a_filter_is_not_bypassed(store: Store, folder: Path) -> None:
    """Where an attribute would convert a memory by a program, nothing is written."""
    write(folder, ".gitattributes", "*.md filter=lfs\n")
    git(folder, "commit", "-qam", "filter")
    with pytest.raises(UnsupportedRepository, match="filter=lfs"):
        store.remember("x")
    assert_sound(folder)


@pytest.mark.parametrize("damage", ["", "zzz\n", "0" * 40 + "\n"])
def test_a_damaged_ref_is_not_an_empty_store(store: Store, folder: Path, damage: str) -> None:
    """A ref that cannot be read is an error that names it, never "nothing found"."""
    store.remember("heron", id="c1")
    write(folder, ".git/refs/heads/main", damage)
    with pytest.raises(GitmemError) as caught:
        Store.open(folder).recall("heron")
    assert caught.value.exit_code == 7


def test_packed_refs_gc_and_alternates_change_nothing(store: Store, folder: Path, tmp_path: Path) -> None:
    """Packed refs and objects, shared object stores and clones by reference read and write alike."""
    store.remember("alpha", id="a")
    git(folder, "pack-refs", "--all", "--prune")
    git(folder, "gc", "-q", "--prune=now")
    store.remember("beta", id="b")
    git(tmp_path, "clone", "-q", "--shared", str(folder), "shared")
    shared = Store.open(tmp_path / "shared")
    shared.remember("gamma", id="c")
    assert shared.recall("alpha").total == 1
    assert_sound(folder)
    assert_sound(tmp_path / "shared")


def test_a_worktree_whose_folder_is_gone_stands_in_no_way(store: Store, folder: Path, tmp_path: Path) -> None:
    """Linked worktrees may be deleted or out of reach."""
    git(folder, "worktree", "add", "-q", str(tmp_path / "gone"), "-b", "w")
    shutil.rmtree(tmp_path / "gone")
    store.remember("beta", id="b")
    assert_sound(folder)
