"""Runs a command and turns whatever happens into an exit code and one line."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, TextIO

from gitmem.cli.streams import occupy_closed_streams
from gitmem.errors import GitmemError, NotAStore, OutsideFailure

BROKEN_PIPE_EXIT = 141
INTERRUPTED_EXIT = 130
BUG_EXIT = 70
TAKES_FREE_TEXT = frozenset({"recall", "remember", "append", "update"})
FLAGS = frozenset({"--json", "--explain", "--fail-empty", "--archived", "--quarantined", "--query-syntax"})


class Unusual(Exception):
    """What the process that asked has to do, or to say, by itself."""


def main(given: Sequence[str], *, operation_id: str | None = None) -> None:
    """Runs the command in `given` and exits.

    `operation_id` is set where another process began to do it and died: what it did is not done again.
    """
    occupy_closed_streams()
    code = 0
    try:
        with _repeating(operation_id):
            code = _print_version() if given == ["--version"] else run(given)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout)
    except (OSError, ValueError) as error:
        _silence(sys.stdout)
        if code == 0 and isinstance(error, OSError):
            code = _fail(_outside(error), as_json=False)
    _drop_what_cannot_be_said()
    # What is loaded stays to the end: the interpreter need not look through it for cycles when it goes.
    gc.freeze()
    sys.exit(code)


def _repeating(operation_id: str | None) -> contextlib.AbstractContextManager[None]:
    if operation_id is None:
        return contextlib.nullcontext()
    from gitmem.surroundings import repeating

    return repeating(operation_id)


def _print_version() -> int:
    """What the option does, without loading anything to read options with."""
    from gitmem import __version__

    sys.stdout.write(f"gitmem {__version__}\n")
    return 0


def run_for_another(arguments: Sequence[str]) -> int:
    """Like `run`, but raises `Unusual` for what the process that asked does better; nothing was changed."""
    try:
        return _invoke(options_behind_text(list(arguments)))
    except GitmemError as error:
        if isinstance(error, NotAStore):
            raise Unusual from error
        return _fail(error, "--json" in arguments)
    except OSError as error:
        return _fail(_outside(error), "--json" in arguments)
    except MemoryError:
        return _fail(OutsideFailure("out of memory"), "--json" in arguments)
    except Exception as error:
        import typer

        if isinstance(error, typer.TyperException | typer.Abort):
            raise Unusual from error
        return _bug(error, "--json" in arguments)


def code_of_failed_output(error: OSError) -> int:
    """The exit code where standard output cannot be written; says why unless nobody listens any more."""
    if isinstance(error, BrokenPipeError):
        return BROKEN_PIPE_EXIT
    return _fail(_outside(error), as_json=False)


def run(arguments: Sequence[str]) -> int:
    """The exit code of one command. Prints what it has to say; never raises."""
    if len(arguments) in (5, 6) and arguments[0] == "merge-driver" and "--json" not in arguments:
        # Git calls it once for each file that both sides changed: the rest of the command is not loaded.
        from gitmem.cli.driver import run_driver

        return run_driver(arguments[1:])
    import typer

    as_json = "--json" in arguments
    try:
        code = _invoke(options_behind_text(list(arguments)))
    except typer.TyperException as error:
        return _fail_usage(error, as_json)
    except GitmemError as error:
        return _fail(error, as_json)
    except (BrokenPipeError, SystemExit):
        # The command-line library turns a reader that has gone into an exit of its own.
        _silence(sys.stdout)
        return BROKEN_PIPE_EXIT
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED_EXIT
    except OSError as error:
        return _fail(_outside(error), as_json)
    except MemoryError:
        return _fail(OutsideFailure("out of memory"), as_json)
    except Exception as error:  # noqa: BLE001  the last line of defence: a bug becomes a file and one line
        return _bug(error, as_json)
    return code


def _invoke(arguments: list[str]) -> int:
    import typer

    try:
        result = _command().main(arguments, prog_name="gitmem", standalone_mode=False)
    except typer.Exit as exit_:
        return exit_.exit_code
    return result if isinstance(result, int) else 0


@cache
def _command() -> Any:
    """The command with all its options, made once for those who run many."""
    import typer

    from gitmem.cli.app import app

    return typer.main.get_command(app)


def options_behind_text(arguments: list[str]) -> list[str]:
    """`recall -- TEXT --json` means the option, not the word: what follows the text is moved before `--`.

    Only options that the command has, written in full, are moved; the text itself never is.
    """
    if not TAKES_FREE_TEXT.intersection(arguments):
        return arguments
    if "--" not in arguments:
        return _text_that_begins_with_a_dash(arguments)
    at = arguments.index("--")
    before, text, rest = arguments[:at], arguments[at + 1 : at + 2], arguments[at + 2 :]
    valued = {"--limit", "-n", "-C", "--branch", "--type", "--in", "--tag", "--where", "--min-relevance"}
    valued |= {"--since", "--until", "--before", "--after", "--valid-at", "--as-of"}
    moved: list[str] = []
    words: list[str] = []
    while rest:
        word = rest.pop(0)
        if word in FLAGS:
            moved.append(word)
        elif word in valued and rest:
            moved += [word, rest.pop(0)]
        else:
            words.append(word)
    return [*before, *moved, "--", *text, *words]


def _text_that_begins_with_a_dash(arguments: list[str]) -> list[str]:
    """`append ID "- a point" --json` has a text, not an option: no option holds a blank.

    What is the value of an option stays where it is.
    """
    for number, word in enumerate(arguments):
        before = arguments[number - 1] if number else ""
        is_value = before.startswith("-") and before not in FLAGS
        if word.startswith("-") and any(c.isspace() for c in word.partition("=")[0]) and not is_value:
            return [*arguments[:number], *arguments[number + 1 :], "--", word]
    return arguments


def _fail_usage(error: Exception, as_json: bool) -> int:
    from gitmem.errors import BadInput

    message = " ".join(str(getattr(error, "format_message", lambda: str(error))()).split())
    command = getattr(getattr(error, "ctx", None), "command_path", "gitmem")
    return _fail(BadInput(message.removesuffix("."), hint=f"see '{command} --help'"), as_json)


def _fail(error: GitmemError, as_json: bool) -> int:
    from gitmem.cli.session import write_out
    from gitmem.cli.shapes import error_shape, json_text
    from gitmem.model.visible import one_line, printable

    line = f"gitmem: {error.message}" + (f"; {error.hint}" if error.hint else "")
    with contextlib.suppress(OSError):
        details = "" if as_json else error.details()
        text = one_line(line) + "\n" + (printable(details).rstrip("\n") + "\n" if details else "")
        sys.stderr.write(text.encode("utf-8", "replace").decode())
    if as_json:
        with contextlib.suppress(OSError):
            write_out(json_text(error_shape(error)))
    return error.exit_code


def _outside(error: OSError) -> OutsideFailure:
    if error.filename is not None:
        return OutsideFailure(f"{error.filename}: {error.strerror or error}")
    try:
        os.getcwd()  # noqa: PTH109
    except OSError:
        return OutsideFailure(
            "the folder where this was called is not there any more", hint="'cd' to one that is"
        )
    return OutsideFailure(f"standard output: {error.strerror or error}")


def _silence(stream: TextIO) -> None:
    """Keeps the interpreter from complaining about the closed pipe or the full disk when it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _drop_what_cannot_be_said() -> None:
    """Keeps the exit code: the interpreter gives 120 for a line that standard error does not take."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        _silence(sys.stderr)


def _bug(error: Exception, as_json: bool) -> int:
    if type(error).__module__.startswith(("pygit2", "_pygit2")):
        return _fail(OutsideFailure(f"git: {error}"), as_json)
    import tempfile
    import traceback

    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="gitmem-bug-", suffix=".log", delete=False, encoding="utf-8", errors="replace"
        ) as file:
            traceback.print_exc(file=file)
            where = file.name
    except OSError:
        where = "nowhere: the temporary folder cannot be written"
    return _fail(GitmemError(f"a bug in gitmem ({type(error).__name__}); details are in {where}"), as_json)
