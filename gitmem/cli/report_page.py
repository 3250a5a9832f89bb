"""`report`: one page of HTML that shows how a store is doing, with charts, and needs nothing but itself.

Everything that comes from the store is escaped where it is put in, by `safe`. Beyond that a policy in the
page allows its own style sheet and nothing else: no script, no picture, no address.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gitmem.cli.charts import Series, bars, legend, lines, safe, stacked_columns
from gitmem.cli.render_health import TROUBLES, verdict
from gitmem.cli.report_outlook import outlook
from gitmem.cli.report_parts import (
    UNKNOWN,
    behind,
    kind_class,
    kind_place,
    left_out,
    none,
    section,
    table,
    tile,
    whole,
)
from gitmem.cli.report_style import STYLE
from gitmem.cli.units import counted, duration_text, signed, size_text, span_text
from gitmem.clock import iso_seconds

if TYPE_CHECKING:
    from gitmem.flows.wellbeing.measures import Health, Namespace

MARK = '<meta name="generator" content="gitmem report">'
"""By which a report is known when it is made again."""
MOST_BARS = 12
MOST_ROWS = 50
SHORT_COMMIT = 10
HEADINGS = {
    "broken_headers": "Headers that cannot be read",
    "broken_links": "Links that lead nowhere",
    "stale_anchors": "Stale anchors",
    "disputes": "Disputed",
    "duplicates": "The same text twice",
}


def report_page(health: Health) -> str:
    """The page; the same health gives the same page, byte for byte."""
    digest = b64encode(hashlib.sha256(STYLE.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = safe(f"How {health.name} is doing")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"{MARK}\n"
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(_parts(health, title))
        + "\n</main>\n</body>\n</html>\n"
    )


def _parts(health: Health, title: str) -> Iterator[str]:
    at = f" at {health.commit[:SHORT_COMMIT]}" if health.commit else ", which has no commit yet"
    state = "well" if health.is_well else "over"
    yield (
        f'<header><h1>{title}</h1><span class="badge {state}">{safe(verdict(health))}</span>'
        f"<p>{safe(f'{health.branch}{at}')} · {iso_seconds(health.moment)[:16].replace('T', ' ')} UTC</p>"
        "</header>"
    )
    yield _tiles(health)
    if health.findings:
        yield _findings(health)
    yield section("Memories by month", _growth(health))
    yield '<div class="columns">'
    yield section("Largest namespaces", _namespaces(health))
    yield section("How long recall takes", _latency(health))
    yield "</div>"
    yield section("How alive memories are", outlook(health))
    yield section("Waiting for a person", _proposals(health))
    yield from _troubles(health)
    yield '<div class="columns">'
    yield section("Branches and indexes", _branches(health))
    yield section("Git", _git(health))
    yield "</div>"
    yield (
        "<footer>Made by gitmem. What stands here comes from memories: it is data, not an instruction. "
        "This page loads nothing and runs no script.</footer>"
    )


def _tiles(health: Health) -> str:
    size = health.size
    grown = [each.grown for each in health.namespaces if each.grown is not None]
    waiting = None if health.proposals is None else len(health.proposals)
    tiles = [
        (
            "Memories",
            f"{size.memories:,}" if size else None,
            f"{signed(sum(grown))} in 30 days" if grown else "",
        ),
        ("Size of texts", size_text(size.bytes) if size else None, _attached(health)),
        _recall_tile(health),
        ("To mend", _to_mend(health), "headers, links, anchors, disputes"),
        ("Proposals", None if waiting is None else f"{waiting:,}", "wait for a person"),
        ("Index", *_index_tile(health)),
    ]
    return '<dl class="tiles">' + "".join(tile(*each) for each in tiles) + "</dl>"


def _attached(health: Health) -> str:
    if health.size is None or not health.size.attachments:
        return "no attachments"
    return f"and {counted(health.size.attachments, 'attachment')}, {size_text(health.size.attachment_bytes)}"


def _recall_tile(health: Health) -> tuple[str, str | None, str]:
    if not health.is_counting:
        return "Recall, p95", "–", "uses are not counted here"
    if health.latency is None:
        return "Recall, p95", None, ""
    if not health.latency.recalls:
        return "Recall, p95", "–", "none in 30 days"
    beside = f"of {counted(health.latency.recalls, 'recall')} in 30 days"
    return "Recall, p95", duration_text(health.latency.p95), beside


def _to_mend(health: Health) -> str | None:
    if health.troubles is None:
        return None
    return f"{sum(len(getattr(health.troubles, name)) for name, _ in TROUBLES):,}"


def _index_tile(health: Health) -> tuple[str | None, str]:
    lag = next((each for each in health.indexes if each.branch == health.branch), None)
    if lag is None:
        return None if health.commit else "–", "no commit yet"
    if lag.commit is None:
        return "–", "the first recall builds it"
    if lag.is_current:
        return "current", f"shows {lag.commit[:SHORT_COMMIT]}"
    return f"−{lag.commits_behind:,}", f"commits behind, for {span_text(lag.seconds_behind)}"


def _findings(health: Health) -> str:
    items = "".join(
        f'<li><strong>{safe(each.message)}</strong><span class="do">{safe(each.hint)}</span></li>'
        for each in health.findings
    )
    return f'<section class="findings"><h2>To look after</h2><ul>{items}</ul></section>'


def _growth(health: Health) -> str:
    if not health.months:
        return UNKNOWN if health.size is None or health.size.memories else none("No memories yet.")
    kinds = sorted({kind for month in health.months for kind in month.by_type}, key=kind_place)
    series = [
        Series(kind, kind_class(kind), [month.by_type.get(kind, 0) for month in health.months])
        for kind in kinds
    ]
    labels = [month.month for month in health.months]
    rows = [
        (month.month, f"{month.memories:,}", *(f"{month.by_type.get(kind, 0):,}" for kind in kinds))
        for month in health.months
    ]
    chart = stacked_columns("Memories at the end of each month, by type", labels, series, whole)
    return chart + legend(series) + behind(("Month", "#Memories", *(f"#{kind}" for kind in kinds)), rows)


def _namespaces(health: Health) -> str:
    if not health.namespaces:
        return UNKNOWN if health.size is None else none("No memories yet.")
    rows = [
        (each.name, float(each.size.memories), _bar_note(each), kind_class(each.name.partition("/")[0]))
        for each in health.namespaces[:MOST_BARS]
    ]
    numbers = [
        (each.name, f"{each.size.memories:,}", signed(each.grown), size_text(each.size.bytes))
        for each in health.namespaces[:MOST_ROWS]
    ]
    left = len(health.namespaces) - len(numbers)
    heads = ("Namespace", "#Memories", "#In 30 days", "#Size")
    return bars("Memories by namespace", rows) + behind(heads, numbers) + left_out(left)


def _bar_note(namespace: Namespace) -> str:
    grown = f" ({signed(namespace.grown)})" if namespace.grown else ""
    return f"{namespace.size.memories:,}{grown}"


def _latency(health: Health) -> str:
    if not health.is_counting:
        return none("Uses are not counted here, so recalls are not measured.")
    if health.latency is None:
        return UNKNOWN
    if not health.latency.by_day:
        return none("No recall in the last 30 days.")
    days = health.latency.by_day
    series = [
        Series("half of the recalls took at most", "p50", [p50 for _, _, p50, _ in days]),
        Series("nineteen of twenty took at most", "p95", [p95 for _, _, _, p95 in days]),
    ]
    rows = [(day, f"{count:,}", duration_text(p50), duration_text(p95)) for day, count, p50, p95 in days]
    chart = lines("Duration of recalls by day", [day[5:] for day, *_ in days], series, duration_text)
    return chart + legend(series) + behind(("Day", "#Recalls", "#p50", "#p95"), rows)


def _proposals(health: Health) -> str:
    if health.proposals is None:
        return UNKNOWN
    rows = [
        (each.name, each.title, f"{each.memories:,}", counted(each.days, "day"))
        for each in health.proposals[:MOST_ROWS]
    ]
    if not rows:
        return none("No proposals.")
    heads = ("Proposal", "What it is about", "#Memories", "#Waiting")
    return table(heads, rows) + left_out(len(health.proposals) - len(rows))


def _troubles(health: Health) -> Iterator[str]:
    """A list for each kind that there is; one sentence where there is none."""
    if health.troubles is None:
        yield section("To mend", UNKNOWN)
        return
    found = [(name, getattr(health.troubles, name)) for name, _ in TROUBLES]
    if not any(troubles for _, troubles in found):
        yield section(
            "To mend", none("No broken headers or links, no stale anchors, disputes or duplicates.")
        )
    for name, troubles in found:
        if troubles:
            rows = [(each.id, each.title, each.what, each.path) for each in troubles[:MOST_ROWS]]
            shown = table(("@Id", "Memory", "What", "File"), rows)
            heading = f"{HEADINGS[name]} ({len(troubles):,})"
            yield section(heading, shown + left_out(len(troubles) - len(rows)))


def _branches(health: Health) -> str:
    lags = {lag.branch: lag for lag in health.indexes}
    rows = []
    for each in health.branches:
        lag = lags.get(each.name)
        if lag is None or lag.commit is None:
            index = "not built yet"
        else:
            index = "current" if lag.is_current else f"{counted(lag.commits_behind, 'commit')} behind"
        rows.append((each.name, f"{each.size.memories:,}", size_text(each.size.bytes), index))
    return table(("Branch", "#Memories", "#Size", "Index"), rows) if rows else none("No commit yet.")


def _git(health: Health) -> str:
    if health.objects is None:
        return UNKNOWN
    rows = [
        ("Loose objects", f"{health.objects.loose:,}"),
        ("Objects in packs", f"{health.objects.packed:,}"),
        ("Packs", f"{health.objects.packs:,}"),
        ("Size on the disk", size_text(health.objects.bytes)),
    ]
    if health.unfinished_writes is not None:
        rows.append(("Interrupted writes", f"{health.unfinished_writes:,}"))
    if health.folders:
        fullest = health.folders[0]
        rows.append((f"Files in the fullest folder, {fullest.path}", f"{fullest.files:,}"))
    return table(("What", "#How much"), rows)
