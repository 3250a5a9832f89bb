"""The only place that touches git. It knows nothing of memories."""
