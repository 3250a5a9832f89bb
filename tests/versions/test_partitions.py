"""The partitions in the policy: what the tables say, and what is refused by name."""

from __future__ import annotations

import pytest

from gitmem.errors import StoreProblem
from gitmem.model.memory import MemoryType
from gitmem.model.sensitive import Action
from gitmem.versions.config import parse_config


def test_tables_become_partitions_in_the_order_of_the_file() -> None:
    """Conditions that are left out are empty; privacy overrides are actions."""
    text = b"""
    [partitions.people]
    namespaces = ["people/*", "hr/"]
    types = ["episodic"]
    [partitions.people.privacy]
    email = "allow"
    [partitions.all]
    """
    people, everything = parse_config(text, where="main").policy.partitions
    assert (people.name, people.namespaces) == ("people", ("people/*", "hr"))
    assert people.types == {MemoryType.EPISODIC}
    assert people.privacy == {"email": Action.ALLOW}
    assert (everything.name, everything.namespaces, everything.types) == ("all", (), frozenset())


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("partitions = 1", "partitions must be tables"),
        ("[partitions]\npeople = 1", "partitions must be tables"),
        ("[partitions.p]\nnamespaces = 'x'", "partitions.p.namespaces must be a list"),
        ("[partitions.p]\nnamespaces = []", "partitions.p.namespaces is empty"),
        ("[partitions.p]\nnamespaces = ['/']", "partitions.p.namespaces has an empty pattern"),
        ("[partitions.p]\ntypes = ['note']", "partitions.p.types must be types of memories"),
        ("[partitions.p]\nprivacy = 1", "partitions.p.privacy must be a table"),
        ("[partitions.p.privacy]\nemail = []", "partitions.p.privacy.email must be one of"),
        ("[partitions.p.privacy]\nemail = 'keep'", "partitions.p.privacy.email must be one of"),
    ],
)
def test_a_wrong_table_is_refused_by_name(text: str, named: str) -> None:
    """The message names the setting."""
    with pytest.raises(StoreProblem, match=named):
        parse_config(text.encode(), where="main")
