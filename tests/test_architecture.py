"""The shape of the package: imports point down, rules stay pure, modules and functions stay small."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "gitmem"

# The lowest first. Names in one line stand on one level, and may import each other.
LAYERS = (
    ("", "errors", "clock", "surroundings", "platform"),
    ("model",),
    ("lifecycle",),
    ("git",),
    ("versions",),
    ("index",),
    ("embed",),
    ("privacy",),
    ("recall",),
    ("evolve",),
    ("review",),
    ("models",),
    ("flows",),
    ("store",),
    ("helper",),
    ("cli", "mcp", "adapters", "web", "daemon"),
)
RANKS = {name: rank for rank, names in enumerate(LAYERS) for name in names}
DOORS = frozenset(LAYERS[-1])
OPENED = frozenset({("cli", "mcp")})
"""Doors that another one opens: the command line starts what serves."""
FOR_DOORS = frozenset({"", "errors", "clock", "surroundings", "model", "store", "helper"})
TYPES_FOR_DOORS = FOR_DOORS | {"evolve", "flows", "index", "lifecycle", "recall"}
"""Under `if TYPE_CHECKING:` a door may name the results that Store hands out."""

UPWARD: dict[tuple[str, str], str] = {}
"""Imports that point up all the same: (importer, imported) and the reason."""
FORBIDDEN = {"git": "model", "index": "versions"}
"""Below them in the order, but not theirs to know: `git` knows nothing of memories, and `index` gets them from
a source that is handed in."""

PURE = ("model", "lifecycle")
IMPURE_MODULES = frozenset({"os", "pathlib", "subprocess", "shutil", "socket", "tempfile", "time"})
CLOCK_CALLS = frozenset({"now", "utcnow", "today"})
MOST_MODULE_LINES = 300
MOST_FUNCTION_LINES = 50


@dataclass(frozen=True, slots=True)
class Import:
    """One import of a module of the package by another."""

    importer: str
    imported: str
    line: int
    is_for_types: bool

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


@dataclass(slots=True)
class Facts:
    """What these tests ask of one module. Trees of all modules would be kept, and slow every collection."""

    lines: int
    imports: list[Import]
    at_top: list[tuple[int, set[str]]]
    """Lines of the imports that are carried out when the module is, and what they name."""
    impure: list[str]
    """Where files, clocks or settings are asked."""
    stories: dict[str, int]
    """The functions with the lines of their bodies."""


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def _layer(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@cache
def _facts() -> dict[str, Facts]:
    return {module: _facts_of(module) for module in MODULES}


def _facts_of(module: str) -> Facts:
    source = MODULES[module].read_text("utf-8")
    tree = ast.parse(source)
    for_types = _type_blocks(tree)
    facts = Facts(len(source.splitlines()), [], [], [], {})
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import | ast.ImportFrom):
            targets = set(_targets(node, module))
            ours = {target for target in targets if target.split(".")[0] == "gitmem"}
            facts.imports += [Import(module, target, line, line in for_types) for target in sorted(ours)]
            packages = {target.split(".")[0] for target in targets}
            facts.impure += [f"{module}:{line} imports {name}" for name in packages & IMPURE_MODULES]
            if node in tree.body:
                facts.at_top.append((line, packages))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            facts.stories[f"{module}:{line} {node.name}"] = _story_lines(node)
        elif isinstance(node, ast.Attribute) and node.attr in CLOCK_CALLS:
            facts.impure.append(f"{module}:{line} asks the clock: {ast.unparse(node)}")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            facts.impure.append(f"{module}:{line} opens a file")
    return facts


def _type_blocks(tree: ast.Module) -> set[int]:
    """The lines that stand under `if TYPE_CHECKING:`."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for statement in node.body
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    }


def _targets(node: ast.Import | ast.ImportFrom, module: str) -> Iterator[str]:
    """The modules that an import statement names, whole."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = node.module or ""
    if node.level:
        is_package = MODULES[module].name == "__init__.py"
        parts = module.split(".")
        up = node.level - 1 if is_package else node.level
        base = ".".join([*parts[: len(parts) - up], *filter(None, [node.module])])
    for alias in node.names:
        yield f"{base}.{alias.name}" if f"{base}.{alias.name}" in MODULES else base


def _story_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines from the first statement behind the docstring to the end."""
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return (node.end_lineno or node.lineno) - body[0].lineno + 1 if body else 0


def _imports() -> list[Import]:
    return [each for facts in _facts().values() for each in facts.imports]


def _circles() -> list[str]:
    """Groups of modules that need each other, be it inside a function or for types alone."""
    graph = {module: {each.imported for each in facts.imports} for module, facts in _facts().items()}
    sorter = TopologicalSorter({module: needed - {module} for module, needed in graph.items()})
    try:
        sorter.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_two_modules_need_each_other() -> None:
    assert not _circles(), " needs ".join(reversed(_circles()))


def test_every_package_has_a_place_in_the_order() -> None:
    """A new package is put into the order before anything imports it."""
    assert {_layer(module) for module in MODULES} <= set(RANKS)


def test_imports_point_down() -> None:
    """A module imports from its own level and those below, also inside functions and for types."""
    upward = [
        str(each)
        for each in _imports()
        if RANKS[_layer(each.imported)] > RANKS[_layer(each.importer)]
        and (each.importer, each.imported) not in UPWARD
    ]
    assert not upward, "\n".join(upward)


def test_exceptions_are_still_needed() -> None:
    """An exception that nobody uses any more is removed."""
    assert set(UPWARD) <= {(each.importer, each.imported) for each in _imports()}


def test_doors_use_the_store_only() -> None:
    """A door parses, calls one Store verb and prints; it may name the types of results."""
    wrong = [
        str(each)
        for each in _imports()
        if (door := _layer(each.importer)) in DOORS
        and _layer(each.imported) != door
        and (door, _layer(each.imported)) not in OPENED
        and _layer(each.imported) not in (TYPES_FOR_DOORS if each.is_for_types else FOR_DOORS)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("layer", "other"), FORBIDDEN.items())
def test_git_and_index_know_less_than_they_might(layer: str, other: str) -> None:
    """`git` imports no model, `index` no versions, whatever the order would allow."""
    wrong = [
        str(each) for each in _imports() if _layer(each.importer) == layer and _layer(each.imported) == other
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("layer", PURE)
def test_rules_read_no_file_clock_or_setting(layer: str) -> None:
    """`model` and `lifecycle` compute from what they are given; `now` is an argument."""
    wrong = [each for module, facts in _facts().items() if _layer(module) == layer for each in facts.impure]
    assert not wrong, "\n".join(wrong)


def test_modules_stay_below_300_lines() -> None:
    """Past that there are two ideas in a module."""
    assert not {name: facts.lines for name, facts in _facts().items() if facts.lines > MOST_MODULE_LINES}


def test_functions_stay_below_50_lines() -> None:
    """Past that a function tells two stories. Parameters and docstring are no part of the story."""
    stories = {name: lines for facts in _facts().values() for name, lines in facts.stories.items()}
    assert len(stories) > 1000
    assert not {name: lines for name, lines in stories.items() if lines > MOST_FUNCTION_LINES}


def test_heavy_libraries_are_imported_where_they_are_used() -> None:
    """The command starts without pygit2, GitPython, Whoosh and python-frontmatter."""
    heavy = {"pygit2", "git", "whoosh", "frontmatter", "mcp", "pydantic"}
    top = [
        f"{module}:{line}"
        for module, facts in _facts().items()
        if _layer(module) in DOORS - {"mcp"}
        or module in ("gitmem", "gitmem.errors", "gitmem.clock", "gitmem.platform")
        for line, packages in facts.at_top
        if packages & heavy
    ]
    assert not top


def test_no_pattern_is_possessive() -> None:
    """Python before 3.11.5 forgets to go back where the last round of such a repetition fails half way."""
    found = [
        f"{module}:{number}"
        for module, path in MODULES.items()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if any(sign in line for sign in ("(?>", ")*+", ")++", ")?+"))
    ]
    assert not found
