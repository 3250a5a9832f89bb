"""Making trees and commits without an index and without moving a ref."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from datetime import datetime

import pygit2
from pygit2.enums import ObjectType

from gitmem.errors import OutsideFailure, SigningFailed, StoreProblem
from gitmem.git.environment import run_git
from gitmem.git.identity import Author, author_of, committer_of
from gitmem.git.objects import LIBGIT2_ERRORS, read_raw
from gitmem.git.repository import Repository
from gitmem.git.tree_edit import tree_with
from gitmem.git.trees import EMPTY_TREE

SIGNING_SECONDS = 20


def signs_commits(repo: Repository) -> bool:
    """Whether the user's config wants every commit signed. Raises `StoreProblem` where it makes no sense."""
    answers = {repo.config_bool("commit.gpgsign", default) for default in (False, True)}
    if len(answers) == 2 and (value := repo.config("commit.gpgsign")) is not None:
        raise StoreProblem(
            f"commit.gpgsign: {value!r} is neither true nor false, and git would not commit with it",
            hint="'git config commit.gpgsign true' or 'false' says which",
        )
    return answers == {True}


def commit_data(
    by: tuple[Author, Author], *, tree: str, parents: Sequence[str], message: str, when: datetime
) -> bytes:
    """A commit by this author and committer as it is stored, not signed.

    Its tree and parents need not be in the repository yet.
    """
    author, committer = by
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    lines += [f"{role} {who.name} <{who.email}> {git_time(when)}"
              for role, who in (("author", author), ("committer", committer))]  # fmt: skip
    return "\n".join([*lines, "", message.replace("\0", "")]).encode("utf-8", "replace")


def make_commit(repo: Repository, *, tree: str, parents: Sequence[str], message: str, when: datetime) -> str:
    """The id of a new commit that no ref names yet; signed where `commit.gpgsign` says so.

    Author and committer are the user's. Raises `SigningFailed` when the user's program fails or takes
    more than 20 seconds.
    """
    author, committer = author_of(repo), committer_of(repo)
    text = message.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
    if signs_commits(repo):
        return _signed(repo, tree, parents, text, when, author, committer)
    try:
        made = repo.raw.create_commit(
            None,
            _signature(author, when),
            _signature(committer, when),
            text,
            tree,
            list(parents),
        )
    except LIBGIT2_ERRORS as error:
        raise OutsideFailure(f"cannot write the commit: {error}") from error
    return str(made)


def _signature(who: Author, when: datetime) -> pygit2.Signature:
    return pygit2.Signature(who.name, who.email, int(when.timestamp()), offset_minutes(when), "utf-8")


def offset_minutes(when: datetime) -> int:
    """How far the clock of `when` is ahead of UTC."""
    offset = when.utcoffset()
    return 0 if offset is None else int(offset.total_seconds() // 60)


def git_time(when: datetime) -> str:
    """`when` as git writes it in commits and reflogs: `1764430212 +0100`."""
    minutes = offset_minutes(when)
    sign = "-" if minutes < 0 else "+"
    return f"{int(when.timestamp())} {sign}{abs(minutes) // 60:02d}{abs(minutes) % 60:02d}"


def _signed(
    repo: Repository,
    tree: str,
    parents: Sequence[str],
    message: str,
    when: datetime,
    author: Author,
    committer: Author,
) -> str:
    arguments = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree]
    for parent in parents:
        arguments += ["-p", parent]
    extra = {
        "GIT_AUTHOR_NAME": author.name,
        "GIT_AUTHOR_EMAIL": author.email,
        "GIT_AUTHOR_DATE": f"@{git_time(when)}",
        "GIT_COMMITTER_NAME": committer.name,
        "GIT_COMMITTER_EMAIL": committer.email,
        "GIT_COMMITTER_DATE": f"@{git_time(when)}",
    }
    began = time.monotonic()
    try:
        answer = run_git(
            [*arguments, "-S"],
            cwd=repo.worktree or repo.git_dir,
            input=message.encode("utf-8"),
            timeout_seconds=SIGNING_SECONDS,
            extra_env=extra,
        )
    except OutsideFailure as error:
        raise signing_failure(repo, error, seconds=time.monotonic() - began) from error
    return answer.decode("ascii").strip()


def signed_again(repo: Repository, data: bytes) -> str | None:
    """The id of the commit `data`, which has no signature, signed by the user's program.

    Tree and parents have to be in the repository. None where git would not write the same commit but for the
    signature. Raises `SigningFailed`.
    """
    head, _, message = data.partition(b"\n\n")
    lines = [line.partition(b" ")[::2] for line in head.split(b"\n")]
    facts = dict(lines)
    arguments = ["-c", f"i18n.commitEncoding={facts.get(b'encoding', b'UTF-8').decode('ascii', 'replace')}"]
    arguments += ["commit-tree", facts[b"tree"].decode("ascii"), "-S"]
    for name, value in lines:
        arguments += ["-p", value.decode("ascii")] if name == b"parent" else []
    extra: dict[str, str] = {}
    for role in ("author", "committer"):
        who, _, when = facts[role.encode("ascii")].decode("utf-8", "surrogateescape").rpartition("> ")
        by, _, email = who.partition(" <")
        prefix = f"GIT_{role.upper()}_"
        extra |= {f"{prefix}NAME": by, f"{prefix}EMAIL": email, f"{prefix}DATE": f"@{when}"}
    began = time.monotonic()
    try:
        answer = run_git(
            arguments, cwd=repo.git_dir, input=message, timeout_seconds=SIGNING_SECONDS, extra_env=extra
        )
    except OutsideFailure as error:
        raise signing_failure(repo, error, seconds=time.monotonic() - began) from error
    made = answer.decode("ascii").strip()
    written = read_raw(repo.raw, made, ObjectType.COMMIT)
    unsigned = re.sub(rb"\ngpgsig[^\n]*(?:\n [^\n]*)*", b"", written.partition(b"\n\n")[0])
    return made if unsigned + b"\n\n" + message == data else None


def signing_failure(repo: Repository, error: OutsideFailure, *, seconds: float = 0) -> SigningFailed:
    """What `error` of git means after so many seconds, where it was to sign a commit."""
    slow = seconds >= SIGNING_SECONDS
    reason = f"took more than {SIGNING_SECONDS} seconds" if slow else f"failed ({error.message})"
    return SigningFailed(
        f"commit.gpgsign is on, and {signing_program(repo)} {reason}",
        hint="try `git commit-tree -S` by hand, or unset commit.gpgsign for this repository",
    )


def signing_program(repo: Repository) -> str:
    """The program that signs here, as the config names it."""
    kind = (repo.config("gpg.format") or "openpgp").lower()
    named = repo.config(f"gpg.{kind}.program") or (repo.config("gpg.program") if kind == "openpgp" else None)
    return named or {"ssh": "ssh-keygen", "x509": "gpgsm"}.get(kind, "gpg")


__all__ = [
    "EMPTY_TREE",
    "commit_data",
    "git_time",
    "make_commit",
    "offset_minutes",
    "signs_commits",
    "tree_with",
]
