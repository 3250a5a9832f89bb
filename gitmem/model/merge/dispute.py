"""Several versions of one passage, all kept, in a form that people and programs can read.

    <!-- disputed: both versions are kept, 'gitmem resolve' settles it -->

    **Version 3f9a1c7204:**

    > Alice wants reports by e-mail.

    **Version 8b1c22d0aa (support-bot):**

    > Alice wants reports on paper.

    <!-- end of the dispute -->

Each version is a quote, so that an unclosed fence or comment in one cannot swallow the other. Its name is
that of the file it comes from: the first digits of its git blob. Versions stand in the order of their names,
the same on every clone. A version may be empty, or a whole file (see `whole`).

As a set, versions merge like tags: what either side added is in, what either side settled away is out. So a
third version joins the two, and a dispute that one side settled is settled.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.model.lazily import Lazy

START = "<!-- disputed: both versions are kept, 'gitmem resolve' settles it -->"
END = "<!-- end of the dispute -->"
MOST_NOTE_CHARACTERS = 60
_NAME = "[0-9a-f]{6,40}"
_LABEL = Lazy(
    rf"\*\*Version ({_NAME}(?:, {_NAME})*)(?: \((.*)\))?"
    r"(:| has nothing here\.|, the whole file:|, the whole file, without a last line end:)\*\*[ \t]*"
)
_QUOTED = Lazy(r">(?: ([^\r\n]*))?(\r\n|\n|\r|\Z)")

PASSAGE, NOTHING, FILE, UNENDED_FILE = (
    ":",
    " has nothing here.",
    ", the whole file:",
    ", the whole file, without a last line end:",
)


class Option(Struct, frozen=True):
    """One version of a disputed passage.

    `names` are the versions of the file that have it so, `note` who wrote it where that is known. `lines`
    have their line ends. `is_file`: it is not a passage but a whole file, header and all.
    """

    names: tuple[str, ...]
    lines: tuple[str, ...]
    note: str = ""
    is_file: bool = False

    @property
    def text(self) -> str:
        return "".join(self.lines)

    @property
    def content(self) -> tuple[bool, tuple[str, ...]]:
        """What makes two options the same."""
        return (self.is_file, self.lines)


def dispute_lines(options: Sequence[Option]) -> tuple[str, ...]:
    """The block that keeps `options`."""
    lines = [START + "\n", "\n"]
    for option in in_order(options):
        lines += [_label(option), "\n", *(_quoted(line) for line in option.lines)]
        lines += ["\n"] if option.lines else []
    return (*lines, END + "\n")


def _label(option: Option) -> str:
    if option.is_file:
        is_ended = not option.lines or option.lines[-1].endswith(("\n", "\r"))
        ending = FILE if is_ended else UNENDED_FILE
    else:
        ending = PASSAGE if option.lines else NOTHING
    note = "".join(c for c in option.note if c.isprintable())[:MOST_NOTE_CHARACTERS].strip()
    return f"**Version {', '.join(option.names)}{f' ({note})' if note else ''}{ending}**\n"


def _quoted(line: str) -> str:
    content = line.rstrip("\r\n")
    return (f"> {content}" if content else ">") + (line[len(content) :] or "\n")


def is_frame(line: str) -> bool:
    """Whether `line` belongs to the form of a dispute, and so is no text of anybody."""
    plain = line.rstrip("\r\n")
    return plain in (START, END) or (plain.startswith("**Version ") and _LABEL.fullmatch(plain) is not None)


def read_dispute(lines: Sequence[str], start: int) -> tuple[tuple[Option, ...], int] | None:
    """The options of the dispute that begins at line `start`, and the line behind it; None if it is none."""
    if start >= len(lines) or lines[start].rstrip("\r\n") != START:
        return None
    options: list[Option] = []
    at = _behind_blanks(lines, start + 1)
    while at < len(lines) and (label := _LABEL.fullmatch(lines[at].rstrip("\r\n"))):
        content, at = _content(lines, _behind_blanks(lines, at + 1))
        if (label[3] == NOTHING) != (not content):
            return None
        if label[3] == UNENDED_FILE:
            content[-1] = content[-1].rstrip("\r\n")
        is_file = label[3] in (FILE, UNENDED_FILE)
        options.append(Option(tuple(label[1].split(", ")), tuple(content), label[2] or "", is_file))
        at = _behind_blanks(lines, at)
    if at >= len(lines) or lines[at].rstrip("\r\n") != END or len(options) < 2:
        return None
    return tuple(options), at + 1


def _behind_blanks(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def _content(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    content: list[str] = []
    while at < len(lines) and (match := _QUOTED.fullmatch(lines[at])):
        content.append((match[1] or "") + match[2])
        at += 1
    return content, at


def in_order(options: Sequence[Option]) -> list[Option]:
    """Options by their names: the first is the same one in every dispute of a file."""
    return sorted(options, key=lambda option: (option.names, option.lines))


def merged_options(
    base: Sequence[Option], first: Sequence[Option], second: Sequence[Option]
) -> tuple[Option, ...]:
    """The versions that are left: united, with what either side settled away taken out.

    Cases: one is left, the dispute is settled; several, it goes on; none, because the sides settled it
    differently: what each chose is kept.
    """
    base_has = {option.content for option in base}
    first_has = {option.content for option in first}
    second_has = {option.content for option in second}
    wanted = (first_has & second_has) | (first_has - base_has) | (second_has - base_has)
    wanted = wanted or first_has | second_has
    kept: dict[tuple[bool, tuple[str, ...]], Option] = {}
    for option in (*first, *second):
        if option.content in wanted:
            known = kept.get(option.content)
            kept[option.content] = _joined(known, option) if known else option
    return tuple(in_order(list(kept.values())))


def _joined(one: Option, other: Option) -> Option:
    names = tuple(sorted({*one.names, *other.names}))
    return Option(names, one.lines, one.note or other.note, one.is_file)
