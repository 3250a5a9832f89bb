"""check --base: what is wrong with a change, from where it left a branch to its last commit.

Only what the change touches is read, and of the rest what the index says is close to it.

    judged by       the config that the base has, so that a change cannot loosen what judges it
    what is known   main as it is now with the change applied, and the other branches of the store
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.errors import Damaged, NotFound
from gitmem.evolve.claims import Reading
from gitmem.flows.check import Checked, finished
from gitmem.flows.checks.dates import date_findings
from gitmem.flows.checks.known import IndexedKnown, reading_of
from gitmem.flows.checks.private import private_findings
from gitmem.flows.forgetting.forgotten import checker_of, forgotten_findings
from gitmem.flows.moving.handover import handed_over, is_renamed
from gitmem.flows.reading.anchor_look import AnchorLook, anchor_findings
from gitmem.flows.screening.rules import Screening
from gitmem.flows.work import Work
from gitmem.git.ancestry import merge_bases
from gitmem.git.modes import REGULAR_MODES
from gitmem.git.refs import remote_names
from gitmem.git.repository import PathChange
from gitmem.model.ids import BlobId, CommitId, id_key
from gitmem.model.place import name_key, owner_of
from gitmem.review.examine import broken_wiki_links, findings_beside, findings_in_text
from gitmem.versions.attachments import MAX_TEXT_BYTES
from gitmem.versions.audit import Finding, broken_links_of, filtered, findings_in, findings_of_entry
from gitmem.versions.config import ATTRIBUTES_PATH
from gitmem.versions.place import config_at
from gitmem.versions.snapshot import Snapshot

POLICY_FOLDER = ".gitmem"


class Change(Struct):
    """What differs between two commits: every path, and the memories before and after, by path."""

    paths: Sequence[PathChange]
    old: dict[str, Reading] = field(default_factory=dict)
    new: dict[str, Reading] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    """What could not be read."""

    @property
    def gone(self) -> list[str]:
        """The paths at which a memory stood and none does."""
        return [path for path in self.old if path not in self.new]


def check_change(work: Work, base: str) -> Checked:
    """Judges what changed from where `base` and the last commit meet. Raises `NotFound`, `StoreProblem`."""
    head = _head(work)
    tip = _tip(work, base)
    meeting = _meeting(work, base, tip, head)
    work = _judged_by(work, tip, base)
    snapshot = work.place.snapshot(head)
    change = _change(work, meeting, snapshot)
    findings = [*change.findings, *_of_paths(work, change, snapshot)]
    look = AnchorLook(work)
    screening, checker = Screening(work.place), checker_of(work.place)
    moved = {change.old[path].memory.id: change.old[path] for path in change.gone}
    with ExitStack() as stack:
        known = IndexedKnown(work, stack, list(change.new.values()), change.gone)
        for reading in change.new.values():
            findings += anchor_findings(look, reading.memory)
            findings += _of_memory(work, reading, known)
            findings += forgotten_findings(checker, reading.memory)
            findings += _duplicates(reading, change, known, snapshot)
            memory = reading.memory
            before = change.old.get(memory.path) or moved.get(memory.id)
            old = before.memory.blob if before else None
            findings += private_findings(screening, memory.path, memory.blob, old, is_memory=True)
        findings += handed_over(change.old, change.new, known)
        findings += _deleted(change, known)
    look.close()
    ids = {path: reading.memory.id for side in (change.old, change.new) for path, reading in side.items()}
    settings = work.place.config.check
    return Checked(head, len({*change.old, *change.new}), finished(findings, settings, ids), meeting)


def _head(work: Work) -> CommitId:
    """The last commit of the change: that of a handle on a branch or the past, else what is checked out."""
    repository = work.place.repository
    if work.is_past or work.branch != work.place.main:
        commit: str | None = work.snapshot().commit
    else:
        commit = repository.head_commit() or work.place.tip(work.branch)
    if commit is None:
        raise NotFound("there is no commit yet, so there is no change to check", name="HEAD")
    return CommitId(commit)


def _tip(work: Work, base: str) -> CommitId:
    """What `base` names; a branch that only a remote has is found by its name too, as in a fresh clone."""
    try:
        return work.place.commit_named(base)
    except NotFound:
        for remote in remote_names(work.place.repository.raw):
            with suppress(NotFound):
                return work.place.commit_named(f"refs/remotes/{remote}/{base}")
        raise


def _meeting(work: Work, base: str, tip: CommitId, head: CommitId) -> CommitId:
    found = merge_bases(work.place.repository, tip, head)
    if not found:
        hint = (
            "fetch the whole history: 'git fetch --unshallow'" if work.place.repository.is_shallow() else None
        )
        raise NotFound(f"{base} and the commit {head[:10]} share no history here", name=base, hint=hint)
    return CommitId(found[0])


def _judged_by(work: Work, tip: CommitId, base: str) -> Work:
    """`work` on main with the config that the commit `tip` has; where it has none, that of main stays."""
    config = config_at(work.place.repository, tip, base)
    place = work.place if config is None else replace(work.place, config=config)
    return replace(work, place=place, branch=place.main, commit=None, moment=None)


def _change(work: Work, meeting: CommitId, snapshot: Snapshot) -> Change:
    assert snapshot.commit is not None, "the last commit of the change"
    change = Change(work.place.repository.diff_trees(meeting, snapshot.commit))
    for each in change.paths:
        if not snapshot.is_memory_path(each.path):
            continue
        for entry, side in ((each.old, change.old), (each.new, change.new)):
            if entry is None or entry.mode not in REGULAR_MODES:
                continue
            try:
                side[each.path] = reading_of(work, each.path, BlobId(entry.oid))
            except Damaged as error:
                change.findings.append(Finding("error", "damaged", each.path, error.message))
    return change


def _of_paths(work: Work, change: Change, snapshot: Snapshot) -> Iterator[Finding]:
    """What the paths tell, memories or not: policy, names, attachments, and how many there are."""
    settings = work.place.config.check
    screening = Screening(work.place)
    for each in change.paths:
        if _is_policy(each.path):
            yield Finding(
                "error", "policy-changed", each.path, "a change to the policy of the store needs a person"
            )
        if each.path == ATTRIBUTES_PATH:
            message = "a change to what git does with memories needs a person"
            yield Finding("warning", "policy-changed", each.path, message)
        if each.new is None:
            continue
        yield from findings_of_entry(each.new)
        yield from _twins(each.path, snapshot)
        if each.old == each.new or owner_of(each.path) is None or each.new.mode not in REGULAR_MODES:
            continue
        start = work.place.repository.read_start(each.new.oid, MAX_TEXT_BYTES)
        if b"\x00" not in start:
            yield from findings_in_text(
                each.path, start.decode("utf-8", "replace"), replace(settings, max_bytes=None)
            )
            old = each.old.oid if each.old and each.old.mode in REGULAR_MODES else None
            yield from private_findings(screening, each.path, each.new.oid, old, is_memory=False)
    count = len({*change.old, *change.new})
    if settings.max_changes is not None and count > settings.max_changes:
        message = f"the change touches {count:,} memories; check.max_changes allows {settings.max_changes:,}"
        yield Finding("error", "size", ".", message)


def _is_policy(path: str) -> bool:
    return path.casefold() == POLICY_FOLDER or path.casefold().startswith(POLICY_FOLDER + "/")


def _twins(path: str, snapshot: Snapshot) -> Iterator[Finding]:
    """Another name in the same folder that some systems take for this one."""
    folder, _, name = path.rpartition("/")
    for other in snapshot.listing(folder):
        twin = other.decode("utf-8", "surrogateescape")
        if twin != name and name_key(twin) == name_key(name):
            place = f"{folder}/{twin}" if folder else twin
            yield Finding("warning", "name", path, f"some systems take its name for that of {place}")


def _of_memory(work: Work, reading: Reading, known: IndexedKnown) -> Iterator[Finding]:
    memory = reading.memory
    yield from findings_in(memory)
    yield from date_findings(memory)
    yield from filtered(work.place.repository, [memory])
    yield from broken_links_of(memory, known.has_id, known.has)
    yield from broken_wiki_links(memory.path, reading.text, known.has)
    yield from findings_in_text(memory.path, reading.text, work.place.config.check)
    yield from findings_beside(reading, known.near(reading))


def _duplicates(
    reading: Reading, change: Change, known: IndexedKnown, snapshot: Snapshot
) -> Iterator[Finding]:
    """Another file with this id: one of the change, or one of main that the change did not start from."""
    memory = reading.memory
    before = change.old.get(memory.path)
    had_it = before is not None and id_key(before.memory.id) == id_key(memory.id)
    for record in known.with_id(memory.id):
        is_there = snapshot.occupied(record.path)
        if record.path != memory.path and (is_there or not had_it):
            yield Finding(
                "error", "duplicate-id", memory.path, f"id {memory.id} is also that of {record.path}"
            )
            return


def _deleted(change: Change, known: IndexedKnown) -> Iterator[Finding]:
    """Memories that are on no branch any more, and the links of others that lead to them."""
    for path in change.gone:
        memory = change.old[path].memory
        if known.has_id(memory.id) or is_renamed(change.old[path], change.old, change.new):
            continue
        message = f"{memory.id} is deleted, and stands on no other branch of the store"
        yield Finding("error", "deleted", path, message, id=memory.id)
        for record in known.linking_to(memory.id):
            if record.path not in change.new:
                yield Finding(
                    "warning",
                    "broken-link",
                    record.path,
                    f"links to {memory.id}, which the change deletes",
                    id=record.id,
                )
