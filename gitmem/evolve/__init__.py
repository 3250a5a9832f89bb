"""What becomes of memories beside each other: how they relate, and what can be made of many."""
