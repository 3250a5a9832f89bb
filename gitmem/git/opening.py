"""Finding, opening and creating a repository, with one clear line for each kind that cannot be used."""

from __future__ import annotations

import contextlib
import os
import stat as modes
import time
from pathlib import Path

import pygit2
from pygit2.enums import ConfigLevel, Option, RepositoryOpenFlag

from gitmem.errors import Damaged, NotAStore, OutsideFailure, StoreProblem, UnsupportedRepository
from gitmem.git.beneath import read_regular
from gitmem.git.environment import run_git
from gitmem.git.rights import HINT, closed_repository_above, refuse_unreadable

# Objects must be on disk before a ref names them.
pygit2.option(Option.ENABLE_FSYNC_GITDIR, True)

_followed: tuple[str | None, ...] = ()


def follow_environment() -> None:
    """Make libgit2 look for the user's config where git looks now; it asks only once by itself."""
    global _followed
    names = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL")
    now = tuple(os.environ.get(name) for name in names)
    if now == _followed:
        return
    home, xdg, no_system, only_global = now
    if home is not None or only_global is not None:
        _search(ConfigLevel.GLOBAL, "" if only_global is not None else home or "")
        base = xdg or (f"{home}/.config" if home else "")
        _search(ConfigLevel.XDG, "" if only_global is not None or not base else f"{base}/git")
    if no_system is not None and no_system.lower() not in ("", "0", "false", "no", "off"):
        _search(ConfigLevel.SYSTEM, "")
    _followed = now


def _search(level: ConfigLevel, folder: str) -> None:
    pygit2.option(Option.SET_SEARCH_PATH, level, folder)


def find(start: Path) -> str:
    """The git directory of the nearest repository upwards from `start`. Never looks at `GIT_DIR`."""
    follow_environment()
    try:
        found = pygit2.discover_repository(str(start), True)
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise NotAStore(f"{start}: cannot look for a repository: {error}") from error
    if found is None:
        if (closed := closed_repository_above(start)) is not None:
            raise StoreProblem(f"{closed} may not be read by this user", hint=HINT)
        _refuse_lost(start)
        what = "is not in a git repository" if start.exists() else "does not exist"
        hint = "run `gitmem init` where the store should be"
        if os.environ.get("GIT_DIR"):
            hint = "GIT_DIR is not followed: name the store with -C DIR or GITMEM_STORE"
        raise NotAStore(f"{start} {what}", hint=hint)
    return found


def _refuse_lost(start: Path) -> None:
    """Raises `StoreProblem` where a `.git` file leads to a repository that was moved or removed."""
    for folder in (start.absolute(), *start.absolute().parents):
        file = folder / ".git"
        data = read_regular(file, max_bytes=4096) if file.is_file() else None
        if data is not None and data.startswith(b"gitdir:"):
            target = os.fsdecode(data.removeprefix(b"gitdir:").strip())
            raise StoreProblem(
                f"{file} leads to {target}, where there is no repository any more",
                hint="if it was moved, 'git worktree repair FOLDER' there mends this; else remove that file",
            )
        if os.path.lexists(file):
            return


def open_from(start: Path) -> pygit2.Repository:
    """libgit2's view from `start`: by way of a `.git` file, git knows which worktree it stands in."""
    _refuse_unsupported(Path(find(start)))
    try:
        return _with_head(opened_as_git(start, RepositoryOpenFlag.CROSS_FS))
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise _reason(Path(find(start)), error) from error


def open_repository(git_dir: str | Path) -> pygit2.Repository:
    """libgit2's view of the repository at exactly `git_dir`, or the reason why there is none."""
    follow_environment()
    place = Path(git_dir)
    _refuse_unsupported(place)
    try:
        return _with_head(opened_as_git(place, RepositoryOpenFlag.NO_SEARCH))
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise _reason(place, error) from error


def opened_as_git(place: Path, flags: RepositoryOpenFlag) -> pygit2.Repository:
    """libgit2's view of the repository at `place`, also of another user's where git itself trusts it.

    Git knows more ways to say so: GIT_CONFIG_GLOBAL, patterns, includes. Raises what libgit2 raises.
    """
    try:
        return pygit2.Repository(str(place), flags)
    except pygit2.GitError as error:
        if "not owned by" not in str(error) or not _is_trusted_by_git(place):
            raise
    pygit2.option(Option.SET_OWNER_VALIDATION, False)
    try:
        return pygit2.Repository(str(place), flags)
    finally:
        pygit2.option(Option.SET_OWNER_VALIDATION, True)


def _is_trusted_by_git(place: Path) -> bool:
    # Seen from inside, the git directory would have to be trusted by its own name.
    cwd = place.parent if place.name == ".git" else place
    try:
        run_git(["rev-parse", "--git-dir"], cwd=cwd)
    except OutsideFailure:
        return False
    return True


def _with_head(repo: pygit2.Repository) -> pygit2.Repository:
    """`repo`, if its HEAD says something. Raises `Damaged`: git would not see a repository here at all."""
    file = Path(repo.path) / "HEAD"
    for attempt in range(5):
        with contextlib.suppress(OSError):
            text = head_text(file.parent)
            if text.startswith("ref:") or (len(text) == 40 and text.isalnum()):
                return repo
        time.sleep(0.002 * attempt)
    refuse_unreadable(file)
    raise Damaged(
        f"{file} is damaged",
        hint="write the branch that was checked out into it, as in: ref: refs/heads/main",
    )


def head_text(git_dir: Path) -> str:
    """What HEAD says. As a link, which git before 1.7 made of it, it names the branch. Raises `OSError`."""
    file = git_dir / "HEAD"
    if file.is_symlink():
        target = str(file.readlink())
        return f"ref: {target}" if target.startswith("refs/") else ""
    return (read_regular(file, max_bytes=4096) or b"").decode("utf-8", "surrogateescape").strip()


def worktree_of(repo: pygit2.Repository, *, is_found_from_inside: bool) -> Path | None:
    """The folder of the files, or None where there is none or nobody can say where.

    With `git init --separate-git-dir` only the `.git` file in the worktree tells where the two belong
    together; seen from the git directory, libgit2 takes the folder above for the worktree.
    """
    if repo.is_bare or not repo.workdir:
        return None
    git_dir = Path(repo.path)
    if is_found_from_inside or git_dir.name == ".git" or (git_dir / "commondir").exists():
        return Path(repo.workdir)
    return Path(repo.workdir) if "core.worktree" in repo.config else None


def create(path: Path, *, branch: str, bare: bool) -> str:
    """The git directory of a new empty repository at `path` whose unborn branch is `branch`."""
    path.mkdir(parents=True, exist_ok=True)
    arguments = ["init", "--quiet", "--object-format=sha1"]
    run_git([*arguments, *(["--bare"] if bare else [])], cwd=path)
    git_dir = str(path) if bare else find(path)
    # The name goes through symbolic-ref, so that git 2.25 and a name like `-x` need no option for it.
    run_git(["symbolic-ref", "HEAD", f"refs/heads/{branch}"], cwd=path)
    return git_dir


def common_directory(git_dir: Path) -> Path:
    """The folder that all worktrees of the repository share."""
    try:
        data = read_regular(git_dir / "commondir")
    except OSError:
        data = None
    if not data:
        return git_dir
    text = data.decode("utf-8", "surrogateescape").rstrip("\r\n")
    return Path(os.path.normpath(git_dir / text))


def _refuse_unsupported(git_dir: Path) -> None:
    for name in ("HEAD", "commondir"):
        _refuse_strange(git_dir / name)
    common_dir = common_directory(git_dir)
    for name in ("index", "config"):
        _refuse_strange(git_dir / name, may_be_link=name == "config")
    for name in ("shallow", "refs", "refs/heads", "objects"):
        _refuse_strange(common_dir / name)
    for name in ("config", "packed-refs", "info/attributes", "info/exclude"):
        _refuse_strange(common_dir / name, may_be_link=True)
    config_file = common_dir / "config"
    try:
        text = config_file.read_bytes()
    except OSError:
        refuse_unreadable(config_file)
        return
    try:
        if b"\0" in text:
            # libgit2 takes a file of NULs for an empty one, as a power cut leaves it.
            raise ValueError("it holds NUL characters")
        config = pygit2.Config(str(config_file))
    except (pygit2.GitError, OSError, ValueError, KeyError) as error:
        raise Damaged(
            f"{config_file}: git cannot read its config: {error}",
            hint="mend it by hand, or put back a copy; 'git init' in a new folder shows how one begins",
        ) from error
    for key, usual, what in (
        ("extensions.objectformat", "sha1", "SHA-256 objects"),
        ("extensions.refstorage", "files", "the reftable ref format"),
    ):
        value = _value(config, key) or usual
        if value.lower() != usual:
            raise UnsupportedRepository(
                f"{git_dir}: the repository uses {what} ({key} = {value}), which gitmem cannot write",
                hint="keep memories in a repository made with `git init --object-format=sha1`",
            )


def _refuse_strange(path: Path, *, may_be_link: bool = False) -> None:
    """Raises `Damaged` where git's own is a pipe or device, `UnsupportedRepository` where it is a link.

    Who opens a pipe waits for ever. Who writes through a link writes elsewhere. What is only read may be one.
    """
    try:
        mode = path.lstat().st_mode
        if modes.S_ISLNK(mode):
            # As git before 1.7 wrote the name of the branch.
            if not may_be_link and not (path.name == "HEAD" and os.readlink(path).startswith("refs/")):  # noqa: PTH115
                raise UnsupportedRepository(
                    f"{path} is a symbolic link, and gitmem does not follow one there",
                    hint="put what it leads to in its place; 'git worktree add' makes a second worktree",
                )
            mode = path.stat().st_mode
    except OSError:
        return
    if not modes.S_ISREG(mode) and not modes.S_ISDIR(mode):
        raise Damaged(f"{path} is not a file", hint="move it away; 'git fsck' tells what is missing then")


def _reason(git_dir: Path, error: Exception) -> StoreProblem:
    text = str(error)
    if "not owned by" in text:
        named = text.partition("path '")[2].partition("'")[0] or str(git_dir)
        return StoreProblem(
            f"{named} belongs to another user, and git does not trust it",
            hint=f"if you trust it: git config --global --add safe.directory {named}",
        )
    if "unsupported extension" in text or "unknown object format" in text or "repository version" in text:
        return UnsupportedRepository(f"{git_dir}: {text.rpartition(': ')[2]}")
    if (lost := _lost_worktree(git_dir)) is not None:
        return StoreProblem(
            f"{git_dir}: core.worktree names the folder {lost}, which is not there",
            hint="bring it back, or take the setting out: "
            f"git config -f {git_dir / 'config'} --unset core.worktree",
        )
    if (unclear := _unclear_setting(git_dir, text)) is not None:
        return StoreProblem(f"{git_dir / 'config'}: {unclear} is neither true nor false")
    if not git_dir.exists():
        return NotAStore(f"{git_dir} does not exist")
    if "not a" in text or isinstance(error, KeyError):
        return NotAStore(f"{git_dir} is not a git repository")
    return Damaged(f"{git_dir}: cannot be opened as a repository: {text}")


def _lost_worktree(git_dir: Path) -> Path | None:
    """The folder that `core.worktree` names, if it is none."""
    with contextlib.suppress(pygit2.GitError, OSError, ValueError):
        named = _value(pygit2.Config(str(git_dir / "config")), "core.worktree")
        folder = git_dir / named if named else git_dir
        return folder if named and not folder.is_dir() else None
    return None


def _value(config: pygit2.Config, name: str) -> str | None:
    try:
        return config[name]
    except (pygit2.GitError, KeyError, ValueError):
        return None


def _unclear_setting(git_dir: Path, text: str) -> str | None:
    """The setting that could not be read as true or false, as `name = value`; None where that was not it."""
    value = text.partition("failed to parse '")[2].partition("' as a boolean")[0]
    if not value:
        return None
    try:
        names = [entry.name for entry in pygit2.Config(str(git_dir / "config")) if entry.value == value]
    except (pygit2.GitError, OSError, ValueError):
        names = []
    return f"{names[0] if names else 'a setting'} = {value}"
