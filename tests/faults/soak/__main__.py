"""The command: starts everybody, kills writers, has the store proved, prints a table. Exit code 1 for any fault."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.faults.soak.soak import Soak


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seconds", type=float, help="instead of --minutes")
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to work; a new temporary folder if left out")
    parser.add_argument("--pause", type=float, default=0.1, help="seconds a writer rests after an operation")
    parser.add_argument("--check-seconds", type=float, default=120, help="seconds between two proofs")
    given = parser.parse_args(arguments)
    seconds = given.minutes * 60 if given.seconds is None else given.seconds
    base = given.folder or Path(tempfile.mkdtemp(prefix="gitmem-soak-"))
    base.mkdir(parents=True, exist_ok=True)
    soak = Soak(base.resolve(), processes=given.processes, seed=given.seed, pause_seconds=given.pause)
    soak.run(seconds, check_seconds=given.check_seconds)
    print(soak.table(), flush=True)
    return 1 if soak.problems else 0


if __name__ == "__main__":
    sys.exit(main())
