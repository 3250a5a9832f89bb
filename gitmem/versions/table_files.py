"""Where the version tables lie, and why one may not be had.

<common git directory>/gitmem/versions/      0700
    <branch, percent-quoted>.sqlite          the table
    <branch, percent-quoted>.guard           lock of whoever brings it up to date
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from gitmem.versions.place import Place


class UnusableTable(Exception):
    """The table cannot be read or written now: busy, not writable, or without SQLite."""


class DamagedTable(UnusableTable):
    """The file is no table of this format."""


def table_file(place: Place, branch: str) -> Path:
    """Where the table of `branch` lies."""
    return place.home / "versions" / f"{quote(branch, safe='')}.sqlite"


def remove_table(file: Path) -> None:
    """Takes a table away; the next who needs it builds it anew."""
    for each in (file, file.with_name(file.name + "-journal")):
        each.unlink(missing_ok=True)
