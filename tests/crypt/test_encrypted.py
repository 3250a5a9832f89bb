"""A partition that is encrypted: nothing of its memories in git or beside it, all of it for who has the key."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pyrage = pytest.importorskip("pyrage", reason="the extra crypt is not installed")

from gitmem.clock import FixedClock
from gitmem.errors import BadInput, Conflict, NotFound, OutsideFailure, Refused, StoreProblem
from gitmem.model.change import Origin
from gitmem.model.identity import Identity, Kind
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git, gitmem

MARK = "zanzibar"
WHY = Origin(agent="bot", session="s-1", source="zanzibar.txt", reason="zanzibar said so")


@dataclass
class Vault:
    """A store with an encrypted partition, and the file of the identity that reads it."""

    folder: Path
    identity: Path

    def open(self, *, said: list[str] | None = None) -> Store:
        notice = (said if said is not None else []).append
        return Store.open(self.folder, clock=FixedClock(NOW), notice=notice)


def identity_in(file: Path) -> str:
    """Makes an identity of age; its public half."""
    made = pyrage.x25519.Identity.generate()
    file.write_text(f"# for tests\n{made}\n")
    return str(made.to_public())


@pytest.fixture
def vault(store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vault:
    file = tmp_path / "identity.txt"
    recipient = identity_in(file)
    config = folder / ".gitmem/config.toml"
    config.write_text(
        config.read_text()
        + f'[partitions.people]\nnamespaces = ["people"]\nencrypt = true\nrecipients = ["{recipient}"]\n'
        'readable = ["created"]\n'
    )
    git(folder, "commit", "-qam", "policy")
    monkeypatch.setenv("GITMEM_AGE_IDENTITY", str(file))
    return Vault(folder, file)


@pytest.fixture
def carol(vault: Vault) -> Vault:
    """One memory with a history, an attachment and a subject."""
    store = vault.open()
    store.remember(
        "Carol goes to Zanzibar.\n\nIn May.",
        id="carol",
        title="Zanzibar trip",
        namespace="people/carol",
        tags=["zanzibar"],
        subject="person:carol",
        origin=WHY,
    )
    store.append("carol", "And to Zanzibar again.", origin=WHY)
    attachment = vault.folder.parent / "letter.txt"
    attachment.write_text("zanzibar attached")
    store.attach("carol", [attachment], origin=WHY)
    attachment.unlink()
    store.remember("Tea is at four.", id="tea")
    return vault


def everything_in(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The bytes of every file, and of every loose object without its compression."""
    for file in folder.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            yield str(file), data
            if re.search(r"objects/[0-9a-f]{2}/[0-9a-f]{38}$", file.as_posix()):
                yield str(file), zlib.decompress(data)


def places_with(folder: Path, mark: str) -> list[str]:
    return [name for name, data in everything_in(folder) if mark.encode() in data.lower()]


def locked(monkeypatch: pytest.MonkeyPatch, vault: Vault) -> Store:
    monkeypatch.delenv("GITMEM_AGE_IDENTITY")
    return vault.open()


def test_nothing_of_it_is_in_git_or_in_what_is_kept_beside(carol: Vault) -> None:
    store = carol.open()
    assert [each.hit.record.id for each in store.recall("zanzibar in May").hits] == ["carol"]
    store.at("HEAD").recall("zanzibar")
    store.check(is_thorough=True)
    store.rename("carol", "Zanzibar, at last")
    store.archive(["carol"], origin=WHY)
    store.restore(["carol"])
    store.revert("carol", "v1")
    store.undo()
    store.propose(batch='{"text": "Zanzibar idea", "namespace": "people/x", "id": "idea"}', body="zanzibar")
    assert store.list(limit=None).total == 2
    assert places_with(carol.folder, MARK) == []
    assert git(carol.folder, "log", "--all", "--format=%s", "-i", "--grep", "trip") == ""
    assert_sound(carol.folder)


def test_with_the_key_everything_is_as_without_encryption(carol: Vault) -> None:
    store = carol.open()
    shown = store.show("carol")
    assert shown.memory.title == "Zanzibar trip"
    assert shown.memory.body == "Carol goes to Zanzibar.\n\nIn May.\nAnd to Zanzibar again.\n"
    assert (shown.memory.tags, shown.memory.subject) == (("zanzibar",), "person:carol")
    assert store.list().records[0].title == "Zanzibar trip"
    assert [each.hit.record.id for each in store.recall("trip", None).hits] == ["carol"]
    assert store.show("carol@v1").memory.body == "Carol goes to Zanzibar.\n\nIn May.\n"
    assert "+And to Zanzibar again." in store.diff("carol", "v1", "v2").difference.lines
    assert store.blame("carol").lines[-1].text == "And to Zanzibar again."
    assert store.check().findings == []
    exported = carol.folder.parent / "out"
    store.export(exported)
    assert "zanzibar" in (exported / shown.memory.path).read_text().lower()
    assert (exported / "semantic/people/carol/carol.files/letter.txt").read_text() == "zanzibar attached"


def test_file_and_commit_are_told_by_the_id_alone(carol: Vault) -> None:
    path = carol.open().show("carol").memory.path
    assert path == "semantic/people/carol/carol.md"
    header = (carol.folder / path).read_text().partition("\n-----BEGIN")[0]
    assert re.fullmatch(
        r"---\nid: carol\ntype: semantic\ncreated: 2026-11-29T15:30:12Z\nencrypted: [a-z0-9]{8}\n---", header
    )
    subjects = git(carol.folder, "log", "--format=%s", "--", path).splitlines()
    assert subjects == ["attach: carol", "append: carol", "remember: carol"]
    message = git(carol.folder, "log", "-1", "--format=%B", "--", path)
    assert "Agent: bot" in message and "Reason" not in message and "Source" not in message


def test_a_file_name_that_says_more_is_refused(carol: Vault) -> None:
    store, before = carol.open(), git(carol.folder, "for-each-ref")
    with pytest.raises(Refused, match="named by its id alone"):
        store.remember("Zanzibar", id="x1", path="semantic/people/zanzibar.md")
    notes = carol.folder.parent / "notes"
    notes.mkdir()
    (notes / "zanzibar.md").write_text("Zanzibar\n")
    with pytest.raises(Refused, match="named by its id alone"):
        store.import_folder(notes, namespace="people")
    assert git(carol.folder, "for-each-ref") == before
    assert places_with(carol.folder, MARK) == []


def test_what_did_not_change_keeps_its_ciphertext(carol: Vault) -> None:
    store = carol.open()

    def blobs() -> dict[str, str]:
        lines = git(carol.folder, "ls-tree", "-r", "main", "semantic/people").splitlines()
        return {line.split("\t")[1].rpartition("/")[2]: line.split()[2] for line in lines}

    before = blobs()
    assert store.tag("carol", add=["zanzibar"]).replaced is None
    store.rename("carol", namespace="people/dan")
    store.archive(["carol"])
    store.restore(["carol"])
    assert blobs() == before
    letter = carol.folder.parent / "letter.txt"
    letter.write_text("zanzibar attached")
    assert store.attach("carol", [letter]).replaced is None
    store.tag("carol", add=["new"])
    after = blobs()
    assert after["letter.txt"] == before["letter.txt"]
    assert after["carol.md"] != before["carol.md"]


def test_without_the_key_the_store_works_and_says_what_it_cannot_read(
    carol: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.delenv("GITMEM_AGE_IDENTITY")
    store = carol.open(said=said)
    note = "1 memory cannot be read here: carol"
    assert store.show("tea").memory.body == "Tea is at four.\n"
    assert store.show("carol").memory.body == ""
    assert said[-1].startswith(note)
    recalled = store.recall("zanzibar")
    assert recalled.hits == () and recalled.notes[-1].startswith(note)
    listing = store.list()
    assert {record.id for record in listing.records} == {"carol", "tea"}
    assert listing.notes[-1].startswith(note)
    assert (
        store.at("HEAD").recall("zanzibar").notes[-1]
        == "encrypted memories are not searched in the past: 1 memory"
    )
    writes: list[Callable[[], object]] = [
        lambda: store.append("carol", "more"),
        lambda: store.update("carol", "other"),
        lambda: store.tag("carol", add=["x"]),
    ]
    for write in writes:
        with pytest.raises(Refused, match="carol is encrypted with the key"):
            write()
    # What needs no look into it is done all the same.
    assert store.revert("carol", "v1").replaced
    assert store.archive(["carol"]).ids == ["carol"]
    assert store.restore(["carol"]).ids == ["carol"]
    # Writing needs no secret.
    store.remember("Dan goes to Zanzibar too.", id="dan", namespace="people/dan", subject="person:dan")
    assert places_with(carol.folder, MARK) == []
    monkeypatch.setenv("GITMEM_AGE_IDENTITY", str(carol.identity))
    assert carol.open().show("dan").memory.body == "Dan goes to Zanzibar too.\n"


def test_a_merge_without_the_key_keeps_both_for_who_has_it(
    carol: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By gitmem and by plain git alike; with the key it reads as the merge by meaning that it is."""
    store = carol.open()
    git(carol.folder, "branch", "side")
    store.update("carol", "Carol goes to Zanzibar.\n\nIn June.\nAnd to Zanzibar again.")
    store.on("side").update("carol", "Carol goes to Zanzibar.\n\nIn July.\nAnd to Zanzibar again.")
    git(carol.folder, "branch", "mine")
    blind = locked(monkeypatch, carol)
    assert blind.merge("side").disputed == ("carol",)
    assert blind.show("carol").memory.status == "disputed"
    git(carol.folder, "switch", "-q", "mine")
    monkeypatch.setenv("PATH", _with_gitmem(carol.folder.parent))
    git(carol.folder, "merge", "-q", "--no-edit", "side")
    monkeypatch.setenv("GITMEM_AGE_IDENTITY", str(carol.identity))
    for branch in ("main", "mine"):
        on = carol.open().on(branch)
        text = on.show("carol").memory.body
        assert "In June." in text and "In July." in text and "In May." not in text
        assert text.count("Carol goes to Zanzibar.") == 1
        [disputed] = on.conflicts().memories
        assert disputed.id == "carol"
    carol.open().resolve("carol", text="Carol goes to Zanzibar.\n\nIn June or July.")
    assert carol.open().show("carol").memory.body == "Carol goes to Zanzibar.\n\nIn June or July.\n"
    assert places_with(carol.folder, MARK) == []


def _with_gitmem(folder: Path) -> str:
    """PATH with a `gitmem` that runs this source, for git to call."""
    import os
    import sys

    programs = folder / "programs"
    programs.mkdir()
    (programs / "gitmem").write_text(
        f'#!/bin/sh\nPYTHONPATH={Path(__file__).parents[2]} exec {sys.executable} -m gitmem.cli.main "$@"\n'
    )
    (programs / "gitmem").chmod(0o755)
    return f"{programs}{os.pathsep}{os.environ['PATH']}"


def test_a_merge_with_the_key_goes_by_meaning_and_stays_encrypted(carol: Vault) -> None:
    store = carol.open()
    git(carol.folder, "branch", "side")
    store.tag("carol", add=["here"])
    store.on("side").append("carol", "From the side, zanzibar.")
    assert store.merge("side").disputed == ()
    memory = carol.open().show("carol").memory
    assert "From the side, zanzibar." in memory.body and set(memory.tags) == {"zanzibar", "here"}
    assert places_with(carol.folder, MARK) == []


def test_a_clone_has_no_keys_until_somebody_brings_them(carol: Vault, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    Store.clone(str(carol.folder), clone)
    there = Store.open(clone)
    assert there.show("carol").memory.locked_by is not None
    assert there.keys().keys == []
    file = tmp_path / "keys.jsonl"
    carol.open().export_keys(file)
    assert MARK not in file.read_text() and file.stat().st_mode & 0o077 == 0
    there.import_keys(file)
    assert [key.can_open for key in there.keys().keys] == [True]
    assert Store.open(clone).show("carol").memory.title == "Zanzibar trip"
    there.append("carol", "From the clone.")
    there.sync("origin", push=False)
    with pytest.raises(Conflict, match="exists already"):
        carol.open().export_keys(file)
    file.write_text("{}\n")
    with pytest.raises(BadInput, match="is no key"):
        there.import_keys(file)


def test_who_deletes_the_key_of_a_subject_makes_all_its_versions_unreadable(carol: Vault) -> None:
    store = carol.open()
    store.remember("Dan goes to Zanzibar too.", id="dan", namespace="people/dan", subject="person:dan")
    with pytest.raises(Refused, match="makes memories unreadable"):
        store.delete_keys(["person:carol"])
    with pytest.raises(NotFound):
        store.delete_keys(["person:nobody"], confirmed=["person:nobody"])
    bot = Store.open(carol.folder, identity=Identity(Kind.AGENT, "bot"))
    with pytest.raises(Refused, match="needs a person"):
        bot.delete_keys(["person:carol"], confirmed=["person:carol"])
    assert store.show("carol").memory.locked_by is None
    store.delete_keys(["person:carol"], confirmed=["person:carol"])
    for each in (store, carol.open()):
        for reference in ("carol", "carol@v1", "carol@v2"):
            assert each.show(reference).memory.locked_by is not None
        assert [hit.hit.record.id for hit in each.recall("zanzibar").hits] == ["dan"]


def test_keys_are_wrapped_anew_for_who_may_read_by_now(
    carol: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.txt"
    recipient = identity_in(other)
    config = carol.folder / ".gitmem/config.toml"
    config.write_text(re.sub(r'recipients = \["\w+"\]', f'recipients = ["{recipient}"]', config.read_text()))
    git(carol.folder, "commit", "-qam", "another reader")
    assert [key.subject for key in carol.open().rewrap_keys().keys] == ["person:carol"]
    assert carol.open().show("carol").memory.locked_by is not None
    assert len(carol.open().rewrap_keys().left) == 1
    monkeypatch.setenv("GITMEM_AGE_IDENTITY", str(other))
    assert carol.open().show("carol").memory.locked_by is None


def test_what_was_written_by_hand_in_the_clear_is_found_and_not_committed(carol: Vault) -> None:
    file = carol.folder / "semantic/people/byhand.md"
    file.write_text("---\nid: byhand\n---\nIn the clear.\n")
    store = carol.open()
    with pytest.raises(Refused, match="this file is not"):
        store.commit_edits(["byhand"])
    git(carol.folder, "add", ".")
    git(carol.folder, "commit", "-qm", "by hand")
    [finding] = carol.open().check().findings
    assert (finding.code, finding.path) == ("not-encrypted", "semantic/people/byhand.md")
    told = "semantic/people/told-by-name-dan.md"
    (carol.folder / told).write_text("---\nid: dan\n---\nIn the clear.\n")
    git(carol.folder, "add", ".")
    git(carol.folder, "commit", "-qm", "by hand")
    assert [each.code for each in carol.open().check().findings if each.path == told] == [
        "not-encrypted",
        "telling-name",
    ]
    carol.open().rename("dan", "Dan")
    carol.open().append("byhand", "And more.")
    assert "In the clear" not in file.read_text()
    assert carol.open().check().findings == []


def test_a_broken_or_foreign_ciphertext_is_locked_and_hides_nothing_else(carol: Vault) -> None:
    file = carol.folder / "semantic/people/carol/carol.md"
    lines = file.read_text().splitlines(keepends=True)
    lines[8] = lines[8][::-1].strip() + "\n"
    file.write_text("".join(lines))
    git(carol.folder, "commit", "-qam", "damage")
    store = carol.open()
    assert store.show("carol").memory.locked_by is not None
    assert store.show("carol@v3").memory.locked_by is None
    assert store.recall("tea").hits[0].hit.record.id == "tea"


def test_settings_that_encrypt_for_nobody_are_errors(store: Store, folder: Path) -> None:
    config = folder / ".gitmem/config.toml"
    before = config.read_text()
    for settings, message in (
        ("encrypt = true", "names nobody"),
        ('encrypt = true\nrecipients = ["age1nobody"]', "no public key of age"),
        ("encrypt = 1", "must be true or false"),
        ('encrypt = true\nreadable = ["title"]', "cannot stay readable"),
    ):
        config.write_text(f"{before}[partitions.p]\n{settings}\n")
        git(folder, "commit", "-qam", "policy")
        with pytest.raises(StoreProblem, match=message):
            Store.open(folder)


def test_the_extra_that_is_missing_is_named(carol: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyrage", None)
    with pytest.raises(OutsideFailure, match="pyrage") as told:
        carol.open().remember("Zanzibar", namespace="people/x")
    assert "gitmem-store[crypt]" in str(told.value.hint)


def test_a_setting_that_names_no_identity_locks_and_is_told(
    carol: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_AGE_IDENTITY", str(carol.folder / "nowhere"))
    store = carol.open()
    assert "nowhere cannot be read" in store.recall("zanzibar").notes[-1]
    assert store.recall("tea").hits[0].hit.record.id == "tea"


def test_where_encryption_ended_what_was_encrypted_stays_so_and_is_found(carol: Vault) -> None:
    config = carol.folder / ".gitmem/config.toml"
    config.write_text(config.read_text().replace("encrypt = true", "encrypt = false"))
    git(carol.folder, "commit", "-qam", "no longer")
    store = carol.open()
    assert [each.hit.record.id for each in store.recall("zanzibar").hits] == ["carol"]
    assert places_with(carol.folder, MARK) == []
    store.append("carol", "In the clear from now on.")
    assert "In the clear" in (carol.folder / store.show("carol").memory.path).read_text()


def test_keys_are_not_taken_away_with_the_store(carol: Vault) -> None:
    with pytest.raises(Refused, match="keys of encrypted memories are here"):
        carol.open().uninit()
    assert carol.open().show("carol").memory.locked_by is None


def test_who_may_not_read_a_partition_sees_nothing_of_it_though_the_key_is_here(carol: Vault) -> None:
    config = carol.folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + 'read = ["person:*"]\n')
    git(carol.folder, "commit", "-qam", "people only")
    bot = Store.open(carol.folder, identity=Identity(Kind.AGENT, "bot"))
    assert bot.keys().keys == []
    assert bot.recall("zanzibar").hits == () and bot.recall("zanzibar").notes == ()
    assert [record.id for record in bot.list().records] == ["tea"]
    with pytest.raises(NotFound):
        bot.show("carol")


def test_the_command_shows_keys(carol: Vault) -> None:
    ran = gitmem(carol.folder, "keys", "--json")
    [key] = ran.json["keys"]
    assert (key["subject"], key["partition"], key["opens"]) == ("person:carol", "people", True)
    assert gitmem(carol.folder, "keys", "delete", "person:carol").code == 5
    shown = gitmem(carol.folder, "show", "carol", env={"GITMEM_AGE_IDENTITY": ""})
    assert shown.code == 0 and "cannot be read here: carol" in shown.err
    assert json.loads(gitmem(carol.folder, "show", "carol", "--json").out)["title"] == "Zanzibar trip"


def test_what_is_encrypted_is_forgotten_by_what_it_says(carol: Vault) -> None:
    """By subject, or by a text, in any version; without the key nobody can tell, and that is said."""
    store = carol.open()
    assert [str(each.id) for each in store.plan_forget(match="again").memories] == ["carol"]
    receipt = store.forget(subject="person:carol")
    assert receipt.ids == ["carol"] and receipt.proof.holds
    assert "carol" not in git(carol.folder, "log", "--all", "--name-only", "--format=")
    assert [record.id for record in store.list().records] == ["tea"]
    assert_sound(carol.folder)


def test_without_the_key_only_ids_can_be_forgotten(carol: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITMEM_AGE_IDENTITY")
    store = carol.open()
    with pytest.raises(Refused, match="encrypted files cannot be read here"):
        store.plan_forget(subject="person:carol")
    assert [str(each.id) for each in store.plan_forget(["carol"]).memories] == ["carol"]
