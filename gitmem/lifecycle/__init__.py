"""Rules of how memories age and where they go then; pure: from values to values, without a clock."""
