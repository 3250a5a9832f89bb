"""Looks for words in everything that lies in a folder, without any of gitmem's code.

Run as `python raw_search.py FOLDER WORD...`: prints each place where a word stands. Objects are read with git
itself, every other file as bytes; what looks like zlib or gzip data is unpacked too.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path


def places(top: Path, words: list[bytes]) -> list[str]:
    """Where one of the words stands, in upper or lower case."""
    low = [word.lower() for word in words]
    found = []
    for name, data in [*_files(top), *_objects(top)]:
        text = data.lower()
        found += [f"{name}: {word.decode()}" for word in low if word in text or word in name.lower().encode()]
    return found


def _files(top: Path) -> Iterator[tuple[str, bytes]]:
    for folder, folders, files in os.walk(top):
        for name in [*files, *folders]:
            path = Path(folder) / name
            if path.is_symlink():
                yield str(path), os.fsencode(path.readlink())
            elif path.is_file():
                data = path.read_bytes()
                yield str(path), data
                for unpack in (zlib.decompress, gzip.decompress):
                    try:
                        yield f"{path} unpacked", unpack(data)
                    except (OSError, EOFError, zlib.error):
                        continue
            else:
                yield str(path), b""


def _objects(top: Path) -> Iterator[tuple[str, bytes]]:
    """Every object of every repository below the folder, packed or loose, whether anything names it or not."""
    for objects in top.rglob("objects"):
        git_dir = objects.parent
        if not (git_dir / "HEAD").is_file():
            continue
        run = ["git", "--git-dir", str(git_dir), "cat-file", "--batch-all-objects", "--batch", "--unordered"]
        output = subprocess.run(run, capture_output=True, check=True).stdout
        at = 0
        while at < len(output):
            end = output.index(b"\n", at)
            oid, kind, size = output[at:end].decode().split(" ")
            at = end + 1 + int(size)
            yield f"{git_dir} {kind} {oid}", output[end + 1 : at]
            at += 1


if __name__ == "__main__":
    for place in places(Path(sys.argv[1]), [word.encode() for word in sys.argv[2:]]):
        print(place)
