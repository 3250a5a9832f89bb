"""The tools as a person reads them, without a client."""

from __future__ import annotations

from typing import Any

import anyio

from gitmem.mcp.server import MemoryServer


def catalogue_shape(server: MemoryServer) -> dict[str, Any]:
    """The tools with the schemas of their arguments, as JSON values."""
    tools = anyio.run(server.list_tools)
    return {
        "tools": [
            {
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "reads_only": bool(tool.annotations and tool.annotations.read_only_hint),
                "arguments": tool.input_schema,
            }
            for tool in tools
        ]
    }


def catalogue_text(server: MemoryServer) -> str:
    """The same in lines: each tool with its arguments, those that can be left out in brackets."""
    lines = []
    for tool in catalogue_shape(server)["tools"]:
        needed = tool["arguments"].get("required", [])
        optional = [name for name in tool["arguments"].get("properties", {}) if name not in needed]
        lines += [
            f"{tool['name']} {' '.join([*needed, *(f'[{name}]' for name in optional)])}",
            f"    {tool['description'].splitlines()[0]}",
        ]
    return "\n".join(lines) + "\n"
