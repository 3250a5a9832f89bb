"""What a merge does besides merging: the driver in git, the mending of links, the archive."""
