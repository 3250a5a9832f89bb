"""History without what is to be forgotten: every ref and every logged commit gets what stands for it now."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct, field
from pygit2.enums import ObjectType

from gitmem.flows.forgetting.look import Look
from gitmem.flows.work import Work
from gitmem.git.commits import signed_again
from gitmem.git.history_walk import Ref, kind_of, logged_commits
from gitmem.git.notes import NoteTrees
from gitmem.git.packs import ObjectWriter
from gitmem.git.repository import Repository
from gitmem.git.rewrite import Counts, Rewriter, Sign
from gitmem.git.rewrite_trees import TreeRewriter
from gitmem.git.rewritten_refs import RefMove
from gitmem.git.signatures import verified
from gitmem.privacy.commit_names import CommitNames

NOTES = "refs/notes/"
STASH = "refs/stash"
_KINDS = {
    "refs/heads/": "branches",
    "refs/tags/": "tags",
    "refs/remotes/": "remote-tracking refs",
    NOTES: "notes",
}


class NoObjects:
    """Tells the ids that objects would have, and writes none."""

    def blob(self, data: bytes) -> str:
        return _id(b"blob", data)

    def tree(self, data: bytes, like: bytes = b"") -> str:  # noqa: ARG002
        return _id(b"tree", data)

    def commit(self, data: bytes) -> str:
        return _id(b"commit", data)

    def tag(self, data: bytes) -> str:
        return _id(b"tag", data)


def _id(kind: bytes, data: bytes) -> str:
    return hashlib.sha1(b"%b %d\0%b" % (kind, len(data), data), usedforsecurity=False).hexdigest()


class Rewritten(Struct):
    """A history made anew: what became of each commit, and where refs go.

    `telling` are the commits by which somebody is known who still has the old history.
    """

    commits: dict[str, str | None]
    moves: list[RefMove]
    counts: Counts
    telling: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    @property
    def refs(self) -> Counter[str]:
        """How many refs go elsewhere, by kind."""
        return Counter(kind_of_ref(move.ref) for move in self.moves)


def kind_of_ref(ref: Ref) -> str:
    """What a ref is, in words."""
    if ref.name == STASH:
        return "stashes"
    return next((kind for prefix, kind in _KINDS.items() if ref.name.startswith(prefix)), "other refs")


def rewrite(
    repository: Repository,
    look: Look,
    objects: ObjectWriter,
    sign: Sign | None = None,
    preset: Mapping[str, str | None] | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Rewritten:
    """Writes all that is new to `objects`; no ref moves. May be repeated, with the same outcome.

    `preset` has commits for which it is known what stands for them.
    """
    for data in look.texts.values():
        objects.blob(data)
    naming = CommitNames(look.history, look.read, look.is_memory, look.files, look.texts)
    trees = TreeRewriter(repository, objects, look.files, naming.paths)
    rewriter = Rewriter(
        repository, objects, trees, look.messages.reword, look.history.changes.keys(), sign, naming, progress
    )
    rewriter.commits.update(preset or {})
    mapping = _Mapping(repository, look, rewriter, trees)
    ordinary = [ref for ref in look.refs if not ref.name.startswith(NOTES)]
    moves = mapping.moves(ordinary)
    for oid in logged_commits(repository):
        if oid in look.history.changes:
            rewriter.commit(oid)
    noted = {**rewriter.commits, **dict.fromkeys(rewriter.dropped)}
    of_notes = NoteTrees(repository, objects, look.files, noted)
    notes = Rewriter(repository, objects, of_notes, look.messages.reword, (), sign)
    moves += _Mapping(repository, look, notes, of_notes).moves(set_of_notes(look.refs))
    telling = list(dict.fromkeys([*rewriter.first, *rewriter.dropped, *rewriter.reworded]))
    return Rewritten(_together(rewriter, notes), moves, rewriter.counts, telling, rewriter.dropped)


def _together(rewriter: Rewriter, notes: Rewriter) -> dict[str, str | None]:
    """What became of each commit. Those of notes, which logs name, were looked at as ordinary ones too."""
    return {**rewriter.commits, **notes.commits}


def set_of_notes(refs: Iterable[Ref]) -> list[Ref]:
    """The refs of notes."""
    return [ref for ref in refs if ref.name.startswith(NOTES)]


class _Mapping(Struct):
    """Where refs go."""

    repository: Repository
    look: Look
    rewriter: Rewriter
    trees: TreeRewriter

    def moves(self, refs: Iterable[Ref]) -> list[RefMove]:
        """The refs that do not stay where they are."""
        found = [(ref, self._target(ref.target)) for ref in refs]
        return [RefMove(ref, new) for ref, new in found if new != ref.target]

    def _target(self, oid: str) -> str | None:
        kind = kind_of(self.repository, oid)
        if kind == ObjectType.COMMIT:
            return self.rewriter.standing(oid)
        if kind == ObjectType.TAG:
            return self.rewriter.tag(oid, self._target)
        if kind == ObjectType.TREE:
            return self.trees.root(oid)
        if kind == ObjectType.BLOB:
            gone = oid in self.look.targets.blobs
            return None if gone else self.look.files.get(b"", {}).get(oid, oid)
        return oid


def signer(work: Work) -> Sign | None:
    """Signs again what was signed and could be verified, where the policy wants signed commits."""
    if not work.place.config.policy.require_signed:
        return None
    repository = work.place.repository

    def sign(oid: str, data: bytes) -> str | None:
        is_verified = verified(repository, [oid], lambda _done, _total: None)[oid]
        return signed_again(repository, data) if is_verified else None

    return sign
