"""Branches, snapshots and history of memories: model on top of git."""
