"""The steps of a sync, and what it knows on the way."""
