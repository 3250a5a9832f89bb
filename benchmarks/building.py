"""Stores made of the corpus by `git fast-import`, kept in a folder and put back as they were at each use.

usage: python benchmarks/building.py --folder DIR [--size N ...] [--commits N ...]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import IO

from corpus import FIRST_DAY, Entry, entry

from gitmem.store import Store

FORMAT = 1
"""Raised whenever the corpus or the way of building changes, so that no old store is taken."""
BASE = "refs/benchmark/base"
IMPORT_SECONDS = 1_764_000_000


def store(folder: Path, size: int) -> Path:
    """A store of the first `size` memories, written in one commit, as it was when it was built."""
    return _kept(folder / f"memories-{FORMAT}-{size}", lambda out: _one_commit(out, size))


def history_store(folder: Path, commits: int) -> Path:
    """A store of `commits` commits: four in five add a memory, the others change one that is there."""
    return _kept(folder / f"commits-{FORMAT}-{commits}", lambda out: _many_commits(out, commits))


def churned_store(folder: Path, memories: int, commits: int) -> Path:
    """A store of so many memories, written one a commit; the other commits change one that is there."""
    name = f"churned-{FORMAT}-{memories}-{commits}"
    return _kept(folder / name, lambda out: _churned_commits(out, memories, commits))


def _kept(place: Path, write: object) -> Path:
    if not _is_whole(place):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        _build(place, write)
    _put_back(place)
    return place / "store"


def _is_whole(place: Path) -> bool:
    """Whether a store was built here and nobody has packed it anew since."""
    try:
        kept = json.loads((place / "complete.json").read_bytes())
    except (OSError, ValueError):
        return False
    return all((place / "store/.git/objects/pack" / name).exists() for name in kept)


def _build(place: Path, write: object) -> None:
    top = place / "store"
    Store.init(top)
    base = git(top, "rev-parse", "HEAD").strip()
    with subprocess.Popen(
        ["git", "fast-import", "--quiet", "--done", "--force"], cwd=top, stdin=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and callable(write)
        _header(process.stdin, base)
        write(process.stdin)
        process.stdin.write(b"done\n")
        process.stdin.close()
    if process.returncode:
        raise RuntimeError(f"git fast-import ended with {process.returncode}")
    git(top, "config", "gc.auto", "0")
    git(top, "reset", "--quiet", "--hard", "main")
    git(top, "update-ref", BASE, "main")
    git(top, "-c", "gc.writeCommitGraph=false", "gc", "--quiet", "--prune=now")
    kept = sorted(file.name for file in (top / ".git/objects/pack").iterdir())
    (place / "complete.json").write_text(json.dumps(kept), "utf-8")


def _put_back(place: Path) -> None:
    """Takes back whatever an earlier run did: the branch, files, objects and logs."""
    top, objects = place / "store", place / "store/.git/objects"
    for name in git(top, "for-each-ref", "--format=%(refname)", "refs/heads").split():
        if name != "refs/heads/main":
            git(top, "update-ref", "-d", name)
    git(top, "reset", "--quiet", "--hard", BASE)
    git(top, "clean", "--quiet", "-ffdx")
    shutil.rmtree(top / ".git/logs", ignore_errors=True)
    kept = set(json.loads((place / "complete.json").read_bytes()))
    for file in (objects / "pack").iterdir():
        if file.name not in kept:
            file.unlink()
    for path in objects.iterdir():
        if path.name not in ("pack", "info"):
            shutil.rmtree(path)
    for path in (objects / "info").iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _header(stream: IO[bytes], base: str) -> None:
    stream.write(b"feature done\n")
    stream.write(b"reset refs/heads/main\nfrom %b\n\n" % base.encode())


def _one_commit(stream: IO[bytes], size: int) -> None:
    _commit(
        stream, IMPORT_SECONDS, f"remember: {size} memories", f"Memory-Count: {size}\nOperation: remember"
    )
    for number in range(size):
        _file(stream, entry(number))


def _many_commits(stream: IO[bytes], commits: int) -> None:
    for number, one in enumerate(history(commits)):
        operation = "update" if one.number < number and _is_update(number) else "remember"
        when = int((FIRST_DAY + timedelta(minutes=10 * number)).timestamp())
        trailers = f"Memory-Id: {one.id}\nOperation: {operation}\nOperation-Id: op-{number:08d}"
        _commit(stream, when, f"{operation}: {one.title}", trailers)
        _file(stream, one)


def _churned_commits(stream: IO[bytes], memories: int, commits: int) -> None:
    for number in range(commits):
        is_new = number * memories // commits != (number - 1) * memories // commits
        added = number * memories // commits + 1
        one = entry(added - 1) if is_new else entry(random.Random(number).randrange(added), revision=number)
        operation = "remember" if is_new else "update"
        when = int((FIRST_DAY + timedelta(minutes=10 * number)).timestamp())
        trailers = f"Memory-Id: {one.id}\nOperation: {operation}\nOperation-Id: op-{number:08d}"
        _commit(stream, when, f"{operation}: {one.title}", trailers)
        _file(stream, one)


def history(commits: int) -> Iterator[Entry]:
    """What each commit of `history_store` writes; an early memory is changed more often than a late one."""
    added = 0
    for number in range(commits):
        if _is_update(number):
            target = int(added * random.Random(number).random() ** 3)
            yield entry(target, revision=number)
        else:
            yield entry(added)
            added += 1


def _is_update(number: int) -> bool:
    return number % 5 == 4


def _commit(stream: IO[bytes], seconds: int, subject: str, trailers: str) -> None:
    message = f"{subject}\n\n{trailers}\n".encode()
    stream.write(b"commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000\n" % seconds)
    stream.write(b"data %d\n%b\n" % (len(message), message))


def _file(stream: IO[bytes], one: Entry) -> None:
    stream.write(b"M 100644 inline %b\n" % one.path.encode())
    stream.write(b"data %d\n%b\n" % (len(one.data), one.data))


def git(where: Path, *arguments: str) -> str:
    """What git prints, with gitmem's hooks asleep."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=where,
        env={**os.environ, "GITMEM_HOOKS": "off"},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.decode('utf-8', 'replace')}")
    return done.stdout.decode("utf-8", "surrogateescape")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, required=True, help="where the stores are kept")
    parser.add_argument("--size", type=int, nargs="*", default=[], help="stores of so many memories")
    parser.add_argument("--commits", type=int, nargs="*", default=[], help="stores of so many commits")
    options = parser.parse_args()
    for size in options.size:
        print(store(options.folder, size))
    for commits in options.commits:
        print(history_store(options.folder, commits))


if __name__ == "__main__":
    main()
