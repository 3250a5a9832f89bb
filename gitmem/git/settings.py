"""Git's own settings as they hold for one repository: config, attributes, hooks."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

import pygit2
from pygit2.enums import AttrCheck, RepositoryOpenFlag

from gitmem.errors import BadInput, OutsideFailure
from gitmem.git.environment import run_git
from gitmem.git.objects import LIBGIT2_ERRORS
from gitmem.git.opening import opened_as_git

_TRUE = ("true", "yes", "on")
_FALSE = ("false", "no", "off", "")
_Config = pygit2.Config | None
"""What libgit2 reads of the config; None where git has to be asked."""
_read: ContextVar[dict[str, _Config] | None] = ContextVar("read", default=None)


@contextlib.contextmanager
def reading_once() -> Iterator[None]:
    """Within, all goes by the config as it was when it was first asked for, save for what is set meanwhile.

    A write asks for dozens of settings, and each time git's files would be looked at anew.
    """
    token = _read.set({})
    try:
        yield
    finally:
        _read.reset(token)


def read_config(repo: pygit2.Repository, name: str) -> str | None:
    """The value that git would use here for `name`, or None where it is not set."""
    try:
        config = _config(repo)
        if config is not None:
            return config[name]
    except (*LIBGIT2_ERRORS, UnicodeError):
        return None
    with contextlib.suppress(OutsideFailure):
        return _decode(run_git(["config", "--null", "--get", name], cwd=Path(repo.path)))
    return None


def read_config_bool(repo: pygit2.Repository, name: str, default: bool) -> bool:
    """The truth of `name` as git reads it: `yes`, `on`, any number but 0, or a name without a value."""
    try:
        config = _config(repo)
        if config is not None:
            return config.get_bool(name)
    except (*LIBGIT2_ERRORS, UnicodeError):
        return default
    value = read_config(repo, name)
    if value is None:
        return default
    word = value.strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    return int(word) != 0 if word.lstrip("+-").isdigit() else default


def without_filters(repo: pygit2.Repository) -> dict[str, str]:
    """Variables that make git run none of the filter programs that its config names.

    A file under one of them then looks edited, so its state is not to be believed.
    """
    keys = [
        (f"filter.{name}.{key}", value)
        for name in sorted(_filter_names(repo))
        for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    ]
    variables = {f"GIT_CONFIG_KEY_{number}": key for number, (key, _) in enumerate(keys)}
    variables |= {f"GIT_CONFIG_VALUE_{number}": value for number, (_, value) in enumerate(keys)}
    return variables | {"GIT_CONFIG_COUNT": str(len(keys))} if keys else {}


def _filter_names(repo: pygit2.Repository) -> set[str]:
    config = _config(repo)
    if config is None:
        try:
            answer = run_git(
                ["config", "--null", "--name-only", "--get-regexp", "^filter\\."], cwd=Path(repo.path)
            )
        except OutsideFailure:
            return set()
        names = _decode_all(answer)
    else:
        names = [entry.name for entry in config]
    parted = [name.split(".") for name in names if name.startswith("filter.")]
    return {".".join(parts[1:-1]) for parts in parted if len(parts) > 2}


def write_config(common_dir: Path, name: str, value: str | None) -> None:
    """Set `name` in the config file of this repository alone, or take it out of there."""
    if (known := _read.get()) is not None:
        known.clear()
    try:
        config = pygit2.Config(str(common_dir / "config"))
        if value is not None:
            config[name] = value
        elif name in config:
            config.delete_multivar(name, ".*")
    except LIBGIT2_ERRORS as error:
        if isinstance(error, pygit2.GitError) and "lock" in str(error):
            raise OutsideFailure(f"git's config is being written by another program: {name}") from error
        raise BadInput(f"{name}: cannot be set in git's config: {error}", field=name) from error


def _config(repo: pygit2.Repository) -> _Config:
    known = _read.get()
    if known is None:
        return None if _must_ask_git(repo) else _config_now(repo)
    if repo.path not in known:
        known[repo.path] = None if _must_ask_git(repo) else _config_now(repo).snapshot()
    return known[repo.path]


def _config_now(repo: pygit2.Repository) -> pygit2.Config:
    """The config as it is now: a file for this worktree alone may have come up since the opening."""
    # Asked dozens of times in one write, so without a Path.
    if os.path.exists(f"{repo.path}config.worktree"):  # noqa: PTH110
        return opened_as_git(Path(repo.path), RepositoryOpenFlag(0)).config
    return repo.config


def _must_ask_git(repo: pygit2.Repository) -> bool:
    """Whether git reads a config that libgit2 does not know of."""
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        named = os.environ.get(name)
        with contextlib.suppress(OSError):
            if named and Path(named).stat().st_size > 0:
                return True
    home = os.environ.get("HOME", "")
    files = (f"{home}/.gitconfig", os.environ.get("XDG_CONFIG_HOME", f"{home}/.config"), f"{repo.path}config")
    return _includes_by_remote(repo.path, tuple(map(_changed_ns, files)))


def _changed_ns(file: str) -> int:
    # Asked dozens of times in one write, so without a Path.
    try:
        return os.stat(file).st_mtime_ns  # noqa: PTH116
    except OSError:
        return 0


@lru_cache(maxsize=16)
def _includes_by_remote(path: str, _states: tuple[int, ...]) -> bool:
    """Whether a file is included where a remote has some address: `includeIf.hasconfig`, since git 2.36."""
    try:
        config = opened_as_git(Path(path), RepositoryOpenFlag(0)).config
        return any(entry.name.startswith("includeif.hasconfig:") for entry in config)
    except LIBGIT2_ERRORS:
        return False


def _decode(answer: bytes) -> str:
    return _decode_all(answer)[0]


def _decode_all(answer: bytes) -> list[str]:
    return answer.decode("utf-8", "surrogateescape").split("\0")


def read_attribute(
    repo: pygit2.Repository, path: str, name: str, *, also_of_head: bool = True
) -> str | bool | None:
    """The attribute `name` of `path`: True, False, a text, or None where no rule speaks of it."""
    if _attributes_are_linked(repo, path):
        return _attribute_by_git(repo, path, name)
    flags = AttrCheck.FILE_THEN_INDEX
    if also_of_head and not repo.head_is_unborn:
        flags |= AttrCheck.INCLUDE_HEAD
    try:
        return repo.get_attr(path, name, flags)
    except (*LIBGIT2_ERRORS, UnicodeError):
        return None


def _attributes_are_linked(repo: pygit2.Repository, path: str) -> bool:
    """Whether an attributes file on the way to `path` is a link: libgit2 would follow it, git does not."""
    if not repo.workdir:
        return False
    folder = Path(repo.workdir)
    for part in ("", *path.split("/")[:-1]):
        folder = folder / part
        if (folder / ".gitattributes").is_symlink():
            return True
    return False


def _attribute_by_git(repo: pygit2.Repository, path: str, name: str) -> str | bool | None:
    try:
        answer = run_git(["check-attr", "-z", name, "--", path], cwd=Path(repo.workdir))
    except (OutsideFailure, ValueError):
        return None
    value = answer.decode("utf-8", "replace").rstrip("\0").rpartition("\0")[2]
    return {"unspecified": None, "": None, "set": True, "unset": False}.get(value, value)


def hooks_directory(repo: pygit2.Repository, common_dir: Path) -> Path:
    """The folder from which git runs hooks here, whether or not it exists."""
    named = read_config(repo, "core.hooksPath")
    if not named:
        return common_dir / "hooks"
    folder = Path(named)
    if named.startswith("~"):
        with contextlib.suppress(RuntimeError):
            folder = folder.expanduser()
    # Git goes to the top of the worktree before it runs a hook, in a bare repository to the git directory.
    base = Path(repo.workdir) if repo.workdir else Path(repo.path)
    return Path(os.path.normpath(base / folder))


def hooks_path_is_foreign(repo: pygit2.Repository, common_dir: Path) -> bool:
    """Whether `core.hooksPath` sends git to a folder that is not this repository's own."""
    folder = hooks_directory(repo, common_dir).resolve()
    return not folder.is_relative_to(common_dir.resolve())
