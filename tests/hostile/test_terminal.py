"""What a memory says to a terminal: nothing that the terminal would obey, in any text that is printed."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.cli.run import run
from gitmem.model.visible import REPLACEMENT, escaped_in_json, one_line, printable
from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import Ran, git, gitmem

ESCAPES = [
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x1b]52;c;cm0gLXJm\x07",
    "\x9b31m",
    "\x90q\x9c",
    "\x08\x08\x08",
    "\x7f",
    "a\rb",
    "\u202egnp.exe",
    "\u2066x\u2069",
    "\x0e\x0f",
    "\x00",
]
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HARMLESS = "日本語 😀 👩‍👩‍👧‍👦 می‌خواهم עברית\u200f ​café"


def harm_in(text: str) -> list[str]:
    return OBEYED.findall(text)


@pytest.fixture
def hostile(store: Store, folder: Path) -> Path:
    """A store in which names, titles, texts, fields, messages and authors hold every escape."""
    evil = "".join(ESCAPES)
    in_name = "".join(text for text in ESCAPES if "\x00" not in text).replace("/", "")
    quoted = "".join(f"\\x{ord(c):02x}" if ord(c) < 256 else f"\\u{ord(c):04x}" for c in evil if c != "\x00")
    header = f'---\nid: evil\ntitle: "{quoted} marmot"\ntags: ["{quoted}"]\nagent: "{quoted}"\nsource: "{quoted}"\n---\n'
    (folder / f"{in_name}.md").write_bytes(f"{header}marmot {evil}\n{HARMLESS}\n".encode())
    (folder / f"broken{in_name}.md").write_bytes(
        f'---\nid: broken\n{evil}: : "\n---\nmarmot {evil}\n'.encode()
    )
    git(folder, "add", ".")
    message = f"by hand {evil}".replace("\x00", "") + f"\n\nAgent: {evil}\nOperation: x{evil}\n".replace(
        "\x00", ""
    )
    git(folder, "-c", f"user.name=N{in_name}", "commit", "-q", "--cleanup=verbatim", "-m", message)
    (folder / f"{in_name}.md").write_bytes(f"{header}marmot again {evil}\n".encode())
    git(folder, "commit", "-qam", f"again {in_name}")
    git(folder, "mv", f"{in_name}.md", f"moved{in_name}.md")
    git(folder, "commit", "-qm", "moved")
    (folder / f"edited{in_name}.md").write_bytes(f"marmot {evil}\n".encode())
    git(folder, "branch", "\u202ebidi\x9b")
    return folder


COMMANDS = [
    ["recall", "marmot", "--explain"],
    ["recall", "\x1b[31m marmot", "--tag", "\x1b[31m"],
    ["list"],
    ["show", "evil"],
    ["show", "broken"],
    ["show", "\x1b[31mnone"],
    ["log"],
    ["log", "evil"],
    ["diff", "evil", "v1"],
    ["blame", "evil"],
    ["check"],
    ["status"],
    ["doctor"],
    ["reindex"],
    ["append", "broken", "x", "--expect", "HEAD~2"],
    ["tag", "evil", "--add", "x\x1b"],
    ["update", "evil", "x", "--expect", "HEAD~2"],
    ["archive", "broken"],
    ["restore", "broken"],
    ["commit"],
    ["export", "out"],
    ["export", "out"],
    ["import", "markdown", "out"],
    ["undo"],
]


def run_here(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> Ran:
    """One run of the command in this process, which is much faster than one of its own."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    code = run(arguments)
    texts = [stream.buffer.getvalue().decode() for stream in streams]
    monkeypatch.setattr(sys, "stdout", sys.__stdout__)
    monkeypatch.setattr(sys, "stderr", sys.__stderr__)
    return Ran(code, *texts)


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=["text", "json"])
def test_nothing_that_a_terminal_obeys_is_printed(
    hostile: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str]
) -> None:
    """Neither on standard output nor on standard error, by any command, whatever the memory says."""
    monkeypatch.chdir(hostile)
    for arguments in COMMANDS:
        done = run_here(monkeypatch, [*arguments, *flags])
        assert done.code != 70, (arguments, done.err)
        assert not harm_in(done.out), (arguments, harm_in(done.out))
        assert not harm_in(done.err), (arguments, harm_in(done.err))
        if flags:
            assert done.json


def on_a_terminal(folder: Path, *arguments: str, env: dict[str, str] | None = None) -> Ran:
    """One run of the command on a terminal of its own."""
    controller, terminal = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm", **(env or {})}
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        stdin=terminal,
        stdout=terminal,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    os.close(terminal)
    pieces = []
    while True:
        try:
            piece = os.read(controller, 65536)
        except OSError:
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(controller)
    return Ran(process.wait(), b"".join(pieces).decode("utf-8", "replace"), "")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_on_a_terminal_only_our_own_styles_are_seen(hostile: Path) -> None:
    """Bold, dim and yellow come from gitmem alone; a text that carries the same codes gets none."""
    style = re.compile("\x1b\\[(0|1|2|33)m")
    for arguments in (
        ["recall", "marmot", "--explain"],
        ["show", "evil"],
        ["log", "evil"],
        ["diff", "evil", "v1"],
    ):
        done = on_a_terminal(hostile, *arguments)
        assert style.search(done.out), arguments
        assert not harm_in(style.sub("", done.out).replace("\r\n", "\n")), arguments
    plain = on_a_terminal(hostile, "show", "evil", env={"NO_COLOR": "1"})
    assert not harm_in(plain.out.replace("\r\n", "\n"))
    (hostile / "bold.md").write_text("---\nid: bold\n---\nmarmot \x1b[1mbold\x1b[0m\n")
    assert "\x1b[1mbold" not in on_a_terminal(hostile, "show", "bold").out


def test_what_was_stored_is_given_back_exactly_where_that_is_asked_for(store: Store, folder: Path) -> None:
    """`show --raw` and JSON lose nothing; only the text for people is made harmless."""
    text = "".join(text for text in ESCAPES if text != "\x00") + HARMLESS + "\r\nend\n"
    written = store.remember(text, title="x \u202e \x9b y", id="evil")
    assert gitmem(folder, "show", "evil", "--json").json["body"] == text
    assert gitmem(folder, "show", "evil", "--json").json["title"] == "x \u202e \x9b y"
    raw = subprocess.run([*COMMAND, "show", "evil", "--raw"], cwd=folder, capture_output=True, check=True)
    assert raw.stdout == (folder / written.path).read_bytes()


def test_what_words_and_emoji_are_made_of_is_not_replaced(store: Store, folder: Path) -> None:
    """Joiners, marks of direction and every script are printed as they were written."""
    store.remember(HARMLESS, title=HARMLESS, id="ok")
    assert gitmem(folder, "show", "ok").out.count(HARMLESS) == 2
    assert HARMLESS in gitmem(folder, "list").out


@pytest.mark.parametrize("text", ESCAPES)
def test_each_character_is_made_harmless(text: str) -> None:
    """In text, in a line and in JSON."""
    assert not harm_in(printable(text)) and REPLACEMENT in printable(text)
    assert not harm_in(one_line(text))
    assert not harm_in(escaped_in_json(text))


def test_line_ends_and_tabs_stay() -> None:
    """A text with CRLF is printed with the line ends of the system."""
    assert printable("a\tb\r\nc\n") == "a\tb\nc\n"
    assert one_line(" a\tb\r\nc\u2028d  e ") == "a b c d e"
