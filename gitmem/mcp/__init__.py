"""The MCP server: a door for agents, with few tools and typed answers of bounded size."""
