"""forget: memories go out of history for good, and the proof is looked for. For people only.

    1  everything of them is found: versions, attachments, old names, what leftovers and messages say of them
    2  the journal is written; from here on the same command, given again, goes on
    3  history is written anew beside the old one; no ref has moved
    4  main moves first, with tombstones on top, so that what is forgotten is refused from then on; then other
       branches, tags, notes, stashes; each only if it stands where it was read, else all over from 1
    5  worktrees, git's indexes, logs, and all that was derived are cleaned
    6  objects that nothing names any more are removed
    7  every object and file is looked at; the journal goes when nothing was found

A process that dies leaves a store that works at every step: old or new history, never a part of either.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress

from msgspec import Struct, field

from gitmem.errors import Busy, Conflict, OutsideFailure
from gitmem.flows.forgetting.clean import clean_derived, clean_worktrees
from gitmem.flows.forgetting.elsewhere import elsewhere, push_forgotten, refuse_unknown_work
from gitmem.flows.forgetting.journal import ForgetEntry, read_entry, remove_entry, write_entry
from gitmem.flows.forgetting.look import Look, Looking
from gitmem.flows.forgetting.obstacles import refuse_obstacles
from gitmem.flows.forgetting.plan import refuse_nothing, resumed
from gitmem.flows.forgetting.proof import prove
from gitmem.flows.forgetting.rewrite import Rewritten, rewrite, signer
from gitmem.flows.forgetting.tombstones import bury, keep_fork, keep_old_tips
from gitmem.flows.forgetting.values import Receipt
from gitmem.flows.rights.acting import require_person
from gitmem.flows.running.helping import GUARD
from gitmem.flows.work import Work
from gitmem.git.faults import point
from gitmem.git.objects import refresh
from gitmem.git.packs import LooseObjects, ObjectWriter, PackWriter
from gitmem.git.publish import FileChange, RefMoved, publish
from gitmem.git.purge import purge
from gitmem.git.recover import recover
from gitmem.git.repository import Repository
from gitmem.git.rewritten_refs import move_refs, rewrite_heads, rewrite_logs
from gitmem.git.trees import encode_path
from gitmem.platform import FileLock, make_private_directory
from gitmem.privacy.pieces import Sought
from gitmem.privacy.targets import Wanted

ATTEMPTS = 5
LOCK_SECONDS = 60.0
_GUARDS = (GUARD, "sync.guard", "refresh.guard", "upkeep.guard", "write.guard")
"""The locks of whoever could bring back, or look at, what goes; in this order."""


class Answer(Struct, frozen=True):
    """What a person said to a plan: what has to be repeated of it, and whether mentions are redacted too."""

    redacts_mentions: bool = False
    remote: str | None = None


def forget(work: Work, wanted: Wanted, answer: Answer) -> Receipt:
    """Takes what is wanted out of everything here, for good. May be repeated after a death on the way.

    Raises what `plan_forget` raises, `Busy` where somebody else keeps a lock or keeps writing, and
    `OutsideFailure` where git or the disk fails; what is done then is finished by the next call.
    """
    require_person(work.identity, "forget")
    if answer.remote is not None:
        refuse_unknown_work(work, answer.remote)
    with alone(work):
        recover(work.place.repository)
        refuse_obstacles(work)
        for _ in range(ATTEMPTS):
            with suppress(RefMoved, Conflict):
                return Forgetting(work, *resumed(work, wanted), answer).run()
    raise Busy("branches kept moving, so nothing was finished", hint="run the command again")


@contextmanager
def alone(work: Work) -> Iterator[None]:
    """Holds the locks of all who could stand in the way. A helper is told to go. Raises `Busy`."""
    home = work.place.home
    make_private_directory(home)
    # A helper whose socket is gone ends, once it has answered.
    (home / "helper.sock").unlink(missing_ok=True)
    with ExitStack() as stack:
        for name in _GUARDS:
            lock = stack.enter_context(FileLock(home / name, timeout_seconds=LOCK_SECONDS))
            if not lock.acquired:
                raise Busy(f"another command is at work here ({name})", hint="try again when it has ended")
        yield


class Forgetting(Struct):
    """One run from the look to the receipt. `is_heal`: history was rewritten elsewhere, tombstones too."""

    work: Work
    wanted: Wanted
    known: ForgetEntry | None
    answer: Answer
    is_heal: bool = False
    removed: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.time)

    @classmethod
    def of_heal(cls, work: Work, look: Look) -> Forgetting:
        """One that lets go of what is not in the remote's history any more."""
        return cls(work, Wanted(tuple(look.targets.ids.values())), read_entry(work.place), Answer(), True)

    def run(self) -> Receipt:
        redacts = self.answer.redacts_mentions or (self.known.redacts_mentions if self.known else False)
        look = Looking(self.work, self.wanted, redacts, self.known.pieces if self.known else ()).look()
        refuse_nothing(self.work, self.wanted, look, self.known)
        return self.carry_out(look, redacts=redacts)[0]

    def carry_out(
        self, look: Look, preset: Mapping[str, str | None] | None = None, *, redacts: bool = False
    ) -> tuple[Receipt, Rewritten]:
        """All that follows the look."""
        work = self.work
        entry = self._entry(look, redacts)
        write_entry(work.place, entry)
        point("forget.intent")
        rewritten, buried = self._rewrite(look, preset)
        self._clean(look, rewritten, entry)
        sought, names = Sought(entry.pieces), entry.names
        proof = prove(work, sought, entry.blobs, names=names, allows_mentions=not redacts)
        point("forget.scanned")
        if proof.holds:
            # Else the next run has to know what to look for.
            remove_entry(work.place)
        pushed = push_forgotten(work, self.answer.remote) if self.answer.remote else None
        receipt = Receipt(
            ids=sorted(entry.ids),
            day=f"{work.clock.now():%Y-%m-%d}",
            is_repeated=self.known is not None,
            removed=+self.removed,
            mentions={} if redacts else look.mentions,
            shared={} if redacts else look.shared,
            also_said=look.also_said,
            names=sorted(names),
            redacts_mentions=redacts,
            elsewhere=elsewhere(work, pushed),
            proof=proof,
            commit=buried,
            pushed=pushed.refs if pushed else (),
        )
        return receipt, rewritten

    def _entry(self, look: Look, redacts: bool) -> ForgetEntry:
        """What has to be known if this is broken off, with what was known before."""
        gone = {(encode_path(path), blob) for path, blob in look.targets.files}
        surviving = {blob for path, blob in look.history.shielding if (path, blob) not in gone}
        known = self.known
        return ForgetEntry(
            self.wanted,
            tuple(dict.fromkeys([*look.targets.ids.values(), *(known.ids if known else ())])),
            tuple(dict.fromkeys([*look.messages.sought.pieces, *(known.pieces if known else ())])),
            frozenset(look.targets.blobs - surviving) | (known.blobs if known else frozenset()),
            redacts,
            frozenset(look.names) | (known.names if known else frozenset()),
        )

    def _rewrite(self, look: Look, preset: Mapping[str, str | None] | None) -> tuple[Rewritten, str | None]:
        """Writes the new history and lets every ref name it; the commit with the tombstones."""
        work, repository = self.work, self.work.place.repository
        sign = signer(work)
        with _writing(repository, is_signed=sign is not None) as objects:
            rewritten = rewrite(
                repository, look, objects, sign, preset,
                lambda done, total: work.progress("rewriting history", done, total),
            )  # fmt: skip
        refresh(repository.raw)
        point("forget.written")
        self._count(look, rewritten)
        moves = {move.ref.name: move for move in rewritten.moves}
        main = f"refs/heads/{work.place.main}"
        old = repository.local_tip(work.place.main)
        base = moves[main].new if main in moves else work.place.tip(work.place.main)
        keep_old_tips(work.place, rewritten)
        buried = None if self.is_heal else bury(work, look, rewritten, base)
        if buried is not None or main in moves:
            self._publish(work.place.main, old, buried or base)
        point("forget.main-moved")
        for move in rewritten.moves:
            branch = move.ref.branch
            if branch is not None and branch != work.place.main:
                self._publish(branch, move.ref.target, move.new)
                point("forget.branch-moved")
        move_refs(repository, [move for move in rewritten.moves if move.ref.branch is None])
        point("forget.refs-moved")
        return rewritten, buried

    def _publish(self, branch: str, old: str | None, new: str | None) -> None:
        assert new is not None, "a branch always has something to stand at"
        repository = self.work.place.repository
        changes = [
            FileChange(each.path, each.old.oid if each.old else None, each.new.oid if each.new else None)
            for each in repository.diff_trees(old, new)
        ]
        publish(
            repository, branch, expected=old, commit=new, changes=changes, label="forget",
            now=self.work.clock.now(),
        )  # fmt: skip

    def _clean(self, look: Look, rewritten: Rewritten, entry: ForgetEntry) -> None:
        work, repository = self.work, self.work.place.repository
        clean_worktrees(work, look, entry.blobs, self.removed)
        point("forget.worktrees-cleaned")
        redacted = Sought(entry.pieces).redacted
        self.removed["lines of logs"] += rewrite_logs(repository, rewritten.commits, redacted)
        keep_fork(work.place, rewritten.commits)
        git_dirs = [repository.common_dir, *(tree.git_dir for tree in repository.worktrees())]
        self.removed["files of git"] += len(rewrite_heads(list(dict.fromkeys(git_dirs)), rewritten.commits))
        point("forget.logs-rewritten")
        clean_derived(work, look, entry.blobs, self.removed)
        point("forget.derived-removed")
        sought = Sought(entry.pieces)
        gone = [bytes.fromhex(blob) for blob in entry.blobs]

        def keep(oid: str, data: bytes) -> bool:
            is_old = oid in rewritten.commits or oid in entry.blobs
            return not (is_old or sought.found_in(data) or any(blob in data for blob in gone))

        purge(repository, since=self.began, keep=keep)
        point("forget.purged")

    def _count(self, look: Look, rewritten: Rewritten) -> None:
        versions = {blob for each in look.targets.versions.values() for _, blob in each}
        self.removed["versions"] += len(versions)
        self.removed["attachments"] += len({blob for _, blob in look.targets.attachments})
        self.removed["leftover files reworded"] += look.leftovers
        self.removed["commits rewritten"] += rewritten.counts.rewritten
        self.removed["commits dropped"] += rewritten.counts.dropped
        self.removed["signatures that fell away"] += rewritten.counts.signatures
        self.removed["signatures made again"] += rewritten.counts.signed
        for kind, count in rewritten.refs.items():
            self.removed[f"{kind} moved"] += count


@contextmanager
def _writing(repository: Repository, *, is_signed: bool) -> Iterator[ObjectWriter]:
    """Where new objects go: git has to see what it signs, else one pack holds all."""
    if is_signed:
        yield LooseObjects(repository)
        return
    try:
        with PackWriter(repository.common_dir / "objects" / "pack") as pack:
            yield pack
    except OSError as error:
        raise OutsideFailure(f"cannot write to the object database: {error}") from error
