"""Judgement by rules, pure: what a memory claims, whether two say the same or the contrary, what matters."""
