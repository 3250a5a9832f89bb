"""What may be in a store and what not, and how it is taken out for good."""
