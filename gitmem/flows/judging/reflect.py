"""reflect: a lesson of something that went wrong, as a reflective memory with three sections."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import BadInput
from gitmem.flows.writing.drafting import Request
from gitmem.model.change import Origin
from gitmem.model.cutting import passage
from gitmem.model.memory import MemoryType
from gitmem.model.visible import one_line

MOST_TITLE_CHARACTERS = 80


def lesson(
    situation: str,
    mistake: str,
    better: str,
    *,
    title: str | None = None,
    confidence: float | None = None,
    namespace: str | None = None,
    tags: Sequence[str] = (),
    origin: Origin,
) -> Request:
    """What is to be remembered of a mistake. Raises `BadInput` naming the part that is empty.

    Without a title it has the beginning of the situation.
    """
    parts = {"situation": situation, "mistake": mistake, "better": better}
    for name, part in parts.items():
        if not part.strip():
            raise BadInput(f"--{name}: is empty", field=name)
    text = "\n\n".join(f"## {name.capitalize()}\n\n{part.strip()}" for name, part in parts.items())
    return Request(
        text=text + "\n",
        title=title or _beginning(situation),
        type=str(MemoryType.REFLECTIVE),
        namespace=namespace,
        tags=tags,
        confidence=confidence,
        origin=origin,
    )


def _beginning(text: str) -> str:
    line = one_line(text)
    if len(line) <= MOST_TITLE_CHARACTERS:
        return line
    return (passage(line, MOST_TITLE_CHARACTERS - 1) or line[: MOST_TITLE_CHARACTERS - 1]).rstrip(
        " .,;:"
    ) + "…"
