"""What a forget would do, as a value that a person agrees to; nothing changes."""

from __future__ import annotations

from gitmem.errors import NotFound
from gitmem.flows.forgetting.forgotten import checker_of
from gitmem.flows.forgetting.journal import ForgetEntry, read_entry
from gitmem.flows.forgetting.look import Look, Looking
from gitmem.flows.forgetting.obstacles import refuse_obstacles
from gitmem.flows.forgetting.rewrite import NoObjects, rewrite
from gitmem.flows.forgetting.values import ForgetPlan, Meant
from gitmem.flows.rights.acting import require_person
from gitmem.flows.work import Work
from gitmem.model.ids import MemoryId
from gitmem.privacy.targets import Wanted


def plan_forget(work: Work, wanted: Wanted, *, redacts_mentions: bool = False) -> ForgetPlan:
    """What `forget` would do; changes nothing.

    Raises `Refused` for an agent, `NotFound` where there is nothing of it, and what stands in the way.
    """
    require_person(work.identity, "forget")
    refuse_obstacles(work)
    wanted, known = resumed(work, wanted)
    look = Looking(work, wanted, redacts_mentions, known.pieces if known else ()).look()
    refuse_nothing(work, wanted, look, known)
    return _plan(work, wanted, look, redacts_mentions)


def resumed(work: Work, wanted: Wanted) -> tuple[Wanted, ForgetEntry | None]:
    """What was asked for, with what was broken off: an empty wish means that alone."""
    entry = read_entry(work.place)
    if entry is None:
        return wanted, None
    ids = tuple(dict.fromkeys([*wanted.ids, *entry.ids]))
    old = entry.wanted
    return Wanted(ids, wanted.subject or old.subject, wanted.match or old.match), entry


def refuse_nothing(work: Work, wanted: Wanted, look: Look, known: ForgetEntry | None) -> None:
    if known is not None:
        return
    checker = checker_of(work.place)
    found = {key.casefold() for key in look.targets.ids}
    missing = [each for each in wanted.ids if each.casefold() not in found]
    if not missing and not look.is_empty:
        return
    for each in missing or [wanted.answer]:
        day = checker.id(each) if wanted.ids else checker.text(each)
        if day is not None:
            raise NotFound(f"{each} was forgotten on {day}; nothing of it is here", name=each)
        raise NotFound(f"nothing of {each!r} is in any version on any branch", name=each)


def _plan(work: Work, wanted: Wanted, look: Look, redacts_mentions: bool) -> ForgetPlan:
    rewritten = rewrite(work.place.repository, look, NoObjects())
    memories = []
    for key, versions in look.targets.versions.items():
        newest = next(reversed(versions.values()))
        folders = tuple({path[:-3] + ".files/" for path, _ in versions})
        attached = {pair for pair in look.targets.attachments if pair[0].startswith(folders)}
        blobs = {blob for _, blob in versions}
        memories.append(Meant(MemoryId(look.targets.ids[key]), newest.title, len(blobs), len(attached)))
    aside = work.place.home / "aside"
    return ForgetPlan(
        memories=memories,
        answer=wanted.answer,
        commits=rewritten.counts.rewritten,
        dropped=rewritten.counts.dropped,
        signatures=rewritten.counts.signatures,
        refs=rewritten.refs,
        leftovers=look.leftovers,
        stashes=rewritten.refs.get("stashes", 0),
        mentions=look.mentions,
        shared=look.shared,
        also_said=look.also_said,
        names=sorted(look.names),
        redacts_mentions=redacts_mentions,
        aside=sum(1 for file in aside.rglob("*") if file.is_file()) if aside.is_dir() else 0,
    )
