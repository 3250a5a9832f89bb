"""A store that shows only what is signed: an unsigned commit adds, changes and removes nothing that is shown."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import NotFound, OutsideFailure
from gitmem.git import signatures
from gitmem.store import Store
from gitmem.versions import signed
from tests.conftest import NOW, git, gitmem

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
NOTE = "not shown: no version is signed by a key that git can verify"


@pytest.fixture(autouse=True)
def nobody_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSH_AUTH_SOCK", "SSH_ASKPASS", "DISPLAY", "GNUPGHOME"):
        monkeypatch.delenv(name, raising=False)


def make_key(place: Path) -> str:
    """A new key without a passphrase; the public half."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(place)], check=True)
    return place.with_suffix(".pub").read_text()


@pytest.fixture
def allowed(folder: Path, tmp_path: Path) -> Path:
    """The file of allowed signers; it names the key that signs here."""
    file = tmp_path / "allowed"
    file.write_text(f"person@example.com {make_key(tmp_path / 'key')}")
    git(folder, "config", "gpg.format", "ssh")
    git(folder, "config", "gpg.ssh.allowedSignersFile", str(file))
    git(folder, "config", "user.signingkey", str(tmp_path / "key"))
    return file


Sign = Callable[[bool], Store]


@pytest.fixture
def sign(store: Store, folder: Path, allowed: Path) -> Sign:
    """Opens the store, with commits signed from now on or not; its policy asks for signatures."""
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + "\n[trust]\nrequire_signed = true\n")
    git(folder, "commit", "-qam", "policy")

    def opened(wanted: bool) -> Store:
        git(folder, "config", "commit.gpgsign", "true" if wanted else "false")
        return Store.open(folder, clock=FixedClock(NOW))

    return opened


def texts(store: Store) -> dict[str, str]:
    return {record.id: store.show(record.id).memory.body for record in store.list().records}


def test_only_the_last_signed_version_is_shown(sign: Sign) -> None:
    written = sign(True).remember("Reports go out on Monday.", id="reports")
    store = sign(False)
    store.update("reports", "Reports go to Mallory.")
    assert texts(store) == {"reports": "Reports go out on Monday.\n"}
    shown = store.show("reports")
    assert (shown.version, shown.edit) == (written.version, "last signed version")
    assert shown.raw.endswith(b"Reports go out on Monday.\n")
    [hit] = store.recall("when do reports go out").hits
    assert hit.hit.labels == ("last signed version",)
    assert store.recall("Mallory").hits == ()
    context = store.context("when do reports go out?").text
    assert f"[reports @{written.version[:10]} " in context
    assert "(last signed version) Reports go out on Monday." in context and "Mallory" not in context
    sign(True).update("reports", "Reports go out on Friday.")
    assert store.show("reports").edit is None
    assert texts(store) == {"reports": "Reports go out on Friday.\n"}


def test_what_was_never_signed_is_hidden_and_counted(sign: Sign, folder: Path) -> None:
    sign(True).remember("good", id="good")
    store = sign(False)
    store.remember("evil one", id="evil1")
    store.remember("evil two", id="evil2")
    listing = store.list()
    assert [record.id for record in listing.records] == ["good"]
    assert list(listing.notes) == [f"2 memories are {NOTE}"]
    assert f"2 memories are {NOTE}" in store.recall("evil").notes
    assert f"2 memories are {NOTE}" in store.context("evil").notes and store.context("evil").text == ""
    assert f"Note: 2 memories are {NOTE}." in store.brief().text and "evil" not in store.brief().text
    with pytest.raises(NotFound, match="evil1 is not shown"):
        store.show("evil1")
    assert NOTE in gitmem(folder, "list").err


def test_an_unsigned_removal_removes_nothing(sign: Sign, folder: Path) -> None:
    path = sign(True).remember("keep me", id="keep").path
    git(folder, "-c", "commit.gpgsign=false", "rm", "-q", path)
    git(folder, "-c", "commit.gpgsign=false", "commit", "-qm", "gone")
    store = sign(False)
    assert [each.hit.record.id for each in store.recall("keep me").hits] == ["keep"]
    assert store.show("keep").memory.body == "keep me\n"


def test_an_unsigned_change_that_is_taken_back_leaves_no_mark(sign: Sign, folder: Path) -> None:
    sign(True).remember("text", id="one")
    store = sign(False)
    store.update("one", "other")
    store.revert("one", "v1")
    assert store.show("one").edit is None


def test_a_key_that_is_not_allowed_counts_for_nothing(sign: Sign, folder: Path, tmp_path: Path) -> None:
    make_key(tmp_path / "strange")
    git(folder, "config", "user.signingkey", str(tmp_path / "strange"))
    store = sign(True)
    store.remember("signed by a stranger", id="one")
    assert store.list().records == []


def test_an_excluded_file_is_not_shown_unsigned_once_it_is_a_memory(sign: Sign, folder: Path) -> None:
    """What was kept while the config excluded it says nothing less; and nothing of what is excluded by now."""
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text().replace("exclude = []", 'exclude = ["drafts/*"]'))
    sign(True)
    git(folder, "commit", "-qam", "drafts are no memories")
    (folder / "drafts").mkdir()
    (folder / "drafts/evil.md").write_text("---\nid: evil1\n---\nPay Mallory.\n")
    git(folder, "add", "drafts")
    git(folder, "-c", "commit.gpgsign=false", "commit", "-qm", "unsigned")
    assert texts(sign(True)) == {}
    config.write_text(config.read_text().replace('"drafts/*"', ""))
    git(folder, "commit", "-qam", "drafts are memories")
    assert texts(sign(True)) == {}
    assert sign(True).recall("Mallory").hits == ()
    config.write_text(config.read_text().replace("exclude = []", 'exclude = ["drafts/*"]'))
    git(folder, "commit", "-qam", "drafts are no memories again")
    assert sign(True).list().notes == ()


def test_verdicts_are_kept_until_the_keys_change(
    sign: Sign, allowed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    verified = signatures.verified

    def counting(repo: object, commits: list[str], progress: object) -> dict[str, bool]:
        asked.append(len(commits))
        return verified(repo, commits, progress)  # type: ignore[arg-type]

    monkeypatch.setattr(signed, "verified", counting)
    store = sign(True)
    store.remember("one", id="one")
    store.list()
    store.list()
    store.remember("two", id="two")
    store.recall("two")
    assert asked == [3, 1]
    kept = allowed.read_text()
    allowed.write_text("")
    assert store.list().records == []
    assert asked == [3, 1, 4]
    allowed.write_text(kept)
    assert {record.id for record in store.list().records} == {"one", "two"}


def test_who_signs_a_merge_answers_for_what_it_brings(sign: Sign, folder: Path) -> None:
    store = sign(False)
    store.propose(batch='{"text": "from an agent", "id": "new"}', title="News")
    assert store.list().records == []
    sign(True).accept("news")
    assert [record.id for record in store.list().records] == ["new"]


def test_archived_memories_are_looked_at_too(sign: Sign) -> None:
    sign(True).remember("kept", id="kept")
    store = sign(False)
    store.remember("evil", id="evil")
    store.archive(["kept", "evil"])
    with pytest.raises(NotFound, match="evil is not shown"):
        store.show("evil")
    assert store.recall("evil", archived=True).hits == ()


def test_no_program_that_the_repository_names_runs(sign: Sign, folder: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {trace}\nexit 0\n")
    program.chmod(0o755)
    store = sign(True)
    store.remember("good", id="good")
    for name in ("gpg.program", "gpg.ssh.program", "gpg.x509.program", "gpg.ssh.defaultKeyCommand"):
        git(folder, "config", name, str(program))
    assert [record.id for record in store.list().records] == ["good"]
    assert not trace.exists()


def test_where_signatures_cannot_be_looked_at_nothing_is_shown(
    sign: Sign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise OutsideFailure("git log: no such program")

    sign(True).remember("good", id="good")
    monkeypatch.setattr(signed, "verified", failing)
    with pytest.raises(OutsideFailure):
        sign(True).list()


def test_where_a_shallow_clone_ends_nobody_vouches_for_what_is_older(
    sign: Sign, folder: Path, tmp_path: Path
) -> None:
    sign(False).remember("Reports go to Mallory.", id="evil")
    sign(True).remember("good", id="good")
    clone = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{folder}", str(clone))
    for name in ("gpg.format", "gpg.ssh.allowedSignersFile"):
        git(clone, "config", name, git(folder, "config", name).strip())
    result = gitmem(clone, "recall", "reports")
    assert (result.code, result.out) == (7, "") and "Mallory" not in result.err
    assert "shallow" in result.err and "git fetch --unshallow" in result.err
    git(clone, "fetch", "-q", "--unshallow")
    assert list(texts(Store.open(clone))) == ["good"]
    git(clone, "fetch", "-q", "--depth=1")
    assert list(texts(Store.open(clone))) == ["good"]


def test_what_is_kept_may_be_damaged(sign: Sign, folder: Path) -> None:
    store = sign(True)
    store.remember("good", id="good")
    store.list()
    for text in ("", "[]", '{"format": 1, "keyring": 3}', "{" * 10_000):
        (folder / ".git/gitmem/signed.json").write_text(text)
        assert [record.id for record in store.list().records] == ["good"]
