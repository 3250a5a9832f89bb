"""What comes in with a merge: every version and message that is new to the store is judged, none is changed.

To redact it would take other commits than those of the other side, and the two would never meet again; in the
merge commit alone it would hide what the commits beside it still say. So what comes is refused, or taken as
it is and told.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import Damaged, Refused
from gitmem.flows.screening.rules import Screening, is_judged, text_of
from gitmem.git.ancestry import commits_beyond
from gitmem.git.modes import REGULAR_MODES
from gitmem.git.objects import CommitInfo
from gitmem.git.repository import PathChange, Repository
from gitmem.model.ids import CommitId
from gitmem.model.sensitive import Action
from gitmem.privacy.judge import Sighting
from gitmem.privacy.memory_text import examine, examine_text
from gitmem.privacy.wording import counted, placed

MOST_COMMITS = 5_000
_BY_WHOM = re.compile(r"^[A-Z][A-Za-z-]*-[Bb]y: .*$", re.MULTILINE)
_kept: dict[tuple[str, ...], Came] = {}
MOST_KEPT = 16


class Came(Struct, frozen=True):
    """What was found in commits that come in; `is_whole` is False where they were too many."""

    sightings: tuple[Sighting, ...] = ()
    is_whole: bool = True

    @property
    def blocked(self) -> list[Sighting]:
        return [each for each in self.sightings if each.action is Action.BLOCK]


def screen_incoming(screening: Screening, tip: CommitId, known: Sequence[CommitId]) -> tuple[str, ...]:
    """Raises `Refused` where `tip` brings what is blocked, beyond `known`; else what is to be said."""
    came = came_with(screening, tip, known)
    if came.blocked:
        raise Refused(
            f"{placed(came.blocked)}: nothing was taken in",
            hint="it has to leave that history first; 'gitmem scan --history' there lists all",
        )
    said = []
    redacted = [each for each in came.sightings if each.action is Action.REDACT]
    warned = [each for each in came.sightings if each.action is Action.WARN]
    if redacted:
        said.append(
            f"{counted(redacted)} came in as written, since commits of others are not changed: "
            f"{placed(redacted)}; 'gitmem scan --history' lists all"
        )
    if warned:
        said.append(f"taken in as it is: {placed(warned)}")
    if not came.is_whole:
        said.append(
            f"more than {MOST_COMMITS:,} commits came in: of the older ones nothing was looked at; "
            "'gitmem scan --history' does"
        )
    return tuple(said)


def came_with(screening: Screening, tip: CommitId, known: Sequence[CommitId]) -> Came:
    """What the commits of `tip` beyond `known` bring. Looked at once, however often it is asked for."""
    config = screening.place.config
    rules = repr((config.policy, config.exclude)) + repr(screening.judge().rules)
    key = (str(screening.place.home), tip, *known, rules)
    found = _kept.get(key)
    if found is None:
        found = _looked_at(screening, tip, known)
        for oldest in list(_kept)[: 1 - MOST_KEPT]:
            _kept.pop(oldest, None)
        _kept[key] = found
    return found


def _looked_at(screening: Screening, tip: CommitId, known: Sequence[CommitId]) -> Came:
    repository = screening.place.repository
    sightings: list[Sighting] = []
    seen: set[tuple[str | None, str]] = set()
    for number, commit in enumerate(commits_beyond(repository, [tip], known)):
        if number >= MOST_COMMITS:
            return Came(tuple(map(_without_value, sightings)), is_whole=False)
        info = repository.commit(commit)
        sightings += _of_message(screening, info)
        for change in changes_of(repository, info):
            if not is_judged(change.path):
                continue
            pair = (change.old.oid if change.old else None, change.new.oid if change.new else "")
            if pair not in seen:
                seen.add(pair)
                sightings += _of_file(screening, info, change)
    return Came(tuple(dict.fromkeys(map(_without_value, sightings))))


def _without_value(sighting: Sighting) -> Sighting:
    """The sighting with a digest for the value, which is enough to count them: it is kept for a while."""
    digest = hashlib.sha256(sighting.value.casefold().encode("utf-8", "surrogatepass")).hexdigest()
    return replace(sighting, value=digest)


def changes_of(repository: Repository, info: CommitInfo) -> Iterator[PathChange]:
    """The files that are new in a commit: in a merge, those that no parent has like that."""
    first = info.parents[0] if info.parents else None
    if first is not None and not repository.has_object(first):
        # The border of a shallow clone.
        first = None
    for change in repository.diff_trees(first, info.id):
        if change.new is None or change.new.mode not in REGULAR_MODES:
            continue
        if not any(repository.entry(parent, change.path) == change.new for parent in info.parents[1:]):
            yield change


def _of_file(screening: Screening, info: CommitInfo, change: PathChange) -> list[Sighting]:
    assert change.new is not None, "it was chosen by that"
    repository = screening.place.repository
    place = f"{change.path} at {info.id[:10]}"
    found: list[Sighting] = []
    try:
        data = repository.read_blob(change.new.oid)
        old = repository.read_blob(change.old.oid) if change.old else None
    except Damaged as error:
        raise Damaged(f"{place}: {error.message}, so nothing was taken in", hint=error.hint) from error
    judge = screening.judge(change.path, data)
    if change.old is None:
        for part in change.path.removesuffix(".md").split("/"):
            where = f"the name of a file at {info.id[:10]}"
            found += [judge.sighting(each, part, where) for each in judge.find(part)]
    text, before = text_of(data), text_of(old) if old is not None else None
    if text is None:
        return found
    look = examine if screening.place.config.is_memory_path(change.path) else examine_text
    examined = look(judge, text.text, [] if before is None else [before.text], lambda kind, _: kind)
    named = change.path if not found else "that file"
    return found + [
        replace(each, place=f"{each.place} of {named} at {info.id[:10]}") for each in examined.sightings
    ]


def message_of(info: CommitInfo) -> str:
    """The message without the lines that name people by whom something was done: those are git's."""
    return _BY_WHOM.sub("", info.message)


def _of_message(screening: Screening, info: CommitInfo) -> list[Sighting]:
    judge, text = screening.judge(), message_of(info)
    return [judge.sighting(each, text, f"the message of {info.id[:10]}") for each in judge.find(text)]
