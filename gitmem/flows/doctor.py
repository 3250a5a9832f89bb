"""doctor: what an accident left behind in the store, and with `--fix` the mending of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from gitmem.clock import Clock
from gitmem.errors import Damaged, GitmemError
from gitmem.flows.accept import finish_acceptances
from gitmem.flows.doctoring.ailment import Ailment
from gitmem.flows.doctoring.doubles import examine_doubles
from gitmem.flows.doctoring.git import examine_refs
from gitmem.flows.doctoring.gone_archive import examine_gone_archive
from gitmem.flows.doctoring.setup import examine_driver, examine_hooks, examine_private_folder
from gitmem.flows.doctoring.worktree import examine_git_index, examine_leftovers, examine_locks
from gitmem.flows.merging.mend import broken_by_merges, mend
from gitmem.flows.moving.carry import finish_moves, unfinished_moves
from gitmem.flows.proposals.acceptance import broken_off
from gitmem.flows.reading.indexed import index_of
from gitmem.flows.reading.uses import why_not_counted
from gitmem.flows.work import Work
from gitmem.flows.working.crossing import finish_crossings, unfinished_crossings
from gitmem.git.beneath import read_below
from gitmem.git.recover import pending_entries, recover
from gitmem.git.repository import Repository
from gitmem.platform import make_private_directory
from gitmem.versions.audit import audit
from gitmem.versions.place import place_of, repository_of_store

__all__ = ["Ailment", "diagnose", "doctor"]

BY_A_PERSON = {
    "header": "mend the header by hand, then 'gitmem commit'; until then it is found by its text",
    "encoding": "save it as UTF-8, then 'gitmem commit'",
    "binary": "take it out, or attach it to a memory: it holds NUL bytes",
    "too-large": "split it, or attach it to a memory",
    "conflict-marker": "keep what is right of the two sides, then 'gitmem commit'",
    "duplicate-id": "take the line 'id:' out of one of the two, then 'gitmem commit'",
}
"""What a person does about the errors of `check` that only a person can mend, by their codes."""


def diagnose(folder: Path, *, fix: bool, clock: Clock, dead: Collection[str] = ()) -> Sequence[Ailment]:
    """What `doctor` finds in the store at `folder`, also where an accident left no store that can be opened.

    The processes of the writes in `dead` are declared to have ended, by somebody who knows.
    """
    repository = repository_of_store(folder)
    found = examine_private_folder(repository, fix=fix)
    if any(not ailment.is_fixed for ailment in found):
        return found
    found += examine_refs(repository, fix=fix)
    try:
        place = place_of(Repository.discover(repository.worktree or repository.git_dir))
    except Damaged as error:
        if any(not ailment.is_fixed for ailment in found):
            return found
        return [*found, Ailment("store", error.message, hint=error.hint)]
    if fix:
        found += [Ailment("write", said, True) for said in recover(place.repository, declared_dead=dead)]
    more = doctor(Work(place, place.main, clock=clock), fix=fix)
    return [*found, *(each for each in more if not any(each.message in known.message for known in found))]


def doctor(work: Work, *, fix: bool) -> Sequence[Ailment]:
    """Looks at the store's machinery; mends what can be mended where `fix` is set, else changes nothing."""
    found = examine_private_folder(work.place.repository, fix=fix)
    if any(not ailment.is_fixed for ailment in found):
        return found
    for examine in EXAMINATIONS:
        try:
            found += examine(work, fix)
        except Damaged as error:
            hint = error.hint or "fetch it from a clone, or restore it from a backup"
            ailment = Ailment("object", error.message, hint=hint)
            found += [] if ailment in found else [ailment]
        except GitmemError as error:
            found.append(Ailment("mending", f"not mended: {error.message}", hint=error.hint))
    return found


def _writes(work: Work, fix: bool) -> Iterator[Ailment]:
    if fix:
        for said in recover(work.place.repository):
            yield Ailment("write", said, True)
    for entry in pending_entries(work.place.repository):
        message = f"the write {entry.operation} on {entry.branch} is not finished: {entry.label}"
        if entry.is_pending:
            hint = "--fix finishes it"
            if fix:
                hint = "its commit is there; git's index or a file cannot be written yet"
                locks = [lock for _, at in entry.worktrees if (lock := Path(at) / "index.lock").exists()]
                hint += f"; if no git command is running, remove {locks[0]}" if locks else ""
        elif not entry.is_here:
            hint = (
                f"it was begun on another machine ({entry.host}, process {entry.pid}); if that is over: "
                f"'gitmem doctor --fix --dead {entry.operation}'"
            )
        elif entry.is_dead:
            hint = "--fix finishes it or takes it back"
        else:
            hint = f"process {entry.pid} is at it"
        yield Ailment("write", message, hint=hint)


def _moves(work: Work, fix: bool) -> list[Ailment]:
    if fix:
        return [Ailment("move", sentence, True) for sentence in finish_moves(work)]
    return [
        Ailment(
            "move", f"the {intent.operation} {intent.operation_id} was interrupted", hint="--fix finishes it"
        )
        for intent in unfinished_moves(work)
    ]


def _acceptances(work: Work, fix: bool) -> list[Ailment]:
    if fix:
        return [Ailment("acceptance", sentence, True) for sentence in finish_acceptances(work)]
    return [
        Ailment("acceptance", f"the acceptance of {each.name} was interrupted", hint="--fix finishes it")
        for each in broken_off(work)
    ]


def _crossings(work: Work, fix: bool) -> list[Ailment]:
    if fix:
        return [Ailment("crossing", sentence, True) for sentence in finish_crossings(work)]
    return [
        Ailment("crossing", f"{each.operation}: {each.subject}: was interrupted", hint="--fix finishes it")
        for each in unfinished_crossings(work)
    ]


def _merges(work: Work, fix: bool) -> list[Ailment]:
    """Memories that a merge by line broke: merged anew, by meaning."""
    broken = broken_by_merges(work, work.snapshot())
    if broken and fix:
        mend(work, broken)
    hint = None if fix else "--fix merges it by meaning"
    return [Ailment("merge", each.message, fix, hint) for each in broken]


def _objects(work: Work, fix: bool) -> list[Ailment]:
    """Memories whose object cannot be read; an intact file in the worktree brings it back."""
    snapshot, repository = work.snapshot(), work.place.repository
    found: list[Ailment] = []
    for path, blob in snapshot.files():
        try:
            repository.read_blob(blob)
            continue
        except Damaged as error:
            message, remedy = error.message, error.hint
        file = repository.worktree / path if repository.worktree else Path(path)
        data = read_below(repository.worktree, path) if repository.worktree else None
        if data is None or repository.blob_id_of(data) != blob:
            hint = remedy or "fetch it from a clone, or restore the object from a backup"
            found.append(Ailment("object", f"{path}: {message}", hint=hint))
        elif not fix:
            hint = f"--fix restores it from the file {file}, which is intact"
            found.append(Ailment("object", f"{path}: {message}", hint=hint))
        else:
            _bring_back(work, blob, data)
            found.append(Ailment("object", f"{path}: object {blob[:10]} brought back from {file}", True))
    if snapshot.commit and any(ailment.is_fixed for ailment in found):
        index_of(work).rebuild(snapshot.commit)
    return found


def _bring_back(work: Work, blob: str, data: bytes) -> None:
    """Writes the object anew; the broken file is kept aside, not deleted."""
    loose = work.place.repository.common_dir / "objects" / blob[:2] / blob[2:]
    if loose.exists():
        aside = work.place.home / "aside"
        make_private_directory(aside)
        loose.replace(aside / blob)
    Repository.discover(work.place.repository.git_dir).write_blob(data)


def _memories(work: Work, _fix: bool) -> Iterator[Ailment]:
    """What only a person can mend; `check` lists it too."""
    snapshot = work.snapshot()
    by_doctor = {each.path for each in broken_by_merges(work, snapshot)}
    for finding in audit(work.place.repository, snapshot):
        if finding.code in BY_A_PERSON and finding.path not in by_doctor:
            line = f":{finding.line}" if finding.line else ""
            yield Ailment(
                finding.code, f"{finding.path}{line}: {finding.message}", hint=BY_A_PERSON[finding.code]
            )


def _index(work: Work, fix: bool) -> Iterator[Ailment]:
    """An index that is behind is none: every read brings it up to date. One that is damaged is."""
    branches = [work.branch, *work.place.config.branches.values()]
    for branch in dict.fromkeys(branch for branch in branches if work.place.tip(branch)):
        on = work.on(branch)
        index = index_of(on)
        reason = index.why_damaged()
        if reason is None:
            continue
        message = f"the search index of {branch} is damaged: {reason}"
        if not fix:
            yield Ailment("index", message, hint="--fix builds it anew, as the next recall may")
            continue
        commit = on.snapshot().commit
        assert commit is not None, "the branch has a tip"
        try:
            index.rebuild(commit)
        except (OSError, GitmemError) as error:
            yield Ailment("index", message, hint=f"it cannot be built anew: {error}")
        else:
            yield Ailment("index", f"{message}; built anew", True)


def _usage(work: Work, _fix: bool) -> list[Ailment]:
    """Uses that cannot be counted; recall does without and says nothing."""
    reason = why_not_counted(work)
    hint = "make it writable, or 'git config gitmem.usage false' to do without"
    return [Ailment("usage", f"uses are not counted: {reason}", hint=hint)] if reason else []


EXAMINATIONS: tuple[Callable[[Work, bool], Iterator[Ailment] | list[Ailment]], ...] = (
    _writes,
    _moves,
    _acceptances,
    _crossings,
    examine_gone_archive,
    _merges,
    examine_doubles,
    _objects,
    _memories,
    examine_git_index,
    examine_locks,
    examine_leftovers,
    examine_hooks,
    examine_driver,
    _index,
    _usage,
)
