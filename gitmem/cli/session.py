"""One run of the command: which store, text or JSON, and the streams."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from gitmem.cli.terminal import ProgressLine, visible
from gitmem.errors import BadInput, NotAStore
from gitmem.model.visible import one_line
from gitmem.surroundings import environ, in_folder

if TYPE_CHECKING:
    from gitmem.store import Store

STORE_VARIABLE = "GITMEM_STORE"
MAX_INPUT_BYTES = 64 * 1024 * 1024


class Session(Struct):
    """What the options common to all commands say."""

    as_json: bool = False
    folder: Path | None = None
    branch: str | None = None
    progress: ProgressLine = field(default_factory=ProgressLine)
    opened: Store | None = None
    """The store that was worked on last."""
    said: set[str] = field(default_factory=set)

    def start(self) -> Path:
        """Where to look for the store: `-C`, else `GITMEM_STORE`, else here."""
        if self.folder is not None:
            return self._existing(self.folder, "-C")
        named = environ().get(STORE_VARIABLE)
        return self._existing(Path(named), STORE_VARIABLE) if named else in_folder(Path())

    def _existing(self, folder: Path, setting: str) -> Path:
        there = in_folder(folder)
        if not there.exists():
            raise NotAStore(
                f"{setting}: {folder} does not exist", hint=f"'gitmem init {folder}' makes a store there"
            )
        return there

    def store(self, as_of: str | None = None, *, is_mended: bool = True) -> Store:
        """The store to work on, on the branch asked for; with `as_of` as it was then.

        As an accident left it unless `is_mended`.
        """
        from gitmem.store import Store

        store = Store.open(self.start(), notice=self.talk, progress=self.progress, is_mended=is_mended)
        store = store.on(self.branch) if self.branch else store
        self.opened = store
        return store if as_of is None else store.at(as_of)

    def close(self) -> None:
        """Sees to it that the next command is helped, where that is wanted."""
        if self.opened is not None:
            self.opened.start_helper()

    def emit(self, shape: Callable[[], Mapping[str, Any]], text: Callable[[], str]) -> None:
        """Prints the result: as JSON where asked for, else as text in which nothing commands the terminal."""
        from gitmem.cli.shapes import json_text

        self.progress.clear()
        write_out(json_text(shape()) if self.as_json else visible(text()))

    def talk(self, message: str) -> None:
        """Says something that is not data, once; nothing fails where nobody can be told."""
        if message in self.said:
            return
        self.said.add(message)
        with contextlib.suppress(OSError):
            self.progress.clear()
            sys.stderr.write(f"gitmem: {one_line(message)}\n")

    def talk_all(self, messages: tuple[str, ...] | list[str]) -> None:
        for message in messages:
            self.talk(message)


def write_out(text: str) -> None:
    """Writes data to standard output, in UTF-8 whatever the locale."""
    write_out_bytes(text.encode("utf-8", "replace"))


def write_out_bytes(data: bytes) -> None:
    """Writes bytes to standard output and makes sure they left."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def read_in(source: str, *, what: str) -> str:
    """The UTF-8 text of a file, or of standard input for `-`. Raises `BadInput` naming it."""
    name = "standard input" if source == "-" else source
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
        else:
            with open(in_folder(Path(source)), "rb") as file:
                data = file.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{what}: cannot read {name}: {error.strerror}", field=what) from error
    if len(data) > MAX_INPUT_BYTES:
        raise BadInput(f"{what}: {name} is larger than {MAX_INPUT_BYTES // 2**20} MiB", field=what)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{what}: {name} is not UTF-8 (byte {error.start})", field=what) from error
