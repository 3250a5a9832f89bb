"""What goes on beside the verbs: hooks of git, work in the background, the helper's start."""
