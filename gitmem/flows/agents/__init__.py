"""Coding agents: their events, settings, sessions and what is imported from them."""
