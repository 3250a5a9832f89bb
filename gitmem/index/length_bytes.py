"""The length of a field as one byte, in steps that grow with it: the formula of Whoosh.

Whoosh rounds the steps in another way here and there, so what it writes is looked up among its own: see the
test that sets both side by side.
"""

from __future__ import annotations


def length_of(byte: int) -> int:
    """How many words a field has whose length is kept as `byte`; one of the steps that Whoosh knows."""
    return round((1.033**byte - 1) * 27)
