"""What proposals need: writing to one, and taking one in."""
