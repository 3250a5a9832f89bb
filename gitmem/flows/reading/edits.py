"""What a person changed in the worktree and did not commit yet: found, marked, and left alone."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import Damaged, NotFound, OutsideFailure
from gitmem.flows.reading.sight import Edit, SeenWorktree, Sight
from gitmem.flows.work import Work
from gitmem.git.beneath import link_on_the_way, open_regular, read_regular
from gitmem.model.ids import BlobId, id_key
from gitmem.model.reading import MAX_MEMORY_BYTES, read_memory

if TYPE_CHECKING:
    pass

CHEAP_FILES = 5_000
"""Up to this many files in git's index, every read looks at the worktree: about 4 ms for each 1,000."""
MOST_FILES = 4 * CHEAP_FILES
"""The same for the files of the commit, which can be many more than those checked out."""
TIPS_LOOKED_AT = 20
_UNMERGED = frozenset({"DD", "AU", "UD", "UA", "DU", "AA", "UU"})


def is_cheap_to_look(work: Work) -> bool:
    """Whether worktree and commit are small enough to be compared by every read."""
    index = work.place.repository.git_dir / "index"
    try:
        with os.fdopen(open_regular(index), "rb") as file:
            head = file.read(12)
            if int.from_bytes(head[8:12], "big") > CHEAP_FILES:
                return False
            rest = file.read()
    except OSError:
        return True
    repository, commit = work.place.repository, work.snapshot().commit
    # Git would compare all of a commit, whatever is checked out. Nearly always that is the tree of the index.
    try:
        if commit is None or bytes.fromhex(repository.commit(commit).tree) in rest:
            return True
    except (Damaged, NotFound):
        # Whoever reads the memories says what is wrong.
        return True
    return next(islice(repository.walk(commit), MOST_FILES, None), None) is None


def look(work: Work) -> Sight:
    """What a read of `work` should show of the worktree."""
    sight = _look(work.whole)
    return replace(sight, edits=_seen(work, sight.edits)) if sight.edits else sight


def _seen(work: Work, edits: Sequence[Edit]) -> list[Edit]:
    """Those of `edits` that whoever acts may read, as they are and as the branch has them."""
    veil, commit = work.place.veil, work.snapshot().commit
    if veil is None:
        return list(edits)
    seen = []
    for edit in edits:
        there = veil.whole.entry(commit, edit.path) if commit else None
        was_hidden = there is not None and veil.hides(edit.path, there.oid, at=commit)
        is_hidden = edit.memory is not None and veil.hides_memory(edit.memory)
        if not (was_hidden or is_hidden or id_key(edit.id) in veil.hidden_ids):
            seen.append(edit)
    return seen


def _look(work: Work) -> Sight:
    if work.is_past or not work.shows_edits or _worktree(work) is None or not _is_checked_out(work):
        return Sight()
    if not is_cheap_to_look(work):
        return Sight(notes=("this shows what is committed; edits in the worktree were not looked at",))
    now = _seen_now(work)
    if now is not None:
        if not now.state.changed:
            return Sight()
        before = work.kept.worktree
        if before is not None and now.is_same(before):
            return before.sight
    try:
        found = _uncommitted(work)
    except OutsideFailure as error:
        return Sight(notes=(f"edits in the worktree could not be looked at: {error.message}",))
    notes = ("files with a git filter were not looked at in the worktree",) if found.has_filtered else ()
    sight = Sight([edit for edit in found.edits if not _was_committed(work, edit)], notes)
    if now is not None and found.is_whole and now.state.is_settled and now.is_same(_seen_now(work)):
        work.kept.worktree = replace(now, sight=sight)
    return sight


def _seen_now(work: Work) -> SeenWorktree | None:
    """What libgit2 sees just now; None where only git can tell."""
    commit = work.snapshot().commit
    from gitmem.git.worktree_state import look_quickly

    state = look_quickly(work.place.repository, work.place.config.is_memory_path)
    return None if state is None else SeenWorktree(commit, state)


def _was_committed(work: Work, edit: Edit) -> bool:
    """Whether the file is as an earlier tip of the branch had it: git moved the branch, nobody edited."""
    if edit.memory is None:
        return False
    from gitmem.git.reflog import recent_tips

    repository = work.place.repository
    for tip in recent_tips(repository, work.branch, TIPS_LOOKED_AT):
        try:
            entry = repository.entry(tip, edit.path)
        except (NotFound, Damaged):
            continue
        if entry is not None and entry.oid == edit.memory.blob:
            return True
    return False


def uncommitted(work: Work) -> list[Edit]:
    """The memory files of the worktree that differ from its head, staged or not, merged ones only."""
    return _seen(work, _uncommitted(work.whole).edits)


class _Found(Struct, frozen=True):
    """The edits, and whether there are files whose edits only a filter program could tell.

    It is not `is_whole` where what a file was before cannot be read.
    """

    edits: list[Edit]
    has_filtered: bool = False
    is_whole: bool = True


def _uncommitted(work: Work) -> _Found:
    top = _worktree(work)
    if top is None:
        return _Found([])
    from gitmem.git.worktree_state import changed_by_git

    repository = work.place.repository
    changed = [
        path
        for code, path in changed_by_git(repository)
        if code not in _UNMERGED and work.place.config.is_memory_path(path)
    ]
    plain = [path for path in changed if repository.filter_of(path) is None]
    edits, is_whole = [], True
    for path in plain:
        try:
            edit = _edit(work, top, path)
        except Damaged:
            # What it was cannot be said; a reading of the memory itself names the damage.
            is_whole = False
        else:
            edits += [] if edit is None else [edit]
    return _Found(edits, has_filtered=len(plain) < len(changed), is_whole=is_whole)


def _is_checked_out(work: Work) -> bool:
    """Whether git ever put files here; after `git clone --no-checkout` all of them would look removed."""
    return (work.place.repository.git_dir / "index").exists()


def _worktree(work: Work) -> Path | None:
    repository = work.place.repository
    return repository.worktree if repository.head_branch() == work.branch else None


def _edit(work: Work, top: Path, path: str) -> Edit | None:
    """The edit of the file at `path`; None where it is none. Raises `Damaged`."""
    if link_on_the_way(top, path):
        return None
    snapshot = work.snapshot()
    before = snapshot.memory(path)
    try:
        data = read_regular(top / path, max_bytes=MAX_MEMORY_BYTES + 1)
    except PermissionError:
        work.notice(f"{path} may not be read by this user in the worktree, so an edit of it is not shown")
        return None
    except OSError:
        data = None
    encoding = work.place.repository.attribute(path, "working-tree-encoding")
    if data is not None and isinstance(encoding, str) and encoding:
        from gitmem.git.conversion import in_utf8

        data = in_utf8(data, encoding)
        if data is None:
            work.notice(f"{path}: the edit in the worktree is not in {encoding}, so it is not shown")
            return None
    if data is None:
        return Edit(path, "removed", before.id, before.title) if before else None
    memory = read_memory(path, BlobId(work.place.repository.blob_id_of(data)), data)
    if before is not None and before.blob == memory.blob:
        return None
    return Edit(path, "changed" if before else "added", memory.id, memory.title, memory)
