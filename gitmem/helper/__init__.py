"""The helper: a resident process of one store that answers for the command. It saves time, nothing else."""

BY_HELPER = ("recall", "remember", "note", "hook", "hook-agent")
"""Commands that it is worth asking for."""
