"""The three standard streams, where whoever started the command closed one of them."""

from __future__ import annotations

import os
import sys


def occupy_closed_streams() -> None:
    """Opens what is closed, so that no file of the store gets the number of a stream.

    Reading from a closed input and writing to a closed output fail as on any bad descriptor;
    what goes to a closed error stream is dropped.
    """
    ways = (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
    for number, (name, mode, flags) in enumerate(ways):
        if getattr(sys, name) is None and not _is_open(number):
            descriptor = os.open(os.devnull, flags)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8", closefd=False))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
