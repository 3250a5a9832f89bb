"""Sizes and times in words that people read at a glance."""

from __future__ import annotations

_SIZES = ("bytes", "KiB", "MiB", "GiB", "TiB")
_TIMES = (("day", 86_400), ("hour", 3_600), ("minute", 60))


def size_text(size_bytes: int) -> str:
    """`512 bytes`, `1.5 KiB`, `23 MiB`: two digits at least, of the largest unit that fits."""
    value, unit = float(size_bytes), 0
    while value >= 1024 and unit < len(_SIZES) - 1:
        value, unit = value / 1024, unit + 1
    if unit == 0:
        return counted(size_bytes, "byte")
    return f"{value:.1f} {_SIZES[unit]}" if value < 10 else f"{value:,.0f} {_SIZES[unit]}"


def duration_text(seconds: float) -> str:
    """How long a computation took: `0`, `0.4 ms`, `12 ms`, `1.5 s`."""
    if not seconds:
        return "0"
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.1f} ms" if seconds < 0.01 else f"{seconds * 1000:.0f} ms"


def span_text(seconds: float) -> str:
    """How long something waits: `5 days`, `2 hours`, `less than a minute`."""
    for name, length in _TIMES:
        if seconds >= length:
            return counted(int(seconds // length), name)
    return "less than a minute"


def counted(count: int, name: str) -> str:
    """A number with its noun: `1 byte`, `1,200 bytes`."""
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def signed(count: int | None) -> str:
    """By how much something has changed: `+3`, `-1`, `±0`; empty where that is not known."""
    if count is None:
        return ""
    return f"{count:+,}" if count else "±0"
