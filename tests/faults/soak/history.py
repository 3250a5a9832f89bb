"""Reading the history of a soak: every commit must have done what it says, and nothing else.

Commit by commit, along the first parents of main and of archive:

    remember    adds files, each with the text of its token
    update      replaces the text of one file by that of its token
    append      adds the line of its token at the end of one file
    arrive      a move puts files on a branch with the bytes that the other branch had
    leave       a move takes files off a branch, after they arrived with these bytes on the other
    revert      gives one file bytes that it had before
    undo        is the inverse of the commit that it names
    person      a plain commit, which touches what the person has and nothing else
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gitmem.git.repository import CommitInfo, PathChange, Repository
from gitmem.model.change import trailers_of
from gitmem.versions.history import MOVED_FROM
from tests.faults.soak.beside import PERSONS_FILE, SIDE_FOLDER
from tests.faults.soak.worker import BATCH, text_of

Blobs = tuple[str | None, str | None]


@dataclass
class Branch:
    """What was read of one branch so far."""

    tip: str | None = None
    commits: set[str] = field(default_factory=set)
    tokens: Counter[str] = field(default_factory=Counter)
    """How many commits say that they were made for a token."""
    operations: dict[str, dict[str, Blobs]] = field(default_factory=dict)
    """For each operation what its commit did to the files."""
    blobs: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """For each path the bytes that it ever had."""
    subjects: Counter[str] = field(default_factory=Counter)


class History:
    """Both branches, read from where the soak began; `read` goes on where it ended."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self.main = Branch()
        self.archive = Branch()
        self.undone: set[str] = set()
        """The tokens whose operations were taken back."""
        self.appended: dict[str, list[str]] = defaultdict(list)
        """For each path the lines that were appended to it, in the order of the commits."""
        self._token_of: dict[str, str] = {}

    def read(self) -> Iterator[str]:
        """What is wrong with the commits that came since."""
        fresh = [
            (branch, other, commit)
            for name, branch, other in (
                ("archive", self.archive, self.main),
                ("main", self.main, self.archive),
            )
            for commit in self._new(name, branch)
        ]
        changes = {commit.id: self._changes(commit) for _, _, commit in fresh}
        # What a commit did is known of all before any is judged: moves and undos speak of other branches.
        for branch, _, commit in fresh:
            self._take_note(branch, commit, changes[commit.id])
        for branch, other, commit in fresh:
            for wrong in self._judge(branch, other, commit, changes[commit.id]):
                yield f"commit {commit.id[:10]} ({commit.message.splitlines()[0]}): {wrong}"

    def _new(self, name: str, branch: Branch) -> list[CommitInfo]:
        tip = self._repository.local_tip(name)
        if tip is None:
            return []
        found = []
        for commit in self._repository.first_parents(tip):
            if commit.id == branch.tip:
                break
            found.append(commit)
        else:
            if branch.tip is not None:
                raise AssertionError(f"{name} lost the commit {branch.tip}, which it had at the last check")
        branch.tip = tip
        return found[::-1]

    def _changes(self, commit: CommitInfo) -> dict[str, Blobs]:
        def oid(change: PathChange) -> Blobs:
            return change.old.oid if change.old else None, change.new.oid if change.new else None

        parent = commit.parents[0] if commit.parents else None
        return {change.path: oid(change) for change in self._repository.diff_trees(parent, commit.id)}

    def _take_note(self, branch: Branch, commit: CommitInfo, changes: Mapping[str, Blobs]) -> None:
        trailers = trailers_of(commit.message)
        branch.commits.add(commit.id)
        branch.subjects[commit.message.splitlines()[0]] += 1
        for path, (_, new) in changes.items():
            if new:
                branch.blobs[path].add(new)
        operation_id = trailers.get("Operation-Id", [""])[0]
        token = trailers.get("Reason", [""])[0]
        is_taken_back = commit.message.splitlines()[0].endswith(": taken back")
        # On its way somebody else carried it back, and changed it where it came from: it arrives anew.
        is_move = trailers.get("Operation", [""])[0] in ("archive", "restore")
        has_arrived = is_move and operation_id in branch.operations
        is_anew = has_arrived and all(old is None and new for old, new in changes.values())
        if operation_id:
            branch.operations[operation_id] = dict(changes)
            self._token_of.setdefault(operation_id, token)
        if token and is_taken_back:
            # A move that was overtaken on its way is begun anew.
            branch.tokens[token] -= 1
        elif token and not (is_anew and branch.tokens[token] == 1):
            branch.tokens[token] += 1
        self.undone.update(self._token_of.get(undone, "") for undone in trailers.get("Undoes", []))

    def _judge(
        self, branch: Branch, other: Branch, commit: CommitInfo, changes: Mapping[str, Blobs]
    ) -> Iterator[str]:
        trailers = trailers_of(commit.message)
        operation, token = trailers.get("Operation", [""])[0], trailers.get("Reason", [""])[0]
        if token == "setup" or operation == "init":
            return
        if not operation:
            yield from self._plain(commit, changes)
        elif operation == "undo":
            undone = branch.operations.get(trailers["Undoes"][0], {})
            elsewhere = other.operations.get(trailers["Undoes"][0], {})
            # A move that found its memory there already took it off; undone, it takes that copy away.
            is_copy = not undone and all(elsewhere.get(path) == change for path, change in changes.items())
            if dict(changes) != {path: (new, old) for path, (old, new) in undone.items()} and not is_copy:
                yield f"is not the inverse of {trailers['Undoes'][0]}: {changes} {undone}"
        elif operation in ("archive", "restore"):
            yield from self._move(branch, other, trailers, changes)
        else:
            yield from self._write(operation, token, changes, branch)

    def _plain(self, commit: CommitInfo, changes: Mapping[str, Blobs]) -> Iterator[str]:
        for path, (old, _) in changes.items():
            is_side = path.startswith(f"{SIDE_FOLDER}/") and old is None
            if path != PERSONS_FILE and not is_side:
                yield f"a person's commit touched {path}"

    def _move(
        self, branch: Branch, other: Branch, trailers: dict[str, list[str]], changes: Mapping[str, Blobs]
    ) -> Iterator[str]:
        for path, (old, new) in changes.items():
            if MOVED_FROM in trailers:
                if old is not None or new not in other.blobs[path]:
                    yield f"{path} arrived as {new}, over {old}, and never was that on the other branch"
            elif new is not None or old not in other.blobs[path]:
                yield f"{path} left as {old} for {new}, and never arrived on the other branch"

    def _write(
        self, operation: str, token: str, changes: Mapping[str, Blobs], branch: Branch
    ) -> Iterator[str]:
        verb = {"remember": self._remembered, "update": self._updated, "append": self._appended}
        if operation == "remember":
            yield from self._remembered(token, changes)
        elif len(changes) != 1 or None in next(iter(changes.values())):
            yield f"{operation} changed {changes}"
        elif operation == "revert":
            ((path, (_, new)),) = changes.items()
            if new not in branch.blobs[path]:
                yield f"{path} never had these bytes"
        elif operation in verb:
            ((path, (old, new)),) = changes.items()
            assert old is not None and new is not None
            yield from verb[operation](token, {path: (old, new)})
        else:
            yield f"nobody here does {operation}"

    def _remembered(self, token: str, changes: Mapping[str, Blobs]) -> Iterator[str]:
        texts = [text_of(verb, token).encode() for verb in ("remember", "claim", "batch")]
        if len(changes) not in (1, BATCH):
            yield f"remembered {len(changes)} at once"
        for path, (old, new) in changes.items():
            if old is not None or new is None or not any(text in self._bytes(new) for text in texts):
                yield f"{path} does not hold what {token} remembered"

    def _updated(self, token: str, changes: Mapping[str, Blobs]) -> Iterator[str]:
        for path, (_, new) in changes.items():
            if not self._bytes(new).endswith(b"\n---\n" + text_of("update", token).encode() + b"\n"):
                yield f"{path} does not hold what {token} put there"

    def _appended(self, token: str, changes: Mapping[str, Blobs]) -> Iterator[str]:
        line = text_of("append", token)
        for path, (old, new) in changes.items():
            self.appended[path].append(line)
            if self._bytes(new) != self._bytes(old) + line.encode() + b"\n":
                yield f"{path} is not what it was with the line of {token}"

    def _bytes(self, oid: str | None) -> bytes:
        return self._repository.read_blob(oid) if oid else b""
