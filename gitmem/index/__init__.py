"""The full-text index of one branch: derived from its commits, and never the truth."""
