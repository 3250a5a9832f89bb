"""What is raised over files of an index that are missing, cut off or overwritten."""

from __future__ import annotations

DAMAGE: tuple[type[Exception], ...] = (Exception,)
"""Any exception: segments are read without looking at each byte before, and Whoosh's tables are pickles.

Seen: TypeError, ValueError, IndexError, KeyError, NameError, AttributeError, AssertionError,
MemoryError, struct.error, zlib.error, UnpicklingError, FileNotFoundError, four classes of Whoosh's own,
and Exception itself. An error of gitmem's own is never damage: handle `GitmemError` before this.
"""


class NoIndex(Exception):
    """There is no index in the folder, or none that its stamp speaks of."""
