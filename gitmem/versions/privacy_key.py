"""The key of a store's placeholders: 32 random bytes under the git directory, for this user alone.

With it, guesses at what a placeholder stands for can be tried out; so it is in no commit, and in no clone.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from gitmem.errors import OutsideFailure, StoreProblem
from gitmem.git.beneath import read_regular, write_new_file
from gitmem.platform import link_exclusive, make_private_directory

KEY_NAME = "privacy.key"
KEY_BYTES = 32


def privacy_key(home: Path) -> bytes:
    """The key in the folder `home`, made where there is none. Raises `OutsideFailure`, `StoreProblem`."""
    file = home / KEY_NAME
    try:
        key = read_regular(file, max_bytes=KEY_BYTES + 1)
        if key is None:
            make_private_directory(home)
            _make(file)
            key = read_regular(file, max_bytes=KEY_BYTES + 1)
    except OSError as error:
        raise OutsideFailure(f"{file} cannot be used: {error.strerror}, so nothing was written") from error
    if key is None or len(key) != KEY_BYTES:
        raise StoreProblem(
            f"{file} is not a key of {KEY_BYTES} bytes, so nothing was written",
            hint="move it away; with a new key a person gets other placeholders than before",
        )
    return key


def _make(file: Path) -> None:
    """Puts a new key at `file`, unless another process is faster: whole, or not at all."""
    beside = file.with_name(f"{file.name}.{os.getpid()}.{secrets.token_hex(4)}.new")
    try:
        write_new_file(beside, secrets.token_bytes(KEY_BYTES), flush=True, mode=0o600)
        with contextlib.suppress(FileExistsError):
            link_exclusive(beside, file)
    finally:
        beside.unlink(missing_ok=True)
