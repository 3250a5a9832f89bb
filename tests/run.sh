#!/usr/bin/env bash
# Sets gitmem up for development and runs every check: ruff, mypy, pytest.
#
#     bash tests/run.sh [PYTEST OPTION ...]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../docs/sample/venv.sh"

make_venv
say "installing gitmem and what its tests need (pip)"
# Dependency groups need pip 25.1.
pip_install --upgrade "pip>=25.1"
cd "$root"
pip_install --editable . --group dev

# Thousands of small commits are flushed to the disk; on a memory file system that costs nothing.
memory=/dev/shm
if [ -z "${PYTEST_DEBUG_TEMPROOT:-}" ] && [ -w "$memory" ] &&
    [ "$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')" -gt 4000000 ]; then
    probe=$(mktemp "$memory/gitmem-XXXXXX")
    printf '#!/bin/sh\nexit 0\n' >"$probe" && chmod +x "$probe"
    if "$probe" 2>/dev/null; then export PYTEST_DEBUG_TEMPROOT=$memory; fi
    rm -f "$probe"
fi

# Thousands of commands are started: they need not be compiled each time.
unset PYTHONDONTWRITEBYTECODE

failed=()
check() {
    say "$1"
    shift
    "$bin/python" -m "$@" || failed+=("$1")
}
check "style: ruff" ruff check .
# While types are checked on one core, the tests are compiled once on the other, not by each worker for itself.
"$bin/python" -m pytest --collect-only -q >/dev/null 2>&1 &
check "types: mypy" mypy
wait || true
# Tests wait for processes that they start, so two cores are busy with four workers.
check "behaviour and documentation: pytest" pytest -n "${GITMEM_TEST_WORKERS:-4}" --dist worksteal "$@"

if [ ${#failed[@]} -gt 0 ]; then
    fail "failed: ${failed[*]}"
fi
say "all checks passed"
