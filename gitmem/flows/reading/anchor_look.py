"""What became of the anchors of memories, for those who read and check them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gitmem.errors import GitmemError
from gitmem.flows.work import Work
from gitmem.model.anchors import Verdict, readable_anchors
from gitmem.model.memory import Json, Memory
from gitmem.versions.audit import Finding
from gitmem.versions.code import find_code
from gitmem.versions.staleness import Judge
from gitmem.versions.verdicts import Verdicts


class AnchorLook:
    """What became of the anchors of memories; looks for the code repository when it is first needed.

    `note` says why it could not be looked at.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._verdicts: Verdicts | None = None
        self.note: str | None = None

    def verdicts(self, fields: Mapping[str, Json]) -> list[Verdict]:
        """What became of each anchor in a header; of the past nothing is said."""
        anchors = readable_anchors(fields) if not self._work.is_past else {}
        if not anchors:
            return []
        known = self._opened()
        return [known.of(text, anchor) for text, anchor in anchors.items()]

    def close(self) -> None:
        """Keeps what was found out for the next time."""
        if self._verdicts is not None:
            self._verdicts.save()

    def _opened(self) -> Verdicts:
        if self._verdicts is None:
            code = None
            try:
                code = find_code(self._work.place)
            except GitmemError as error:
                self.note = f"anchors were not looked at: {error.message}"
            self._verdicts = Verdicts(Judge(code), self._work.place.home / "anchors.json")
        return self._verdicts


def anchor_findings(look: AnchorLook, memory: Memory) -> Iterator[Finding]:
    """What `check` says about the anchors of a memory."""
    for verdict in look.verdicts(memory.fields):
        if verdict.is_stale:
            message = f"{verdict.reason}; 'gitmem confirm {memory.id}' where it still holds"
            yield Finding("warning", "anchor-stale", memory.path, message)
        elif verdict.state in ("moved", "unknown"):
            yield Finding(
                "note", f"anchor-{verdict.state}", memory.path, f"{verdict.anchor}: {verdict.reason}"
            )
