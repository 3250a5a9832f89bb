"""Refs that loop, that stand at something that is no commit, or that are no files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import GitmemError, StoreProblem
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem
from tests.hostile.conftest import Outside
from tests.hostile.crafting import blob


def heads(folder: Path) -> Path:
    return folder / ".git/refs/heads"


def write(file: Path, text: str | bytes) -> None:
    file.unlink(missing_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)


def put_loop(folder: Path, name: str) -> None:
    write(heads(folder) / name, f"ref: refs/heads/{name}\n")


def put_circle(folder: Path, name: str) -> None:
    write(heads(folder) / name, "ref: refs/heads/other\n")
    write(heads(folder) / "other", f"ref: refs/heads/{name}\n")


def put_outside(folder: Path, name: str) -> None:
    write(heads(folder) / name, "ref: ../../../outside/ref\n")


def put_absolute(folder: Path, name: str) -> None:
    write(heads(folder) / name, f"ref: {folder.parent}/outside/ref\n")


def put_blob(folder: Path, name: str) -> None:
    write(heads(folder) / name, blob(folder, "no commit") + "\n")


def put_tree(folder: Path, name: str) -> None:
    write(heads(folder) / name, git(folder, "rev-parse", "HEAD^{tree}"))


def put_tag(folder: Path, name: str) -> None:
    git(folder, "tag", "-a", "-m", "t", "annotated")
    write(heads(folder) / name, git(folder, "rev-parse", "annotated"))


def put_nothing(folder: Path, name: str) -> None:
    write(heads(folder) / name, "1" * 40 + "\n")


def put_garbage(folder: Path, name: str) -> None:
    write(heads(folder) / name, b"\xff\0" * 1000)


def put_large(folder: Path, name: str) -> None:
    write(heads(folder) / name, b"a" * 5_000_000)


def put_pipe(folder: Path, name: str) -> None:
    (heads(folder) / name).unlink(missing_ok=True)
    os.mkfifo(heads(folder) / name)


REFS = [
    put_loop,
    put_circle,
    put_outside,
    put_absolute,
    put_blob,
    put_tree,
    put_tag,
    put_nothing,
    put_garbage,
    put_large,
    put_pipe,
]


@pytest.mark.parametrize("put", REFS)
def test_a_main_that_is_no_branch_is_named(
    store: Store, folder: Path, outside: Outside, put: Callable[[Path, str], None]
) -> None:
    """One line with exit code 7 for every verb: it is never an empty store, and nothing is written over it."""
    store.remember("fine zebra", id="ok")
    (outside.folder / "ref").write_text(git(folder, "rev-parse", "HEAD"))
    put(folder, "main")
    outside.seal()
    for verb in (
        lambda: Store.open(folder).recall("zebra"),
        lambda: Store.open(folder).remember("x"),
        lambda: store.remember("x"),
        lambda: store.archive(["ok"]),
        lambda: store.list(),
    ):
        with pytest.raises(StoreProblem) as caught:
            verb()
        assert "\n" not in caught.value.message
    outside.assert_untouched()


@pytest.mark.parametrize("put", REFS)
def test_an_archive_that_is_no_branch_takes_nothing_in(
    store: Store, folder: Path, outside: Outside, put: Callable[[Path, str], None]
) -> None:
    """A move is refused before anything leaves main; the rest of the store works."""
    store.remember("fine zebra", id="ok")
    (outside.folder / "ref").write_text(git(folder, "rev-parse", "HEAD"))
    put(folder, "archive")
    before = git(folder, "rev-parse", "main")
    outside.seal()
    with pytest.raises(StoreProblem):
        store.archive(["ok"])
    assert git(folder, "rev-parse", "main") == before
    assert store.recall("zebra").total == 1
    store.append("ok", "more")
    assert store.show("ok").memory.body == "fine zebra\nmore\n"
    outside.assert_untouched()


def test_two_names_of_one_branch_lose_no_memory(store: Store, folder: Path) -> None:
    """Where archive is another name for main, what arrives on one would be taken off both."""
    store.remember("fine zebra", id="ok")
    git(folder, "symbolic-ref", "refs/heads/archive", "refs/heads/main")
    with pytest.raises(StoreProblem, match="another name"):
        store.archive(["ok"])
    assert store.show("ok").memory.body == "fine zebra\n"


def test_a_link_in_the_place_of_a_ref_is_replaced_not_followed(
    store: Store, folder: Path, outside: Outside
) -> None:
    """A write makes the ref a file; what the link led to keeps its bytes."""
    store.remember("fine zebra", id="ok")
    (outside.folder / "ref").write_text(git(folder, "rev-parse", "HEAD"))
    (heads(folder) / "main").unlink()
    (heads(folder) / "main").symlink_to(outside.folder / "ref")
    before = (outside.folder / "ref").read_text()
    written = store.append("ok", "more")
    assert (outside.folder / "ref").read_text() == before
    assert not (heads(folder) / "main").is_symlink()
    assert git(folder, "rev-parse", "main").strip() == written.version
    assert_sound(folder)


NAMES = [
    "$(touch ran)",
    "`touch ran`",
    "a;b",
    "\u202ebidi",
    "c1\x9b31m",
    "-x",
    "e\x1b[31m",
    "new\nline",
    "star*",
    "a..b",
]


def test_branches_with_odd_names_disturb_nothing(store: Store, folder: Path) -> None:
    """Names that git itself would not give out are passed over; the others are names like any other."""
    store.remember("fine zebra", id="ok")
    head = git(folder, "rev-parse", "HEAD")
    for name in NAMES:
        write(heads(folder) / name, head)
    store.remember("new zebra", id="new")
    store.archive(["ok"])
    assert store.recall("zebra", archived=True).total == 2
    assert store.status().branches == {"archive": 1}
    assert not list(folder.rglob("ran"))
    for name in NAMES:
        done = gitmem(folder, "list", f"--branch={name}") if name == "-x" else None
        assert done is None or (done.code == 2 and done.err.count("\n") == 1)


@pytest.mark.parametrize("name", ["main", "refs/heads/main", "HEAD", "archive"])
def test_a_tag_of_the_same_name_is_not_the_branch(store: Store, folder: Path, name: str) -> None:
    """`main` is the branch, whatever tags there are."""
    store.remember("first", id="one")
    git(folder, "update-ref", f"refs/tags/{name}", "HEAD")
    store.remember("second", id="two")
    store.archive(["one"])
    assert store.recall("second").total == 1
    assert [each.id for each in store.on("archive").list().records] == ["one"]
    assert store.append("two", "more", expect=store.show("two").version).replaced
    assert_sound(folder)


@pytest.mark.parametrize("content", [b"\0\xff garbage\n" * 100, b"x" * 1_000_000, b"^peeled first\n"])
def test_a_damaged_list_of_packed_refs_is_not_an_empty_store(
    store: Store, folder: Path, content: bytes
) -> None:
    """Either it does not matter, or one line names it; main is never taken for unborn."""
    store.remember("fine zebra", id="ok")
    (folder / ".git/packed-refs").write_bytes(content)
    assert Store.open(folder).recall("zebra").total == 1
    git(folder, "pack-refs", "--all", check=False)
    (folder / ".git/packed-refs").unlink()
    git(folder, "pack-refs", "--all", "--prune")
    (folder / ".git/packed-refs").write_bytes(content)
    with pytest.raises(GitmemError) as caught:
        Store.open(folder).recall("zebra")
    assert caught.value.exit_code == 7


@pytest.mark.parametrize("name", ["HEAD", "config", "index", "packed-refs", "commondir"])
def test_a_pipe_in_the_place_of_a_file_of_git_is_not_waited_for(
    store: Store, folder: Path, name: str
) -> None:
    """One line at once, instead of waiting for somebody to write into it."""
    (folder / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(folder / ".git" / name)
    with pytest.raises(StoreProblem):
        Store.open(folder)


@pytest.mark.parametrize(
    "head",
    [
        "ref: ../../outside/secret.md\n",
        "ref: refs/tags/x\n",
        "ref: refs/heads/../../x\n",
        "x" * 100_000,
        "",
        "\xff\0",
    ],
)
def test_a_head_that_names_no_branch_hides_no_memory(
    store: Store, folder: Path, outside: Outside, head: str
) -> None:
    """Main is found by its name, or the damage is said; nothing outside is read or written."""
    store.remember("fine zebra", id="ok")
    (folder / ".git/HEAD").write_text(head)
    outside.seal()
    try:
        assert Store.open(folder).recall("zebra").total == 1
        Store.open(folder).remember("x")
    except StoreProblem as error:
        assert "\n" not in error.message
    outside.assert_untouched()
