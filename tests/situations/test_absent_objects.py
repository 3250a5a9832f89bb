"""Partial clones whose origin is gone: what is missing is named, and never passed over in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import Conflict, Damaged
from gitmem.store import Store
from tests.conftest import git, gitmem

WAY_OUT = "git fetch --refetch --no-filter"


@pytest.fixture
def origin(store: Store, folder: Path) -> Path:
    """A store with two memories, one of them in two versions, that gives out parts of itself."""
    store.remember("alpha otter", path="near/a.md", id="a")
    store.remember("beta otter", path="far/b.md", id="b")
    store.update("b", "beta heron")
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    return folder


def clone(origin: Path, *how: str) -> Path:
    """A clone without the contents of files that are not checked out."""
    target = origin.parent / "partial"
    git(origin.parent, "clone", "-q", "--filter=blob:none", *how, origin.as_uri(), str(target))
    return target


def gone(origin: Path) -> Path:
    """Takes the origin out of reach; where it is now."""
    return origin.rename(origin.parent / "gone")


@pytest.fixture
def sparse(origin: Path) -> Path:
    """A partial and sparse clone, out of reach of its origin, which has `near/` and not `far/`."""
    target = clone(origin, "--sparse")
    git(target, "sparse-checkout", "set", ".gitmem", "near")
    gone(origin)
    return target


def test_a_partial_clone_without_its_config_names_the_config_and_the_way_out(origin: Path) -> None:
    """Every verb says in one line which file is not here and which command brings it."""
    target = clone(origin, "--no-checkout")
    gone(origin)
    for arguments in (["recall", "otter"], ["remember", "x"], ["status"]):
        done = gitmem(target, *arguments)
        assert (done.code, done.out, done.err.count("\n")) == (7, "", 1), done
        assert "main:.gitmem/config.toml" in done.err and WAY_OUT in done.err


def test_a_memory_that_is_not_here_is_named_with_the_way_out(sparse: Path) -> None:
    """Reading or changing it is exit code 7; nothing is written over what nobody has read."""
    # The first use says that this is a clone.
    gitmem(sparse, "status")
    before = git(sparse, "for-each-ref")
    for arguments in (["show", "b"], ["append", "b", "x"], ["archive", "b"], ["show", "no-such-id"]):
        done = gitmem(sparse, *arguments)
        assert (done.code, done.out, done.err.count("\n")) == (7, "", 1), done
        assert "far/b.md" in done.err and "partial clone" in done.err and WAY_OUT in done.err
    with pytest.raises(Conflict):
        Store.open(sparse).remember("the id may be taken", id="b")
    assert git(sparse, "for-each-ref") == before


@pytest.mark.parametrize("again", ["the first time", "from the index"])
def test_a_recall_that_could_not_read_everything_says_so(sparse: Path, again: str) -> None:
    """Also where nothing was found, also from an index that is up to date, also when listing or in JSON."""
    store = Store.open(sparse)
    if again == "from the index":
        store.recall("otter")
    for answer in (
        store.recall("heron"),
        store.recall("otter"),
        store.list(),
        store.recall("x", archived=True),
    ):
        (note,) = [note for note in answer.notes if "could not be read" in note]
        assert "far/b.md" in note and "near/a.md" not in note and WAY_OUT in note
    assert [str(each.hit.record.id) for each in store.recall("otter").hits] == ["a"]
    assert store.list().labels["far/b.md"] == ("not read in full",)
    assert any(
        "could not be read" in note for note in gitmem(sparse, "recall", "heron", "--json").json["notes"]
    )


def test_the_past_of_a_partial_clone_says_what_it_could_not_read(origin: Path) -> None:
    """The versions of earlier days are not here; that is said instead of "nothing found"."""
    target = clone(origin)
    gone(origin)
    then = Store.open(target).at("HEAD~1")
    for _ in range(2):
        assert any("far/b.md" in note for note in then.recall("beta otter").notes)
    with pytest.raises(Damaged, match="partial clone"):
        Store.open(target).show("b@v1")
    assert Store.open(target).recall("heron").notes == ()


def test_what_was_missing_is_found_as_soon_as_it_is_here(sparse: Path, origin: Path) -> None:
    """The index of an earlier time hides nothing: it is made anew when the objects have come, the past too."""
    store = Store.open(sparse)
    assert store.recall("heron").total == store.at("HEAD~1").recall("beta").total == 0
    (origin.parent / "gone").rename(origin)
    git(sparse, "fetch", "-q", "--refetch", "--no-filter")
    assert store.recall("heron").total == store.at("HEAD~1").recall("beta").total == 1
    assert store.recall("heron").notes == ()
    assert store.show("b").memory.body == "beta heron\n"


def test_a_partial_and_sparse_checkout_is_written_to(sparse: Path) -> None:
    """New memories inside and outside the checkout, and changes inside, are recorded; the status stays clean."""
    store = Store.open(sparse)
    store.append("a", "more")
    store.remember("inside", path="near/n.md")
    store.remember("outside", path="far/n.md")
    assert not (sparse / "far").exists()
    assert git(sparse, "status", "--porcelain") == ""
    names = git(sparse, "ls-tree", "-r", "--name-only", "HEAD").split()
    assert {"near/a.md", "near/n.md", "far/b.md", "far/n.md"} <= set(names)


def test_a_broken_attachment_hides_no_memory(store: Store, folder: Path, tmp_path: Path) -> None:
    """The memory is found by its own text, and the answer says that something of it could not be read."""
    store.remember("heron", id="h")
    (tmp_path / "notes.txt").write_text("attached")
    store.attach("h", [tmp_path / "notes.txt"])
    oid = git(folder, "rev-parse", "HEAD:" + store.show("h").memory.path[:-3] + ".files/notes.txt").strip()
    loose = folder / ".git/objects" / oid[:2] / oid[2:]
    loose.chmod(0o644)
    loose.write_bytes(b"")
    answer = Store.open(folder).recall("heron")
    assert answer.total == 1
    assert any("could not be read" in note for note in answer.notes)
