"""check --base: secrets and personal data in a change, by the rules that every write is judged by."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.flows.screening.rules import Screening, is_judged, text_of
from gitmem.model.ids import BlobId
from gitmem.model.sensitive import SECRET, Action
from gitmem.privacy.memory_text import examine, examine_text
from gitmem.privacy.wording import one_of
from gitmem.versions.audit import Finding

SEVERITIES = {Action.BLOCK: "error", Action.REDACT: "error", Action.WARN: "warning"}


def private_findings(
    screening: Screening, path: str, new: BlobId | str, old: BlobId | str | None, *, is_memory: bool
) -> Iterator[Finding]:
    """What is new in the file at `path`, once for each kind and line; `old` is what it was before."""
    if not screening.is_needed or not is_judged(path):
        return
    repository = screening.place.repository
    data = repository.read_blob(new)
    text, before = text_of(data), text_of(repository.read_blob(old)) if old is not None else None
    if text is None:
        return
    look = examine if is_memory else examine_text
    judge = screening.judge(path, data)
    examined = look(judge, text.text, [before.text] if before else [], lambda kind, _: kind)
    for kind, action, line in dict.fromkeys(
        (each.kind, each.action, each.line) for each in examined.sightings
    ):
        code = "secret" if kind == SECRET else "personal-data"
        said = "is worth a look" if action is Action.WARN else f"this store would {action}"
        message = f"holds {one_of(kind)}, which {said}"
        yield Finding(SEVERITIES[action], code, path, message, line)
