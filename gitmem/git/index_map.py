"""What was found out about one state of git's index, kept so that the next write need not read every entry.

An index is known by the SHA-1 at its end. Whoever uses a map has compared it with the bytes, so a map can be
missing or stale, never wrong for the index that it is used for.
"""

from __future__ import annotations

import contextlib
import json
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.git.beneath import read_regular, replace_regular
from gitmem.git.cache_tree import NodePlaces
from gitmem.platform import is_process_alive, make_private_directory

_FORMAT = f"gitmem-index-map-1-{sys.byteorder}"
_LARGEST_GAP = 1_024


class IndexMap(Struct, frozen=True):
    """Where some entries begin, the first among them; where they end; and the nodes of the TREE extension.

    `recent` are the paths of all entries whose file was changed in the second `since` or later.
    """

    checksum: bytes
    anchors: array[int]
    end: int
    nodes: NodePlaces | None
    recent: Sequence[bytes]
    since: int


def map_file(common_dir: Path, git_dir: Path) -> Path:
    """Where the map for the index of a worktree is kept."""
    name = "main" if git_dir == common_dir else f"worktree-{git_dir.name}"
    return common_dir / "gitmem" / "index-maps" / name


def read_map(file: Path, checksum: bytes) -> IndexMap | None:
    """The map of the index that ends in `checksum`; None where there is none."""
    try:
        data = read_regular(file) or b""
        head, _, body = data[8:].partition(b"\n")
        facts = json.loads(head)
        is_ours = facts["format"] == _FORMAT and bytes.fromhex(facts["checksum"]) == checksum
        if not is_ours or int(data[:8], 16) != zlib.crc32(data[8:]):
            return None
        arrays, at = [], 0
        for count in facts["counts"]:
            arrays.append(array("I", body[at : at + 4 * count]))
            at += 4 * count
        anchors, starts, behind = arrays
        recent = [path.encode("latin-1") for path in facts["recent"]]
        nodes = NodePlaces(starts, behind) if starts else None
        return IndexMap(checksum, anchors, int(facts["end"]), nodes, recent, int(facts["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_map(file: Path, known: IndexMap) -> None:
    """Keep `known` for the next write. A disk that refuses costs time, nothing else."""
    nodes = known.nodes or NodePlaces(array("I"), array("I"))
    arrays = (known.anchors, nodes.starts, nodes.behind)
    facts = {
        "format": _FORMAT,
        "checksum": known.checksum.hex(),
        "end": known.end,
        "counts": [len(each) for each in arrays],
        "recent": [path.decode("latin-1") for path in known.recent],
        "since": known.since,
    }
    data = json.dumps(facts).encode("ascii") + b"\n" + b"".join(each.tobytes() for each in arrays)
    with contextlib.suppress(OSError):
        make_private_directory(file.parent)
        _remove_unfinished(file)
        replace_regular(file, b"%08x" % zlib.crc32(data), data)


def _remove_unfinished(file: Path) -> None:
    """Takes away what a killed writer of `file` left. One that lives would only go without its map."""
    for other in file.parent.glob(f"{file.name}.*.new"):
        pid = other.name.split(".")[-3]
        if pid.isdigit() and not is_process_alive(int(pid), None):
            other.unlink(missing_ok=True)


def moved(anchors: array[int], edits: Sequence[tuple[int, int, int]], end: int) -> tuple[array[int], int]:
    """Where anchors and the end of the entries are after `edits`: (start, end, new length), sorted.

    Entries that are put far from an anchor become anchors themselves.
    """
    found = array("I")
    shift = done = 0
    for start, stop, length in edits:
        upto = bisect_left(anchors, start)
        found.extend([at + shift for at in anchors[done:upto]])
        done = bisect_left(anchors, stop) if stop > start else upto
        ahead = (anchors[done] if done < len(anchors) else end) - stop + length
        behind = start + shift - found[-1] if found else _LARGEST_GAP
        if length and max(ahead, behind) >= _LARGEST_GAP:
            found.append(start + shift)
        shift += length - (stop - start)
    found.extend([at + shift for at in anchors[done:]])
    return found, end + shift
