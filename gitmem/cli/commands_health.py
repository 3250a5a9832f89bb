"""The commands that watch over a store: health, report."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import AsJson, Branch, Folder, option
from gitmem.cli.session import write_out
from gitmem.errors import BadInput, OutsideFailure, Refused
from gitmem.surroundings import in_folder

START_BYTES = 4096
"""So much of a file tells whether it is a report."""


def health(
    context: typer.Context,
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="Print metrics in the text format of Prometheus.")
    ] = False,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Measure how the store is doing, and say what needs looking after.

    Counts, sizes and growth by namespace, branch and month; how far the index is behind; how long recalls
    take; broken headers and links, stale anchors, disputes, duplicates, full folders, waiting proposals,
    git's objects. Changes nothing. The limits stand in .gitmem/config.toml, table health.

    Exit code 1 if something is over its limit, or could not be looked at.

    Example: gitmem health --prometheus >gitmem.prom
    """
    from gitmem.cli.prometheus import health_metrics
    from gitmem.cli.render_health import health_text
    from gitmem.cli.shapes_health import health_shape

    session = session_of(context, as_json, folder, branch)
    if prometheus and session.as_json:
        raise BadInput("--json and --prometheus contradict each other", field="prometheus")
    found = session.store(is_mended=False).health()
    session.progress.clear()
    if prometheus:
        write_out(health_metrics(found))
    else:
        session.emit(lambda: health_shape(found), lambda: health_text(found))
    if not found.is_well:
        raise typer.Exit(1)


def report(
    context: typer.Context,
    html: Annotated[
        str | None, option("--html", "FILE", "Write the page to FILE; - prints it instead.")
    ] = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Make a page with charts of how the store is doing.

    One HTML file that needs nothing else: no script, nothing from the network. It shows what health
    measures. A report that stands there is replaced; any other file is left alone.

    Example: gitmem report --html report.html
    """
    from gitmem.cli.report_page import MARK, report_page
    from gitmem.cli.shapes_health import report_shape

    session = session_of(context, as_json, folder, branch)
    if html is None:
        raise BadInput("say where the page goes", field="html", hint="--html FILE, or --html - to print it")
    if html == "-" and session.as_json:
        raise BadInput("--json and --html - contradict each other", field="html")
    target = None if html == "-" else in_folder(Path(html))
    if target is not None:
        _refuse_to_overwrite(target, html, MARK)
    found = session.store(is_mended=False).health()
    page = report_page(found)
    session.progress.clear()
    if target is None:
        write_out(page)
        return
    data = page.encode("utf-8", "replace")
    _write(target, html, data)
    session.emit(
        lambda: report_shape(found, html, len(data)),
        lambda: f"{html}: {len(data):,} bytes, {_outcome(len(found.findings))}\n",
    )


def _outcome(findings: int) -> str:
    return f"{findings} to look after" if findings else "all is well"


def _refuse_to_overwrite(target: Path, shown: str, mark: str) -> None:
    """Raises `Refused` where something else than a report stands at `target`."""
    try:
        if not target.exists():
            return
        start = target.open("rb").read(START_BYTES) if target.is_file() else None
    except OSError as error:
        raise BadInput(f"--html: {shown} cannot be read: {error.strerror or error}", field="html") from error
    if start is None or (start and mark.encode() not in start):
        raise Refused(
            f"--html: {shown} is not a report of gitmem, so it is left alone",
            hint="name another file, or - to print the page",
        )


def _write(target: Path, shown: str, data: bytes) -> None:
    """Puts `data` at `target` in one step; a link stays, and leads there. Raises `OutsideFailure`."""
    place = target.resolve()
    beside = place.with_name(f".{place.name}.{os.getpid()}.new")
    try:
        try:
            with beside.open("xb") as file:
                file.write(data)
            beside.replace(place)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise OutsideFailure(
            f"--html: {shown} cannot be written: {error.strerror or error}",
            hint="name a file in a folder that is there and may be written",
        ) from error


COMMANDS: dict[str, Callable[..., Any]] = {"health": health, "report": report}
