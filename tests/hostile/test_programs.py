"""Programs that come with a repository, in its tree or in its git directory: none of them runs."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Damaged, GitmemError, UnsupportedRepository
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.hostile.conftest import Program

HOOKS = (
    "applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change "
    "post-merge post-rewrite pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase "
    "prepare-commit-msg proc-receive reference-transaction sendemail-validate"
).split()


def settings_that_run(program: Path) -> dict[str, str]:
    """Every setting of git that names a program."""
    return {
        "core.fsmonitor": str(program),
        "core.pager": str(program),
        "core.editor": str(program),
        "sequence.editor": str(program),
        "core.sshCommand": str(program),
        "core.askPass": str(program),
        "core.gitProxy": str(program),
        "core.alternateRefsCommand": str(program),
        "credential.helper": str(program),
        "diff.external": str(program),
        "diff.evil.textconv": str(program),
        "diff.evil.command": str(program),
        "merge.evil.driver": f"{program} %A %O %B",
        "filter.evil.clean": str(program),
        "filter.evil.smudge": str(program),
        "filter.e=v.il.clean": str(program),
        "gpg.program": str(program),
        "gpg.ssh.program": str(program),
        "gpg.ssh.defaultKeyCommand": str(program),
        "man.evil.cmd": str(program),
        "browser.evil.cmd": str(program),
        "uploadpack.packObjectsHook": str(program),
        "receive.procReceiveRefs": "refs/heads",
        "remote.origin.url": f"ext::{program} %S",
        "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
        "remote.origin.vcs": str(program),
        "trailer.evil.command": str(program),
        "trailer.evil.cmd": str(program),
        "interactive.diffFilter": str(program),
        "pager.log": str(program),
        "pager.status": str(program),
        "init.templateDir": str(program.parent),
        **{f"alias.{verb}": f"!{program}" for verb in ("status", "cat-file", "hash-object", "update-index")},
    }


@pytest.fixture
def armed(store: Store, folder: Path, program: Program) -> Path:
    """A store whose tree and git directory name programs wherever git knows a way to name one."""
    store.remember("fine zebra", id="ok", path="notes/ok.md")
    store.remember("other zebra", id="old", path="notes/old.md")
    attributes = "*.md diff=evil merge=evil\n*.bin filter=evil diff=evil\n*.txt filter=e=v.il\n"
    (folder / ".gitattributes").write_text(f"{attributes}*.md -text\n")
    (folder / ".gitmodules").write_text(
        f'[submodule "x"]\n\tpath = x\n\turl = ext::{program.file}\n\tupdate = !{program.file}\n'
    )
    (folder / "a.bin").write_bytes(b"binary")
    (folder / "a.txt").write_bytes(b"text")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "attributes")
    (folder / "extra.gitconfig").write_text(f"[core]\n\tfsmonitor = {program.file}\n")
    git(folder, "config", "include.path", str(folder / "extra.gitconfig"))
    for name, value in settings_that_run(program.file).items():
        git(folder, "config", name, value)
    for name in HOOKS:
        hook = folder / ".git/hooks" / name
        hook.unlink(missing_ok=True)
        hook.symlink_to(program.file)
    # Their state is in doubt, so that git would look at them again, by way of the filters.
    for name in ("a.bin", "a.txt", "notes/ok.md"):
        (folder / name).write_bytes((folder / name).read_bytes())
    program.trace.unlink(missing_ok=True)
    return folder


def reads(store: Store, tmp_path: Path) -> list[Callable[[], object]]:
    return [
        lambda: store.recall("zebra"),
        lambda: store.recall("zebra", archived=True),
        store.list,
        lambda: store.show("ok"),
        lambda: store.show("ok@v1"),
        store.log,
        lambda: store.log("ok"),
        lambda: store.blame("ok"),
        lambda: store.export(tmp_path / "out"),
        store.check,
        store.status,
        store.reindex,
        store.refresh,
        lambda: store.hook("post-commit"),
        store.doctor,
    ]


def writes(store: Store, tmp_path: Path) -> list[Callable[[], object]]:
    return [
        lambda: store.remember("new zebra", id="new"),
        lambda: store.append("ok", "more"),
        lambda: store.update("ok", "changed zebra"),
        lambda: store.tag("ok", add=["x"]),
        lambda: store.rename("ok", "another title"),
        lambda: store.link("ok", "new"),
        lambda: store.diff("ok"),
        lambda: store.revert("ok", "v1"),
        store.undo,
        lambda: store.archive(["ok", "old"]),
        lambda: store.restore(["ok"]),
        lambda: store.import_folder(tmp_path / "out"),
        lambda: store.doctor(fix=True),
    ]


def test_no_verb_runs_what_the_repository_names(
    armed: Path, store: Store, program: Program, tmp_path: Path
) -> None:
    """Reading and writing, hooks and filters, pager and editor, diff and merge, submodules and remotes."""
    for verb in (*reads(store, tmp_path), *writes(store, tmp_path)):
        verb()
        program.assert_never_ran()
    assert "zebra" in store.show("ok").memory.body


def test_no_proposal_makes_git_run_what_the_repository_names(
    armed: Path, store: Store, program: Program
) -> None:
    """Edits go from the worktree, branches are merged, the rest of a proposal is brought to main."""
    with (armed / "notes/ok.md").open("a") as file:
        file.write("edited\n")
    (armed / "notes/new.md").write_text("new zebra\n")
    for verb in (
        lambda: store.propose(["ok", "notes/new.md"], title="z"),
        lambda: store.amend("z", batch='{"text": "third zebra", "id": "third"}'),
        lambda: store.propose(source="proposals/z", title="y"),
        lambda: store.proposals(settled=True),
        lambda: store.review("z"),
        lambda: store.accept("z", only=["ok"]),
        lambda: store.accept("z"),
        lambda: store.reject("y", "is there already"),
    ):
        verb()
        program.assert_never_ran()
    assert store.show("ok").memory.body.endswith("edited\n")


@pytest.mark.parametrize("kind", ["--index-version=4", "--split-index", "--untracked-cache"])
def test_no_kind_of_index_makes_git_run_a_hook(
    armed: Path, store: Store, program: Program, tmp_path: Path, kind: str
) -> None:
    """Some kinds of index are read and written by git itself: it runs no hook for that."""
    git(
        armed,
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "core.fsmonitor=false",
        "update-index",
        kind,
        check=False,
    )
    program.trace.unlink(missing_ok=True)
    store.remember("new zebra", id="new")
    store.archive(["old"])
    store.recall("zebra")
    program.assert_never_ran()


@pytest.mark.parametrize("cone", [True, False])
def test_a_sparse_checkout_makes_git_run_no_hook(
    armed: Path, store: Store, program: Program, cone: bool
) -> None:
    """Git is asked which files belong into the worktree, in a folder of its own."""
    quiet = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "filter.evil.clean=")
    git(armed, *quiet, "sparse-checkout", "set", "--cone" if cone else "--no-cone", "notes")
    program.trace.unlink(missing_ok=True)
    store.remember("new zebra", path="other/new.md")
    store.append("ok", "more")
    program.assert_never_ran()
    assert not (armed / "other").exists()


def test_files_under_a_filter_are_read_as_git_stores_them(
    store: Store, folder: Path, program: Program, tmp_path: Path
) -> None:
    """The program between file and blob is not asked: reading shows the blob, writing is refused, both say so."""
    store.remember("fine zebra", id="ok", path="ok.md")
    (folder / ".gitattributes").write_text("*.md filter=evil\n")
    git(folder, "config", "filter.evil.clean", str(program.file))
    git(folder, "config", "filter.evil.smudge", str(program.file))
    git(folder, "config", "filter.evil.required", "true")
    git(folder, "commit", "-qam", "attributes")
    (folder / "ok.md").write_text((folder / "ok.md").read_text() + "edit\n")
    program.trace.unlink(missing_ok=True)
    answer = store.recall("zebra")
    assert answer.total == 1 and answer.hits[0].hit.labels == ()
    assert any("filter" in note for note in answer.notes)
    assert store.show("ok").memory.body == "fine zebra\n"
    for verb in (
        lambda: store.remember("x"),
        lambda: store.append("ok", "x"),
        lambda: store.archive(["ok"]),
        lambda: store.rename("ok", "y"),
    ):
        with pytest.raises(UnsupportedRepository, match="filter=evil"):
            verb()
    assert any(finding.code == "filter" for finding in store.check().findings)
    program.assert_never_ran()
    assert (folder / "ok.md").read_text().endswith("edit\n")


def test_a_filter_of_another_worktree_is_not_run_either(
    store: Store, folder: Path, program: Program, tmp_path: Path
) -> None:
    """The worktree of the archive may have attributes of its own: its file is left, and that is said."""
    store.remember("one", id="one")
    store.remember("two", id="two")
    store.archive(["one"])
    git(folder, "worktree", "add", "-q", str(tmp_path / "arch"), "archive")
    (tmp_path / "arch" / ".gitattributes").write_text("*.md filter=evil\n")
    git(folder, "config", "filter.evil.smudge", str(program.file))
    git(folder, "config", "filter.evil.clean", str(program.file))
    git(tmp_path / "arch", "add", ".")
    git(tmp_path / "arch", "commit", "-qm", "attributes")
    program.trace.unlink(missing_ok=True)
    moved = store.archive(["two"])
    assert any("filter=evil" in notice for notice in moved.notices)
    assert store.on("archive").show("two").memory.body == "two\n"
    program.assert_never_ran()


def test_a_submodule_is_not_looked_into(store: Store, folder: Path, program: Program, tmp_path: Path) -> None:
    """Git would ask the submodule for its state, with the settings of the submodule."""
    git(tmp_path, "init", "-q", "inner")
    (tmp_path / "inner/a.md").write_text("marmot\n")
    git(tmp_path / "inner", "add", ".")
    git(tmp_path / "inner", "commit", "-qm", "a")
    git(
        folder,
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        str(tmp_path / "inner"),
        "sub",
    )
    git(folder, "commit", "-qm", "submodule")
    git(folder / "sub", "config", "core.fsmonitor", str(program.file))
    (folder / "sub/a.md").write_text("edited\n")
    program.trace.unlink(missing_ok=True)
    assert store.recall("marmot").total == 0
    store.remember("x")
    program.assert_never_ran()


def test_a_missing_object_opens_no_connection(
    store: Store, folder: Path, program: Program, tmp_path: Path
) -> None:
    """A partial clone whose remote names a program: what is missing is named, nobody is asked for it."""
    store.remember("fine zebra", id="ok")
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", folder.as_uri(), "partial")
    partial = tmp_path / "partial"
    git(partial, "config", "remote.origin.url", f"ext::{program.file} %S")
    git(partial, "config", "protocol.ext.allow", "always")
    with pytest.raises(Damaged, match="partial clone"):
        Store.open(partial).recall("zebra")
    with contextlib.suppress(GitmemError):
        Store.open(partial).remember("x")
    program.assert_never_ran()


def test_the_persons_own_hooks_run_for_the_persons_own_edits(
    store: Store, folder: Path, program: Program
) -> None:
    """`commit` goes through git, with hooks that may fetch and push; every other write is gitmem's own."""
    hook = folder / ".git/hooks/pre-commit"
    hook.write_text(
        f'#!/bin/sh\nenv | grep -c "^GIT_ALLOW_PROTOCOL\\|^GIT_NO_LAZY_FETCH" > {program.trace}\nexit 0\n'
    )
    hook.chmod(0o755)
    (folder / "hand.md").write_text("by hand\n")
    store.remember("x")
    program.assert_never_ran()
    store.commit_edits()
    assert program.trace.read_text().strip() == "0"
    assert_sound(folder)


def test_the_hooks_of_gitmem_follow_no_link(
    store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark that a refresh is wanted is made as a new file, or not at all."""
    monkeypatch.delenv("GITMEM_HOOKS")
    target = tmp_path / "made-by-a-hook"
    wanted = folder / ".git/gitmem/refresh-wanted"
    with contextlib.suppress(FileNotFoundError):
        wanted.unlink()
    wanted.symlink_to(target)
    (folder / ".git/hooks/post-commit").write_text(
        (folder / ".git/hooks/post-commit").read_text().replace("gitmem=", "gitmem=true #", 1)
    )
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    assert not target.exists()
    assert os.path.lexists(wanted)
