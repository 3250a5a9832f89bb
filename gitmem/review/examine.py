"""What is found in the text of one memory, and between it and those that are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gitmem.evolve.claims import Reading
from gitmem.evolve.contradictions import contradictions
from gitmem.evolve.duplicates import says_the_same
from gitmem.model.memory import Memory
from gitmem.model.visible import one_line
from gitmem.model.wiki_links import wiki_links
from gitmem.review.injection import find_injections
from gitmem.review.links import hosts, looks_like_an_id
from gitmem.review.rule import Match
from gitmem.versions.audit import Finding
from gitmem.versions.check_settings import CheckSettings

MAX_SHOWN_CHARACTERS = 80


def findings_in_text(path: str, text: str, settings: CheckSettings) -> Iterator[Finding]:
    """Orders to a model, text over the limit, and links to hosts that are not listed, in one file."""
    found: dict[tuple[str, int], Match] = {}
    for match in find_injections(text):
        found.setdefault((match.code, _line_of(text, match.start)), match)
    for (code, line), match in found.items():
        yield Finding(match.severity, code, path, _said(match, text), line)
    size_bytes = len(text.encode("utf-8", "surrogateescape"))
    if settings.max_bytes is not None and size_bytes > settings.max_bytes:
        message = f"has {size_bytes:,} bytes; check.max_bytes allows {settings.max_bytes:,}"
        yield Finding("error", "size", path, message)
    if settings.hosts is not None:
        seen: set[str] = set()
        for host, place in hosts(text):
            if not settings.allows(host) and host not in seen:
                seen.add(host)
                message = f"leads to {_short(host)}, which check.hosts does not list"
                yield Finding("warning", "foreign-host", path, message, _line_of(text, place))


def broken_wiki_links(path: str, text: str, is_known: Callable[[str], bool]) -> Iterator[Finding]:
    """The `[[links]]` in a file that lead nowhere: a warning for an id, a note for the name of a page."""
    for name, place in wiki_links(text):
        if not is_known(name):
            severity = "warning" if looks_like_an_id(name) else "note"
            shown = _short(name)
            message = f"[[{shown}]]: no memory {shown!r}"
            yield Finding(severity, "broken-link", path, message, _line_of(text, place))


def findings_beside(reading: Reading, others: Iterable[Reading]) -> Iterator[Finding]:
    """The known memory that says the same, if there is one, and those that say the contrary."""
    memory = reading.memory
    for other in others:
        if says_the_same(reading, other):
            message = f"says what {_named(other.memory)} says"
            yield Finding("warning", "near-duplicate", memory.path, message)
            continue
        for found in contradictions(reading, other):
            reason = found.reason.replace("{other}", _named(other.memory))
            message = f"{reason}, in line {found.other.line}: {_short(found.other.text)!r}"
            yield Finding(found.severity, "contradiction", memory.path, message, found.claim.line)


def _named(memory: Memory) -> str:
    return f"{memory.id} ({memory.path})"


def _said(match: Match, text: str) -> str:
    if match.decoded:
        return f"{match.says}: {_short(match.decoded)!r}"
    if match.is_hidden:
        return match.says
    return f"{match.says}: {_short(text[match.start : match.end])!r}"


def _short(text: str) -> str:
    """`text` as it may stand in a message: one line, visible, at most 80 characters."""
    line = one_line("".join(each if each.isprintable() else " " for each in text))
    return line if len(line) <= MAX_SHOWN_CHARACTERS else line[: MAX_SHOWN_CHARACTERS - 1] + "…"


def _line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
