"""Answers show the commit that the branch stands at, whatever became of the index, and find what was written."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import BadInput, Damaged
from gitmem.flows.writing.drafting import Request
from gitmem.recall.where import Where
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem


def found(store: Store, query: str, **options: object) -> list[str]:
    return [str(hit.hit.record.id) for hit in store.recall(query, **options).hits]  # type: ignore[arg-type]


def test_no_git_command_leaves_an_answer_behind(store: Store, folder: Path) -> None:
    """Reset, stash, update-ref, amend and gc run no hook; each answer is that of the head all the same."""
    first = store.remember("kestrel nest", id="r1")
    store.remember("kestrel egg", id="r2")
    git(folder, "reset", "-q", "--hard", "HEAD~1")
    assert found(store, "kestrel") == ["r1"]
    git(folder, "reset", "-q", "--hard", "HEAD@{1}")
    assert sorted(found(store, "kestrel")) == ["r1", "r2"]
    with (folder / first.path).open("a") as file:
        file.write("merlin\n")
    git(folder, "stash", "-q")
    assert found(store, "merlin") == []
    git(folder, "stash", "drop", "-q")
    tip = git(folder, "rev-parse", "HEAD").strip()
    git(folder, "update-ref", "refs/heads/main", "HEAD~1")
    assert all("not committed" in str(hit.hit.labels) for hit in store.recall("egg").hits)
    git(folder, "update-ref", "refs/heads/main", tip)
    assert found(store, "egg") == ["r2"]
    git(folder, "reset", "-q", "--hard", "HEAD~1")
    git(folder, "commit", "-q", "--amend", "--allow-empty", "-m", "rewritten")
    git(folder, "reflog", "expire", "--expire=now", "--all")
    git(folder, "gc", "-q", "--prune=now")
    assert found(store, "kestrel") == ["r1"]
    assert_sound(folder)


def _files(index: Path) -> list[Path]:
    return [file for file in index.rglob("*") if file.is_file()]


def _each(change: Callable[[Path], object]) -> Callable[[Path], None]:
    def damage(index: Path) -> None:
        for file in _files(index):
            change(file)

    return damage


class _Runs:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch ran",)


def _remove(ending: str) -> Callable[[Path], None]:
    def damage(index: Path) -> None:
        for file in _files(index):
            if file.suffix == ending:
                file.unlink()

    return damage


def _replace_by_file(index: Path) -> None:
    shutil.rmtree(index)
    index.write_text("junk")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "emptied": _each(lambda file: file.write_bytes(b"")),
    "zeroed": _each(lambda file: file.write_bytes(bytes(file.stat().st_size))),
    "cut": _each(lambda file: os.truncate(file, min(10, file.stat().st_size))),
    "half": _each(lambda file: os.truncate(file, file.stat().st_size // 2)),
    "segments gone": _remove(".seg"),
    "tables gone": _remove(".toc"),
    "gone": shutil.rmtree,
    "a file": _replace_by_file,
    "foreign program": _each(lambda file: file.write_bytes(pickle.dumps(_Runs()))),
}


def test_what_the_config_excludes_is_in_no_answer(store: Store, folder: Path) -> None:
    """Now, on archive, and at a commit beside the chain; and it is there again once it is a memory again."""
    store.remember("kestrel nest", id="r1")
    store.remember("kestrel egg", id="r2", namespace="drafts")
    store.remember("kestrel feather", id="r3", namespace="drafts")
    store.archive(["r3"])
    git(folder, "tag", "beside", git(folder, "commit-tree", "-m", "x", "HEAD^{tree}").strip())

    def answers() -> list[list[str]]:
        opened = Store.open(folder)
        looks = (opened, opened.on("archive"), opened.at("beside"))
        return [sorted(found(each, "kestrel")) for each in looks]

    assert answers() == [["r1", "r2"], ["r3"], ["r1", "r2"]]
    config = folder / ".gitmem/config.toml"
    open_config = config.read_text()
    config.write_text(open_config.replace("exclude = []", 'exclude = ["semantic/drafts/*"]'))
    git(folder, "commit", "-qam", "drafts are no memories")
    assert answers() == [["r1"], [], ["r1"]]
    config.write_text(open_config)
    git(folder, "commit", "-qam", "drafts are memories")
    assert answers() == [["r1", "r2"], ["r3"], ["r1", "r2"]]


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_index_costs_time_and_nothing_else(store: Store, folder: Path, name: str) -> None:
    """Every answer is whole, nothing in the index is run, and writing goes on."""
    for number in range(3):
        store.remember(f"heron {number}", id=f"c{number}")
    assert len(found(store, "heron")) == 3
    DAMAGES[name](folder / ".git/gitmem/index")
    again = Store.open(folder)
    assert len(found(again, "heron")) == 3
    again.remember("heron after", id="c9")
    assert len(found(again, "heron")) == 4
    assert not Path("ran").exists() and not (folder / "ran").exists()
    assert_sound(folder)


def test_an_index_from_elsewhere_does_not_answer_for_this_store(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """An index that came with a copied git directory shows another head and is brought to this one."""
    store.remember("heron one", id="c1")
    assert found(store, "heron") == ["c1"]
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    other = Store.open(copy)
    other.remember("heron two", id="c2")
    assert len(found(other, "heron")) == 2
    shutil.rmtree(folder / ".git/gitmem/index")
    shutil.copytree(copy / ".git/gitmem/index", folder / ".git/gitmem/index")
    assert found(Store.open(folder), "heron") == ["c1"]


def test_a_held_index_lock_delays_no_write(store: Store, folder: Path) -> None:
    """The commit is there at once, and what was written is found while somebody else holds the index."""
    store.remember("first", id="first")
    assert found(store, "first") == ["first"]
    table = next((folder / ".git/gitmem/index").rglob("*.toc"))
    program = (
        "import sys, time\nfrom whoosh import index\n"
        f"w = index.open_dir({str(table.parent)!r}).writer()\nprint('held', flush=True)\ntime.sleep(60)\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
        began = time.monotonic()
        store.remember("written while locked", id="locked")
        assert "locked" in found(store, "written while locked")
        assert time.monotonic() - began < 10
    finally:
        holder.kill()
        holder.wait()


@pytest.mark.parametrize("from_file", [True, False])
def test_a_broken_object_is_named_and_brought_back_from_an_intact_file(
    store: Store, folder: Path, from_file: bool
) -> None:
    """`check` and every read name the file; nothing is deleted; `doctor` takes the object from the worktree."""
    written = store.remember("known good", id="solid")
    store.remember("something else", id="other")
    oid = git(folder, "rev-parse", f"HEAD:{written.path}").strip()
    loose = folder / ".git/objects" / oid[:2] / oid[2:]
    loose.chmod(0o644)
    loose.write_bytes(b"")
    if not from_file:
        (folder / written.path).unlink()
    again = Store.open(folder)
    finding = next(finding for finding in again.check().findings if finding.severity == "error")
    assert (finding.path, finding.code) == (written.path, "damaged") and "doctor" in finding.message
    assert found(again, "else") == ["other"]
    assert any(written.path in note for note in again.recall("known good").notes)
    with pytest.raises(Damaged):
        again.show("solid")
    assert again.show("other").memory.body == "something else\n"
    assert loose.exists()
    ailments = again.doctor(fix=True)
    assert any(written.path in ailment.message and ailment.is_fixed == from_file for ailment in ailments)
    if from_file:
        assert found(Store.open(folder), "known good") == ["solid"]
        assert_sound(folder)


def test_a_broken_tree_is_reported_by_doctor(store: Store, folder: Path) -> None:
    """`doctor` ends with a report where the store itself cannot be read."""
    store.remember("heron", id="c1")
    oid = git(folder, "rev-parse", "HEAD:semantic").strip()
    (folder / ".git/objects" / oid[:2] / oid[2:]).unlink()
    assert any(oid in ailment.message for ailment in Store.open(folder).doctor())


PLAN = "Ask Dana: where is the plan? (see http://intra.example/plan?id=7)"


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ('"where is the', True),
        ("NOT NOT plan", True),
        ("NOT plan", True),
        ("plan AND (", True),
        ("where is the plan?", True),
        ("Ask Dana: where", True),
        ("http://intra.example/plan?id=7", True),
        ("-plan", True),
        ("plan~2^3", True),
        ("created:[notadate TO x]", False),
        ("AND", False),
        ("title:", False),
        ("*", False),
        ("[TO]", False),
        ("\\", False),
        ("", False),
        (" ", False),
        ("?", False),
        ("\x00", False),
        ("plan " * 5000, True),
        ("� plan", True),
        ("((((", False),
    ],
)
def test_nothing_in_a_query_is_an_operator(store: Store, query: str, is_found: bool) -> None:
    """Words are found and everything else is no error; no sign dumps the store."""
    store.remember(PLAN, id="q1")
    store.remember("zebra", id="q2")
    assert found(store, query) == (["q1"] if is_found else [])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("过敏", "zh"),
        ("花生", "zh"),
        ("杭州", "zh"),
        ("对花生 过敏", "zh"),
        ("京都", "ja"),
        ("日本酒", "ja"),
        ("酒", "ja"),
        ("금요일", "ko"),
        ("น้ำร้อน", "th"),
        ("القهوة", "ar"),
        ("चाय", "hi"),
        ("ёжиков", "ru"),
        ("phở", "vi"),
        ("café", "fr"),
        ("STRASSE", "de"),
    ],
)
def test_every_script_is_searched_by_its_words(store: Store, query: str, expected: str) -> None:
    """A word inside a run without blanks is found, whatever its form of writing."""
    texts = {
        "zh": "用户对花生过敏，住在杭州市。",
        "ja": "私は京都で日本酒を買います。",
        "ko": "회의는매주금요일입니다",
        "th": "ระวังน้ำร้อนลวก",
        "ar": "المستخدم يحب القهوة",
        "hi": "उपयोगकर्ता को चाय पसंद है",
        "ru": "Пользователь любит ёжиков",
        "vi": "Người dùng thích phở",
        "fr": "cafe\u0301 au lait",
        "de": "Die lange Straße",
    }
    store.remember_all([Request(text, id=name) for name, text in texts.items()])
    assert found(store, query)[0] == expected


def test_a_word_that_is_only_a_part_does_not_beat_the_word(store: Store) -> None:
    """A memory that has the whole word stands above one that has its beginning."""
    store.remember("用户对花生过敏", id="part")
    store.remember("早餐吃花生酱", id="whole")
    assert found(store, "花生酱")[0] == "whole"


@pytest.mark.parametrize(
    "query",
    [
        "mem-0042",
        "MEM-0042",
        "stock-feed-eu",
        "stock-feed",
        "task_pool",
        "--dry-run",
        "-x",
        "C#",
        "F#",
        "pkg.mod.v2",
        "ADR-0007",
        "0042",
    ],
)
def test_code_words_and_ids_are_found_as_they_are_written(store: Store, folder: Path, query: str) -> None:
    """Hyphens, dots, underscores, signs and zeros are a part of the word; an id is first whatever its case."""
    text = "Service stock-feed-eu uses task_pool, run with --dry-run -x; written in C# and F#; see pkg.mod.v2 and ADR-0007."
    store.remember(text, id="mem-0042")
    store.remember("C is a language. The stock market. Feed the cat in the EU.", id="mem-0420")
    assert found(store, query)[0] == "mem-0042"


def test_options_behind_a_query_with_dashes_are_options(store: Store, folder: Path) -> None:
    """`--` lets a query begin with dashes; what the command knows behind it is still an option."""
    store.remember("run with --dry-run", id="one")
    ran = gitmem(folder, "recall", "--", "--dry-run", "--json", "--limit", "1")
    assert [hit["id"] for hit in ran.json["results"]] == ["one"]


def test_a_correction_stands_above_what_it_corrects(store: Store) -> None:
    """However often the old fact repeats the question; asked for directly it is found, marked."""
    store.remember("Rosa's address: Rosa lives at 12 Elm Street. Rosa's home address is Elm Street.", id="a1")
    store.remember("Rosa moved; she now lives at 4 Pine Road.", id="a2", supersedes=["a1"])
    assert found(store, "Rosa address")[0] == "a2"
    store.update("a2", "Rosa moved; her address is 4 Pine Road, flat 2.")
    assert found(store, "Rosa address") == ["a2", "a1"]
    new, old = (each.hit for each in store.recall("Elm Street").hits)
    assert (old.record.id, any("superseded" in label for label in old.labels)) == ("a1", True)
    assert new.record.id == "a2"


def test_filters_come_before_the_cut(store: Store) -> None:
    """The one memory with the tag is found, although forty others answer better; tags fold case."""
    store.remember_all([Request(f"badger badger badger {number}", tags=("misc",)) for number in range(40)])
    store.remember("one badger, far away", id="rare", tags=["field trip", "Über"])
    assert found(store, "badger", where=Where(tags=("field trip",)), limit=3) == ["rare"]
    assert found(store, "badger", where=Where(tags=("über",)), limit=1) == ["rare"]
    nothing = store.recall("badger", Where(tags=("nosuch",)))
    assert not nothing.hits and any("nosuch" in note for note in nothing.notes)
    assert store.recall("badger", limit=0).hits == ()


def test_a_tag_is_the_same_however_its_characters_and_blanks_are_written(store: Store, folder: Path) -> None:
    """A filter finds it, adding it once more changes nothing, and taking it out takes it out."""
    (folder / "trip.md").write_text('---\nid: trip\ntags: ["cafe\u0301", "field  trip"]\n---\none vole\n')
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "by hand")
    for written in ("café", "CAFÉ", "cafe\u0301", " café ", "ｃａｆé", "field trip", "Field\ttrip"):
        assert found(store, "vole", where=Where(tags=(written,))) == ["trip"]
    assert store.tag("trip", add=["café", "field trip"]).replaced is None
    store.tag("trip", remove=["CAFÉ"])
    assert store.show("trip").memory.tags == ("field  trip",)


def test_a_namespace_is_one_folder_however_its_accents_are_written(store: Store) -> None:
    """Two folders that one system takes for the same would be mixed up there."""
    paths = [
        store.remember(f"vole {name}", namespace=f"trips/{name}").path for name in ("café", "cafe\u0301")
    ]
    assert {path.rpartition("/")[0] for path in paths} == {"semantic/trips/café"}


def test_no_memory_corrects_itself(store: Store) -> None:
    """It would be marked as out of date by its own text."""
    with pytest.raises(BadInput, match="itself"):
        store.remember("the office is in Pine Road", id="addr", supersedes=["ADDR"])


@pytest.mark.parametrize("query", ["1,0*", "limit=10*", "£40*", "(carrier*", "a/b*"])
def test_a_beginning_with_signs_inside_is_looked_for_by_its_words(store: Store, query: str) -> None:
    """The last word is the one that is begun."""
    store.remember("the carrier takes £400, 1,000 a day with limit=100, see a/bcd", id="rates")
    store.remember("a walk to the river", id="walk")
    assert found(store, query, syntax=True) == ["rates"]


@pytest.mark.parametrize("size", [7, 8, 10, 12, 40])
def test_a_commit_is_found_by_its_hash_short_or_whole(store: Store, size: int) -> None:
    """In whichever of the two forms it was written down; a neighbour in the hash is another commit."""
    whole = "9fceb02d0ae598e95dc970b74767f19372d61af8"
    store.remember(f"the lock was fixed in {whole}", id="whole")
    store.remember("the test came with 9fceb02d", id="short")
    store.remember("reverted by 9fceb12d0ae598e95dc970b74767f19372d61af8", id="other")
    assert set(found(store, whole[:size])) == {"whole"} | ({"short"} if size in (8, 40) else set())
    assert found(store, whole[:size])[0] == ("short" if size == 8 else "whole")
