# Sourced by the scripts that need gitmem installed. Sets `root`, `venv` and `bin`; defines `make_venv`.
#
# The virtual environment is .venv in the checkout, or the folder that GITMEM_VENV names.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv=${GITMEM_VENV:-$root/.venv}
bin=$venv/bin

# What would point Python, pip or gitmem somewhere else.
unset PYTHONHOME PYTHONPATH PIP_USER PIP_TARGET PIP_PREFIX GITMEM_STORE
# git and pip both want a home folder; an empty one will do.
if [ -z "${HOME:-}" ]; then
    HOME=$(mktemp -d)
    export HOME
fi

say() { printf '\n== %s\n' "$*"; }

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

find_python() {
    local name
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    fail "Python 3.11 or newer is needed, and none was found on PATH"
}

make_venv() {
    command -v git >/dev/null || fail "git is needed, and was not found on PATH"
    if ! "$bin/python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        local python
        python=$(find_python)
        say "making a virtual environment in $venv ($("$python" --version))"
        "$python" -m venv --clear "$venv" ||
            fail "the module venv does not work; on Debian and Ubuntu it is in the package python3-venv"
    fi
    if [ -d "$venv/Scripts" ]; then bin=$venv/Scripts; fi
}

pip_install() {
    "$bin/python" -m pip --disable-pip-version-check install --quiet "$@"
}
