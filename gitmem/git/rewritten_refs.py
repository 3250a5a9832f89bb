"""Refs, heads and logs brought to a rewritten history, each by compare-and-set."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.errors import OutsideFailure
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.git.environment import run_git
from gitmem.git.history_walk import Ref, log_files
from gitmem.git.identity import committer_of
from gitmem.git.publish import RefMoved
from gitmem.git.refs import NOTHING
from gitmem.git.repository import Repository

_LINE = re.compile(rb"([0-9a-f]{40}) ([0-9a-f]{40}) ([^\t\n]*)(?:\t([^\n]*))?")
_ID = re.compile(rb"[0-9a-f]{40}")


class RefMove(Struct, frozen=True):
    """A ref and where it goes; None where it goes away."""

    ref: Ref
    new: str | None


def move_refs(repo: Repository, moves: Sequence[RefMove]) -> None:
    """Moves refs that are no branches, all of one git directory together. Raises `RefMoved`."""
    by_git_dir: dict[Path, list[RefMove]] = {}
    for move in moves:
        by_git_dir.setdefault(move.ref.git_dir, []).append(move)
    who = committer_of(repo)
    for git_dir, some in by_git_dir.items():
        lines = []
        for move in some:
            name = move.ref.name.encode("utf-8", "surrogateescape")
            if move.ref.is_head:
                lines.append(b"option no-deref\0")
            if move.new is None:
                lines.append(b"delete %b\0%b\0" % (name, move.ref.target.encode("ascii")))
            else:
                old, new = move.ref.target.encode("ascii"), move.new.encode("ascii")
                lines.append(b"update %b\0%b\0%b\0" % (name, new, old))
        extra = {"GIT_DIR": str(git_dir), "GIT_COMMITTER_NAME": who.name, "GIT_COMMITTER_EMAIL": who.email}
        try:
            run_git(["update-ref", "--stdin", "-z"], cwd=git_dir, input=b"".join(lines), extra_env=extra)
        except OutsideFailure as error:
            if "but expected" in error.message or "cannot lock ref" in error.message:
                raise RefMoved(some[0].ref.name, some[0].ref.target, None) from error
            raise


def rewrite_logs(
    repo: Repository, commits: Mapping[str, str | None], redacted: Callable[[bytes], bytes]
) -> int:
    """Lets all logs of refs name the new commits and say nothing of what is gone; how many lines changed.

    A line that leads from a commit to itself says nothing any more and goes; so does one to nothing.
    """
    changed = 0
    for file in log_files(repo):
        data = read_regular(file) or b""
        lines = data.splitlines(keepends=True)
        made = [_log_line(line, commits, redacted) for line in lines]
        if made != lines:
            changed += sum(before != after for before, after in zip(lines, made, strict=True))
            replace_regular(file, *(line for line in made if line is not None), flush=True)
    return changed


def _log_line(
    line: bytes, commits: Mapping[str, str | None], redacted: Callable[[bytes], bytes]
) -> bytes | None:
    match = _LINE.match(line)
    if match is None:
        return redacted(line)
    was = [side.decode("ascii") for side in match.groups()[:2]]
    now = [side if side == NOTHING else commits.get(side, side) or NOTHING for side in was]
    if now != was and (now[0] == now[1] or now[1] == NOTHING):
        return None
    message = b"" if match[4] is None else b"\t" + redacted(match[4])
    made = b"%b %b %b%b" % (now[0].encode("ascii"), now[1].encode("ascii"), match[3], message)
    return made + line[match.end() :]


def rewrite_heads(git_dirs: Sequence[Path], commits: Mapping[str, str | None]) -> list[str]:
    """Lets ORIG_HEAD name the new commit; removes what git leaves behind and makes anew. Their names."""
    gone = []
    for git_dir in git_dirs:
        for name in ("FETCH_HEAD", "AUTO_MERGE", "REBASE_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG",
                     "TAG_EDITMSG", "NOTES_EDITMSG", "gitk.cache", "gc.log"):  # fmt: skip
            if (git_dir / name).is_file():
                (git_dir / name).unlink(missing_ok=True)
                gone.append(name)
        for name in ("ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_HEAD"):
            match = _ID.match(read_regular(git_dir / name) or b"")
            oid = match[0].decode("ascii") if match else ""
            if match and commits.get(oid, oid) != oid:
                new = commits[oid]
                if new is None:
                    (git_dir / name).unlink(missing_ok=True)
                else:
                    replace_regular(git_dir / name, new.encode("ascii") + b"\n", flush=True)
                gone.append(name)
    return gone
