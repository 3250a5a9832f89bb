"""Attributes of paths in a worktree, as git itself reads them there.

Nearly always nothing is said but `*.md -text`. Such rules are read here; whatever is less plain is asked of
libgit2, which looks for attributes files in git's index too and so reads all of it: 20 ms at 100,000 files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import pygit2
from msgspec import Struct

from gitmem.git.beneath import NotRegular, open_regular
from gitmem.git.opening import common_directory
from gitmem.git.settings import read_attribute, read_config, read_config_bool

Value = str | bool | None
READ_HERE = frozenset({"filter", "working-tree-encoding", "ident", "eol", "text", "crlf"})
_NAME = ".gitattributes"
_SUFFIX = re.compile(rb"\*(?:\.[A-Za-z0-9]+)?")
_ATTRIBUTE = re.compile(rb"([-!]?)([A-Za-z0-9][A-Za-z0-9_.-]*)(?:=(\S*))?")
_LONGEST_LINE = 1_000
_LARGEST_FILE = 100_000
_MOST_SCANNED = 16


class NotPlain(Exception):
    """The rules need git's own reading."""


class Rule(Struct, frozen=True):
    """What one line says of the files whose name ends in `suffix`."""

    suffix: str
    name: str
    value: Value


class Attributes:
    """The attributes of paths in one worktree; good for one operation, since files are read once."""

    def __init__(self, repo: pygit2.Repository, worktree: Path) -> None:
        self._repo = repo
        self._worktree = worktree
        self._folders: dict[str, Sequence[Rule] | None] = {}
        self._above: dict[str, Sequence[Rule]] = {}
        self._info: Sequence[Rule] | None = None
        self._in_index: Sequence[bytes] | None = None

    def get(self, path: str, name: str) -> Value:
        """The attribute `name` of `path`: True, False, a text, or None where no rule speaks of it."""
        rules = self._rules_for(path.rpartition("/")[0]) if name in READ_HERE else None
        if rules is None:
            return self._asked(path, name)
        found: Value = None
        for rule in rules:
            if rule.name == name and path.endswith(rule.suffix):
                found = rule.value
        return found

    def is_plain(self, path: str) -> bool:
        """Whether what is said of `path` is read here."""
        return self._rules_for(path.rpartition("/")[0]) is not None

    def _asked(self, path: str, name: str) -> Value:
        return read_attribute(self._repo, path, name, also_of_head=False)

    def _rules_for(self, folder: str) -> Sequence[Rule] | None:
        """The rules for files in `folder`, those that count most last; None where git must be asked."""
        if folder not in self._folders:
            try:
                self._folders[folder] = [*self._of_folders(folder), *self._last()]
            except (NotPlain, OSError, UnicodeError, pygit2.GitError):
                self._folders[folder] = None
        return self._folders[folder]

    def _of_folders(self, folder: str) -> Sequence[Rule]:
        """What is said outside the worktree for every file, then in the folders down to `folder`."""
        known = self._above.get(folder)
        if known is None:
            above = self._of_folders(folder.rpartition("/")[0]) if folder else self._first()
            known = self._above[folder] = [*above, *self._own_rules(folder)]
        return known

    def _first(self) -> list[Rule]:
        if read_config(self._repo, "core.attributesFile") is not None:
            raise NotPlain("core.attributesFile")
        for name in ("core.ignoreCase", "core.sparseCheckout"):
            if read_config_bool(self._repo, name, False):
                raise NotPlain(name)
        home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111
        return [*(_rules_in("/etc/gitattributes") or ()), *(_rules_in(f"{home}/git/attributes") or ())]

    def _last(self) -> Sequence[Rule]:
        if self._info is None:
            file = common_directory(Path(self._repo.path)) / "info" / "attributes"
            self._info = _rules_in(str(file)) or ()
        return self._info

    def _own_rules(self, folder: str) -> list[Rule]:
        """What the attributes file in `folder` says. Git takes one from the index where the file is gone."""
        rules = _rules_in("/".join(filter(None, [str(self._worktree), folder, _NAME])))
        if rules is None:
            if self._may_be_in_index(folder):
                raise NotPlain("an attributes file that is only in the index")
            return []
        return rules

    def _may_be_in_index(self, folder: str) -> bool:
        if self._in_index is None:
            self._in_index = _folders_with_rules(Path(self._repo.path) / "index")
        end = os.fsencode(f"{folder}/") if folder else b""
        return any(found.endswith(end) if folder else not found.endswith(b"/") for found in self._in_index)


_Signature = tuple[int, int, int]
_scanned: dict[Path, tuple[_Signature, Sequence[bytes]]] = {}
"""The last scan of each index, with what tells that it is still the same."""


def keep_scan(index: Path, old: _Signature | None, new: _Signature | None, paths: Iterable[bytes]) -> None:
    """Says that `index` was written anew and differs at `paths` alone, so that it need not be read again."""
    known = _scanned.get(index)
    if known is None or known[0] != old or new is None:
        return
    if not any(path.endswith(_NAME.encode()) for path in paths):
        _scanned[index] = (new, known[1])


def _folders_with_rules(index: Path) -> Sequence[bytes]:
    """What stands in git's index before each `.gitattributes`: the end of its folder, with the slash."""
    try:
        with os.fdopen(open_regular(index), "rb") as file:
            found_as = os.fstat(file.fileno())
            signature = (found_as.st_ino, found_as.st_size, found_as.st_mtime_ns)
            known = _scanned.get(index)
            if known is not None and known[0] == signature:
                return known[1]
            data = file.read()
    except FileNotFoundError:
        return ()
    if data[4:8] not in (b"\0\0\0\2", b"\0\0\0\3") or any(index.parent.glob("sharedindex.*")):
        # Version 4 stores names without their common beginning, a split index most of them elsewhere.
        raise NotPlain("the index")
    name = _NAME.encode() + b"\0"
    found, at = [], data.find(name)
    while at >= 0:
        found.append(data[max(0, at - 2_000) : at])
        at = data.find(name, at + 1)
    if len(_scanned) >= _MOST_SCANNED:
        _scanned.clear()
    _scanned[index] = (signature, found)
    return found


def _rules_in(file: str) -> list[Rule] | None:
    """The rules that `file` has; None where there is no file. Raises `NotPlain`."""
    try:
        with os.fdopen(open_regular(Path(file)), "rb") as opened:
            data = opened.read()
    except NotRegular as error:
        raise NotPlain("a link, or no file at all") from error
    except (FileNotFoundError, NotADirectoryError):
        return None
    if len(data) > _LARGEST_FILE or data.startswith(b"\xef\xbb\xbf") or b"\0" in data:
        raise NotPlain("an unusual file")
    return [rule for line in data.split(b"\n") for rule in parse_rule(line)]


def parse_rule(line: bytes) -> list[Rule]:
    """What one line of an attributes file says of the attributes read here. Raises `NotPlain`."""
    words = line.split()
    if not words or words[0].startswith(b"#"):
        return []
    if (
        len(line) > _LONGEST_LINE
        or words[0].startswith((b'"', b"[", b"!"))
        or b"\x0b" in line
        or b"\x0c" in line
    ):
        raise NotPlain("an unusual line")
    rules = []
    for word in words[1:]:
        match = _ATTRIBUTE.fullmatch(word)
        if match is None or match[2] == b"binary":
            raise NotPlain("an unusual attribute")
        sign, name, value = match[1], match[2].decode(), match[3]
        if name in READ_HERE:
            if not _SUFFIX.fullmatch(words[0]) or (sign and value is not None):
                raise NotPlain("an unusual pattern")
            says: Value = {b"-": False, b"!": None}.get(sign, True)
            rules.append(Rule(words[0][1:].decode(), name, says if value is None else value.decode()))
    return rules
