"""History made anew without some files: all else stays as it is, byte for byte.

    tree      files are left out or replaced by path and blob; a folder that gets empty goes
    commit    tree, parents, and what its message names, are those of the new history; author, dates, encoding
              and further headers stay, but for signatures, which speak of the old bytes
    dropped   a commit that changes nothing any more, and did before: its children get its parent
    merge     stays one unless both parents became one commit
    tag       names the new object
What names nothing that changed keeps its id. A tree is made anew once for each place where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Protocol

from msgspec import Struct, field
from pygit2.enums import ObjectType

from gitmem.errors import Damaged
from gitmem.git.objects import read_raw, tree_id_of
from gitmem.git.packs import ObjectWriter
from gitmem.git.repository import Repository
from gitmem.git.rewrite_trees import TreeRewriter
from gitmem.git.trees import EMPTY_TREE

Reword = Callable[[str, bytes], bytes]
"""The message of a commit or tag, given its id and its message in UTF-8."""
Sign = Callable[[str, bytes], str | None]
"""The id of a new commit with a signature, given the old id and the new bytes without one; None for none."""


class Naming(Protocol):
    """Files that name commits, which are made anew when it is known what stands for those."""

    def needed(self, oid: str) -> Iterable[str]:
        """The commits that are named in what the commit `oid` brought."""

    def settle(self, oid: str, standing: Callable[[str], str | None], write: Callable[[bytes], str]) -> None:
        """Makes anew what the commit `oid` brought, before its trees are."""


FORGOTTEN = b"forgotten"
_OFTEN = 500
_ID = re.compile(rb"(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])")
_HEX = b"0123456789abcdef"
_HEX_AS_X = bytes(ord("x") if byte in _HEX else ord(" ") for byte in range(256))
_LONG_HEX = b"x" * 40
_SIGNATURES = (b"gpgsig", b"gpgsig-sha256", b"mergetag")
_TAG_SIGNATURE = re.compile(rb"^-----BEGIN (?:PGP|SSH|SIGNED)[^\n]*-----\n.*", re.DOTALL | re.MULTILINE)


class Headers(Struct):
    """A commit or tag taken apart: its header lines by name, in order, and the message."""

    lines: list[tuple[bytes, bytes]]
    message: bytes

    def first(self, name: bytes) -> bytes | None:
        return next((value for each, value in self.lines if each == name), None)

    def data(self) -> bytes:
        head = b"".join(b"%b %b\n" % (name, value.replace(b"\n", b"\n ")) for name, value in self.lines)
        return head + b"\n" + self.message


def parse_headers(data: bytes) -> Headers:
    """Takes a commit or tag apart; `data()` of it gives the same bytes."""
    head, _, message = data.partition(b"\n\n")
    if b"\n " not in head:
        return Headers([line.partition(b" ")[::2] for line in head.split(b"\n")], message)
    lines: list[tuple[bytes, bytes]] = []
    for line in head.split(b"\n"):
        if line.startswith(b" ") and lines:
            name, value = lines[-1]
            lines[-1] = (name, value + b"\n" + line[1:])
        else:
            name, _, value = line.partition(b" ")
            lines.append((name, value))
    return Headers(lines, message)


def ids_in(message: bytes) -> list[bytes]:
    """What looks like an id of an object in a message."""
    # Most messages have none, and that is told without a pattern.
    return _ID.findall(message) if _LONG_HEX in message.translate(_HEX_AS_X) else []


class Counts(Struct):
    """What a rewrite came to."""

    rewritten: int = 0
    dropped: int = 0
    signatures: int = 0
    signed: int = 0


class Rewriter(Struct):
    """Commits and tags made anew. `commits` has what became of each, None where nothing is left of it.

    `dropped` are those that are gone, `reworded` those whose message is another one, `first` those that
    changed though no parent did: whoever has one of these has the old history.
    """

    repo: Repository
    objects: ObjectWriter
    trees: TreeRewriter
    reword: Reword
    known: Collection[str]
    sign: Sign | None = None
    naming: Naming | None = None
    progress: Callable[[int, int], None] = lambda _done, _total: None
    commits: dict[str, str | None] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    dropped: list[str] = field(default_factory=list)
    reworded: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    _dropped: set[str] = field(default_factory=set)
    _trees: dict[str, str] = field(default_factory=dict)
    _made_trees: dict[str, str] = field(default_factory=dict)

    def commit(self, oid: str) -> str | None:
        """What became of the commit `oid`, and of all before it."""
        stack = [oid]
        opened: dict[str, tuple[Headers, list[str]]] = {}
        while stack:
            now = stack[-1]
            if now in self.commits:
                stack.pop()
                continue
            if now not in opened:
                headers = parse_headers(read_raw(self.repo.raw, now, ObjectType.COMMIT))
                opened[now] = headers, self._needed(now, headers)
            headers, named = opened[now]
            # A few digits may name a commit that comes after: that one cannot be waited for.
            needed = [each for each in named if each not in self.commits and each not in opened]
            if needed:
                stack += needed
                continue
            stack.pop()
            del opened[now]
            self.commits[now] = self._commit(now, headers)
            if len(self.commits) % _OFTEN == 0:
                self.progress(len(self.commits), len(self.known))
        return self.commits[oid]

    def standing(self, oid: str) -> str:
        """The commit that stands for `oid` where there has to be one: an empty one if nothing is left."""
        made = self.commit(oid)
        if made is None:
            headers = self._unsigned(parse_headers(read_raw(self.repo.raw, oid, ObjectType.COMMIT)))
            lines = [(b"tree", self.objects.tree(b"").encode("ascii"))]
            lines += [line for line in headers.lines if line[0] not in (b"tree", b"parent", b"encoding")]
            made = self.objects.commit(Headers(lines, FORGOTTEN + b"\n").data())
        return made

    def tag(self, oid: str, target: Callable[[str], str | None]) -> str | None:
        """The annotated tag `oid` for what became of its object; None where nothing is left of that."""
        headers = parse_headers(read_raw(self.repo.raw, oid, ObjectType.TAG))
        named = headers.first(b"object")
        if named is None:
            raise Damaged(f"object {oid} is a tag without an object")
        made = target(named.decode("ascii"))
        if made is None:
            return None
        message = self._message(oid, headers)
        if made.encode("ascii") == named and message == headers.message:
            return oid
        unsigned = _TAG_SIGNATURE.sub(b"", message)
        self.counts.signatures += unsigned != message
        new = made.encode("ascii")
        lines = [(name, new if name == b"object" else value) for name, value in headers.lines]
        return self.objects.tag(Headers(lines, unsigned).data())

    def _needed(self, oid: str, headers: Headers) -> list[str]:
        """The commits that this one names: its parents, those in its message, and in the files it brought."""
        parents = [value.decode("ascii") for name, value in headers.lines if name == b"parent"]
        named = [match.decode("ascii") for match in ids_in(headers.message)]
        in_files = self.naming.needed(oid) if self.naming is not None else ()
        return [*parents, *(each for each in named if each in self.known), *in_files]

    def _commit(self, oid: str, headers: Headers) -> str | None:
        tree = (headers.first(b"tree") or b"").decode("ascii")
        parents = [value.decode("ascii") for name, value in headers.lines if name == b"parent"]
        if self.naming is not None:
            self.naming.settle(oid, self._kept, self.objects.blob)
        made_tree = self.trees.root(tree)
        made_parents = list(dict.fromkeys(each for parent in parents if (each := self.commits[parent])))
        message = self._message(oid, headers)
        self._trees[oid], self._made_trees[oid] = tree, made_tree
        if self._is_emptied(tree, made_tree, parents, made_parents):
            self.dropped.append(oid)
            self._dropped.add(oid)
            self.counts.dropped += 1
            self._note_first(oid, parents)
            return made_parents[0] if made_parents else None
        if (made_tree, made_parents, message) == (tree, parents, headers.message):
            return oid
        if message != headers.message:
            self.reworded.append(oid)
        self._note_first(oid, parents)
        self.counts.rewritten += 1
        return self._write(oid, headers, made_tree, made_parents, message)

    def _note_first(self, oid: str, parents: list[str]) -> None:
        if all(self.commits[parent] == parent for parent in parents):
            self.first.append(oid)

    def _is_emptied(self, tree: str, made_tree: str, parents: list[str], made_parents: list[str]) -> bool:
        """Whether the commit changed something, and does not any more."""
        if len(made_parents) > 1:
            return False
        before = self._tree_of(parents[0]) if parents else EMPTY_TREE
        after = self._tree_of_made(made_parents[0], parents) if made_parents else EMPTY_TREE
        return made_tree == after and (tree != before or len(parents) > 1)

    def _tree_of(self, oid: str) -> str:
        return self._trees.get(oid) or tree_id_of(self.repo.raw, oid)

    def _tree_of_made(self, made: str, parents: list[str]) -> str:
        """The tree of a new parent, which may not be readable yet."""
        parent = next(each for each in parents if self.commits[each] == made)
        # What a dropped commit left behind is the tree of its parent.
        return self._made_trees.get(parent) or self._tree_of(made)

    def _write(self, oid: str, headers: Headers, tree: str, parents: list[str], message: bytes) -> str:
        unsigned = self._unsigned(headers)
        lines = [(b"tree", tree.encode("ascii"))]
        lines += [(b"parent", parent.encode("ascii")) for parent in parents]
        lines += [line for line in unsigned.lines if line[0] not in (b"tree", b"parent")]
        data = Headers(lines, message).data()
        is_signed = headers.first(b"gpgsig") is not None
        if is_signed and self.sign is not None and (made := self.sign(oid, data)) is not None:
            self.counts.signed += 1
            return made
        self.counts.signatures += is_signed
        return self.objects.commit(data)

    def _unsigned(self, headers: Headers) -> Headers:
        return Headers([line for line in headers.lines if line[0] not in _SIGNATURES], headers.message)

    def _message(self, oid: str, headers: Headers) -> bytes:
        """The message with what it names as it is now, in the encoding that it has."""
        encoding = (headers.first(b"encoding") or b"utf-8").decode("ascii", "replace")
        mapped = headers.message
        if ids_in(mapped):
            mapped = _ID.sub(
                lambda match: (self._made(match[0].decode("ascii")) or "").encode() or match[0], mapped
            )
        try:
            text = mapped.decode(encoding).encode("utf-8")
        except (LookupError, UnicodeError):
            return self.reword(oid, mapped)
        made = self.reword(oid, text)
        return mapped if made == text else made.decode("utf-8", "replace").encode(encoding, "replace")

    def _kept(self, oid: str) -> str | None:
        """What stands for a commit that was not dropped."""
        return self.commits.get(oid) if oid not in self._dropped else None

    def _made(self, oid: str) -> str | None:
        return self.commits.get(oid, oid)
