"""The helper: a resident process of one store that answers for the command. Without it, nothing changes but time."""
