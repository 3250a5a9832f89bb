"""How long notes last, and what a summary says: pure, so no store is needed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import StoreProblem
from gitmem.flows.working.lasting import expired_notes, words_of
from gitmem.flows.working.notes import Record, Session
from gitmem.flows.working.summary import Source, summary_of
from gitmem.index.analysis import query_terms
from gitmem.model.ids import BlobId, MemoryId
from gitmem.model.memory import Json, Memory, MemoryType
from gitmem.recall.tokens import estimate_tokens
from gitmem.versions.config import parse_config
from gitmem.versions.working_settings import Fate, WorkingSettings

NINE = datetime(2026, 11, 29, 9, tzinfo=UTC)
SETTINGS = WorkingSettings()


def note(created: datetime, **fields: Json) -> Memory:
    stamp = created.isoformat()
    return Memory(
        MemoryId("n"), MemoryType.WORKING, "", "", "working/s/n.md", BlobId(""), created=stamp, fields=fields
    )


def session(*notes: Memory, ended: datetime | None = None) -> Session:
    end = None if ended is None else ended.isoformat()
    return Session(Record("s", started=NINE.isoformat(), ended=end), notes)


@pytest.mark.parametrize(
    ("given_session", "later", "count", "reason"),
    [
        (session(note(NINE)), timedelta(hours=23), 0, ""),
        (session(note(NINE)), timedelta(hours=24, minutes=59), 0, ""),
        (session(note(NINE)), timedelta(hours=25), 1, "session s was idle from 2026-11-29 09:00 UTC"),
        (session(note(NINE), ended=NINE), timedelta(minutes=59), 0, ""),
        (session(note(NINE), ended=NINE), timedelta(minutes=60), 1, "session s ended 2026-11-29 09:00 UTC"),
        (session(note(NINE, pinned=True), ended=NINE), timedelta(days=9), 0, ""),
        (session(note(NINE + timedelta(hours=2)), ended=NINE), timedelta(hours=2, minutes=30), 0, ""),
        (session(note(NINE), note(NINE + timedelta(hours=23))), timedelta(hours=26), 0, ""),
    ],
)
def test_notes_last_an_hour_longer_than_their_session(
    given_session: Session, later: timedelta, count: int, reason: str
) -> None:
    """One that nobody ended ends a day after its last note; what is pinned, or came later, stays."""
    found = expired_notes([given_session], SETTINGS, NINE + later)
    assert len(found) == count
    assert all(each.reason.startswith(reason) and each.since <= NINE + later for each in found)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(60, "1 hour"), (90, "90 minutes"), (2880, "2 days"), (0, "0 minutes"), (1, "1 minute")],
)
def test_spans_in_words(minutes: int, words: str) -> None:
    """In the largest unit that is whole."""
    assert words_of(timedelta(minutes=minutes)) == words


def settings_of(text: str) -> WorkingSettings:
    return parse_config(f"[working]\n{text}".encode(), where="config.toml").working


def test_the_first_rule_that_a_note_fits_decides() -> None:
    """By tag, case apart, and importance; else `at_end`, and `promote_as` for the type."""
    settings = settings_of(
        'at_end = "archive"\npromote_as = "reflective"\n'
        '[[working.rules]]\ntags = ["Decision"]\nthen = "promote"\nas = "semantic"\n'
        '[[working.rules]]\nmin_importance = 0.5\nthen = "promote"\n'
    )
    plain, tagged = (
        note(NINE),
        Memory(MemoryId("t"), MemoryType.WORKING, "", "", "", BlobId(""), tags=("decision",), importance=0.1),
    )
    low = Memory(MemoryId("l"), MemoryType.WORKING, "", "", "", BlobId(""), importance=0.4)
    assert settings.fate_of(tagged) == (Fate.PROMOTE, MemoryType.SEMANTIC)
    assert settings.fate_of(plain) == (Fate.PROMOTE, MemoryType.REFLECTIVE)
    assert settings.fate_of(low) == (Fate.ARCHIVE, MemoryType.REFLECTIVE)


def test_by_default_only_what_matters_goes_to_main() -> None:
    """From an importance of 0.8 on, as knowledge; the rest stays until its time is over."""
    high = Memory(MemoryId("h"), MemoryType.WORKING, "", "", "", BlobId(""), importance=0.8)
    assert SETTINGS.fate_of(high) == (Fate.PROMOTE, MemoryType.SEMANTIC)
    assert SETTINGS.fate_of(note(NINE))[0] is Fate.KEEP
    assert parse_config(b"", where="").working == SETTINGS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ttl_minutes = -1", "working.ttl_minutes must be a whole number from 0"),
        ("idle_minutes = true", "working.idle_minutes"),
        ("max_tokens = 1.5", "working.max_tokens"),
        ('at_end = "burn"', "working.at_end must be one of keep, promote, archive, summary, not 'burn'"),
        ('promote_as = "working"', "working.promote_as must be one of episodic"),
        ("rules = 3", "working.rules must be a list"),
        ("rules = [3]", "working.rules[0] must be a table"),
        ('rules = [{tags = "x"}]', "working.rules[0].tags must be a list"),
        ("rules = [{min_importance = 2}]", "working.rules[0].min_importance must be a number from 0 to 1"),
        ('rules = [{tags = ["x"]}]', "working.rules[0].then is missing"),
        ('rules = [{then = "promote", as = "note"}]', "working.rules[0].as must be one of"),
    ],
)
def test_a_setting_that_is_wrong_is_named(text: str, said: str) -> None:
    """In one line."""
    with pytest.raises(StoreProblem) as caught:
        settings_of(text)
    assert said in caught.value.message


def test_a_table_that_is_none_is_named() -> None:
    with pytest.raises(StoreProblem, match="working must be a table"):
        parse_config(b"working = 3", where="config.toml")


def summed(texts: list[str], max_tokens: int) -> list[str]:
    return summary_of(
        [Source(text) for text in texts], max_tokens=max_tokens, terms_of=query_terms, count=estimate_tokens
    )


def test_a_summary_says_what_was_said_most_and_once() -> None:
    """In the order of the texts, each sentence as it was written; also in Chinese."""
    texts = [
        "Lunch is at noon.",
        "The parser fails on empty files. The parser fails on large files.",
        "The parser fails on empty files.",
        "解析器在空文件上失败。午饭在中午。解析器在大文件上失败。",
    ]
    found = summed(texts, 60)
    assert found.count("The parser fails on empty files.") == 1
    assert "解析器在空文件上失败。" in found
    everything = summed(texts, 10_000)
    assert everything[0] == "Lunch is at noon." and len(everything) == 6


def test_importance_counts() -> None:
    """Of two texts alike in all else, the one that matters is taken."""
    sources = [Source("Alpha went east.", 0.1), Source("Omega went west.", 1.0)]
    assert summary_of(sources, max_tokens=7, terms_of=query_terms, count=estimate_tokens) == [
        "Omega went west."
    ]


@given(st.lists(st.text(max_size=80), max_size=8), st.integers(min_value=8, max_value=200))
def test_a_summary_is_within_its_budget_and_made_of_the_texts(texts: list[str], max_tokens: int) -> None:
    """Nothing that nobody wrote, never too much, and not nothing where there is something."""
    found = summed(texts, max_tokens)
    assert estimate_tokens("".join(f"- {each}\n" for each in found)) <= max_tokens + len(found)
    written = "".join(map(_letters, texts))
    assert all(_letters(sentence) in written for sentence in found)
    assert bool(found) == bool(written)


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())
