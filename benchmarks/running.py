"""What the speed benchmarks share when they are started: options, a quiet environment, the command."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from corpus import SIZES
from measuring import SpeedReport

QUICK_SIZE = 100
GITMEM = (sys.executable, "-m", "gitmem.cli.main")
ROOT = Path(__file__).resolve().parent.parent


def main(
    name: str,
    about: str,
    measure: Callable[[SpeedReport, Path, int, bool], None],
    sizes: Sequence[int] = SIZES,
) -> None:
    """Runs `measure(report, folder, size, is_quick)` for each size that was asked for."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="where the stores are kept for the next run")
    parser.add_argument("--size", type=int, nargs="+", default=list(sizes), help="how large the stores are")
    parser.add_argument(
        "--quick", action="store_true", help="a small store and few rounds: only that it runs"
    )
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into this page")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gitmem-benchmark-", ignore_cleanup_errors=True) as scratch:
        folder = (options.folder or Path(scratch)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        make_quiet(folder)
        report = SpeedReport(name)
        for size in [QUICK_SIZE] if options.quick else options.size:
            measure(report, folder, size, options.quick)
        report.write(options.write)


def make_quiet(folder: Path) -> None:
    """Settings of the user, hooks and git's own upkeep stay out of the figures."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Bench\n\temail = bench@example.com\n[gc]\n\tauto = 0\n"
        "[maintenance]\n\tauto = false\n[init]\n\tdefaultBranch = main\n[gitmem]\n\tupkeep = false\n",
        "utf-8",
    )
    # A command that is compiled anew each time is not what is measured.
    compiled = os.environ.get("PYTHONPYCACHEPREFIX") or str(folder / "pycache")
    for variable in [each for each in os.environ if each.startswith(("GIT_", "GITMEM_", "PYTHON"))]:
        del os.environ[variable]
    os.environ |= {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GITMEM_HOOKS": "off",
        "PYTHONPATH": str(ROOT),
        "PYTHONPYCACHEPREFIX": compiled,
    }
