"""tombstones: how much is kept out because it was forgotten, and the keys by which texts are known again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.errors import Conflict, NotFound, OutsideFailure
from gitmem.flows.forgetting.forgotten import missing_keys, tombstones_of
from gitmem.flows.rights.acting import require_person
from gitmem.flows.work import Work
from gitmem.git.beneath import write_new_file
from gitmem.privacy.tombstones import Keys


class Buried(Struct, frozen=True):
    """The tombstones of a store by kind, and the names of keys: those here, and those that are missing."""

    counts: Mapping[str, int]
    last: str | None
    keys: Sequence[str]
    missing: Sequence[str]

    @property
    def checks_texts(self) -> bool:
        """Whether every mark can be checked here."""
        return not self.missing


def tombstones(work: Work) -> Buried:
    """What main has; changes nothing."""
    found = tombstones_of(work.place)
    counts = Counter(kind for kind, _, _ in found.marks)
    counts["commit"] += len(found.commits)
    days = [*found.commits.values(), *found.marks.values()]
    return Buried(
        {kind: counts[kind] for kind in ("id", "text", "sentence", "file", "commit")},
        max(days, default=None),
        sorted(Keys(work.place.home).all()),
        missing_keys(work.place),
    )


def export_key(work: Work, file: Path) -> None:
    """Writes the keys to a new file. Raises `Refused` for an agent, `NotFound` where there is none."""
    require_person(work.identity, "tombstones export-key")
    text = Keys(work.place.home).text()
    if not text:
        raise NotFound("there is no key here: nothing was forgotten in this clone", name="key")
    try:
        write_new_file(file, text.encode("ascii"), flush=True)
        file.chmod(0o600)
    except FileExistsError as error:
        raise Conflict(f"{file} is there already") from error
    except OSError as error:
        raise OutsideFailure(f"{file}: {error.strerror}") from error


def import_key(work: Work, text: str) -> list[str]:
    """Takes in keys. Raises `Refused` for an agent, `BadInput` where the text holds none."""
    require_person(work.identity, "tombstones import-key")
    return Keys(work.place.home).add(text)
