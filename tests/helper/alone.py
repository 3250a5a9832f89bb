"""Runs many commands, each in a child of one process that has loaded gitmem: what each does by itself.

usage: python alone.py < [[arguments, variables, input in hex], ...] as JSON; prints [[code, out, err], ...]
"""

from __future__ import annotations

import json
import os
import sys
import tempfile

from gitmem.cli import commands_read, commands_store, commands_write, render, shapes
from gitmem.cli.run import main
from gitmem.flows import recall, remember

LOADED = (commands_read, commands_store, commands_write, render, shapes, recall, remember)


def run(arguments: list[str], variables: dict[str, str], data: bytes) -> tuple[int, str, str]:
    """The exit code and, in hex, what was printed."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(data)
        given.seek(0)
        child = os.fork()
        if child == 0:
            for number, file in enumerate((given, out, err)):
                os.dup2(file.fileno(), number)
            os.environ.update(variables)
            try:
                main(arguments)
            except SystemExit as end:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(int(str(end.code)))
            os._exit(99)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().hex())
    return code, texts[0], texts[1]


if __name__ == "__main__":
    cases = json.load(sys.stdin)
    results = [run(arguments, variables, bytes.fromhex(data)) for arguments, variables, data in cases]
    json.dump(results, sys.stdout)
