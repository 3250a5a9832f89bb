"""The text of `install` and `uninstall`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.flows.install import Installed


def installed_text(done: Installed) -> str:
    lines = [
        f"{each.outcome:8} {each.file}" + (f"  ({each.reason})" if each.reason else "") for each in done.files
    ]
    if done.is_dry_run:
        lines.append("nothing was written (--dry-run)")
    return "\n".join(lines) + "\n"
