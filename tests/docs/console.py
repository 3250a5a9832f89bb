"""Running the `console` blocks of a page, as a person would type them, and comparing what comes out.

A block holds `$ command` lines, `> ` lines that continue a command (`>` alone is an empty one), and the output. Commands of a page run
one after another in one folder and one environment; each must end with 0 unless `$ echo $?` follows.
In the expected output `…` stands for any text in a line, and a line `…` for any lines. Ids, commits, times,
ages, scores and factors are compared by their shape only.

    python -m tests.docs.console PAGE...           rewrites the output that no longer agrees
    python -m tests.docs.console --all PAGE...     all output, so that ids agree within a page; keeps `…` lines
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.commands import script_of_command
from tests.docs.pages import ROOT, SAMPLE, Block, blocks, setting

HOME_SHOWN = "/home/you"
TIMEOUT_SECONDS = 60
_ID = re.compile(r"\b[a-hjkmnp-z][a-hjkmnp-z2-9]{7}\b")
SAMPLE_IDS = frozenset(
    _ID.findall("\n".join(path.name for path in SAMPLE.rglob("*.md")))
    + re.findall(r'"id": "(\w{8})"', (SAMPLE / "session.jsonl").read_text("utf-8"))
)
_OPERATION = re.compile(r"\b\d{8}T\d{6}-[0-9a-f]{8}\b")
_SHAPES = (
    (re.compile(r"\b(?:[0-9a-f]{40}|[0-9a-f]{12}|[0-9a-f]{10}|[0-9a-f]{7})\b"), "COMMIT"),
    (re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z| ?[+-]\d\d:?\d\d)?)?"), "DATE"),
    (re.compile(r"\b20\d\d-(?:0[1-9]|1[0-2])(?= )"), "MONTH"),
    (re.compile(r"\b\d{4}/\d\d/\d\d/\d{4}-"), "DAY/TIME-"),
    (re.compile(r"\b(semantic|procedural|reflective|working)/[a-hjkmnp-z][a-hjkmnp-z2-9]/"), r"\1/SHARD/"),
    (re.compile(r"(?<= )(?:\d+[mhdwy]|-)(?=  )"), "AGE"),
    (re.compile(r'((?:score|factor|added|strength)"?:? +)-?[\d.]+'), r"\1SCORE"),
    (re.compile(r"(?<= )(?:×|[+-])\d+\.\d+(?=:| [+-])"), "CHANGE"),
    (re.compile(r"\b\d+ (?:minute|hour|day|week|month|year)s? old\b"), "AGE old"),
    (re.compile(r"  +"), " "),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One command of a block with the output that the page shows for it."""

    command: str
    shown: tuple[str, ...]
    expected: str
    line: int


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, both streams together, and its exit code."""

    step: Step
    output: str
    code: int


def steps(block: Block) -> list[Step]:
    """The commands of a block. Raises `ValueError` where output comes before any command."""
    found: list[tuple[list[str], list[str], int]] = []
    for number, line in enumerate(block.text.splitlines(), block.line + 1):
        if line.startswith("$ "):
            found.append(([line], [], number))
        elif not found:
            raise ValueError(f"line {number}: output before the first '$ command'")
        elif (line == ">" or line.startswith("> ")) and not found[-1][1]:
            found[-1][0].append(line)
        else:
            found[-1][1].append(line)
    return [
        Step("\n".join(line[2:] for line in typed), tuple(typed), "".join(f"{one}\n" for one in output), at)
        for typed, output, at in found
    ]


class Terminal:
    """A person's terminal: a home folder, an environment, and the folder they are in."""

    counts_uses = False
    """Whether what one command recalls stands a little higher for the next, as it does for people."""

    def __init__(self, home: Path, cwd: Path) -> None:
        self.home = home
        self.cwd = cwd
        self._last_code = 0
        self._shims = home.parent / (home.name + "-bin")
        self._shims.mkdir()
        shim = self._shims / "gitmem"
        shim.write_text(script_of_command(), encoding="utf-8")
        shim.chmod(0o755)
        (home / ".gitconfig").write_text(
            "[user]\n\tname = You\n\temail = you@example.com\n[init]\n\tdefaultBranch = main\n",
            encoding="utf-8",
        )

    def environment(self) -> dict[str, str]:
        """A fixed environment; `gitmem` is the one of the interpreter that runs the tests."""
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join((str(self._shims), os.environ.get("PATH", os.defpath))),
            "PYTHONPATH": str(ROOT),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_PAGER": "cat",
            # No terminal is there to tell that a person types.
            "GITMEM_IDENTITY": "person:You",
            # A busy machine changes no answer.
            "GITMEM_HOOK_SECONDS": "60",
            **({} if self.counts_uses else {"GITMEM_USAGE": "off"}),
        }

    def run(self, step: Step) -> Ran:
        """Runs one command; folder and variables last to the next."""
        end, variables = self._shims / "cwd", self._shims / "variables"
        before = f'source "{variables}"\n' if variables.exists() else ""
        keep = f'trap \'pwd >"{end}"; export -p >"{variables}"\' EXIT'
        script = f"{before}set -a\n{keep}\n(exit {self._last_code})\n{step.command}\n"
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self.cwd,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        self.cwd = Path(end.read_text("utf-8").rstrip("\n"))
        self._last_code = done.returncode
        output = done.stdout.decode("utf-8", "replace").replace(str(self.home), HOME_SHOWN)
        return Ran(step, output, done.returncode)


def open_terminal(page_text: str, home: Path, sample_store: Path) -> Terminal:
    """A terminal in the setting of the page: the sample in `docs/sample`, or a store made of it.

    Uses are counted only for a page with the comment `uses are counted`.
    """
    terminal = _terminal(page_text, home, sample_store)
    terminal.counts_uses = "<!-- uses are counted -->" in page_text
    return terminal


def _terminal(page_text: str, home: Path, sample_store: Path) -> Terminal:
    home.mkdir()
    where = setting(page_text)
    if where == "sample store":
        shutil.copytree(sample_store, home / "team", symlinks=True)
        return Terminal(home, home / "team")
    if where != "empty folder":
        raise ValueError(f"runs in: {where!r} is neither 'empty folder' nor 'sample store'")
    shutil.copytree(SAMPLE, home / "docs" / "sample")
    return Terminal(home, home)


def make_sample_store(folder: Path) -> None:
    """A store of the sample memories, made as the sample script makes it. The environment must be sealed."""
    from gitmem.store import Store

    Store.init(folder)
    shutil.copytree(SAMPLE / "memories", folder, dirs_exist_ok=True)
    identity = ("-c", "user.name=You", "-c", "user.email=you@example.com", "-c", "core.hooksPath=/dev/null")
    for arguments in (("add", "--all"), ("commit", "--quiet", "--message", "what the team knows")):
        subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)
    store = Store.open(folder)
    store.remember_jsonl((SAMPLE / "session.jsonl").read_text(encoding="utf-8"))


def agrees(expected: str, actual: str) -> bool:
    """Whether the output is what the page shows, ids, times and scores apart."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
        for line in _shape(expected).splitlines()
    )
    return re.fullmatch(pattern, _shape(actual)) is not None


def _shape(text: str) -> str:
    """`text` with what differs from run to run replaced by its kind."""
    # An operation may end like an id, so it goes first.
    text = _OPERATION.sub("OPERATION", text)
    text = _ID.sub(lambda match: match[0] if match[0] in SAMPLE_IDS else "ID", text)
    for pattern, kind in _SHAPES:
        text = pattern.sub(kind, text)
    return "".join(f"{line.strip()}\n" for line in text.splitlines())


def ran_blocks(text: str, terminal: Terminal) -> Iterator[tuple[Block, list[Ran]]]:
    """Runs the console blocks of a page; stops at nothing."""
    for block in blocks(text):
        if block.language == "console":
            yield block, [terminal.run(step) for step in steps(block)]


def problems(results: list[Ran]) -> list[str]:
    """What is wrong with the commands of one block."""
    found = []
    for position, ran in enumerate(results):
        following = results[position + 1].step.command if position + 1 < len(results) else ""
        if ran.code and following != "echo $?":
            found.append(f"line {ran.step.line}: exit {ran.code}: {ran.step.command}\n{ran.output}")
        elif not agrees(ran.step.expected, ran.output):
            found.append(
                f"line {ran.step.line}: {ran.step.command}\n--- the page shows\n{ran.step.expected}"
                f"--- it printed\n{ran.output}"
            )
    return found


def rewritten(text: str, terminal: Terminal, *, every: bool) -> str:
    """The page with the output that no longer agrees put right, or with `every` output made anew."""
    lines = text.splitlines()
    for block, results in reversed(list(ran_blocks(text, terminal))):
        new: list[str] = []
        for ran in results:
            if "a bug in gitmem" in ran.output or "Traceback" in ran.output:
                raise SystemExit(f"line {ran.step.line}: {ran.step.command}\n{ran.output}")
            is_same = agrees(ran.step.expected, ran.output) and (not every or "\n…\n" in ran.step.expected)
            output = ran.step.expected if is_same else ran.output
            new += [*ran.step.shown, *(line.rstrip() for line in output.splitlines())]
        lines[block.line : block.line + len(block.text.splitlines())] = new
    return "\n".join(lines) + "\n"


def _main(names: list[str]) -> None:
    every = "--all" in names
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ.update({"HOME": folder, "GIT_CONFIG_NOSYSTEM": "1"})
        sample_store = Path(folder) / "sample"
        make_sample_store(sample_store)
        for number, name in enumerate(name for name in names if name != "--all"):
            page = Path(name)
            text = page.read_text("utf-8")
            terminal = open_terminal(text, Path(folder) / f"home{number}", sample_store)
            new = rewritten(text, terminal, every=every)
            if new != text:
                page.write_text(new, encoding="utf-8")
                print(f"rewrote {name}")


if __name__ == "__main__":
    _main(sys.argv[1:])
