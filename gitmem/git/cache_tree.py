"""The TREE extension of git's index: for each folder the tree it was last written as, or "not known".

node: name NUL count SP subtrees LF [20 bytes id, unless count is -1] | subtree nodes
"""

from __future__ import annotations

from collections.abc import Sequence


def invalidated(content: bytes, paths: Sequence[bytes]) -> bytes | None:
    """`content` with every folder above one of `paths` marked as not known; None where it cannot be read."""
    folders = {b""}
    for path in paths:
        at = path.find(b"/")
        while at >= 0:
            folders.add(path[:at])
            at = path.find(b"/", at + 1)
    # A path that is a file now has no folder of its name any more.
    gone = set(paths)
    pieces: list[bytes] = []
    try:
        _copy(content, folders, gone, pieces)
    except ValueError:
        return None
    return b"".join(pieces)


def _copy(content: bytes, folders: set[bytes], gone: set[bytes], pieces: list[bytes]) -> None:
    at = 0
    stack: list[tuple[bytes, int]] = [(b"", 1)]
    is_root = True
    while stack:
        prefix, left = stack.pop()
        if left == 0:
            continue
        stop = content.index(b"\0", at)
        end = content.index(b"\n", stop)
        name = content[at:stop]
        count, subtrees = map(int, content[stop + 1 : end].split(b" "))
        oid = b"" if count < 0 else content[end + 1 : end + 21]
        if (count >= 0 and len(oid) != 20) or subtrees < 0 or bool(name) == is_root:
            raise ValueError
        at = end + 1 + len(oid)
        path = prefix + name
        if path in gone and not is_root:
            # Rare, and its node cannot simply go: the number of subtrees stands in the node above.
            raise ValueError
        if path in folders:
            pieces.append(b"%b\0-1 %d\n" % (name, subtrees))
        else:
            pieces.append(b"%b\0%d %d\n%b" % (name, count, subtrees, oid))
        stack.append((prefix, left - 1))
        stack.append((b"" if is_root else path + b"/", subtrees))
        is_root = False
    if at != len(content):
        raise ValueError
