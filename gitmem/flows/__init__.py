"""One verb, one file: what each command does, from top to bottom. All writes pass `apply`."""
