"""brief: an overview within its bounds, and a MEMORY.md that never takes a person's place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import Refused
from gitmem.flows.brief import MARK
from gitmem.flows.writing.drafting import Request
from gitmem.recall.overview import MOST_BYTES, MOST_LINES, Part, overview, shortened
from gitmem.store import Store
from tests.conftest import git

parts = st.builds(
    lambda heading, line, count, more: Part(heading, [line] * count, count + more),
    st.text(st.characters(exclude_characters="\n\r"), max_size=40).map(shortened),
    st.text(max_size=300).map(shortened),
    st.integers(0, 120),
    st.integers(0, 1000),
)


@settings(max_examples=50)
@given(st.lists(parts, max_size=20))
def test_an_overview_is_within_its_bounds(found: list[Part]) -> None:
    """Whatever stands in it: 200 lines and 25,000 bytes, with what is left out counted."""
    text = overview(["# Head"], found, ["foot"])
    assert text.count("\n") <= MOST_LINES and len(text.encode("utf-8", "replace")) <= MOST_BYTES
    assert text.startswith("# Head\n") and text.endswith("\nfoot\n")


def test_the_longest_part_gives_way_and_counts_what_is_gone() -> None:
    """A short part stays whole."""
    text = overview(
        ["head"], [Part("Many", [f"line {n}" for n in range(500)], 600), Part("Few", ["one"], 1)], ["f"]
    )
    shown = text.count("- line ")
    assert 100 < shown < 200 and f"- … {600 - shown} more" in text and "## Few\n\n- one\n" in text


def test_what_stands_in_a_brief(store: Store) -> None:
    """What the store is, what matters most, the namespaces, what is open, and how to go on."""
    store.remember_all(
        [
            Request("Never deploy on Fridays", id="friday", importance=0.95, namespace="projects/beta"),
            Request("The database is PostgreSQL 18", id="db", namespace="projects/beta/infra"),
            Request("Alice wants reports by e-mail", id="wish", namespace="people/alice"),
            Request("Deploy", id="deploy", type="procedural"),
            Request("It was printed", id="old"),
            Request("It was faxed", id="older"),
            Request("It is mailed", id="new", supersedes=["older"], namespace="people/alice"),
        ]
    )
    store.update("old", fields={"status": "superseded"})
    store.update("db", fields={"status": "disputed"})
    store.propose_archive(["wish"], body="she left")
    found = store.brief()
    assert (found.memories, found.disputed, found.proposals) == (7, 1, 1)
    assert found.text.startswith(f"{MARK}\n# Memories of mem\n")
    assert "It holds 7 memories (6 semantic, 1 procedural)." in found.text
    for block in (
        "## Most important\n\n- [friday] Never deploy on Fridays\n",
        "## projects/beta (1)\n\n- [db] The database is PostgreSQL 18\n",
        "## Without a namespace (1)\n\n- [deploy] Deploy (how to)\n",
        "a person settles it\n\n- [db] The",
        "reviews it\n\n- archive-alice-wants-reports-by-e-mail: Archive Alice wants reports by e-mail (1 memory)\n",
        "## More\n\n- `gitmem recall",
    ):
        assert block in found.text
    assert "It was" not in found.text and found.text == store.brief().text


def test_a_new_store_has_a_brief(store: Store) -> None:
    """It says that there is nothing yet, and how to begin."""
    text = store.brief().text
    assert "It holds 0 memories." in text and "gitmem remember" in text


def test_write_keeps_a_file_that_git_ignores(store: Store, folder: Path) -> None:
    """It is no memory, may be written again, and the hooks bring it up to date."""
    store.remember("Alice wants reports by e-mail", id="wish")
    (folder / ".git/info/exclude").write_text("own-pattern")
    for _ in range(2):
        written, file = store.write_brief()
    assert file == folder / "MEMORY.md" and file.read_text() == written.text
    assert (folder / ".git/info/exclude").read_text() == "own-pattern\n/MEMORY.md\n"
    assert git(folder, "status", "--porcelain") == ""
    assert [record.id for record in store.list().records] == ["wish"]
    store.remember("Bob wants reports on paper", id="bob")
    store.hook("post-commit")
    kept = (folder / ".git/gitmem/brief.md").read_text()
    assert "[bob] Bob wants" in kept and file.read_text() == kept


def test_the_hooks_write_no_brief_that_nobody_asked_for(store: Store, folder: Path) -> None:
    """Nor do they bring back one that was removed."""
    store.remember("Alice wants reports by e-mail")
    store.hook("post-commit")
    assert not (folder / ".git/gitmem/brief.md").exists() and not (folder / "MEMORY.md").exists()


def test_a_memory_md_of_a_person_is_left_alone(store: Store, folder: Path) -> None:
    """One that gitmem did not write, that git knows, even in other case or with our mark, or that is a link."""
    store.remember("Alice wants reports by e-mail")
    file = folder / "MEMORY.md"

    def refuses(reason: str) -> None:
        before = file.read_bytes() if file.exists() else None
        with pytest.raises(Refused, match=reason):
            store.write_brief()
        store.hook("post-commit")
        assert (file.read_bytes() if file.exists() else None) == before

    file.write_text("# My own notes\n")
    refuses("gitmem did not write it")
    git(folder, "add", "MEMORY.md")
    file.write_text(f"{MARK}\nbut git knows it\n")
    refuses("git keeps it")
    git(folder, "rm", "-qf", "--cached", "MEMORY.md")
    file.unlink()
    (folder / "elsewhere").write_text(f"{MARK}\n")
    file.symlink_to("elsewhere")
    refuses("gitmem did not write it")
    file.unlink()
    (folder / "memory.md").write_text("own")
    git(folder, "add", "memory.md")
    refuses("git keeps it")
    assert "/MEMORY.md" not in (folder / ".git/info/exclude").read_text()


def test_a_bare_repository_has_no_place_for_it(person: None, tmp_path: Path) -> None:
    """Its brief can be read all the same."""
    store = Store.init(tmp_path / "bare.git", bare=True)
    store.remember("Alice wants reports by e-mail")
    assert "Alice wants reports" in store.brief().text
    with pytest.raises(Refused, match="bare"):
        store.write_brief()
