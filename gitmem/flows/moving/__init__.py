"""Memories go from one branch to another: never on neither, and on one alone in the end."""
