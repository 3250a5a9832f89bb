"""The remote that a sync means: by its name, or by its address, which becomes a remote the first time.

Git fetches from an address without a remote, but then keeps nowhere what it got; what both sides had last is
needed to tell that a remote was rewound.
"""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

from gitmem.errors import BadInput
from gitmem.flows.clone import name_of, plain
from gitmem.flows.syncing.fork import remote_of
from gitmem.flows.work import Work
from gitmem.git.refs import remote_names
from gitmem.git.remotes import add_remote, address_of, check_url
from gitmem.git.talk import parted

_ADDRESS = re.compile(r"[/\\:]|^\.{1,2}$")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


def remote_for(work: Work, named: str | None) -> str:
    """The name of the remote that `named` means. A new one is added, and said.

    Raises `BadInput` where it is neither a remote nor an address, or the address has a password in it,
    `OutsideFailure` where nothing answers there; nothing is added then.
    """
    names = remote_names(work.place.repository.raw)
    if named is None or named in names or not (_ADDRESS.search(named) or Path(named).is_dir()):
        return remote_of(work.place, named)
    url = str(plain(Path(named))) if Path(named).is_dir() else check_url(named)
    known = next((name for name in names if _is_same(work, name, url)), None)
    return known or _added(work, url, names)


def _is_same(work: Work, name: str, url: str) -> bool:
    address = address_of(work.place.repository, name)
    if address is None:
        return False
    top = work.place.repository.worktree or work.place.repository.common_dir
    return url in (address, str(plain(top / address)))


def _added(work: Work, url: str, names: list[str]) -> str:
    if parted(url).secret is not None:
        raise BadInput(
            f"{parted(url).public} was given with a password, which would be kept in git's config",
            field="remote",
            hint="'git remote add' names it, and a credential helper of git keeps the password",
        )
    wanted = _NOT_IN_NAMES.sub("-", name_of(url)).strip("-") or "remote"
    name = next(each for n in count(1) if (each := wanted if n == 1 else f"{wanted}-{n}") not in names)
    add_remote(work.place.repository, name, url)
    work.notice(f"{name} is a remote of this store now; 'git remote remove {name}' takes that back")
    return name
