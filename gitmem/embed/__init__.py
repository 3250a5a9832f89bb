"""Embeddings: passages of memories as vectors, what makes them, and where they are kept."""
