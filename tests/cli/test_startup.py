"""What a command loads before it answers: by the names of modules, since times depend on the machine."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.cli.app import MODULES, app
from gitmem.cli.lazy import PlainCommand
from gitmem.cli.main import main
from gitmem.cli.plain_values import NotPlain, PlainValue
from gitmem.store import Store

SOURCE = str(Path(__file__).parents[2])
NEVER = {"pydantic", "rich", "git", "gitdb", "ruamel", "numpy", "httpx", "mcp", "anthropic", "openai"}
NO_INDEX = {"whoosh", "gitmem.index.branch_index", "gitmem.recall"}
NO_WRITING = {
    "whoosh.writing",
    "whoosh.qparser",
    "gitmem.index.writing",
    "gitmem.flows.writing.apply",
    "gitmem.git.publication",
}
NO_PARSER = {"yaml", "frontmatter"}
NO_WHOOSH = {
    f"whoosh.{name}" for name in "compat codec columns fields filedb formats index matching reading".split()
}
"""Whoosh writes the index; who reads it takes nothing of it but the stemmer."""
NO_COMPARING = {
    f"gitmem.evolve.{name}" for name in "claims contradictions duplicates statement wording".split()
}
"""What is said is compared sentence by sentence only with what is near."""
NOT_ASKED_FOR = {
    "gitmem.flows.found",
    "gitmem.flows.writing.anchoring",
    "gitmem.privacy.normal",
    "gitmem.privacy.tombstones",
}
NO_ANCHORS = {"gitmem.flows.reading.anchor_look", "gitmem.versions.staleness", "gitmem.versions.audit"}
CASES = [
    (
        ["--version"],
        NEVER
        | NO_INDEX
        | NO_WRITING
        | NO_PARSER
        | {"typer", "pygit2", "json", "subprocess", "gitmem.surroundings"},
    ),
    (["recall", "kestrel"], NEVER | NO_WRITING | NO_WHOOSH | NO_PARSER | NO_ANCHORS),
    (["list", "--tag", "x", "-n", "3"], NEVER | NO_WRITING | NO_WHOOSH | NO_PARSER),
    (["show", "one"], NEVER | NO_INDEX | NO_WRITING | NO_PARSER),
    (
        ["remember", "a new fact", "--tag", "x", "--importance", "0.4"],
        NEVER | NO_INDEX | NO_PARSER | NO_COMPARING | NOT_ASKED_FOR,
    ),
    (["update", "one", "changed"], NEVER | NO_INDEX | NO_PARSER),
    (["hook", "post-commit"], NEVER | NO_WRITING | NO_PARSER),
    (["--help"], NEVER | NO_INDEX | NO_WRITING | {"pygit2"}),
    (["recall"], NEVER | NO_INDEX | NO_WRITING | {"pygit2"}),
]


def loaded(folder: Path, arguments: list[str]) -> set[str]:
    """The modules that one run of the command loads."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "gitmem.cli.main", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )
    names = re.findall(r"^import time:.*\| +(\S+)$", done.stderr, re.MULTILINE)
    assert "contextlib" in names, done.stderr
    return set(names)


@pytest.mark.parametrize(("arguments", "absent"), CASES, ids=[" ".join(case[0][:1]) for case in CASES])
def test_a_command_loads_only_what_it_uses(
    store: Store, folder: Path, arguments: list[str], absent: set[str]
) -> None:
    """Whole packages are told by their names, so a module below an absent one is absent too."""
    store.remember("kestrel", id="one", tags=["x"])
    # A move that was finished must not be looked for in every command after it.
    store.remember("heron", id="two")
    store.archive(["two"])
    store.recall("kestrel")
    names = loaded(folder, arguments)
    assert not {name for name in names if any(name == each or name.startswith(each + ".") for each in absent)}


def test_the_library_loads_no_index_before_a_question() -> None:
    program = "import sys\nfrom gitmem.store import Store\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    roots = {name.split(".")[0] for name in done.stdout.split()}
    assert not roots & {"whoosh", "yaml", "frontmatter", "git", "typer"}


def test_every_command_is_named_where_its_module_is() -> None:
    """The table that says what to load is that of the modules."""
    for module, names in MODULES.items():
        assert names.split() == list(importlib.import_module(f"gitmem.cli.{module}").COMMANDS)
    group: Any = typer.main.get_command(app)
    assert list(group.commands) == [name for names in MODULES.values() for name in names.split()]
    for name, command in group.commands.items():
        assert command.name == name and isinstance(command, PlainCommand)


def _example(
    text: str,
    number: Annotated[int, typer.Option("--number", min=0)] = 3,
    share: Annotated[float | None, typer.Option("--share")] = None,
    path: Annotated[Path | None, typer.Option("--path")] = None,
    words: Annotated[list[str] | None, typer.Option("--word")] = None,
    flag: Annotated[bool, typer.Option("--flag")] = False,
) -> None:
    del text, number, share, path, words, flag


def _parameters(cls: type[Any]) -> dict[str, Any]:
    one = typer.Typer(add_completion=False)
    one.command("example", cls=cls)(_example)
    command: Any = typer.main.get_command(one)
    context = command.make_context("example", ["x"])
    return {parameter.name: parameter for parameter in command.get_params(context)} | {"context": context}


TEXTS = st.one_of(
    st.sampled_from(
        ["", "0", "7", "-1", "007", "1e3", "1_0", " 5 ", "5.0", "0.25", ".5", "nan", "inf", "true", "-", "."]
    ),
    st.sampled_from(["/", "/nowhere/at all", "a\0b", "x\udcff", "é", "\u0665"]),
    st.text(max_size=6),
)


@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
@pytest.mark.parametrize("name", ["text", "number", "share", "path", "words", "flag"])
def test_a_value_is_made_as_typer_makes_it(name: str, text: str) -> None:
    """The same value, or refused with the same words."""
    plain, usual = _parameters(PlainCommand), _parameters(typer.core.TyperCommand)

    def made(parameters: dict[str, Any], value: Any) -> Any:
        parameter = parameters[name]
        try:
            found = parameter.process_value(parameters["context"], value)
        except typer.BadParameter as error:
            return error.format_message()
        return type(found), repr(found)

    for value in ([text] if name == "words" else text, None, () if name == "words" else None):
        assert made(plain, value) == made(usual, value)


def test_what_is_odd_goes_the_usual_way() -> None:
    """And only that."""

    class Usual:
        @staticmethod
        def coerce(value: Any, **_: Any) -> str:
            return f"usual {value}"

    def read(value: str) -> str:
        if value == "odd":
            raise NotPlain
        return f"plain {value}"

    value = PlainValue(read, Usual)
    assert (value.coerce("x", None, None), value.coerce("odd", None, None)) == ("plain x", "usual odd")


@pytest.mark.parametrize(("given", "used"), [(None, "1"), ("4", "4")])
def test_a_command_leaves_small_products_to_one_thread(
    monkeypatch: pytest.MonkeyPatch, given: str | None, used: str
) -> None:
    """Before numpy is loaded; what the user set stays."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", given or "")
    if given is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    seen: list[str | None] = []
    monkeypatch.setattr(
        "gitmem.cli.run.main", lambda *_, **__: seen.append(os.environ.get("OPENBLAS_NUM_THREADS"))
    )
    main(["status"])
    assert seen == [used]
