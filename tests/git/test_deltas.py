"""A tree that is written as what it changes in another one is read back as it was."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from gitmem.git.deltas import common_end, common_start
from gitmem.git.packs import DEEPEST_DELTA, PackWriter
from gitmem.git.repository import Repository
from tests.conftest import git


def _tree(entries: dict[str, bytes]) -> bytes:
    return b"".join(b"100644 %b\0%b" % (name.encode(), entries[name]) for name in sorted(entries))


def test_many_versions_of_one_tree_come_back_from_the_pack(person: None, tmp_path: Path) -> None:
    """Entries come, go and change, at the ends and between; the chain of deltas is longer than git's."""
    chance = random.Random(7)
    folder = tmp_path / "repo"
    repo = Repository.create(folder)
    blob = bytes.fromhex(repo.write_blob(b"a file"))
    other = bytes.fromhex(repo.write_blob(b"another file"))
    entries = {f"name-{number:04}": blob for number in range(400)}
    written: dict[str, bytes] = {}
    with PackWriter(repo.common_dir / "objects" / "pack") as pack:
        like = b""
        for _ in range(3 * DEEPEST_DELTA):
            name = chance.choice([f"name-{chance.randrange(400):04}", "a-first", "z-last"])
            if chance.random() < 0.3:
                entries.pop(name, None)
            else:
                entries[name] = chance.choice([blob, other])
            data = _tree(entries)
            written[pack.tree(data, like)] = data
            like = data
        written[pack.tree(b"", like)] = b""
    assert len(written) > DEEPEST_DELTA
    size = sum(file.stat().st_size for file in (repo.common_dir / "objects" / "pack").glob("*.pack"))
    assert size < sum(map(len, written.values())) / 10
    fresh = Repository.discover(folder)
    assert all(fresh.raw.read(oid)[1] == data for oid, data in written.items())
    git(folder, "fsck", "--strict")
    git(folder, "verify-pack", str(next((repo.common_dir / "objects" / "pack").glob("*.idx"))))


BYTES = st.binary(max_size=40).map(lambda data: bytes(byte % 3 for byte in data))


@given(st.tuples(BYTES, st.integers(0, 90)), BYTES, BYTES, BYTES)
def test_what_two_texts_have_in_common_is_counted_byte_by_byte(
    alike: tuple[bytes, int], one: bytes, other: bytes, end: bytes
) -> None:
    start = alike[0] + b"\1" * alike[1]
    left, right = start + one + end, start + other + end
    shorter = min(len(left), len(right))
    same = next((at for at in range(shorter) if left[at] != right[at]), shorter)
    assert common_start(left, right) == same
    most = shorter - same
    back = next((at for at in range(most) if left[-1 - at] != right[-1 - at]), most)
    assert common_end(left, right, same) == back
