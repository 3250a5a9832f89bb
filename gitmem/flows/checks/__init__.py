"""What `check --base` looks for in a change."""
