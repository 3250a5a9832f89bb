"""Anchors that are written: with the commit of the code repository that they are true at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.errors import BadInput, NotFound
from gitmem.flows.work import Work
from gitmem.git.modes import REGULAR_MODES, TREE_MODE
from gitmem.git.repository import Repository, TreeEntry
from gitmem.model.anchors import Anchor, parse_anchor
from gitmem.model.symbols import definition_of
from gitmem.versions.code import Code, find_code

NO_CODE = "no code repository is known"
NO_CODE_HINT = (
    "set repository under [anchors] in .gitmem/config.toml, or 'git config gitmem.codeRepository DIR'"
)


class Noted(Struct, frozen=True):
    """Anchors with the commit they are true at, and what is worth saying about them."""

    anchors: Sequence[str]
    notices: Sequence[str] = ()


def noted(work: Work, texts: Sequence[str]) -> Noted:
    """`texts` with the commit that the code repository is at, where they name none.

    Raises `BadInput` for what is no anchor, and for a file or commit that is not there.
    """
    anchors = [parse_anchor(text) for text in texts]
    if not any(anchor.url is None for anchor in anchors):
        return Noted([str(anchor) for anchor in anchors])
    code = find_code(work.place)
    if code is None:
        return Noted(
            list(dict.fromkeys(map(str, anchors))),
            [f"{NO_CODE}, so no commit is noted with the anchors; {NO_CODE_HINT}"],
        )
    notices: dict[str, None] = {}
    found = [str(_noted(code, anchor, notices)) for anchor in anchors]
    return Noted(list(dict.fromkeys(found)), list(notices))


def _noted(code: Code, anchor: Anchor, notices: dict[str, None]) -> Anchor:
    if anchor.url is not None:
        return anchor
    anchor = _with_named_commit(code, anchor)
    if anchor.commit is not None:
        return anchor
    path = anchor.path
    entry = code.repository.entry(code.commit, path)
    if entry is None and not _is_in_worktree(code.repository, path):
        hint = "write the path from the top of the code repository"
        raise BadInput(f"anchor: there is no {path} in {code.name}", field="anchor", hint=hint)
    if entry is not None and entry.mode not in (*REGULAR_MODES, TREE_MODE):
        raise BadInput(f"anchor: {path} is a link or a submodule, which is not followed", field="anchor")
    notices.update(dict.fromkeys(_notices(code, anchor, entry)))
    return anchor.at(code.commit)


def _notices(code: Code, anchor: Anchor, entry: TreeEntry | None) -> Iterator[str]:
    path = anchor.path
    if entry is None:
        yield f"{path} is not committed yet; the anchor counts from the commit that brings it"
    elif entry.mode in REGULAR_MODES:
        if not _is_as_committed(code.repository, path, entry.oid):
            yield f"{path} has an edit that is not committed; 'gitmem confirm' the memory when it is"
        if anchor.symbol and not _is_defined(code, anchor, entry.oid):
            yield f"no definition of {anchor.symbol} was found in {path}"


def _with_named_commit(code: Code, anchor: Anchor) -> Anchor:
    """The anchor with the commit that it names by id, tag or branch. Raises `BadInput` for an id of none."""
    text, found, revision = str(anchor).rpartition("@")
    is_a_name = anchor.symbol is None and code.repository.entry(code.commit, anchor.path) is not None
    if not found or (anchor.commit is None and is_a_name):
        return anchor
    try:
        return parse_anchor(text).at(code.repository.resolve_commit(revision))
    except (NotFound, BadInput) as error:
        if anchor.commit is None:
            return anchor
        raise BadInput(f"anchor: there is no commit {revision!r} in {code.name}", field="anchor") from error


def _is_in_worktree(repository: Repository, path: str) -> bool:
    """Whether a file or folder stands at `path`, no part of which is a link."""
    top = repository.worktree
    if top is None:
        return False
    parts = [top.joinpath(*Path(path).parts[: depth + 1]) for depth in range(len(Path(path).parts))]
    return not any(part.is_symlink() for part in parts) and parts[-1].exists()


def _is_as_committed(repository: Repository, path: str, oid: str) -> bool:
    """Whether the file in the worktree is the blob; yes where there is none to look at."""
    top = repository.worktree
    if top is None or not _is_in_worktree(repository, path):
        return True
    return repository.same_as_blob(top, path, oid)


def _is_defined(code: Code, anchor: Anchor, oid: str) -> bool:
    text = code.repository.read_blob(oid).decode("utf-8", "replace")
    return definition_of(text, anchor.symbol or "", anchor.path) is not None
