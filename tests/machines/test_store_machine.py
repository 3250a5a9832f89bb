"""Store against a plain dict: whatever gitmem and plain git do in between, both say the same."""

from __future__ import annotations

import copy
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from gitmem.errors import Conflict
from gitmem.store import Store
from tests.conftest import git

WORDS = ("kestrel", "otter", "puffin", "walrus", "marmot", "heron", "badger", "stoat")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
titles = st.sampled_from(["A title", "Ein Titel", "标题", "aux", "with: colon", "# hash"])
picks = st.integers(0, 50)


@dataclass
class Expected:
    """One memory as the dict knows it, with the texts of all its versions."""

    body: str
    title: str | None = None
    tags: tuple[str, ...] = ()
    versions: list[tuple[str, str | None, tuple[str, ...]]] = field(default_factory=list)

    def note_version(self) -> None:
        self.versions.append((self.body, self.title, self.tags))


@dataclass
class Model:
    main: dict[str, Expected] = field(default_factory=dict)
    archive: dict[str, Expected] = field(default_factory=dict)


class StoreMachine(RuleBasedStateMachine):
    """Every rule does one thing to the store and the same to the dict."""

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(prefix="gitmem-machine-"))
        self.folder = self.base / "mem"
        Store.init(self.folder)
        git(self.folder, "config", "user.name", "Test Person")
        git(self.folder, "config", "user.email", "person@example.com")
        self.model = Model()
        self.before: Model | None = None
        """The model before the last operation of gitmem, while nothing else happened since."""
        self.commits: list[Model] = []
        """The model before each commit of main that a reset may take back."""
        self.count = 0

    def teardown(self) -> None:
        shutil.rmtree(self.base, ignore_errors=True)

    @property
    def store(self) -> Store:
        return Store.open(self.folder)

    def pick(self, number: int, memories: dict[str, Expected] | None = None) -> str:
        ids = list(self.model.main if memories is None else memories)
        return ids[number % len(ids)]

    def snapshot(self, *, by_gitmem: bool = True) -> None:
        kept = copy.deepcopy(self.model)
        self.before = kept if by_gitmem else None
        self.commits.append(kept)

    @rule(text=texts, title=st.none() | titles, tags=st.sets(st.sampled_from(["a", "b c", "Ü"])))
    def remember(self, text: str, title: str | None, tags: set[str]) -> None:
        self.snapshot()
        written = self.store.remember(text, title=title, tags=sorted(tags))
        expected = Expected(text + "\n", title, tuple(sorted(tags)))
        expected.note_version()
        self.model.main[written.id] = expected

    @precondition(lambda self: self.model.main)
    @rule(number=picks, text=texts)
    def update(self, number: int, text: str) -> None:
        memory_id = self.pick(number)
        expected = self.model.main[memory_id]
        if expected.body == text + "\n":
            return
        self.snapshot()
        self.store.update(memory_id, text)
        expected = self.model.main[memory_id]
        expected.body = text + "\n"
        expected.note_version()

    @precondition(lambda self: self.model.main)
    @rule(number=picks, text=texts)
    def append(self, number: int, text: str) -> None:
        self.snapshot()
        memory_id = self.pick(number)
        self.store.append(memory_id, text)
        expected = self.model.main[memory_id]
        expected.body += text + "\n"
        expected.note_version()

    @precondition(lambda self: self.model.main)
    @rule(number=picks)
    def tag(self, number: int) -> None:
        memory_id = self.pick(number)
        if "new" in self.model.main[memory_id].tags:
            return
        self.snapshot()
        self.store.tag(memory_id, add=["new"])
        expected = self.model.main[memory_id]
        expected.tags = (*expected.tags, "new")
        expected.note_version()

    @precondition(lambda self: self.model.main)
    @rule(number=picks, title=titles)
    def rename(self, number: int, title: str) -> None:
        memory_id = self.pick(number)
        if self.model.main[memory_id].title == title:
            return
        self.snapshot()
        self.store.rename(memory_id, title)
        expected = self.model.main[memory_id]
        expected.title = title
        expected.note_version()

    @precondition(lambda self: self.model.main)
    @rule(number=picks)
    def archive(self, number: int) -> None:
        self.move(self.pick(number), "archive", self.model.main, self.model.archive)

    @precondition(lambda self: self.model.archive)
    @rule(number=picks)
    def restore(self, number: int) -> None:
        self.move(self.pick(number, self.model.archive), "restore", self.model.archive, self.model.main)

    def move(
        self, memory_id: str, verb: str, source: dict[str, Expected], target: dict[str, Expected]
    ) -> None:
        there = target.get(memory_id)
        here = source[memory_id]
        if there is not None and there.versions[-1] != here.versions[-1]:
            try:
                getattr(self.store, verb)([memory_id])
            except Conflict:
                return
            raise AssertionError("a double was accepted")
        source_is_main = source is self.model.main
        before = copy.deepcopy(self.model)
        try:
            getattr(self.store, verb)([memory_id])
        except Conflict as error:
            # A person moved one of two equal copies: both stay until a person says which path it is.
            assert there is not None
            assert "with the same text and id" in error.message
            return
        if source_is_main or there is None:
            # Otherwise main had it already, and has no new commit.
            self.commits.append(before)
        self.before = before
        moved = (self.model.main if source_is_main else self.model.archive).pop(memory_id)
        (self.model.archive if source_is_main else self.model.main)[memory_id] = moved
        if there is not None:
            self.before = None

    @precondition(lambda self: self.model.main)
    @rule(number=picks)
    def revert(self, number: int) -> None:
        memory_id = self.pick(number)
        first = self.model.main[memory_id].versions[0]
        expected = self.model.main[memory_id]
        if (expected.body, expected.title, expected.tags) == first:
            return
        self.snapshot()
        self.store.revert(memory_id, "v1")
        expected = self.model.main[memory_id]
        expected.body, expected.title, expected.tags = first
        expected.note_version()

    @precondition(lambda self: self.before is not None)
    @rule()
    def undo(self) -> None:
        assert self.before is not None
        previous, now = self.before, copy.deepcopy(self.model)
        self.store.undo()
        self.commits.append(now)
        for memory_id, expected in previous.main.items():
            if memory_id in now.main and expected.versions != now.main[memory_id].versions:
                expected.versions = [*now.main[memory_id].versions, expected.versions[-1]]
        self.model, self.before = copy.deepcopy(previous), None

    @rule()
    def reindex(self) -> None:
        self.store.reindex()

    @rule(text=texts)
    def a_person_commits_a_note(self, text: str) -> None:
        self.snapshot(by_gitmem=False)
        self.count += 1
        name = f"hand-{self.count}"
        (self.folder / f"{name}.md").write_text(f"---\nid: {name}\n---\n{text}\n")
        git(self.folder, "add", f"{name}.md")
        git(self.folder, "commit", "-qm", "by hand")
        expected = Expected(text + "\n")
        expected.note_version()
        self.model.main[name] = expected

    @precondition(lambda self: self.model.main)
    @rule(number=picks, text=texts)
    def a_person_edits_and_commits(self, number: int, text: str) -> None:
        self.snapshot(by_gitmem=False)
        memory_id = self.pick(number)
        file = self.folder / self.store.show(memory_id).memory.path
        file.write_text(file.read_text() + text + "\n")
        git(self.folder, "commit", "-qam", "edited by hand")
        expected = self.model.main[memory_id]
        expected.body += text + "\n"
        expected.note_version()

    @precondition(lambda self: self.model.main)
    @rule(number=picks)
    def a_person_moves_a_file(self, number: int) -> None:
        self.snapshot(by_gitmem=False)
        self.count += 1
        memory_id = self.pick(number)
        path = self.store.show(memory_id).memory.path
        (self.folder / f"moved{self.count}").mkdir()
        git(self.folder, "mv", path, f"moved{self.count}/note.md")
        git(self.folder, "commit", "-qm", "moved by hand")
        self.model.main[memory_id].note_version()

    @precondition(lambda self: self.commits)
    @rule()
    def a_person_resets_main(self) -> None:
        git(self.folder, "reset", "-q", "--hard", "HEAD~1")
        self.model.main = copy.deepcopy(self.commits.pop().main)
        self.before = None

    @rule(text=texts)
    def a_write_from_another_branch(self, text: str) -> None:
        git(self.folder, "checkout", "-q", "--detach")
        try:
            self.remember(text, None, set())
        finally:
            git(self.folder, "checkout", "-q", "main")

    @invariant()
    def store_and_dict_agree(self) -> None:
        store = self.store
        self.agree(store, self.model.main)
        if store.place.tip("archive"):
            self.agree(store.on("archive"), self.model.archive)
        assert git(self.folder, "status", "--porcelain") == ""

    def agree(self, store: Store, expected: dict[str, Expected]) -> None:
        records = store.list().records
        assert sorted(record.id for record in records) == sorted(expected)
        for record in records:
            memory = store.place.snapshot(None).read(record.path, record.blob)
            wanted = expected[record.id]
            assert (memory.body, memory.tags) == (wanted.body, wanted.tags)
            if wanted.title is not None:
                assert memory.title == wanted.title
        for word in WORDS[:3]:
            found = {each.hit.record.id for each in store.recall(word, limit=100).hits}
            having = {
                memory_id
                for memory_id, wanted in expected.items()
                if word in f"{wanted.body} {wanted.title or ''}".split()
            }
            assert found >= having

    @precondition(lambda self: self.model.main)
    @rule(number=picks)
    def versions_are_as_many(self, number: int) -> None:
        memory_id = self.pick(number)
        assert len(self.store.log(memory_id).entries) == len(self.model.main[memory_id].versions)


TestStoreMachine = StoreMachine.TestCase
TestStoreMachine.settings = settings(
    max_examples=5,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
