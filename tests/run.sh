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

failed=()
check() {
    say "$1"
    shift
    "$bin/python" -m "$@" || failed+=("$1")
}
check "style: ruff" ruff check .
check "types: mypy" mypy
check "behaviour and documentation: pytest" pytest -n 2 "$@"

if [ ${#failed[@]} -gt 0 ]; then
    fail "failed: ${failed[*]}"
fi
say "all checks passed"
