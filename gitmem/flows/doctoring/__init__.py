"""What doctor looks at, one part of a store each."""
