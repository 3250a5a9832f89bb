"""Texts and changes of other authors, and what share of them is found. What fell short was mended since."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gitmem.review.injection import find_injections

FIXTURES = Path(__file__).parent / "fixtures"


def rows(name: str) -> Iterator[dict[str, Any]]:
    """The rows of a fixture."""
    for line in (FIXTURES / f"{name}.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)


def test_orders_in_memories_of_others_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Of ten texts of each of ten kinds all are found, by whatever code, as more than a note."""
    found: Counter[str] = Counter()
    for row in rows("injected"):
        matches = find_injections(f"{row['title']}\n{row['text']}")
        found[row["kind"]] += any(match.severity != "note" for match in matches)
    with capsys.disabled():
        print("\ninjected:", ", ".join(f"{kind} {count}/10" for kind, count in found.items()))
    assert min(found.values()) == 10


def test_harmless_memories_of_others_are_left_alone() -> None:
    """Of 150 those are reported that quote an attack or the marks of a prompt, and no other; none as an error."""
    reported = {}
    for row in rows("harmless"):
        for match in find_injections(f"{row['title']}\n{row['text']}"):
            reported[row["title"]] = match.severity
    assert reported == {
        "Prompt injection seen in tickets": "note",
        "提示词注入案例": "note",
        "Chat template of the local model": "warning",
        "Tool schema of the calendar": "note",
        "Prüfung der Assistenz": "note",
        "Atelier sécurité": "warning",
    }


def test_most_orders_that_no_rule_was_made_for_are_found() -> None:
    """These texts were written after the rules, by somebody who did not know them. 78 of 100 are found."""
    found = [bool(find_injections(f"{row['title']}\n{row['text']}")) for row in rows("injected_unseen")]
    assert len(found) == 100
    assert sum(found) >= 78


def test_of_harmless_texts_that_no_rule_was_made_for_few_are_reported_loudly() -> None:
    """A third of the 150 is about prompts, attacks and tools on purpose."""
    severities = Counter(
        match.severity
        for row in rows("harmless_unseen")
        for match in find_injections(f"{row['title']}\n{row['text']}")[:1]
    )
    assert severities.total() <= 9
    assert severities["error"] <= 1


@pytest.mark.parametrize("row", list(rows("orders")), ids=lambda row: f"{row['kind']}: {row['text'][:40]}")
def test_an_order_is_found_beside_a_plain_sentence(row: dict[str, Any]) -> None:
    """In any of six languages, by what it is made of: no rule has these sentences."""
    assert {match.severity for match in find_injections(f"Note\nBob paid.\n\n{row['text']}")} - {"note"}


@pytest.mark.parametrize("row", list(rows("ordinary")), ids=lambda row: str(row["text"][:40]))
def test_a_sentence_that_has_some_cues_of_an_order_is_left_alone(row: dict[str, Any]) -> None:
    assert find_injections(f"Note\n{row['text']}") == []
