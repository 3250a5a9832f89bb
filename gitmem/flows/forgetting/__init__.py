"""The steps of a forget: look, plan, rewrite, clean, prove; and what keeps the forgotten out."""
