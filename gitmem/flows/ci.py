"""init --ci: a file with which a build server runs `check --base` on every change."""

from __future__ import annotations

import shlex
from pathlib import Path

from msgspec import Struct

from gitmem import __version__
from gitmem.errors import BadInput, Refused
from gitmem.git.beneath import link_on_the_way, read_below, write_new_file
from gitmem.git.repository import Repository

GITHUB = "github"
GENERIC = "generic"
PATHS = {GITHUB: ".github/workflows/gitmem-check.yml", GENERIC: "ci/gitmem-check.sh"}
"""Where the file goes, by the kind of build server."""
_EXECUTABLE = 0o755

_GITHUB = """\
# Judges the memories that a pull request changes, and puts a report into its summary.
# It reads the repository and writes nothing. The report is data from the pull request, never run.
name: gitmem check
on:
  pull_request:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          fetch-depth: 0 # all branches: what main and archive know is compared with
          persist-credentials: false
      - name: Install gitmem
        run: |
          python3 -m venv "$RUNNER_TEMP/gitmem"
          "$RUNNER_TEMP/gitmem/bin/pip" install --quiet "gitmem-store==@VERSION@"
      - name: Check
        env:
          BASE: ${{ github.event.pull_request.base.sha }}
          GITMEM_HOOKS: "off"
        run: |
          git config gitmem.main @MAIN@
          code=0
          "$RUNNER_TEMP/gitmem/bin/gitmem" check --base "$BASE" --fail-on error --format markdown \\
            > "$RUNNER_TEMP/report.md" || code=$?
          cat "$RUNNER_TEMP/report.md"
          cat "$RUNNER_TEMP/report.md" >> "$GITHUB_STEP_SUMMARY"
          exit "$code"
"""
_GENERIC = """\
#!/bin/sh
# Judges the memories that changed since a base, and writes a report in Markdown.
# usage: ci/gitmem-check.sh [BASE] [REPORT]      by default the main branch of origin, and gitmem-report.md
# Needs git and Python 3.11 or newer, and a clone with its history. Exit code 1: something was found.
set -eu
main=@MAIN@
base=${1:-"origin/$main"}
report=${2:-gitmem-report.md}
if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
    git fetch --quiet --unshallow origin
fi
git config gitmem.main >/dev/null || git config gitmem.main "$main"
if command -v gitmem >/dev/null 2>&1; then
    gitmem=gitmem
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet "gitmem-store==@VERSION@"
    gitmem=$folder/bin/gitmem
fi
code=0
"$gitmem" check --base "$base" --fail-on error --format markdown > "$report" || code=$?
cat "$report"
exit "$code"
"""
_TEXTS = {GITHUB: _GITHUB, GENERIC: _GENERIC}


class CiFile(Struct, frozen=True):
    """The file of a build server, and whether it was written now or was there as it should be."""

    path: Path
    is_written: bool


def require_ci_kind(kind: str) -> None:
    """Raises `BadInput` where `kind` is no kind of build server."""
    if kind not in PATHS:
        raise BadInput(f"--ci: {kind!r} is none of {', '.join(PATHS)}", field="ci")


def write_ci(repository: Repository, kind: str, main: str) -> CiFile:
    """Writes the file for `kind` into the worktree, and commits nothing. May be repeated.

    Raises `Refused` where another file stands there, which is left as it is.
    """
    require_ci_kind(kind)
    if repository.worktree is None:
        raise Refused("a bare repository has no worktree for a workflow file", hint="run it in a clone")
    if "${{" in main:
        raise Refused(f"the branch name {main} would be read as an expression in a workflow file")
    link = link_on_the_way(repository.worktree, PATHS[kind])
    if link is not None:
        raise Refused(f"{link} is a symbolic link, so nothing is written there")
    file = repository.worktree / PATHS[kind]
    data = _TEXTS[kind].replace("@MAIN@", shlex.quote(main)).replace("@VERSION@", __version__).encode()
    if file.exists():
        if read_below(repository.worktree, PATHS[kind]) == data:
            return CiFile(file, False)
        raise Refused(f"{file} is there already and is not overwritten", hint="move it away, then try again")
    file.parent.mkdir(parents=True, exist_ok=True)
    write_new_file(file, data)
    if kind == GENERIC:
        file.chmod(_EXECUTABLE)
    return CiFile(file, True)
