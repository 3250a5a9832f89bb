"""Random histories on three clones, merged by git with the driver, or by gitmem: converge, stay valid, lose nothing.

usage: python -m tests.machines.merge_fuzz [--examples 2000] [--first SEED] [--by git|gitmem] [--one-process]

With --one-process git's driver is a shell that asks this process, so that no Python is started for each file.

Every word that an example writes is unique, so what is lost can be named. A word may be missing at the end only where
somebody who had it before them took it out. Each merge of two clones that both went on is made in both
directions, and both must come to the same tree. At the end all clones are at one commit, every file reads as the
memory it was, `check` finds no error, and `status` says what is disputed.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from gitmem.cli.driver import Task, merge_files
from gitmem.errors import GitmemError
from gitmem.model.document import parse_document
from gitmem.model.header_edit import edit_header
from gitmem.model.memory import Json
from gitmem.model.merge.file import is_disputed
from gitmem.model.merge.settle import disputes_of, settled
from gitmem.store import Store

NAMES = ("a", "b", "c")
TYPES = ("semantic", "procedural", "episodic", "reflective")


class Lost(AssertionError):
    """What must hold does not."""


def git(folder: Path, *arguments: str) -> str:
    """What git prints. Raises `Lost` where it fails: a conflict that stops git is one."""
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Lost(f"git {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout


@dataclass
class Example:
    """One random history. `taken_out` are words that somebody removed."""

    folder: Path
    seed: int
    by: str
    random: random.Random = field(init=False)
    words: set[str] = field(default_factory=set)
    taken_out: set[str] = field(default_factory=set)
    log: list[str] = field(default_factory=list)
    count: int = 0
    hot: str = ""
    """The memory that most edits are made to."""

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.hot = self.random.choice(TYPES)

    def word(self) -> str:
        self.count += 1
        word = f"w{self.count}x"
        self.words.add(word)
        return word

    def clone(self, name: str) -> Path:
        return self.folder / name

    def tip(self, name: str) -> str:
        return (self.clone(name) / ".git/refs/heads/main").read_text().strip()

    # One edit

    def edit(self, name: str) -> None:
        """Some edits on one clone, in one commit."""
        clone = self.clone(name)
        for _ in range(self.random.randint(1, 3)):
            files = sorted(clone.rglob("memories/**/*.md"))
            kind = self.random.choice(["text"] * 5 + ["field"] * 2 + ["born", "settle"] + self._more_kinds())
            if kind == "born" or not files:
                self._born(clone)
                continue
            hot = [file for file in files if file.name.startswith(self.hot)]
            file = self.random.choice(hot if hot and self.random.random() < 0.8 else files)
            self.log.append(f"{name}: {kind} {file.name}")
            if kind == "text":
                self._edit_text(file)
            elif kind == "field":
                self._edit_field(file)
            elif kind == "settle":
                self._settle(file)
            elif kind == "move":
                file.rename(file.with_name(f"{file.stem.split('-')[0]}-{self.random.randint(1, 3)}.md"))
            elif kind == "remove":
                self.taken_out |= words_in(file.read_text())
                file.unlink()
        if git(clone, "status", "--porcelain"):
            git(clone, "add", "--all")
            git(clone, "commit", "-qm", f"{name} {self.count}")

    def _more_kinds(self) -> list[str]:
        return ["move", "remove"] if self.by == "gitmem" else []

    def _born(self, clone: Path) -> None:
        number = self.random.randint(1, 3)
        folder = clone / "memories"
        if list(folder.glob(f"born{number}*.md")):
            return
        kind = self.random.choice(TYPES)
        self.log.append(f"{clone.name}: born{number}")
        text = f"---\nid: born{number}\ntype: {kind}\ntags:\n  - {self.word()}\n---\nBorn {self.word()}.\n"
        (folder / f"born{number}.md").write_text(text)

    def _edit_text(self, file: Path) -> None:
        text = file.read_text()
        document = parse_document(text)
        parts = document.body.split("\n\n")
        # Sides shall meet: the beginning of the text is changed most often.
        at = min(self.random.randrange(len(parts)) for _ in range(3))
        kind = self.random.choice(["insert", "change", "change", "line", "remove", "append"])
        if "disputed:" in parts[at] or parts[at].startswith(("**Version", ">", "<!--")):
            kind = "append"
        if kind == "insert":
            parts.insert(at, self._passage())
        elif kind == "change":
            self.taken_out |= words_in(parts[at])
            parts[at] = self._passage() + ("\n" if parts[at].endswith("\n") else "")
        elif kind == "line":
            lines = parts[at].split("\n")
            lines.insert(self.random.randint(0, len(lines)), f"A line {self.word()}")
            parts[at] = "\n".join(lines)
        elif kind == "remove" and len(parts) > 2:
            self.taken_out |= words_in(parts.pop(at))
        else:
            parts[-1] = parts[-1].rstrip("\n") + f"\nAt the end {self.word()}.\n"
        head = text[: len(text) - len(document.body)]
        file.write_text(head + "\n\n".join(parts))

    def _passage(self) -> str:
        kind = self.random.choice(["paragraph", "items", "fence", "table", "log", "heading"])
        word = self.word()
        return {
            "paragraph": f"A paragraph {word} that\nhas two lines.",
            "items": f"- item {word}\n- one more\n- item",
            "fence": f"```\ncode {word}\nmore\n```",
            "table": f"| a | b |\n|---|---|\n| {word} | c |",
            "log": f"{self.random.randint(0, 23):02d}:00 {word}",
            "heading": f"## Section {word}",
        }[kind]

    def _edit_field(self, file: Path) -> None:
        text = file.read_text()
        fields = parse_document(text).fields
        tags = fields.get("tags")
        known: list[Json] = list(tags) if isinstance(tags, list) else []
        kind = self.random.choice(["tag", "tag", "untag", "title", "importance", "count"])
        changes: dict[str, Json | object] = {}
        if kind == "tag":
            changes["tags"] = [*known, self.word()]
        elif kind == "untag" and len(known) > 1:
            gone = self.random.choice(known)
            self.taken_out.add(str(gone))
            changes["tags"] = [tag for tag in known if tag != gone]
        elif kind == "title":
            if "disputed" in fields:
                return
            self.taken_out |= words_in(str(fields.get("title", "")))
            changes["title"] = f"Title {self.word()}"
        else:
            changes[kind if kind in ("importance", "count") else "count"] = self.random.randint(1, 9)
        file.write_text(edit_header(text, changes))

    def _settle(self, file: Path) -> None:
        text = file.read_text()
        if not disputes_of(text):
            return
        new = settled(text, lambda dispute: self.random.choice(dispute.options))
        self.taken_out |= words_in(text) - words_in(new)
        file.write_text(new)

    # Merges

    def meet(self, one: str, other: str) -> None:
        """Both merge each other from where they stand, and must come to one tree."""
        tips = {name: self.tip(name) for name in (one, other)}
        for name, source in ((one, other), (other, one)):
            git(self.clone(name), "fetch", "-q", str(self.clone(source)), tips[source])
        for name, source in ((one, other), (other, one)):
            self._merge(name, tips[source])
        trees = {git(self.clone(name), "rev-parse", "HEAD^{tree}") for name in (one, other)}
        if len(trees) > 1:
            raise Lost(f"{one} and {other} came to different trees")

    def pull(self, name: str, source: str) -> None:
        tip = self.tip(source)
        git(self.clone(name), "fetch", "-q", str(self.clone(source)), tip)
        self._merge(name, tip)

    def _merge(self, name: str, commit: str) -> None:
        self.log.append(f"{name}: merge {commit[:8]}")
        if self.by == "git":
            git(self.clone(name), "merge", "-q", "--no-edit", "-m", f"{name} merges", commit)
        else:
            try:
                Store.open(self.clone(name)).merge(commit)
            except GitmemError as error:
                raise Lost(f"{name}: merge {commit[:8]}: {error}") from error

    # What must hold

    def finish(self) -> None:
        for name, source in (("a", "b"), ("a", "c"), ("b", "a"), ("c", "a")):
            self.pull(name, source)
        if len({self.tip(name) for name in NAMES}) > 1:
            raise Lost("the clones are at different commits")
        found: set[str] = set()
        for file in sorted(self.clone("a").rglob("memories/**/*.md")):
            found |= words_in(file.read_text())
            self._assert_valid(file)
        lost = self.words - self.taken_out - found
        if lost:
            raise Lost(f"lost: {sorted(lost)}")
        checked = Store.open(self.clone("a")).check()
        if not checked.is_clean:
            raise Lost(str([each for each in checked.findings if each.severity == "error"]))
        for name in NAMES:
            if git(self.clone(name), "status", "--porcelain"):
                raise Lost(f"{name} is not clean")

    def _assert_valid(self, file: Path) -> None:
        text = file.read_text()
        document = parse_document(text)
        if document.error is not None or not document.fields.get("id"):
            raise Lost(f"{file.name} has a broken header: {document.error}")
        if (document.fields.get("status") == "disputed") != is_disputed(text):
            raise Lost(f"{file.name}: status does not say whether it is disputed")
        if any(line.startswith(("<<<<<<<", ">>>>>>>")) for line in text.splitlines()):
            raise Lost(f"{file.name} holds a conflict marker")


def words_in(text: str) -> set[str]:
    """The unique words of a text."""
    return {
        word
        for part in text.replace('"', " ").split()
        if (word := part.strip(".,:;|`{}[]")).endswith("x") and word[:1] == "w" and word[1:-1].isdigit()
    }


def make_template(folder: Path) -> None:
    """Three clones of a store of four memories, with hooks off and the driver on."""
    source = folder / "a"
    Store.found(source)
    (source / "memories").mkdir()
    for kind in TYPES:
        body = "Intro of it.\n\nA paragraph here.\n\n- one\n- two\n- three\n\n```\ncode\nmore\n```\n\nThe end of it.\n"
        (source / "memories" / f"{kind}.md").write_text(
            f"---\nid: {kind}\ntype: {kind}\ntags:\n  - base\n---\n{body}"
        )
    git(source, "add", "--all")
    git(source, "commit", "-qm", "base")
    for name in NAMES[1:]:
        git(folder, "clone", "-q", "a", name)
        Store.found(folder / name)
    for name in NAMES:
        git(folder / name, "config", "gc.auto", "0")


class Answering(threading.Thread):
    """A driver in this process: git's shell writes the files into one pipe and reads the exit code from another."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self._in, self._out = folder / "in", folder / "out"
        os.mkfifo(self._in)
        os.mkfifo(self._out)
        self.command = (
            f"printf '%%s\\n' \"$PWD\" %O %A %B %P >{self._in}; read -r code <{self._out}; exit $code"
        )

    def run(self) -> None:
        while True:
            cwd, base, ours, theirs, path = self._in.read_text().splitlines()
            folder = Path(cwd)
            code = merge_files(Task(folder / base, folder / ours, folder / theirs, path))
            self._out.write_text(f"{code}\n")


def run_example(template: Path, folder: Path, seed: int, by: str) -> Example:
    """Makes and checks one history. Raises `Lost`, with what was done."""
    shutil.copytree(template, folder, symlinks=True)
    example = Example(folder, seed, by)
    try:
        for _ in range(example.random.choice([1, 1, 2])):
            for name in NAMES:
                if example.random.random() < 0.8:
                    example.edit(name)
            one, other = example.random.sample(NAMES, 2)
            example.meet(one, other)
        example.finish()
    except Lost as error:
        raise Lost(f"seed {seed} by {by}: {error}\n" + "\n".join(example.log)) from error
    return example


def sealed() -> dict[str, str]:
    """The settings under which examples run: no hooks, no config but their own."""
    return {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GITMEM_HOOKS": "off",
        "GIT_AUTHOR_NAME": "F",
        "GIT_AUTHOR_EMAIL": "f@example.com",
        "GIT_COMMITTER_NAME": "F",
        "GIT_COMMITTER_EMAIL": "f@example.com",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--examples", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--by", choices=("git", "gitmem"), default="git")
    parser.add_argument("--one-process", action="store_true", help="let git's driver ask this process")
    given = parser.parse_args()
    began, disputed = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="gitmem-fuzz-", ignore_cleanup_errors=True) as scratch:
        base = Path(scratch)
        os.environ |= {**sealed(), "HOME": scratch}
        (base / "template").mkdir()
        make_template(base / "template")
        if given.one_process:
            driver = Answering(base)
            driver.start()
            for name in NAMES:
                git(base / "template" / name, "config", "merge.gitmem.driver", driver.command)
        for number in range(given.examples):
            folder = base / "example"
            example = run_example(base / "template", folder, given.first + number, given.by)
            disputed += any(
                "status: disputed" in file.read_text() for file in example.clone("a").rglob("*.md")
            )
            shutil.rmtree(folder)
            if (number + 1) % 100 == 0:
                seconds = time.monotonic() - began
                print(f"{number + 1} histories, {disputed} end in a dispute, {seconds:.0f} s", flush=True)
    print(
        f"{given.examples} histories by {given.by}: all converge, all valid, nothing lost; {disputed} end in a dispute"
    )


if __name__ == "__main__":
    main()
