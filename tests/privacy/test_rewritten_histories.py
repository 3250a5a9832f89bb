"""Any history, without one memory: what is left is what an independent model of history says.

The model knows nothing of trees and ids: a commit is its parents, its files, and who made it when. A commit goes
if it is no merge and without the memory changes nothing any more; parents that became one count once.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.store import Store
from tests.conftest import git

GONE = ("semantic/go/gone0001.md", "semantic/other/moved-gone0001.md")
FILES = {
    GONE[0]: "---\nid: gone0001\n---\nThe first place of what nobody may know, {0}.\n",
    GONE[1]: "---\nid: gone0001\n---\nThe second place of what nobody may know, {0}.\n",
    "semantic/go/gone0001.files/scan.txt": "scanned by somebody who is not here any more {0}\n",
    "semantic/go/kept0001.md": "---\nid: kept0001\n---\nkept {0}\n",
    "semantic/ke/kept0002.md": "---\nid: kept0002\n---\nkept too {0}\n",
    "code/main.py": "print({0})\n",
}
ATTACHED = "semantic/go/gone0001.files/scan.txt"


@dataclass(frozen=True)
class Commit:
    """One commit of the model; parents are numbers of earlier ones, -1 the commit of `init`."""

    parents: tuple[int, ...]
    files: tuple[tuple[str, int], ...]


@st.composite
def histories(draw: st.DrawFn) -> list[Commit]:
    """Up to twelve commits, each on any earlier one or merging two, each with any change."""
    made: list[Commit] = []
    for number in range(draw(st.integers(2, 12))):
        earlier = st.integers(-1, number - 1)
        parents = draw(st.lists(earlier, min_size=1, max_size=2, unique=True))
        files = dict(made[parents[0]].files if parents[0] >= 0 else ())
        for path in draw(st.lists(st.sampled_from(sorted(FILES)), max_size=3, unique=True)):
            if path in files and draw(st.booleans()):
                del files[path]
            else:
                files[path] = draw(st.integers(0, 3))
        made.append(Commit(tuple(parents), tuple(sorted(files.items()))))
    return made


Told = tuple[object, ...]
"""A commit of the outcome: who and when, message, files, and its parents, told the same way."""


def expected(made: Sequence[Commit], number: int, known: dict[int, Told]) -> Told:
    """What the model says of a commit once the memory is gone."""
    if number == -1:
        return ("init",)
    if number not in known:
        commit = made[number]
        parents = tuple(dict.fromkeys(expected(made, parent, known) for parent in commit.parents))
        before = commit.parents[0]
        first = made[before].files if before >= 0 else ()
        files = _kept(made, commit.files)
        changed = commit.files != first
        is_emptied = (
            len(parents) == 1 and files == _files_of(parents[0]) and (changed or len(commit.parents) > 1)
        )
        known[number] = parents[0] if is_emptied else (_facts(number), files, parents)
    return known[number]


def _kept(made: Sequence[Commit], files: tuple[tuple[str, int], ...]) -> tuple[tuple[str, str], ...]:
    """The files that stay: an attachment goes if the memory ever stood beside its folder."""
    gone = {*GONE, ATTACHED} if any(GONE[0] in dict(each.files) for each in made) else {*GONE}
    return tuple((path, FILES[path].format(number)) for path, number in files if path not in gone)


def _files_of(told: Told) -> object:
    return told[1] if len(told) > 1 else ()


def _facts(number: int) -> tuple[str, ...]:
    return (
        f"A{number} <a{number}@x> {1000 + number} +0130",
        f"C <c@x> {2000 + number} -0700",
        f"commit {number}\n",
    )


def build(folder: Path, made: Sequence[Commit]) -> None:
    """Makes the history with plain git, main at the last commit, a branch and a tag at each other."""
    start = git(folder, "rev-parse", "HEAD").strip()
    lines = []
    for number, commit in enumerate(made):
        author, committer, message = _facts(number)
        lines += [f"commit refs/heads/b{number}", f"mark :{number + 1}", f"author {author}"]
        lines += [f"committer {committer}", f"data {len(message)}", message]
        names = [start if parent < 0 else f":{parent + 1}" for parent in commit.parents]
        lines += [f"from {names[0]}", *(f"merge {name}" for name in names[1:]), "deleteall"]
        lines.append(f"M 040000 {git(folder, 'rev-parse', 'HEAD:.gitmem').strip()} .gitmem")
        for path, text in commit.files:
            content = FILES[path].format(text)
            lines += [f"M 100644 inline {path}", f"data {len(content)}", content]
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=folder, input="\n".join([*lines, ""]).encode(), check=True
    )
    git(folder, "update-ref", "refs/heads/main", f"refs/heads/b{len(made) - 1}")
    git(folder, "reset", "-q", "--hard")


def actual(folder: Path, start: str, commit: str, known: dict[str, Told]) -> Told:
    """What git says of a commit, with its parents."""
    if commit == start:
        return ("init",)
    if commit not in known:
        data = git(folder, "cat-file", "commit", commit)
        head, _, message = data.partition("\n\n")
        fields: dict[str, list[str]] = {}
        for line in head.splitlines():
            name, _, value = line.partition(" ")
            fields.setdefault(name, []).append(value)
        tree = fields["tree"][0]
        if tree not in known:
            listed = git(folder, "ls-tree", "-r", "-z", tree).split("\0")
            entries = [line.split("\t") for line in listed if line]
            known[tree] = tuple(
                (path, git(folder, "cat-file", "blob", facts.split()[2]))
                for facts, path in entries
                if not path.startswith(".gitmem")
            )
        parents = tuple(actual(folder, start, parent, known) for parent in fields.get("parent", []))
        known[commit] = ((fields["author"][0], fields["committer"][0], message), known[tree], parents)
    return known[commit]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store that each history begins with."""
    return tmp_path_factory.mktemp("template") / "mem"


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=histories())
def test_any_history_is_what_the_model_says_without_the_memory(
    person: None, template: Path, tmp_path: Path, made: list[Commit]
) -> None:
    if not template.exists():
        Store.init(template)
        git(template, "rm", "-q", "--cached", "--ignore-unmatch", ".gitattributes")
        (template / ".gitattributes").unlink()
        git(template, "commit", "-q", "--amend", "-m", "init")
    folder = tmp_path / "mem"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder, symlinks=True)
    start = git(folder, "rev-parse", "HEAD").strip()
    build(folder, made)
    if not any(path in GONE for commit in made for path, _ in commit.files):
        return
    receipt = Store.open(folder).forget(["gone0001"])
    assert receipt.proof.holds, receipt.proof
    told: dict[int, Told] = {}
    seen: dict[str, Told] = {}
    for number in range(len(made)):
        tip = git(folder, "rev-parse", f"b{number}").strip()
        assert actual(folder, start, tip, seen) == expected(made, number, told), number
    below = git(folder, "rev-parse", "main^").strip()
    assert actual(folder, start, below, seen) == expected(made, len(made) - 1, told)
    git(folder, "fsck", "--strict")
