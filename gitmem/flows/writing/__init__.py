"""From what a caller wants written to one commit, or a refusal: `apply` is the one way in."""
