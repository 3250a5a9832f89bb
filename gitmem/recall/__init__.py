"""Recall: a question answered with hits, and every hit with its reasons."""
