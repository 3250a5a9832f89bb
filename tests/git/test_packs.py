"""Objects of a large commit are one pack, the one that git itself would index."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.git import packs
from gitmem.git.packs import FEWEST_PACKED, PackWriter, writing_objects
from gitmem.git.repository import Repository
from gitmem.git.tree_edit import tree_with
from tests.git.helpers import assert_sound, git

SIZES = st.sampled_from([0, 1, 15, 16, 2047, 2048, 70_000])
TEXTS = st.lists(st.tuples(SIZES, st.integers(0, 5)), min_size=1, max_size=12)


def files_of(repo: Repository) -> list[Path]:
    return sorted((repo.common_dir / "objects" / "pack").glob("*"))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=TEXTS)
def test_a_pack_and_its_index_are_those_of_git(
    repo: Repository, tmp_path: Path, texts: list[tuple[int, int]]
) -> None:
    """`git index-pack` makes the same index, byte for byte, and every object is found under git's id."""
    assert repo.worktree is not None
    for file in files_of(repo):
        file.unlink()
    datas = [b"%d" % seed * size for size, seed in texts]
    with PackWriter(repo.common_dir / "objects" / "pack") as pack:
        ids = [pack.blob(data) for data in datas]
        ids.append(pack.tree(b""))
    index, written = files_of(repo)
    assert (index.suffix, written.suffix) == (".idx", ".pack")
    copy = tmp_path / written.name
    shutil.copy(written, copy)
    git(repo.worktree, "index-pack", "--strict", "--no-rev-index", str(copy))
    assert copy.with_suffix(".idx").read_bytes() == index.read_bytes()
    for oid, data in zip(ids, datas, strict=False):
        assert oid == repo.blob_id_of(data)
        assert repo.read_blob(oid) == data
    git(repo.worktree, "verify-pack", str(index))
    for file in tmp_path.glob("pack-*"):
        file.unlink()


def test_places_far_into_a_pack_take_eight_bytes(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a pack of more than 2 GB."""
    assert repo.worktree is not None
    monkeypatch.setattr(packs, "_LARGEST_PLAIN", 40)
    with PackWriter(repo.common_dir / "objects" / "pack") as pack:
        ids = [pack.blob(b"text %d\n" % number) for number in range(20)]
    (index,) = (file for file in files_of(repo) if file.suffix == ".idx")
    git(repo.worktree, "verify-pack", str(index))
    for number, oid in enumerate(ids):
        assert git(repo.worktree, "cat-file", "blob", oid) == f"text {number}\n"


def test_what_breaks_off_leaves_nothing(repo: Repository) -> None:
    before = files_of(repo)
    with pytest.raises(ZeroDivisionError), writing_objects(repo, files=FEWEST_PACKED) as objects:
        objects.blob(b"x")
        raise ZeroDivisionError
    with writing_objects(repo, files=FEWEST_PACKED):
        pass
    assert files_of(repo) == before


def test_many_files_are_one_pack_and_few_stay_loose(repo: Repository) -> None:
    """The folders go into the pack as well."""
    base = repo.local_tip("trunk") or repo.head_commit()
    for count in (FEWEST_PACKED, 2):
        with writing_objects(repo, files=count) as objects:
            blobs = {f"d{n % 3}/{count}-{n}.md": objects.blob(b"%d %d" % (count, n)) for n in range(count)}
            tree = tree_with(repo, base, blobs, objects)
        assert len(list(repo.walk(tree))) == 2 + count
        counts = git(repo.git_dir, "count-objects", "-v")
        assert "packs: 1\n" in counts
        if count == FEWEST_PACKED:
            assert f"in-pack: {count + 4}\n" in counts
    assert_sound(repo)
