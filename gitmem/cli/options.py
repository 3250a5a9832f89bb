"""The options that several commands share, each spelled once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.errors import BadInput
from gitmem.surroundings import environ

if TYPE_CHECKING:
    from gitmem.model.change import Origin

SESSION_VARIABLE = "GITMEM_SESSION"
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Folder = Annotated[
    Path | None,
    typer.Option("-C", metavar="DIR", help="Work on the store that DIR lies in.", show_default=False),
]
Branch = Annotated[
    str | None,
    typer.Option("--branch", metavar="NAME", help="Use this branch instead of main.", show_default=False),
]
Reference = Annotated[
    str, typer.Argument(metavar="ID", help="An id, a unique beginning of one, or a path.", show_default=False)
]
Limit = Annotated[int, typer.Option("--limit", "-n", min=0, metavar="N", help="Show at most N.")]

MinRelevance = Annotated[
    float | None,
    typer.Option(
        "--min-relevance",
        min=0,
        max=1,
        metavar="SHARE",
        help="Show nothing unless a memory is this relevant, 0 to 1; 0 shows all.",
        show_default=False,
    ),
]


def option(flag: str, metavar: str, text: str) -> Any:
    """A text option without default."""
    return typer.Option(flag, metavar=metavar, help=text, show_default=False)


Agent = Annotated[str | None, option("--agent", "NAME", "Which agent this comes from.")]
SessionName = Annotated[
    str | None, option("--session", "NAME", "The session it comes from; GITMEM_SESSION if left out.")
]
Source = Annotated[str | None, option("--source", "TEXT", "Where it was learned: a file, URL or person.")]
Reason = Annotated[str | None, option("--reason", "TEXT", "Why; kept in the commit.")]

Expect = Annotated[
    str | None, option("--expect", "VERSION", "Write only if this is still the newest version.")
]


def origin_of(agent: str | None, session: str | None, source: str | None, reason: str | None) -> Origin:
    """Where a change comes from, as the options say."""
    from gitmem.model.change import Origin

    return Origin(agent=agent, session=session or session_here(), source=source, reason=reason)


def session_here() -> str | None:
    """The session that the environment names; None where it names none."""
    return environ().get(SESSION_VARIABLE, "").strip() or None


TypeFilter = Annotated[str | None, option("--type", "TYPE", "Only memories of this type.")]
InFilter = Annotated[str | None, option("--in", "NAMESPACE", "Only this namespace and what is below it.")]
TagFilter = Annotated[
    list[str] | None, option("--tag", "TAG", "Only memories with this tag; may be repeated.")
]
EntityFilter = Annotated[
    list[str] | None, option("--entity", "ENTITY", "Only memories about this entity; may be repeated.")
]
AgentFilter = Annotated[str | None, option("--agent", "NAME", "Only memories of this agent.")]
SessionFilter = Annotated[str | None, option("--session", "NAME", "Only memories of this session.")]
StatusFilter = Annotated[
    str | None, option("--status", "STATUS", "Only active, superseded, disputed or expired memories.")
]
SinceFilter = Annotated[
    str | None, option("--since", "DATE", "Only memories created then or later: 2026-11-29, 'last week'.")
]
UntilFilter = Annotated[str | None, option("--until", "DATE", "Only memories created then or earlier.")]
BeforeFilter = Annotated[str | None, option("--before", "DATE", "Only memories created before then.")]
AfterFilter = Annotated[str | None, option("--after", "DATE", "Only memories created after then.")]
QuerySyntax = Annotated[
    bool,
    typer.Option(
        "--query-syntax", help='Read operators: -word, "a phrase", rate*, tag:x, since:"last wednesday".'
    ),
]
ValidFilter = Annotated[
    str | None, option("--valid-at", "DATE", "Only memories valid then; 2026-05 is a month, 2026 a year.")
]
AsOf = Annotated[
    str | None, option("--as-of", "WHEN", "As it was at a date (2016, 2016-05, 2016-05-03), commit or tag.")
]
FieldFilter = Annotated[
    list[str] | None,
    option("--where", "FIELD=VALUE", "Only memories with this front matter field; may be repeated."),
]


def parse_pairs(pairs: list[str] | None, flag: str) -> list[tuple[str, str]]:
    """`K=V` texts taken apart at the first `=`. Raises `BadInput` naming the option."""
    parsed = []
    for pair in pairs or []:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise BadInput(f"{flag}: {pair!r} is not FIELD=VALUE", field=flag.lstrip("-"))
        parsed.append((key.strip(), value))
    return parsed
