"""The long soak: eight writers killed at random, a person and a reader beside them, and a proof that nothing is lost.

    python -m tests.faults.soak --minutes 30 --processes 8 [--seed N] [--folder PATH]

A package of its own, since it is run by hand; the suite runs a few seconds of it.
"""
