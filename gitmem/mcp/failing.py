"""What a tool answers that could not do what was asked: one line, the kind of error, and what to do now."""

from __future__ import annotations

import re
from typing import Literal

from mcp.types import CallToolResult, TextContent

from gitmem.errors import GitmemError, NearDuplicate, OutsideFailure, StaleVersion
from gitmem.mcp.answers import CurrentAnswer, FailureAnswer
from gitmem.mcp.bounds import MOST_CONTENT_BYTES, page_end, sendable
from gitmem.model.cutting import character_end
from gitmem.model.visible import one_line

Retry = Literal["same", "changed", "no"]
MOST_MESSAGE_CHARACTERS = 1_000
ADVICE: dict[str, tuple[str, Retry]] = {
    "bad_input": ("Correct the argument that is named and call again.", "changed"),
    "not_found": (
        "Nothing has this name. recall finds memories, which go by id, a unique beginning of one, or path;"
        " log finds versions.",
        "changed",
    ),
    "ambiguous": ("Give more of the id, or the whole path with .md.", "changed"),
    "stale_version": (
        "Nothing was written. Read current.text, work your change into it, and call update again with"
        " expect set to current.version.",
        "changed",
    ),
    "near_duplicate": (
        "Nothing was written. Look at that memory with show: if yours says more or something else, update"
        " it, or call again with force; if not, leave it.",
        "changed",
    ),
    "conflict": ("Call show, see what it says now, and call again.", "changed"),
    "refused": ("A rule of the store forbids it. Do not work around it; tell the user.", "no"),
    "busy": ("Somebody else is writing. Call again in a moment.", "same"),
    "branch_moved": ("Somebody else is writing. Call again in a moment.", "same"),
    "outside_failure": ("Something outside gitmem failed. Tell the user.", "no"),
    "store_problem": ("The store cannot be used as it is. Tell the user.", "no"),
}
HINTS_OF_COMMANDS = ("stale_version", "not_found", "ambiguous", "near_duplicate")
"""Kinds whose hint speaks of the command line."""
BUG = "bug"
ARGUMENTS = {"in": "namespace", "tag": "tags", "entity": "entities", "as": "relation"}
"""Arguments that are called otherwise on the command line."""
_FLAG = re.compile(r"^--([a-z]+(?:-[a-z]+)*)(?=:)")


def failure_of(error: GitmemError) -> FailureAnswer:
    """`error` as an answer."""
    advice, retry = ADVICE.get(error.kind) or _advice_of_kind(error)
    current = _current(error) if isinstance(error, StaleVersion) else None
    has_hint = error.hint and error.kind not in HINTS_OF_COMMANDS
    message = f"{error.message}; {error.hint}" if has_hint else error.message
    message = _FLAG.sub(lambda found: ARGUMENTS.get(found[1], found[1].replace("-", "_")), message)
    known = error.id if isinstance(error, NearDuplicate) else None
    return FailureAnswer(
        kind=error.kind, message=short(message), advice=advice, retry=retry, current=current, known=known
    )


def wrapped(error: OSError | MemoryError) -> GitmemError:
    """What the machine refused, as an error with a message."""
    if isinstance(error, MemoryError):
        return OutsideFailure("out of memory")
    return OutsideFailure(f"{error.filename or 'a file'}: {error.strerror or error}")


def bad_arguments(message: str) -> FailureAnswer:
    """Arguments that the schema of the tool does not allow."""
    return FailureAnswer(
        kind="bad_input", message=short(message), advice=ADVICE["bad_input"][0], retry="changed"
    )


def bug(error: BaseException) -> FailureAnswer:
    """A mistake in gitmem. What it says goes to the log: it may quote what nobody asked for."""
    return FailureAnswer(
        kind=BUG,
        message=f"a bug in gitmem ({type(error).__name__}); the log of the server has the details",
        advice="Tell the user.",
        retry="no",
    )


def result_of(failure: FailureAnswer) -> CallToolResult:
    """The failure as it goes to the client."""
    text = f"{failure.message}\n{failure.advice}"
    if failure.current is not None:
        text += f"\ncurrent.version: {failure.current.version}\ncurrent.text:\n{failure.current.text}"
    return CallToolResult(
        content=[TextContent(type="text", text=sendable(text))],
        structured_content={"error": sendable(failure.model_dump(exclude_none=True))},
        is_error=True,
    )


def short(message: str) -> str:
    """`message` as one line that is not too long."""
    flat = one_line(message)
    if len(flat) <= MOST_MESSAGE_CHARACTERS:
        return flat
    return flat[: character_end(flat, MOST_MESSAGE_CHARACTERS - 1)] + "…"


def _advice_of_kind(error: GitmemError) -> tuple[str, Retry]:
    """The advice for an error whose own kind has none: that of the nearest class above it."""
    for kind in (getattr(above, "kind", "") for above in type(error).__mro__):
        if kind in ADVICE:
            return ADVICE[kind]
    return "Tell the user.", "no"


def _current(error: StaleVersion) -> CurrentAnswer:
    text = error.current_text
    return CurrentAnswer(
        version=error.current,
        text=text[: page_end(text, 0, MOST_CONTENT_BYTES // 2)],
        total_characters=len(text),
    )
