"""What the reading verbs share: finding a memory, its versions, its past, and the edits beside it."""
