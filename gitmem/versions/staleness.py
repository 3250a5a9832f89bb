"""Whether what a memory is anchored to has changed since: judged by git's objects alone.

Cases:
    page        a URL; never fetched, never stale
    unknown     there is no code repository; no commit is noted; the commit is not here; it is no file
    fresh       the blob is the same; or the symbol's definition is, elsewhere in a file that changed
    moved       the file stands elsewhere now, and it, or the symbol's definition, is the same
    changed     the file, or the symbol's definition, is another one
    lost        the symbol is not found any more
    gone        the file is not there any more
`changed`, `lost` and `gone` are stale. A file that came into the repository only after the commit that
was noted counts from the commit that brought it.
"""

from __future__ import annotations

from itertools import islice

from msgspec import Struct, field

from gitmem.errors import Damaged, NotFound
from gitmem.git.modes import REGULAR_MODES, TREE_MODE
from gitmem.git.repository import TreeEntry
from gitmem.model.anchors import Anchor, Verdict
from gitmem.model.diff import likeness
from gitmem.model.symbols import MOST_TEXT_BYTES, definition_of
from gitmem.versions.code import Code

SIMILAR = 0.5
"""Share of lines that a file must have kept to be the same one under another name."""
MOST_CANDIDATES = 100
MOST_COMMITS = 2000


Judged = tuple[str, str, str | None]


class Judge(Struct):
    """Judges anchors against one commit of the code repository; what it compared it remembers."""

    code: Code | None
    _added: dict[str, list[TreeEntry]] = field(default_factory=dict)

    def key(self, anchor: Anchor) -> str:
        """What a verdict that was not plain depends on beside the anchor: the file at its path now."""
        now = self._entry(self._code.commit, anchor.path)
        return now.oid if now else self._code.commit

    def plain(self, text: str, anchor: Anchor) -> Verdict | None:
        """The verdict where it takes no more than two look-ups; None where files must be compared."""
        try:
            judged = self._plain(anchor)
        except (NotFound, Damaged) as error:
            return Verdict(text, "unknown", error.message)
        return Verdict(text, *judged) if judged else None

    def verdict(self, text: str, anchor: Anchor) -> Verdict:
        """What became of `anchor`, which the header writes as `text`."""
        try:
            judged = self._plain(anchor) or self._looked_into(anchor)
        except (NotFound, Damaged) as error:
            return Verdict(text, "unknown", error.message)
        return Verdict(text, *judged)

    def _plain(self, anchor: Anchor) -> Judged | None:
        if anchor.url is not None:
            return "page", "a page is not looked at", None
        if self.code is None:
            return "unknown", "no code repository is known", None
        now = self._entry(self.code.commit, anchor.path)
        if now is not None and now.mode not in (*REGULAR_MODES, TREE_MODE):
            return "unknown", f"{anchor.path} is a link or a submodule, which is not followed", None
        if anchor.commit is None:
            if now is None:
                return "gone", f"there is no {anchor.path}", None
            return "unknown", "no commit is noted that it was true at", None
        try:
            base = self.code.repository.resolve_commit(anchor.commit)
        except NotFound:
            return "unknown", f"commit {anchor.commit} is not in {self.code.name}", None
        before = self._entry(base, anchor.path)
        if before is not None and now is not None and before.oid == now.oid:
            return "fresh", f"unchanged since {anchor.commit}", None
        return None

    def _looked_into(self, anchor: Anchor) -> Judged:
        base = self._code.repository.resolve_commit(anchor.commit or "")
        now = self._entry(self._code.commit, anchor.path)
        before = self._before(base, anchor, now)
        if base != self._code.commit and self._code.repository.is_ancestor(self._code.commit, base):
            return "unknown", f"what is checked out is older than {anchor.commit}", None
        if before is None:
            return "gone", f"there is no {anchor.path}", None
        found = now or self._elsewhere(base, anchor, before)
        if found is None:
            return "gone", f"{anchor.path} is gone since {anchor.commit}", None
        return self._compared(anchor, before, found)

    def _before(self, base: str, anchor: Anchor, now: TreeEntry | None) -> TreeEntry | None:
        """The file as it was at commit `base`, or else as it first came in after it."""
        before = self._entry(base, anchor.path)
        if before is not None or now is None:
            return before
        first = now
        for commit in islice(self._code.repository.first_parents(self._code.commit), MOST_COMMITS):
            entry = self._entry(commit.tree, anchor.path)
            if entry is None:
                break
            first = entry
        return first

    def _compared(self, anchor: Anchor, before: TreeEntry, now: TreeEntry) -> Judged:
        """What differs between two files, which may stand at two paths."""
        where = now.path if now.path != anchor.path else None
        same: Judged = ("fresh", f"unchanged since {anchor.commit}", None)
        if where is not None:
            same = ("moved", f"{anchor.path} is {where} now", where)
        if before.oid == now.oid:
            return same
        symbol = anchor.symbol
        if symbol is None or not (self._is_text(before) and self._is_text(now)):
            aside = f" and is {where} now" if where else ""
            return "changed", f"{anchor.path} changed since {anchor.commit}{aside}", where
        new = self._definition(now, symbol)
        if new is None:
            return "lost", f"{symbol} is not found in {now.path}", where
        if new == self._definition(before, symbol):
            return same
        return "changed", f"{symbol} in {now.path} changed since {anchor.commit}", where

    def _elsewhere(self, base: str, anchor: Anchor, before: TreeEntry) -> TreeEntry | None:
        """The file that `before` is under another name: one with its bytes, else the likest of its kind."""
        if before.mode == TREE_MODE:
            return None
        added = self._added_since(base)
        name = anchor.path.rpartition("/")[2]
        same = [entry for entry in added if entry.oid == before.oid]
        if same:
            return min(same, key=lambda entry: (entry.path.rpartition("/")[2] != name, entry.path))
        if not self._is_text(before):
            return None
        kind, data = name.rpartition(".")[2], self._data(before)
        others = [entry for entry in added if entry.path.rpartition(".")[2] == kind and self._is_text(entry)]
        shares = [(likeness(data, self._data(entry)), entry) for entry in others[:MOST_CANDIDATES]]
        best_share, best = max(shares, key=lambda pair: pair[0], default=(0.0, None))
        return best if best_share >= SIMILAR else None

    def _added_since(self, base: str) -> list[TreeEntry]:
        """The regular files that are there now and were not at `base`."""
        if base not in self._added:
            changes = self._code.repository.diff_trees(base, self._code.commit)
            new = [change.new for change in changes if change.old is None and change.new]
            self._added[base] = [entry for entry in new if entry.mode in REGULAR_MODES]
        return self._added[base]

    def _is_text(self, entry: TreeEntry) -> bool:
        """Whether it is a file that is not too large to look through."""
        is_file = entry.mode in REGULAR_MODES
        return is_file and self._code.repository.blob_size(entry.oid) <= MOST_TEXT_BYTES

    def _definition(self, entry: TreeEntry, symbol: str) -> str | None:
        return definition_of(self._data(entry).decode("utf-8", "replace"), symbol, entry.path)

    def _data(self, entry: TreeEntry) -> bytes:
        return self._code.repository.read_blob(entry.oid)

    def _entry(self, tree_or_commit: str, path: str) -> TreeEntry | None:
        try:
            return self._code.repository.entry(tree_or_commit, path)
        except Damaged as error:
            # A partial or shallow clone may lack the tree: that is not the same as no file.
            raise NotFound(error.message, name=path) from error

    @property
    def _code(self) -> Code:
        assert self.code is not None, "nothing is looked up without a code repository"
        return self.code
