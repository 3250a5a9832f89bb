"""The fields of a header, read by the quick way where it is plain, else by a YAML parser."""

from __future__ import annotations

import re

from gitmem.model.yaml_reading import Entry, HeaderError, read_plain_header

MAX_HEADER_BYTES = 64 * 1024
_NOT_UTF8 = re.compile("[\ud800-\udfff]")


def read_mapping(header: str) -> list[Entry] | None:
    """The top-level fields of `header` in order; None if it is YAML but not a mapping.

    Raises `HeaderError` for broken YAML, duplicate or compound keys, and headers whose size,
    depth or aliases pass the bounds.
    """
    if len(header.encode("utf-8", "replace")) > MAX_HEADER_BYTES:
        raise HeaderError(f"the header is larger than {MAX_HEADER_BYTES // 1024} KiB")
    if odd := _NOT_UTF8.search(header):
        raise HeaderError("it is not UTF-8", 1 + header[: odd.start()].count("\n"))
    plain = read_plain_header(header)
    if plain is not None:
        return plain
    from gitmem.model.front_matter import HANDLER

    entries: list[Entry] | None = HANDLER.entries(header)
    return entries
