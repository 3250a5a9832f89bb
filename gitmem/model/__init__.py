"""Values and rules of memories. Nothing here reads a file, a clock or a setting."""
