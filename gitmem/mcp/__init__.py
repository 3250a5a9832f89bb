"""The MCP server: a door for agents, with few tools, typed answers of bounded size, and no rights of a person."""
