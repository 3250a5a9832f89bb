"""What is known already is judged before a memory is written."""
