"""The privacy rules of a store at work, on what is written and on what comes in."""
