#!/usr/bin/env bash
# Sets gitmem up, makes a store from the sample memories in this folder, and asks it a few questions.
#
#     bash docs/sample/run.sh [FOLDER]
#
# The store is left in FOLDER (build/sample-store if left out). May be repeated: the store is made anew.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/venv.sh"

sample=$root/docs/sample
store=${1:-$root/build/sample-store}
mkdir -p "$(dirname "$store")"
store=$(cd "$(dirname "$store")" && pwd)/$(basename "$store")
mark=.git/made-by-gitmem-sample

# The sample looks the same for everybody, and never asks for the passphrase of a signing key.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME="Sample Person" GIT_AUTHOR_EMAIL=sample@example.com
export GIT_COMMITTER_NAME="Sample Person" GIT_COMMITTER_EMAIL=sample@example.com

make_venv
installed=$venv/gitmem-installed
wanted="$root $(cksum <"$root/pyproject.toml")"
if [ "$(cat "$installed" 2>/dev/null)" != "$wanted" ] || ! "$bin/gitmem" --version >/dev/null 2>&1; then
    say "installing gitmem (pip)"
    pip_install --editable "$root"
    printf '%s\n' "$wanted" >"$installed"
fi

if [ -d "$store" ] && [ -n "$(ls -A "$store")" ]; then
    [ -e "$store/$mark" ] || fail "$store is not empty and was not made by this script; name another folder"
    rm -rf "$store"
fi

# Shows a command as a person would type it in the store, then runs it.
run() {
    printf '\n$'
    local word
    for word in "$@"; do
        case $word in
        *[!a-zA-Z0-9_./:=-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    if [ "$1" = gitmem ]; then
        shift
        "$bin/gitmem" -C "$store" "$@"
    else
        (cd "$store" && "$@")
    fi
}

say "a new store"
"$bin/gitmem" init "$store"
touch "$store/$mark"

say "25 memories that a team wrote by hand, committed with plain git"
cp -R "$sample/memories/." "$store/"
git -C "$store" add --all
git -C "$store" commit --quiet --message "what the team knows"
git -C "$store" log --oneline -1

say "8 more from two sessions of the team's agent, in one commit"
run gitmem remember --batch "$sample/session.jsonl"

say "a memory of your own"
run gitmem remember "The office key is with Dana until Thursday" --in people/dana --tag office

say "questions"
run gitmem recall "how does Alice want her reports?" --limit 2
run gitmem recall "which day is harbor deployed?" --limit 3
run gitmem recall "谁负责数据管道?" --limit 2
run gitmem recall "carrier API keeps answering 429" --type reflective --explain

say "one memory, whole, and its history"
run gitmem show jcz3w7fn
run gitmem log jcz3w7fn

say "underneath it is plain git"
run git log --oneline
run git status --short
run gitmem status

say "the store is in $store"
cat <<END
Try it:

    $bin/gitmem -C $store recall "why was the night job slow?"
    $bin/gitmem -C $store list --in people
    $bin/gitmem -C $store --help
END
