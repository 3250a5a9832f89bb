"""Versions that could not be read when they were indexed, and can be now."""

from __future__ import annotations

from collections.abc import Set

from gitmem.index.content import IndexContent
from gitmem.index.record import UNREADABLE_KEY
from gitmem.index.schema import KEYS
from gitmem.index.version_columns import keys_in
from gitmem.index.version_source import VersionSource


def readable_versions(
    content: IndexContent, source: VersionSource, *, known: Set[int] | None = None
) -> set[int]:
    """The keys of the versions in `content` without their text that `source` can read now.

    With `known`, only keys in it are looked at. Raises `VersionsChanged`.
    """
    unread = set(content.documents_with(KEYS, UNREADABLE_KEY))
    keys = {
        key
        for leaf in content.leaves
        if any(leaf.holds(document) for document in unread)
        for own, key in enumerate(keys_in(leaf.file))
        if leaf.base + own in unread and (known is None or key in known)
    }
    if not keys:
        return set()
    return {key for key, memory in source.memories(keys) if not memory.is_unreadable}
