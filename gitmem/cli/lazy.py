"""Commands that are loaded when they are called, and not before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from gitmem.cli.plain_values import read_plainly


class PlainCommand(TyperCommand):
    """A command whose simple values are made without pydantic."""

    def get_params(self, ctx: Any) -> list[Any]:
        return read_plainly(super().get_params(ctx))


class Commands(Mapping[str, Any]):
    """The commands by name; each is made when it is asked for. `modules` names the module of each."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            module = import_module(f"gitmem.cli.{self._modules[name]}")
            self._made[name] = _command(name, module.COMMANDS[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


def _command(name: str, function: Any) -> Any:
    """typer's command for one function."""
    one = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    one.command(name, cls=PlainCommand)(function)
    return typer.main.get_command(one)


def group_of(modules: Mapping[str, str]) -> type[TyperGroup]:
    """A group of the commands in `modules`, for typer to make."""

    class LazyGroup(TyperGroup):
        def __init__(self, *arguments: Any, **settings: Any) -> None:
            super().__init__(*arguments, **settings)
            self.commands: Any = Commands(modules)

        def get_params(self, ctx: Any) -> list[Any]:
            return read_plainly(super().get_params(ctx))

        def list_commands(self, _context: Any) -> list[str]:
            """The names, without loading what they stand for."""
            return list(modules)

    return LazyGroup
