"""The gate that every write passes: refused, redacted or told, before anything is in git."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import Refused
from gitmem.model.change import Origin
from gitmem.store import Store
from tests.conftest import NOW, git

SECRET = "hunter2" + "-x9Q"
MAIL = "mara.o@example.com"
PHONE = "13800138000"


def everything(folder: Path) -> str:
    """Every version, message and file name that git has, and every file of gitmem and the worktree."""
    log = git(folder, "log", "--all", "--patch", "--name-only", "--text", "--format=%B")
    files = [file for file in folder.rglob("*") if file.is_file() and "objects" not in file.parts]
    return log + "".join(f"{file}\n" + file.read_bytes().decode("utf-8", "replace") for file in files)


def set_policy(folder: Path, text: str) -> Store:
    """Adds to the committed config, as a person does."""
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text("utf-8") + text, "utf-8")
    git(folder, "commit", "--quiet", "--all", "--message", "policy")
    return Store.open(folder, clock=FixedClock(NOW))


Write = Callable[[Store], object]
SECRETS: dict[str, Write] = {
    "text": lambda store: store.remember(f"the password is {SECRET}"),
    "title": lambda store: store.remember("x", title=f"password: {SECRET}"),
    "tag": lambda store: store.remember("x", tags=[f"password={SECRET}"]),
    "own field": lambda store: store.remember("x", fields={"deep": {"password": [SECRET, f"pwd: {SECRET}"]}}),
    "source": lambda store: store.remember("x", origin=Origin(source=f"https://bob:{SECRET}@x.example/")),
    "reason": lambda store: store.append("one", "y", origin=Origin(reason=f"password: {SECRET}")),
    "session": lambda store: store.append("one", "y", origin=Origin(session=f"password={SECRET}")),
    "append": lambda store: store.append("one", f"password: {SECRET}"),
    "update": lambda store: store.update("one", f"password: {SECRET}"),
    "rename": lambda store: store.rename("one", title=f"password: {SECRET}"),
    "relation": lambda store: store.link("one", "two", relation=f"password: {SECRET}"),
}


@pytest.mark.parametrize("where", SECRETS)
def test_a_secret_is_refused_wherever_it_stands(store: Store, folder: Path, where: str) -> None:
    """Kind and place are named, the value is not, and nothing of it is anywhere."""
    store.remember("first", id="one")
    store.remember("second", id="two")
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(Refused, match="a secret in ") as refused:
        SECRETS[where](store)
    assert SECRET not in f"{refused.value} {refused.value.hint}"
    assert git(folder, "rev-parse", "HEAD") == before
    assert SECRET not in everything(folder)


def test_one_refused_memory_stops_a_batch_and_is_named_by_its_number(store: Store, folder: Path) -> None:
    """All of them or none."""
    from gitmem.flows.writing.drafting import Request

    requests = [Request("fine"), Request(f"password: {SECRET}")]
    with pytest.raises(Refused, match="a secret in line 1 of memory 2 of 2"):
        store.remember_all(requests)
    assert SECRET not in everything(folder)


def test_an_attachment_that_is_refused_is_named(store: Store, folder: Path, tmp_path: Path) -> None:
    """By its own name, where that says nothing that would be refused too."""
    store.remember("first", id="one")
    key = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    for name, named in (("notes.txt", "line 2 of the attachment notes.txt"), (key, "the path of a new file")):
        (tmp_path / name).write_text(f"fine\npassword: {SECRET}\n")
        with pytest.raises(Refused, match=named) as refused:
            store.attach("one", [tmp_path / name])
        assert SECRET not in str(refused.value) and key not in str(refused.value)
    assert SECRET not in everything(folder)


def test_personal_data_is_redacted_before_it_is_written(store: Store, folder: Path) -> None:
    """In text, title and file name, tags and message; one notice tells kinds and counts."""
    written = store.remember(
        f"Write to {MAIL} or call {PHONE}.",
        id="one",
        title=f"{MAIL} wants tea",
        tags=[MAIL],
        origin=Origin(reason=f"told by {MAIL.upper()}", source=f"mailto:{MAIL}"),
    )
    assert written.notices == ("an e-mail address and a phone number redacted before writing",)
    found = everything(folder)
    assert MAIL not in found.casefold() and "mara-o" not in found and PHONE not in found
    memory = store.show("one").memory
    placeholder = memory.title.removesuffix(" wants tea")
    assert memory.tags == (placeholder,) and placeholder in memory.body
    assert f"Reason: told by {placeholder}" in git(folder, "log", "-1", "--format=%B")
    assert written.title == memory.title
    later = store.append("one", f"again {MAIL}")
    assert f"again {placeholder}" in store.show("one").memory.body
    assert later.notices == ("an e-mail address redacted before writing",)


def test_the_key_is_for_this_user_alone_and_in_no_commit(store: Store, folder: Path) -> None:
    """It is made when it is first needed, and kept."""
    key = folder / ".git/gitmem/privacy.key"
    store.remember("nothing in it")
    assert not key.exists()
    store.remember(f"mail {MAIL}")
    first = key.read_bytes()
    assert len(first) == 32
    if sys.platform != "win32":
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    store.remember(f"mail x{MAIL}")
    assert key.read_bytes() == first


def test_what_stood_there_before_is_not_judged_again(store: Store, folder: Path) -> None:
    """A memory that a person committed with an address can be tagged, renamed, moved, and brought back."""
    store.remember("first", id="one")
    path = folder / store.show("one").memory.path
    path.write_text(path.read_text("utf-8") + f"mail {MAIL}\n", "utf-8")
    git(folder, "commit", "--quiet", "--all", "--message", "by hand")
    store.tag("one", add=["seen"])
    store.rename("one", title="another title")
    store.archive(["one"])
    store.restore(["one"])
    store.append("one", "a line more")
    assert f"mail {MAIL}" in store.show("one").memory.body
    store.update("one", "nothing of it")
    store.undo()
    assert f"mail {MAIL}" in store.show("one").memory.body


def test_a_namespace_or_id_that_would_be_redacted_is_refused(store: Store, folder: Path) -> None:
    """Names of files cannot be placeholders of themselves: links go by them."""
    with pytest.raises(Refused, match="an e-mail address in the path of a new file"):
        store.remember("x", namespace=f"people/{MAIL}")
    with pytest.raises(Refused, match="a phone number in the field id") as refused:
        store.remember("x", id=PHONE, path="semantic/x.md")
    assert PHONE not in str(refused.value)
    assert MAIL not in everything(folder)
    there = folder / f"semantic/people/{MAIL}/old.md"
    there.parent.mkdir(parents=True)
    there.write_text("from before\n", "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "by hand")
    assert store.remember("x", namespace=f"people/{MAIL}").path.startswith("semantic/people/")


def test_an_import_names_the_file_whose_name_holds_what_is_refused(store: Store, tmp_path: Path) -> None:
    """Without saying it again: everything but the address stands there."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/fine.md").write_text("fine\n")
    (tmp_path / f"notes/talk with {MAIL}.md").write_text("hello\n")
    with pytest.raises(Refused, match=r"in the path vault/notes/talk with \[EMAIL") as refused:
        store.import_folder(tmp_path, namespace="vault")
    assert MAIL not in str(refused.value)


def test_attachments_are_judged_where_they_are_text(store: Store, folder: Path, tmp_path: Path) -> None:
    """Repeating an attachment that was redacted is no conflict; bytes that are no text pass."""
    store.remember("first", id="one")
    note, photo = tmp_path / "note.txt", tmp_path / "photo.bin"
    note.write_text(f"call {PHONE}\n", "utf-8")
    photo.write_bytes(b"\x00" + MAIL.encode())
    written = store.attach("one", [note, photo])
    assert written.notices == ("a phone number redacted before writing",)
    assert PHONE not in git(folder, "log", "--all", "--patch", "--text")
    store.attach("one", [note])
    note.write_text(f"password: {SECRET}\n", "utf-8")
    with pytest.raises(Refused, match="a secret in line 1 of"):
        store.attach("one", [note], replace=True)


def test_an_import_redacts_and_can_be_repeated(store: Store, folder: Path, tmp_path: Path) -> None:
    """What was redacted is known again, so the second run has nothing to do."""
    source = tmp_path / "notes"
    source.mkdir()
    (source / "x.md").write_text(f"---\nid: imp\ntype: semantic\n---\nmail {MAIL}\n", "utf-8")
    first = store.import_folder(source)
    assert first.counts == {"new": 1}
    assert first.notices == ("an e-mail address redacted before writing",)
    again = store.import_folder(source)
    assert (again.counts, again.notices, again.commit) == ({"same": 1}, (), None)
    (source / "y.md").write_text(f"password: {SECRET}\n", "utf-8")
    with pytest.raises(Refused, match=r"a secret in line 1 of y\.md"):
        store.import_folder(source)
    assert MAIL not in everything(folder)


def test_edits_by_hand_are_refused_and_stay_in_the_file(store: Store, folder: Path) -> None:
    """A person's own file is theirs to change: nothing is redacted in it, and nothing is committed."""
    store.remember("first", id="one")
    path = folder / store.show("one").memory.path
    before = git(folder, "rev-parse", "HEAD")
    for line, kind in ((f"mail {MAIL}", "an e-mail address"), (f"password: {SECRET}", "a secret")):
        edited = path.read_text("utf-8") + line + "\n"
        path.write_text(edited, "utf-8")
        with pytest.raises(Refused, match=f"{kind} in line "):
            store.commit_edits()
        assert path.read_text("utf-8") == edited
        assert git(folder, "rev-parse", "HEAD") == before
        git(folder, "checkout", "--quiet", ".")
    path.write_text(path.read_text("utf-8") + "plate 京A·12345\n", "utf-8")
    assert store.commit_edits().notices == (
        f"written as it is: a licence plate in line 7 of {path.relative_to(folder).as_posix()}",
    )


def test_a_proposal_is_named_without_what_is_kept_out(store: Store, folder: Path) -> None:
    """Its name, its title and what it holds."""
    store.remember("first", id="one")
    proposed = store.propose(batch=f'{{"text": "mail {MAIL}"}}', title=f"Ask {MAIL}")
    assert MAIL not in everything(folder) and "mara" not in git(folder, "branch", "--all")
    assert proposed.proposal.title.startswith("Ask [EMAIL:")


def test_a_partition_can_be_looser_or_stricter(store: Store, folder: Path) -> None:
    """Each kind by itself; what it does not name is as elsewhere."""
    store.remember("first", id="one")
    store = set_policy(
        folder,
        '\n[partitions.people]\nnamespaces = ["people"]\n[partitions.people.privacy]\n'
        'email = "allow"\nphone = "block"\n',
    )
    store.remember(f"mail {MAIL}", id="two", namespace="people/mara")
    assert MAIL in store.show("two").memory.body
    with pytest.raises(Refused, match="a phone number"):
        store.append("two", f"call {PHONE}")
    store.remember(f"mail {MAIL}", id="three")
    assert MAIL not in store.show("three").memory.body


def test_own_settings_of_a_clone_only_tighten(store: Store, folder: Path) -> None:
    """Git's config can ask for more care than the policy, and not for less."""
    store.remember("first", id="one")
    git(folder, "config", "gitmem.privacy", "email=block secret=allow")
    store = Store.open(folder, clock=FixedClock(NOW))
    with pytest.raises(Refused, match="an e-mail address"):
        store.append("one", f"mail {MAIL}")
    with pytest.raises(Refused, match="a secret"):
        store.append("one", f"password: {SECRET}")


def test_an_own_pattern_of_the_store_is_redacted(store: Store, folder: Path) -> None:
    """Its name is that of the placeholder."""
    store.remember("first", id="one")
    store = set_policy(folder, "\n[[privacy.patterns]]\nname = 'staff'\npattern = 'E\\d{6}'\n")
    written = store.append("one", "she is E123456")
    assert "she is [STAFF:" in store.show("one").memory.body
    assert written.notices == ("a staff redacted before writing",)
