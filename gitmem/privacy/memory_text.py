"""One memory file before it is written: what is new in it is judged, and what must not be there is replaced.

New is, against the texts that stood there before:
    in the body      a line that none of them has
    in the header    a text value that none of them has, a comment on a line that none of them has
A header stays valid YAML: values are changed as values, and quoted as they must be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.model.document import Document, parse_document
from gitmem.model.header_edit import HeaderCannotChange, edit_header
from gitmem.model.lazily import Lazy
from gitmem.model.memory import Json
from gitmem.model.sensitive import Action
from gitmem.privacy.found import Found
from gitmem.privacy.judge import Hide, Judge, Sighting, replaced

_NOT_JUDGED = frozenset(
    "type created valid_from valid_until importance confidence status supersedes attachments".split()
)
_COMMENT = Lazy(r"(?:^|(?<=\s))#[^\r\n]*", re.MULTILINE)
_NOT_LINE_END = Lazy(r"[^\n]")
LEAST_NAME_CHARACTERS = 7
Path = tuple[str | int, ...]


class Examined(Struct, frozen=True):
    """What was found, and the text with placeholders for what is to be redacted."""

    text: str
    sightings: Sequence[Sighting] = ()


class _Header(Struct):
    """The new values of a header, as lines `key: value` that a rule can read, and where each stands there."""

    text: str = ""
    places: list[tuple[int, Path, str]] = field(default_factory=list)

    def add(self, path: Path, value: str) -> None:
        # Beside `id`, a number would be taken for that of something.
        self.text += "" if path[0] == "id" else f"{path[0]}: "
        self.places.append((len(self.text), path, value))
        self.text += value + "\n"

    def at(self, found: Found) -> tuple[Path, str, Found] | None:
        """The value that `found` lies in, and where in it; None where it lies in a name."""
        for start, path, value in self.places:
            if start <= found.start < start + len(value):
                end = min(found.end - start, len(value))
                return path, value, Found(found.kind, found.start - start, end)
        return None


def examine(judge: Judge, text: str, before: Sequence[str], hide: Hide) -> Examined:
    """Judges what is new in the memory file `text` against those that stood there `before`."""
    document = parse_document(text)
    if document.error is not None or not document.has_header:
        return examine_text(judge, text, before, hide)
    sightings: list[Sighting] = []
    edited = text
    if not any(document.header in other for other in before):
        edited = _header_examined(judge, document, before, hide, sightings)
    body = document.body
    lines_above = len(re.findall(r"\r\n|\n|\r", text[: len(text) - len(body)]))
    examined = examine_text(judge, body, before, hide, lines_above=lines_above)
    head = edited[: len(edited) - len(body)]
    return Examined(head + examined.text, [*sightings, *examined.sightings])


def examine_text(
    judge: Judge, text: str, before: Sequence[str], hide: Hide, *, lines_above: int = 0
) -> Examined:
    """The same of a text without a header, or of the body behind `lines_above`.

    The lines of what is new altogether are counted without a header, which its writer may not know.
    """
    found = judge.find(_new_lines(text, before))
    sightings = []
    line, place = 1, 0
    for each in found:
        line += text.count("\n", place, each.start)
        place = each.start
        shown = line + (lines_above if before else 0)
        sightings.append(judge.sighting(each, text, f"line {shown}", line=line + lines_above))
    return Examined(_redacted(judge, text, found, hide), sightings)


def _new_lines(text: str, before: Sequence[str]) -> str:
    """`text` with blanks in place of lines that stood there before, so that all places stay."""
    if not before:
        return text
    old = {line.rstrip("\r") for other in before for line in other.split("\n")}
    return "\n".join(" " * len(line) if line.rstrip("\r") in old else line for line in text.split("\n"))


def _redacted(judge: Judge, text: str, found: Sequence[Found], hide: Hide) -> str:
    chosen = [each for each in found if judge.rules.action_of(each.kind) is Action.REDACT]
    return replaced(text, chosen, hide) if chosen else text


def _header_examined(
    judge: Judge, document: Document, before: Sequence[str], hide: Hide, sightings: list[Sighting]
) -> str:
    """The whole text with its header redacted; what was found goes to `sightings`."""
    known = {value for other in before for _, value in _texts(parse_document(other))}
    header = _Header()
    for path, value in _texts(document):
        if value not in known:
            header.add(path, value)
    old_names = {name for other in before for name in _names(parse_document(other).fields)}
    for name in dict.fromkeys(_names(document.fields)):
        if len(name) >= LEAST_NAME_CHARACTERS and name not in old_names:
            header.text += name + "\n"
    lines = {entry.key: document.line_of(entry.line + 1) for entry in document.entries}
    hits: dict[Path, tuple[str, list[Found]]] = {}
    for found in judge.find(header.text):
        place = header.at(found)
        if place is None:
            sightings.append(_fixed(judge.sighting(found, header.text, "the name of a field", line=1)))
            continue
        path, value, inside = place
        sighting = judge.sighting(inside, value, f"the field {_shown(path)}", line=lines.get(str(path[0]), 1))
        is_fixed = path[0] == "id" or path[-1] == "to"
        sightings.append(_fixed(sighting) if is_fixed else sighting)
        if sighting.action is Action.REDACT and not is_fixed:
            hits.setdefault(path, (value, []))[1].append(inside)
    text = document.text
    if hits:
        fields = dict(document.fields)
        for path, (value, inside_all) in hits.items():
            fields[str(path[0])] = _with(fields[str(path[0])], path[1:], replaced(value, inside_all, hide))
        changed = {str(path[0]) for path in hits}
        try:
            text = edit_header(text, {key: fields[key] for key in changed})
        except HeaderCannotChange:
            return _stuck(sightings, text)
    return _comments_examined(judge, text, before, hide, sightings)


def _comments_examined(
    judge: Judge, text: str, before: Sequence[str], hide: Hide, sightings: list[Sighting]
) -> str:
    if "#" not in text:
        return text
    document = parse_document(text)
    if "#" not in document.header:
        return text
    found_all = judge.find(_comments(_new_lines(document.header, before)))
    for each in found_all:
        line = document.line_of(document.header.count("\n", 0, each.start) + 1)
        sightings.append(judge.sighting(each, document.header, "a comment in the header", line=line))
    header = _redacted(judge, document.header, found_all, hide)
    edited = document.prefix + header + document.suffix + document.body
    return edited if parse_document(edited).fields == document.fields else _stuck(sightings, text)


def _comments(header: str) -> str:
    """The comments of a header, with blanks in place of everything else, so that all places stay."""
    parts: list[str] = []
    place = 0
    for found in _COMMENT.finditer(header):
        parts += [_NOT_LINE_END.sub(" ", header[place : found.start()]), found.group()]
        place = found.end()
    return "".join(parts) + _NOT_LINE_END.sub(" ", header[place:])


def _stuck(sightings: list[Sighting], text: str) -> str:
    """Nothing can be replaced without changing what else the header says, so all stands in the way."""
    sightings[:] = [_fixed(each) for each in sightings]
    return text


def _fixed(sighting: Sighting) -> Sighting:
    """What cannot be replaced where it stands is refused where it would have been."""
    if sighting.action is not Action.REDACT:
        return sighting
    return replace(sighting, action=Action.BLOCK)


def _texts(document: Document) -> Iterator[tuple[Path, str]]:
    """The texts in a header and where each stands; whole numbers of seven digits and more are texts too."""
    for key, value in document.fields.items():
        if key not in _NOT_JUDGED:
            yield from _texts_in((key,), value)


def _names(value: Json) -> Iterator[str]:
    """The names of fields, at every depth."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _names(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)


def _texts_in(path: Path, value: Json) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**6:
        yield path, str(value)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _texts_in((*path, place), item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts_in((*path, key), item)


def _with(value: Json, path: Path, text: str) -> Json:
    """`value` with `text` in the place that `path` leads to."""
    if not path:
        return text
    step, rest = path[0], path[1:]
    if isinstance(value, list) and isinstance(step, int):
        return [*value[:step], _with(value[step], rest, text), *value[step + 1 :]]
    assert isinstance(value, dict), "the path was made from the value"
    return {**value, str(step): _with(value[str(step)], rest, text)}


def _shown(path: Path) -> str:
    return str(path[0])
