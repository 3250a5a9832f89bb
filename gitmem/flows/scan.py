"""scan: secrets and personal data that are in the store already, on every branch, and in its history.

Looked at are memories, with their headers, and what is attached to them: of each branch as it stands, each
content once; with the history, every version that any branch, tag or remote branch reaches, by what was new
in it, and every commit message. What could not be looked at is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from gitmem.errors import Damaged, NotFound
from gitmem.flows.screening.incoming import changes_of, message_of
from gitmem.flows.screening.rules import Screening, text_of
from gitmem.flows.work import Work
from gitmem.git.ancestry import all_tips, commits_beyond
from gitmem.git.modes import REGULAR_MODES
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.place import owner_of
from gitmem.model.reading import read_memory
from gitmem.privacy.memory_text import examine, examine_text


class Seen(Struct, frozen=True):
    """Something of a kind, and what the policy does about it; the value is not in it.

    `branch` is where it stands now, `version` the commit that brought it where the history was looked at.
    `path` is empty for a commit message, `line` counts from 1, `id` is that of the memory, if there is one.
    """

    kind: str
    action: str
    path: str
    line: int
    id: str | None = None
    branch: str | None = None
    version: CommitId | None = None


class Scanned(Struct):
    """What was found, how much was looked at, and what could not be."""

    seen: list[Seen] = field(default_factory=list)
    branches: Sequence[str] = ()
    files: int = 0
    commits: int = 0
    not_text: int = 0
    unread: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found, and everything could be looked at."""
        return not self.seen and not self.unread


def scan(work: Work, *, with_history: bool = False) -> Scanned:
    """Looks through the store, and changes nothing."""
    scanning = _Scanning(work, Screening(work.place))
    branches = _branches(work)
    scanning.found.branches = list(branches)
    for branch, tip in branches.items():
        scanning.branch(branch, tip)
    if with_history:
        scanning.history(list(dict.fromkeys([*branches.values(), *all_tips(work.place.repository)])))
    return scanning.found


def _branches(work: Work) -> dict[str, str]:
    """The tips of all local branches, and of those of gitmem that only a remote has."""
    place = work.place
    names = [place.main, *place.config.branches.values(), *place.repository.branch_names()]
    tips = {name: place.repository.tip(name) for name in dict.fromkeys(names)}
    return {name: tip for name, tip in tips.items() if tip is not None}


class _Scanning(Struct):
    """One scan: every content is looked at once, every pair of an older and a newer one too."""

    work: Work
    screening: Screening
    found: Scanned = field(default_factory=Scanned)
    known: set[tuple[str | None, str]] = field(default_factory=set)

    def branch(self, branch: str, tip: str) -> None:
        repository = self.work.place.repository
        try:
            entries = [
                entry
                for entry in repository.walk(tip)
                if entry.mode in REGULAR_MODES and self._is_ours(entry.path)
            ]
        except (Damaged, NotFound) as error:
            self.found.unread.append(f"{branch}: {error.message}")
            return
        for number, entry in enumerate(entries, 1):
            self.work.progress(f"scanning {branch}", number, len(entries))
            if (None, entry.oid) not in self.known:
                self.known.add((None, entry.oid))
                self.found.files += 1
                self._file(entry.path, entry.oid, None, branch=branch)

    def history(self, tips: Sequence[str]) -> None:
        try:
            commits = list(commits_beyond(self.work.place.repository, tips))
        except Damaged as error:
            self.found.unread.append(error.message)
            return
        for number, commit in enumerate(commits, 1):
            self.work.progress("scanning history", number, len(commits))
            self.found.commits += 1
            try:
                self._commit(CommitId(commit))
            except (Damaged, NotFound) as error:
                self.found.unread.append(f"{commit[:10]}: {error.message}")

    def _commit(self, commit: CommitId) -> None:
        info = self.work.place.repository.commit(commit)
        judge, message = self.screening.judge(), message_of(info)
        for each in judge.find(message):
            line = message.count("\n", 0, each.start) + 1
            action = str(judge.rules.action_of(each.kind))
            self.found.seen.append(Seen(each.kind, action, "", line, version=commit))
        for change in changes_of(self.work.place.repository, info):
            assert change.new is not None, "those that are gone are left out"
            old = change.old.oid if change.old and change.old.mode in REGULAR_MODES else None
            if not self._is_ours(change.path) or (old, change.new.oid) in self.known:
                continue
            is_new = (None, change.new.oid) not in self.known
            self.known.add((old, change.new.oid))
            self.found.files += is_new
            if is_new:
                self._file(change.path, change.new.oid, old, version=commit)

    def _is_ours(self, path: str) -> bool:
        return self.work.place.config.is_memory_path(owner_of(path) or path)

    def _file(
        self,
        path: str,
        new: str,
        old: str | None,
        *,
        branch: str | None = None,
        version: CommitId | None = None,
    ) -> None:
        where = f"{path} on {branch}" if branch else f"{path} at {(version or '')[:10]}"
        try:
            data = self.work.place.repository.read_blob(new)
            older = self.work.place.repository.read_blob(old) if old else None
        except Damaged as error:
            self.found.unread.append(f"{where}: {error.message}")
            return
        text, before = text_of(data), text_of(older) if older is not None else None
        if text is None:
            self.found.not_text += 1
            return
        if text.is_cut:
            self.found.unread.append(f"{where}: only its beginning was looked at, it is too large")
        self.found.seen += self._seen(path, data, text.text, [before.text] if before else [], branch, version)

    def _seen(
        self,
        path: str,
        data: bytes,
        text: str,
        before: Sequence[str],
        branch: str | None,
        version: CommitId | None,
    ) -> Iterator[Seen]:
        is_memory = owner_of(path) is None
        judge = self.screening.judge(path, data)
        examined = (examine if is_memory else examine_text)(judge, text, before, lambda kind, _: kind)
        if not examined.sightings:
            return
        memory_id = read_memory(path, BlobId(""), data).id if is_memory else None
        for kind, action, line in dict.fromkeys(
            (each.kind, each.action, each.line) for each in examined.sightings
        ):
            yield Seen(kind, str(action), path, line, memory_id, branch, version)
