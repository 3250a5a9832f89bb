"""sync: a store and a remote come to the same memories; nothing is forced, nothing lost, nothing stops at a conflict."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import (
    BadInput,
    Conflict,
    NotFound,
    OutsideFailure,
    Refused,
    UnsupportedRepository,
)
from gitmem.flows.syncing.values import FindingKind, Synced
from gitmem.git.remotes import push_branches
from gitmem.model.identity import Identity, Kind
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git, gitmem
from tests.faults.forked import forked
from tests.flows.clones import cloned, fetched, top, tree

AGENT = Identity(Kind.AGENT, "scout", "the test")
POLICY = ".gitmem/config.toml"


@pytest.fixture
def hub(store: Store, folder: Path, tmp_path: Path) -> Path:
    """A bare repository with a store of one memory, whose clone `store` is."""
    store.remember("Old office is in Lyon.", id="office", tags=["a"])
    git(tmp_path, "clone", "-q", "--bare", str(folder), "hub.git")
    git(folder, "remote", "add", "origin", "../hub.git")
    git(folder, "fetch", "-q", "origin")
    return tmp_path / "hub.git"


@pytest.fixture
def other(hub: Path, tmp_path: Path) -> Store:
    """A second clone of the same."""
    return cloned(hub, tmp_path / "other", driver=False)


def ids(store: Store, branch: str = "main") -> list[str]:
    """The memories on a branch."""
    snapshot = store.place.snapshot_of(branch)
    return sorted(snapshot.read(path, blob).id for path, blob in snapshot.files())


def told(synced: Synced) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """What came and what went."""
    came, went = ([(str(each.what), str(each.id)) for each in side] for side in (synced.came, synced.went))
    return came, went


def assert_alike(*stores: Store) -> None:
    """The stores stand at the same commits, and each is sound."""
    assert len({(store.place.tip("main"), store.place.tip("archive")) for store in stores}) == 1
    for store in stores:
        assert_sound(top(store))
        assert not [each for each in store.check().findings if each.severity == "error"]


def test_what_either_side_has_new_goes_to_the_other(store: Store, hub: Path, other: Store) -> None:
    """Both are told in memories, and a second sync has nothing to do."""
    store.remember("From here.", id="here")
    other.remember("From there.", id="there")
    other.tag("office", add=["b"])
    assert told(other.sync()) == ([], [("changed", "office"), ("added", "there")])
    assert told(store.sync()) == ([("changed", "office"), ("added", "there")], [("added", "here")])
    assert told(other.sync()) == ([("added", "here")], [])
    assert_alike(store, other)
    again = store.sync()
    assert told(again) == ([], []) and not any(each.has_moved_here for each in again.branches)


def test_an_empty_repository_gets_everything(store: Store, folder: Path, tmp_path: Path) -> None:
    """Archive too; a clone of it has all."""
    store.remember("One.", id="one")
    store.remember("Two.", id="two")
    store.archive(["two"])
    git(tmp_path, "init", "-q", "--bare", "empty.git")
    git(folder, "remote", "add", "origin", str(tmp_path / "empty.git"))
    assert told(store.sync()) == ([], [("added", "one")])
    other = cloned(tmp_path / "empty.git", tmp_path / "other", driver=False)
    assert ids(other) == ["one"] and ids(other, "archive") == ["two"]


def test_two_that_archive_different_memories_lose_neither(store: Store, hub: Path, other: Store) -> None:
    """Archives have no common history, and both memories are on the merged one."""
    store.remember("Second.", id="second")
    store.sync()
    other.sync()
    store.archive(["office"])
    other.archive(["second"])
    store.sync()
    assert told(other.sync()) == ([("archived", "office")], [("archived", "second")])
    store.sync()
    assert ids(store) == [] and ids(store, "archive") == ["office", "second"]
    assert_alike(store, other)


@pytest.mark.parametrize("first", ["archiver", "editor"])
def test_archived_on_one_side_and_edited_on_the_other_keeps_the_edit(
    store: Store, hub: Path, other: Store, first: str
) -> None:
    """It stays active with the edit, stands in one place only, and the report says so, whoever syncs first."""
    store.archive(["office"])
    other.append("office", "Lease kept until May.")
    order = [store, other] if first == "archiver" else [other, store]
    order[0].sync()
    second = order[1].sync()
    assert "archived-edited" in {str(line.case) for line in second.report}
    order[0].sync()
    assert ids(store) == ["office"] and ids(store, "archive") == []
    assert store.show("office").memory.body.endswith("Lease kept until May.\n")
    assert_alike(store, other)


def test_what_contradicts_is_a_dispute_and_stops_nothing(store: Store, hub: Path, other: Store) -> None:
    """Both versions come to both sides, and what is new beside them too."""
    store.update("office", "It is in Paris.")
    other.update("office", "It is in Rome.")
    other.remember("From there.", id="there")
    other.sync()
    synced = store.sync()
    assert list(synced.disputed) == ["office"]
    other.sync()
    for each in (store, other):
        assert [memory.id for memory in each.conflicts().memories] == ["office"]
        text = each.show("office").memory.body
        assert "Paris" in text and "Rome" in text
    assert_alike(store, other)


def test_a_relative_remote_is_found_from_any_folder(store: Store, folder: Path, hub: Path) -> None:
    """`../hub.git` means the same from the top, from a subfolder, and from elsewhere with -C."""
    store.remember("Deep.", id="deep", path="a/b/deep.md")
    Store.open(folder / "a" / "b").sync()
    assert "a/b/deep.md" in git(hub, "ls-tree", "-r", "--name-only", "main")
    store.remember("Deeper.")
    assert gitmem(folder.parent, "sync", "-C", str(folder)).code == 0
    Store.open(folder / "a" / "b").share_usage("origin")


def test_an_address_is_as_good_as_the_name_of_a_remote(
    store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store in a folder beside this one; the second time it has a name, and what does not answer gets none."""
    store.remember("Alice drinks tea.", id="tea")
    fork = cloned(folder, tmp_path / "fork.1", driver=False)
    fork.remember("Bob drinks coffee.", id="coffee")
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    here = Store.open(folder, notice=said.append)
    assert told(here.sync("fork.1", push=False))[0] == [("added", "coffee")]
    assert said == ["fork-1 is a remote of this store now; 'git remote remove fork-1' takes that back"]
    for name in (str(tmp_path / "fork.1"), "./fork.1", "fork-1"):
        assert here.sync(name, push=False).remote == "fork-1"
    with pytest.raises(OutsideFailure, match="does not appear to be a git repository"):
        here.sync("./nothing", push=False)
    with pytest.raises(BadInput, match="password"):
        here.sync("https://user:hunter2@example.com/x.git", push=False)
    assert git(folder, "remote").split() == ["fork-1"]


def test_sync_from_inside_a_hook_stays_in_its_repository(
    store: Store, folder: Path, hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git points its hooks at the repository that runs them by variables, which are not followed."""
    git(tmp_path, "init", "-q", "elsewhere")
    store.remember("Here.", id="here")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere" / ".git"))
    Store.open(folder).sync()
    assert os.environ["GIT_DIR"] == str(tmp_path / "elsewhere" / ".git")
    monkeypatch.delenv("GIT_DIR")
    assert git(hub, "rev-parse", "main") == git(folder, "rev-parse", "main")


def test_no_push_takes_in_and_sends_nothing(store: Store, hub: Path, other: Store) -> None:
    store.remember("Here.", id="here")
    other.remember("There.", id="there")
    other.sync()
    before = git(hub, "for-each-ref")
    synced = store.sync(push=False)
    assert told(synced) == ([("added", "there")], []) and not synced.is_pushed
    assert git(hub, "for-each-ref") == before
    assert ids(store) == ["here", "office", "there"]


def test_a_dry_run_tells_what_would_come_and_go_and_moves_nothing(
    store: Store, folder: Path, hub: Path, other: Store
) -> None:
    store.remember("Here.", id="here")
    other.remember("There.", id="there")
    other.archive(["office"])
    other.sync()
    before = git(hub, "for-each-ref"), git(folder, "for-each-ref", "refs/heads")
    synced = store.sync(dry_run=True)
    assert told(synced) == ([("archived", "office"), ("added", "there")], [("added", "here")])
    assert (git(hub, "for-each-ref"), git(folder, "for-each-ref", "refs/heads")) == before
    assert synced.is_dry_run and not synced.is_pushed


def test_an_edit_that_is_not_committed_stays_and_is_named(
    store: Store, folder: Path, hub: Path, other: Store
) -> None:
    """Where it is in the way nothing moves at all, archive neither; where it is not, sync goes on around it."""
    store.remember("Old.", id="old")
    store.archive(["old"])
    store.sync()
    other.sync()
    other.remember("There.", id="there")
    other.archive(["office"])
    other.sync()
    file = folder / store.show("office").memory.path
    file.write_text(file.read_text() + "By hand.\n")
    before = git(folder, "for-each-ref", "refs/heads")
    with pytest.raises(Conflict, match="office"):
        store.sync()
    assert git(folder, "for-each-ref", "refs/heads") == before
    git(folder, "checkout", "-q", "--", ".")
    (folder / "scratch.txt").write_text("mine")
    store.sync()
    assert git(folder, "status", "--porcelain") == "?? scratch.txt\n"
    assert ids(store) == ["there"]


def test_another_branch_that_is_checked_out_stays(
    store: Store, folder: Path, hub: Path, other: Store
) -> None:
    """Main moves below it, the files of the checkout do not."""
    git(folder, "checkout", "-q", "-b", "aside")
    other.remember("There.", id="there")
    other.sync()
    store.sync()
    assert ids(store) == ["office", "there"]
    assert git(folder, "rev-parse", "--abbrev-ref", "HEAD") == "aside\n"
    assert git(folder, "status", "--porcelain") == ""
    assert len(git(folder, "ls-files", "*.md").split()) == 1


def test_a_rewound_remote_gets_back_what_it_lost(store: Store, folder: Path, hub: Path, other: Store) -> None:
    """Both sides are kept, and it is said; nothing is forced."""
    store.remember("First.", id="first")
    store.sync()
    git(hub, "update-ref", "refs/heads/main", "main~1")
    other.remember("Other.", id="other")
    other.sync()
    synced = store.sync()
    assert any("was rewound" in notice for notice in synced.notices)
    other.sync()
    assert ids(store) == ["first", "office", "other"]
    assert_alike(store, other)


def change_policy(store: Store, line: str = '[trust]\nquarantine = ["https://*"]\n') -> None:
    """A person commits another policy by plain git."""
    file = top(store) / POLICY
    file.write_text(file.read_text() + line)
    git(top(store), "commit", "-qam", "policy")


def test_a_policy_that_changed_there_is_left_for_a_person_and_all_else_is_synced(
    store: Store, folder: Path, hub: Path, other: Store
) -> None:
    """Theirs stays theirs and ours stays ours, however often; memories go both ways; then a person takes it in."""
    change_policy(other)
    other.remember("There.", id="there")
    other.sync()
    there = git(hub, "show", f"main:{POLICY}")
    here = git(folder, "show", f"main:{POLICY}")
    for number in range(3):
        store.remember("Here.", id=f"here{number}")
        synced = store.sync()
        assert [finding.kind for finding in synced.findings] == [FindingKind.POLICY_THERE]
        assert [each.id for each in synced.went] == [f"here{number}"]
        assert git(hub, "show", f"main:{POLICY}") == there
        assert git(folder, "show", f"main:{POLICY}") == here
    assert ids(store) == ["here0", "here1", "here2", "office", "there"]
    quiet = store.sync()
    assert told(quiet) == ([], []) and quiet.findings
    other.sync()
    assert ids(other) == ids(store)
    assert store.merge("origin/main", policy="take").kind == "fast-forward"
    assert not store.sync().findings
    assert_alike(store, other)


def test_a_finding_ends_the_command_with_1_and_names_the_way(
    store: Store, folder: Path, hub: Path, other: Store
) -> None:
    change_policy(other)
    other.sync()
    ran = gitmem(folder, "sync")
    assert ran.code == 1
    assert f"{POLICY} was changed in origin/main" in ran.err and "--policy" in ran.err


def test_an_agent_sends_no_policy(store: Store, folder: Path, hub: Path) -> None:
    """What it changed below .gitmem/ stays here with a finding; a person may send it."""
    change_policy(store)
    store.remember("Here.", id="here")
    before = git(hub, "for-each-ref")
    synced = Store.open(folder, identity=AGENT).sync()
    assert [finding.kind for finding in synced.findings] == [FindingKind.POLICY_HERE]
    assert not synced.is_pushed
    assert git(hub, "for-each-ref") == before
    sent = Store.open(folder).sync()
    assert sent.is_pushed and any("goes along" in notice for notice in sent.notices)
    assert "https" in git(hub, "show", f"main:{POLICY}")


def test_policies_that_both_changed_wait_for_a_person(
    store: Store, folder: Path, hub: Path, other: Store
) -> None:
    """Memories come in, and neither policy is written over."""
    change_policy(store)
    change_policy(other, '[trust]\nquarantine = ["tool:*"]\n')
    other.remember("There.", id="there")
    other.sync()
    before = git(hub, "rev-parse", "main")
    synced = store.sync()
    assert {finding.kind for finding in synced.findings} == {
        FindingKind.POLICY_THERE,
        FindingKind.POLICY_HERE,
    }
    assert ids(store) == ["office", "there"]
    assert git(hub, "rev-parse", "main") == before
    assert "https" in git(folder, "show", f"main:{POLICY}")


def test_working_quarantine_and_uses_stay_at_home(
    store: Store, folder: Path, hub: Path, other: Store
) -> None:
    """Proposals go along. Uses only where it is asked for."""
    for name in ("working", "quarantine", "proposals/one"):
        git(folder, "branch", name)
    store.sync()
    assert git(hub, "for-each-ref", "--format=%(refname)").split() == [
        "refs/heads/main",
        "refs/heads/proposals/one",
    ]
    assert gitmem(folder, "sync", "--uses", env={"GITMEM_USAGE": "on"}).code == 0
    assert "refs/gitmem/usage" in git(hub, "for-each-ref")


def test_proposals_merge_and_one_that_was_taken_away_does_not_come_back(
    store: Store, folder: Path, hub: Path, other: Store
) -> None:
    """A proposal that both went on with is merged; one that the remote dropped is not pushed again."""
    git(folder, "branch", "proposals/one")
    store.sync()
    other.sync()
    git(top(other), "branch", "proposals/one", "origin/proposals/one")
    store.on("proposals/one").remember("Mine.", id="mine")
    other.on("proposals/one").remember("Theirs.", id="theirs")
    other.sync()
    store.sync()
    assert ids(store, "proposals/one") == ["mine", "office", "theirs"]
    assert git(hub, "rev-parse", "proposals/one") == git(folder, "rev-parse", "proposals/one")
    git(hub, "branch", "-q", "-D", "proposals/one")
    store.sync()
    assert "proposals" not in git(hub, "for-each-ref")


def test_histories_that_share_nothing_are_refused(
    store: Store, folder: Path, tmp_path: Path, hub: Path
) -> None:
    stranger = Store.init(tmp_path / "stranger", clock=FixedClock(NOW))
    stranger.remember("Elsewhere.")
    git(folder, "remote", "add", "stranger", str(top(stranger)))
    with pytest.raises(Refused, match="shares no history"):
        store.sync("stranger")


def test_a_shallow_clone_that_cannot_tell_says_so(
    store: Store, hub: Path, other: Store, tmp_path: Path
) -> None:
    """Where both meet is cut off; with the rest of the history it works."""
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{hub}", "shallow")
    shallow = Store.open(tmp_path / "shallow", clock=FixedClock(NOW))
    shallow.remember("Shallow.", id="shallow")
    git(hub, "update-ref", "refs/heads/main", "main~1")
    other.remember("Other.", id="other")
    other_main = git(top(other), "commit-tree", "-p", "main~2", "-m", "x", "main^{tree}").strip()
    git(top(other), "push", "-q", "--force", "origin", f"{other_main}:refs/heads/main")
    with pytest.raises(UnsupportedRepository, match="shallow"):
        shallow.sync()
    git(tmp_path / "shallow", "fetch", "-q", "--unshallow")
    shallow = Store.open(tmp_path / "shallow", clock=FixedClock(NOW))
    shallow.sync()
    assert "shallow" in ids(shallow) and "other" in ids(shallow)


def test_a_store_without_a_remote_says_so(store: Store) -> None:
    store.remember("Here.")
    with pytest.raises(NotFound, match="no remote"):
        store.sync()
    with pytest.raises(BadInput, match="elsewhere"):
        store.sync("elsewhere")


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("http://user:hunter2@127.0.0.1:9/hub.git", "Failed to connect to 127.0.0.1|Couldn't connect"),
        ("../nothing.git", "does not appear to be a git repository"),
        ("ssh://127.0.0.1:9/hub.git", "Connection refused|cannot run ssh"),
    ],
)
def test_a_remote_that_cannot_be_reached_is_one_line_without_a_password(
    store: Store, folder: Path, url: str, line: str
) -> None:
    store.remember("Here.")
    git(folder, "remote", "add", "origin", url)
    with pytest.raises(OutsideFailure, match=line) as caught:
        store.sync()
    assert "\n" not in caught.value.message and "hunter2" not in caught.value.message


def test_a_remote_that_does_not_take_it_says_why_and_nothing_is_lost(
    store: Store, folder: Path, hub: Path
) -> None:
    """A hook of the server refuses; what it says is passed on."""
    hook = hub / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'only on Mondays' >&2\nexit 1\n")
    hook.chmod(0o755)
    store.remember("Here.", id="here")
    with pytest.raises(OutsideFailure, match=r"does not take main: .*only on Mondays"):
        store.sync()
    hook.unlink()
    store.sync()
    assert_alike(store)


def test_a_remote_with_the_branch_checked_out_is_explained(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    store.remember("Here.")
    git(tmp_path, "clone", "-q", str(folder), "laptop")
    laptop = Store.open(tmp_path / "laptop")
    laptop.remember("There.")
    with pytest.raises(OutsideFailure, match="checked out") as caught:
        laptop.sync()
    assert "updateInstead" in (caught.value.hint or "")


SLOW_HOOK = """#!/bin/sh
# The first push is overtaken: another clone gets in between.
[ -e .git/overtaken ] && exit 0
touch .git/overtaken
git -C {other} push -q origin main
"""


def test_who_is_overtaken_begins_anew(store: Store, folder: Path, hub: Path, other: Store) -> None:
    """Another clone pushes between our fetch and our push: both are kept, without force."""
    other.remember("There.", id="there")
    store.remember("Here.", id="here")
    hook = folder / ".git" / "hooks" / "pre-push"
    hook.write_text(SLOW_HOOK.format(other=top(other)))
    hook.chmod(0o755)
    synced = store.sync()
    assert synced.rounds == 2
    other.sync()
    assert ids(store) == ["here", "office", "there"]
    assert_alike(store, other)


def test_a_push_never_forces(store: Store, hub: Path, other: Store) -> None:
    """What does not follow on what the remote has is not taken, and nothing else of the same push is."""
    other.remember("There.", id="there")
    other.sync()
    store.remember("Here.", id="here")
    before = git(hub, "for-each-ref")
    tip = store.place.tip("main")
    assert tip is not None
    rejections = push_branches(store.place.repository, "origin", {"main": tip, "proposals/new": tip})
    assert {rejection.branch for rejection in rejections} == {"main", "proposals/new"}
    assert git(hub, "for-each-ref") == before


def test_two_syncs_and_a_fetch_of_one_clone_do_not_disturb_each_other(
    store: Store, folder: Path, hub: Path, other: Store
) -> None:
    """All end well, and FETCH_HEAD is that of the person."""
    other.remember("There.", id="there")
    other.sync()
    store.remember("Here.", id="here")
    git(folder, "fetch", "-q", str(top(other)), "main")
    kept = (folder / ".git" / "FETCH_HEAD").read_text()
    command = [sys.executable, "-m", "gitmem.cli.main", "sync"]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    started = [subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(timeout=120) for process in started] == [0, 0]
    assert (folder / ".git" / "FETCH_HEAD").read_text() == kept
    other.sync()
    assert_alike(store, other)


STEPS = ("sync.fetched", "sync.archive-merged", "sync.merged", "sync.before-push", "sync.pushed")


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_step_the_next_sync_finishes(
    store: Store, folder: Path, hub: Path, other: Store, step: str
) -> None:
    """Nothing acknowledged is lost, and every memory stands on one branch or both, never on neither."""
    other.remember("There.", id="there")
    other.archive(["office"])
    other.sync()
    store.remember("Here.", id="here")
    store.remember("Kept.", id="kept")
    store.archive(["kept"])
    assert forked(lambda: Store.open(folder).sync(), fault=step).was_killed
    after = Store.open(folder, clock=FixedClock(NOW))
    assert {*ids(after), *ids(after, "archive")} >= {"here", "kept", "office"}
    after.sync()
    other.sync()
    assert ids(after) == ["here", "there"] and ids(after, "archive") == ["kept", "office"]
    assert_alike(after, other)


def test_a_bare_store_syncs_too(store: Store, hub: Path, other: Store, tmp_path: Path) -> None:
    """It needs no worktree."""
    git(tmp_path, "clone", "-q", "--bare", str(hub), "mirror.git")
    mirror = Store.open(tmp_path / "mirror.git", clock=FixedClock(NOW))
    mirror.remember("Mirrored.", id="mirrored")
    other.remember("There.", id="there")
    other.sync()
    mirror.sync()
    other.sync()
    assert ids(other) == ids(mirror) == ["mirrored", "office", "there"]


def test_a_second_remote_gets_archived_memories_of_the_first(
    store: Store, hub: Path, other: Store, tmp_path: Path
) -> None:
    """They are on an archive that is not even a branch here yet."""
    other.archive(["office"])
    other.sync()
    store.sync()
    git(tmp_path, "init", "-q", "--bare", "second.git")
    git(top(store), "remote", "add", "second", str(tmp_path / "second.git"))
    store.sync("second")
    assert "office" in git(tmp_path / "second.git", "ls-tree", "-r", "--name-only", "archive")


def test_merge_by_plain_git_beside_it_comes_to_the_same(store: Store, hub: Path, other: Store) -> None:
    """What a person merged and pushed by git is just another state of the remote."""
    other.remember("There.", id="there")
    fetched(store, other)
    git(top(store), "merge", "-q", "--no-edit", "other/main")
    git(top(store), "push", "-q", "origin", "main")
    other.sync()
    assert tree(store) == tree(other)


def test_an_empty_store_does_not_take_another_branch_for_nothing(
    hub: Path, folder: Path, tmp_path: Path
) -> None:
    """The remote has memories under another name: that is said, not taken for an empty remote."""
    git(hub, "branch", "-q", "-m", "main", "trunk")
    git(tmp_path, "init", "-q", "new")
    git(tmp_path / "new", "remote", "add", "origin", str(hub))
    with pytest.raises(NotFound, match="has no branch main"):
        Store.open(tmp_path / "new").sync()
    synced = Store.open(folder).sync()
    assert any("none called main" in notice for notice in synced.notices)
    assert git(hub, "rev-parse", "main") == git(hub, "rev-parse", "trunk")


def test_proposals_that_cannot_be_fetched_stop_nothing_else(
    store: Store, folder: Path, hub: Path, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that was a folder before, as long as the old one is not pruned here."""
    monkeypatch.setattr("gitmem.flows.syncing.fetch.ATTEMPTS", 2)
    git(hub, "branch", "proposals/one", "main")
    store.sync()
    git(hub, "branch", "-q", "-D", "proposals/one")
    git(hub, "branch", "proposals/one/two", "main")
    other.remember("There.", id="there")
    other.sync()
    synced = store.sync()
    assert [finding.kind for finding in synced.findings] == [FindingKind.PROPOSAL]
    assert ids(store) == ["office", "there"]
    git(folder, "remote", "prune", "origin")
    assert not store.sync().findings
