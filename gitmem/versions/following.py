"""A version table brought to the tip of its branch, commit by commit along the first parents.

Cases:
    fresh      the table shows the tip
    behind     the tip comes after what the table shows: the commits between are read
    rewritten  the branch was reset, rebased or amended: the table is cut back to the last commit
               that is still on the chain, and follows from there
    empty      nothing is known yet, or the border of a shallow clone moved: everything is read
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from gitmem.git.faults import point
from gitmem.git.folders import FolderDifference, FolderReader, Held, Tree
from gitmem.git.modes import REGULAR_MODES
from gitmem.git.repository import Repository
from gitmem.git.trees import decode_path
from gitmem.model.ids import CommitId
from gitmem.versions.config import StoreConfig
from gitmem.versions.table import FOLDER, OPEN, OTHER_FILE, REGULAR_FILE, VersionTable, translated
from gitmem.versions.table_files import UnusableTable

Progress = Callable[[int, int], None]

_CHUNK_COMMITS = 500
"""So many commits are one transaction; whoever is killed loses the work of at most so many."""
_ATTEMPTS = 5
_ATTACHED = b".files"
_REGULAR = frozenset(f"{mode:o}".encode() for mode in REGULAR_MODES)


class Link(NamedTuple):
    """A commit of the chain, as far as the table needs it."""

    id: CommitId
    tree: str
    seconds: int


class Gap(NamedTuple):
    """What the table, at its tip `seen`, lacks: `links`, oldest first, behind `base` whose tree is `tree`."""

    seen: tuple[int, CommitId] | None
    base: int
    tree: str | None
    links: list[Link]


class State(NamedTuple):
    """What stood at a path: its id and kind, and the id of its folder of attachments.

    A folder with the name of a Markdown file counts too: a walk through git takes it for the same thing.
    """

    blob: bytes
    kind: int
    attached: bytes


def follow(
    table: VersionTable,
    repository: Repository,
    config: StoreConfig,
    tip: CommitId,
    *,
    most_commits: int | None = None,
    progress: Progress | None = None,
) -> bool:
    """Brings `table` to `tip`; False, and nothing done, where more than `most_commits` are to be read.

    May be killed and repeated. Raises `UnusableTable` where somebody else writes all the time.
    """
    for _ in range(_ATTEMPTS):
        _adapt(table, repository, config)
        gap = _gap(table, repository, tip, most_commits)
        if gap is None:
            return False
        if _fill(table, repository, config, gap, progress):
            return True
    raise UnusableTable("other processes keep changing it")


def _adapt(table: VersionTable, repository: Repository, config: StoreConfig) -> None:
    """Empties the table where history begins elsewhere now, or other files are memories."""
    if is_adapted(table, repository, config):
        return
    with translated(), table.writing():
        for name in ("commits", "spans", "paths"):
            table.connection.execute(f"DELETE FROM {name}")
        rows = _ground(repository, config).items()
        table.connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", rows)


def is_adapted(table: VersionTable, repository: Repository, config: StoreConfig) -> bool:
    """Whether the table was made of the history that is here, for the memories that the config means."""
    return all(table.about(name) == value for name, value in _ground(repository, config).items())


def _ground(repository: Repository, config: StoreConfig) -> dict[str, str]:
    return {
        "border": _digest([*sorted(repository.shallow_commits()), *repository.grafts()]),
        "exclude": _digest(config.exclude),
    }


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogateescape")).hexdigest()


def _gap(table: VersionTable, repository: Repository, tip: CommitId, most_commits: int | None) -> Gap | None:
    """What lies between the table and `tip`; None where it is more than `most_commits`."""
    links: list[Link] = []
    seen = table.tip()
    for commit in repository.first_parents(tip):
        ordinal = table.ordinal_of(CommitId(commit.id))
        if ordinal is not None:
            return Gap(seen, ordinal, commit.tree, links[::-1])
        if most_commits is not None and len(links) >= most_commits:
            return None
        links.append(Link(CommitId(commit.id), commit.tree, int(commit.committer_time.timestamp())))
    return Gap(seen, -1, None, links[::-1])


def _fill(
    table: VersionTable,
    repository: Repository,
    config: StoreConfig,
    gap: Gap,
    progress: Progress | None,
) -> bool:
    """Cuts the table back to the base of `gap` and adds its links; False where another was faster."""
    reader = FolderReader(repository)
    base, tree, expected = gap.base, gap.tree, gap.seen
    for first in range(0, max(1, len(gap.links)), _CHUNK_COMMITS):
        chunk = gap.links[first : first + _CHUNK_COMMITS]
        changes = []
        for link in chunk:
            changes.append(list(changes_between(reader, tree, link.tree)))
            tree = link.tree
        with translated(), table.writing():
            if table.tip() != expected:
                return False
            if first == 0:
                _cut_back(table, base)
            _Adding(table, config).add(base, chunk, changes)
            expected = table.tip()
            point("table.filled")
        point("table.filled-and-kept")
        base += len(chunk)
        if progress is not None:
            progress(first + len(chunk), len(gap.links))
    return True


def _cut_back(table: VersionTable, base: int) -> None:
    """Takes out what came after the ordinal `base`."""
    if (table.tip() or (-1, None))[0] <= base:
        return
    run = table.connection.execute
    run("DELETE FROM commits WHERE ordinal > ?", (base,))
    run("DELETE FROM spans WHERE began > ?", (base,))
    run("UPDATE spans SET ended = ? WHERE ended > ? AND ended < ?", (OPEN, base, OPEN))


class _Adding:
    """Rows for the commits of one chunk, within a transaction."""

    def __init__(self, table: VersionTable, config: StoreConfig) -> None:
        self._run = table.connection.execute
        self._config = config
        self._numbers: dict[bytes, int] = {}

    def add(self, base: int, links: list[Link], changes: list[list[tuple[bytes, State | None]]]) -> None:
        """Adds `links` behind the ordinal `base`, each with what it changed."""
        found = self._run("SELECT latest FROM commits WHERE ordinal = ?", (base,)).fetchone()
        latest = found[0] if found else 0
        for ordinal, (link, changed) in enumerate(zip(links, changes, strict=True), base + 1):
            latest = max(latest, link.seconds)
            row = (ordinal, bytes.fromhex(link.id), link.seconds, latest)
            self._run("INSERT INTO commits VALUES (?, ?, ?, ?)", row)
            for path, state in changed:
                self._change(ordinal, path, state)

    def _change(self, ordinal: int, path: bytes, state: State | None) -> None:
        number = self._number(path)
        self._run(
            "UPDATE spans SET ended = ? WHERE path = ? AND ended = ?"
            " AND began = (SELECT max(began) FROM spans WHERE path = ?)",
            (ordinal, number, OPEN, number),
        )
        if state is not None:
            is_memory = state.kind == REGULAR_FILE and self._config.is_memory_path(decode_path(path))
            key = document_key(path, state) if is_memory else None
            row = (number, ordinal, OPEN, state.blob, state.kind, state.attached, key)
            self._run("INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def _number(self, path: bytes) -> int:
        number = self._numbers.get(path)
        if number is None:
            self._run("INSERT OR IGNORE INTO paths (path) VALUES (?)", (path,))
            (number,) = self._run("SELECT number FROM paths WHERE path = ?", (path,)).fetchone()
            self._numbers[path] = number
        return int(number)


def document_key(path: bytes, state: State) -> int:
    """A number for what is indexed of a file: its path, text and attachments; one in 10^19 is shared."""
    text = b"%b\0%b%b" % (path, state.blob, state.attached)
    digest = hashlib.blake2b(text, digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True) or 1


def changes_between(reader: FolderReader, old: str | None, new: str) -> Iterator[tuple[bytes, State | None]]:
    """The Markdown files that differ between two trees, each with what stands there now.

    One whose attachments changed differs as well.
    """
    for difference in reader.differences(old, new):
        touched = _touched(difference)
        if not touched:
            continue
        before = _Side(difference.old, difference.trees[0])
        after = _Side(difference.new, difference.trees[1])
        for name in touched:
            state = after.state(name)
            if state != before.state(name):
                yield difference.path + name, state


def _touched(difference: FolderDifference) -> set[bytes]:
    """The names of Markdown files that may have changed, themselves or by their attachments."""
    touched = set()
    for name in difference.names():
        if _is_markdown(name):
            touched.add(name)
        elif name.endswith(_ATTACHED):
            stem = name[: -len(_ATTACHED)]
            touched.update(stem + ending for ending in (b".md", b".MD", b".Md", b".mD"))
    return touched


def _is_markdown(name: bytes) -> bool:
    return name[-3:].lower() == b".md"


class _Side:
    """One side of a folder that differs; read whole only where attachments may be in it."""

    def __init__(self, differing: Mapping[bytes, Held], tree: Tree) -> None:
        has_attachments = _ATTACHED + b"\0" in tree.data
        self._entries = tree.entries() if has_attachments else differing

    def state(self, name: bytes) -> State | None:
        """What stands under `name`, were it a folder; None where nothing does."""
        entry = self._entries.get(name)
        if entry is None:
            return None
        beside = self._entries.get(name[:-3] + _ATTACHED)
        is_attached = beside is not None and (beside.is_folder or beside.mode in _REGULAR)
        attached = beside.oid if beside is not None and is_attached else b""
        return State(entry.oid, _kind(entry), attached)


def _kind(entry: Held) -> int:
    if entry.is_folder:
        return FOLDER
    return REGULAR_FILE if entry.mode in _REGULAR else OTHER_FILE
