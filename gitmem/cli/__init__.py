"""The `gitmem` command: parse, call one Store verb, print."""
