"""Commits that headers of memories name: once history is rewritten, they name what stands for them now.

An anchor `src/app.py@3f9a1c77d2e4` and a source name a commit by 7 to 40 digits. Where that is one commit of
this very history, the digits are replaced, by as many; all else of the file stays. A commit that was dropped,
or that is not here, keeps its name: so no version of a memory that stays becomes the one before.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from gitmem.git.history_walk import History
from gitmem.git.trees import decode_path
from gitmem.model.anchors import readable_anchors
from gitmem.model.document import decode, parse_document
from gitmem.privacy.targets import IsMemory, Read

_DIGITS = re.compile(rb"(?<![0-9A-Za-z])[0-9a-f]{7,40}(?![0-9A-Za-z])")
_IN_SOURCE = re.compile(r"(?:(?<=@)[0-9a-f]{7,40}|(?<![0-9A-Za-z])[0-9a-f]{40})(?![0-9A-Za-z])")
_MOST_HEADER_BYTES = 64 * 1024


class _Name(NamedTuple):
    """A text of a header, the digits in it that name a commit, and that commit."""

    text: bytes
    digits: bytes
    commit: str


class CommitNames:
    """The headers of a history that name commits of it.

    `files` are those that go away or get another blob, by path and blob, as for the rewriting of trees: what
    is renamed is entered there. `texts` are the bytes of blobs that are put in the place of others.
    """

    def __init__(
        self,
        history: History,
        read: Read,
        is_memory: IsMemory,
        files: dict[bytes, dict[str, str | None]],
        texts: Mapping[str, bytes],
    ) -> None:
        self._history = history
        self._read = read
        self._files = files
        self._texts = texts
        self._commits = sorted(history.changes)
        self._named: dict[str, list[_Name]] = {}
        self._paths: dict[str, list[bytes]] = defaultdict(list)
        for path, blob in sorted(history.files - history.links):
            if is_memory(decode_path(path)) and files.get(path, {}).get(blob, blob) is not None:
                if blob not in self._named and (named := list(self._of(read(blob)))):
                    self._named[blob] = named
                if blob in self._named:
                    self._paths[blob].append(path)

    @property
    def paths(self) -> set[bytes]:
        """Where these memories stand."""
        return {path for paths in self._paths.values() for path in paths}

    def needed(self, oid: str) -> Iterator[str]:
        """The commits that are named in what the commit `oid` brought."""
        return (name.commit for blob in self._brought(oid) for name in self._named[blob])

    def settle(self, oid: str, standing: Callable[[str], str | None], write: Callable[[bytes], str]) -> None:
        """Writes what the commit `oid` brought, with the names of what is `standing` for the old ones."""
        for blob in self._brought(oid):
            # Once is enough: what it names does not change any more.
            named = self._named.pop(blob)
            for path in self._paths[blob]:
                now = self._files.get(path, {}).get(blob, blob) or blob
                data = self._texts[now] if now in self._texts else self._read(blob)
                made = _renamed(data, named, standing)
                if made != data:
                    self._files.setdefault(path, {})[blob] = write(made)

    def _brought(self, oid: str) -> list[str]:
        changed = self._history.changes.get(oid, ())
        return list(dict.fromkeys(new for _, _, new in changed if new in self._named))

    def _of(self, data: bytes) -> Iterator[_Name]:
        """What a header says of commits that are here."""
        head = data[: _header_end(data)]
        if (b"anchor" not in head and b"source" not in head) or not _DIGITS.search(head):
            return
        fields = parse_document(decode(data)[0]).fields
        said = [(text, anchor.commit) for text, anchor in readable_anchors(fields).items()]
        source = fields.get("source")
        if isinstance(source, str):
            said += [(source, match[0]) for match in _IN_SOURCE.finditer(source)]
        for text, digits in said:
            commit = self._commit(digits) if digits else None
            if commit is not None and digits:
                yield _Name(text.encode("utf-8", "surrogateescape"), digits.encode("ascii"), commit)

    def _commit(self, digits: str) -> str | None:
        """The one commit of this history whose id begins so."""
        at = bisect_left(self._commits, digits)
        found = [each for each in self._commits[at : at + 2] if each.startswith(digits)]
        return found[0] if len(found) == 1 else None


def _renamed(data: bytes, named: Iterable[_Name], standing: Callable[[str], str | None]) -> bytes:
    end = _header_end(data)
    head = data[:end]
    for name in named:
        new = standing(name.commit)
        if new is not None:
            digits = new[: len(name.digits)].encode("ascii")
            head = head.replace(name.text, digits.join(name.text.rsplit(name.digits, 1)))
    return head + data[end:]


def _header_end(data: bytes) -> int:
    """Where the header ends, or later: a line of dashes behind the first one."""
    end = data.find(b"\n---", 4, _MOST_HEADER_BYTES)
    return end if end >= 0 else 0
