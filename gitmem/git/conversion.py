"""What git does to a file between a blob and the worktree: line ends, `ident`, encodings, filters."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

import pygit2

from gitmem.errors import OutsideFailure
from gitmem.git.attributes import Attributes
from gitmem.git.environment import run_git
from gitmem.git.objects import TEXT_ENCODING, blob_id_of, read_blob
from gitmem.git.settings import read_config, read_config_bool


def in_utf8(data: bytes, encoding: str) -> bytes | None:
    """What git makes of a file with this `working-tree-encoding`; None where it cannot be read so."""
    name = encoding.upper().removesuffix("-BOM")
    if not TEXT_ENCODING.fullmatch(name):
        return None
    try:
        text = data.decode(name)
    except (LookupError, ValueError):
        return None
    return text.removeprefix("\ufeff").encode("utf-8", "surrogateescape")


class Conversion:
    """The conversion rules of one worktree, asked path by path."""

    def __init__(self, repo: pygit2.Repository, path: Path) -> None:
        self._repo = repo
        self._path = path
        self._attributes = Attributes(repo, path)
        word = (read_config(repo, "core.autocrlf") or "").lower()
        self._checks_in = word == "input" or read_config_bool(repo, "core.autocrlf", False)
        self._writes_crlf = self._checks_in and word != "input"
        line_end = (read_config(repo, "core.eol") or "native").lower()
        self._text_is_crlf = self._writes_crlf or (
            line_end == "crlf" or (line_end == "native" and os.linesep == "\r\n" and word != "input")
        )

    def applies(self, path: str) -> bool:
        """Whether a file at `path` may look different from its blob after a checkout."""
        if self._has_special(path):
            return True
        line_end = self._attributes.get(path, "eol")
        if line_end in ("lf", "crlf"):
            return line_end == "crlf"
        text = self._text(path)
        if text is False:
            return False
        return self._writes_crlf if text is None else self._text_is_crlf

    def applies_on_check_in(self, path: str) -> bool:
        """Whether a blob made from a file at `path` may differ from the file."""
        if self._has_special(path) or self._attributes.get(path, "eol") in ("lf", "crlf"):
            return True
        text = self._text(path)
        return self._checks_in if text is None else text is not False

    def is_filtered(self, path: str) -> bool:
        """Whether git would run a program between the file at `path` and its blob. It is never run here."""
        value = self._attributes.get(path, "filter")
        return isinstance(value, str) and value != ""

    def checked_out(self, files: Sequence[tuple[str, str]]) -> list[bytes]:
        """The bytes that git would write for each (path, blob id); one process for those that convert.

        Raises `OutsideFailure` where git fails, and where a filter program would have to run.
        """
        for path, _ in files:
            if self.is_filtered(path):
                raise OutsideFailure(
                    f"git attribute filter={self._attributes.get(path, 'filter')} is not followed here"
                )
        asked = [(path, oid) for path, oid in files if self.applies(path) and "\n" not in path]
        answers = dict(zip(asked, self._ask(asked), strict=True)) if asked else {}
        return [
            answers[path, oid] if (path, oid) in answers else read_blob(self._repo, oid)
            for path, oid in files
        ]

    def equals_blob(self, path: str, data: bytes, oid: str) -> bool:
        """Whether `data` in a file at `path` is what git would check in as the blob `oid`."""
        if blob_id_of(data) == oid:
            return True
        if self.is_filtered(path) or not self.applies_on_check_in(path):
            return False
        try:
            answer = run_git(["hash-object", "--stdin", f"--path={path}"], cwd=self._path, input=data)
        except OutsideFailure:
            return False
        return answer.decode("ascii", "replace").strip() == oid

    def _ask(self, files: Sequence[tuple[str, str]]) -> list[bytes]:
        lines = b"".join(
            oid.encode("ascii") + b" " + path.encode("utf-8", "surrogateescape") + b"\n"
            for path, oid in files
        )
        # The size that git prints is that before the conversion, so a mark that nothing contains divides.
        mark = secrets.token_hex(20)
        answer = run_git(["cat-file", "--filters", f"--batch={mark}"], cwd=self._path, input=lines)
        pieces = answer.split(mark.encode("ascii") + b"\n")
        if (
            pieces[0]
            or len(pieces) != len(files) + 1
            or not all(piece.endswith(b"\n") for piece in pieces[1:])
        ):
            raise OutsideFailure("git could not check out " + ", ".join(path for path, _ in files[:3]))
        return [piece[:-1] for piece in pieces[1:]]

    def _has_special(self, path: str) -> bool:
        return any(
            self._attributes.get(path, name) not in (None, False)
            for name in ("filter", "working-tree-encoding", "ident")
        )

    def _text(self, path: str) -> str | bool | None:
        text = self._attributes.get(path, "text")
        if text is None:
            # The name that `text` had before git 1.7.2.
            text = self._attributes.get(path, "crlf")
        return text
