"""The text that commands print for people: from the same results as the JSON."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from gitmem.cli.terminal import (
    BOLD,
    DIM,
    YELLOW,
    age,
    display_width,
    fitted,
    marked,
    painted,
    width_columns,
)
from gitmem.cli.units import counted
from gitmem.model.pin import is_pinned
from gitmem.model.visible import memories_text, one_line

if TYPE_CHECKING:
    from gitmem.flows.embeddings import Embedded
    from gitmem.flows.found import Founded
    from gitmem.flows.log import Log
    from gitmem.flows.reading.recollection import Listing, Recalled, Recollection
    from gitmem.flows.show import Shown
    from gitmem.flows.status import StoreStatus
    from gitmem.flows.upkeep import Indexed
    from gitmem.model.anchors import Verdict
    from gitmem.model.usage import Uses
    from gitmem.recall.answer import Reason

SHORT_COMMIT = 10
MAX_SUBJECT = 200


def recollection_text(answer: Recollection, now: datetime, *, explain: bool) -> str:
    if answer.closest is not None:
        return _nothing_relevant_text(answer.closest)
    if not answer.hits:
        return "nothing found\n"
    return "".join(hit_text(recalled, now, explain=explain) for recalled in answer.hits)


def _nothing_relevant_text(closest: Recalled) -> str:
    hit = closest.hit
    return (
        f"nothing relevant; the closest was {hit.record.id} {one_line(hit.record.title)} "
        f"(relevance {hit.relevance:.2f}); --min-relevance 0 shows all\n"
    )


def hit_text(recalled: Recalled, now: datetime, *, explain: bool) -> str:
    record, width = recalled.hit.record, width_columns()
    labels = "".join(f" [{label}]" for label in recalled.hit.labels)
    lines = [_head_line(record.id, record.created, record.title, now, labels)]
    snippet = recalled.snippet
    if snippet.text and snippet.text != one_line(record.title):
        text = marked(snippet.text, snippet.marks)
        if width is not None and display_width(snippet.text) > width - 4:
            text = fitted(snippet.text, width - 4)
        lines.append("    " + text)
    if explain:
        figures = f"score {recalled.hit.score:g}  relevance {recalled.hit.relevance:.2f}"
        lines.append(painted(f"    {one_line(record.path)}  {figures}", DIM))
        lines += [painted(f"    {one_line(_reason_text(reason))}", DIM) for reason in recalled.hit.reasons]
    return "\n".join(lines) + "\n"


def _reason_text(reason: Reason) -> str:
    """`session +2.31: …`, `recency ×0.937: …`: from top to bottom they make the score."""
    factor = f" ×{reason.factor:.3f}" if reason.factor != 1 else ""
    added = f" {reason.added:+.2f}" if reason.added else ""
    return f"{reason.stage}{factor}{added}: {reason.text}"


def _head_line(memory_id: str, created: str | None, title: str, now: datetime, labels: str = "") -> str:
    width = width_columns()
    when = age(created, now)
    head = f"{memory_id:<8}  {when:>3}  "
    room = None if width is None else max(10, width - display_width(head) - display_width(labels))
    return (
        painted(f"{memory_id:<8}", YELLOW)
        + painted(f"  {when:>3}  ", DIM)
        + painted(fitted(one_line(title), room), BOLD)
        + labels
    )


def listing_text(listing: Listing, now: datetime) -> str:
    if not listing.records:
        return "no memories\n"
    lines = []
    for record in listing.records:
        labels = "".join(f" [{label}]" for label in listing.labels.get(record.path, ()))
        lines.append(_head_line(record.id, record.created, record.title, now, labels))
    hidden = listing.total - len(listing.records)
    return "\n".join(lines) + "\n" + (f"… and {hidden:,} more; --limit shows them\n" if hidden > 0 else "")


def shown_text(shown: Shown) -> str:
    memory = shown.memory
    facts = [
        ("id", memory.id),
        ("type", str(memory.type)),
        ("path", memory.path),
        ("version", f"{shown.version[:SHORT_COMMIT]} of {shown.changed}" if shown.version else "none yet"),
        ("edit", shown.edit or ""),
        ("status", str(memory.status) if memory.status != "active" else ""),
        ("branch", f"{shown.branch} (archived)" if shown.is_archived else ""),
        ("created", memory.created or ""),
        ("tags", ", ".join(memory.tags)),
        ("entities", ", ".join(memory.entities)),
        ("source", memory.source or ""),
        ("agent", memory.agent or ""),
        ("session", memory.session or ""),
        ("supersedes", ", ".join(memory.supersedes)),
        *(("anchor", _verdict_text(verdict)) for verdict in shown.verdicts),
        ("used", _uses_text(shown.uses)),
        ("strength", _strength_text(shown)),
        ("problem", "; ".join(problem.message for problem in memory.problems)),
    ]
    head = "".join(painted(f"{name:<11}", DIM) + one_line(value) + "\n" for name, value in facts if value)
    body = memory.body.strip("\r\n")
    return f"{painted(one_line(memory.title), BOLD)}\n{head}\n{body}\n"


def _verdict_text(verdict: Verdict) -> str:
    if verdict.state in ("fresh", "page"):
        return verdict.anchor
    return f"{verdict.anchor}  [{'stale: ' if verdict.is_stale else ''}{verdict.reason}]"


def _strength_text(shown: Shown) -> str:
    if shown.strength is None:
        return ""
    return f"{shown.strength:.2f}" + (", pinned" if is_pinned(shown.memory.fields) else "")


def _uses_text(uses: Uses | None) -> str:
    if uses is None or not uses.last:
        return ""
    return f"recalled {uses.recalled:,} and shown {uses.shown:,} times, last {uses.last[:10]}"


def log_text(log: Log) -> str:
    lines = []
    moves = list(log.moves)
    for entry in log.entries:
        while moves and moves[0].date >= entry.date:
            moved = moves.pop(0)
            lines.append(
                painted(
                    f"      {moved.commit[:SHORT_COMMIT]}  {moved.date[:10]}  {one_line(moved.subject)}", DIM
                )
            )
        number = f"v{entry.number:<4} " if entry.number is not None else ""
        by = f"  ({one_line(entry.agent or entry.author)})"
        lines.append(
            painted(f"{number}{entry.commit[:SHORT_COMMIT]}", YELLOW)
            + f"  {entry.date[:10]}  {fitted(one_line(entry.subject), MAX_SUBJECT)}{painted(by, DIM)}"
        )
        if entry.renamed_from:
            lines.append(painted(f"       was {one_line(entry.renamed_from)} before", DIM))
    if not log.is_complete:
        lines.append(
            "older versions are missing: this is a shallow clone ('git fetch --unshallow' brings them)"
        )
    return "".join(line + "\n" for line in lines) or "no commits yet\n"


def status_text(status: StoreStatus) -> str:
    index = "current" if status.index_is_current else "behind; the next recall brings it up to date"
    if status.index_commit is None:
        index = "not built yet; the first recall builds it"
    folders = ", ".join(f"{count:,} {name}" for name, count in status.by_folder.items())
    commit = status.commit[:SHORT_COMMIT] if status.commit else "no commit yet"
    hooks = ", ".join(status.hooks.installed) or "none"
    rows = [
        ("store", str(status.folder)),
        ("branch", f"{status.branch} at {commit}"),
        ("memories", f"{status.memories:,}" + (f" ({folders})" if folders else "")),
        *((name, memories_text(count)) for name, count in status.branches.items()),
        *((("proposals", f"{status.open_proposals:,} open"),) if status.open_proposals else ()),
        ("index", index),
        ("hooks", hooks),
        ("acting", str(status.identity)),
    ]
    if status.fork:
        rows.append(("forked", f"from {status.fork.url} at {status.fork.commit[:SHORT_COMMIT]}"))
    if status.distance:
        ahead, behind = f"{status.distance.ahead:,} ahead", f"{status.distance.behind:,} behind"
        rows.append((status.distance.remote, f"{ahead}, {behind}, in memories, as last fetched"))
    if status.past_commit:
        is_behind = status.past_commit != status.commit
        rows.append(("past", "behind; the next question about it catches up" if is_behind else "current"))
    if status.checked_out != status.branch:
        rows.append(("checkout", status.checked_out or "detached HEAD"))
    if status.operation:
        rows.append(("git", f"a {status.operation} is in progress"))
    if status.pending:
        rows.append(("pending", f"{status.pending} interrupted writes; the next command finishes them"))
    rows += [("note", note) for note in status.notes]
    return "".join(painted(f"{name:<10}", DIM) + one_line(value) + "\n" for name, value in rows)


def founded_text(founded: Founded) -> str:
    if founded.created:
        lines = [f"made a new store in {founded.folder}, branch {founded.main}"]
    elif founded.adopted:
        lines = [
            f"made {founded.folder} a store: one commit on {founded.main} that adds .gitmem/",
            f"{founded.memories:,} Markdown files are its memories; not one was changed",
        ]
    else:
        lines = [f"{founded.folder} is a store with {memories_text(founded.memories)} on {founded.main}"]
    if founded.loose_notes:
        files = counted(founded.loose_notes, "Markdown file")
        verb, them = ("is", "it") if founded.loose_notes == 1 else ("are", "them")
        lines.append(f"{files} {verb} not committed yet; commit {them} to recall {them}")
    if founded.hooks.kept:
        lines.append(f"kept the hooks that were there: {', '.join(founded.hooks.kept)}")
    if founded.hooks.reason:
        lines.append(f"hooks: {founded.hooks.reason}; recall works without them")
    if founded.driver.reason:
        lines.append(f"merge driver: {founded.driver.reason}; 'gitmem merge' works without it")
    if founded.ci is not None:
        done = "wrote" if founded.ci.is_written else "is there already:"
        lines.append(f"{done} {founded.ci.path}; it works once it is committed")
    return "\n".join(lines) + "\n"


def removed_text(founded: Founded) -> str:
    restored = f"; put back {', '.join(founded.hooks.kept)}" if founded.hooks.kept else ""
    kept = f"its {founded.memories:,} memories stay as plain files"
    return f"{founded.folder} is no longer a store; {kept}{restored}\n"


def indexed_text(indexed: Indexed) -> str:
    if indexed.commit is None:
        return "nothing to index yet\n"
    return f"indexed {memories_text(indexed.memories)} at {indexed.commit[:SHORT_COMMIT]}\n"


def embedded_text(embedded: Embedded) -> str:
    made = f"{embedded.made:,} of them new" if embedded.made else "none of them new"
    return f"{memories_text(embedded.memories)} with vectors of {embedded.encoder}, {made}\n"
