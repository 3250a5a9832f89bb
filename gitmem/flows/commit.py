"""commit: a person's edits in the worktree become versions, with the trailers that gitmem writes.

Plain `git commit` does as well; this adds who, in which session and why. It goes through git
itself, so that the person's hooks, filters and signing apply to their own edits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.errors import BadInput, NotFound, OutsideFailure, Refused
from gitmem.flows.forgetting.forgotten import refuse_forgotten_files
from gitmem.flows.reading.edits import uncommitted
from gitmem.flows.reading.find import get_memory, refuse_id_of_another
from gitmem.flows.reading.locked import refuse_plain
from gitmem.flows.reading.sight import Edit
from gitmem.flows.rights.acting import refuse_removal
from gitmem.flows.rights.apart import require_right
from gitmem.flows.screening.gate import screen_edits
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import new_operation_id
from gitmem.flows.writing.given import refuse_lone_texts
from gitmem.flows.writing.refusals import in_the_middle, refuse_during_rebase
from gitmem.flows.writing.said import said_of
from gitmem.git.beneath import read_below
from gitmem.git.commits import signing_failure, signs_commits
from gitmem.git.environment import run_git
from gitmem.git.identity import author_of, names_for_git
from gitmem.git.repository import Repository
from gitmem.git.trees import decode_path
from gitmem.git.unmerged import unmerged_paths
from gitmem.model.access import Act
from gitmem.model.change import FileWrite, Origin, Plan, commit_message
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory

COMMIT_SECONDS = 60.0
"""What a commit may take, with the person's own hooks and signature."""

# Names and message are handed over in UTF-8; by another setting git would say of them that they are not.
_IN_UTF8 = ("-c", "i18n.commitEncoding=UTF-8")


class Committed(Struct, frozen=True):
    """The edits that were taken in, and the commit; None where there were none."""

    commit: CommitId | None
    edits: Sequence[Edit]
    notices: tuple[str, ...] = ()


def commit_edits(work: Work, references: Sequence[str], *, origin: Origin) -> Committed:
    """Commits the hand edits of the memories named, or of all; everything else stays as it was.

    Raises `NotFound` where one that is named has no edit, `Refused` where main is not checked out
    here, git is in the middle of something, or an edit holds what the privacy rules keep out, and
    `Conflict` where a file waits to be merged.
    """
    repository = work.place.repository
    top = repository.worktree
    if top is None or repository.head_branch() != work.branch:
        raise Refused(
            f"{work.branch} is not checked out here, so there are no edits of it to commit",
            hint=f"'git checkout {work.branch}' first",
        )
    refuse_during_rebase(work.place, work.branch)
    if operation := repository.operation_in_progress():
        raise Refused(f"a {operation} is in progress", hint="finish it with git, then repeat the command")
    if unmerged := unmerged_paths(top):
        raise in_the_middle(decode_path(min(unmerged)), repository.git_dir, top)
    edits = chosen_edits(work, references)
    if not edits:
        return Committed(None, ())
    before = [work.snapshot().memory(edit.path) for edit in edits]
    refuse_plain(work.place, [edit.memory for edit in edits if edit.memory is not None])
    require_right(work.place, Act.WRITE, [*before, *(edit.memory for edit in edits)])
    gone = [edit.path for edit in edits if edit.memory is None]
    new = [edit.path for edit in edits if edit.kind == "added"]
    refuse_removal(work.place, work.identity, gone, new)
    subject = edits[0].title if len(edits) == 1 else f"{len(edits)} memories"
    plan = Plan("commit", subject, list(_writes(work, top, edits)), [edit.id for edit in edits], origin)
    screened = screen_edits(work.place, work.snapshot(), plan)
    message = commit_message(screened.plan, new_operation_id(work.clock))
    _commit(work, edits, message)
    tip = repository.local_tip(work.branch)
    if tip is None:
        raise OutsideFailure(f"git said it committed, but {work.branch} has no commit")
    return Committed(CommitId(tip), edits, (*screened.notices, *said_of(author_of(repository))))


def _writes(work: Work, top: Path, edits: Sequence[Edit]) -> Iterator[FileWrite]:
    """The edits as writes, to be judged; git makes the commit."""
    snapshot = work.snapshot()
    for edit in edits:
        data = read_below(top, edit.path) if edit.memory is not None else None
        if data is not None:
            yield FileWrite(edit.path, snapshot.blob(edit.path), data)


def _commit(work: Work, edits: Sequence[Edit], message: str) -> None:
    repository = work.place.repository
    top = repository.worktree
    assert top is not None, "checked by the caller"
    texts = ((edit.path, read_below(top, edit.path)) for edit in edits if edit.memory is not None)
    refuse_forgotten_files(work.place, ((path, data) for path, data in texts if data is not None))
    from_input = ["--pathspec-from-file=-", "--pathspec-file-nul"]
    untracked = _untracked(top, [edit.path for edit in edits if edit.memory is not None])
    if untracked:
        _add(repository, ["add", "--intent-to-add", *from_input], untracked)
    try:
        run_git(
            [*_IN_UTF8, "commit", "--quiet", "--only", "-m", message, *from_input],
            cwd=top,
            input=nul_separated([edit.path for edit in edits]),
            extra_env={"GIT_LITERAL_PATHSPECS": "1", **names_for_git(repository)},
            timeout_seconds=COMMIT_SECONDS,
            runs_hooks=True,
        )
    except OutsideFailure as error:
        if untracked:
            # They were not known to git before.
            run_git(
                ["update-index", "--force-remove", "-z", "--stdin"], cwd=top, input=nul_separated(untracked)
            )
        if signs_commits(repository) and "failed to write commit object" in error.message:
            raise signing_failure(repository, error) from error
        raise


def _add(repository: Repository, command: Sequence[str], paths: Sequence[str]) -> None:
    top = repository.worktree
    assert top is not None, "checked by the caller"
    try:
        run_git(command, cwd=top, input=nul_separated(paths), extra_env={"GIT_LITERAL_PATHSPECS": "1"})
    except OutsideFailure as error:
        if not repository.is_sparse():
            raise
        raise Refused(
            f"git takes in no file outside the sparse checkout, and one of these is: {', '.join(paths[:3])}",
            hint="'git sparse-checkout add FOLDER' widens it; or move the file",
        ) from error


def _untracked(top: Path, paths: Sequence[str]) -> list[str]:
    """Those of `paths` that are not in git's index."""
    listed = run_git(["ls-files", "-z"], cwd=top).split(b"\0") if paths else []
    known = {path.decode("utf-8", "surrogateescape") for path in listed}
    return [path for path in paths if path not in known]


def nul_separated(paths: Sequence[str]) -> bytes:
    """`paths` as git reads them from its standard input."""
    return "\0".join(paths).encode("utf-8", "surrogateescape")


def chosen_edits(work: Work, references: Sequence[str]) -> list[Edit]:
    """The hand edits of the memories named, or all. Raises `NotFound`, and `BadInput` for one without."""
    refuse_lone_texts(references=references)
    edits = uncommitted(work)
    if not references:
        return edits
    chosen: dict[str, Edit] = {}
    for reference in references:
        found = [edit for edit in edits if reference in (edit.path, edit.path.removesuffix(".md"), edit.id)]
        if any(reference not in (edit.path, edit.id) for edit in found):
            refuse_id_of_another(work, work.snapshot(), reference)
        if not found:
            memory = _memory(work, reference)
            if memory is None:
                hint = (
                    f"git ignores it; 'git add -f {reference}' takes it in"
                    if _is_ignored(work, reference)
                    else None
                )
                where = f"on {work.branch} or in the worktree"
                raise NotFound(f"no memory {reference!r} {where}", name=reference, hint=hint)
            found = [edit for edit in edits if edit.path == memory.path]
            if not found:
                raise BadInput(f"{memory.path} has no edit that is not committed", field="id")
        chosen.update({edit.path: edit for edit in found})
    return list(chosen.values())


def _is_ignored(work: Work, path: str) -> bool:
    top = work.place.repository.worktree
    if top is None or not (top / path).is_file():
        return False
    try:
        return bool(run_git(["check-ignore", "-z", "--stdin"], cwd=top, input=nul_separated([path])))
    except OutsideFailure:
        return False


def _memory(work: Work, reference: str) -> Memory | None:
    try:
        return get_memory(work, work.snapshot(), reference)
    except NotFound:
        return None
