"""Judgement by rules, pure: what a memory claims, what two have to do with each other, what matters."""
