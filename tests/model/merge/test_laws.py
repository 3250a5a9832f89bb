"""What holds for every merge, whatever the texts are."""

from __future__ import annotations

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gitmem.model.document import decode, parse_document
from gitmem.model.merge.file import merge_texts
from gitmem.model.merge.outcome import Case
from tests.model.merge.texts import KEEPING_TYPES, TYPES, Draft, drafts, edits, field_of, plain_lines, triples

LONGER = settings(max_examples=120, deadline=None)
LAWS = settings(max_examples=50, deadline=None)


@LAWS
@given(triples())
def test_a_side_that_is_the_base_gives_exactly_the_other_side(triple: tuple[str, str, str]) -> None:
    """merge(b, x, b) = x and merge(b, x, x) = x, byte for byte."""
    base, side, _ = triple
    assert merge_texts(base, side, base).text == side
    assert merge_texts(base, base, side).text == side
    assert merge_texts(base, side, side).text == side
    assert merge_texts(None, side, side).text == side


@LAWS
@given(triples())
def test_it_does_not_matter_who_is_first(triple: tuple[str, str, str]) -> None:
    """merge(b, x, y) = merge(b, y, x), decisions too, also without a base."""
    base, first, second = triple
    assert merge_texts(base, first, second) == merge_texts(base, second, first)
    assert merge_texts(None, first, second) == merge_texts(None, second, first)


@LONGER
@given(triples(), st.booleans())
def test_what_comes_out_is_a_memory(triple: tuple[str, str, str], has_base: bool) -> None:
    """Its header reads, it has the id of both, and `status` says whether it is disputed."""
    base, first, second = triple
    merged = merge_texts(base if has_base else None, first, second)
    document = parse_document(merged.text)
    assert document.error is None
    assert document.fields["id"] == "m7k2q9xw"
    assert (document.fields.get("status") == "disputed") == merged.is_disputed


def lost_lines(base: str | None, first: str, second: str, merged: str) -> set[str]:
    """The lines of the bodies that are in no part of the merged file, though nobody took them out."""
    texts = [parse_document(text).body if text else "" for text in (base, first, second)]
    older, one, other = (plain_lines(text) for text in texts)
    repeated = {line for text in texts for line in older if text.count(line) > 1}
    wanted = (one - older) | (other - older) | (one & other)
    return wanted - repeated - plain_lines(merged)


@LONGER
@given(triples(KEEPING_TYPES), st.booleans())
def test_no_line_that_either_side_wrote_is_lost(triple: tuple[str, str, str], has_base: bool) -> None:
    """Every line that a side added, and every line that both still have, is in the merged file."""
    base, first, second = triple
    older = base if has_base else None
    assert not lost_lines(older, first, second, merge_texts(older, first, second).text)


@LONGER
@given(triples(("semantic",)))
def test_a_line_goes_only_where_the_more_certain_side_stands(triple: tuple[str, str, str]) -> None:
    """A text is replaced by no other rule than that of the type, and that is said."""
    base, first, second = triple
    merged = merge_texts(base, first, second)
    lost = lost_lines(base, first, second, merged.text)
    assert not lost or any(decision.case is Case.MORE_CERTAIN for decision in merged.decisions)


@LONGER
@given(st.binary(max_size=80), st.binary(max_size=80), st.none() | st.binary(max_size=80))
@example(b"---\nid: a\n", b"---\nid: a\n---\nx", None)
@example(b"\x00\xff", b"\xfe", b"")
@example(b"---\ntags: [a\n---\nx\n", b"---\ntags: [a, b]\n---\ny\n", b"---\ntags: [a]\n---\nz\n")
def test_any_bytes_are_merged_or_kept(one: bytes, other: bytes, base: bytes | None) -> None:
    """Nothing raises, nothing is lost, whatever the files hold."""
    first, second = decode(one)[0], decode(other)[0]
    older = decode(base)[0] if base is not None else None
    merged = merge_texts(older, first, second)
    assert merged == merge_texts(older, second, first)
    for side in (first, second):
        added = plain_lines(side) - plain_lines(older or "")
        assert added <= plain_lines(merged.text) or merged.text in (first, second)


PARAGRAPHS = tuple(f"Paragraph {number} of the base, as {number} as it was.\n" for number in range(5))


@LAWS
@given(
    st.sampled_from(TYPES),
    st.permutations(range(5)),
    st.lists(st.sampled_from("-~+"), min_size=3, max_size=3),
)
def test_changes_in_different_places_merge_in_any_order(
    kind: str, places: list[int], what: list[str]
) -> None:
    """merge(b, merge(b, x, y), z) = merge(b, x, merge(b, y, z)) where no two sides touch one passage."""
    header = f"---\nid: m7k2q9xw\ntype: {kind}\n---\n"
    base = header + "\n".join(PARAGRAPHS)

    def side(number: int) -> str:
        place = places[number]
        old = PARAGRAPHS[place]
        new = {"-": [], "~": [old.replace("was", f"is {number}")], "+": [old, f"Side {number} says so.\n"]}
        return header + "\n".join([*PARAGRAPHS[:place], *new[what[number]], *PARAGRAPHS[place + 1 :]])

    x, y, z = map(side, range(3))
    left = merge_texts(base, merge_texts(base, x, y).text, z).text
    assert left == merge_texts(base, x, merge_texts(base, y, z).text).text


@LAWS
@given(st.permutations(["09:10 a", "09:10 b", "10:00 c", "a note", "the end"]))
def test_entries_of_a_log_are_added_in_any_order(entries: list[str]) -> None:
    """The same where three sides append to one episode."""
    base = "---\nid: m7k2q9xw\ntype: episodic\n---\n08:00 It began.\n"
    x, y, z = (base + f"{entry}\n" for entry in entries[:3])
    left = merge_texts(base, merge_texts(base, x, y).text, z).text
    assert left == merge_texts(base, x, merge_texts(base, y, z).text).text


@LAWS
@given(st.data())
def test_header_sets_counters_and_dates_merge_in_any_order(data: st.DataObject) -> None:
    """The same for tags, counters, shares and dates, whatever each side did to them."""
    names = ("tags", "importance", "created", "count")

    def drawn(own: str) -> str:
        fields = "".join(data.draw(field_of(name)) for name in names)
        return f"---\nid: m7k2q9xw\ntype: semantic\n{fields}{own}---\nText.\n"

    older = drawn("")
    x, y, z = (drawn(f"from_{name}: true\n") for name in "xyz")
    first = merge_texts(older, merge_texts(older, x, y).text, z).text
    second = merge_texts(older, x, merge_texts(older, y, z).text).text
    one, other = parse_document(first).fields, parse_document(second).fields
    assert {key: _as_set(value) for key, value in one.items()} == {
        key: _as_set(value) for key, value in other.items()
    }


def _as_set(value: object) -> object:
    return frozenset(str(item).casefold() for item in value) if isinstance(value, list) else value


@LAWS
@given(st.lists(st.sampled_from("abcd"), min_size=3, max_size=3))
def test_versions_of_one_passage_gather_in_any_order(what: list[str]) -> None:
    """A third version joins a dispute, whichever two met first."""
    header = "---\nid: m7k2q9xw\ntype: procedural\n---\n"
    x, y, z = (f"{header}Before.\n\n{each} is so.\n\nAfter.\n" for each in what)
    text = f"{header}Before.\n\nIt is so.\n\nAfter.\n"
    left = merge_texts(text, merge_texts(text, x, y).text, z).text
    right = merge_texts(text, x, merge_texts(text, y, z).text).text
    assert left == right


@LONGER
@given(drafts(), st.data())
def test_a_disputed_file_merges_like_any_other(base: Draft, data: st.DataObject) -> None:
    """Edits on both sides of a disputed file lose nothing, and what comes out is a memory."""
    assume(base.fields["type"] != "type: semantic\n")
    x, y = (data.draw(edits(base)).text for _ in range(2))
    disputed = merge_texts(base.text, x, y).text
    document = parse_document(disputed)
    fields = {"all": document.header}
    more = [data.draw(edits(Draft(dict(fields), document.body))) for _ in range(2)]
    texts = [f"---\n{draft.fields['all']}---\n{draft.body}" for draft in more]
    merged = merge_texts(disputed, texts[0], texts[1])
    assert parse_document(merged.text).error is None
    assert not lost_lines(disputed, texts[0], texts[1], merged.text)
