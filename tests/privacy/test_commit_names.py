"""A header that names a commit of its own history names, after a forget, the commit that stands for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from gitmem.flows.forgetting.rewrite import NoObjects
from gitmem.git.repository import Repository
from gitmem.git.rewrite import Rewriter
from gitmem.git.rewrite_trees import TreeRewriter
from gitmem.store import Store
from tests.conftest import assert_sound, git

FILE = "semantic/an/anch0001.md"
MEMORY = (
    "---\nid: anch0001\nsource: {source}\nanchors:\n  - src/app.py#main@{anchor}\n---\nSee {anchor} for it.\n"
)


@pytest.fixture
def named(store: Store, folder: Path) -> dict[str, str]:
    """A store in which one commit is named; by name: it, one that will be dropped, and one that is not here."""
    store.remember("What nobody may know is swordfish-2290417.", id="gone0001")
    dropped = git(folder, "rev-parse", "HEAD").strip()
    store.remember("kept here", id="kept0001", title="A title that is found again")
    return {
        "kept": git(folder, "rev-parse", "HEAD").strip(),
        "dropped": dropped,
        "other": "c0ffee" * 6 + "abcd",
    }


def put(folder: Path, *, source: str, anchor: str) -> None:
    file = folder / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(MEMORY.format(source=source, anchor=anchor))
    git(folder, "add", FILE)
    git(folder, "commit", "-qm", "by hand")


def header(folder: Path, revision: str = "HEAD") -> list[str]:
    """What the header says of commits: the source, and the anchor."""
    lines = git(folder, "show", f"{revision}:{FILE}").splitlines()
    return [lines[2].removeprefix("source: "), lines[4].rpartition("@")[2]]


def test_it_names_the_commit_that_stands_now(store: Store, folder: Path, named: dict[str, str]) -> None:
    put(folder, source=f"notes/day.md@{named['kept']}", anchor=named["kept"][:12])
    assert store.forget(["gone0001"]).proof.holds
    source, anchor = header(folder)
    new = git(folder, "log", "--format=%H", "--grep=A title that is found again").strip()
    assert new and new != named["kept"]
    assert source == f"notes/day.md@{new}" and anchor == new[:12]
    text = (folder / FILE).read_text()
    assert text == git(folder, "show", f"HEAD:{FILE}")
    # What a body says is the writer's.
    assert text.endswith(f"See {named['kept'][:12]} for it.\n")
    assert_sound(folder)


@pytest.mark.parametrize("name", ["dropped", "other"])
def test_another_name_stays(store: Store, folder: Path, named: dict[str, str], name: str) -> None:
    put(folder, source=f"notes/day.md@{named[name]}", anchor=named[name][:12])
    before = git(folder, "rev-parse", f"HEAD:{FILE}")
    assert store.forget(["gone0001"]).proof.holds
    assert git(folder, "rev-parse", f"HEAD:{FILE}") == before


def test_every_version_is_renamed_where_it_was_brought(
    store: Store, folder: Path, named: dict[str, str]
) -> None:
    """Also on another branch, and where it names the version before."""
    put(folder, source="first", anchor=named["kept"][:7])
    git(folder, "branch", "beside")
    put(folder, source="second", anchor=git(folder, "rev-parse", "HEAD").strip())
    assert store.forget(["gone0001"]).proof.holds
    first, second = git(folder, "log", "--format=%H", "--grep=by hand").split()[::-1]
    kept = git(folder, "log", "--format=%H", "--grep=A title that is found again").strip()
    assert header(folder, first) == header(folder, "beside") == ["first", kept[:7]]
    assert header(folder, second) == ["second", first]
    assert git(folder, "status", "--porcelain") == ""


class NamesTheTip:
    """Files of which each names the last commit: a few digits can be made to fit one that comes later."""

    def __init__(self, tip: str) -> None:
        self.tip = tip
        self.told: list[str | None] = []

    def needed(self, oid: str) -> Iterable[str]:
        return [self.tip]

    def settle(
        self,
        oid: str,
        standing: Callable[[str], str | None],
        write: Callable[[bytes], str],
    ) -> None:
        self.told.append(standing(self.tip))


def test_a_commit_that_comes_later_is_not_waited_for(named: dict[str, str], folder: Path) -> None:
    repo, objects = Repository.discover(folder), NoObjects()
    naming = NamesTheTip(named["kept"])
    trees = TreeRewriter(repo, objects, {})
    rewriter = Rewriter(repo, objects, trees, lambda _oid, message: message, (), None, naming)
    assert rewriter.commit(named["kept"]) == named["kept"]
    assert naming.told == [None, None, None]
