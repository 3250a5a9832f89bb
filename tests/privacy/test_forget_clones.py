"""What was forgotten does not come back: by a sync, from an old clone, or by somebody who writes it again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import NotFound, OutsideFailure, Refused
from gitmem.model.change import Origin
from gitmem.model.identity import Identity, Kind
from gitmem.model.tombstones import TOMBSTONES_PATH, parse_tombstones, union
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git, gitmem
from tests.faults.forked import forked
from tests.flows.clones import cloned, top
from tests.privacy import raw_search

SECRET = "swordfish-2290417"
TEXT = f"Alice keeps the code {SECRET} of her door below the mat."
CHINESE = "王小明住在上海市浦东新区的一座老房子里，电话是保密的。"


def search(folder: Path) -> list[str]:
    return raw_search.places(folder, [SECRET.encode(), b"gone0001"])


@pytest.fixture
def hub(store: Store, folder: Path) -> Path:
    """A bare remote of the store, with a memory that is to be forgotten."""
    store.remember("kept here", id="kept0001")
    store.remember(TEXT, id="gone0001", title="Where a key is")
    store.update("gone0001", f"{TEXT} It was moved.")
    hub = folder.parent / "hub.git"
    git(folder.parent, "init", "-q", "--bare", "hub.git")
    git(folder, "remote", "add", "origin", str(hub))
    store.sync()
    return hub


@pytest.fixture
def old_clone(hub: Path, tmp_path: Path) -> Store:
    """A clone of before, with work of its own: on the memory itself, beside it, and on a proposal."""
    clone = cloned(hub, tmp_path / "laptop")
    clone.remember("made on the laptop", id="laptop01")
    clone.update("gone0001", f"The laptop knows {SECRET} too.")
    clone.update("kept0001", "changed on the laptop")
    clone.remember("retired on the laptop", id="retired1")
    clone.archive(["retired1"])
    clone.propose(batch='{"text": "proposed on the laptop", "id": "proposed"}', title="Idea")
    git(top(clone), "tag", "mine")
    return clone


def test_an_old_clone_is_refused_healed_and_brings_nothing_back(
    store: Store, folder: Path, hub: Path, old_clone: Store
) -> None:
    receipt = store.forget(["gone0001"], remote="origin")
    assert receipt.proof.holds and list(receipt.pushed) == ["refs/heads/main"]
    laptop = top(old_clone)
    before = git(laptop, "for-each-ref", "refs/heads")
    with pytest.raises(Refused, match="main holds history that was forgotten on 2026-11-29") as caught:
        old_clone.sync()
    assert "gitmem heal origin" in (caught.value.hint or "")
    assert git(laptop, "for-each-ref", "refs/heads") == before
    foreseen = old_clone.heal(dry_run=True)
    assert git(laptop, "for-each-ref", "refs/heads") == before and foreseen.is_dry_run
    healed = Store.open(laptop, clock=FixedClock(NOW)).heal()
    assert healed.proof is not None and healed.proof.holds
    assert (foreseen.kept, foreseen.dropped) == (healed.kept, healed.dropped)
    assert search(laptop) == []
    assert_sound(laptop)
    clone = Store.open(laptop, clock=FixedClock(NOW))
    clone.sync()
    assert {record.id for record in clone.list().records} == {"kept0001", "laptop01"}
    assert clone.show("kept0001").memory.body == "changed on the laptop\n"
    assert clone.on("archive").show("retired1").memory.body == "retired on the laptop\n"
    assert [proposal.name for proposal, _ in clone.proposals()] == ["idea"]
    here = Store.open(folder, clock=FixedClock(NOW))
    here.sync()
    assert {record.id for record in here.list().records} == {"kept0001", "laptop01"}
    assert search(folder) == []
    with pytest.raises(NotFound, match="nothing here is of a history that origin has rewritten"):
        clone.heal()
    git(hub, "gc", "-q", "--prune=now")
    assert search(hub) == []


def test_a_healed_clone_names_the_commits_that_the_remote_names(
    store: Store, folder: Path, hub: Path, tmp_path: Path
) -> None:
    """A header that follows its commit is a change of the file, and no memory is gone for that."""
    store.remember("written anew", id="later001")
    named = git(folder, "rev-parse", "HEAD").strip()
    path = "semantic/an/anch0001.md"
    (folder / path).parent.mkdir(parents=True)
    (folder / path).write_text(f"---\nid: anch0001\nanchors:\n  - app.py@{named}\n---\nAnchored.\n")
    git(folder, "add", path)
    git(folder, "commit", "-qm", "by hand")
    store.sync()
    clone = cloned(hub, tmp_path / "laptop")
    clone.remember("made on the laptop", id="laptop01")
    assert store.forget(["gone0001"], remote="origin").proof.holds
    healed = clone.heal()
    assert healed.proof is not None and healed.proof.holds
    said = git(top(clone), "show", f"main:{path}")
    assert said == git(folder, "show", f"main:{path}") and named not in said
    assert Store.open(top(clone)).show("laptop01").memory.body == "made on the laptop\n"


@pytest.mark.parametrize("point", [f"forget.{step}" for step in ("main-moved", "refs-moved", "purged")])
def test_a_killed_heal_is_finished_by_the_next(
    store: Store, folder: Path, hub: Path, old_clone: Store, point: str
) -> None:
    store.forget(["gone0001"], remote="origin")
    laptop = top(old_clone)
    assert forked(lambda: Store.open(laptop).heal(), fault=point).was_killed
    healed = Store.open(laptop, clock=FixedClock(NOW)).heal()
    assert healed.proof is not None and healed.proof.holds
    assert search(laptop) == []
    clone = Store.open(laptop, clock=FixedClock(NOW))
    clone.sync()
    assert clone.show("kept0001").memory.body == "changed on the laptop\n"
    assert_sound(laptop)


def test_a_remote_that_still_holds_it_is_not_fetched(store: Store, folder: Path, hub: Path) -> None:
    store.forget(["gone0001"])
    again = Store.open(folder)
    with pytest.raises(Refused, match="origin/main still holds what was forgotten here") as caught:
        again.sync()
    assert "gitmem forget --remote origin" in (caught.value.hint or "")
    assert search(folder) == []
    assert list(again.push_forgotten("origin").refs) == ["refs/heads/main"]
    again.sync()


def test_old_history_that_somebody_pushes_again_is_taken_off_the_disk(
    store: Store, folder: Path, hub: Path, old_clone: Store
) -> None:
    store.forget(["gone0001"], remote="origin")
    git(top(old_clone), "push", "-q", "--force", "origin", "main")
    here = Store.open(folder)
    with pytest.raises(Refused, match="origin/main holds what was forgotten on 2026-11-29; what was fetched"):
        here.sync()
    assert search(folder) == []
    assert git(folder, "rev-parse", "origin/main") == git(folder, "rev-parse", "main")
    with pytest.raises(Refused, match="main would bring back what was forgotten"):
        new = git(top(old_clone), "rev-parse", "main").strip()
        here.place.repository.see_objects_in(top(old_clone) / ".git/objects")
        here.guard([f"{git(folder, 'rev-parse', 'main').strip()} {new} refs/heads/main"])
    git(folder, "fetch", "-q", "origin")
    with pytest.raises(Refused, match="this history holds what was forgotten on 2026-11-29"):
        here.merge("origin/main")


def test_a_rebase_of_old_history_brings_nothing_back(
    store: Store, folder: Path, hub: Path, tmp_path: Path
) -> None:
    """Git copies the forgotten commits onto the history of now, under ids that no tombstone names."""
    laptop = top(cloned(hub, tmp_path / "laptop"))
    store.forget(["gone0001"], remote="origin")
    Store.open(laptop).remember("made on the laptop", id="laptop01")
    git(laptop, "fetch", "-q", "origin")
    git(laptop, "rebase", "-q", "origin/main")
    before = git(hub, "for-each-ref")
    with pytest.raises(Refused, match=r"main repeats in .* what was forgotten on 2026-11-29") as caught:
        Store.open(laptop).sync()
    assert "gitmem heal origin" in (caught.value.hint or "")
    assert git(hub, "for-each-ref") == before
    Store.open(laptop, clock=FixedClock(NOW)).heal()
    assert search(laptop) == []
    Store.open(laptop).sync()
    store.sync()
    assert store.recall("made on the laptop").total == 1
    assert_sound(laptop)


def test_what_was_written_again_without_the_key_is_refused_with_the_way_out(
    store: Store, folder: Path, hub: Path, tmp_path: Path
) -> None:
    store.forget(["gone0001"], remote="origin")
    clone = cloned(hub, tmp_path / "laptop")
    clone.remember(TEXT, id="again001")
    clone.sync()
    with pytest.raises(Refused, match="what this says was forgotten on") as caught:
        store.sync()
    assert "gitmem forget ID --remote" in (caught.value.hint or "")
    store.export_tombstone_key(tmp_path / "key")
    clone.import_tombstone_key((tmp_path / "key").read_text())
    clone.forget(["again001"], remote="origin")
    store.sync()
    assert search(top(clone)) == []


def test_nothing_is_forgotten_where_a_remote_has_work_that_is_not_here(
    store: Store, folder: Path, hub: Path, tmp_path: Path
) -> None:
    clone = cloned(hub, tmp_path / "laptop")
    clone.remember("new there", id="new00001")
    clone.sync()
    with pytest.raises(Refused, match="origin has commits on main that are not here"):
        store.forget(["gone0001"], remote="origin")
    assert store.show("gone0001")
    store.sync()
    assert store.forget(["gone0001"], remote="origin").proof.holds


def test_what_is_pushed_has_the_tombstones_though_the_remote_was_ahead(
    store: Store, folder: Path, hub: Path, tmp_path: Path
) -> None:
    """Plain git fetched what another clone had pushed: main here has to have it before main there is replaced."""
    clone = cloned(hub, tmp_path / "laptop")
    clone.remember("new there", id="new00001")
    clone.sync()
    git(folder, "fetch", "-q", "origin")
    with pytest.raises(Refused, match="origin has commits on main that main here has not"):
        store.forget(["gone0001"], remote="origin")
    assert store.show("gone0001")
    store.forget(["gone0001"])
    (left,) = Store.open(folder).push_forgotten("origin").left
    assert left[0] == "refs/heads/main" and "'gitmem merge origin/main'" in left[1]
    store.merge("origin/main")
    assert Store.open(folder).push_forgotten("origin").refs == ["refs/heads/main"]
    assert_comes_not_back(store, clone)


def test_what_came_to_the_remote_on_old_history_meanwhile_can_be_brought_onto_the_new(
    store: Store, folder: Path, hub: Path, tmp_path: Path
) -> None:
    """Somebody who knew of nothing pushed between a forget and its push."""
    clone = cloned(hub, tmp_path / "laptop")
    store.forget(["gone0001"])
    clone.remember("new there", id="new00001")
    clone.sync()
    push = ["forget", "--remote", "origin", "--yes", "origin"]
    ran = gitmem(folder, *push)
    assert ran.code == 1 and "it has commits that are not here: 'git fetch origin'" in ran.out
    git(folder, "fetch", "-q", "origin")
    ran = gitmem(folder, *push)
    assert ran.code == 1 and "it has commits on what was forgotten: forget the same once more" in ran.out
    store.forget(["gone0001"])
    store.merge("origin/main")
    assert gitmem(folder, *push).code == 0
    assert_comes_not_back(store, clone)


def assert_comes_not_back(store: Store, clone: Store) -> None:
    """An old clone has to heal, keeps what it made, and neither has anything of it then."""
    with pytest.raises(Refused, match="history that was forgotten"):
        Store.open(top(clone)).sync()
    Store.open(top(clone), clock=FixedClock(NOW)).heal()
    for each in (store, clone):
        Store.open(top(each)).sync()
        assert Store.open(top(each)).show("new00001")
        assert search(top(each)) == []
        assert_sound(top(each))


def test_a_guarded_remote_says_no_and_nothing_there_moves(store: Store, folder: Path, hub: Path) -> None:
    git(hub, "config", "receive.denyNonFastForwards", "true")
    before = git(hub, "for-each-ref")
    with pytest.raises(OutsideFailure, match="origin does not let main go"):
        store.forget(["gone0001"], remote="origin")
    assert git(hub, "for-each-ref") == before
    assert search(folder) == []


def test_a_forgotten_text_is_refused_wherever_it_comes_in(store: Store, folder: Path, tmp_path: Path) -> None:
    """With the key of the tombstones, and without a word of what it was."""
    store.remember("kept here", id="kept0001")
    store.remember(TEXT, id="gone0001")
    store.remember(CHINESE, id="chinese1")
    assert store.forget(["gone0001", "chinese1"]).proof.holds
    again = Store.open(folder, clock=FixedClock(NOW))
    path = folder / again.show("kept0001").memory.path
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "note.md").write_text(f"# A note\n\n{TEXT}\n")
    attempts: dict[str, Callable[[], object]] = {
        "sentence": lambda: again.remember(f"Hello.\n\n{TEXT}\nMore follows here.", id="new00002"),
        "chinese": lambda: again.remember(f"听说{CHINESE[:-10]}……\n{CHINESE}", id="new00003"),
        "update": lambda: again.update("kept0001", TEXT),
        "append": lambda: again.append("kept0001", TEXT),
        "id": lambda: again.remember("other", id="GONE0001"),
        "proposal": lambda: again.propose(batch=f'{{"text": "{TEXT}"}}', title="Sneak"),
    }
    before = git(folder, "for-each-ref")
    for name, attempt in attempts.items():
        with pytest.raises(Refused, match="forgotten on 2026-11-29") as caught:
            attempt()
        assert SECRET not in str(caught.value), name
    path.write_text(path.read_text() + TEXT + "\n")
    with pytest.raises(Refused, match="forgotten on 2026-11-29"):
        again.commit_edits(["kept0001"])
    imported = again.import_folder(notes)
    assert imported.counts == {"gone": 1} and "forgotten on 2026-11-29" in imported.reasons["note.md"]
    assert git(folder, "for-each-ref") == before
    assert again.remember("Alice keeps her promises.", id="new00009").id == "new00009"


def test_texts_come_in_without_the_key_and_the_key_can_be_shared(
    store: Store, folder: Path, hub: Path, tmp_path: Path
) -> None:
    store.forget(["gone0001"], remote="origin")
    clone = cloned(hub, tmp_path / "fresh")
    assert any("checks for forgotten texts are off" in note for note in clone.status().notes)
    Store.open(folder).export_tombstone_key(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert not clone.tombstones().checks_texts
    clone.import_tombstone_key((tmp_path / "key").read_text())
    assert clone.tombstones().checks_texts and not any("key" in note for note in clone.status().notes)
    with pytest.raises(Refused, match="a memory of the id gone0001 was forgotten on 2026-11-29"):
        clone.remember("x", id="gone0001")


def test_tombstones_of_both_sides_meet_and_never_shrink(store: Store, folder: Path, tmp_path: Path) -> None:
    """They are no policy: an agent's sync carries them too, and taking lines out changes nothing."""
    store.remember("kept here", id="kept0001")
    for number in range(2):
        store.remember(f"The number {number} is to be forgotten by all of us.", id=f"gone000{number}")
    store.forget(["gone0000"])
    git(tmp_path, "clone", "-q", "--bare", str(folder), "hub.git")
    git(folder, "remote", "add", "origin", str(tmp_path / "hub.git"))
    git(folder, "fetch", "-q", "origin")
    clone = cloned(tmp_path / "hub.git", tmp_path / "laptop")
    (tmp_path / "laptop" / TOMBSTONES_PATH).write_text("")
    git(tmp_path / "laptop", "commit", "-q", "-a", "-m", "shrink")
    here = Store.open(folder, clock=FixedClock(NOW))
    here.remember("more", id="more0001")
    here.sync()
    clone.sync(origin=Origin())
    lines = parse_tombstones((tmp_path / "laptop" / TOMBSTONES_PATH).read_bytes())
    assert lines.lines == parse_tombstones((folder / TOMBSTONES_PATH).read_bytes()).lines
    assert union(b"", lines.data) == lines.data == union(lines.data, lines.data)


def test_an_agent_suggests_and_a_person_decides(store: Store, folder: Path) -> None:
    store.remember("The project is over.", id="project1", title="The project")
    agent = {"GITMEM_IDENTITY": "agent:bot"}
    done = gitmem(folder, "suggest", "archive", "project1", "--reason", "it ended", "--json", env=agent)
    assert done.code == 0, done.err
    assert done.json["branch"] == "proposals/archive-the-project"
    assert store.show("project1").memory.body == "The project is over.\n"
    store.accept("archive-the-project")
    assert store.on("archive").show("project1").memory.body == "The project is over.\n"
    bot = Store.open(folder, identity=Identity(Kind.AGENT, "bot", "test"))
    written = bot.remember("What the bot thinks.", id="thought1")
    with pytest.raises(Refused, match=f"{written.path} would be gone, and agent:bot removes no memory"):
        bot.undo()
    (folder / written.path).unlink()
    with pytest.raises(Refused, match="removes no memory"):
        bot.commit_edits()
    git(folder, "checkout", "-q", "--", ".")
    for verb in (["forget", "project1", "--yes", "project1"], ["heal"], ["tombstones", "export-key", "k"]):
        refused = gitmem(folder, *verb, env=agent)
        assert refused.code == 5 and "needs a person; this is agent:bot" in refused.err
