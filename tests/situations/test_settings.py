"""What git's config says of a repository: formats, extensions, and settings that hold only under a condition."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import SigningFailed, StoreProblem, UnsupportedRepository
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem


def set_by_hand(folder: Path, text: str) -> None:
    """Lines for git's config that git itself might refuse to write."""
    with (folder / ".git/config").open("a") as file:
        file.write(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha256\n", "SHA-256"),
        ("[core]\nrepositoryformatversion = 1\n[extensions]\nrefStorage = reftable\n", "reftable"),
        ("[core]\nrepositoryformatversion = 1\n[extensions]\nunheardOf = true\n", "unheardof"),
        (
            "[core]\nrepositoryformatversion = 1\n[extensions]\ncompatObjectFormat = sha256\n",
            "compatobjectformat",
        ),
        ("[core]\nrepositoryformatversion = 7\n", "version"),
    ],
    ids=["sha256", "reftable", "unheard of", "compatible objects", "version 7"],
)
def test_a_format_that_gitmem_does_not_know_is_refused_by_every_verb(
    store: Store, folder: Path, text: str, word: str
) -> None:
    """One line with exit code 7 that names the extension; nothing is written, not even below the git directory."""
    store.remember("otter", id="o")
    set_by_hand(folder, text)
    before = sorted((each, each.lstat().st_mtime_ns) for each in (folder / ".git").rglob("*"))
    done = gitmem(folder, "recall", "otter")
    assert (done.code, done.out, done.err.count("\n")) == (7, "", 1), done
    assert word in done.err
    for verb in (Store.open, Store.init):
        with pytest.raises(UnsupportedRepository, match=word):
            verb(folder)
    assert sorted((each, each.lstat().st_mtime_ns) for each in (folder / ".git").rglob("*")) == before


def test_a_real_repository_of_sha256_objects_is_refused(person: None, tmp_path: Path) -> None:
    """As `git init` makes it, with a commit or without."""
    git(tmp_path, "init", "-q", "--object-format=sha256", "new")
    for _ in range(2):
        with pytest.raises(UnsupportedRepository, match="SHA-256"):
            Store.open(tmp_path / "new")
        git(tmp_path / "new", "commit", "-q", "--allow-empty", "-m", "x")


@pytest.mark.parametrize(
    "text",
    [
        "[extensions]\nunheardOf = true\n",
        "[core]\nrepositoryformatversion = 1\n[extensions]\nnoop = true\n",
        "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha1\nworktreeConfig = true\n",
        "[core]\nrepositoryformatversion = 1\n[extensions]\npreciousObjects = true\n",
    ],
    ids=["ignored by version 0", "noop", "the usual ones by name", "precious objects"],
)
def test_an_extension_that_changes_nothing_for_memories_is_no_obstacle(
    store: Store, folder: Path, text: str
) -> None:
    """Whatever git reads and writes as usual, gitmem does too."""
    set_by_hand(folder, text)
    store.remember("otter", id="o")
    store.archive(["o"])
    store.restore(["o"])
    assert Store.open(folder).recall("otter").total == 1
    assert_sound(folder)


def test_settings_of_one_worktree_hold_in_that_worktree(store: Store, folder: Path, tmp_path: Path) -> None:
    """`extensions.worktreeConfig`: name, signing and sparse checkout are those of where the command is called."""
    git(folder, "config", "extensions.worktreeConfig", "true")
    git(folder, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    git(tmp_path / "linked", "config", "--worktree", "user.name", "Linked")
    Store.open(tmp_path / "linked").remember("there")
    assert git(folder, "log", "-1", "--format=%an").strip() == "Linked"
    Store.open(folder).remember("here")
    assert git(folder, "log", "-1", "--format=%an").strip() == "Test Person"
    git(tmp_path / "linked", "config", "--worktree", "commit.gpgsign", "true")
    git(tmp_path / "linked", "config", "--worktree", "gpg.program", "false")
    with pytest.raises(SigningFailed):
        Store.open(tmp_path / "linked").remember("unsigned")
    Store.open(folder).remember("not asked to sign")
    assert_sound(folder)


@pytest.mark.parametrize(
    "condition",
    ["gitdir:{folder}/.git", "gitdir/i:{upper}/", "onbranch:main", "hasconfig:remote.*.url:https://host/**"],
)
def test_an_include_under_a_condition_holds_as_it_does_for_git(
    store: Store, folder: Path, sealed_environment: Path, condition: str
) -> None:
    """Name and signing come from the included file wherever git itself would read it, and only there."""
    git(folder, "remote", "add", "origin", "https://host/memories.git")
    included = sealed_environment / "included"
    included.write_text("[user]\n\tname = Included\n")
    filled = condition.format(folder=folder, upper=str(folder).upper())
    with (sealed_environment / ".gitconfig").open("a") as file:
        file.write(f'[includeIf "{filled}"]\n\tpath = {included}\n')
    assert git(folder, "config", "user.name").strip() == "Included"
    store.remember("x")
    assert git(folder, "log", "-1", "--format=%an").strip() == "Included"
    included.write_text("[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = false\n")
    with pytest.raises(SigningFailed):
        Store.open(folder).remember("y")


@pytest.mark.parametrize("variable", ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"])
def test_a_config_file_named_by_the_environment_holds_as_it_does_for_git(
    store: Store,
    folder: Path,
    sealed_environment: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
) -> None:
    """The author is who git would say."""
    (sealed_environment / ".gitconfig").unlink()
    monkeypatch.delenv("GIT_CONFIG_NOSYSTEM")
    (tmp_path / "named").write_text("[user]\n\tname = Named\n\temail = named@example.com\n")
    monkeypatch.setenv(variable, str(tmp_path / "named"))
    Store.open(folder).remember("x")
    assert git(folder, "log", "-1", "--format=%an").strip() == "Named"


def test_a_person_who_lets_git_look_for_no_bare_repository_can_sync_and_forget(
    store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`safe.bareRepository=explicit` keeps git from a git directory that it stands in; gitmem sends it there."""
    set_by = tmp_path / "their-config"
    set_by.write_text("[user]\nname = Ann\nemail = ann@example.com\n[safe]\nbareRepository = explicit\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(set_by))
    store.remember("the first text", id="a")
    git(tmp_path, "clone", "-q", "--bare", str(folder), "hub.git")
    git(folder, "remote", "add", "origin", str(tmp_path / "hub.git"))
    Store.clone(str(tmp_path / "hub.git"), tmp_path / "other")
    other = Store.open(tmp_path / "other")
    other.update("a", "of the other")
    other.sync()
    store.update("a", "of this one")
    store.sync()
    assert [each.id for each in store.conflicts().memories] == ["a"]
    bare = Store.open(tmp_path / "hub.git")
    bare.remember("bare otter", id="b")
    bare.archive(["b"])
    assert bare.undo().files == 2


def test_edits_are_committed_as_what_they_are_whatever_encoding_is_configured(
    store: Store, folder: Path
) -> None:
    """Git does not convert: it would only say of UTF-8 that it is Latin-1, and show two letters for one."""
    git(folder, "config", "i18n.commitEncoding", "ISO-8859-1")
    git(folder, "config", "user.name", "Jörg Müller")
    store.remember("otter", path="a.md")
    (folder / "a.md").write_text("Größe des Otters\n")
    store.commit_edits()
    newest = store.log().entries[0]
    assert (newest.author, newest.subject) == ("Jörg Müller", "commit: Größe des Otters")


@pytest.mark.parametrize("setting", ["commit.gpgsign", "core.bare", "extensions.worktreeConfig"])
def test_a_setting_of_git_that_is_neither_true_nor_false_is_named(
    store: Store, folder: Path, setting: str
) -> None:
    """Git itself would not commit with it; to guess would be to sign what was not to be, or not to."""
    config = folder / ".git" / "config"
    before = config.read_text()
    git(folder, "config", "-f", str(config), setting, "maybe")
    with pytest.raises(StoreProblem, match=rf"(?i){setting}.*maybe.* is neither true nor false"):
        Store.open(folder).remember("x")
    config.write_text(before)
    assert_sound(folder)
    assert Store.open(folder).recall("x").total == 0
