"""A repository that hides something answers every question alike, for every commit there is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.errors import NotFound
from gitmem.git.repository import Repository, TreeEntry
from gitmem.model.ids import BlobId
from gitmem.model.place import owner_of
from gitmem.model.reading import read_memory
from gitmem.versions.place import find_place
from gitmem.versions.veil import VeiledRepository
from tests.apart.conftest import BOT, MARK, Planted, as_person
from tests.conftest import git


@pytest.fixture
def folder(planted: Planted) -> Path:
    return planted.shared()


def veil_over(folder: Path) -> VeiledRepository:
    veil = find_place(folder).seen_by(BOT).veil
    assert veil is not None
    return veil


def commits(folder: Path) -> list[str]:
    return git(folder, "rev-list", "--all").split()


def is_apart(entry: TreeEntry, all_of_it: dict[str, TreeEntry], repository: Repository) -> bool:
    """Whether the policy of the planted store hides a file by where it stands, told in other words."""
    if entry.path.startswith("."):
        return False
    memory = all_of_it[owner_of(entry.path) or entry.path]
    header = read_memory(memory.path, BlobId(memory.oid), repository.read_blob(memory.oid))
    return "/people/" in entry.path or header.type == "episodic"


def test_what_is_hidden_is_what_the_policy_says_of_path_type_and_present_place(folder: Path) -> None:
    whole, veil = Repository.discover(folder), veil_over(folder)
    tips = {
        git(folder, "rev-parse", branch).strip() for branch in ("main", "archive", "working", "quarantine")
    }
    gone: set[str] = set()
    for commit in tips:
        files = {entry.path: entry for entry in whole.walk(commit)}
        for entry in files.values():
            if entry.path.endswith(".md") and is_apart(entry, files, whole):
                gone.add(read_memory(entry.path, BlobId(entry.oid), whole.read_blob(entry.oid)).id)
    assert "zanzibar-was" in gone
    for commit in commits(folder):
        files = {entry.path: entry for entry in whole.walk(commit)}
        seen = {
            entry.path
            for entry in files.values()
            if not is_apart(entry, files, whole)
            and (commit in tips or not any(f"{name}." in entry.path for name in gone))
        }
        assert {entry.path for entry in veil.walk(commit)} == seen, commit


def test_trees_folders_files_and_differences_agree(folder: Path) -> None:
    whole, veil = Repository.discover(folder), veil_over(folder)
    for commit in commits(folder):
        seen = {entry.path: entry for entry in veil.walk(commit)}
        assert seen.keys() == set(_below(veil, commit, ""))
        for entry in whole.walk(commit):
            assert (veil.entry(commit, entry.path) is not None) == (entry.path in seen)
        parents = veil.commit(commit).parents
        before = {entry.path: entry for entry in veil.walk(parents[0])} if parents else {}
        changes = veil.diff_trees(parents[0] if parents else None, commit)
        without_added = veil.diff_trees(parents[0] if parents else None, commit, without_added=True)
        assert without_added == [change for change in changes if change.old is not None]
        assert {change.path: change.new for change in changes} == {
            path: seen.get(path) for path in {*before, *seen} if before.get(path) != seen.get(path)
        }


def _below(veil: VeiledRepository, commit: str, folder: str) -> Iterator[str]:
    for name, (mode, _) in veil.names_in(commit, folder).items():
        path = f"{folder}/{name.decode()}" if folder else name.decode()
        if mode == 0o040000:
            yield from _below(veil, commit, path)
        else:
            yield path


def test_the_words_of_a_commit_are_shown_only_where_it_touched_nothing_hidden(folder: Path) -> None:
    whole, veil = Repository.discover(folder), veil_over(folder)
    told = 0
    for commit in commits(folder):
        shown, real = veil.commit(commit), whole.commit(commit)
        assert MARK not in shown.message.casefold()
        assert (shown.id, shown.tree, shown.parents) == (real.id, real.tree, real.parents)
        told += shown == real
    assert told > 5


def test_no_revision_looks_into_messages_or_trees(folder: Path) -> None:
    veil = veil_over(folder)
    for revision in (":/Zanzibar", "main^{/Zanzibar}", "main:semantic/people"):
        with pytest.raises(NotFound):
            veil.resolve_commit(revision)
    assert veil.resolve_commit("main~1")


def test_what_is_kept_of_hidden_files_follows_the_branch(planted: Planted) -> None:
    """After any writes it is what a first look finds; damage and rewritten branches are found out."""
    folder = planted.copy("mem")
    kept = folder / ".git/gitmem/apart"

    def hidden() -> dict[str, str]:
        return dict(veil_over(folder).hidden_at(git(folder, "rev-parse", "main").strip()) or {})

    def is_right() -> bool:
        followed = hidden()
        for file in kept.iterdir():
            file.unlink()
        return followed == hidden() and bool(followed)

    assert is_right()
    person = as_person(folder)
    person.remember("Zanzibar, again.", id="again", namespace="people/dan")
    assert is_right()
    assert "again" in hidden().values()
    person.rename("again", namespace="open")
    person.rename("tea", namespace="people/dan")
    assert is_right()
    assert "tea" in hidden().values()
    person.archive(["tea"])
    assert is_right()
    for file in kept.iterdir():
        file.write_bytes(b"damaged")
    assert is_right()
    git(folder, "reset", "-q", "--hard", "HEAD~6")
    git(folder, "reflog", "expire", "--expire=now", "--all")
    assert is_right()


def test_a_header_that_could_not_be_read_is_read_again(planted: Planted) -> None:
    """The object of a hidden memory is missing while an agent asks; it comes back, and its past is hidden."""
    folder = planted.copy("mem")
    public = as_person(folder).remember("Open once.", id="roving", namespace="open")
    moved = as_person(folder).rename("roving", namespace="people/carol")
    git(folder, "mv", moved.path, "semantic/people/carol/by-hand.md")
    git(folder, "commit", "-qm", "a name without an id")
    blob = git(folder, "rev-parse", "HEAD:semantic/people/carol/by-hand.md").strip()
    place = folder / ".git/objects" / blob[:2] / blob[2:]
    away = place.rename(place.with_name("away"))
    assert "roving" not in veil_over(folder).hidden_ids
    away.rename(place)
    assert "roving" in veil_over(folder).hidden_ids
    assert public.version is not None
    assert veil_over(folder).entry(public.version, public.path) is None
