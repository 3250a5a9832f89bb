"""What is killed on its way with a proposal is finished by the next command, or never happened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitmem.flows.proposals.acceptance import Acceptance
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.faults.forked import forked

BEFORE = ("accept.intent", "publish.before-ref")
AFTER = (
    "publish.after-ref",
    "accept.merged",
    "move.arrived",
    "move.left",
    "accept.archived",
)
IN_PART = ("publish.before-ref:4", "publish.after-ref:4")
"""The merge of main into the rest is the fourth commit."""


@pytest.fixture
def proposed(store: Store) -> Store:
    """A proposal that adds two memories and takes one off main."""
    store.remember("A plan of long ago.", id="old")
    batch = "\n".join(json.dumps({"text": f"fact {n}", "id": f"fact{n}"}) for n in range(2))
    store.propose(batch=batch, title="Facts")
    store.on("proposals/facts").archive(["old"])
    return store


def standing(store: Store) -> dict[str, list[str]]:
    """Where each memory stands, and what is proposed."""
    found: dict[str, list[str]] = {}
    for branch in ("main", "archive"):
        if store.place.tip(branch):
            for record in store.on(branch).list().records:
                found.setdefault(record.id, []).append(branch)
    for proposal, changes in store.proposals():
        for change in changes.memories:
            found.setdefault(change.id, []).append(f"{proposal.name}: {change.kind}")
    return found


NOTHING = {
    "old": ["main", "facts: archived"],
    "fact0": ["facts: added"],
    "fact1": ["facts: added"],
}
WHOLE = {"old": ["archive"], "fact0": ["main"], "fact1": ["main"]}
PART = {"old": ["archive"], "fact0": ["main"], "fact1": ["facts: added"]}


@pytest.mark.parametrize("only", [(), ("fact0", "old")], ids=["whole", "part"])
@pytest.mark.parametrize("point", [*BEFORE, *AFTER])
def test_a_killed_acceptance_is_whole_or_did_not_happen(
    proposed: Store, folder: Path, point: str, only: tuple[str, ...]
) -> None:
    assert standing(proposed) == NOTHING
    assert forked(lambda: Store.open(folder).accept("facts", only=only), fault=point).was_killed
    said: list[str] = []
    store = Store.open(folder, notice=said.append)
    done = PART if only else WHOLE
    assert standing(store) == (NOTHING if point in BEFORE else done), said
    assert list((folder / ".git/gitmem/acceptances").iterdir()) == []
    if point in BEFORE:
        store.accept("facts", only=only)
        assert standing(store) == done
    assert_sound(folder)


@pytest.mark.parametrize("point", IN_PART)
def test_the_rest_of_a_proposal_is_brought_to_main(proposed: Store, folder: Path, point: str) -> None:
    work = lambda: Store.open(folder).accept("facts", only=["fact0", "old"])  # noqa: E731
    assert forked(work, fault=point).was_killed
    store = Store.open(folder)
    assert standing(store) == PART
    assert [proposal.behind for proposal, _ in store.proposals()] == [0]
    assert_sound(folder)


def test_one_that_failed_behind_its_commit_is_finished_later(
    proposed: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process lives on, as a server does; the next command carries on for it."""
    monkeypatch.setenv("GITMEM_IDENTITY", "person:tester")
    outcome = forked(lambda: Store.open(folder).accept("facts"), fault="move.arrived:1:ENOSPC")
    assert outcome.error == "OSError"
    assert standing(Store.open(folder)) == WHOLE


@pytest.mark.parametrize("point", ["publish.before-ref", "publish.after-ref"])
def test_a_proposal_that_is_killed_keeps_the_edit_in_the_worktree(
    store: Store, folder: Path, point: str
) -> None:
    """It stands on the proposal as well, or there is none; main is as it was."""
    written = store.remember("Reports go out on Monday.", id="reports")
    file = folder / written.path
    file.write_text(file.read_text().replace("Monday", "Friday"))
    assert forked(lambda: Store.open(folder).propose(["reports"], title="x"), fault=point).was_killed
    after = Store.open(folder)
    assert "Friday" in file.read_text()
    assert git(folder, "rev-parse", "main").strip() == written.version
    assert [proposal.name for proposal, _ in after.proposals()] == ([] if point in BEFORE else ["x"])


@pytest.mark.parametrize("point", ["publish.before-ref", "publish.after-ref"])
def test_a_killed_rejection_is_whole_or_did_not_happen(proposed: Store, folder: Path, point: str) -> None:
    assert forked(lambda: Store.open(folder).reject("facts", "no"), fault=point).was_killed
    [(proposal, _)] = Store.open(folder).proposals(settled=True)
    assert proposal.state == ("open" if point in BEFORE else "rejected")


def test_doctor_names_what_was_interrupted_and_finishes_it(proposed: Store, folder: Path) -> None:
    assert forked(lambda: Store.open(folder).accept("facts"), fault="accept.merged").was_killed
    [found] = Store.diagnose(folder)
    assert (found.code, found.message) == ("acceptance", "the acceptance of facts was interrupted")
    assert all(ailment.is_fixed for ailment in Store.diagnose(folder, fix=True))
    assert standing(Store.open(folder, is_mended=False)) == WHOLE
    assert Store.diagnose(folder) == []


def test_an_acceptance_that_is_under_way_is_left_alone(proposed: Store, folder: Path) -> None:
    tip = proposed.place.tip("main")
    assert tip is not None
    Acceptance.write(
        proposed._work,
        operation_id="1",
        name="facts",
        main_tip=tip,
        reviewed_by="person:x",
        is_whole=True,
        leaving=[],
    )
    assert standing(Store.open(folder)) == NOTHING
    assert len(list((folder / ".git/gitmem/acceptances").iterdir())) == 1


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"operation_id": "x\\ny"}', "{" * 100_000])
def test_what_is_no_acceptance_is_not_acted_upon(proposed: Store, folder: Path, text: str) -> None:
    """The folder may have come with a repository from elsewhere."""
    place = folder / ".git/gitmem/acceptances"
    place.mkdir(mode=0o700)
    (place / "1.given-up.json").write_text(text)
    before = git(folder, "for-each-ref")
    assert standing(Store.open(folder)) == NOTHING
    assert git(folder, "for-each-ref") == before
