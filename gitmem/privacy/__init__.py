"""What is kept out of a store, and how it is taken out for good."""
