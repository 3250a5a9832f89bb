"""Commits that the user's program signs: made and verified, or refused with nothing changed, also later."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import OutsideFailure, SigningFailed
from gitmem.flows import commit
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem

needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
needs_gpg = pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")


@pytest.fixture(autouse=True)
def nobody_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """No agent holds a key, and no window asks for a passphrase."""
    for name in ("SSH_AUTH_SOCK", "SSH_ASKPASS", "DISPLAY", "WAYLAND_DISPLAY", "GPG_AGENT_INFO", "GNUPGHOME"):
        monkeypatch.delenv(name, raising=False)


def ssh_key(folder: Path, tmp_path: Path, *, passphrase: str) -> None:
    """A new key signs the commits of the repository."""
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", str(key)], check=True)
    allowed = tmp_path / "allowed"
    allowed.write_text(f"person@example.com {key.with_suffix('.pub').read_text()}")
    git(folder, "config", "gpg.format", "ssh")
    git(folder, "config", "gpg.ssh.allowedSignersFile", str(allowed))
    git(folder, "config", "user.signingkey", str(key))
    git(folder, "config", "commit.gpgsign", "true")


@pytest.fixture
def gpg_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home of gpg; what it started is ended."""
    # The socket of its agent must have a short path.
    home = Path(subprocess.check_output(["mktemp", "-d", "/tmp/gpg-XXXXXX"], text=True).strip())
    monkeypatch.setenv("GNUPGHOME", str(home))
    return home


def gpg_key(folder: Path, *, passphrase: str) -> None:
    identity = "Test Person <person@example.com>"
    question = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", passphrase]
    subprocess.run(
        [*question, "--quick-generate-key", identity, "ed25519", "sign"], check=True, capture_output=True
    )
    # What the agent may have kept of the passphrase is forgotten.
    subprocess.run(["gpgconf", "--kill", "gpg-agent"], check=True)
    git(folder, "config", "user.signingkey", identity)
    git(folder, "config", "commit.gpgsign", "true")


class Signer:
    """A signing program that fails at one of its calls, from 1; at all later ones too unless it recovers."""

    def __init__(self, folder: Path, tmp_path: Path) -> None:
        self._count, self._failing = tmp_path / "count", tmp_path / "failing"
        program = tmp_path / "signer"
        program.write_text(
            "#!/bin/sh\n"
            f"count=$(($(cat {self._count}) + 1)); echo $count >{self._count}; . {self._failing}\n"
            "[ $count -lt $first ] || [ $count -gt $last ] || { echo 'no card' >&2; exit 1; }\n"
            "cat >/dev/null; echo '[GNUPG:] SIG_CREATED ' >&2\n"
            "printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'\n"
        )
        program.chmod(0o755)
        self.fail_at(999)
        git(folder, "config", "gpg.program", str(program))
        git(folder, "config", "commit.gpgsign", "true")

    def fail_at(self, call: int, *, recovers: bool = False) -> None:
        """Counts anew; the call with this number fails."""
        self._count.write_text("0\n")
        self._failing.write_text(f"first={call} last={call if recovers else 999}\n")

    @property
    def calls(self) -> int:
        return int(self._count.read_text())


@pytest.fixture
def signer(store: Store, folder: Path, tmp_path: Path) -> Signer:
    """A store whose commits are signed by a program that may fail."""
    return Signer(folder, tmp_path)


def everything(folder: Path) -> tuple[str, str, str]:
    """All refs, what git says of the worktree, and what is prepared for later."""
    prepared = [
        path.name for name in ("moves", "journal") for path in (folder / ".git/gitmem" / name).glob("*")
    ]
    return git(folder, "for-each-ref"), git(folder, "status", "--porcelain"), " ".join(prepared)


@needs_ssh
def test_a_commit_signed_by_an_ssh_key_verifies(store: Store, folder: Path, tmp_path: Path) -> None:
    """Each commit of each kind of write is one that git itself verifies."""
    ssh_key(folder, tmp_path, passphrase="")
    store.remember("signed", id="s")
    store.append("s", "more")
    store.archive(["s"])
    for name in ("main", "main~1", "main~2", "archive"):
        git(folder, "verify-commit", name)
    assert_sound(folder)


@needs_ssh
def test_an_ssh_key_with_a_passphrase_that_nobody_gives_writes_nothing(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """The command ends by itself in one line with exit code 8, and no later command writes it after all."""
    store.remember("there before", id="b")
    ssh_key(folder, tmp_path, passphrase="secret")
    before = everything(folder)
    for arguments in (["remember", "x"], ["archive", "b"]):
        done = gitmem(folder, *arguments)
        assert (done.code, done.out, done.err.count("\n")) == (8, "", 1), done
        assert "commit.gpgsign is on, and ssh-keygen failed" in done.err
        assert everything(folder) == before
    git(folder, "config", "commit.gpgsign", "false")
    assert gitmem(folder, "list").code == 0
    assert everything(folder) == before


@needs_gpg
def test_a_commit_signed_by_gpg_verifies(store: Store, folder: Path, gpg_home: Path) -> None:
    """A key without a passphrase signs each commit."""
    gpg_key(folder, passphrase="")
    store.remember("signed", id="s")
    try:
        git(folder, "verify-commit", "HEAD")
    finally:
        end_gpg(gpg_home)
    assert_sound(folder)


@needs_gpg
def test_a_gpg_key_with_a_passphrase_that_nobody_gives_writes_nothing(
    store: Store, folder: Path, gpg_home: Path
) -> None:
    """Without a terminal gpg gives up, or is given up after its limit; one line, exit code 8."""
    gpg_key(folder, passphrase="secret")
    before = everything(folder)
    try:
        done = gitmem(folder, "remember", "x")
    finally:
        end_gpg(gpg_home)
    assert (done.code, done.out, done.err.count("\n")) == (8, "", 1), done
    assert "commit.gpgsign is on, and gpg" in done.err
    assert everything(folder) == before


def end_gpg(home: Path) -> None:
    subprocess.run(["gpgconf", "--kill", "all"], check=False)
    shutil.rmtree(home, ignore_errors=True)


OPERATIONS: dict[str, tuple[Callable[[Store], object], int]] = {
    "remember": (lambda store: store.remember("new"), 1),
    "update": (lambda store: store.update("here", "other"), 1),
    "batch": (lambda store: store.remember_jsonl('{"text": "one"}\n{"text": "two"}\n'), 1),
    "archive": (lambda store: store.archive(["here"]), 2),
    "restore": (lambda store: store.restore(["away"]), 2),
    "undo of an archive": (lambda store: store.undo(), 2),
}
"""Each with the number of commits that it signs."""
CALLS = [(name, call) for name, (_, needed) in OPERATIONS.items() for call in range(1, needed + 1)]


@pytest.mark.parametrize("recovers", [False, True], ids=["for good", "once"])
@pytest.mark.parametrize(("name", "call"), CALLS)
def test_a_signature_refused_at_any_of_its_calls_changes_nothing_then_or_later(
    store: Store, folder: Path, signer: Signer, name: str, call: int, recovers: bool
) -> None:
    """All commits of an operation are signed before one is published; what failed is not finished by others."""
    operation, needed = OPERATIONS[name]
    for id in ("here", "away"):
        store.remember(id, id=id)
    store.archive(["away"])
    before = everything(folder)
    signer.fail_at(call, recovers=recovers)
    with pytest.raises(SigningFailed, match=r"commit\.gpgsign is on, and .*signer failed"):
        operation(Store.open(folder))
    assert everything(folder) == before
    signer.fail_at(999)
    assert [str(record.id) for record in Store.open(folder).list().records] == ["here"]
    assert everything(folder) == before
    operation(Store.open(folder))
    assert signer.calls == needed
    assert_sound(folder)


def test_a_memory_that_stood_on_both_branches_stays_there_when_its_archiving_cannot_be_signed(
    store: Store, folder: Path, signer: Signer
) -> None:
    """Also where nothing has to arrive any more, what failed is not done by a later command."""
    store.remember("text", id="m")
    store.archive(["m"])
    git(folder, "revert", "--no-edit", "--no-gpg-sign", "HEAD")
    before = everything(folder)
    signer.fail_at(1)
    with pytest.raises(SigningFailed):
        Store.open(folder).archive(["m"])
    signer.fail_at(999)
    assert Store.open(folder).list().total == 1
    assert everything(folder) == before


def test_a_move_that_can_neither_be_ended_nor_taken_back_says_where_its_memories_stand(
    store: Store, folder: Path, signer: Signer
) -> None:
    """Both branches are named, and that the next command which can sign finishes it; it does."""
    written = store.remember("text", id="m")
    with (folder / written.path).open("a") as file:
        file.write("by hand\n")
    signer.fail_at(3)
    with pytest.raises(OutsideFailure, match="stands on main and on archive") as caught:
        Store.open(folder).archive(["m"])
    assert "next gitmem command that can sign" in str(caught.value.hint)
    git(folder, "checkout", "-q", written.path)
    signer.fail_at(999)
    said: list[str] = []
    assert Store.open(folder, notice=said.append).list().total == 0
    assert "finished the archive" in said[0]
    assert_sound(folder)


def test_edits_that_cannot_be_signed_stay_edits(store: Store, folder: Path, signer: Signer) -> None:
    """`commit` of hand edits leaves git's index as it was: an untracked note stays untracked."""
    written = store.remember("text", id="m")
    (folder / written.path).write_text("other\n")
    (folder / "note.md").write_text("note\n")
    before = everything(folder)
    signer.fail_at(1)
    done = gitmem(folder, "commit")
    assert (done.code, done.err.count("\n")) == (8, 1), done
    assert "commit.gpgsign is on" in done.err
    assert everything(folder) == before


def test_a_signature_that_hangs_leaves_no_lock_of_git(
    store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `commit` of edits is ended after its limit in one line; git takes its locks away, the edits stay."""
    written = store.remember("text", id="m")
    (folder / written.path).write_text("other\n")
    (folder / "note.md").write_text("note\n")
    before = everything(folder)
    program = tmp_path / "waits"
    program.write_text("#!/bin/sh\nsleep 600\n")
    program.chmod(0o755)
    git(folder, "config", "gpg.program", str(program))
    git(folder, "config", "commit.gpgsign", "true")
    monkeypatch.setattr(commit, "COMMIT_SECONDS", 1)
    with pytest.raises(OutsideFailure, match="took more than 1 seconds"):
        store.commit_edits()
    assert list((folder / ".git").glob("*.lock")) == []
    assert everything(folder) == before


def test_a_merge_stands_where_the_archive_cannot_be_signed(
    store: Store, folder: Path, signer: Signer
) -> None:
    """The second commit of a merge takes an edited memory off the archive; without it both are said."""
    store.remember("text", id="m")
    git(folder, "branch", "side")
    store.archive(["m"])
    store.on("side").append("m", "edited")
    signer.fail_at(2)
    merged = Store.open(folder).merge("side")
    assert signer.calls == 2
    assert any("archive still has" in notice for notice in merged.notices)
    assert Store.open(folder).show("m").memory.body == "text\nedited\n"
    assert_sound(folder)
