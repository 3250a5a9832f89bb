"""The soak itself: who runs, who is killed and when, and what was counted."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from gitmem.flows.writing.drafting import Request
from gitmem.model.change import Origin
from gitmem.store import Store
from tests.faults.points import POINTS
from tests.faults.soak.ledger import Signals
from tests.faults.soak.proof import Proof, ledgers
from tests.faults.soak.worker import CONTESTED, LOGS, STEADY

SOURCE = str(Path(__file__).parents[3])
REST_SECONDS = 180
"""How long a process may take to come to rest; one operation ends, or the soak calls it hung."""
LIFE_SECONDS = 20.0
"""How long a writer lives in the middle before the dice end it."""
LONGEST_LIFE_SECONDS = 90.0
"""How long one that is to die at a point is spared by the dice."""
FAULT_SHARE = 0.5
"""How many of the writers are started to die at a named point; the others die when the dice say so."""


@dataclass
class Member:
    """One process of the soak and its place: who is killed is started again under the same name."""

    name: str
    process: subprocess.Popen[bytes]
    fault: str | None = None
    run: int = 1
    began: float = field(default_factory=time.monotonic)


@dataclass
class Counts:
    """What the parent counts; the rest is in the ledgers."""

    kills: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    starts: int = 0
    checks: int = 0
    seconds: float = 0.0
    checking_seconds: float = 0.0


class Soak:
    """A store in `base`, and everybody who is at it."""

    def __init__(self, base: Path, *, processes: int, seed: int, pause_seconds: float) -> None:
        self._folder, self._control, self._side = base / "mem", base / "control", base / "side"
        self._chance = random.Random(seed)
        self._seed = seed
        self._pause_seconds = pause_seconds
        self._processes = processes
        self._counts = Counts()
        self._members: list[Member] = []
        self.problems: list[str] = []
        self._control.mkdir()
        self._signals = Signals(self._control)
        self._environment = _environment(base)
        self._found_store()
        self._proof = Proof(self._folder, self._control)

    def run(self, seconds: float, *, check_seconds: float) -> None:
        """Lets everybody work for so long, with a proof now and then and one at the end."""
        began = time.monotonic()
        next_check = began + check_seconds
        self._members = [self._writer(f"w{n + 1}", 1) for n in range(self._processes)]
        self._members += [self._beside("person"), self._beside("reader")]
        try:
            while (now := time.monotonic()) - began < seconds and not self.problems:
                self._tend(now)
                if now >= next_check:
                    self._check_at_rest()
                    next_check = time.monotonic() + check_seconds
                time.sleep(0.05)
            self._signals.stop()
            for member in self._members:
                self._end(member)
        finally:
            self._signals.stop()
            for member in self._members:
                if member.process.poll() is None:
                    member.process.kill()
                    member.process.wait()
        self._prove()
        self._counts.seconds = time.monotonic() - began

    def table(self) -> str:
        """What happened, in rows."""
        lines = [line for said in ledgers(self._control).values() for line in said]
        kinds = ("begun", "done", "refused", "nothing")
        by_verb = {
            verb: Counter(line["kind"] for line in lines if line.get("verb") == verb)
            for verb in sorted({line["verb"] for line in lines if line["kind"] == "begun"})
        }
        rows = [f"{'verb':<12}" + "".join(f"{kind:>10}" for kind in (*kinds, "killed"))]
        total: Counter[str] = Counter()
        for verb, of_verb in by_verb.items():
            total += of_verb
            rows.append(_row(verb, of_verb, kinds))
        rows += [_row("all", total, kinds), ""]
        counted = Counter(line["kind"] for line in lines)
        counts = self._counts
        for name, value in {
            "seconds": round(counts.seconds),
            "of these at rest for proofs": round(counts.checking_seconds),
            "writers started": counts.starts,
            "killed at random": counts.kills,
            "killed at named points": sum(counts.faults.values()),
            "named points reached": len(counts.faults),
            "commits by a person": counted["committed"],
            "merges by a person": counted["merged"],
            "times git said to try again": counted["told to try again"],
            "edits that git set aside and left": counted["set aside by git"],
            "answers to the reader": counted["read"],
            "proofs": counts.checks,
            "commits proved": self._proof.commits,
            "faults found": len(self.problems),
        }.items():
            rows.append(f"{name:<32}{value:>10}")
        return "\n".join([*rows, *(f"FAULT: {problem}" for problem in self.problems[:50])])

    def _found_store(self) -> None:
        os.environ.update(self._environment)
        store = Store.init(self._folder)
        origin = Origin(reason="setup")
        requests = [Request("a steady lighthouse", id=STEADY, origin=origin)]
        requests += [Request("first", title=name, id=name, path=f"{name}.md", origin=origin) for name in LOGS]
        requests += [
            Request(f"first {name}", title=f"Zebra {name}", id=name, path=f"{name}.md", origin=origin)
            for name in CONTESTED
        ]
        store.remember_all([*requests, Request("a hand", id="hand", path="hand.md", origin=origin)])
        (self._folder / "mine.txt").write_text("not committed\n")
        with open(self._folder / "hand.md", "a") as file:
            file.write("an edit that is not committed\n")
        self._git("worktree", "add", "-q", "-b", "side", str(self._side))

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self._folder, check=True, capture_output=True)

    def _tend(self, now: float) -> None:
        """Starts the dead again, and kills by chance."""
        for number, member in enumerate(self._members):
            code = member.process.poll()
            if code is not None:
                self._died(member, code)
                if member.name not in ("person", "reader"):
                    self._members[number] = self._writer(member.name, member.run + 1)
        if self._chance.random() < 0.05 * self._processes / LIFE_SECONDS:
            victim = self._chance.choice(self._members[: self._processes])
            is_spared = victim.fault is not None and now - victim.began < LONGEST_LIFE_SECONDS
            if victim.process.poll() is None and not is_spared:
                victim.process.kill()
                victim.process.wait()
                self._counts.kills += 1
                victim.fault = None

    def _died(self, member: Member, code: int) -> None:
        if code != -signal.SIGKILL or member.name in ("person", "reader"):
            talk = (self._control / f"{member.name}.talk").read_text(errors="replace")
            self.problems.append(f"{member.name} ended with {code}: {talk[-3000:]}")
        elif member.fault is not None:
            self._counts.faults[member.fault] += 1

    def _writer(self, name: str, run: int) -> Member:
        self._counts.starts += 1
        fault = self._chance.choice(POINTS) if self._chance.random() < FAULT_SHARE else None
        passage = self._chance.randrange(1, 6)
        arguments = [str(self._folder), str(self._control), name, str(run), str(self._seed)]
        extra = {"GITMEM_FAULT": f"{fault}:{passage}"} if fault else {}
        process = self._start("worker", name, [*arguments, str(self._pause_seconds)], extra)
        return Member(name, process, fault, run)

    def _beside(self, role: str) -> Member:
        pause = 1.0 if role == "person" else self._pause_seconds
        arguments = [role, str(self._folder), str(self._control), str(self._side), str(pause)]
        return Member(role, self._start("beside", role, arguments, {}))

    def _start(
        self, module: str, name: str, arguments: list[str], extra: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        with open(self._control / f"{name}.talk", "ab") as talk:
            return subprocess.Popen(
                [sys.executable, "-m", f"tests.faults.soak.{module}", *arguments],
                cwd=self._control,
                env={**self._environment, **extra},
                stdin=subprocess.DEVNULL,
                stdout=talk,
                stderr=talk,
            )

    def _check_at_rest(self) -> None:
        self._signals.pause()
        deadline = time.monotonic() + REST_SECONDS
        for member in self._members:
            while member.process.poll() is None and not Signals(self._control, member.name).rests:
                if time.monotonic() > deadline:
                    self.problems.append(f"{member.name} does not come to rest")
                    return
                time.sleep(0.05)
        self._prove()
        for file in self._control.glob("*.rests"):
            file.unlink()
        self._signals.resume()

    def _prove(self) -> None:
        began = time.monotonic()
        self.problems += self._proof.check()
        self._counts.checks += 1
        self._counts.checking_seconds += time.monotonic() - began
        print(
            f"proof {self._counts.checks}: {self._proof.commits} commits, {len(self.problems)} faults, "
            f"{time.monotonic() - began:.1f} s",
            file=sys.stderr,
            flush=True,
        )

    def _end(self, member: Member) -> None:
        try:
            code = member.process.wait(timeout=REST_SECONDS)
        except subprocess.TimeoutExpired:
            self.problems.append(f"{member.name} does not come to its end")
            return
        if code:
            self._died(member, code)


def _row(verb: str, counts: Counter[str], kinds: tuple[str, ...]) -> str:
    killed = counts["begun"] - sum(counts[kind] for kind in ("done", "refused", "nothing", "broken"))
    return f"{verb:<12}" + "".join(f"{counts[kind]:>10}" for kind in kinds) + f"{killed:>10}"


def _environment(base: Path) -> dict[str, str]:
    """A home of its own, and nothing of git or gitmem inherited."""
    home = base / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Soak\n\temail = soak@example.com\n[init]\n\tdefaultBranch = main\n"
    )
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITMEM_", "XDG_"))
    }
    # An agent would not be let to undo what it remembered.
    who = {"GITMEM_IDENTITY": "person:soak"}
    return {**kept, **who, "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "PYTHONPATH": SOURCE}
