"""Sums of the files of an index, by which damage is found that nothing else would show.

Whoosh does not flush its files, so a power cut can leave them cut off or full of zeros, and zeros in the
middle of postings read like other postings. As long as the machine has not been started anew since the files
were written, they are what was written. After that they are summed up once more, before anything is believed.

`sums-<generation>.json` holds the start of the machine, size and CRC-32 of each file of the generation, and
its segments with what is deleted in each: so that who reads need not load Whoosh to read its table.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Sequence
from pathlib import Path

from gitmem.git.beneath import open_regular, read_regular, write_new_file
from gitmem.index.leftovers import unfinished_file
from gitmem.platform import boot_id

Sums = dict[str, tuple[int, int]]
Listed = Sequence[tuple[str, Sequence[int]]]
"""The file of each segment, and which of its documents are deleted."""
_SEGMENT = re.compile(r"MAIN_[0-9a-z]+\.seg")
_KEPT = 4
_CHUNK_BYTES = 1 << 20


class SumsDiffer(Exception):
    """A file of the index is not what was written."""


def write_sums(folder: Path, generation: int, segments: Listed | None) -> None:
    """Notes the files of a generation just published. Segments never change, so their sums are kept.

    `segments` are None where they are not known any more, since a newer generation is there.
    """
    _, before = _read(folder, _newest(folder, generation))
    files = [folder / f"_MAIN_{generation}.toc", *folder.glob("MAIN_*.seg")]
    sums = {}
    for file in files:
        try:
            known = before.get(file.name)
            is_known = known is not None and known[0] == file.stat().st_size
            sums[file.name] = known if is_known and known else _sum_of(file)
        except OSError:
            # It went away with a newer generation.
            continue
    _write(folder, generation, sums, segments)
    for old in _generations(folder):
        if old < generation - _KEPT:
            (folder / _name(old)).unlink(missing_ok=True)


def listed_segments(folder: Path, generation: int) -> Listed | None:
    """The segments of a generation, as noted; None where nothing is."""
    try:
        data = json.loads(read_regular(folder / _name(generation)) or b"")
        found = [(str(name), [int(number) for number in deleted]) for name, deleted in data["segments"]]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if all(_SEGMENT.fullmatch(name) for name, _ in found) else None


def is_proved(folder: Path, generation: int) -> bool:
    """Whether the files of a generation are those that were written; False where nothing is noted of them.

    Raises `SumsDiffer` where they are not.
    """
    newest: int | None = generation
    boot, sums = _read(folder, generation)
    if boot is None:
        # A writer died, or is, between publishing a generation and noting it.
        newest = _newest(folder, generation)
        boot, sums = _read(folder, newest)
    if boot == boot_id() and (boot or newest == generation):
        if not boot:
            _compare(folder, sums, are_sizes_enough=True)
        return bool(sums)
    if newest != generation:
        return False
    _compare(folder, sums)
    _write(folder, generation, sums, listed_segments(folder, generation))
    return bool(sums)


def verify(folder: Path, generation: int) -> None:
    """Sums up every file that is noted of the generation. Raises `SumsDiffer`."""
    _compare(folder, _read(folder, generation)[1])


def _compare(folder: Path, sums: Sums, *, are_sizes_enough: bool = False) -> None:
    for name, (size, crc) in sums.items():
        try:
            is_same = (folder / name).stat().st_size == size
            is_same = is_same and (are_sizes_enough or _sum_of(folder / name) == (size, crc))
        except FileNotFoundError:
            # A newer generation has taken it away; what it still needs is noted with that one.
            continue
        if not is_same:
            raise SumsDiffer(f"{folder / name} is not what was written")


def _sum_of(file: Path) -> tuple[int, int]:
    size, crc = 0, 0
    with os.fdopen(open_regular(file), "rb") as opened:
        while chunk := opened.read(_CHUNK_BYTES):
            size, crc = size + len(chunk), zlib.crc32(chunk, crc)
    return size, crc


def _read(folder: Path, generation: int | None) -> tuple[str | None, Sums]:
    if generation is None:
        return None, {}
    try:
        data = json.loads(read_regular(folder / _name(generation)) or b"")
        return str(data["boot"]), {name: (int(size), int(crc)) for name, (size, crc) in data["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None, {}


def _write(folder: Path, generation: int, sums: Sums, segments: Listed | None) -> None:
    """Not flushed: a file of sums that a power cut damaged proves nothing, and the index is built again."""
    beside = unfinished_file(folder / _name(generation))
    try:
        noted = {"boot": boot_id(), "files": sums, "segments": segments}
        write_new_file(beside, json.dumps(noted).encode("ascii"))
        beside.replace(folder / _name(generation))
    except OSError:
        beside.unlink(missing_ok=True)


def _generations(folder: Path) -> list[int]:
    names = [name for name in os.listdir(folder) if name.startswith("sums-") and name.endswith(".json")]  # noqa: PTH208
    numbers = [name.removeprefix("sums-").removesuffix(".json") for name in names]
    return [int(number) for number in numbers if number.isdigit()]


def _newest(folder: Path, generation: int) -> int | None:
    return max((number for number in _generations(folder) if number <= generation), default=None)


def _name(generation: int) -> str:
    return f"sums-{generation}.json"
