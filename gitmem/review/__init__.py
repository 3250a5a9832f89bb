"""What a reviewer would look at in a change: pure functions over texts, each finding with its place."""
