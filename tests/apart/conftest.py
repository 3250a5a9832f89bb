"""A store in which a mark stands wherever a memory can be, each time where an agent may not read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.flows.writing.drafting import Request
from gitmem.model.change import Origin
from gitmem.model.identity import Identity, Kind
from gitmem.store import Store
from tests.conftest import NOW, git
from tests.founded import copy_store

MARK = "zanzibar"
ALICE = Identity(Kind.PERSON, "alice")
BOT = Identity(Kind.AGENT, "bot")
POLICY = """
[trust]
quarantine = ["tool:*"]

[partitions.people]
namespaces = ["people/*"]
read = ["person:*"]
write = ["person:*"]
propose = ["person:*", "clerk"]
approve = ["person:alice"]

[partitions.diary]
types = ["episodic"]
read = ["person:*"]
write = ["person:*"]
propose = ["person:*"]
"""
DISPUTED = """---
id: zanzibar-open
type: semantic
status: disputed
title: Zanzibar disputed
---
Zanzibar is open.
"""
ODD = """---
id: zanzibar-odd
type: episodic
---
Zanzibar by its type alone.
"""


def as_person(folder: Path) -> Store:
    return Store.open(folder, clock=FixedClock(NOW), identity=ALICE)


def as_agent(folder: Path) -> Store:
    return Store.open(folder, clock=FixedClock(NOW), identity=BOT)


def why(text: str = "because of zanzibar") -> Origin:
    return Origin(agent="zanzibar-agent", session="zanzibar-session", source="zanzibar.txt", reason=text)


def plant(folder: Path) -> None:
    """Memories that everybody may read, and the mark in every place that only people may."""
    Store.init(folder, clock=FixedClock(NOW))
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + POLICY)
    (folder / "semantic").mkdir()
    (folder / "semantic/odd-zanzibar-odd.md").write_text(ODD)
    people = folder / "semantic/people/carol"
    people.mkdir(parents=True)
    (people / "disputed-zanzibar-open.md").write_text(DISPUTED)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "policy, and zanzibar by hand")
    store = as_person(folder)
    attachment = folder.parent / "zanzibar.txt"
    attachment.write_text("zanzibar attached\n")
    store.remember_all(
        [
            Request("Reports go out on Monday.", id="reports", title="Reports"),
            Request("Tea is served at four.", id="tea", title="Tea", tags=["drinks"]),
            # What is consulted before a task, for everybody and for people alone.
            Request(
                "Before the reports go out on Monday, look into the calendar: once it was a holiday.",
                id="calendar",
                title="Reports went out on a holiday",
                type="reflective",
            ),
            Request("To send the reports: print, sign, post.", id="sending", type="procedural"),
            Request(
                "Whoever asks who pays better asks carol first: zanzibar was told too early.",
                id="zanzibar-lesson",
                title="Zanzibar was told who pays better",
                type="reflective",
                namespace="people/carol",
            ),
            Request(
                "To find who pays better, look into the list of zanzibar, then send the reports to carol.",
                id="zanzibar-steps",
                title="How to find who pays better than zanzibar",
                type="procedural",
                namespace="people/carol",
            ),
        ]
    )
    store.update("tea", "Tea is served at five.")
    # Where it stood first everybody could read it; by now it stands where they may not.
    store.remember("Zanzibar was public once.", id="zanzibar-was", namespace="open", origin=why())
    store.rename("zanzibar-was", namespace="people/carol", origin=why())
    # And the other way round.
    store.remember("Zanzibar is not in it any more.", id="freed", namespace="people/carol", title="Zanzibar")
    store.update("freed", "All may read this.", origin=why())
    store.rename("freed", "Freed", namespace="open")
    store.remember(
        "Zanzibar pays well.\n\nSecond line of zanzibar.",
        id="zanzibar-one",
        title="Zanzibar salary",
        namespace="people/carol",
        tags=["zanzibar-tag"],
        entities=["person:zanzibar"],
        fields={"zanzibar_field": "zanzibar"},
        supersedes=["reports"],
        origin=why(),
    )
    store.update("zanzibar-one", "Zanzibar pays better.", origin=why())
    store.attach("zanzibar-one", [attachment], origin=why())
    store.remember("Zanzibar came by.", id="zanzibar-day", type="episodic", origin=why())
    store.remember("Zanzibar is old.", id="zanzibar-old", namespace="people/carol", origin=why())
    store.archive(["zanzibar-old"], origin=why())
    store.remember("Tea is older.", id="oldtea")
    store.archive(["oldtea"])
    store.remember(
        "Zanzibar waits.", id="zanzibar-new", namespace="people/carol", origin=Origin(source="tool:zanzibar")
    )
    store.propose(
        batch='{"text": "Zanzibar is proposed.", "id": "zanzibar-idea", "namespace": "people/carol"}',
        title="Zanzibar idea",
        body="Zanzibar, at length.",
        origin=why(),
    )
    store.propose(batch='{"text": "Cake is proposed.", "id": "cake"}', title="Cake idea")
    git(folder, "branch", "side", "main")
    side = store.on("side")
    side.remember("Zanzibar on the side.", id="zanzibar-side", namespace="people/carol", origin=why())
    git(folder, "branch", "working", "quarantine")
    store.on("working").remember(
        "Zanzibar in work.", id="zanzibar-work", namespace="people/carol", origin=why()
    )
    store.note("Zanzibar is noted.", namespace="people/carol", session="zanzibar-notes", origin=why())
    # Of a link from what may be read the bare id is seen.
    store.remember("Zanzibar is linked.", id="served", title="Zanzibar", namespace="people/carol")
    store.link("tea", "served", relation="served-with")
    (people / "by-hand-zanzibar-hand.md").write_text("---\nid: zanzibar-hand\n---\nZanzibar by hand.\n")
    changed = next(people.glob("*-zanzibar-one.md"))
    changed.write_text(changed.read_text() + "Zanzibar edited.\n")
    store.recall("zanzibar tea", archived=True, quarantined=True)


def plant_elsewhere(folder: Path) -> None:
    """A remote that has more of both: what everybody may read, and what only people may."""
    remote, other = folder.parent / "origin.git", folder.parent / "other"
    git(folder, "clone", "-q", "--bare", ".", str(remote))
    git(folder, "remote", "add", "origin", str(remote))
    git(folder.parent, "clone", "-q", str(remote), str(other))
    elsewhere = as_person(other)
    elsewhere.remember("Zanzibar is far.", id="zanzibar-far", namespace="people/carol", origin=why())
    elsewhere.remember("Far from here.", id="far")
    git(other, "push", "-q", "origin", "main")
    store = as_person(folder)
    store.remember("Zanzibar is near.", id="zanzibar-near", namespace="people/carol", origin=why())
    store.remember("Near by.", id="near")


@dataclass(frozen=True, slots=True)
class Planted:
    """The store as it was planted, and fresh copies of it."""

    original: Path
    below: Path

    def shared(self) -> Path:
        """One copy for all who only read; what is derived in it stays for the next."""
        target = self.original.parent / "shared"
        return target if target.exists() else self._copied(target)

    def copy(self, name: str) -> Path:
        """A copy of the store, and of its remote beside it."""
        return self._copied(self.below / name)

    def _copied(self, target: Path) -> Path:
        remote = target.with_name(f"{target.name}-origin.git")
        copy_store(self.original, target)
        shutil.copytree(self.original.parent / "origin.git", remote, symlinks=True)
        config = target / ".git/config"
        config.write_text(config.read_text().replace(str(self.original.parent / "origin.git"), str(remote)))
        return target


@pytest.fixture(scope="session")
def planted_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("planted") / "mem"
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home-of-planted")
        (home / ".gitconfig").write_text("[user]\n\tname = Test Person\n\temail = person@example.com\n")
        for name in [name for name in os.environ if name.startswith(("GIT_", "GITMEM_"))]:
            patch.delenv(name)
        patch.setenv("HOME", str(home))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("GITMEM_HOOKS", "off")
        patch.setenv("GITMEM_IDENTITY", "person:alice")
        plant(folder)
        plant_elsewhere(folder)
    yield folder


@pytest.fixture
def planted(planted_once: Path, tmp_path: Path, person: None) -> Planted:
    return Planted(planted_once, tmp_path)
