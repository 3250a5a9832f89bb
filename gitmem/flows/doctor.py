"""doctor: what an accident left behind in the store, and with `--fix` the mending of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gitmem.errors import Damaged, GitmemError
from gitmem.flows.apply import apply, new_operation_id
from gitmem.flows.carry import finish_moves, unfinished_moves
from gitmem.flows.check import doubled
from gitmem.flows.driver import install_driver, installed_driver
from gitmem.flows.hooks import HOOKS, install_hooks, installed_hooks
from gitmem.flows.mend import broken_by_merges, mend
from gitmem.flows.merge_archive import take_off_archive, was_text
from gitmem.flows.uses import why_not_counted
from gitmem.flows.work import Work
from gitmem.git.beneath import read_below
from gitmem.git.recover import pending_entries, recover
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.platform import make_private_directory
from gitmem.versions.attachments import attachments_of
from gitmem.versions.merge_values import KeptFromArchive
from gitmem.versions.snapshot import Snapshot

OLD_LOCK_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Ailment:
    """One thing that is not as it should be. `is_fixed` says that it is now; else `hint` says what to do."""

    code: str
    message: str
    is_fixed: bool = False
    hint: str | None = None


def doctor(work: Work, *, fix: bool) -> Sequence[Ailment]:
    """Looks at the store's machinery; mends what can be mended where `fix` is set."""
    found: list[Ailment] = []
    for examine in (_writes, _moves, _merges, _doubles, _objects, _locks, _hooks, _driver, _index, _usage):
        try:
            found += examine(work, fix)
        except Damaged as error:
            hint = "fetch it from a clone, or restore it from a backup"
            ailment = Ailment("object", error.message, hint=hint)
            found += [] if ailment in found else [ailment]
    return found


def _writes(work: Work, fix: bool) -> list[Ailment]:
    done = [Ailment("write", said, True) for said in recover(work.place.repository)] if fix else []
    return done + [
        Ailment(
            "write",
            f"the write {entry.operation} on {entry.branch} is not finished",
            hint="another process or machine may still be at it",
        )
        for entry in pending_entries(work.place.repository)
    ]


def _moves(work: Work, fix: bool) -> list[Ailment]:
    if fix:
        return [Ailment("move", sentence, True) for sentence in finish_moves(work)]
    return [
        Ailment(
            "move", f"the {intent.operation} {intent.operation_id} was interrupted", hint="--fix finishes it"
        )
        for intent in unfinished_moves(work)
    ]


def _merges(work: Work, fix: bool) -> list[Ailment]:
    """Memories that a merge by line broke: merged anew, by meaning."""
    broken = broken_by_merges(work, work.snapshot())
    if broken and fix:
        mend(work, broken)
    hint = None if fix else "--fix merges it by meaning"
    return [Ailment("merge", each.message, fix, hint) for each in broken]


def _doubles(work: Work, fix: bool) -> list[Ailment]:
    """Memories on main and archive: equal ones leave main, older ones archive; a person settles the rest."""
    pairs = doubled(work)
    equal = [here for here, there in pairs if here.blob == there.blob]
    older = [
        (here, there) for here, there in pairs if here.blob != there.blob and was_text(work, here, there)
    ]
    found = [
        Ailment(
            "doubled",
            f"{here.path} stands on {work.branch} and, with another text, on archive",
            hint=f"keep one: 'gitmem show {here.id}' and 'gitmem show {there.path} --branch archive'",
        )
        for here, there in pairs
        if here.blob != there.blob and (here, there) not in older
    ]
    found += [
        Ailment(
            "doubled",
            f"{here.path} was changed on {work.branch} and archived as it was before",
            fix,
            None if fix else "--fix takes the older text off archive",
        )
        for here, _ in older
    ]
    if fix and older:
        kept = [KeptFromArchive(here.id, there.path, (there.blob,)) for here, there in older]
        reason = Origin(reason="a newer text stands on " + work.branch)
        take_off_archive(work, kept, new_operation_id(work.clock), origin=reason)
    if not equal:
        return found
    message = f"{len(equal)} archived memories stand on {work.branch} too, as after a merge of the two"
    if not fix:
        return [*found, Ailment("doubled", message, hint=f"--fix takes them off {work.branch}")]
    paths = {memory.path for memory in equal}

    def plan(snapshot: Snapshot) -> Plan:
        writes = []
        for memory in equal:
            if snapshot.blob(memory.path) == memory.blob:
                files = [memory.path, *(path for path, _ in attachments_of(snapshot, memory.path))]
                writes += [FileWrite(path, blob, None) for path in files if (blob := snapshot.blob(path))]
        return Plan(
            operation="doctor",
            subject=f"take {len(paths)} archived memories off {work.branch}",
            writes=writes,
            memory_ids=[memory.id for memory in equal],
            origin=Origin(reason="they stand on archive"),
        )

    apply(work.place, work.branch, plan, clock=work.clock)
    return [*found, Ailment("doubled", message, True)]


def _objects(work: Work, fix: bool) -> list[Ailment]:
    """Memories whose object cannot be read; an intact file in the worktree brings it back."""
    snapshot, repository = work.snapshot(), work.place.repository
    found: list[Ailment] = []
    for path, blob in snapshot.files():
        try:
            repository.read_blob(blob)
            continue
        except Damaged as error:
            message = error.message
        file = repository.worktree / path if repository.worktree else Path(path)
        data = read_below(repository.worktree, path) if repository.worktree else None
        if data is None or repository.blob_id_of(data) != blob:
            hint = "fetch it from a clone, or restore the object from a backup"
            found.append(Ailment("object", f"{path}: {message}", hint=hint))
        elif not fix:
            hint = f"--fix restores it from the file {file}, which is intact"
            found.append(Ailment("object", f"{path}: {message}", hint=hint))
        else:
            _bring_back(work, blob, data)
            found.append(Ailment("object", f"{path}: object {blob[:10]} brought back from {file}", True))
    if snapshot.commit and any(ailment.is_fixed for ailment in found):
        work.index().rebuild(snapshot.commit)
    return found


def _bring_back(work: Work, blob: str, data: bytes) -> None:
    """Writes the object anew; the broken file is kept aside, not deleted."""
    loose = work.place.repository.common_dir / "objects" / blob[:2] / blob[2:]
    if loose.exists():
        aside = work.place.home / "aside"
        make_private_directory(aside)
        loose.replace(aside / blob)
    type(work.place.repository).discover(work.place.repository.git_dir).write_blob(data)


def _locks(work: Work, _fix: bool) -> list[Ailment]:
    """Lock files that nobody let go of for a minute. They are not ours to remove."""
    common = work.place.repository.common_dir
    names = [Path("index.lock"), Path("HEAD.lock"), Path("packed-refs.lock"), Path("config.lock")]
    names += [file.relative_to(common) for file in (common / "refs").rglob("*.lock")]
    found = []
    for name in names:
        try:
            age_seconds = time.time() - (common / name).stat().st_mtime
        except OSError:
            continue
        if age_seconds > OLD_LOCK_SECONDS:
            message = f"{common / name} is {age_seconds / 60:.0f} minutes old; gitmem cannot tell whose it is"
            found.append(Ailment("lock", message, hint="if no git is running, delete that file"))
    return found


def _hooks(work: Work, fix: bool) -> list[Ailment]:
    repository = work.place.repository
    hooks = installed_hooks(repository)
    missing = [name for name in HOOKS if name not in hooks.installed]
    if repository.is_bare or hooks.reason or not missing:
        return []
    if fix and not (report := install_hooks(repository)).reason:
        return [Ailment("hooks", f"hooks installed in {report.folder}", True)]
    hint = "--fix or 'gitmem init' installs them"
    return [Ailment("hooks", f"git hooks are not installed: {', '.join(missing)}", hint=hint)]


def _driver(work: Work, fix: bool) -> list[Ailment]:
    """Without the driver git merges memories by line, and may leave its markers in them."""
    repository = work.place.repository
    report = installed_driver(repository)
    if fix and not report.is_installed:
        report = install_driver(repository)
        if report.is_installed:
            return [Ailment("merge-driver", "the merge driver is set up", True)]
    if report.is_installed:
        return []
    hint = "--fix or 'gitmem init' sets it up"
    return [Ailment("merge-driver", f"the merge driver is not set up: {report.reason}", hint=hint)]


def _index(work: Work, _fix: bool) -> list[Ailment]:
    """An index that is behind is none: every read brings it up to date. One that cannot be is."""
    snapshot = work.snapshot()
    try:
        with work.index_view(snapshot):
            return []
    except (OSError, GitmemError) as error:
        return [Ailment("index", f"the search index cannot be brought up to date: {error}")]


def _usage(work: Work, _fix: bool) -> list[Ailment]:
    """Uses that cannot be counted; recall does without and says nothing."""
    reason = why_not_counted(work)
    hint = "make it writable, or 'git config gitmem.usage false' to do without"
    return [Ailment("usage", f"uses are not counted: {reason}", hint=hint)] if reason else []
