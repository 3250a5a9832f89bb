"""How a store is doing: what is in it, how it grows, and what needs looking after."""
